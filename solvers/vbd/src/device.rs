//! The solver on a GPU: what may go there, how it gets there, and what comes back.
//!
//! The first step of a scene is taken by the CPU, which finds the loads that the scene rests on. State and loads then go to the device and
//! stay there. After every step the host is told poses and velocities; bodies that somebody has changed since then are changed there.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use drystone_collide::Collide;
use drystone_device::DeviceError;
use drystone_kernels::double::rotation;
use drystone_model::{BodyKind, Control, DVec3, Model, State, Twist};
use drystone_solve::clock::Clock;
use drystone_solve::convert::{quat, to_dvec3};
use drystone_solve::forces::{ContactForce, ForceLedger, Untold};
use drystone_solve::parallel;
use drystone_solve::parallel::Shared;
use drystone_solve::report::{Phase, Report};
use drystone_solve::solver::{Refusal, SnapshotError, StepError, Unsupported, from_bytes, to_bytes};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Vbd;
use super::options::{Integrator, Method, VbdOptions};
use super::resident::{Change, Figures, Memory, Scene, check_shapes, open_scene};

const NAME: &str = "vbd";
/// Numbers of a user's force and torque of a body on the device.
const FORCE_WORDS: usize = 8;

/// A scene on a device, or on its way there.
pub struct OnDevice {
    scene: Mutex<Box<dyn Scene>>,
    /// Whether state and loads are on the device.
    there: bool,
    /// Poses and velocities as the host was told last.
    told: Option<State>,
    /// Whether the device has forces of the user.
    pushed: bool,
    /// Lengths of the last substep and step, if the host was not yet told what its contacts carried \[s\].
    untold: Option<[f64; 2]>,
    /// How often lists had grown when that was last told.
    growth: u32,
}

/// What a run that goes on needs.
#[derive(Serialize, Deserialize)]
struct Saved {
    host: Vec<u8>,
    /// What the device remembers, if the scene is there; why it could not be read otherwise.
    device: Result<Option<Memory>, String>,
    told: Option<State>,
}

impl fmt::Debug for OnDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnDevice")
            .field("device", &self.scene().device())
            .field("there", &self.there)
            .finish_non_exhaustive()
    }
}

impl OnDevice {
    /// A scene on the device that the options ask for, if they do.
    pub fn open(model: &Model, options: &VbdOptions) -> Result<Option<Self>, Refusal> {
        let Some(choice) = options.device else { return Ok(None) };
        check(model, options)?;
        let refused = |error: DeviceError| Unsupported {
            solver: NAME,
            reason: error.to_string(),
            remedy: "or run it on the CPU, without a device".into(),
        };
        let scene = Mutex::new(open_scene(choice, model).map_err(refused)?);
        Ok(Some(Self { scene, there: false, told: None, pushed: false, untold: None, growth: 0 }))
    }

    /// The device in words.
    pub fn name(&self) -> String {
        self.scene().device().to_owned()
    }

    /// Forgets what is on the device: the next step is a first one.
    pub fn leave(&mut self) {
        (self.there, self.told, self.untold) = (false, None, None);
    }

    /// The memory of both sides.
    pub fn snapshot(&self, host: Vec<u8>) -> Vec<u8> {
        // A device that fails here is told to whoever wants to go on from this: a run without its loads would be another.
        let device = match self.there {
            true => self.scene().memory().map(Some).map_err(|error| error.to_string()),
            false => Ok(None),
        };
        to_bytes(&Saved { host, device, told: self.told.clone() })
    }

    /// Puts back what [`OnDevice::snapshot`] gave, and returns what belongs to the host.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<Vec<u8>, SnapshotError> {
        let Saved { host, device, told } = from_bytes(bytes)?;
        let device = device.map_err(SnapshotError)?;
        self.there = device.is_some();
        if let (Some(memory), Some(told)) = (&device, &told) {
            self.scene().remember(memory, told).map_err(SnapshotError)?;
        }
        (self.told, self.untold) = (told, None);
        Ok(host)
    }

    fn scene(&self) -> MutexGuard<'_, Box<dyn Scene>> {
        // A panic elsewhere leaves plain numbers behind.
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A scene on a device cannot be edited.
pub fn unedited(on_device: bool) -> Result<(), Unsupported> {
    if !on_device {
        return Ok(());
    }
    refuse("it cannot go on with an edited model on a GPU", "edit it on the CPU, or build the simulation anew")
}

fn refuse(reason: impl Into<String>, remedy: &str) -> Result<(), Unsupported> {
    Err(Unsupported { solver: NAME, reason: reason.into(), remedy: remedy.into() })
}

