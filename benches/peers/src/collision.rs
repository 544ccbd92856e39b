//! Collision detection alone: Drystone's pipeline against Rapier's, on the same poses, in one run, one thread each.
//!
//! Two comparisons. *In the step*: Rapier simulates the pile; before every step Drystone looks for the contacts at
//! the very poses and velocities Rapier starts from, and Rapier's own counters say what its broad and narrow phase
//! took. Rapier keeps contacts of pairs that hardly moved (recycling), so this is Rapier at its best. *On replayed
//! poses*: a falling and a settled frame, every body swinging about its place, given to both pipelines; Rapier's
//! collision pipeline does not recycle, so both do all of the work.

use drystone::collide::{Collide, CollideOptions};
use drystone::model::{BodyKind, DQuat, DVec3, Model, State};
use drystone_scenes::make;

use crate::clock::{Lap, Stopwatch, median, quantile};
use crate::engine::{Engine, Fault};
use crate::rapier::Rapier;

const DT: f64 = 1.0 / 60.0;
/// A frame in which the lower layers have landed and the upper ones fall \[steps\].
const FALLING: usize = 60;
/// How far bodies swing about their places in replayed frames \[m, rad\].
const SHAKE: f64 = 1e-3;

/// Runs both comparisons on a pile of `count` boxes and prints them.
pub fn collision(count: usize, steps: usize, frames: usize, repeats: usize) -> Result<(), Fault> {
    let scene = make("pile", &[format!("count={count}")])?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let (mut least, kept) = in_the_step(&scene.model, steps)?;
        for _ in 1..repeats {
            let (again, _) = in_the_step(&scene.model, steps)?;
            least.iter_mut().zip(again).for_each(|(least, frame)| least.take_less(&frame));
        }
        print_windows(&scene.model, &least);
        for (name, state) in ["falling", "settled"].iter().zip(&kept) {
            replayed(&scene.model, name, state, frames)?;
        }
        Ok(())
    })
}

/// One frame's times \[ms\]: bounds, pairs, contacts, matching, all of Drystone; broad, narrow, all of Rapier.
struct Frame([f64; 8]);

impl Frame {
    /// Rapier repeats its run to the bit, so the least time of a frame over several runs is that frame's.
    fn take_less(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, other)| *mine = mine.min(other));
    }
}

/// Simulates in Rapier with Drystone looking on; returns the times, a falling and the last state.
fn in_the_step(model: &Model, steps: usize) -> Result<(Vec<Frame>, Vec<State>), Fault> {
    let mut rapier = Rapier::new(model, DT)?;
    rapier.world.physics_pipeline.counters.enable();
    let mut collide = Collide::new(model, CollideOptions::default());
    let (mut state, mut kept, mut frames) = (model.state(), Vec::new(), Vec::new());
    for step in 0..steps {
        rapier.read(&mut state)?;
        collide.detect(model, &state, DT);
        rapier.step()?;
        let time = collide.timing;
        let [bounds, pairs, contacts, matching] =
            [time.bounds, time.pairs, time.contacts, time.matching].map(|seconds| seconds * 1e3);
        let counters = &rapier.world.physics_pipeline.counters.cd;
        let broad = counters.broad_phase_time.time_ms() + counters.final_broad_phase_time.time_ms();
        let narrow = counters.narrow_phase_time.time_ms();
        let all = bounds + pairs + contacts + matching;
        frames.push(Frame([bounds, pairs, contacts, matching, all, broad, narrow, broad + narrow]));
        if step == FALLING.min(steps - 1) || step + 1 == steps {
            kept.push(state.clone());
        }
    }
    Ok((frames, kept))
}

/// Prints the lower quartile of windows in which the work hardly changes: what comes on top is the machine's doing.
fn print_windows(model: &Model, frames: &[Frame]) {
    println!("\n**In the step** ({} boxes, wall clock, ms; lower quartiles)\n", model.body_count());
    println!("| steps | bounds | pairs | contacts | match | Drystone | Rapier broad | narrow | Rapier | ratio |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let end = frames.len();
    for (name, window) in [("falling", FALLING.min(end / 2)..end.min(FALLING + 40)), ("settled", end - end / 4..end)] {
        let column = |column: usize| frames[window.clone()].iter().map(|frame| frame.0[column]).collect();
        let times: Vec<f64> = (0..8).map(|index| quantile(column(index), 0.25)).collect();
        let cells: Vec<String> = times.iter().map(|time| format!("{time:.2}")).collect();
        println!("| {name} | {} | {:.2} |", cells.join(" | "), times[4] / times[7]);
    }
}

fn replayed(model: &Model, name: &str, still: &State, frames: usize) -> Result<(), Fault> {
    const WARM_UP: usize = 3;
    let mut rapier = Rapier::new(model, DT)?;
    let mut collide = Collide::new(model, CollideOptions::default());
    let mut times: Vec<(Lap, Lap)> = Vec::new();
    for frame in 0..frames + WARM_UP {
        let state = shaken(model, still, frame);
        let watch = Stopwatch::start();
        collide.detect(model, &state, DT);
        let ours = watch.lap();
        rapier.place(&state);
        let watch = Stopwatch::start();
        rapier.world.detect_collisions(&(), &());
        times.push((ours, watch.lap()));
    }
    let times = &times[WARM_UP..];
    let ours = median(times.iter().map(|(ours, _)| ours.cpu).collect());
    let theirs = median(times.iter().map(|(_, theirs)| theirs.cpu).collect());
    let least = times.iter().fold((Lap::NEVER, Lap::NEVER), |least, lap| (least.0.min(lap.0), least.1.min(lap.1)));
    println!("\n**Replayed, {name}**: processor time, median (least), ms; velocities as simulated");
    println!(
        "Drystone {ours:.2} ({:.2}), Rapier {theirs:.2} ({:.2}), ratio {:.2} ({:.2}); {} pairs, {} manifolds, {} points; Rapier {} pairs",
        least.0.cpu,
        least.1.cpu,
        ours / theirs,
        least.0.cpu / least.1.cpu,
        collide.pairs().len(),
        collide.contacts.manifold_count(),
        collide.contacts.point_count(),
        rapier.world.narrow_phase.contact_pairs().count(),
    );
    Ok(())
}

/// Every body swings about its place in its own rhythm.
fn shaken(model: &Model, still: &State, frame: usize) -> State {
    let mut state = still.clone();
    for (body, pose) in state.body_q.iter_mut().enumerate() {
        if model.body_kind[body] == BodyKind::Dynamic {
            let phase = |k: usize| (0.7 * frame as f64 + (body * 7 + k) as f64).sin() * SHAKE;
            pose.translation += DVec3::new(phase(0), phase(1), phase(2));
            pose.rotation = DQuat::from_scaled_axis(DVec3::new(phase(3), phase(4), phase(5))) * pose.rotation;
        }
    }
    state
}
