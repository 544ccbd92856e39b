//! A scene in motion.

use std::sync::Arc;

use drystone::model::Control;
use drystone::solve::StepError;
use drystone::{Checkpoint, Event};
use drystone_io::import::Imported;
use drystone_io::scene_file::KeyFrames;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::{Arrays, Field};
use crate::convert;
use crate::driven::Driven;
use crate::error::OrRaise;
use crate::model::{Model, fitting};
use crate::pool::Threads;
use crate::report::Report;
use crate::shared::Shared;
use crate::state::State;

/// A model being simulated. The same model and the same calls give the same bits, whatever the number of threads.
///
/// Arrays such as `body_q` are made when first asked for and filled in place after every step: keep them, do not ask again.
/// Those of controls (`joint_f`, `joint_target`, `joint_target_velocity`, `body_f`) are writable and read at the start of
/// every step. An edit that changes how many bodies or joints there are makes new arrays.
#[pyclass(frozen, module = "drystone")]
pub struct Simulation {
    pub(crate) inner: Shared<Inner>,
    threads: Threads,
}

/// What a simulation is made of.
pub(crate) struct Inner {
    pub sim: drystone::Simulation,
    pub arrays: Arrays,
    /// Targets that a scene file changes with time.
    pub motions: KeyFrames,
    /// A robot whose actuators have a state of their own.
    pub driven: Option<Driven>,
}

impl Inner {
    /// Whether controls change from step to step by themselves.
    fn drives_itself(&self) -> bool {
        !self.motions.is_empty() || self.driven.is_some()
    }

    /// One step with the targets of the scene's own key frames, and with activations.
    fn step(&mut self) -> Result<(), StepError> {
        if !self.motions.is_empty() {
            let (time, dt) = (self.sim.time(), self.sim.dt());
            self.motions.apply(time, dt, self.sim.control_mut());
        }
        match &mut self.driven {
            Some(driven) => driven.step(&mut self.sim),
            None => self.sim.step().map(|_| ()),
        }
    }
}

impl Simulation {
    /// With targets that change with time.
    pub fn with_motions(sim: drystone::Simulation, threads: Threads, motions: KeyFrames) -> Self {
        Self::from_parts(sim, threads, motions, None)
    }

    /// With targets that change with time, and a robot whose actuators have a state of their own.
    pub fn from_parts(sim: drystone::Simulation, threads: Threads, motions: KeyFrames, driven: Option<Driven>) -> Self {
        Self { inner: Shared::new(Inner { sim, arrays: Arrays::default(), motions, driven }), threads }
    }

    /// Gives controls to a robot whose actuators have a state of their own, for the steps to come.
    pub(crate) fn drive(&self, py: Python<'_>, robot: &Arc<Imported>, controls: &[f64]) -> PyResult<()> {
        let mut inner = self.inner.lock(py)?;
        if !inner.driven.as_ref().is_some_and(|driven| driven.is_of(robot)) {
            inner.driven = Driven::of(robot);
        }
        inner.driven.as_mut().map_or(Ok(()), |driven| driven.set_controls(controls)).or_raise()
    }

    /// Builds a simulation of a model.
    pub fn build(
        model: drystone::model::Model,
        solver: &str,
        dt: f64,
        options: serde_json::Map<String, serde_json::Value>,
    ) -> PyResult<drystone::Simulation> {
        let mut builder = drystone::Simulation::builder(model).solver(solver).dt(dt);
        for (key, value) in options {
            builder = builder.option(&key, value);
        }
        builder.build().or_raise()
    }

    /// Does something with the simulation, and shows in its arrays what came of it.
    pub(crate) fn change<T>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut drystone::Simulation) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut inner = self.inner.lock(py)?;
        let Inner { sim, arrays, .. } = &mut *inner;
        arrays.take(py, sim)?;
        let done = change(sim)?;
        arrays.fill(py, sim, true)?;
        Ok(done)
    }

    /// Reads something off the simulation.
    pub(crate) fn ask<T>(&self, py: Python<'_>, ask: impl FnOnce(&drystone::Simulation) -> PyResult<T>) -> PyResult<T> {
        ask(&self.inner.lock(py)?.sim)
    }

    fn array(&self, py: Python<'_>, field: Field) -> PyResult<Py<PyAny>> {
        let mut inner = self.inner.lock(py)?;
        let Inner { sim, arrays, .. } = &mut *inner;
        arrays.get(py, field, sim)
    }
}

