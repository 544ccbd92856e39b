//! Bodies.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::joint::AxisName;
use super::place::Rotation;
use super::shape::ShapeSpec;

/// A rigid body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BodySpec {
    /// Name, unique among bodies; `body_<number>` if not given.
    pub name: Option<String>,
    /// How it moves; "dynamic" if not given.
    pub kind: Option<BodyKindSpec>,
    /// World it lives in, counted from 0; 0 if not given.
    pub world: Option<u32>,
    /// Initial position of the body frame [m]; the origin if not given.
    pub position: Option<[f64; 3]>,
    /// Initial rotation of the body frame; none if not given.
    pub rotation: Option<Rotation>,
    /// Body in whose frame position and rotation are given; the world if not given.
    pub relative_to: Option<String>,
    /// Initial velocity of the centre of mass [m/s].
    pub velocity: Option<[f64; 3]>,
    /// Initial angular velocity [rad/s].
    pub spin: Option<[f64; 3]>,
    /// Total mass [kg]; the shapes say how it is spread. Without it the densities of the shapes give the mass.
    pub mass: Option<f64>,
    /// Mass, centre of mass and inertia, all given. Excludes `mass`.
    pub mass_properties: Option<MassSpec>,
    /// Rates at which velocity and angular velocity decay [1/s]; none if not given. A step takes the share
    /// 1 / (1 + rate · dt) over.
    pub damping: Option<[f64; 2]>,
    /// Multiple of gravity that pulls the body; 1 if not given.
    pub gravity_scale: Option<f64>,
    /// What resists its motion: a medium, or dampers to the world.
    pub drag: Vec<DragSpec>,
    /// Axes of the world along which the origin of the body frame does not move and about which the body does not turn: a joint
    /// to the world named `<body>/locked`. Exactly one rotation cannot be locked.
    pub locked: Vec<AxisName>,
    /// What the body wears.
    pub shapes: Vec<ShapeSpec>,
    /// Solver attributes by `solver.name`.
    pub attributes: BTreeMap<String, f64>,
    /// Repeats the body; several entries make a grid. Copies are named `name_0`, `name_1`, ….
    pub copies: Vec<CopySpec>,
}

/// A resistance at a point of a body, along and about axes that turn with it: −(linear + quadratic · |u|) · u for the velocity u of
/// the point along an axis, and for the angular velocity about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DragSpec {
    /// The point in the frame of the body [m]; its origin if not given.
    pub position: Option<[f64; 3]>,
    /// The axes in the frame of the body; its own if not given.
    pub rotation: Option<Rotation>,
    /// Along three axes [N·s/m], then about them [N·m·s/rad]; none if not given.
    pub linear: Option<[f64; 6]>,
    /// Along three axes [N·s²/m²], then about them [N·m·s²/rad²]; none if not given.
    pub quadratic: Option<[f64; 6]>,
}

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyKindSpec {
    /// Moved by forces.
    Dynamic,
    /// Moved by the user along its velocity; pushes others, feels nothing.
    Kinematic,
    /// Never moves.
    Static,
}

/// Mass properties in the body frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MassSpec {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in the body frame [m]; the origin if not given.
    pub com: Option<[f64; 3]>,
    /// Inertia tensor about the centre of mass, body axes, row by row [kg·m²].
    pub inertia: [[f64; 3]; 3],
}

/// A row of copies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CopySpec {
    /// How many, the first included.
    pub count: u32,
    /// From one to the next [m].
    pub step: [f64; 3],
}
