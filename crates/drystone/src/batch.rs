//! Many copies of one scene, each a simulation of its own, stepped together.

use std::sync::{Arc, Mutex};

use drystone_model::{Model, WorldId};
use drystone_solve::StepError;
use drystone_solve::solver::Scratch;
use rayon::prelude::*;

use crate::builder::{BuildError, SimulationBuilder};
use crate::choice::SolverChoice;
use crate::simulation::{Simulation, copy_state};
use crate::together::{self, COMPANY};

/// Copies of one scene for training and sampling: every world has its own state, controls, parameters, time, report, failures and
/// checkpoints, and moves bit for bit as a simulation of it alone would.
///
/// Worlds are shared out among the threads of the pool that calls; within a world, work is done by one of them. Under `vbd` four
/// worlds go side by side, one in each lane of wide registers.
///
/// ```
/// use drystone::prelude::*;
/// use drystone::Batch;
/// let mut scene = ModelBuilder::new();
/// let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
/// let model = scene.finalize()?;
/// let mut batch = Batch::new(&model, 100, &"vbd".into(), 0.01)?;
/// batch.world_mut(7).apply_impulse(ball, DVec3::X)?;
/// assert!(batch.step(None, 10).is_empty()); // no world failed
/// assert!(batch.world(7).pose(ball)?.translation.x > 0.0);
/// batch.reset(&[7])?;
/// assert_eq!((batch.world(7).time(), batch.world(6).state().step_count), (0.0, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Batch {
    worlds: Vec<Simulation>,
    /// What a world starts from.
    start: Arc<Model>,
    /// What every thread needs while it steps worlds.
    scratch: Vec<Mutex<Scratch>>,
}

/// A world whose step could not be taken. It stays as it was; the others have moved.
#[derive(Debug)]
pub struct WorldFailure {
    /// Which world.
    pub world: usize,
    /// Why.
    pub error: StepError,
}

impl Batch {
    /// So many copies of a model under a solver with time steps of `dt` \[s\].
    pub fn new(model: &Model, count: usize, solver: &SolverChoice, dt: f64) -> Result<Self, BuildError> {
        let start = Arc::new(model.clone());
        let make = |_| SimulationBuilder::new(start.clone()).solver(solver.clone()).dt(dt).build();
        let worlds = (0..count).into_par_iter().map(make).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { worlds, start, scratch: Vec::new() })
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.worlds.len()
    }

    /// Whether there is no world.
    pub fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// The model all worlds were made from.
    pub fn model(&self) -> &Model {
        &self.start
    }

    /// A world.
    ///
    /// # Panics
    /// If there is no such world, as slices do.
    pub fn world(&self, world: usize) -> &Simulation {
        &self.worlds[world]
    }

    /// A world, to be changed: its state, its controls, or by an edit its parameters.
    ///
    /// # Panics
    /// If there is no such world, as slices do.
    pub fn world_mut(&mut self, world: usize) -> &mut Simulation {
        &mut self.worlds[world]
    }

    /// Takes `count` steps in some worlds (rising, each once), or in all. A world whose step fails takes no further one and is
    /// told; the others go on.
    pub fn step(&mut self, worlds: Option<&[usize]>, count: u64) -> Vec<WorldFailure> {
        let threads = rayon::current_num_threads();
        self.scratch.resize_with(threads.max(self.scratch.len()), Mutex::default);
        let scratch = &self.scratch[..];
        let mut picked = match worlds {
            None => self.worlds.iter_mut().enumerate().collect(),
            Some(worlds) => pick(&mut self.worlds, worlds),
        };
        // No thread is left without work for the sake of company.
        let size = (picked.len() / threads).clamp(1, COMPANY);
        let mut failures: Vec<WorldFailure> =
            picked.par_chunks_mut(size).flat_map_iter(|company| step_company(company, count, scratch)).collect();
        failures.sort_unstable_by_key(|failure| failure.world);
        failures
    }

    /// Takes steps likewise, each by `step`: for what changes controls from step to step.
    pub fn step_by(
        &mut self,
        worlds: Option<&[usize]>,
        count: u64,
        step: impl Fn(usize, &mut Simulation) -> Result<(), StepError> + Sync,
    ) -> Vec<WorldFailure> {
        let mut failures: Vec<WorldFailure> = self
            .each(worlds, |world, sim| {
                (0..count).find_map(|_| step(world, sim).err()).map(|error| WorldFailure { world, error })
            })
            .into_iter()
            .flatten()
            .collect();
        failures.sort_unstable_by_key(|failure| failure.world);
        failures
    }

    /// Puts some worlds back to their start, time included. Parameters that were edited stay.
    pub fn reset(&mut self, worlds: &[usize]) -> Result<(), crate::RequestError> {
        self.each(Some(worlds), |_, sim| sim.restart()).into_iter().collect()
    }

    /// Does something in some worlds (rising, each once), or in all, on all threads; the answers are in the order of the worlds.
    ///
    /// # Panics
    /// If a world is named twice, out of order, or is not there.
    pub fn each<T: Send>(
        &mut self,
        worlds: Option<&[usize]>,
        work: impl Fn(usize, &mut Simulation) -> T + Sync,
    ) -> Vec<T> {
        match worlds {
            None => self.worlds.par_iter_mut().enumerate().map(|(world, sim)| work(world, sim)).collect(),
            Some(worlds) => {
                let picked = pick(&mut self.worlds, worlds);
                picked.into_par_iter().map(|(world, sim)| work(world, sim)).collect()
            }
        }
    }
}

