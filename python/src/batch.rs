//! Many worlds of one robot.

use std::sync::Arc;

use drystone::model::WorldId;
use drystone::{Checkpoint, Simulation as Engine};
use drystone_io::import::Imported;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::prelude::*;

use crate::arrays::{FIELDS, Field, read_only};
use crate::convert::{self, values};
use crate::error::{OrRaise, StepError};
use crate::model::Model;
use crate::pool::{Threads, Workers};
use crate::robot::Robot;
use crate::shared::Shared;
use crate::simulation::Simulation;
use crate::state::State;

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

struct Inner {
    batch: drystone::Batch,
    arrays: [Option<Shown>; FIELDS + EXTRA],
    failures: Vec<(usize, String)>,
}

/// Arrays of a robot beside those of the model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extra {
    Qpos,
    Qvel,
    Ctrl,
}

const EXTRA: usize = 3;

/// What an array shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Field(Field),
    Robot(Extra),
}

impl What {
    fn slot(self) -> usize {
        match self {
            Self::Field(field) => field as usize,
            Self::Robot(extra) => FIELDS + extra as usize,
        }
    }

    fn is_control(self) -> bool {
        match self {
            Self::Field(field) => field.is_control(),
            Self::Robot(extra) => extra == Extra::Ctrl,
        }
    }
}

/// An array and what of it the user sees.
struct Shown {
    base: Py<PyArray3<f64>>,
    shown: Py<PyAny>,
}

/// Which worlds, rising, or all.
type Chosen = Option<Vec<usize>>;