#[pymethods]
impl Simulation {
    /// A simulation of a model by a solver (`solvers()` lists them) with time steps of `dt` [s]. Options of the solver are keywords,
    /// such as `iterations=20`. `threads` says how many may work on a step; without it all of the machine, and one for small
    /// scenes.
    #[new]
    #[pyo3(signature = (model, solver="vbd", *, dt=1.0 / 60.0, threads=None, **options))]
    fn new(
        model: PyRef<'_, Model>,
        solver: &str,
        dt: f64,
        threads: Option<usize>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let sim = Self::build((*model.0).clone(), solver, dt, convert::options(options)?)?;
        Ok(Self::with_motions(sim, Threads::checked(threads)?, KeyFrames::default()))
    }

    /// Takes `count` steps. Other threads of Python run meanwhile, and Ctrl-C stops it between two steps. On error nothing has
    /// moved in the step that failed.
    #[pyo3(signature = (count=1))]
    fn step(&self, py: Python<'_>, count: u64) -> PyResult<()> {
        let mut inner = self.inner.lock(py)?;
        let inner = &mut *inner;
        inner.arrays.take(py, &mut inner.sim)?;
        let size = inner.sim.model().body_count() + inner.sim.model().particle_count();
        let workers = self.threads.pool(py, size)?;
        let mut ended = Ok(());
        for done in 0..count {
            let stepped = if inner.drives_itself() {
                py.detach(|| workers.run(|| inner.step()))
            } else {
                let sim = &mut inner.sim;
                py.detach(|| workers.run(|| sim.step().map(|_| ())))
            };
            ended = stepped.or_raise();
            if ended.is_ok() && done + 1 < count {
                ended = py.check_signals();
            }
            if ended.is_err() {
                break;
            }
        }
        let controls = inner.drives_itself();
        inner.arrays.fill(py, &inner.sim, controls)?;
        ended
    }

    /// Takes as many whole steps as fit into `seconds` of another clock and keeps the rest for the next call. Returns the steps
    /// taken, how far the time lies between the last two states (0 to 1) and the time given up because a call takes at most
    /// eight steps [s].
    fn advance(&self, py: Python<'_>, seconds: f64) -> PyResult<(u32, f64, f64)> {
        let mut inner = self.inner.lock(py)?;
        if inner.driven.is_some() {
            return Err(PyValueError::new_err("`advance` does not take activations of actuators along; use `step`"));
        }
        let Inner { sim, arrays, .. } = &mut *inner;
        arrays.take(py, sim)?;
        let workers = self.threads.pool(py, sim.model().body_count() + sim.model().particle_count())?;
        let done = py.detach(|| workers.run(|| sim.advance(seconds)));
        arrays.fill(py, sim, false)?;
        done.or_raise().map(|done| (done.steps, done.alpha, done.dropped))
    }

