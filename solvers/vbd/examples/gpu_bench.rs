//! Whole rigid steps on a GPU beside the CPU: time per step, drift and overlap.
//!
//! ```sh
//! cargo run --release -p drystone-vbd --features cuda --example gpu_bench -- --device cuda
//! cargo run --release -p drystone-vbd --features vulkan --example gpu_bench -- --device vulkan --small
//! ```
//!
//! `--small` leaves out what a software driver takes minutes for; `--only "ring 10000,pile 8000"` runs those alone. Every scene is run on the device
//! with sixty steps at a time and with the host reading poses after every step, and its phases are measured one by one; scenes of up to 20,000
//! bodies run on the CPU too, unless `--no-cpu` says otherwise.

use std::time::Instant;

use drystone_collide::{Collide, CollideOptions};
use drystone_device::DeviceChoice;
use drystone_model::{BodyDef, DQuat, DVec3, Model, ModelBuilder, State};
use drystone_random::Random;
use drystone_solve::report::Report;
use drystone_vbd::{Vbd, VbdOptions};

const DT: f64 = 1.0 / 60.0;
/// Bodies of scenes that the CPU runs too.
const MOST_ON_CPU: usize = 20_000;

struct Case {
    name: String,
    model: Model,
    sweeps: u32,
    /// Steps before time is taken, for a pile to land.
    before: u32,
}

/// A scene that runs, and what it said last.
struct Run<'a> {
    case: &'a Case,
    solver: Vbd,
    state: State,
    collide: Collide,
    report: Report,
}

impl<'a> Run<'a> {
    fn new(case: &'a Case, device: Option<DeviceChoice>) -> Result<Self, String> {
        let options = VbdOptions { iterations: case.sweeps, device, tolerance: 0.0, ..VbdOptions::default() };
        let model = &case.model;
        let solver = Vbd::new(model, options).map_err(|error| error.to_string())?;
        let collide = Collide::new(model, CollideOptions::default());
        Ok(Self { case, solver, state: model.state(), collide, report: Report::default() })
    }

    /// Takes steps, so many at a time, and returns the milliseconds each took.
    fn steps(&mut self, count: u32, at_once: u32) -> Result<f64, String> {
        let Self { case, solver, state, collide, .. } = self;
        let control = case.model.control();
        let start = Instant::now();
        for _ in 0..count / at_once {
            self.report =
                solver.steps(&case.model, state, &control, collide, DT, at_once).map_err(|error| error.to_string())?;
        }
        Ok(1e3 * start.elapsed().as_secs_f64() / f64::from(count / at_once * at_once))
    }

    fn drift(&self) -> f64 {
        let start = self.case.model.state();
        let moved = self.state.body_q.iter().zip(&start.body_q).map(|(a, b)| a.translation.distance(b.translation));
        moved.fold(0.0, f64::max)
    }

    fn tell(&self) -> String {
        let Report { contact_count, max_penetration, kinetic_energy, .. } = &self.report;
        let lost = self.state.body_q.iter().filter(|pose| pose.translation.z < 0.0 || !pose.translation.is_finite());
        let lost = lost.count();
        let overlap = 1e3 * max_penetration.unwrap_or(f64::NAN);
        format!(
            "{contact_count} points, overlap {overlap:.4} mm, drift {:.4} mm, {kinetic_energy:.3e} J, {lost} lost",
            1e3 * self.drift()
        )
    }
}

/// Cubes in layers that fall on each other, a little turned.
fn pile(count: usize, sweeps: u32, before: u32) -> Case {
    let side = (count as f64 / 8.0).cbrt().ceil() as usize * 2;
    layers(format!("pile {count}"), count, side, sweeps, before)
}

/// The same in layers of so many by so many.
fn layers(name: String, count: usize, side: usize, sweeps: u32, before: u32) -> Case {
    let (mut scene, mut random) = (ModelBuilder::new(), Random::new(1));
    scene.ground();
    for i in 0..count {
        let (x, y, z) = (i % side, (i / side) % side, i / (side * side));
        let jitter = DVec3::from_array(std::array::from_fn(|_| 0.05 * random.signed()));
        let at = DVec3::new(x as f64, y as f64, z as f64) * 0.6 + jitter + DVec3::Z * 0.4;
        let turn = DQuat::from_scaled_axis(4.0 * jitter);
        scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).rotated(turn).cuboid(DVec3::splat(0.25)));
    }
    Case { name, model: scene.finalize().expect("a sound scene"), sweeps, before }
}

/// A pyramid of cubes with `rows` in its lowest row.
fn pyramid(rows: usize, sweeps: u32) -> Case {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for row in 0..rows {
        for i in 0..rows - row {
            let at = DVec3::new(1.1 * (i as f64 - 0.5 * (rows - row - 1) as f64), 0.0, 0.5 + row as f64);
            scene.add_body(BodyDef::dynamic(format!("{row} {i}")).at(at).cuboid(DVec3::splat(0.5)));
        }
    }
    let model = scene.finalize().expect("a sound scene");
    Case { name: format!("pyramid {}", model.body_count()), model, sweeps, before: 0 }
}

