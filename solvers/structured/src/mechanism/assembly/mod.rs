//! Putting a mechanism together whose parts lie scattered.

mod best_turn;
mod closing;
mod open;
mod placing;

use drystone_model::{BodyId, BodyKind, Control, Model, State, Twist};

pub use open::{OpenJoint, PassedStop};

use super::error::MechanismError;
use closing::{Closing, Ended};

/// What is asked of an assembly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssemblyOptions {
    /// Largest joint error allowed \[m\]; angles count with the size of their joint.
    pub tolerance: f64,
    /// Most steps of one attempt.
    pub max_steps: u32,
    /// Most Krylov iterations for the loops in one step. Far from closed there is no use in solving the
    /// loops exactly.
    pub max_iterations: u32,
    /// Most attempts: parts that end entangled are turned about and tried again.
    pub max_attempts: u32,
    /// Of the turns by chance in later attempts.
    pub seed: u64,
}

impl Default for AssemblyOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_steps: 500, max_iterations: 1000, max_attempts: 40, seed: 0 }
    }
}

/// How an assembly went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assembly {
    /// Attempts made.
    pub attempts: u32,
    /// Steps taken, all attempts together.
    pub steps: u32,
    /// Krylov iterations for loops, all steps together.
    pub iterations: u32,
    /// Largest joint error left \[m\], elastic joints not counted.
    pub error: f64,
    /// Joints that stay open by more than the tolerance, the worst first. Elastic ones are among them if the others
    /// could only be closed by stretching them.
    pub open: Vec<OpenJoint>,
}

impl Assembly {
    /// Whether every joint is closed that is not elastic.
    pub fn is_closed(&self) -> bool {
        self.open.iter().all(|open| open.elastic)
    }
}

/// How far an assembly is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AssemblyProgress {
    /// The attempt, from one.
    pub attempt: u32,
    /// Steps of the attempt.
    pub step: u32,
    /// Largest joint error \[m\].
    pub error: f64,
}

/// An assembly to be made: what [`assemble`] does, with parts that stay where they are and somebody who watches.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, JointDef, JointKind, ModelBuilder, Pose};
/// use drystone_structured::mechanism::{Assembling, AssemblyOptions};
/// let mut scene = ModelBuilder::new();
/// let anvil = scene.add_body(BodyDef::dynamic("anvil").sphere(0.1));
/// let part = scene.add_body(BodyDef::dynamic("part").at(DVec3::new(3.0, 1.0, -2.0)).sphere(0.1));
/// let (hook, eye) = (Pose::IDENTITY, Pose::from_translation(DVec3::X));
/// scene.add_joint(JointDef::new(JointKind::Ball, anvil, part).frames(hook, eye));
/// let model = scene.finalize()?;
/// let mut state = model.state();
/// let options = AssemblyOptions::default();
/// let done = Assembling::new(&model, &model.control(), options).keep(&[anvil]).run(&mut state)?;
/// assert!(done.is_closed() && state.body_q[0] == model.body_q[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Assembling<'a> {
    model: Model,
    control: &'a Control,
    options: AssemblyOptions,
    watch: Option<Box<dyn FnMut(AssemblyProgress) + Send + 'a>>,
}

impl<'a> Assembling<'a> {
    /// An assembly of all parts of a model that forces move.
    pub fn new(model: &Model, control: &'a Control, options: AssemblyOptions) -> Self {
        Self { model: model.clone(), control, options, watch: None }
    }

    /// Bodies that stay where they are. Static and kinematic ones do anyway.
    ///
    /// # Panics
    /// If one of them is not in the model.
    #[must_use]
    pub fn keep(mut self, bodies: &[BodyId]) -> Self {
        bodies.iter().for_each(|body| self.model.body_kind[body.built_index()] = BodyKind::Static);
        self
    }

    /// Calls back after every step.
    #[must_use]
    pub fn watch(mut self, watch: impl FnMut(AssemblyProgress) + Send + 'a) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// Moves the parts of a state together and brings them to rest. Where that cannot be done, the state is the nearest
    /// that was found, and [`Assembly::open`] says what stays open.
    ///
    /// # Errors
    /// If the equations of a tree are singular.
    pub fn run(self, state: &mut State) -> Result<Assembly, MechanismError> {
        let Self { model, control, options, mut watch } = self;
        for (body, twist) in state.body_qd.iter_mut().enumerate() {
            if model.body_kind[body] == BodyKind::Dynamic {
                *twist = Twist::default();
            }
        }
        let mut closing = Closing::new(&model, control, state, options);
        let mut assembly = Assembly::default();
        let mut best = state.clone();
        let mut ended = Ended::Stuck;
        // Springs are closed with the rest; what can only be closed without them comes after.
        for elastic in [true, false] {
            if ended == Ended::Closed || !elastic && !closing.has_springs() {
                break;
            }
            closing.elastic = elastic;
            let mut least = f64::INFINITY;
            for attempt in 1..=options.max_attempts.max(1) {
                closing.place(attempt, &best);
                assembly.attempts += 1;
                let number = assembly.attempts;
                ended = closing.close(&mut |step, error| {
                    if let Some(watch) = &mut watch {
                        watch(AssemblyProgress { attempt: number, step, error });
                    }
                })?;
                if closing.squares() < least {
                    least = closing.squares();
                    closing.write(&mut best);
                }
                if ended == Ended::Closed {
                    break;
                }
            }
        }
        assembly.steps = closing.steps;
        assembly.iterations = closing.iterations;
        closing.read(&best);
        assembly.open = closing.open_joints();
        assembly.error = closing.worst();
        *state = best;
        Ok(assembly)
    }
}

/// Moves the parts of a mechanism until every joint is closed and no stop is passed, each as little as its mass allows, and
/// brings them to rest. Parts may lie anywhere and any way round. Static and kinematic bodies stay; springs and
/// drives are not asked.
///
/// A step is one of Levenberg and Marquardt's: least squares of all joint errors, damped by the masses, by the
/// elimination that also steps the mechanism. Parts that lie further apart than they are large are first placed one after
/// the other where they fit best; attempts that end entangled are turned about by chance, the same on every run.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, JointDef, JointKind, ModelBuilder, Pose, WORLD};
/// use drystone_structured::mechanism::{AssemblyOptions, assemble};
/// let mut scene = ModelBuilder::new();
/// let part = scene.add_body(BodyDef::dynamic("part").at(DVec3::new(3.0, 1.0, -2.0)).sphere(0.1));
/// let (hook, eye) = (Pose::IDENTITY, Pose::from_translation(DVec3::X));
/// scene.add_joint(JointDef::new(JointKind::Ball, WORLD, part).frames(hook, eye));
/// let model = scene.finalize()?;
/// let mut state = model.state();
/// let assembly = assemble(&model, &mut state, &model.control(), AssemblyOptions::default())?;
/// assert!(assembly.error <= 1e-9 && (state.body_q[0] * eye).translation.length() <= 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If joints stay open, naming them; the state is then the nearest that was found.
pub fn assemble(
    model: &Model,
    state: &mut State,
    control: &Control,
    options: AssemblyOptions,
) -> Result<Assembly, MechanismError> {
    let assembly = Assembling::new(model, control, options).run(state)?;
    if assembly.is_closed() { Ok(assembly) } else { Err(MechanismError::Open { assembly }) }
}
