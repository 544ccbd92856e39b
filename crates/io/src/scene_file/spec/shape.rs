//! Shapes and what they are made of.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess};
use serde::{Deserialize, Serialize};

use drystone_geometry::{DVec3, Hull, HullError};

use super::either::{self, Forms};
use super::place::Rotation;

/// A collision shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeSpec {
    /// Name, unique among shapes; `shape_<number>` if not given.
    pub name: Option<String>,
    /// Body that wears it; only for shapes listed outside of bodies, where none means the world.
    pub body: Option<String>,
    /// World it stands in, counted from 0; only for shapes that no body wears.
    pub world: Option<u32>,
    /// What it looks like.
    pub geometry: GeometrySpec,
    /// Position in the frame of the body [m]; the origin if not given.
    pub position: Option<[f64; 3]>,
    /// Rotation in the frame of the body; none if not given.
    pub rotation: Option<Rotation>,
    /// What it is made of: the name of one of `materials`, or its properties.
    pub material: Option<MaterialRef>,
    /// Skin kept free around the surface in contact [m]; 0 if not given.
    pub margin: Option<f64>,
    /// Groups it belongs to, as bits; 1 if not given.
    pub group: Option<u32>,
    /// Groups it meets, as bits; all if not given. Two shapes collide if each meets the other.
    pub mask: Option<u32>,
    /// Whether it only tells what overlaps it, and neither pushes nor weighs anything; false if not given.
    pub sensor: Option<bool>,
    /// Velocity of its surface relative to the body, in the frame of the body (of the world, if no body wears it) [m/s]:
    /// a conveyor belt; 0 if not given.
    pub surface_velocity: Option<[f64; 3]>,
    /// Solver attributes by `solver.name`.
    #[serde(default)]
    pub attributes: BTreeMap<String, f64>,
}

/// The geometry of a shape. Shapes with an axis have it along local z and are centred on the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum GeometrySpec {
    /// A ball.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A box.
    Box {
        /// Half of the extents along x, y, z [m].
        half: [f64; 3],
    },
    /// A segment along z swept by a ball.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half of the height without the caps [m].
        half_height: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half of the height [m].
        half_height: f64,
    },
    /// A cone along z, apex up.
    Cone {
        /// Radius of the base [m].
        radius: f64,
        /// Half of the height [m].
        half_height: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes along x, y, z [m].
        radii: [f64; 3],
    },
    /// Everything below the local plane z = 0. Not for bodies that move.
    HalfSpace,
    /// A convex polyhedron.
    Hull(HullSpec),
    /// A closed triangle mesh.
    Mesh(MeshSpec),
    /// Terrain, centred on the origin. Not for dynamic bodies.
    Heightfield {
        /// Samples along x.
        columns: usize,
        /// Samples along y.
        rows: usize,
        /// Distance between samples along x and y [m].
        spacing: [f64; 2],
        /// Heights, row by row [m].
        heights: Vec<f64>,
    },
}

/// A triangle mesh: from a file, or written out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MeshSpec {
    /// Mesh file (.obj, .stl, .ply, .gltf, .glb), relative to the scene file.
    pub file: Option<String>,
    /// Name of the part of the file to take; all of it if not given.
    pub part: Option<String>,
    /// Factor on the coordinates of the file, one number or one for each of x, y, z; 0.001 for millimetres.
    pub scale: Option<Scale>,
    /// Axis that points up in the file; "y" turns it to z.
    pub up: Option<UpAxis>,
    /// Merges vertices closer than this fraction of the size of the mesh, to close seams.
    pub weld: Option<f64>,
    /// Closes what is nearly closed: merges equal vertices, drops empty triangles, turns triangles outwards.
    pub repair: Option<bool>,
    /// Makes a shell of this thickness of an open surface [m].
    pub thicken: Option<f64>,
    /// Vertices [m], instead of a file.
    pub vertices: Vec<[f64; 3]>,
    /// Vertex numbers of every triangle, counted from 0, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A convex hull: of a mesh file, of points, or with its faces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HullSpec {
    /// Mesh file whose vertices are wrapped, relative to the scene file.
    pub file: Option<String>,
    /// Name of the part of the file to take; all of it if not given.
    pub part: Option<String>,
    /// Factor on the coordinates of the file, one number or one for each of x, y, z.
    pub scale: Option<Scale>,
    /// Axis that points up in the file; "y" turns it to z.
    pub up: Option<UpAxis>,
    /// Points to wrap [m], instead of a file.
    pub points: Vec<[f64; 3]>,
    /// A finished hull, as the exporter writes it where wrapping its points again would change a digit.
    pub arrays: Option<HullArraysSpec>,
}

