//! Attributes of single joints under the published methods: largest stiffness and damping of their hard constraints. Zero
//! means that the options of the solver hold.

use drystone_model::{Entity, Model, ModelBuilder};

/// Largest stiffness of hard translations \[N/m\] and rotations \[N·m/rad\].
const STIFFNESS: [&str; 2] = ["vbd.k_max_linear", "vbd.k_max_angular"];
/// Damping of hard translations and rotations relative to their stiffness \[s\].
const DAMPING: [&str; 2] = ["vbd.kd_linear", "vbd.kd_angular"];

/// Declares the attributes, zero by default.
pub fn declare(scene: &mut ModelBuilder) {
    STIFFNESS.into_iter().chain(DAMPING).for_each(|name| scene.declare_attribute(name, Entity::Joint, 0.0));
}

fn values(model: &Model, joint: usize, names: [&str; 2]) -> [f64; 2] {
    let value = |name| model.attributes.joint.get(name).and_then(|values| values.get(joint)).copied();
    names.map(|name| value(name).filter(|value| *value > 0.0).unwrap_or(0.0))
}

/// Largest stiffness of the translations and rotations of a joint; zero for that of the solver.
pub fn largest(model: &Model, joint: usize) -> [f64; 2] {
    values(model, joint, STIFFNESS)
}

/// Damping of the translations and rotations of a joint relative to their stiffness \[s\].
pub fn damping(model: &Model, joint: usize) -> [f64; 2] {
    values(model, joint, DAMPING)
}
