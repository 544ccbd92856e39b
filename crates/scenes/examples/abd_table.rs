//! Seconds per step of `abd` on a scene, split as in the tables of the affine body paper, with what the run reached.
//!
//! `cargo run --release -p drystone-scenes --example abd_table -- SCENE [dt=0.01] [steps=100] [skip=0] [limit=SECONDS]
//! [threads=N] [csv=FILE] [option.KEY=VALUE]… [PARAMETER=VALUE]…`; times and iterations are those of the steps after
//! `skip`. Past the limit of wall time the run ends after the step it is in. `csv` appends the figures to a file
//! (`tools/abd_evidence.py` makes the tables of them).

use std::fs::OpenOptions;
use std::io::Write;
use std::thread::available_parallelism;
use std::time::Instant;

use drystone::Simulation;
use drystone::geometry::{Shape, Tessellation};
use drystone::model::{Model, State};
use drystone::solve::{Ending, Phase, Report};
use drystone_scenes::make;

type Failure = Box<dyn std::error::Error>;

/// What the arguments ask for.
struct Job {
    scene: String,
    settings: Vec<String>,
    options: Vec<(String, serde_json::Value)>,
    dt: Option<f64>,
    steps: u64,
    skip: u64,
    limit: f64,
    threads: Option<usize>,
    csv: Option<String>,
}

fn job() -> Result<Job, Failure> {
    let mut args = std::env::args().skip(1);
    let mut job = Job {
        scene: args.next().ok_or("which scene?")?,
        settings: vec![],
        options: vec![],
        dt: None,
        steps: 100,
        skip: 0,
        limit: f64::INFINITY,
        threads: None,
        csv: None,
    };
    for arg in args {
        let (key, value) = arg.split_once('=').ok_or("arguments are key=value")?;
        match key {
            "dt" => job.dt = Some(value.parse()?),
            "steps" => job.steps = value.parse()?,
            "skip" => job.skip = value.parse()?,
            "limit" => job.limit = value.parse()?,
            "threads" => job.threads = Some(value.parse()?),
            "csv" => job.csv = Some(value.to_owned()),
            _ => match key.strip_prefix("option.") {
                Some(key) => job.options.push((key.to_owned(), serde_json::from_str(value)?)),
                None => job.settings.push(arg),
            },
        }
    }
    Ok(job)
}

/// Sums over the measured steps.
struct Sums {
    wall: Vec<f64>,
    iterations: u64,
    most_iterations: u32,
    contacts: usize,
    phase: Vec<(Phase, f64)>,
    unconverged: usize,
    joint_error: f64,
    distortion: f64,
    closest: f64,
}

impl Sums {
    fn new() -> Self {
        Self {
            wall: vec![],
            iterations: 0,
            most_iterations: 0,
            contacts: 0,
            phase: vec![],
            unconverged: 0,
            joint_error: 0.0,
            distortion: 0.0,
            closest: f64::INFINITY,
        }
    }

    /// What the run reached, of every step.
    fn judge(&mut self, report: &Report, state: &State) {
        self.unconverged += usize::from(report.ending != Ending::Converged);
        self.joint_error = self.joint_error.max(report.max_joint_error.unwrap_or(f64::NAN));
        self.closest = self.closest.min(report.min_distance.unwrap_or(f64::INFINITY));
        self.distortion = self.distortion.max(distortion(state));
    }

    /// What a step cost.
    fn count(&mut self, report: &Report, wall: f64) {
        self.wall.push(wall);
        self.iterations += u64::from(report.iterations);
        self.most_iterations = self.most_iterations.max(report.iterations);
        self.contacts += report.contact_count;
        for &(phase, seconds) in &report.time {
            match self.phase.iter_mut().find(|(known, _)| *known == phase) {
                Some((_, total)) => *total += seconds,
                None => self.phase.push((phase, seconds)),
            }
        }
    }

    /// Figures per measured step and of the whole run, with the names of their columns.
    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        let count = self.wall.len().max(1) as f64;
        self.wall.sort_by(f64::total_cmp);
        let phase = |wanted: &[Phase]| {
            let of = self.phase.iter().filter(|(phase, _)| wanted.contains(phase));
            of.fold(0.0, |sum, (_, seconds)| sum + 1e3 * seconds / count)
        };
        vec![
            ("iterations", self.iterations as f64 / count),
            ("most_iterations", f64::from(self.most_iterations)),
            ("contacts", self.contacts as f64 / count),
            ("hess_ms", phase(&[Phase::Assemble])),
            ("solve_ms", phase(&[Phase::Iterate])),
            ("ccd_ms", phase(&[Phase::Ccd])),
            ("cons_ms", phase(&[Phase::Bounds, Phase::Pairs, Phase::Contacts])),
            ("misc_ms", phase(&[Phase::Predict, Phase::Finish, Phase::Report, Phase::Control])),
            ("total_ms", 1e3 * self.wall.iter().sum::<f64>() / count),
            ("median_ms", 1e3 * self.wall.get(self.wall.len() / 2).copied().unwrap_or(f64::NAN)),
            ("most_ms", 1e3 * self.wall.last().copied().unwrap_or(f64::NAN)),
            ("unconverged", self.unconverged as f64),
            ("joint_gap", self.joint_error),
            ("distortion", self.distortion),
            ("closest", self.closest),
        ]
    }
}