/// All arrays of a hull; see `drystone_geometry::Hull`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HullArraysSpec {
    /// Vertices [m].
    pub vertices: Vec<[f64; 3]>,
    /// Vertex numbers of all faces, one after the other.
    pub face_vertex: Vec<u32>,
    /// Where every face starts in `face_vertex`, and where the last one ends.
    pub face_start: Vec<u32>,
    /// Outward unit normal of every face.
    pub face_normal: Vec<[f64; 3]>,
    /// Distance of every face plane from the origin along its normal [m].
    pub face_offset: Vec<f64>,
    /// Edges as vertex pairs.
    pub edges: Vec<[u32; 2]>,
    /// The two faces at every edge.
    pub edge_face: Vec<[u32; 2]>,
    /// Neighbours of all vertices along edges, one after the other.
    pub vertex_neighbor: Vec<u32>,
    /// Where the neighbours of every vertex start, and where the last ones end.
    pub vertex_neighbor_start: Vec<u32>,
    /// Centre of volume [m].
    pub centroid: [f64; 3],
}

impl HullArraysSpec {
    /// The arrays of a hull.
    pub fn from_hull(hull: &Hull) -> Self {
        let arrays = |vectors: &[DVec3]| vectors.iter().map(|vector| vector.to_array()).collect();
        Self {
            vertices: arrays(&hull.vertices),
            face_vertex: hull.face_vertex.clone(),
            face_start: hull.face_start.clone(),
            face_normal: arrays(&hull.face_normal),
            face_offset: hull.face_offset.clone(),
            edges: hull.edges.clone(),
            edge_face: hull.edge_face.clone(),
            vertex_neighbor: hull.vertex_neighbor.clone(),
            vertex_neighbor_start: hull.vertex_neighbor_start.clone(),
            centroid: hull.centroid.to_array(),
        }
    }

    /// The hull of the arrays, or why they do not fit together.
    pub fn hull(&self) -> Result<Hull, HullError> {
        let vectors = |arrays: &[[f64; 3]]| arrays.iter().copied().map(DVec3::from_array).collect();
        let hull = Hull {
            vertices: vectors(&self.vertices),
            face_vertex: self.face_vertex.clone(),
            face_start: self.face_start.clone(),
            face_normal: vectors(&self.face_normal),
            face_offset: self.face_offset.clone(),
            edges: self.edges.clone(),
            edge_face: self.edge_face.clone(),
            vertex_neighbor: self.vertex_neighbor.clone(),
            vertex_neighbor_start: self.vertex_neighbor_start.clone(),
            centroid: DVec3::from_array(self.centroid),
        };
        hull.check().map(|()| hull)
    }
}

/// A factor on coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Scale {
    /// The same along all axes.
    Uniform(f64),
    /// Along x, y and z.
    Axes([f64; 3]),
}

impl Forms for Scale {
    const EXPECTED: &'static str = "a number or a list of three";

    fn from_number(value: f64) -> Option<Self> {
        Some(Self::Uniform(value))
    }

    fn from_list<'de, A: SeqAccess<'de>>(list: SeqAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        Some(either::array(list).map(Self::Axes))
    }
}

impl<'de> Deserialize<'de> for Scale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        either::read(deserializer)
    }
}

/// The axis that points up in a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UpAxis {
    /// Y is up, as in glTF; turned to z.
    Y,
    /// Z is up, as here.
    Z,
}

/// A material by name or by its properties.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MaterialRef {
    /// The name of one of `materials`.
    Name(String),
    /// The properties.
    Inline(MaterialSpec),
}

impl Forms for MaterialRef {
    const EXPECTED: &'static str = "the name of a material or its properties { density: …, friction: … }";

    fn from_text(name: &str) -> Option<Self> {
        Some(Self::Name(name.to_owned()))
    }

    fn from_object<'de, A: MapAccess<'de>>(map: MapAccessDeserializer<A>) -> Option<Result<Self, A::Error>> {
        Some(MaterialSpec::deserialize(map).map(Self::Inline))
    }
}

impl<'de> Deserialize<'de> for MaterialRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        either::read(deserializer)
    }
}

/// What a surface is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MaterialSpec {
    /// Density [kg/m³]; 1000 if not given.
    pub density: Option<f64>,
    /// Friction coefficient, static and dynamic alike; 0.6 if not given.
    pub friction: Option<f64>,
    /// Friction coefficient while sticking; `friction` if not given.
    pub friction_static: Option<f64>,
    /// Friction coefficient while sliding; `friction` if not given.
    pub friction_dynamic: Option<f64>,
    /// Ratio of separating to approaching speed, 0 to 1; 0 if not given.
    pub restitution: Option<f64>,
    /// Normal contact stiffness [N/m]; hard if not given.
    pub stiffness: Option<f64>,
    /// Normal contact damping while approaching [N·s/m]; 0 if not given.
    pub damping: Option<f64>,
    /// Torsional friction as a radius [m]; 0 if not given.
    pub friction_torsional: Option<f64>,
    /// Rolling resistance as a radius [m]; 0 if not given.
    pub friction_rolling: Option<f64>,
}
