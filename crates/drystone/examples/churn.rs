//! Bodies that come and go in a running pile: `cargo run --release --example churn`.
//!
//! A pile of 2,000 loses and gets 50 bodies before every step, 10,000 in all, and ends with the same hash at 1, 2
//! and 4 threads, and when it is resumed from a checkpoint in the middle.

use std::time::Instant;

use drystone::prelude::*;
use drystone_random::Random;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What a run does.
#[derive(Clone, Copy)]
pub struct Churn {
    /// Bodies of the pile.
    pub bodies: usize,
    /// Bodies that go and come before every step.
    pub batch: usize,
    /// Steps.
    pub steps: usize,
}

#[allow(dead_code)]
fn main() -> Outcome<()> {
    let churn = Churn { bodies: 2000, batch: 50, steps: 200 };
    let mut hashes = Vec::new();
    for (threads, resumed) in [(1, false), (2, false), (4, false), (2, true)] {
        let (hash, share) = churn.run(threads, resumed)?;
        let how = if resumed { ", resumed in the middle" } else { "" };
        println!("{threads} threads{how}: {hash:016x}; an edit took {share:.2} of a step");
        hashes.push(hash);
    }
    if hashes.iter().any(|&hash| hash != hashes[0]) {
        return Err("the runs differ".into());
    }
    println!("{} bodies added and as many removed in each", churn.batch * churn.steps);
    Ok(())
}

impl Churn {
    /// Runs with so many threads, or in two simulations with a checkpoint between them. Returns the hash of the end, and the time
    /// of the edits over that of the steps.
    pub fn run(self, threads: usize, resumed: bool) -> Outcome<(u64, f64)> {
        let (model, first) = self.pile()?;
        let build =
            |model: &Model| Simulation::builder(model.clone()).threads(threads).option("sleeping", true).build();
        let mut sim = build(&model)?;
        let mut crowd = Crowd { alive: first, random: Random::new(1) };
        let mut spent = [0.0; 2];
        for step in 0..self.steps {
            if resumed && step == self.steps / 2 {
                let bytes = sim.checkpoint().to_bytes();
                sim = build(&model)?;
                sim.resume(&Checkpoint::from_bytes(&bytes)?)?;
            }
            let start = Instant::now();
            crowd.exchange(&mut sim, self.batch)?;
            let edited = Instant::now();
            sim.step()?;
            spent = [spent[0] + (edited - start).as_secs_f64(), spent[1] + edited.elapsed().as_secs_f64()];
            assert!(sim.report().quarantined.is_empty());
        }
        assert_eq!(sim.model().body_count(), self.bodies);
        Ok((sim.state_hash(), spent[0] / spent[1]))
    }

    /// Boxes and balls in layers within four walls.
    fn pile(self) -> Outcome<(Model, Vec<BodyId>)> {
        let mut scene = ModelBuilder::new();
        scene.ground();
        let half_width = 0.3 * (self.bodies as f64).cbrt();
        for normal in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y] {
            scene.add_shape(WORLD, ShapeDef::plane(-half_width * normal, normal));
        }
        let row = (2.0 * half_width / 0.5) as usize;
        let place = |index: usize| {
            let (x, y, z) = (index % row, index / row % row, index / (row * row));
            DVec3::new(x as f64, y as f64, z as f64) * 0.5 + DVec3::new(0.25 - half_width, 0.25 - half_width, 0.25)
        };
        let bodies = (0..self.bodies).map(|index| scene.add_body(body(index as u64).at(place(index)))).collect();
        Ok((scene.finalize()?, bodies))
    }
}

/// A box or a ball.
fn body(kind: u64) -> BodyDef {
    match kind % 3 {
        0 => BodyDef::dynamic("").sphere(0.2),
        _ => BodyDef::dynamic("").cuboid(DVec3::new(0.2, 0.2, 0.15)),
    }
}

/// Who is there, and the dice.
struct Crowd {
    alive: Vec<BodyId>,
    random: Random,
}

impl Crowd {
    /// Takes some out of the pile and drops as many onto it, in one edit.
    fn exchange(&mut self, sim: &mut Simulation, count: usize) -> Outcome<()> {
        let top = sim.state().body_q.iter().map(|pose| pose.translation.z).fold(0.0, f64::max).min(10.0);
        let row = (count as f64).sqrt().ceil() as usize;
        let added = sim.edit(|scene| {
            for _ in 0..count {
                let chosen = self.random.below(self.alive.len());
                scene.remove_body(self.alive.swap_remove(chosen))?;
            }
            let mut added = Vec::new();
            for index in 0..count {
                let (x, y) = ((index % row) as f64, (index / row) as f64);
                let place = DVec3::new(x, y, 0.0) * 0.5 - DVec3::new(1.0, 1.0, 0.0) * (0.25 * row as f64);
                let def = body(self.random.bits()).at(place + DVec3::Z * (top + 0.5)).velocity(DVec3::Z * -5.0);
                added.push(scene.add_body(def)?);
            }
            Ok(added)
        })?;
        self.alive.extend(added);
        Ok(())
    }
}
