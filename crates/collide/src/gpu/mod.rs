//! The pipeline on a GPU, for solvers whose state lives there: placements and boxes, a tree, pairs, manifolds of up to four points, and
//! their match to the step before. Nothing goes to the host, and nothing depends on the order in which units arrive.
//!
//! Places are a whole number of metres and an offset in single precision, so that a difference of two of them loses nothing. Contacts are
//! found in the frame of the first shape of a pair, the one with the smaller number. Spheres, boxes, capsules and half-spaces are known
//! ([`check`]).
//!
//! The list of pairs has a capacity. Where it is too small nothing is listed, a word of the flags says so, and kernels after it leave
//! everything as it was: the host makes room and takes the step again.
// Kernels call only what `#[cube]` takes, and `is_multiple_of` is not among it; both sides of `&&` are worked out there.
#![allow(clippy::manual_is_multiple_of, clippy::assign_op_pattern, clippy::manual_clamp, clippy::collapsible_if)]
#![allow(missing_docs)]

mod boxes;
mod face;
pub mod memory;
mod narrow;
mod pairs;
mod pipeline;
mod place;
mod query;
mod round;
mod shapes;
mod tree;

pub use narrow::{ANCHOR_WORDS, CONTACT_WORDS, NO_LANE, NO_MATCH, PAIR_WORDS};
pub use pairs::{OVERFLOW, PAIR_DEMAND, TOO_MANY_PAIRS, sort_row};
pub use pipeline::{BodyArrays, DeviceCollide, PAIR_MEMORY, Remembered};
pub use place::{BOUND_WORDS, MOTION_WORDS};
pub use query::NO_AXIS;
pub use shapes::{
    BOX, CAPSULE, CELL_WORDS, DYNAMIC, HALF_SPACE, INFO_WORDS, LED, PLACE_WORDS, Refused, SIZE_WORDS, SPHERE,
    ShapeTables, check, split,
};
