//! The model of a scene: what there is ([`Model`]), where it is ([`State`]), what drives it
//! ([`Control`]) and what touches ([`Contacts`]). The model knows no solver.
//!
//! Data are structures of arrays, noun first: `body_q`, `joint_parent`, `shape_pose`.
//! SI units. Quaternions are (x, y, z, w). The up-axis is data (gravity); scenes default to +Z up.
#![forbid(unsafe_code)]

pub mod attribute;
pub mod builder;
pub mod contacts;
pub mod dynamics;
pub mod error;
pub mod hash;
pub mod id;
pub mod joint;
pub mod kinematics;
pub mod material;
pub mod model;
pub mod state;
mod validate;

pub use attribute::Attributes;
pub use builder::{
    AttributeTarget, BendMaterial, BodyDef, ClothGrid, ElementMaterial, JointDef, JointFrames, MassSource,
    ModelBuilder, ParticleDef, Rod, RodDef, RodMaterial, RodRest, ShapeDef, SoftGrid,
};
pub use contacts::{ContactEvent, Contacts};
pub use drystone_geometry as geometry;
pub use drystone_geometry::{DMat3, DQuat, DVec3, MassProperties, Pose, Shape, TriMesh};
pub use dynamics::{Energy, Momentum};
pub use error::{Entity, Fault, ModelError};
pub use id::{BodyId, JointId, ParticleId, ShapeId};
pub use joint::{Axis, AxisMode, Drive, JointKind, Limit, RodStiffness};
pub use kinematics::{Chart, CoordinateError, JointTree, LoopError, TreeJoint};
pub use material::Material;
pub use model::{BodyKind, Model, WORLD};
pub use state::{Control, State, Twist};
