//! The model of a scene: what there is ([`Model`]), where it is ([`State`]), what drives it
//! ([`Control`]) and what touches ([`Contacts`]). The model knows no solver.
//!
//! Data are structures of arrays, noun first: `body_q`, `joint_parent`, `shape_pose`.
//! SI units. Quaternions are (x, y, z, w). The up-axis is data (gravity); scenes default to +Z up.
//!
//! A scene is put together with [`ModelBuilder`], which checks everything at once:
//!
//! ```
//! use drystone_model::{Axis, BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
//!
//! let mut scene = ModelBuilder::new();
//! scene.ground();
//! let door = scene.add_body(BodyDef::dynamic("door").at(DVec3::new(0.5, 0.0, 1.1)).cuboid(DVec3::new(0.45, 0.02, 1.0)));
//! let hinge = scene.add_joint(JointDef::revolute(WORLD, door, DVec3::new(0.0, 0.0, 1.1), DVec3::Z).limit(Axis::AngX, 0.0, 2.0));
//! let model = scene.finalize()?;
//!
//! let mut state = model.state();
//! state.body_qd[door.built_index()].angular = DVec3::Z;
//! let rate = model.joint_rates(&state, hinge.built_index())[Axis::AngX as usize];
//! assert!((rate - 1.0).abs() < 1e-15);
//! # Ok::<(), drystone_model::ModelError>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod attribute;
pub mod builder;
mod cone;
pub mod contacts;
mod drag;
pub mod dynamics;
pub mod error;
pub mod hash;
pub mod id;
pub mod joint;
pub mod kinematics;
pub mod map;
pub mod material;
pub mod model;
mod nearest;
pub mod state;
mod validate;

pub use attribute::Attributes;
pub use builder::{
    AttributeTarget, BendMaterial, BodyDef, ClothGrid, ElementCounts, ElementMaterial, JointDef, JointFrames,
    MassSource, Meeting, ModelBuilder, ParticleDef, Rod, RodDef, RodMaterial, RodRest, RopeMaterial, ShapeDef,
    SheetMaterial, SoftGrid,
};
pub use cone::{Cone, ConeReading};
pub use contacts::{ContactEvent, Contacts};
pub use drag::Drag;
pub use drystone_geometry as geometry;
pub use drystone_geometry::{DMat3, DQuat, DVec3, MassProperties, Pose, Shape, TriMesh};
pub use dynamics::{Energy, Momentum};
pub use error::{Entity, Fault, ModelError};
pub use id::{BodyId, JointId, ParticleId, ShapeId, WorldId};
pub use joint::{Axis, AxisMode, Drive, Follow, JointKind, Limit, RodStiffness, Spring};
pub use kinematics::{Chart, CoordinateError, JointTree, LoopError, TreeJoint};
pub use map::{IndexMap, ModelMap};
pub use material::Material;
pub use model::{BodyKind, Model, WORLD};
pub use nearest::nearest;
pub use state::{Control, State, Twist};
