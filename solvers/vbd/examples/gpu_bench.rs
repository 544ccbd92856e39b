//! Whole rigid steps on a GPU beside the CPU: time per step, drift and overlap.
//!
//! ```sh
//! cargo run --release -p drystone-vbd --features cuda --example gpu_bench -- --device cuda
//! cargo run --release -p drystone-vbd --features vulkan --example gpu_bench -- --device vulkan --small
//! ```
//!
//! `--small` leaves out what a software driver takes minutes for; `--only "ring 10000,pile 8000"` runs those alone. Every scene is run on the device
//! with sixty steps at a time and with the host reading poses after every step, and its phases are measured one by one; scenes of up to 20,000
//! bodies run on the CPU too, unless `--no-cpu` says otherwise. `--watch 900` instead takes so many steps and tells what the scene does on the way.

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
    /// Passes over the first step; what falls rests on nothing, and needs none.
    startup_passes: Option<u32>,
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
        let options = VbdOptions {
            iterations: case.sweeps,
            device,
            tolerance: 0.0,
            startup_passes: case.startup_passes,
            ..VbdOptions::default()
        };
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

    /// Largest way of a body from its start, and largest way down \[m\].
    fn drift(&self) -> [f64; 2] {
        let ways = self.state.body_q.iter().zip(&self.case.model.body_q).map(|(a, b)| b.translation - a.translation);
        ways.fold([0.0; 2], |[far, down], way| [way.length().max(far), way.z.max(down)])
    }

    fn tell(&self) -> String {
        let Report { contact_count, max_penetration, kinetic_energy, .. } = &self.report;
        let lost = self.state.body_q.iter().filter(|pose| pose.translation.z < 0.0 || !pose.translation.is_finite());
        let lost = lost.count();
        let overlap = 1e3 * max_penetration.unwrap_or(f64::NAN);
        let [drift, sunk] = self.drift().map(|way| 1e3 * way);
        let fastest = self.state.body_qd.iter().map(|twist| twist.linear.length()).fold(0.0, f64::max);
        format!(
            "{contact_count} points, overlap {overlap:.4} mm, drift {drift:.4} mm ({sunk:.4} down), \
             {kinetic_energy:.3e} J, fastest {fastest:.2e} m/s, {lost} lost",
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
    Case { name, model: scene.finalize().expect("a sound scene"), sweeps, before, startup_passes: Some(0) }
}

/// Cubes of a metre in twenty loose layers that fall into a walled pit: the scene `pile` of the library.
fn pit(count: usize) -> Case {
    const PITCH: f64 = 1.5;
    let across = (count as f64 / 20.0).sqrt().ceil() as usize;
    let (mut scene, mut random) = (ModelBuilder::new(), Random::new(1));
    scene.ground();
    let inner = 0.5 * PITCH * across as f64;
    for side in [-1.0, 1.0] {
        let out = side * (inner + 0.5);
        let wall = |name: &str, at: DVec3, half: DVec3| BodyDef::fixed(format!("{name} {side}")).at(at).cuboid(half);
        scene.add_body(wall("x", DVec3::new(out, 0.0, 20.0), DVec3::new(0.5, inner + 1.0, 20.0)));
        scene.add_body(wall("y", DVec3::new(0.0, out, 20.0), DVec3::new(inner + 1.0, 0.5, 20.0)));
    }
    for i in 0..count {
        let (layer, rest) = (i / (across * across), i % (across * across));
        let middle = (across - 1) as f64 / 2.0;
        let (x, y) = ((rest % across) as f64 - middle, (rest / across) as f64 - middle);
        let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.signed()));
        let at = DVec3::new(PITCH * x, PITCH * y, 1.0 + PITCH * layer as f64) + 0.1 * vector();
        let turn = DQuat::from_scaled_axis(0.12 * vector());
        scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).rotated(turn).cuboid(DVec3::splat(0.5)));
    }
    let model = scene.finalize().expect("a sound scene");
    Case { name: format!("pit {count}"), model, sweeps: 4, before: 600, startup_passes: Some(0) }
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
    Case { name: format!("pyramid {}", model.body_count()), model, sweeps, before: 0, startup_passes: None }
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
    Case { name: format!("ring {}", model.body_count()), model, sweeps, before: 0, startup_passes: None }
}

