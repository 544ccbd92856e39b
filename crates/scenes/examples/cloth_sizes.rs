//! Cloth and soft bodies of the sizes that Newton's `SolverVBD` was measured on, 60 frames of 1/60 s: processor time by frame and phase,
//! stretch and crossings at every frame.
//! `cargo run --release -p drystone-scenes --example cloth_sizes -- [threads=N] [frames=N] [OPTION=VALUE] hang=128 twist=128 drop=128 soft=20`.

use drystone::geometry::Pose;
use drystone::model::{
    BendMaterial, BodyDef, ClothGrid, DQuat, DVec3, ElementMaterial, Model, ModelBuilder, ParticleId, SoftGrid,
};
use drystone::{Simulation, SimulationBuilder};
use drystone_scenes::measure::crossings;

type Failure = Box<dyn std::error::Error>;

/// 0.2 kg/m², μ = λ = 10³ N/m.
fn sheet(pose: Pose, cells: [usize; 2], size: f64, radius: f64) -> ClothGrid {
    ClothGrid {
        pose,
        cells,
        size: [size; 2],
        density: 0.2,
        radius,
        membrane: ElementMaterial { mu: 1e3, lambda: 1e3, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-4, damping: 0.0 },
    }
}

/// A sheet of one metre held along an edge.
fn hang(cells: usize) -> Result<Model, Failure> {
    let mut scene = ModelBuilder::new();
    let side = cells - 1;
    let ids = scene.add_cloth_grid(&sheet(Pose::IDENTITY, [side; 2], 1.0 / side as f64, 0.0));
    ids[..cells].iter().for_each(|&id| scene.pin(id));
    Ok(scene.finalize()?)
}

/// A strip of 1 m × 0.5 m whose ends are turned against each other; see [`turn`].
fn twist(cells: usize) -> Result<(Model, Vec<ParticleId>), Failure> {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let columns = cells - 1;
    let size = 1.0 / columns as f64;
    let rows = cells / 2 - 1;
    let middle = -0.5 * rows as f64 * size;
    let pose = Pose::from_translation(DVec3::new(-0.5, middle, 0.0));
    let ids = scene.add_cloth_grid(&sheet(pose, [columns, rows], size, 0.25 * size));
    let led = (0..=rows).flat_map(|row| [ids[row * cells], ids[row * cells + columns]]).collect();
    Ok((scene.finalize()?, led))
}

/// A sheet of one metre dropped on a ball.
fn drop_on_ball(cells: usize) -> Result<Model, Failure> {
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::fixed("ball").at(DVec3::Z * 0.3).sphere(0.3));
    let side = cells - 1;
    let size = 1.0 / side as f64;
    let pose = Pose::from_translation(DVec3::new(-0.5, -0.5, 0.65));
    scene.add_cloth_grid(&sheet(pose, [side; 2], size, 0.4 * size));
    Ok(scene.finalize()?)
}

/// A cube of rubber of one metre dropped by 0.2 m.
fn soft(cells: usize) -> Result<Model, Failure> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::Z * 0.2),
        cells: [cells; 3],
        size: DVec3::splat(1.0 / cells as f64),
        density: 1000.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e5, 0.4, 0.0),
    });
    Ok(scene.finalize()?)
}

/// Milliseconds that all threads of this process have run: a busy machine spoils the clock.
fn milliseconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let ran = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok());
    ran.filter_map(|text| text.split_whitespace().next().and_then(|time| time.parse::<f64>().ok())).sum::<f64>() * 1e-6
}

/// What the ends of a strip turn by \[rad/s\], as in Newton's example.
const RATE: f64 = std::f64::consts::FRAC_PI_3;

/// Turns the ends of a strip against each other.
fn turn(simulation: &mut Simulation, led: &[ParticleId]) {
    let angle = RATE * (simulation.time() + simulation.dt());
    for id in led {
        let from = simulation.model().particle_q[id.built_index()];
        let turn = DQuat::from_rotation_x(angle * from.x.signum());
        simulation.control_mut().particle_target[id.built_index()] = Some(turn * from);
    }
}

fn run(
    name: &str,
    model: Model,
    led: &[ParticleId],
    frames: u32,
    settings: impl Fn(SimulationBuilder) -> SimulationBuilder,
) -> Result<(), Failure> {
    let particles = model.particle_count();
    let has_sheets = model.triangle_material.iter().any(|material| material[0] > 0.0);
    let mut simulation = settings(Simulation::builder(model)).build()?;
    let (mut times, mut stretch, mut crossed, mut last) = (Vec::new(), 0.0_f64, 0, 0.0);
    let wall = std::time::Instant::now();
    let mut looked = 0.0;
    for _ in 0..frames {
        turn(&mut simulation, led);
        let before = milliseconds();
        let report = simulation.step()?;
        times.push(milliseconds() - before);
        last = report.max_strain.unwrap_or(f64::NAN);
        stretch = stretch.max(last);
        if !report.frozen_particles.is_empty() {
            println!("{name}: not finite");
            return Ok(());
        }
        let look = std::time::Instant::now();
        if has_sheets && simulation.model().particle_radius[0] > 0.0 {
            crossed += u32::from(crossings(simulation.model(), simulation.state()) > 0.0);
        }
        looked += look.elapsed().as_secs_f64();
    }
    let wall = 1e3 * (wall.elapsed().as_secs_f64() - looked) / f64::from(frames);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let worst = times.iter().copied().fold(0.0, f64::max);
    println!(
        "{name}: {particles} particles, processor {mean:.1} ms a frame ({worst:.1} at most), clock {wall:.1} ms; stretch {:.2} % at most, {:.2} % at the end; frames with crossings {crossed}",
        100.0 * stretch,
        100.0 * last
    );
    let phases: Vec<String> = simulation
        .phase_total()
        .iter()
        .filter(|(_, seconds)| *seconds > 1e-4 * f64::from(frames))
        .map(|(phase, seconds)| format!("{phase:?} {:.1}", 1e3 * seconds / f64::from(frames)))
        .collect();
    println!("    {}", phases.join(", "));
    Ok(())
}

fn main() -> Result<(), Failure> {
    let (mut threads, mut frames, mut options) = (1, 60, Vec::new());
    for argument in std::env::args().skip(1) {
        let (key, value) = argument.split_once('=').ok_or("arguments are KEY=VALUE")?;
        if key.contains(".") || key == "substeps" || key == "iterations" {
            options.push((key.to_owned(), value.parse::<serde_json::Value>()?));
            continue;
        }
        let number: usize = value.parse()?;
        let (model, led) = match key {
            "threads" => {
                threads = number;
                continue;
            }
            "frames" => {
                frames = number as u32;
                continue;
            }
            "hang" => (hang(number)?, Vec::new()),
            "twist" => twist(number)?,
            "drop" => (drop_on_ball(number)?, Vec::new()),
            "soft" => (soft(number)?, Vec::new()),
            other => return Err(format!("no scene `{other}`").into()),
        };
        let settings = |builder: SimulationBuilder| {
            let builder = builder.dt(1.0 / 60.0).threads(threads);
            options.iter().fold(builder, |builder, (key, value)| builder.option(key, value.clone()))
        };
        run(&argument, model, &led, frames, settings)?;
    }
    Ok(())
}
