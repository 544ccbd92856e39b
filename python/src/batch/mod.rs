//! Many worlds of one robot.

mod arrays;
mod choose;
mod fill;
mod parameters;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use drystone::{Checkpoint, Simulation as Engine, WorldFailure};
use drystone_io::import::Imported;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::FIELDS;
use crate::convert::{self, values};
use crate::driven::Driven;
use crate::error::{OrRaise, StepError};
use crate::model::Model;
use crate::pool::Threads;
use crate::robot::Robot;
use crate::shared::Shared;
use crate::simulation::Simulation;
use crate::state::State;
use choose::Chosen;
use fill::{EXTRA, Extra, Shown, What};

/// Many worlds of one model, each a simulation of its own: state, controls, parameters, time, failures and checkpoints are per
/// world, and every world moves bit for bit as a simulation of it alone would, whatever the number of threads.
///
/// Arrays have the world first: `body_q` is (worlds, bodies, 7). They are made when first asked for and filled in place; those of
/// controls are writable and read at the start of a step. A batch of a robot also has its file's own coordinates (`qpos`,
/// `qvel`) and controls (`ctrl`).
#[pyclass(frozen, module = "drystone")]
pub struct Batch {
    inner: Shared<Inner>,
    threads: Threads,
    robot: Option<Arc<Imported>>,
    count: usize,
}

/// What is simulated.
struct Worlds {
    batch: drystone::Batch,
    /// One per world of a robot whose actuators have a state of their own, or none.
    driven: Vec<Mutex<Driven>>,
}

/// What nobody else has open.
fn opened(driven: &Mutex<Driven>) -> MutexGuard<'_, Driven> {
    driven.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Worlds {
    /// Takes steps, with activations where there are some.
    fn step(&mut self, chosen: Option<&[usize]>, count: u64) -> Vec<WorldFailure> {
        let Self { batch, driven } = self;
        match &driven[..] {
            [] => batch.step(chosen, count),
            driven => batch.step_by(chosen, count, |world, sim| opened(&driven[world]).step(sim)),
        }
    }
}

struct Inner {
    worlds: Worlds,
    arrays: [Option<Shown>; FIELDS + EXTRA],
    failures: Vec<(usize, String)>,
}

impl Batch {
    /// Changes some worlds on all threads; of several refusals the first is raised, and the others are done.
    fn change(
        &self,
        py: Python<'_>,
        chosen: &Chosen,
        change: impl Fn(usize, &mut Engine) -> PyResult<()> + Send + Sync,
    ) -> PyResult<()> {
        self.with_activations(py, chosen, |world, sim, _| change(world, sim))
    }

    /// Changes some worlds likewise, with the activations of those that have some.
    fn with_activations(
        &self,
        py: Python<'_>,
        chosen: &Chosen,
        change: impl Fn(usize, &mut Engine, Option<&mut Driven>) -> PyResult<()> + Send + Sync,
    ) -> PyResult<()> {
        let mut inner = self.inner.lock(py)?;
        let inner = &mut *inner;
        let workers = self.threads.pool(py, usize::MAX)?;
        self.take(py, inner, chosen, &workers)?;
        let Worlds { batch, driven } = &mut inner.worlds;
        let driven = &driven[..];
        let changed = |world: usize, sim: &mut Engine| {
            let mut own = driven.get(world).map(opened);
            change(world, sim, own.as_deref_mut())
        };
        let done = py.detach(|| workers.run(|| batch.each(chosen.as_deref(), changed)));
        self.fill(py, inner, chosen, true, &workers)?;
        done.into_iter().collect()
    }
}

