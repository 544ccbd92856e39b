//! Cloth, soft bodies and ropes as wholes, by what they are made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use drystone_geometry::Pose;

use super::particle::SurfaceSpec;
use super::place::{Rotation, pose};
use super::shape::MeshSpec;

/// A piece of cloth: a rectangle or a mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClothSpec {
    /// A rectangle in the xy plane, its middle at the origin.
    pub rectangle: Option<RectangleSpec>,
    /// A surface, open or closed, each of its triangles one of cloth; instead of `rectangle`.
    pub mesh: Option<MeshSpec>,
    /// What it is made of.
    pub material: SheetSpec,
    /// Where its origin is [m]; [0, 0, 0] if not given.
    pub position: Option<[f64; 3]>,
    /// How it is turned about that; not at all if not given.
    pub rotation: Option<Rotation>,
    /// Initial velocity [m/s]; at rest if not given.
    pub velocity: Option<[f64; 3]>,
    /// How it rubs, and whom it meets.
    pub surface: Option<SurfaceSpec>,
    /// What holds some of its particles.
    #[serde(default)]
    pub hold: Vec<HoldSpec>,
    /// World it lives in, counted from 0; 0 if not given.
    pub world: Option<u32>,
}

/// A rectangle of squares, each cut into two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RectangleSpec {
    /// Sides along x and y [m].
    pub size: [f64; 2],
    /// Number of squares along x and y.
    pub cells: [usize; 2],
}

/// What a sheet is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetSpec {
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio; 0.3 if not given.
    pub poisson: Option<f64>,
    /// Thickness [m]; particles have half of it as radius.
    pub thickness: f64,
    /// Density [kg/m³].
    pub density: f64,
    /// Time over which stretching and folding are damped [s]; 0 if not given.
    pub damping: Option<f64>,
    /// Factor on the resistance to folding; 1, that of a plate, if not given. What is woven folds more easily.
    pub bending: Option<f64>,
    /// Drag along the stream of the air [kg/m³], half its density times the coefficient; 0 if not given.
    pub drag: Option<f64>,
    /// Lift across the stream of the air [kg/m³], likewise; 0 if not given.
    pub lift: Option<f64>,
}

/// A soft body: a block, or the inside of a closed mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoftSpec {
    /// A block with its middle at the origin.
    pub block: Option<BlockSpec>,
    /// A closed surface; its inside is cut into tetrahedra.
    pub mesh: Option<MeshSpec>,
    /// Length of their edges [m]; needed by `mesh`.
    pub cell: Option<f64>,
    /// What it is made of.
    pub material: SolidSpec,
    /// Radius of the particles in contact [m]; 0 if not given.
    pub radius: Option<f64>,
    /// Where its origin is [m]; [0, 0, 0] if not given.
    pub position: Option<[f64; 3]>,
    /// How it is turned about that; not at all if not given.
    pub rotation: Option<Rotation>,
    /// Initial velocity [m/s]; at rest if not given.
    pub velocity: Option<[f64; 3]>,
    /// How it rubs, and whom it meets.
    pub surface: Option<SurfaceSpec>,
    /// What holds some of its particles.
    #[serde(default)]
    pub hold: Vec<HoldSpec>,
    /// World it lives in, counted from 0; 0 if not given.
    pub world: Option<u32>,
}

/// A block of boxes, each cut into five tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockSpec {
    /// Sides along x, y and z [m].
    pub size: [f64; 3],
    /// Number of boxes along x, y and z.
    pub cells: [usize; 3],
}

/// What a soft body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolidSpec {
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio; 0.4 if not given.
    pub poisson: Option<f64>,
    /// Density [kg/m³].
    pub density: f64,
    /// Damping [Pa·s]; 0 if not given.
    pub damping: Option<f64>,
}

/// A rope of springs along points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RopeSpec {
    /// Points it runs along [m], two or more.
    pub points: Vec<[f64; 3]>,
    /// Number of springs in all.
    pub segments: usize,
    /// Radius [m].
    pub radius: f64,
    /// Young's modulus [Pa].
    pub young: f64,
    /// Density [kg/m³].
    pub density: f64,
    /// Time over which stretching is damped [s]; 0 if not given.
    pub damping: Option<f64>,
    /// Where its origin is [m]; [0, 0, 0] if not given.
    pub position: Option<[f64; 3]>,
    /// How it is turned about that; not at all if not given.
    pub rotation: Option<Rotation>,
    /// Initial velocity [m/s]; at rest if not given.
    pub velocity: Option<[f64; 3]>,
    /// How it rubs, and whom it meets.
    pub surface: Option<SurfaceSpec>,
    /// What holds some of its particles.
    #[serde(default)]
    pub hold: Vec<HoldSpec>,
    /// World it lives in, counted from 0; 0 if not given.
    pub world: Option<u32>,
}

/// Holds the particles of a piece that start inside a box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HoldSpec {
    /// Lowest corner of the box, world frame [m].
    pub from: [f64; 3],
    /// Highest corner of the box [m].
    pub to: [f64; 3],
    /// Name of the body that holds them; the world if not given.
    pub body: Option<String>,
    /// Stiffness of springs without length that hold them [N/m]; they are held firmly if not given.
    pub stiffness: Option<f64>,
}

/// Where and how a piece starts, and what holds it: what all kinds have in common.
#[derive(Clone, Copy, Debug)]
pub struct PieceStart<'a> {
    /// Where its origin is and how it is turned.
    pub pose: Pose,
    /// Initial velocity [m/s].
    pub velocity: Option<[f64; 3]>,
    /// What holds some of its particles.
    pub hold: &'a [HoldSpec],
    /// World it lives in.
    pub world: Option<u32>,
    /// How it rubs, and whom it meets.
    pub surface: Option<SurfaceSpec>,
}

macro_rules! starts {
    ($($spec:ty),*) => {
        $(impl $spec {
            /// Where and how it starts, and what holds it.
            pub fn start(&self) -> PieceStart<'_> {
                let pose = pose(self.position, self.rotation);
                let Self { velocity, world, surface, ref hold, .. } = *self;
                PieceStart { pose, velocity, hold, world, surface }
            }
        })*
    };
}
starts!(ClothSpec, SoftSpec, RopeSpec);
