//! Steps of several simulations at once, for solvers that do them with less work than one after the other.

use drystone_solve::StepError;
use drystone_solve::parallel::alone;
use drystone_solve::solver::{Moving, Scratch, SideBySide};

use crate::simulation::Simulation;

/// Most simulations that are stepped at once.
pub(crate) const COMPANY: usize = 4;

/// Takes a step in each of up to [`COMPANY`] simulations, bit for bit as [`Simulation::step`] does, and tells of those that fail.
pub(crate) fn step(sims: &mut [&mut Simulation], scratch: &mut Scratch, mut failed: impl FnMut(usize, StepError)) {
    let Some(together) = way(sims) else {
        for (place, sim) in sims.iter_mut().enumerate() {
            sim.step().err().into_iter().for_each(|error| failed(place, error));
        }
        return;
    };
    let shared = sims.iter().any(|sim| sim.shares_work());
    let mut step = |all: &mut [Moving]| match shared {
        true => together(all, scratch),
        false => alone(|| together(all, scratch)),
    };
    let mut quarantined = [const { Vec::new() }; COMPANY];
    let mut results = [const { None }; COMPANY];
    for (sim, quarantined) in sims.iter_mut().zip(&mut quarantined) {
        *quarantined = sim.begin_step();
    }
    let mut all = sims.iter_mut().zip(&mut results).map(|(sim, result)| sim.moving(result));
    match [all.next(), all.next(), all.next(), all.next()] {
        [Some(a), Some(b), Some(c), Some(d)] => step(&mut [a, b, c, d]),
        [Some(a), Some(b), Some(c), None] => step(&mut [a, b, c]),
        [Some(a), Some(b), ..] => step(&mut [a, b]),
        [Some(a), ..] => step(&mut [a]),
        [None, ..] => {}
    }
    drop(all);
    for (place, ((sim, result), quarantined)) in sims.iter_mut().zip(results).zip(quarantined).enumerate() {
        if let Some(result) = result {
            sim.end_step(result, quarantined).err().into_iter().for_each(|error| failed(place, error));
        }
    }
}

/// How these are stepped at once, if they are: several, with no threads of their own.
fn way(sims: &[&mut Simulation]) -> Option<SideBySide> {
    if !(2..=COMPANY).contains(&sims.len()) || sims.iter().any(|sim| sim.pool.is_some()) {
        return None;
    }
    sims.first()?.solver.side_by_side()
}

impl Simulation {
    fn moving<'a>(&'a mut self, result: &'a mut Option<Result<drystone_solve::Report, StepError>>) -> Moving<'a> {
        let Self { model, state, control, collide, solver, dt, .. } = self;
        Moving { solver: solver.as_mut(), model, state, control, collide, dt: *dt, result }
    }
}
