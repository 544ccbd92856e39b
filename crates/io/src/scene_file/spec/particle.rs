//! Particles and the elements between them. Particles are numbered from 0 in the order of the file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A particle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParticleSpec {
    /// Initial position [m].
    pub position: [f64; 3],
    /// Initial velocity [m/s]; at rest if not given.
    pub velocity: Option<[f64; 3]>,
    /// Mass [kg]; 0 pins the particle.
    pub mass: f64,
    /// Contact radius [m]; 0 if not given.
    pub radius: Option<f64>,
    /// How it rubs, and whom it meets.
    pub surface: Option<SurfaceSpec>,
    /// World it lives in, counted from 0; 0 if not given.
    pub world: Option<u32>,
}

/// How particles rub, and whom they meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceSpec {
    /// Static and dynamic friction coefficient; what the solver's options say if not given. With what they touch the geometric mean counts.
    pub friction: Option<f64>,
    /// Friction coefficient while sticking; `friction` if not given.
    pub friction_static: Option<f64>,
    /// Friction coefficient while sliding; `friction` if not given.
    pub friction_dynamic: Option<f64>,
    /// Groups they belong to, as bits; 1 if not given.
    pub group: Option<u32>,
    /// Groups of shapes and other particles that they meet, as bits; all if not given.
    pub mask: Option<u32>,
}

/// A spring between two particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringSpec {
    /// The two particles.
    pub particles: [u32; 2],
    /// Rest length [m]; the initial distance if not given.
    pub length: Option<f64>,
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping along the spring [N·s/m]; 0 if not given.
    pub damping: Option<f64>,
}

/// A membrane triangle between three particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TriangleSpec {
    /// The three particles.
    pub particles: [u32; 3],
    /// First constant μ [N/m].
    pub mu: f64,
    /// Second constant λ [N/m].
    pub lambda: f64,
    /// Damping [N·s/m]; 0 if not given.
    pub damping: Option<f64>,
    /// Drag along the stream of the air [kg/m³], half its density times the coefficient; 0 if not given.
    pub drag: Option<f64>,
    /// Lift across the stream of the air [kg/m³], likewise; 0 if not given.
    pub lift: Option<f64>,
    /// Inverse of the rest edge matrix, column by column [1/m]; from the initial positions if not given.
    pub rest: Option<[f64; 4]>,
    /// Rest area [m²]; from the initial positions if not given.
    pub area: Option<f64>,
}

/// A bending edge: two particles opposite to it, then its own two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeSpec {
    /// Opposite particles (null on a boundary), then the particles of the edge.
    pub particles: [Option<u32>; 4],
    /// Bending stiffness [N·m/(rad·m)].
    pub stiffness: f64,
    /// Damping [N·m·s/(rad·m)]; 0 if not given.
    pub damping: Option<f64>,
    /// Rest angle [rad].
    pub angle: f64,
    /// Rest length [m].
    pub length: f64,
}

/// Resistance of all triangles to being folded along the edges between them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BendSpec {
    /// Bending stiffness [N·m/(rad·m)].
    pub stiffness: f64,
    /// Damping [N·m·s/(rad·m)]; 0 if not given.
    pub damping: Option<f64>,
}

/// A tetrahedron between four particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TetrahedronSpec {
    /// The four particles.
    pub particles: [u32; 4],
    /// First constant μ [Pa].
    pub mu: f64,
    /// Second constant λ [Pa].
    pub lambda: f64,
    /// Damping [Pa·s]; 0 if not given.
    pub damping: Option<f64>,
    /// Inverse of the rest edge matrix, column by column [1/m]; from the initial positions if not given.
    pub rest: Option<[[f64; 3]; 3]>,
}

/// A particle that a body or the world holds, or that is sewn to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttachmentSpec {
    /// The particle.
    pub particle: u32,
    /// Name of the body that holds it; the world if not given.
    pub body: Option<String>,
    /// Where it is held [m], in the frame of the body or of the world; where it starts if not given.
    pub point: Option<[f64; 3]>,
    /// Particle that it is sewn to; it is then held by nothing else.
    pub sewn_to: Option<u32>,
    /// Stiffness of a spring without length that draws it there [N/m]; it is held firmly if not given.
    pub stiffness: Option<f64>,
}
