//! The passes in `f32`.

use drystone_kernels::single as kernels;

/// The scalar of this module.
pub type Real = f32;

#[path = "precise/bodies.rs"]
mod bodies;
#[path = "precise/engine.rs"]
mod engine;
#[path = "precise/lanes.rs"]
mod lanes;
// The same source is compiled in `f64`, where its conversions do something.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
#[path = "precise/offload.rs"]
mod offload;
#[path = "precise/points.rs"]
mod points;
#[path = "precise/rows.rs"]
mod rows;
#[path = "precise/system.rs"]
mod system;

pub use engine::Passes;
