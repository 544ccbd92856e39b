//! The passes in `f64`.
// The same source is compiled in `f32`, where these conversions do something.
#![allow(clippy::useless_conversion, clippy::unnecessary_cast, unused_qualifications)]

use drystone_kernels::double as kernels;

/// The scalar of this module.
pub type Real = f64;

#[path = "precise/bodies.rs"]
mod bodies;
#[path = "precise/engine.rs"]
mod engine;
#[path = "precise/lanes.rs"]
mod lanes;
#[path = "precise/offload.rs"]
mod offload;
#[path = "precise/points.rs"]
mod points;
#[path = "precise/rows.rs"]
mod rows;
#[path = "precise/system.rs"]
mod system;

pub use engine::Passes;
