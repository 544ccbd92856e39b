//! Seconds per step of `abd` on a scene, split as in the tables of the affine body paper, with what the run reached.
//!
//! `cargo run --release -p drystone-scenes --example abd_table -- SCENE [dt=0.01] [steps=100] [skip=0] [threads=N]
//! [option.KEY=VALUE]… [PARAMETER=VALUE]…`; times and iterations are those of the steps after `skip`.

use std::time::Instant;

use drystone::Simulation;
use drystone::geometry::Tessellation;
use drystone::model::{Model, State};
use drystone::solve::{Ending, Phase};
use drystone_scenes::make;

/// What the arguments ask for.
struct Job {
    scene: String,
    settings: Vec<String>,
    options: Vec<(String, serde_json::Value)>,
    dt: Option<f64>,
    steps: u64,
    skip: u64,
    threads: Option<usize>,
}

fn job() -> Result<Job, Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let scene = args.next().ok_or("which scene?")?;
    let mut job = Job { scene, settings: vec![], options: vec![], dt: None, steps: 100, skip: 0, threads: None };
    for arg in args {
        let (key, value) = arg.split_once('=').ok_or("arguments are key=value")?;
        match key {
            "dt" => job.dt = Some(value.parse()?),
            "steps" => job.steps = value.parse()?,
            "skip" => job.skip = value.parse()?,
            "threads" => job.threads = Some(value.parse()?),
            _ => match key.strip_prefix("option.") {
                Some(key) => job.options.push((key.to_owned(), serde_json::from_str(value)?)),
                None => job.settings.push(arg),
            },
        }
    }
    Ok(job)
}

/// Sums over the measured steps.
#[derive(Default)]
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
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
    let mut sums = Sums { closest: f64::INFINITY, ..Sums::default() };
    for step in 0..job.skip + job.steps {
        let start = Instant::now();
        let report = sim.step()?;
        let wall = start.elapsed().as_secs_f64();
        let report = report.clone();
        sums.unconverged += usize::from(report.ending != Ending::Converged);
        sums.joint_error = sums.joint_error.max(report.max_joint_error);
        sums.closest = sums.closest.min(report.min_distance.unwrap_or(f64::INFINITY));
        sums.distortion = sums.distortion.max(distortion(sim.state()));
        if step >= job.skip {
            sums.wall.push(wall);
            sums.iterations += u64::from(report.iterations);
            sums.most_iterations = sums.most_iterations.max(report.iterations);
            sums.contacts += report.contact_count;
            for (phase, seconds) in report.time {
                match sums.phase.iter_mut().find(|(known, _)| *known == phase) {
                    Some((_, total)) => *total += seconds,
                    None => sums.phase.push((phase, seconds)),
                }
            }
        }
    }
    print(&job, &scene.model, &sim, &mut sums);
    Ok(())
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

fn print(job: &Job, model: &Model, sim: &Simulation, sums: &mut Sums) {
    let triangles: usize = model
        .shape_geometry
        .iter()
        .filter(|shape| !matches!(shape, drystone::geometry::Shape::HalfSpace))
        .map(|shape| shape.to_mesh(&Tessellation::default()).triangles.len())
        .sum();
    let count = sums.wall.len().max(1) as f64;
    let mean = sums.wall.iter().sum::<f64>() / count;
    sums.wall.sort_by(f64::total_cmp);
    let median = sums.wall.get(sums.wall.len() / 2).copied().unwrap_or(f64::NAN);
    let phase = |wanted: &[Phase]| {
        let of = sums.phase.iter().filter(|(phase, _)| wanted.contains(phase));
        1e3 * of.map(|(_, seconds)| seconds).sum::<f64>() / count
    };
    println!(
        "{} {} dt {:.4}: {} bodies, {triangles} triangles, {:.1} iterations (most {}), {:.0} contacts",
        job.scene,
        job.settings.join(" "),
        sim.dt(),
        model.body_count(),
        sums.iterations as f64 / count,
        sums.most_iterations,
        sums.contacts as f64 / count,
    );
    println!(
        "  ms per step: Hess {:.1}, Solve {:.1}, CCD {:.1}, Cons {:.1}, Misc {:.1}; total {:.1}, median {:.1}, most {:.1}",
        phase(&[Phase::Graph]),
        phase(&[Phase::Iterate]),
        phase(&[Phase::Bounds]),
        phase(&[Phase::Pairs, Phase::Contacts]),
        phase(&[Phase::Predict, Phase::Finish, Phase::Report, Phase::Control]),
        1e3 * mean,
        1e3 * median,
        1e3 * sums.wall.last().copied().unwrap_or(f64::NAN),
    );
    println!(
        "  not converged {}, joint gap {:.1e}, ‖AAᵀ−1‖ {:.1e}, closest {:.1e}, hash {:016x}",
        sums.unconverged,
        sums.joint_error,
        sums.distortion,
        sums.closest,
        sim.state_hash()
    );
}