/// How far the least rigid body is from rigid, ‖A Aᵀ − 1‖.
fn distortion(state: &State) -> f64 {
    let of = |rows: &[f64; 12]| {
        let row = |r: usize| &rows[4 * r..4 * r + 3];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let entries = (0..9).map(|k| (k / 3, k % 3));
        entries.map(|(i, j)| (dot(row(i), row(j)) - f64::from(i == j)).powi(2)).sum::<f64>().sqrt()
    };
    state.body_affine.iter().map(of).fold(0.0, f64::max)
}

fn main() -> Result<(), Failure> {
    let job = job()?;
    let scene = make(&job.scene, &job.settings)?;
    let mut builder = Simulation::builder(scene.model.clone()).solver("abd").dt(job.dt.unwrap_or(scene.settings.dt));
    for (key, value) in &job.options {
        builder = builder.option(key, value.clone());
    }
    if let Some(threads) = job.threads {
        builder = builder.threads(threads);
    }
    let mut sim = builder.build()?;
    let (mut sums, begin) = (Sums::new(), Instant::now());
    for step in 0..job.skip + job.steps {
        if begin.elapsed().as_secs_f64() > job.limit {
            break;
        }
        let start = Instant::now();
        let report = sim.step()?;
        let wall = start.elapsed().as_secs_f64();
        let report = report.clone();
        sums.judge(&report, sim.state());
        if step >= job.skip {
            sums.count(&report, wall);
        }
    }
    let row = Row { steps: sums.wall.len(), figures: sums.figures(), job: &job, model: &scene.model, sim: &sim };
    row.print();
    job.csv.as_ref().map_or(Ok(()), |path| row.append(path))
}

fn triangles(model: &Model) -> usize {
    let solid = model.shape_geometry.iter().filter(|shape| !matches!(shape, Shape::HalfSpace));
    solid.map(|shape| shape.to_mesh(&Tessellation::default()).triangles.len()).sum()
}

/// A run and what came of it.
struct Row<'a> {
    job: &'a Job,
    model: &'a Model,
    sim: &'a Simulation,
    steps: usize,
    figures: Vec<(&'static str, f64)>,
}

impl Row<'_> {
    fn of(&self, name: &str) -> f64 {
        self.figures.iter().find(|(known, _)| *known == name).map_or(f64::NAN, |(_, value)| *value)
    }

    fn print(&self) {
        println!(
            "{} {} dt {:.4}: {} bodies, {} triangles, {} steps, {:.1} iterations (most {}), {:.0} contacts",
            self.job.scene,
            self.job.settings.join(" "),
            self.sim.dt(),
            self.model.body_count(),
            triangles(self.model),
            self.steps,
            self.of("iterations"),
            self.of("most_iterations"),
            self.of("contacts"),
        );
        println!(
            "  ms per step: Hess {:.1}, Solve {:.1}, CCD {:.1}, Cons {:.1}, Misc {:.1}; total {:.3}, median {:.1}, most {:.1}",
            self.of("hess_ms"),
            self.of("solve_ms"),
            self.of("ccd_ms"),
            self.of("cons_ms"),
            self.of("misc_ms"),
            self.of("total_ms"),
            self.of("median_ms"),
            self.of("most_ms"),
        );
        println!(
            "  not converged {}, joint gap {:.1e}, ‖AAᵀ−1‖ {:.1e}, closest {:.1e}, hash {:016x}",
            self.of("unconverged"),
            self.of("joint_gap"),
            self.of("distortion"),
            self.of("closest"),
            self.sim.state_hash()
        );
    }

    /// Adds a line to a table, and its head if it is new.
    fn append(&self, path: &str) -> Result<(), Failure> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if file.metadata()?.len() == 0 {
            let names: Vec<&str> = self.figures.iter().map(|(name, _)| *name).collect();
            writeln!(file, "scene,dt,asked,steps,threads,bodies,triangles,{}", names.join(","))?;
        }
        let scene = [std::slice::from_ref(&self.job.scene), &self.job.settings].concat().join(" ");
        let threads = self.job.threads.map_or_else(|| available_parallelism().map(usize::from), Ok)?;
        let counts = [self.steps, threads, self.model.body_count(), triangles(self.model)].map(|n| n.to_string());
        let values: Vec<String> = self.figures.iter().map(|(_, value)| format!("{value:.4e}")).collect();
        writeln!(file, "{scene},{},{},{},{}", self.sim.dt(), self.job.steps, counts.join(","), values.join(","))?;
        Ok(())
    }
}
