//! Joints as every solver reads them: six coordinates of two frames, their change with the bodies, and
//! the list of those that are held at a value. A joint type is nothing but such a list.

mod axes;
mod efforts;
mod held;
mod product;

pub use axes::{Axes, JointGeometry, Placement};
pub use efforts::Wrench;
pub use held::{HeldAxis, JointRow, held_axes, rod_constants};
