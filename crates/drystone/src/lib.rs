//! Drystone: a physics engine for rigid, nearly rigid and deformable bodies in contact.
#![forbid(unsafe_code)]

pub mod recording;

pub use drystone_collide as collide;
pub use drystone_geometry as geometry;
pub use drystone_model as model;
pub use drystone_solve as solve;
pub use recording::Recording;