/// What is asked for on the command line.
struct Wanted {
    device: DeviceChoice,
    small: bool,
    /// Names that a case must begin with one of; none: all cases.
    names: Vec<String>,
    /// Whether scenes run on the CPU too.
    cpu: bool,
    /// Steps to watch a scene for; none: it is timed.
    watch: Option<u32>,
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
            watch: after("--watch").map(|steps| steps.parse()).transpose().map_err(|_| "--watch wants a number")?,
        })
    }

    fn has(&self, name: &str) -> bool {
        match self.names.is_empty() {
            true => !self.small || ["pyramid 210", "pile 500", "ring 240"].contains(&name),
            false => self.names.iter().any(|wanted| name == wanted),
        }
    }
}

/// Takes steps, sixty at a time, and tells after each sixty how long they took and what the scene does.
fn watch(case: &Case, device: Option<DeviceChoice>, steps: u32) -> Result<(), String> {
    let start = Instant::now();
    let mut run = Run::new(case, device)?;
    run.steps(1, 1)?;
    let on = if device.is_some() { "device" } else { "CPU" };
    println!("{} at {} sweeps, {on} (first step {:.2} s)", case.name, case.sweeps, start.elapsed().as_secs_f64());
    for done in (60..=steps).step_by(60) {
        let each = run.steps(60, if device.is_some() { 60 } else { 1 })?;
        println!("  {done}: {each:.3} ms a step; {}", run.tell());
    }
    if let Some(phases) = run.solver.profile(&case.model, DT, 10) {
        let each: Vec<String> = phases.iter().map(|(name, s)| format!("{name} {:.3}", 1e2 * s)).collect();
        println!("  phases, each waited for [ms a step]: {}", each.join(", "));
    }
    Ok(())
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
    let parts: Vec<String> = run.report.time.iter().map(|(phase, s)| format!("{phase:?} {:.3}", 1e3 * s)).collect();
    println!("  parts of such a step [ms]: {}", parts.join(", "));
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
    let cases: [(&str, fn() -> Case); 17] = [
        ("pyramid 210", || pyramid(20, 5)),
        ("pile 500", || pile(500, 5, 30)),
        ("ring 240", || ring(24, 10, 5)),
        // As high as a pile of a hundred thousand.
        ("column 1600", || layers("column 1600".into(), 1_600, 6, 4, 60)),
        // As high as a pile of a million.
        ("column 3600", || layers("column 3600".into(), 3_600, 6, 4, 60)),
        ("pile 2000", || pile(2_000, 10, 120)),
        ("pile 8000", || pile(8_000, 10, 120)),
        ("ring 10000", || ring(500, 20, 5)),
        ("ring 110000", || ring(2_200, 50, 4)),
        ("ring 510000", || ring(5_100, 100, 3)),
        ("pile 100000", || pile(100_000, 4, 60)),
        ("pile 1000000", || pile(1_000_000, 4, 60)),
        ("pile 4000000", || pile(4_000_000, 4, 60)),
        ("pit 8000", || pit(8_000)),
        ("pit 100000", || pit(100_000)),
        ("pit 1000000", || pit(1_000_000)),
        ("pit 4000000", || pit(4_000_000)),
    ];
    for (_, case) in cases.iter().filter(|(name, _)| wanted.has(name)) {
        let case = case();
        let Some(steps) = wanted.watch else {
            measure(&case, &wanted)?;
            continue;
        };
        watch(&case, Some(wanted.device), steps)?;
        if wanted.cpu {
            watch(&case, None, steps)?;
        }
    }
    Ok(())
}
