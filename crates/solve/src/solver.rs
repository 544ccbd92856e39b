//! What a solver is.

use std::any::Any;

use drystone_collide::Collide;
use drystone_model::{BodyId, Contacts, Control, JointKind, Model, ModelMap, State};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::balance::Balanced;
use crate::forces::{ContactForce, JointForce, ParticlePush, Push, Untold};
use crate::ranges::BadOption;
use crate::report::Report;

/// Takes a step of every simulation given, and leaves what came of it in each. What is needed meanwhile is kept for the next time.
pub type SideBySide = fn(&mut [Moving<'_>], &mut Scratch);

/// What a solver needs while it steps several simulations, whichever they are; none before it is first used.
pub type Scratch = Option<Box<dyn Any + Send>>;

/// A simulation that is stepped beside others.
pub struct Moving<'a> {
    /// Its solver.
    pub solver: &'a mut dyn Solver,
    /// Its model.
    pub model: &'a Model,
    /// Where everything is.
    pub state: &'a mut State,
    /// What is asked for.
    pub control: &'a Control,
    /// Its collision pipeline.
    pub collide: &'a mut Collide,
    /// Its time step \[s\].
    pub dt: f64,
    /// What came of the step; none before it.
    pub result: &'a mut Option<Result<Report, StepError>>,
}

/// A way to advance a scene in time. Built for one model; refuses at construction what it cannot
/// honour. Multipliers, penalties and lagged friction live here, keyed by contact.
pub trait Solver: Send + Sync {
    /// The name users select it by.
    fn name(&self) -> &'static str;

    /// Advances `state` by `dt` seconds. On error the state is what it was before.
    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError>;

    /// This solver as what it is, for [`Solver::side_by_side`].
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// How several simulations under this solver are stepped at once with less work than one after the other, each with the
    /// result bit for bit that [`Solver::step`] gives; none where that gains nothing.
    fn side_by_side(&self) -> Option<SideBySide> {
        None
    }

    /// Whether contacts are those of [`Collide`], so that a contact hook has its say; one that finds its own says no.
    fn honours_hooks(&self) -> bool {
        true
    }

    /// Replaces `out` by the contact points of the last step and the mean forces they carried in it, in a fixed order;
    /// by nothing before the first step. Or says why it cannot. Asked once after a step: lists may be handed over. Not for steps after
    /// which [`Solver::take_pushes`] says yes: their contacts are read, and there is nothing to take.
    fn take_contacts(&mut self, out: &mut Vec<ContactForce>) -> Result<(), Untold>;

    /// Replaces `out` by the pairs of shapes that pushed each other in the last step, in ascending order, where a solver knows that with
    /// less work than all forces, and says so: contact points are then read by [`Solver::read_contacts`] if somebody asks, and not
    /// taken. `contacts` are those of the last detection.
    fn take_pushes(&mut self, contacts: &Contacts, out: &mut Vec<Push>) -> bool {
        let _ = (contacts, out);
        false
    }

    /// Replaces `out` by what [`Solver::take_contacts`] would hand over, after [`Solver::take_pushes`].
    fn read_contacts(&self, contacts: &Contacts, out: &mut Vec<ContactForce>) {
        let _ = contacts;
        out.clear();
    }

    /// Replaces `out` by the mean force and torque of every joint in the last step, which ended in `state`; by zeros
    /// before the first step. Or says why it cannot.
    fn read_joints(&self, model: &Model, state: &State, out: &mut Vec<JointForce>) -> Result<(), Untold>;

    /// Replaces `out` by what particles did to every body of the model in the last step, also to those that are led; by zeros before the first.
    /// Or says why it cannot.
    fn read_particle_pushes(&self, model: &Model, out: &mut Vec<ParticlePush>) -> Result<(), Untold> {
        out.clear();
        if model.particle_count() == 0 {
            out.resize(model.body_count(), ParticlePush::default());
            return Ok(());
        }
        Err(Untold {
            solver: self.name(),
            what: "what particles do to bodies",
            reason: "it does not sum it up".into(),
            remedy: "use `vbd`".into(),
        })
    }

    /// Forces of the last step that are the change of momentum of every body in it, given the contact points that
    /// [`Solver::take_contacts`] handed over, whose bodies have index `index(id)`; see [`crate::balance`]. Asked only when somebody reads
    /// forces. None where those handed over are as good as it gets.
    fn balanced(&self, _model: &Model, _contacts: &[ContactForce], _index: &dyn Fn(BodyId) -> u32) -> Option<Balanced> {
        None
    }

    /// Everything the solver remembers between steps, so that a run resumes bit for bit.
    fn snapshot(&self) -> Vec<u8>;

    /// Puts back what [`Solver::snapshot`] gave.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError>;

    /// A solver with the same options for an edited model, that goes on with what this one remembers of everything that
    /// stayed. It wakes what the edit disturbed; what is new has no history. Refuses what it cannot honour, as its
    /// constructor does; the initial poses of `model` are those of now.
    fn edited(&self, _model: &Model, _map: &ModelMap) -> Result<Box<dyn Solver>, Refusal> {
        Err(Refusal::Model(Unsupported {
            solver: self.name(),
            reason: "it cannot go on with an edited model".into(),
            remedy: "edit under another solver, or build the simulation anew".into(),
        }))
    }

    /// The colour of every body in the sweeps of the last step, `u32::MAX` where it was not swept: bodies of one colour share no
    /// constraint. None for a solver that does not sweep by colours, and before the first step.
    fn body_colors(&self) -> Option<&[u32]> {
        None
    }

    /// Whether a step of a model with so many contact points in the step before is work enough for several threads: calling them and
    /// waiting for them takes longer than a small one. Where it is not, the step runs on the thread that asks for it, inside
    /// [`alone`](crate::parallel::alone): a solver that says so has loops that heed it.
    fn shares_work(&self, model: &Model, contact_points: usize) -> bool {
        let _ = (model, contact_points);
        true
    }

    /// The device that its steps run on, in words; none for the processor.
    fn device_name(&self) -> Option<String> {
        None
    }

    /// Whether a body is left out of the work because it rests. Never, for a solver that leaves nothing out.
    fn is_asleep(&self, _body: usize) -> bool {
        false
    }

    /// Takes the group of a body back into the work, if it was left out.
    fn wake(&mut self, _body: usize) {}

    /// Stops the group of a body, as these contacts and its joints have it, and leaves it out of the work until something
    /// disturbs it.
    fn put_to_sleep(
        &mut self,
        model: &Model,
        state: &mut State,
        contacts: &Contacts,
        body: usize,
    ) -> Result<(), Unsupported> {
        let _ = (model, state, contacts, body);
        Err(Unsupported {
            solver: self.name(),
            reason: "it leaves no bodies out of the work, so that none can sleep".into(),
            remedy: "use the solver `vbd` with the option `sleeping`, or make the body static".into(),
        })
    }

    /// Forgets the history of the bodies of a world: its next step is a first one, as after building or teleporting them.
    fn reset_world(&mut self, model: &Model, world: u32);
}

/// Why a solver could not be made for a model.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Refusal {
    /// An option is outside its range.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// It cannot honour the model.
    #[error(transparent)]
    Model(#[from] Unsupported),
}

/// Why a model cannot be run by a solver: the entity and what would work.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("solver `{solver}` cannot run this model: {reason}; {remedy}")]
pub struct Unsupported {
    /// The solver that refuses.
    pub solver: &'static str,
    /// What it refuses, naming the entity.
    pub reason: String,
    /// What would work.
    pub remedy: String,
}

impl Unsupported {
    /// Refuses a model with particles: leaving them where they are would be a lie.
    pub fn particles(solver: &'static str, model: &Model) -> Result<(), Self> {
        match model.particle_count() {
            0 => Ok(()),
            count => Err(Self {
                solver,
                reason: format!("it has {count} particles, and only bodies and joints are solved so far"),
                remedy:
                    "use the solver `vbd`, or take the particles, springs, triangles and tetrahedra out of the scene"
                        .into(),
            }),
        }
    }

    /// Refuses what only `vbd` and `structured` honour of joints: those that follow others, bound a turn, or have a largest rate.
    pub fn robot_joints(solver: &'static str, model: &Model) -> Result<(), Self> {
        let fault = |joint: usize| match () {
            () if model.joint_follow[joint].iter().any(Option::is_some) => {
                Some(("follows another, which it cannot couple", "let the joint move by itself"))
            }
            () if model.joint_kind[joint] == JointKind::Cone => {
                Some(("is a cone, which it cannot keep", "bound the axes of a joint of three hinges"))
            }
            () if model.joint_max_rate[joint].iter().any(|rate| rate.is_finite()) => {
                Some(("has a largest rate, which it cannot hold", "take out `max_rate`"))
            }
            () => None,
        };
        match (0..model.joint_count()).find_map(|joint| Some((joint, fault(joint)?))) {
            None => Ok(()),
            Some((joint, (reason, remedy))) => Err(Self {
                solver,
                reason: format!("joint `{}` {reason}", model.joint_name[joint]),
                remedy: format!("use `vbd` or `structured`, or {remedy}"),
            }),
        }
    }
}

/// Why a step failed. The state is left as it was.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StepError {
    /// The time step is not a positive finite number.
    #[error("time step must be a positive number of seconds, got {0}")]
    BadTimeStep(f64),
    /// The solver could not reach an acceptable answer.
    #[error("solver `{solver}` failed at t = {time} s: {reason}")]
    Failed {
        /// The solver.
        solver: &'static str,
        /// Simulated time \[s\].
        time: f64,
        /// What went wrong.
        reason: String,
    },
}

/// Why a snapshot could not be restored.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("the solver state in this checkpoint does not fit: {0}")]
pub struct SnapshotError(pub String);

/// What a solver remembers, as the bytes of its snapshot.
pub fn to_bytes(memory: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(memory).expect("plain numbers always serialise")
}

/// What a solver remembered when it gave these bytes.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, SnapshotError> {
    postcard::from_bytes(bytes).map_err(|error| SnapshotError(error.to_string()))
}