    /// Pose of every body frame, world frame: position [m], quaternion (x, y, z, w); (bodies, 7), read-only.
    #[getter]
    fn body_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::BodyQ)
    }

    /// Velocity of every centre of mass [m/s], angular velocity [rad/s], world frame; (bodies, 6), read-only.
    #[getter]
    fn body_qd(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::BodyQd)
    }

    /// Coordinates of every joint by axis [m], [rad]; (joints, 6), read-only.
    #[getter]
    fn joint_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::JointQ)
    }

    /// Rates of the coordinates of every joint [m/s], [rad/s]; (joints, 6), read-only.
    #[getter]
    fn joint_qd(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::JointQd)
    }

    /// Position of every particle [m]; (particles, 3), read-only.
    #[getter]
    fn particle_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::ParticleQ)
    }

    /// Velocity of every particle [m/s]; (particles, 3), read-only.
    #[getter]
    fn particle_qd(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::ParticleQd)
    }

    /// Standing force on every body at its centre of mass [N] and torque [N·m], world frame; (bodies, 6), writable.
    #[getter]
    fn body_f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::BodyF)
    }

    /// Effort along every axis of every joint [N], [N·m]; (joints, 6), writable.
    #[getter]
    fn joint_f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::JointF)
    }

    /// Target of the drive of every axis of every joint [m], [rad]; (joints, 6), writable.
    #[getter]
    fn joint_target(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::JointTarget)
    }

    /// Target rate of the drive of every axis of every joint [m/s], [rad/s]; (joints, 6), writable.
    #[getter]
    fn joint_target_velocity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, Field::JointTargetVelocity)
    }

    /// The model as it is now.
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        self.ask(py, |sim| Ok(Model::new(sim.model().clone())))
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.ask(py, |sim| Ok(sim.time()))
    }

    /// Steps taken.
    #[getter]
    fn step_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, |sim| Ok(sim.state().step_count))
    }

    /// Time step [s].
    #[getter]
    fn dt(&self, py: Python<'_>) -> PyResult<f64> {
        self.ask(py, |sim| Ok(sim.dt()))
    }

    #[setter]
    fn set_dt(&self, py: Python<'_>, dt: f64) -> PyResult<()> {
        self.change(py, |sim| sim.set_dt(dt).or_raise())
    }

    /// The name of the solver.
    #[getter]
    fn solver(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.ask(py, |sim| Ok(sim.solver().name()))
    }

    /// Goes on with another solver from the state as it is; options are keywords.
    #[pyo3(signature = (solver, **options))]
    fn set_solver(&self, py: Python<'_>, solver: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut choice = drystone::SolverChoice::from(solver);
        for (key, value) in convert::options(options)? {
            choice.set(&key, value);
        }
        self.change(py, |sim| sim.set_solver(choice).or_raise())
    }

    /// Sets an option of the solver; what it remembers is kept.
    fn set_option(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = convert::json(value)?;
        self.change(py, |sim| sim.set_option(name, value).or_raise())
    }

    /// The options of the solver that were set.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let options = self.ask(py, |sim| Ok(sim.options().or_raise()?.clone()))?;
        convert::python(py, &options.into())
    }

    /// A copy of the state.
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.ask(py, |sim| Ok(State::new(sim.state().clone())))
    }

    /// Puts everything where a state has it. The solver forgets what it remembered unless `keep_history` is set.
    #[pyo3(signature = (state, *, keep_history=false))]
    fn set_state(&self, py: Python<'_>, state: PyRef<'_, State>, keep_history: bool) -> PyResult<()> {
        let state = state.to_model(py)?;
        self.change(py, |sim| {
            let state = fitting(sim.model(), state)?;
            *sim.state_mut() = state;
            if !keep_history {
                sim.reset_history();
            }
            Ok(())
        })
    }

    /// Puts a world back to its start: bodies, joints and what was asked of them. The time goes on.
    #[pyo3(signature = (world=0))]
    fn reset_world(&self, py: Python<'_>, world: u32) -> PyResult<()> {
        self.change(py, |sim| sim.reset_world(drystone::model::WorldId(world)).or_raise())?;
        self.inner.lock(py)?.driven.iter_mut().for_each(Driven::reset);
        Ok(())
    }

    /// A number that is the same if, up to chance, every bit of the state is.
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, |sim| Ok(sim.state_hash()))
    }

    /// Everything a run needs to go on bit for bit, also in another process.
    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut inner = self.inner.lock(py)?;
        let Inner { sim, arrays, driven, .. } = &mut *inner;
        arrays.take(py, sim)?;
        let mut checkpoint = sim.checkpoint();
        checkpoint.extra = driven.as_ref().map(Driven::to_bytes).unwrap_or_default();
        Ok(PyBytes::new(py, &checkpoint.to_bytes()))
    }

    /// Goes on from a checkpoint of the same model, solver and options. Activations of a robot's actuators come back where it has
    /// been driven before. On error nothing has changed.
    fn resume(&self, py: Python<'_>, checkpoint: &[u8]) -> PyResult<()> {
        let checkpoint = Checkpoint::from_bytes(checkpoint).or_raise()?;
        let before = self.inner.lock(py)?.driven.clone();
        if before.is_none() && Driven::are_in(&checkpoint.extra) {
            let message = "the checkpoint holds activations of a robot's actuators; give the robot's controls (`Robot.apply`) first";
            return Err(PyValueError::new_err(message));
        }
        let resumed = before.map(|mut driven| driven.resume(&checkpoint.extra).map(|()| driven)).transpose()?;
        self.change(py, |sim| sim.resume(&checkpoint).or_raise())?;
        self.inner.lock(py)?.driven = resumed;
        Ok(())
    }

    /// What the actuators of a robot with filters or integrators have made of their controls, one number each; None where
    /// `Robot.apply` has given no controls to such a robot.
    #[getter]
    fn activations<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let inner = self.inner.lock(py)?;
        Ok(inner.driven.as_ref().map(|driven| PyArray1::from_slice(py, &driven.activations)))
    }

    /// What the last step said about itself.
    #[getter]
    fn report(&self, py: Python<'_>) -> PyResult<Report> {
        self.ask(py, |sim| Ok(Report(sim.report().clone())))
    }

    /// What happened in the last step, a dict each: `kind` is contact_begin, contact_end, sensor_begin, sensor_end, joint_broken or
    /// body_quarantined; the others are ids, and the impulse of a contact that began [N·s].
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.ask(py, |sim| sim.events().iter().map(|event| event_dict(py, event)).collect())
    }

    /// Seconds spent in every phase since the start, by name.
    #[getter]
    fn phase_total(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        self.ask(py, |sim| Ok(sim.phase_total().iter().map(|(phase, time)| (format!("{phase:?}"), *time)).collect()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |sim| {
            let (bodies, solver) = (sim.model().body_count(), sim.solver().name());
            Ok(format!("<Simulation: {bodies} bodies, solver {solver}, {} s>", sim.time()))
        })
    }
}