/// Refuses by name what the device does not do.
fn check(model: &Model, options: &VbdOptions) -> Result<(), Unsupported> {
    const CPU: &str = "run it on the CPU, without the option `device`";
    let defaults = VbdOptions::default();
    if options.method != Method::LoadScaled {
        return refuse("the GPU has the method `load_scaled` alone", "leave `method` out, or run it on the CPU");
    }
    if options.integrator == Integrator::Bdf1 {
        return refuse("the GPU has no integrator `bdf1`", "leave `integrator` out, or run it on the CPU");
    }
    if options.sleeping {
        return refuse("no body sleeps on the GPU", "leave `sleeping` out, or run it on the CPU");
    }
    if options.momentum_repair == Some(false) {
        return refuse("the GPU always repairs momentum", "leave `momentum_repair` out, or run it on the CPU");
    }
    if options.tolerance != defaults.tolerance && options.tolerance != 0.0 {
        return refuse("the GPU always does all sweeps", "leave `tolerance` out, or run it on the CPU");
    }
    if model.particle_count() > 0 {
        return refuse("particles do not run on the GPU", CPU);
    }
    if let Some(joint) = model.joint_name.first() {
        return refuse(
            format!("joint `{joint}`: joints do not run on the GPU"),
            "run it on the CPU, or under `jacobi`",
        );
    }
    for (shape, material) in model.shape_material.iter().enumerate() {
        let place = || format!("shape `{}`", model.shape_name[shape]);
        if material.restitution > 0.0 {
            return refuse(
                format!("{} bounces, and nothing does on the GPU", place()),
                "set `restitution` to 0, or run it on the CPU",
            );
        }
    }
    check_shapes(model).map_err(|(reason, remedy)| Unsupported { solver: NAME, reason, remedy })
}

impl Vbd {
    /// Takes `count` steps of `dt` seconds under the same control. On a device the host hears of the last alone, which is what large scenes
    /// want that nobody looks at in between; the first step of a scene there is one by itself. The report is that of the last step, its time
    /// that of all of them on a device.
    pub fn steps(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
        count: u32,
    ) -> Result<Report, StepError> {
        let mut report = Report::default();
        let mut left = count;
        while left > 0 {
            let there = self.device.as_ref().is_some_and(|device| device.there);
            // A led body is where it was told to be after one step.
            let led = any(&control.body_target, Option::is_some);
            let now = if there && !led { left } else { 1 };
            report = match self.device {
                Some(_) => self.device_step(model, state, control, collide, dt, now)?,
                None => self.host_step(model, state, control, collide, dt)?,
            };
            left -= now;
        }
        Ok(report)
    }

    /// Takes `count` steps on the device with every phase measured by itself, for which the host waits after each: names and seconds. None on the
    /// CPU and before the first step.
    pub fn profile(&mut self, model: &Model, dt: f64, count: u32) -> Option<Vec<(&'static str, f64)>> {
        let (substeps, sweeps) = self.substeps.split(self.method.substeps, self.options.iterations, model, dt);
        let device = self.device.as_ref().filter(|device| device.there)?;
        device.scene().profile(count * substeps, (dt / f64::from(substeps)) as f32, sweeps).ok()
    }

    /// `count` steps with the scene on a device.
    pub(super) fn device_step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
        count: u32,
    ) -> Result<Report, StepError> {
        let failed = |state: &State, reason: String| StepError::Failed { solver: NAME, time: state.time, reason };
        if state.body_quarantined.contains(&true) {
            return Err(failed(state, "the GPU cannot go on without a body that stopped being finite".into()));
        }
        if self.device.as_ref().is_some_and(|device| !device.there) {
            let report = self.host_step(model, state, control, collide, dt)?;
            self.go_there(model, state, collide).map_err(|error| failed(state, error.to_string()))?;
            return Ok(report);
        }
        let mut clock = Clock::of_step(dt)?;
        let (substeps, sweeps) = self.substeps.split(self.method.substeps, self.options.iterations, model, dt);
        let h = dt / f64::from(substeps);
        let Some(device) = &mut self.device else { return Err(failed(state, "it is on no GPU".into())) };
        device.untold = None;
        if any(&control.body_target, Option::is_some) {
            lead(model, state, control, dt);
        }
        let changes = device.changes(model, state, h);
        let forces = device.forces(control);
        self.ledger.begin(model.joint_count());
        // What explains the motion of a step of the CPU says nothing of this one.
        self.account.forget();
        let mut scene = device.scene.lock().unwrap_or_else(PoisonError::into_inner);
        let mut work = || -> Result<Figures, DeviceError> {
            scene.change(model, state, &changes);
            if let Some(forces) = &forces {
                scene.set_forces(forces);
            }
            clock.lap(Phase::Upload);
            let booked = if self.options.device_contacts { substeps - 1 } else { 0 };
            scene.steps(count * substeps - booked, h as f32, sweeps)?;
            for _ in 0..booked {
                book(&mut self.ledger, &scene.impulses(h)?);
                scene.steps(1, h as f32, sweeps)?;
            }
            let figures = scene.figures()?;
            clock.lap(Phase::Iterate);
            scene.read(model, state)?;
            clock.lap(Phase::Download);
            Ok(figures)
        };
        let figures = work().map_err(|error| failed(state, error.to_string()))?;
        drop(scene);
        // Added up one by one, as steps by themselves do.
        for _ in 0..count {
            state.time += dt;
        }
        state.step_count += u64::from(count);
        let mut report = Report::of_motion(model, state);
        report.iterations = substeps * sweeps;
        report.contact_count = figures.contact_count;
        report.max_penetration = Some(f64::from(figures.max_penetration));
        report.color_count = Some(figures.colors);
        report.growth_count = Some(figures.growth - device.growth);
        [report.max_joint_error, report.max_joint_angle_error] = [Some(0.0); 2];
        device.growth = figures.growth;
        device.untold = Some([h, dt]);
        match &mut device.told {
            Some(told) => tell(told, state),
            told => *told = Some(state.clone()),
        }
        clock.lap(Phase::Report);
        report.time = clock.laps;
        Ok(report)
    }

    /// Books what contacts carried in the last substep on a device, if that is still to be done.
    pub(super) fn book_device(&mut self) -> Result<(), Untold> {
        let Some(device) = &mut self.device else { return Ok(()) };
        let untold = |reason: String, remedy: &str| Untold {
            solver: NAME,
            what: "contact forces",
            reason,
            remedy: remedy.into(),
        };
        if device.there && !self.options.device_contacts {
            return Err(untold("they stay on the GPU".into(), "leave the option `device_contacts` out"));
        }
        let Some([h, dt]) = device.untold.take() else { return Ok(()) };
        let impulses = device.scene().impulses(h);
        let impulses = impulses.map_err(|error| untold(error.to_string(), "run it on the CPU"))?;
        book(&mut self.ledger, &impulses);
        self.ledger.end(dt);
        Ok(())
    }

    /// Takes state and loads to the device.
    fn go_there(&mut self, model: &Model, state: &State, collide: &Collide) -> Result<(), DeviceError> {
        let memory = super::handover::memory(self, model, state, collide);
        let pairs = collide.pairs().len();
        let Some(device) = &mut self.device else { return Ok(()) };
        let margin = collide.options().margin as f32;
        device.scene().begin(model, state, &memory, pairs, margin)?;
        (device.there, device.told) = (true, Some(state.clone()));
        Ok(())
    }
}

