//! Joints as every solver reads them: six coordinates of two frames, their change with the bodies, and
//! the list of those that are held at a value. A joint type is nothing but such a list.

mod angles;
mod axes;
mod efforts;
mod geometric_stiffness;
mod held;
mod product;
mod wide;

pub use angles::update_angles;
pub use axes::{Axes, JointGeometry, Placement, Turns};
pub use efforts::Wrench;
pub use geometric_stiffness::{geometric_stiffness, geometric_stiffness_psd};
pub use held::{HeldAxis, JointRow, held_axes, rod_constants};
pub use wide::{TurnKind, WideTurns};
