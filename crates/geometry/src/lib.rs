//! Shapes, meshes, mass properties, hulls, trees, distances with derivatives and continuous
//! collision detection. Pure geometry: no state, no time, no solver. All lengths are in metres,
//! all arithmetic is `f64`.
#![forbid(unsafe_code)]

pub mod mass;
pub mod mesh;
pub mod pose;
pub mod shape;
pub mod surface;

pub use glamx::{DMat3, DQuat, DVec3};
pub use mass::MassProperties;
pub use mesh::TriMesh;
pub use pose::Pose;
pub use shape::{Heightfield, Hull, Shape};
