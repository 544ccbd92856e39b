//! Questions about a mechanism other than where it goes next.
//!
//! | question | answer |
//! |---|---|
//! | what must the joints do for a given motion? | [`JointSpace::inverse_dynamics`] for trees, [`driving_efforts`] with loops |
//! | what does every joint carry? | [`joint_forces`] |
//! | where does it come to rest? | [`equilibrium`] |
//! | how do scattered parts go together? | [`assemble`] |
//! | how does its mass look from its joints? | [`JointSpace::mass_matrix`] |
//! | what is it as a whole? | [`JointSpace::centroidal`] |
//! | how do points, frames and contacts move with its joints? | [`JointSpace::point_jacobian`] and its like |
//! | how does a step depend on state, control and masses? | [`step_derivatives`] |
//!
//! [`JointSpace`] answers for trees, in the coordinates of their joints. The others take loops as well and are
//! made of the solves of [`crate`].

mod assembly;
mod axes;
mod centroidal;
mod equilibrium;
mod error;
mod forces;
mod inertia;
mod inverse;
mod jacobian;
mod joint_space;
mod matrix;
mod motion;
mod step_derivatives;

pub use assembly::{Assembling, Assembly, AssemblyOptions, AssemblyProgress, OpenJoint, PassedStop, assemble};
pub use centroidal::Centroidal;
pub use equilibrium::{Equilibrium, EquilibriumOptions, equilibrium};
pub use error::{ContactEdge, MechanismError};
pub use forces::{JointForce, joint_forces};
pub use inertia::MassMatrix;
pub use inverse::{DrivenAxis, driving_efforts};
pub use jacobian::contact_axes;
pub use joint_space::{Freedom, JointSpace, NotATree};
pub use matrix::Matrix;
pub use step_derivatives::{StepDerivatives, step_derivatives};