/// Rings of bricks in running bond, as the brick rings of the AVBD paper.
fn ring(around: usize, courses: usize, sweeps: u32) -> Case {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let half = DVec3::new(0.5, 0.25, 0.25);
    let radius = around as f64 * 1.02 / std::f64::consts::TAU;
    for course in 0..courses {
        for i in 0..around {
            let angle = std::f64::consts::TAU * (i as f64 + 0.5 * (course % 2) as f64) / around as f64;
            let turn = DQuat::from_rotation_z(angle);
            let at = turn * DVec3::new(0.0, -radius, 0.0) + DVec3::Z * (0.25 + 0.5 * course as f64);
            scene.add_body(BodyDef::dynamic(format!("{course} {i}")).at(at).rotated(turn).cuboid(half));
        }
    }
    let model = scene.finalize().expect("a sound scene");
    Case { name: format!("ring {}", model.body_count()), model, sweeps, before: 0 }
}

/// What is asked for on the command line.
struct Wanted {
    device: DeviceChoice,
    small: bool,
    /// Names that a case must begin with one of; none: all cases.
    names: Vec<String>,
    /// Whether scenes run on the CPU too.
    cpu: bool,
}

impl Wanted {
    fn new() -> Result<Self, String> {
        let arguments: Vec<String> = std::env::args().collect();
        let after = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1));
        let device = after("--device").map_or(Ok(DeviceChoice::Auto), |name| name.parse());
        let has = |name: &str| arguments.iter().any(|a| a == name);
        Ok(Self {
            device: device.map_err(|error: drystone_device::DeviceError| error.to_string())?,
            small: has("--small"),
            names: after("--only").map_or_else(Vec::new, |names| names.split(',').map(str::to_owned).collect()),
            cpu: !has("--no-cpu"),
        })
    }

    fn has(&self, name: &str) -> bool {
        match self.names.is_empty() {
            true => !self.small || ["pyramid 210", "pile 500", "ring 240"].contains(&name),
            false => self.names.iter().any(|wanted| name == wanted),
        }
    }
}

fn measure(case: &Case, wanted: &Wanted) -> Result<(), String> {
    let (many, few) = if wanted.small { (20, 10) } else { (240, 60) };
    let mut run = Run::new(case, Some(wanted.device))?;
    let mut first = Vec::new();
    for count in [1, case.before] {
        let start = Instant::now();
        run.steps(count, count.clamp(1, 20))?;
        first.push(start.elapsed().as_secs_f64());
    }
    println!(
        "{} at {} sweeps (first step {:.2} s, {} more {:.2} s)",
        case.name, case.sweeps, first[0], case.before, first[1]
    );
    run.steps(4, 1)?;
    let ahead = run.steps(many, many.min(60))?;
    println!("  device: {ahead:.3} ms a step; {}", run.tell());
    let read = run.steps(few, 1)?;
    println!("  device: {read:.3} ms a step with poses read after each; {}", run.tell());
    if let Some(phases) = run.solver.profile(&case.model, DT, 10) {
        let each: Vec<String> = phases.iter().map(|(name, s)| format!("{name} {:.3}", 1e2 * s)).collect();
        println!("  phases, each waited for [ms a step]: {}", each.join(", "));
    }
    println!("  colours {:?}", run.report.color_count);
    if wanted.cpu && case.model.body_count() <= MOST_ON_CPU {
        let mut cpu = Run::new(case, None)?;
        cpu.steps(1 + case.before + 4 + many, 1)?;
        println!("  CPU:    {}", cpu.tell());
        let time = cpu.steps(few, 1)?;
        println!("  CPU:    {time:.3} ms a step; {}", cpu.tell());
    }
    Ok(())
}

fn main() -> Result<(), String> {
    let wanted = Wanted::new()?;
    println!("{}", drystone_device::open(wanted.device).map_err(|error| error.to_string())?.name());
    // One at a time: a million bodies take gigabytes of the host too.
    let cases: [(&str, fn() -> Case); 12] = [
        ("pyramid 210", || pyramid(20, 5)),
        ("pile 500", || pile(500, 5, 30)),
        ("ring 240", || ring(24, 10, 5)),
        // As high as a pile of a hundred thousand.
        ("column 1600", || layers("column 1600".into(), 1_600, 6, 4, 60)),
        ("pile 2000", || pile(2_000, 10, 120)),
        ("pile 8000", || pile(8_000, 10, 120)),
        ("ring 10000", || ring(500, 20, 5)),
        ("ring 110000", || ring(2_200, 50, 4)),
        ("ring 510000", || ring(5_100, 100, 3)),
        ("pile 100000", || pile(100_000, 4, 60)),
        ("pile 1000000", || pile(1_000_000, 4, 60)),
        ("pile 4000000", || pile(4_000_000, 4, 60)),
    ];
    for (_, case) in cases.iter().filter(|(name, _)| wanted.has(name)) {
        measure(&case(), &wanted)?;
    }
    Ok(())
}
