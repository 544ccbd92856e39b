//! Running a scene as the command does.

use drystone::{Simulation, SimulationBuilder};
use drystone_scenes::{Measures, Run, Scene, Verdict, make};

use crate::puppet::Puppet;

/// A scene of the library with some parameters set.
///
/// # Panics
/// If there is no such scene or parameter: a mistake in the test.
pub fn scene(name: &str, settings: &[&str]) -> Scene {
    make(name, settings).unwrap_or_else(|error| panic!("{error}"))
}

/// A simulation of a scene under a solver, at the scene's own time step.
pub fn simulation(scene: &Scene, solver: &str) -> SimulationBuilder {
    Simulation::builder(scene.model.clone()).solver(solver).dt(scene.settings.dt)
}

/// Runs a scene to its end, judges its claim and gives what it measured.
///
/// # Panics
/// If the simulation cannot be built or a step fails.
pub fn judge(scene: &Scene, solver: &str) -> (Verdict, Measures) {
    judge_run(scene, simulation(scene, solver))
}

/// The verdict on a run in which nobody did any physics.
///
/// # Panics
/// If the simulation cannot be built.
pub fn judge_puppet(scene: &Scene, puppet: Puppet) -> Verdict {
    judge_run(scene, Simulation::builder(scene.model.clone()).dt(scene.settings.dt).with_solver(puppet.solver())).0
}

fn judge_run(scene: &Scene, builder: SimulationBuilder) -> (Verdict, Measures) {
    let mut sim = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let probe = scene.check.probe.as_ref();
    let mut measures = Measures::new(&scene.model, probe);
    sim.run(scene.settings.steps(), |sim| measures.observe(sim.model(), sim.state(), sim.report(), probe))
        .unwrap_or_else(|error| panic!("{error}"));
    let run = Run { model: sim.model(), state: sim.state(), measures: &measures, dt: sim.dt() };
    let verdict = scene.check.judge(&run);
    (verdict, measures)
}

/// The state hash after `steps` steps on `threads` threads.
///
/// # Panics
/// If the simulation cannot be built or a step fails.
pub fn hash_after(scene: &Scene, solver: &str, threads: usize, steps: u64) -> u64 {
    let mut sim = simulation(scene, solver).threads(threads).build().unwrap_or_else(|error| panic!("{error}"));
    sim.run(steps, |_| ()).unwrap_or_else(|error| panic!("{error}"));
    sim.state_hash()
}