/// Takes `count` steps in some worlds side by side; one that fails stays behind.
fn step_company(company: &mut [(usize, &mut Simulation)], count: u64, scratch: &[Mutex<Scratch>]) -> Vec<WorldFailure> {
    // A thread that waits within a step may be given another company: that one makes do with room of its own.
    let mut kept = rayon::current_thread_index().and_then(|thread| scratch.get(thread)?.try_lock().ok());
    let mut own = None;
    let scratch = kept.as_deref_mut().unwrap_or(&mut own);
    let mut failures: Vec<WorldFailure> = Vec::new();
    for _ in 0..count {
        let (mut numbers, mut sims) = (Vec::with_capacity(COMPANY), Vec::with_capacity(COMPANY));
        for (world, sim) in company.iter_mut().filter(|(world, _)| failures.iter().all(|done| done.world != *world)) {
            numbers.push(*world);
            sims.push(&mut **sim);
        }
        together::step(&mut sims, scratch, |place, error| failures.push(WorldFailure { world: numbers[place], error }));
    }
    failures
}

/// The items at rising indices, to be changed side by side.
fn pick<'a>(all: &'a mut [Simulation], worlds: &[usize]) -> Vec<(usize, &'a mut Simulation)> {
    let mut rest = all;
    let mut passed = 0;
    let mut picked = Vec::with_capacity(worlds.len());
    for &world in worlds {
        assert!(world >= passed, "worlds must be named in rising order, each once");
        let (_, from) = std::mem::take(&mut rest).split_at_mut(world - passed);
        let Some((sim, after)) = from.split_first_mut() else { panic!("there is no world {world}") };
        picked.push((world, sim));
        (rest, passed) = (after, world + 1);
    }
    picked
}

impl Simulation {
    /// Puts every world back to where the model has it, the time to zero, and forgets all history: what follows is what a fresh
    /// simulation would do. Options and edits stay.
    pub fn restart(&mut self) -> Result<(), crate::RequestError> {
        for world in 0..self.model.world_count() as u32 {
            self.reset_world(WorldId(world))?;
        }
        (self.state.time, self.state.step_count) = (0.0, 0);
        self.state.body_affine.clear();
        copy_state(&mut self.before, &self.state);
        self.pace.lag = 0.0;
        self.log.restore(Vec::new());
        self.sensors.restore(Vec::new());
        self.told.clear();
        self.forces = Default::default();
        self.report = Default::default();
        Ok(())
    }
}
