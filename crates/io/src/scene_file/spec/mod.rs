//! What a scene file may say. The documentation of these types becomes the published JSON schema, so
//! it speaks to those who write scene files. All quantities are in SI units; angles are in radians
//! unless a key says degrees.

// Units stand in plain brackets: these comments become the descriptions of the JSON schema.
#![allow(rustdoc::broken_intra_doc_links)]

mod body;
mod either;
mod include;
mod joint;
mod motion;
mod particle;
mod piece;
mod place;
mod settings;
mod shape;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use body::{BodyKindSpec, BodySpec, CopySpec, DragSpec, MassSpec};
pub use include::{BaseSpec, IncludeSpec, Includes};
pub use joint::{
    AxisName, AxisSpec, AxisSpringSpec, DriveSpec, FollowSpec, JointKindSpec, JointSpec, LimitSpec, RodGraphSpec,
    RodMaterialSpec, RodSpec, RodStiffnessSpec,
};
pub use motion::{KeySpec, MotionSpec};
pub use particle::{
    AttachmentSpec, BendSpec, EdgeSpec, ParticleSpec, SpringSpec, SurfaceSpec, TetrahedronSpec, TriangleSpec,
};
pub use piece::{BlockSpec, ClothSpec, HoldSpec, PieceStart, RectangleSpec, RopeSpec, SheetSpec, SoftSpec, SolidSpec};
pub use place::{AxisAngle, FrameSpec, Rotation, parts, pose};
pub use settings::{CameraHint, OptionValue, SceneSettings};
pub use shape::{
    GeometrySpec, HullArraysSpec, HullSpec, MaterialRef, MaterialSpec, MeshSpec, Scale, ShapeSpec, UpAxis,
};

/// A scene: what there is, where it starts, and how it is meant to be run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "Drystone scene")]
pub struct SceneSpec {
    /// Where the schema of this file is, for editors.
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// Name of the scene.
    pub name: Option<String>,
    /// What the scene shows, in a sentence.
    pub about: Option<String>,
    /// How the scene is meant to be run; the command line overrides it.
    pub settings: SceneSettings,
    /// Robots from URDF or MJCF files; their gravity, time step and actuators are not taken over.
    pub include: Includes,
    /// Gravity [m/s²], where the scene has a single world; [0, 0, -9.81] if not given.
    pub gravity: Option<[f64; 3]>,
    /// Velocity of the air [m/s], where the scene has a single world; at rest if not given. Triangles with a drag or a lift feel it.
    pub wind: Option<[f64; 3]>,
    /// Independent worlds; bodies of different worlds never meet. One world if not given.
    pub worlds: Vec<WorldSpec>,
    /// Materials by name, for shapes to refer to.
    pub materials: BTreeMap<String, MaterialSpec>,
    /// Rigid bodies.
    pub bodies: Vec<BodySpec>,
    /// Shapes that stand in the world by themselves, such as the ground, or that name the body that wears them.
    pub shapes: Vec<ShapeSpec>,
    /// Joints between bodies, or between a body and the world.
    pub joints: Vec<JointSpec>,
    /// Drives and kinematic bodies whose targets change with time.
    pub motions: Vec<MotionSpec>,
    /// Rods and cables, each a chain of capsules.
    pub rods: Vec<RodSpec>,
    /// Nets of rods: nodes joined by segments.
    pub rod_graphs: Vec<RodGraphSpec>,
    /// Cloth, which `vbd` takes. Its particles are numbered after those of `particles`.
    pub cloth: Vec<ClothSpec>,
    /// Soft bodies, likewise, after cloth.
    pub soft: Vec<SoftSpec>,
    /// Ropes, likewise, after soft bodies.
    pub ropes: Vec<RopeSpec>,
    /// Particles, which `vbd` takes.
    pub particles: Vec<ParticleSpec>,
    /// Springs between particles.
    pub springs: Vec<SpringSpec>,
    /// Membrane triangles between particles.
    pub triangles: Vec<TriangleSpec>,
    /// Makes a bending edge of every edge of `triangles`.
    pub bend: Option<BendSpec>,
    /// Bending edges between particles, one by one, after those of `bend`.
    pub edges: Vec<EdgeSpec>,
    /// Tetrahedra between particles.
    pub tetrahedra: Vec<TetrahedronSpec>,
    /// Particles that bodies or the world hold, and seams.
    pub attachments: Vec<AttachmentSpec>,
    /// Pairs of shapes, of bodies or of particles that never collide.
    pub filters: Vec<FilterSpec>,
    /// Solver attributes that are not zero where an entity does not set them, by `solver.name`.
    pub attribute_defaults: AttributeDefaults,
}

/// Defaults of solver attributes, by the kind of entity that carries them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AttributeDefaults {
    /// Of bodies.
    pub body: BTreeMap<String, f64>,
    /// Of shapes.
    pub shape: BTreeMap<String, f64>,
    /// Of joints.
    pub joint: BTreeMap<String, f64>,
}

/// An independent world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WorldSpec {
    /// Gravity [m/s²]; [0, 0, -9.81] if not given.
    pub gravity: Option<[f64; 3]>,
    /// Velocity of the air [m/s]; at rest if not given.
    pub wind: Option<[f64; 3]>,
}

/// Two shapes, the shapes of two bodies, or two particles, that never collide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FilterSpec {
    /// The names of two shapes.
    Shapes([String; 2]),
    /// The names of two bodies.
    Bodies([String; 2]),
    /// The numbers of two particles. Triangles and edges that they are corners of do not meet each other either.
    Particles([u32; 2]),
}