impl Simulation {
    /// Changes the controls, and shows them in the arrays.
    pub(crate) fn change_control(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Control) -> PyResult<()>,
    ) -> PyResult<()> {
        self.change(py, |sim| change(sim.control_mut()))
    }
}

fn event_dict<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
    use drystone::SensorEvent;
    use drystone::model::ContactEvent;
    let dict = PyDict::new(py);
    let pair = |kind: &str, names: [&str; 2], ids: [u32; 2]| -> PyResult<()> {
        dict.set_item("kind", kind)?;
        dict.set_item(names[0], ids[0])?;
        dict.set_item(names[1], ids[1])
    };
    match *event {
        Event::Contact(ContactEvent::Begin { shape0, shape1, impulse }) => {
            pair("contact_begin", ["shape0", "shape1"], [shape0.0, shape1.0])?;
            dict.set_item("impulse", impulse)?;
        }
        Event::Contact(ContactEvent::End { shape0, shape1 }) => {
            pair("contact_end", ["shape0", "shape1"], [shape0.0, shape1.0])?;
        }
        Event::Sensor(SensorEvent::Begin { sensor, shape }) => {
            pair("sensor_begin", ["sensor", "shape"], [sensor.0, shape.0])?;
        }
        Event::Sensor(SensorEvent::End { sensor, shape }) => {
            pair("sensor_end", ["sensor", "shape"], [sensor.0, shape.0])?;
        }
        Event::JointBroken { joint } => {
            dict.set_item("kind", "joint_broken")?;
            dict.set_item("joint", joint.0)?;
        }
        Event::BodyQuarantined { body } => {
            dict.set_item("kind", "body_quarantined")?;
            dict.set_item("body", body.0)?;
        }
    }
    Ok(dict)
}