impl Batch {
    fn chosen(&self, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<Chosen> {
        let Some(worlds) = worlds else { return Ok(None) };
        let mut chosen = Vec::new();
        if let Ok(mask) = worlds.extract::<PyReadonlyArrayDyn<'_, bool>>() {
            if mask.shape() != [self.count] {
                let (given, count) = (mask.shape().to_vec(), self.count);
                return Err(PyValueError::new_err(format!("a mask of worlds has shape [{count}], got {given:?}")));
            }
            chosen.extend(mask.as_array().iter().enumerate().filter(|(_, on)| **on).map(|(world, _)| world));
            return Ok(Some(chosen));
        }
        for world in worlds.try_iter()? {
            chosen.push(self.world_index(world?.extract()?)?);
        }
        chosen.sort_unstable();
        if let Some(twice) = chosen.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PyValueError::new_err(format!("world {} is named twice", twice[0])));
        }
        Ok(Some(chosen))
    }

    fn world_index(&self, world: i64) -> PyResult<usize> {
        let index = usize::try_from(world).ok().filter(|world| *world < self.count);
        index.ok_or_else(|| PyIndexError::new_err(format!("there is no world {world}; there are {}", self.count)))
    }

    fn array(&self, py: Python<'_>, what: What) -> PyResult<Py<PyAny>> {
        let mut inner = self.inner.lock(py)?;
        if let Some(known) = &inner.arrays[what.slot()] {
            return Ok(known.shown.clone_ref(py));
        }
        let shape = self.shape(&inner.batch, what)?;
        let base = PyArray3::<f64>::zeros(py, [self.count, shape[0], shape[1]], false);
        if what != What::Robot(Extra::Ctrl) {
            let size = shape[0] * shape[1];
            let mut rows = base.try_readwrite()?;
            let out = rows.as_slice_mut()?;
            out.chunks_exact_mut(size.max(1))
                .take(if size == 0 { 0 } else { self.count })
                .enumerate()
                .for_each(|(world, out)| self.fill_world(what, inner.batch.world(world), out));
        }
        // A robot's arrays have no rows of their own.
        let whole = if matches!(what, What::Robot(_)) {
            base.as_any().call_method1("reshape", (self.count, shape[1]))?
        } else {
            base.clone().into_any()
        };
        let shown = if what.is_control() { whole } else { read_only(&whole)? };
        let shown = shown.unbind();
        let answer = shown.clone_ref(py);
        inner.arrays[what.slot()] = Some(Shown { base: base.unbind(), shown });
        Ok(answer)
    }

    fn shape(&self, batch: &drystone::Batch, what: What) -> PyResult<[usize; 2]> {
        match (what, &self.robot) {
            (What::Field(field), _) => Ok(field.shape(batch.model())),
            (What::Robot(extra), Some(robot)) => {
                let [positions, velocities] = robot.widths();
                Ok(match extra {
                    Extra::Qpos => [1, positions],
                    Extra::Qvel => [1, velocities],
                    Extra::Ctrl => [1, robot.actuators.len()],
                })
            }
            (What::Robot(_), None) => Err(PyValueError::new_err(
                "this batch is of a model; make it of a robot (`load_robot`) to use its coordinates",
            )),
        }
    }

    fn fill_world(&self, what: What, sim: &Engine, out: &mut [f64]) {
        match what {
            What::Field(field) => field.fill(sim, out),
            What::Robot(Extra::Qpos) => self.fill_robot(sim, out, &mut []),
            What::Robot(Extra::Qvel) => self.fill_robot(sim, &mut [], out),
            What::Robot(Extra::Ctrl) => {}
        }
    }

    /// Writes the coordinates of a robot; what nobody wants is an empty slice.
    fn fill_robot(&self, sim: &Engine, positions: &mut [f64], velocities: &mut [f64]) {
        let Some(robot) = &self.robot else { return };
        let [q, v] = robot.widths();
        let (mut spare_q, mut spare_v) = (Vec::new(), Vec::new());
        let positions = if positions.len() == q {
            positions
        } else {
            spare_q.resize(q, 0.0);
            &mut spare_q
        };
        let velocities = if velocities.len() == v {
            velocities
        } else {
            spare_v.resize(v, 0.0);
            &mut spare_v
        };
        robot.coordinates(sim.state(), positions, velocities);
    }

    /// Fills positions and velocities of a robot side by side, where somebody asked for both.
    fn fill_both(&self, py: Python<'_>, inner: &Inner, chosen: &Chosen, workers: &Workers) -> PyResult<bool> {
        let [Some(q), Some(v)] =
            [Extra::Qpos, Extra::Qvel].map(|extra| inner.arrays[What::Robot(extra).slot()].as_ref())
        else {
            return Ok(false);
        };
        let [width_q, width_v] = [Extra::Qpos, Extra::Qvel].map(|extra| self.shape(&inner.batch, What::Robot(extra)));
        let (width_q, width_v) = (width_q?[1].max(1), width_v?[1].max(1));
        let (mut rows_q, mut rows_v) = (q.base.bind(py).try_readwrite()?, v.base.bind(py).try_readwrite()?);
        let (all_q, all_v) = (rows_q.as_slice_mut()?, rows_v.as_slice_mut()?);
        let batch = &inner.batch;
        match chosen {
            None => {
                let rows = all_q.par_chunks_exact_mut(width_q).zip(all_v.par_chunks_exact_mut(width_v));
                let rows = rows.with_min_len(SHARE).enumerate();
                workers.run(|| rows.for_each(|(world, (q, v))| self.fill_robot(batch.world(world), q, v)));
            }
            Some(worlds) => worlds.iter().for_each(|&world| {
                let q = &mut all_q[world * width_q..(world + 1) * width_q];
                let v = &mut all_v[world * width_v..(world + 1) * width_v];
                self.fill_robot(batch.world(world), q, v);
            }),
        }
        Ok(true)
    }

    /// Hands what the user wrote to the worlds.
    fn take(&self, py: Python<'_>, inner: &mut Inner, chosen: &Chosen, workers: &Workers) -> PyResult<()> {
        let Inner { batch, arrays, .. } = inner;
        for field in Field::ALL.into_iter().filter(|field| field.is_control()) {
            let Some(array) = &arrays[What::Field(field).slot()] else { continue };
            let rows = array.base.bind(py).try_readonly()?;
            let (rows, size) = (rows.as_slice()?, field.shape(batch.model()).iter().product::<usize>());
            let take = |world: usize, sim: &mut Engine| {
                field.take(&rows[world * size..(world + 1) * size], sim.control_mut());
            };
            workers.run(|| batch.each(chosen.as_deref(), take));
        }
        if let (Some(array), Some(robot)) = (&arrays[What::Robot(Extra::Ctrl).slot()], &self.robot) {
            let rows = array.base.bind(py).try_readonly()?;
            let (rows, size) = (rows.as_slice()?, robot.actuators.len());
            let apply = |world: usize, sim: &mut Engine| {
                robot.apply(&rows[world * size..(world + 1) * size], sim.control_mut())
            };
            let applied = workers.run(|| batch.each(chosen.as_deref(), apply));
            if let Some(bad) = applied.iter().position(Result::is_err) {
                let world = chosen.as_ref().map_or(bad, |worlds| worlds[bad]);
                return Err(PyValueError::new_err(format!("ctrl of world {world} holds a number that is not finite")));
            }
        }
        Ok(())
    }

    /// Shows the worlds in the arrays that were asked for.
    fn fill(
        &self,
        py: Python<'_>,
        inner: &mut Inner,
        chosen: &Chosen,
        controls: bool,
        workers: &Workers,
    ) -> PyResult<()> {
        let both = self.fill_both(py, inner, chosen, workers)?;
        let robot: &[Extra] = if both { &[] } else { &[Extra::Qpos, Extra::Qvel] };
        let all = Field::ALL.into_iter().map(What::Field).chain(robot.iter().copied().map(What::Robot));
        for what in all.filter(|what| controls || !what.is_control()) {
            let Some(array) = &inner.arrays[what.slot()] else { continue };
            let size = self.shape(&inner.batch, what)?.iter().product::<usize>();
            if size == 0 {
                continue;
            }
            let mut rows = array.base.bind(py).try_readwrite()?;
            let out = rows.as_slice_mut()?;
            let batch = &inner.batch;
            match chosen {
                None => {
                    let rows = out.par_chunks_exact_mut(size).with_min_len(SHARE).enumerate();
                    workers.run(|| rows.for_each(|(world, out)| self.fill_world(what, batch.world(world), out)));
                }
                Some(worlds) => worlds.iter().for_each(|&world| {
                    self.fill_world(what, batch.world(world), &mut out[world * size..(world + 1) * size]);
                }),
            }
        }
        Ok(())
    }

    /// Changes some worlds on all threads; of several refusals the first is raised, and the others are done.
    fn change(
        &self,
        py: Python<'_>,
        chosen: &Chosen,
        change: impl Fn(usize, &mut Engine) -> PyResult<()> + Send + Sync,
    ) -> PyResult<()> {
        let mut inner = self.inner.lock(py)?;
        let inner = &mut *inner;
        let workers = self.threads.pool(py, usize::MAX)?;
        self.take(py, inner, chosen, &workers)?;
        let batch = &mut inner.batch;
        let done = py.detach(|| workers.run(|| batch.each(chosen.as_deref(), change)));
        self.fill(py, inner, chosen, true, &workers)?;
        done.into_iter().collect()
    }

    fn rows_of(&self, chosen: &Chosen) -> usize {
        chosen.as_ref().map_or(self.count, Vec::len)
    }

    /// The row of a world among those given.
    fn row_of(chosen: &Chosen, world: usize) -> usize {
        chosen.as_ref().map_or(world, |worlds| worlds.partition_point(|known| *known < world))
    }
}

