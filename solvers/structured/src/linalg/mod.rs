//! The linear algebra that is this solver's own: elimination of bodies and joints along trees, elimination of a chain
//! from both ends, and quadratic programs with bounds and friction cones.

pub(crate) mod bounded;
mod saddle_solve;
mod tree_layout;
pub(crate) mod twisted;

pub(crate) use saddle_solve::SaddleSolver;
pub use tree_layout::SingularBlock;
