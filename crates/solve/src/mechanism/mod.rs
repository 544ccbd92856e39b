//! Questions about a mechanism other than where it goes next: what its joints must do for a given motion, how
//! its mass looks from its joints, what it is as a whole.
//!
//! [`JointSpace`] answers for trees, in the coordinates of their joints.

mod axes;
mod centroidal;
mod inertia;
mod joint_space;
mod motion;

pub use centroidal::Centroidal;
pub use inertia::MassMatrix;
pub use joint_space::{Freedom, JointSpace, NotATree};
