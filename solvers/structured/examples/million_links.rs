//! Time and memory per step of one long chain, h = 10 ms, by the processor on one thread, by the clock on several:
//! `cargo run --release -p drystone-structured --example million_links [links] [steps] [threads] [angles]`.

use std::time::Instant;

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, BodyId, DMat3, DQuat, DVec3, JointDef, MassProperties, ModelBuilder};
use drystone_solve::Solver;
use drystone_structured::{Structured, StructuredOptions};

/// Resident memory of this process \[bytes\], where the system tells.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split_whitespace().nth(1).and_then(|pages| pages.parse::<f64>().ok()).unwrap_or(f64::NAN) * 4096.0
}

/// Argument of the command line at a place.
fn argument(index: usize, default: usize) -> usize {
    std::env::args().nth(index).and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Seconds this thread has run, where the system tells (a busy machine spoils the clock), else the clock.
fn seconds(since: Instant) -> f64 {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = ran.split_whitespace().next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |time| time * 1e-9)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Within the pool, so that its only thread does everything and is the one whose time is counted.
    let threads = argument(3, 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| run(threads > 1).map_err(|error| error.to_string()))?;
    Ok(())
}

fn run(by_the_clock: bool) -> Result<(), Box<dyn std::error::Error>> {
    let seconds = |epoch: Instant| if by_the_clock { epoch.elapsed().as_secs_f64() } else { seconds(epoch) };
    let (links, steps) = (argument(1, 1_076_748), argument(2, 20));
    let mut scene = ModelBuilder::new();
    let mut last: Option<BodyId> = None;
    let inertia = DMat3::from_diagonal(DVec3::new(0.002, 0.012, 0.012));
    let pitch = 0.2 / 2f64.sqrt();
    let corner = |i: usize| DVec3::new(pitch * i as f64, 0.0, if i.is_multiple_of(2) { 0.0 } else { pitch });
    for i in 0..links {
        // A folded line with a wave running across it, so that every link pulls on its neighbours. (A straight
        // chain of this length has tensions under the slightest bend that no step of 10 ms resolves.)
        let (from, to) = (corner(i), corner(i + 1));
        let wave = DVec3::new(0.0, (0.05 * i as f64).sin(), (0.031 * i as f64).cos());
        let mass = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia };
        let turn = DQuat::from_rotation_arc(DVec3::X, (to - from).normalize());
        let def = BodyDef::dynamic(format!("{i}")).at(0.5 * (from + to)).rotated(turn).mass_properties(mass);
        let link = scene.add_body(def.velocity(wave));
        if let Some(last) = last {
            scene.add_joint(JointDef::ball(last, link, from));
        }
        last = Some(link);
    }
    let model = scene.finalize()?;
    drop(scene);
    let (mut state, control) = (model.state(), model.control());
    let mut collide = Collide::new(&model, CollideOptions::default());
    let before = resident();
    let options =
        StructuredOptions { tolerance: 1.0e-6, ball_angles: argument(4, 0) > 0, ..StructuredOptions::default() };
    let mut solver = Structured::new(&model, options)?;
    let own = (resident() - before) / links as f64;
    let epoch = Instant::now();
    let mut times = Vec::new();
    let (mut gap, mut solves): (f64, u32) = (0.0, 0);
    for _ in 0..steps {
        let start = seconds(epoch);
        let report = solver.step(&model, &mut state, &control, &mut collide, 0.01)?;
        times.push((seconds(epoch) - start) * 1e3);
        gap = gap.max(report.max_joint_error.unwrap_or(f64::NAN));
        solves += report.iterations;
        if times.len() == steps {
            println!("phases of the last step [s]: {:?}", report.time);
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{links} links: {:.2} ms per step at best, {:.2} ms median, {:.2} corrections per step, gap {gap:.1e} m, \
         solver {own:.0} bytes per link",
        times[0],
        times[times.len() / 2],
        f64::from(solves) / steps as f64
    );
    Ok(())
}
