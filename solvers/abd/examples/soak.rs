//! Many random scenes, every frame searched for intersections: `cargo run --release -p drystone-abd --example soak --
//! [SCENES] [STEPS] [FIRST]`, 200 of each from scene 0 on by default. Exit code 1 if a frame intersects, a step fails or a number is not finite.

#[path = "../tests/abd/random.rs"]
mod random;

use drystone_abd::{Abd, AbdOptions};
use drystone_collide::{Collide, CollideOptions};
use drystone_model::{DMat3, DVec3, State};
use drystone_solve::{Ending, Solver};

/// Scenes with a body further from rigid than this are listed.
const WORTH_A_LINE: f64 = 1e-3;

/// What happened in the steps of a scene.
#[derive(Debug, Default)]
struct Tally {
    steps: usize,
    iterations: u64,
    slow: usize,
    stuck: usize,
    bad: usize,
    /// Largest ‖A Aᵀ − 1‖, and where it was.
    distortion: f64,
    most_distorted: String,
}

/// How far every body is from rigid, ‖A Aᵀ − 1‖.
fn distortions(state: &State) -> impl Iterator<Item = f64> {
    state.body_affine.iter().map(|rows| {
        let row = |r: usize| DVec3::new(rows[4 * r], rows[4 * r + 1], rows[4 * r + 2]);
        let transposed = DMat3::from_cols(row(0), row(1), row(2));
        let off = transposed.transpose() * transposed - DMat3::IDENTITY;
        (0..3).map(|k| off.col(k).length_squared()).sum::<f64>().sqrt()
    })
}

fn soak(seed: u64, steps: usize, tally: &mut Tally) -> Result<(), Box<dyn std::error::Error>> {
    let model = random::random_scene(seed).finalize()?;
    let mut solver = Abd::new(&model, AbdOptions { segments: 8, ..AbdOptions::default() })?;
    let mut collide = Collide::new(&model, CollideOptions::default());
    let (mut state, control) = (model.state(), model.control());
    let (mut most, mut place) = (0.0, String::new());
    for step in 0..steps {
        let report = solver.step(&model, &mut state, &control, &mut collide, 0.01)?;
        tally.steps += 1;
        tally.iterations += u64::from(report.iterations);
        tally.slow += usize::from(report.ending == Ending::Slow);
        tally.stuck += usize::from(report.ending == Ending::Stuck);
        let worst = distortions(&state).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((body, distortion)) = worst.filter(|(_, distortion)| *distortion > most) {
            most = distortion;
            let (mass, speed) = (model.body_mass[body], state.body_qd[body].linear.length());
            place = format!(
                "scene {seed}, step {step} ({:?}, {} iterations), {} of {mass:.3} kg at {speed:.2} m/s",
                report.ending, report.iterations, model.body_name[body]
            );
        }
        if let Some(found) = solver.intersections(&model, &state) {
            println!("seed {seed}, step {step}: {found}");
            tally.bad += 1;
        }
        if !report.kinetic_energy.is_finite() {
            println!("seed {seed}, step {step}: not finite");
            tally.bad += 1;
        }
    }
    if most > WORTH_A_LINE {
        println!("‖AAᵀ−1‖ {most:.1e}: {place}");
    }
    if most > tally.distortion {
        (tally.distortion, tally.most_distorted) = (most, place);
    }
    Ok(())
}

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (scenes, steps, first) = (args.next().unwrap_or(200), args.next().unwrap_or(200), args.next().unwrap_or(0));
    let mut tally = Tally::default();
    for seed in (first..first + scenes).map(|seed| seed as u64) {
        if let Err(error) = soak(seed, steps, &mut tally) {
            println!("seed {seed}: {error}");
            tally.bad += 1;
        }
    }
    println!("{scenes} scenes: {tally:?}");
    if tally.bad > 0 {
        std::process::exit(1);
    }
}