/// Worlds that a thread fills at a time.
const SHARE: usize = 32;

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
        let inner = Inner { batch, arrays: Default::default(), failures: Vec::new() };
        Ok(Self { inner: Shared::new(inner), threads, robot, count })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The model all worlds were made from.
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        Ok(Model::new(self.inner.lock(py)?.batch.model().clone()))
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
        let batch = &mut inner.batch;
        let failed = py.detach(|| workers.run(|| batch.step(chosen.as_deref(), count)));
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
                self.shape(&self.inner.lock(py)?.batch, What::Robot(Extra::Qpos))?;
                None
            }
            (_, None) if qvel.is_some() => return Err(PyValueError::new_err("qvel needs qpos beside it")),
            (_, None) => None,
        };
        let listed: Chosen = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            sim.restart().or_raise()?;
            if let Some((robot, positions, velocities, [q, v])) = &placed {
                let row = Self::row_of(&listed, world);
                let (at, moving) = (&positions[row * q..(row + 1) * q], &velocities[row * v..(row + 1) * v]);
                let state = robot.state_at(at, moving).or_raise()?;
                *sim.state_mut() = state;
            }
            Ok(())
        })
    }

    /// Pose of every body: position [m], quaternion (x, y, z, w); (worlds, bodies, 7), read-only.
    #[getter]
    fn body_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::BodyQ))
    }

    /// Velocity of every body [m/s], [rad/s]; (worlds, bodies, 6), read-only.
    #[getter]
    fn body_qd(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::BodyQd))
    }

    /// Coordinates of every joint by axis [m], [rad]; (worlds, joints, 6), read-only.
    #[getter]
    fn joint_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointQ))
    }

    /// Rates of the coordinates of every joint [m/s], [rad/s]; (worlds, joints, 6), read-only.
    #[getter]
    fn joint_qd(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointQd))
    }

    /// Standing force [N] and torque [N·m] on every body; (worlds, bodies, 6), writable.
    #[getter]
    fn body_f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::BodyF))
    }

    /// Effort along every axis of every joint [N], [N·m]; (worlds, joints, 6), writable.
    #[getter]
    fn joint_f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointF))
    }

    /// Target of the drive of every axis [m], [rad]; (worlds, joints, 6), writable.
    #[getter]
    fn joint_target(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointTarget))
    }

    /// Target rate of the drive of every axis [m/s], [rad/s]; (worlds, joints, 6), writable.
    #[getter]
    fn joint_target_velocity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointTargetVelocity))
    }

    /// Positions of the robot's joints as its file counts them; (worlds, positions), read-only.
    #[getter]
    fn qpos(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Robot(Extra::Qpos))
    }

    /// Velocities of the robot's joints as its file counts them; (worlds, velocities), read-only.
    #[getter]
    fn qvel(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Robot(Extra::Qvel))
    }

    /// Controls of the robot's actuators; (worlds, actuators), writable.
    #[getter]
    fn ctrl(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Robot(Extra::Ctrl))
    }

    /// Simulated time of every world [s].
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let inner = self.inner.lock(py)?;
        Ok(PyArray1::from_iter(py, (0..self.count).map(|world| inner.batch.world(world).time())))
    }

    /// Whether every world has bodies that were taken out because their state stopped being finite.
    #[getter]
    fn quarantined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inner = self.inner.lock(py)?;
        let bad = |world: usize| inner.batch.world(world).state().body_quarantined.contains(&true);
        Ok(PyArray1::from_iter(py, (0..self.count).map(bad)))
    }

    /// Force of the contacts of the last step on every body [N] and torque about its centre of mass [N·m]; (worlds, bodies, 6).
    fn contact_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let inner = self.inner.lock(py)?;
        let bodies = inner.batch.model().body_count();
        let mut flat = vec![0.0; self.count * bodies * 6];
        for world in 0..self.count {
            let sim = inner.batch.world(world);
            let rows = &mut flat[world * bodies * 6..(world + 1) * bodies * 6];
            for contact in sim.contacts().or_raise()? {
                for side in (0..2).filter(|&side| !contact.body[side].is_world()) {
                    let row = 6 * sim.body_index(contact.body[side]).or_raise()?;
                    let force = if side == 0 { -contact.force } else { contact.force };
                    let both = force.to_array().into_iter().chain(contact.torque[side].to_array());
                    rows[row..row + 6].iter_mut().zip(both).for_each(|(sum, part)| *sum += part);
                }
            }
        }
        PyArray1::from_vec(py, flat).reshape([self.count, bodies, 6])
    }

    /// A copy of the state of a world.
    fn state(&self, py: Python<'_>, world: i64) -> PyResult<State> {
        let world = self.world_index(world)?;
        Ok(State::new(self.inner.lock(py)?.batch.world(world).state().clone()))
    }

    /// A number per world that is the same if, up to chance, every bit of its state is.
    fn state_hashes(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let inner = self.inner.lock(py)?;
        Ok((0..self.count).map(|world| inner.batch.world(world).state_hash()).collect())
    }

    /// Everything a world needs to go on bit for bit.
    fn checkpoint<'py>(&self, py: Python<'py>, world: i64) -> PyResult<Bound<'py, PyBytes>> {
        let world = self.world_index(world)?;
        let mut inner = self.inner.lock(py)?;
        self.take(py, &mut inner, &Some(vec![world]), &self.threads.pool(py, 1)?)?;
        Ok(PyBytes::new(py, &inner.batch.world(world).checkpoint().to_bytes()))
    }

    /// Lets a world go on from a checkpoint of any world of this batch.
    fn resume(&self, py: Python<'_>, world: i64, checkpoint: &[u8]) -> PyResult<()> {
        let (world, checkpoint) = (self.world_index(world)?, Checkpoint::from_bytes(checkpoint).or_raise()?);
        self.change(py, &Some(vec![world]), |_, sim| sim.resume(&checkpoint).or_raise())
    }

    /// A simulation of its own that goes on from where a world is.
    fn simulation(&self, py: Python<'_>, world: i64) -> PyResult<Simulation> {
        let world = self.world_index(world)?;
        let mut inner = self.inner.lock(py)?;
        self.take(py, &mut inner, &Some(vec![world]), &self.threads.pool(py, 1)?)?;
        let from = inner.batch.world(world);
        let options = from.options().or_raise()?.clone();
        let mut sim = Simulation::build(inner.batch.model().clone(), from.solver().name(), from.dt(), options)?;
        sim.resume(&from.checkpoint()).or_raise()?;
        Ok(Simulation::with_motions(sim, self.threads, Default::default()))
    }

    /// Sets the gravity of some worlds [m/s²], a row each.
    #[pyo3(signature = (gravity, worlds=None))]
    fn set_gravity(
        &self,
        py: Python<'_>,
        gravity: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let chosen = self.chosen(worlds)?;
        let rows = values(gravity, "gravity", &[self.rows_of(&chosen), 3])?;
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let row = 3 * Self::row_of(&listed, world);
            sim.set_gravity(WorldId(0), drystone::model::DVec3::from_slice(&rows[row..row + 3])).or_raise()
        })
    }

    /// Sets the mass of every body of some worlds [kg], a row each: inertias grow with them. Bodies that no force moves keep
    /// theirs.
    #[pyo3(signature = (mass, worlds=None))]
    fn set_mass(&self, py: Python<'_>, mass: &Bound<'_, PyAny>, worlds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        use drystone::model::{BodyKind, MassSource};
        let chosen = self.chosen(worlds)?;
        let bodies = self.inner.lock(py)?.batch.model().body_count();
        let rows = values(mass, "mass", &[self.rows_of(&chosen), bodies])?;
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let row = &rows[Self::row_of(&listed, world) * bodies..][..bodies];
            let ids: Vec<_> = (0..bodies).map(|body| sim.body_id(body)).collect();
            let moved: Vec<bool> = sim.model().body_kind.iter().map(|kind| *kind == BodyKind::Dynamic).collect();
            sim.edit(|scene| {
                for (body, &mass) in row.iter().enumerate().filter(|(body, _)| moved[*body]) {
                    scene.change_body(ids[body], |def| {
                        def.mass = match def.mass {
                            MassSource::Given(given) if given.mass > 0.0 => {
                                MassSource::Given(given.scaled_to_mass(mass))
                            }
                            _ => MassSource::Total(mass),
                        };
                    })?;
                }
                Ok(())
            })
            .or_raise()
        })
    }

    /// Sets static and dynamic friction of every shape of some worlds [1], a row each.
    #[pyo3(signature = (friction, worlds=None))]
    fn set_friction(
        &self,
        py: Python<'_>,
        friction: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let chosen = self.chosen(worlds)?;
        let shapes = self.inner.lock(py)?.batch.model().shape_count();
        let rows = values(friction, "friction", &[self.rows_of(&chosen), shapes])?;
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let row = &rows[Self::row_of(&listed, world) * shapes..][..shapes];
            let ids: Vec<_> = (0..shapes).map(|shape| sim.shape_id(shape)).collect();
            sim.edit(|scene| {
                ids.iter().zip(row).try_for_each(|(&shape, &friction)| {
                    scene.change_shape(shape, |def| def.material.set_friction(friction))
                })
            })
            .or_raise()
        })
    }

    /// Sets stiffness [N/m], [N·m/rad] and damping [N·s/m], [N·m·s/rad] of the drives of every joint of some worlds:
    /// (worlds, joints, 6) each. Axes that are locked keep theirs.
    #[pyo3(signature = (stiffness, damping, worlds=None))]
    fn set_gains(
        &self,
        py: Python<'_>,
        stiffness: &Bound<'_, PyAny>,
        damping: &Bound<'_, PyAny>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        use drystone::model::AxisMode;
        let chosen = self.chosen(worlds)?;
        let joints = self.inner.lock(py)?.batch.model().joint_count();
        let shape = [self.rows_of(&chosen), joints, 6];
        let (stiffness, damping) = (values(stiffness, "stiffness", &shape)?, values(damping, "damping", &shape)?);
        let listed = chosen.clone();
        self.change(py, &chosen, |world, sim| {
            let first = Self::row_of(&listed, world) * joints * 6;
            let ids: Vec<_> = (0..joints).map(|joint| sim.joint_id(joint)).collect();
            sim.edit(|scene| {
                ids.iter().enumerate().try_for_each(|(joint, &id)| {
                    let at = first + 6 * joint;
                    scene.change_joint(id, |def| {
                        for axis in (0..6).filter(|axis| def.axis[*axis] == AxisMode::Free) {
                            def.drive[axis].stiffness = stiffness[at + axis];
                            def.drive[axis].damping = damping[at + axis];
                        }
                    })
                })
            })
            .or_raise()
        })
    }

    fn __repr__(&self) -> String {
        format!("<Batch: {} worlds>", self.count)
    }
}
