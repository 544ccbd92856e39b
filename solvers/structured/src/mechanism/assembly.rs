//! Putting a mechanism together whose parts lie scattered.

use drystone_model::{Control, Model, State, Twist};

use super::error::MechanismError;
use crate::{ConstraintSystem, StructuredOptions};

/// What is asked of an assembly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssemblyOptions {
    /// Largest joint error allowed \[m\]; angles count with the size of their joint.
    pub tolerance: f64,
    /// Most steps.
    pub max_steps: u32,
    /// Most Krylov iterations for the loops in one step. Far from closed there is no use in solving the
    /// loops exactly.
    pub max_iterations: u32,
}

impl Default for AssemblyOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_steps: 500, max_iterations: 1000 }
    }
}

/// How an assembly went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Assembly {
    /// Steps taken.
    pub steps: u32,
    /// Krylov iterations for loops, all steps together.
    pub iterations: u32,
    /// Largest joint error left \[m\].
    pub error: f64,
}

/// Share of the error that a step shall remove from the loops: an inexact Newton step costs less, and far
/// away the next one corrects it anyway.
const STEP_ACCURACY: f64 = 0.1;

/// Moves the parts of a mechanism until every joint is closed, each as little as its mass allows, and brings
/// them to rest: position projection from wherever they lie. Parts further apart than they are large are turned the
/// right way round first.
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
pub fn assemble(
    model: &Model,
    state: &mut State,
    control: &Control,
    options: AssemblyOptions,
) -> Result<Assembly, MechanismError> {
    let solver = StructuredOptions { max_iterations: options.max_iterations, ..StructuredOptions::default() };
    let mut mechanism = ConstraintSystem::new(model, solver);
    for (body, twist) in state.body_qd.iter_mut().enumerate() {
        if model.body_mass[body] > 0.0 {
            *twist = Twist::default();
        }
    }
    mechanism.read(model, state, control);
    if mechanism.is_scattered() {
        mechanism.align();
        mechanism.bodies.write(model, state);
    }
    let mut assembly = Assembly { error: f64::INFINITY, ..Assembly::default() };
    while assembly.steps < options.max_steps {
        let wanted = options.tolerance.max(STEP_ACCURACY * assembly.error.min(f64::MAX));
        let goal = if assembly.error.is_finite() { wanted } else { options.tolerance };
        let step = mechanism.project_positions(model, state, control, goal, 1)?;
        assembly.steps += step.solves;
        assembly.iterations += step.iterations;
        assembly.error = step.error;
        if step.error <= options.tolerance {
            model.update_joint_angles(state);
            return Ok(assembly);
        }
    }
    Err(MechanismError::NotConverged {
        what: "the assembly",
        reached: assembly.error,
        asked: options.tolerance,
        steps: assembly.steps,
        remedy: "its joints may contradict each other; otherwise start nearer, or allow more steps",
    })
}
