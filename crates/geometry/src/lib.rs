//! Shapes, meshes, mass properties, hulls, trees, distances with derivatives and continuous
//! collision detection. Pure geometry: no state, no time, no solver. All lengths are in metres,
//! all arithmetic is `f64`.
//!
//! ```
//! use drystone_geometry::{DVec3, Pose, Ray, Shape};
//!
//! let shape = Shape::cylinder(0.5, 1.0)?;
//! let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 3.0));
//! let steel = shape.mass_properties(7800.0)?;
//! assert!((steel.mass - 7800.0 * std::f64::consts::PI * 0.5 * 0.5 * 2.0).abs() < 1e-9);
//! assert_eq!(shape.aabb(&pose).max.z, 4.0);
//!
//! let ray = Ray::new(DVec3::new(0.1, 0.0, 10.0), DVec3::NEG_Z);
//! let hit = shape.cast_ray(&pose, &ray, f64::INFINITY).expect("the ray points at the lid");
//! assert_eq!((hit.time, hit.normal), (6.0, DVec3::Z));
//! # Ok::<(), drystone_geometry::ShapeError>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod aabb;
pub mod bvh;
pub mod ccd;
pub mod distance;
pub mod fill;
pub mod hull;
pub mod mass;
pub mod mesh;
pub mod pose;
pub mod predicates;
pub mod ray;
pub mod shape;
mod size;
mod weld;

pub use aabb::Aabb;
pub use fill::{FillError, TetMesh};
pub use glamx::{DMat3, DQuat, DVec3};
pub use hull::{Hull, HullError};
pub use mass::MassProperties;
pub use mesh::{MeshFault, TriMesh};
pub use pose::Pose;
pub use ray::{Ray, RayHit};
pub use shape::{Heightfield, Projection, Shape, ShapeError, Solid, Tessellation};