#[pymethods]
impl Batch {
    /// `count` worlds of a model or a robot under a solver with time steps of `dt` [s]; options of the solver are keywords.
    #[new]
    #[pyo3(signature = (model, count, solver="vbd", *, dt=None, threads=None, **options))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, PyAny>,
        count: usize,
        solver: &str,
        dt: Option<f64>,
        threads: Option<usize>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let robot = model.cast::<Robot>().ok().map(|robot| robot.get().robot.clone());
        let model = match &robot {
            Some(robot) => Arc::new(robot.model.clone()),
            None => model.cast::<Model>()?.get().0.clone(),
        };
        let own = robot.as_ref().and_then(|robot| robot.dt);
        let dt = dt.or(own).unwrap_or(drystone::DEFAULT_DT);
        let mut choice = drystone::SolverChoice::from(solver);
        for (key, value) in convert::options(options)? {
            choice.set(&key, value);
        }
        let threads = Threads::checked(threads)?;
        let workers = threads.pool(py, usize::MAX)?;
        let batch = py.detach(|| workers.run(|| drystone::Batch::new(&model, count, &choice, dt))).or_raise()?;
        let driven =
            robot.iter().flat_map(|robot| (0..count).filter_map(|_| Driven::of(robot))).map(Mutex::new).collect();
        let inner = Inner { worlds: Worlds { batch, driven }, arrays: Default::default(), failures: Vec::new() };
        Ok(Self { inner: Shared::new(inner), threads, robot, count })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The model all worlds were made from.
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        Ok(Model::new(self.inner.lock(py)?.worlds.batch.model().clone()))
    }

    /// Takes `count` steps in some worlds (numbers or a mask), or in all. A world whose step fails stays as it was before that
    /// step and takes no further one; the others go on, and then a `StepError` names those that failed (`failures` keeps them).
    /// Ctrl-C is heeded after the call.
    #[pyo3(signature = (worlds=None, *, count=1))]
    fn step(&self, py: Python<'_>, worlds: Option<&Bound<'_, PyAny>>, count: u64) -> PyResult<()> {
        let chosen = self.chosen(worlds)?;
        let mut inner = self.inner.lock(py)?;
        let inner = &mut *inner;
        let workers = self.threads.pool(py, usize::MAX)?;
        self.take(py, inner, &chosen, &workers)?;
        let worlds = &mut inner.worlds;
        let failed = py.detach(|| workers.run(|| worlds.step(chosen.as_deref(), count)));
        inner.failures = failed.iter().map(|failure| (failure.world, failure.error.to_string())).collect();
        self.fill(py, inner, &chosen, false, &workers)?;
        match inner.failures.as_slice() {
            [] => py.check_signals(),
            [(world, first), rest @ ..] => {
                let others =
                    if rest.is_empty() { String::new() } else { format!(" (and {} others failed)", rest.len()) };
                Err(StepError::new_err(format!("world {world}: {first}{others}")))
            }
        }
    }

    /// Worlds that failed in the last step, and why.
    #[getter]
    fn failures(&self, py: Python<'_>) -> PyResult<Vec<(usize, String)>> {
        Ok(self.inner.lock(py)?.failures.clone())
    }

    /// Puts some worlds (numbers or a mask), or all, back to their start, time included; parameters that were set stay. With
    /// `qpos` and `qvel`, one row per world named, worlds of a robot start from these coordinates of its file.
    #[pyo3(signature = (worlds=None, *, qpos=None, qvel=None))]
    fn reset(
        &self,
        py: Python<'_>,
        worlds: Option<&Bound<'_, PyAny>>,
        qpos: Option<&Bound<'_, PyAny>>,
        qvel: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let chosen = self.chosen(worlds)?;
        let placed = match (&self.robot, qpos) {
            (Some(robot), Some(qpos)) => {
                let ([q, v], rows) = (robot.widths(), self.rows_of(&chosen));
                let positions = values(qpos, "qpos", &[rows, q])?;
                let velocities =
                    qvel.map_or_else(|| Ok(vec![0.0; rows * v]), |qvel| values(qvel, "qvel", &[rows, v]))?;
                Some((robot, positions, velocities, [q, v]))
            }
            (None, Some(_)) => {
                self.shape(&self.inner.lock(py)?.worlds.batch, What::Robot(Extra::Qpos))?;
                None
            }
            (_, None) if qvel.is_some() => return Err(PyValueError::new_err("qvel needs qpos beside it")),
            (_, None) => None,
        };
        let listed: Chosen = chosen.clone();
        self.with_activations(py, &chosen, |world, sim, driven| {
            sim.restart().or_raise()?;
            driven.into_iter().for_each(Driven::reset);
            if let Some((robot, positions, velocities, [q, v])) = &placed {
                let row = Self::row_of(&listed, world);
                let (at, moving) = (&positions[row * q..(row + 1) * q], &velocities[row * v..(row + 1) * v]);
                let state = robot.state_at(at, moving).or_raise()?;
                *sim.state_mut() = state;
            }
            Ok(())
        })
    }

    /// A copy of the state of a world.
    fn state(&self, py: Python<'_>, world: i64) -> PyResult<State> {
        let world = self.world_index(world)?;
        Ok(State::new(self.inner.lock(py)?.worlds.batch.world(world).state().clone()))
    }

    /// A number per world that is the same if, up to chance, every bit of its state is.
    fn state_hashes(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let inner = self.inner.lock(py)?;
        Ok((0..self.count).map(|world| inner.worlds.batch.world(world).state_hash()).collect())
    }

    /// Everything a world needs to go on bit for bit.
    fn checkpoint<'py>(&self, py: Python<'py>, world: i64) -> PyResult<Bound<'py, PyBytes>> {
        let world = self.world_index(world)?;
        let mut inner = self.inner.lock(py)?;
        self.take(py, &mut inner, &Some(vec![world]), &self.threads.pool(py, 1)?)?;
        let mut checkpoint = inner.worlds.batch.world(world).checkpoint();
        checkpoint.extra = inner.worlds.driven.get(world).map(|driven| opened(driven).to_bytes()).unwrap_or_default();
        Ok(PyBytes::new(py, &checkpoint.to_bytes()))
    }

    /// Lets a world go on from a checkpoint of any world of this batch.
    fn resume(&self, py: Python<'_>, world: i64, checkpoint: &[u8]) -> PyResult<()> {
        let (world, checkpoint) = (self.world_index(world)?, Checkpoint::from_bytes(checkpoint).or_raise()?);
        self.with_activations(py, &Some(vec![world]), |_, sim, driven| {
            let resumed =
                driven.as_deref().cloned().map(|mut driven| driven.resume(&checkpoint.extra).map(|()| driven));
            let resumed = resumed.transpose()?;
            sim.resume(&checkpoint).or_raise()?;
            driven.into_iter().zip(resumed).for_each(|(driven, resumed)| *driven = resumed);
            Ok(())
        })
    }

    /// A simulation of its own that goes on from where a world is.
    fn simulation(&self, py: Python<'_>, world: i64) -> PyResult<Simulation> {
        let world = self.world_index(world)?;
        let mut inner = self.inner.lock(py)?;
        self.take(py, &mut inner, &Some(vec![world]), &self.threads.pool(py, 1)?)?;
        let from = inner.worlds.batch.world(world);
        let options = from.options().or_raise()?.clone();
        let mut sim = Simulation::build(inner.worlds.batch.model().clone(), from.solver().name(), from.dt(), options)?;
        sim.resume(&from.checkpoint()).or_raise()?;
        let driven = inner.worlds.driven.get(world).map(|driven| opened(driven).clone());
        Ok(Simulation::from_parts(sim, self.threads, Default::default(), driven))
    }

    fn __repr__(&self) -> String {
        format!("<Batch: {} worlds>", self.count)
    }
}