/// Notes the poses and velocities of a state; by these alone is judged what somebody changed.
fn tell(told: &mut State, state: &State) {
    parallel::each2(&mut told.body_q, &mut told.body_qd, |body, pose, twist| {
        (*pose, *twist) = (state.body_q[body], state.body_qd[body]);
    });
}

/// Books the contact points of a substep.
fn book(ledger: &mut ForceLedger, impulses: &[ContactForce]) {
    ledger.begin_substep();
    ledger.places(impulses.len()).copy_from_slice(impulses);
    ledger.book_places();
}

/// Items that a thread looks at before another is worth waking.
const FEW: usize = 4096;

/// Whether any of many items is what is looked for.
fn any<T: Sync>(items: &[T], is: impl Fn(&T) -> bool + Send + Sync) -> bool {
    items.par_iter().shared(FEW).any(is)
}

/// Gives led bodies that have a goal the velocity that takes them there in a step of `dt` seconds.
fn lead(model: &Model, state: &mut State, control: &Control, dt: f64) {
    for (body, goal) in control.body_target.iter().enumerate() {
        let Some(goal) = goal.filter(|_| model.body_kind[body] == BodyKind::Kinematic) else { continue };
        let (pose, com) = (state.body_q[body], model.body_com[body]);
        let turn = rotation::log(quat(goal.rotation).mul(quat(pose.rotation).conjugate()));
        let linear = (goal.transform_point(com) - pose.transform_point(com)) / dt;
        state.body_qd[body] = Twist { linear, angular: to_dvec3(turn) / dt };
    }
}

impl OnDevice {
    /// Bodies that are no longer as the host was told, and those of them whose velocity jumped by more than a fall of a step of `h` seconds.
    fn changes(&self, model: &Model, state: &State, h: f64) -> Vec<Change> {
        let Some(told) = &self.told else { return Vec::new() };
        let mut changed = Vec::new();
        let differs = |body: usize| {
            model.body_kind[body] != BodyKind::Static
                && (state.body_q[body] != told.body_q[body] || state.body_qd[body] != told.body_qd[body])
        };
        parallel::choose(model.body_count(), differs, &mut changed);
        changed.sort_unstable();
        let change = |body: u32| {
            let body = body as usize;
            let jump = state.body_qd[body].linear.distance(told.body_qd[body].linear);
            let dynamic = model.body_kind[body] == BodyKind::Dynamic;
            Change { body, jolted: dynamic && jump > model.body_gravity(body).length() * h }
        };
        changed.into_iter().map(change).collect()
    }

    /// Forces of the user in the words of the device, if there are any or were any before.
    fn forces(&mut self, control: &Control) -> Option<Vec<f32>> {
        let pushes = any(&control.body_f, |&(force, torque)| force != DVec3::ZERO || torque != DVec3::ZERO);
        let before = std::mem::replace(&mut self.pushed, pushes);
        if !pushes && !before {
            return None;
        }
        let mut words = vec![0.0; (control.body_f.len() + 1) * FORCE_WORDS];
        for (words, (force, torque)) in words.chunks_mut(FORCE_WORDS).zip(&control.body_f) {
            words[..3].copy_from_slice(&force.to_array().map(|x| x as f32));
            words[3..6].copy_from_slice(&torque.to_array().map(|x| x as f32));
        }
        Some(words)
    }
}
