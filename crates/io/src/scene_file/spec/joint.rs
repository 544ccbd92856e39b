//! Joints, rods and nets of rods.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::place::FrameSpec;
use super::shape::MaterialRef;

/// A joint. Its place is given in one of three ways: `anchor` (with `axis`) or `frame` in world
/// coordinates at the initial poses; `anchor_parent` and `anchor_child` for distance joints; or
/// `frame_parent` and `frame_child` in the frames of the two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSpec {
    /// Name, unique among joints; `joint_<number>` if not given.
    pub name: Option<String>,
    /// What kind of joint it is.
    pub kind: JointKindSpec,
    /// Parent body; the world if not given.
    pub parent: Option<String>,
    /// Child body.
    pub child: String,
    /// Where the joint is, world coordinates [m].
    pub anchor: Option<[f64; 3]>,
    /// Axis of revolute, prismatic and cylindrical joints, normal of planar ones, tangent of rods, first axis of universal ones; world coordinates.
    pub axis: Option<[f64; 3]>,
    /// Second axis of universal joints, world coordinates.
    pub axis_child: Option<[f64; 3]>,
    /// The joint frame in world coordinates, instead of anchor and axis. Its x axis is the main one (z for rods).
    pub frame: Option<FrameSpec>,
    /// Point of the parent a distance joint holds, world coordinates [m].
    pub anchor_parent: Option<[f64; 3]>,
    /// Point of the child a distance joint holds, world coordinates [m].
    pub anchor_child: Option<[f64; 3]>,
    /// The joint frame in the frame of the parent body.
    pub frame_parent: Option<FrameSpec>,
    /// The joint frame in the frame of the child body.
    pub frame_child: Option<FrameSpec>,
    /// The free axes of a d6 joint, or of another kind if they differ from what the kind says.
    pub free: Option<Vec<AxisName>>,
    /// Limit, drive, spring, friction and armature of single axes, by axis.
    #[serde(default)]
    pub axes: BTreeMap<AxisName, AxisSpec>,
    /// Limit of the one free axis of a revolute or prismatic joint.
    pub limit: Option<LimitSpec>,
    /// Drive of the one free axis of a revolute or prismatic joint.
    pub drive: Option<DriveSpec>,
    /// Spring and damper of the one free axis of a revolute or prismatic joint, beside its drive.
    pub spring: Option<AxisSpringSpec>,
    /// What the one free axis of a revolute or prismatic joint follows.
    pub follow: Option<FollowSpec>,
    /// Dry friction of the one free axis, the largest effort it holds [N or N·m].
    pub friction: Option<f64>,
    /// Rotor inertia reflected to the one free axis [kg or kg·m²].
    pub armature: Option<f64>,
    /// Largest rate of the one free axis, either way [m/s or rad/s]; none if not given.
    pub max_rate: Option<f64>,
    /// Stiffness of the locked translations [N/m]; hard if not given.
    pub stiffness_linear: Option<f64>,
    /// Stiffness of the locked rotations [N·m/rad]; hard if not given.
    pub stiffness_angular: Option<f64>,
    /// Damping of the locked translations [N·s/m]; 0 if not given.
    pub damping_linear: Option<f64>,
    /// Damping of the locked rotations [N·m·s/rad]; 0 if not given.
    pub damping_angular: Option<f64>,
    /// Force that breaks the joint [N]; none if not given.
    pub break_force: Option<f64>,
    /// Torque that breaks the joint [N·m]; none if not given.
    pub break_torque: Option<f64>,
    /// Smallest distance of a distance joint [m]; 0 if not given.
    pub distance_min: Option<f64>,
    /// Largest distance of a distance joint [m]; none if not given.
    pub distance_max: Option<f64>,
    /// Elastic constants of a rod joint.
    pub rod: Option<RodStiffnessSpec>,
    /// Whether the joint acts from the start; true if not given.
    pub enabled: Option<bool>,
    /// Whether the two bodies collide with each other; false if not given.
    pub collide: Option<bool>,
    /// Initial coordinates by axis [m or rad]; the bodies beyond the joint are placed by them.
    #[serde(default)]
    pub coordinates: BTreeMap<AxisName, f64>,
    /// Initial rates by axis [m/s or rad/s]; the bodies beyond the joint start moving by them.
    #[serde(default)]
    pub rates: BTreeMap<AxisName, f64>,
    /// Unwrapped initial angles about x, y, z [rad], where a joint starts more than half a turn away from zero.
    pub angles: Option<[f64; 3]>,
    /// Solver attributes by `solver.name`.
    #[serde(default)]
    pub attributes: BTreeMap<String, f64>,
}

/// The kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JointKindSpec {
    /// Welds two bodies.
    Fixed,
    /// Holds a point; all rotations free.
    Ball,
    /// Turns about an axis.
    Revolute,
    /// Slides along an axis.
    Prismatic,
    /// Slides along and turns about an axis.
    Cylindrical,
    /// Slides in a plane and turns about its normal.
    Planar,
    /// Turns about one axis of the parent and one of the child.
    Universal,
    /// Keeps two points within distances.
    Distance,
    /// Any combination of free axes.
    D6,
    /// Elastic connection of two rod segments.
    Rod,
    /// No constraint; gives a floating body coordinates.
    Free,
    /// Bounds a turn, beside the joint that holds its bodies: the whole angle by the limit of ang_x, or the tilt of the x axis within
    /// an ellipse by those of ang_y and ang_z, each from −a to a.
    Cone,
}

/// One of the six freedoms, in the parent joint frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AxisName {
    /// Translation along x.
    LinX,
    /// Translation along y.
    LinY,
    /// Translation along z.
    LinZ,
    /// Rotation about x.
    AngX,
    /// Rotation about y.
    AngY,
    /// Rotation about z.
    AngZ,
}

impl AxisName {
    /// As it is written.
    pub fn key(self) -> &'static str {
        ["lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"][self as usize]
    }
}

/// What a single axis does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AxisSpec {
    /// Bounds of the coordinate.
    pub limit: Option<LimitSpec>,
    /// Drive of the coordinate.
    pub drive: Option<DriveSpec>,
    /// Spring and damper of the coordinate, beside its drive.
    pub spring: Option<AxisSpringSpec>,
    /// What the coordinate follows.
    pub follow: Option<FollowSpec>,
    /// Dry friction, the largest effort it holds [N or N·m].
    pub friction: Option<f64>,
    /// Rotor inertia reflected to the axis [kg or kg·m²].
    pub armature: Option<f64>,
    /// Largest rate of the coordinate, either way [m/s or rad/s]; none if not given.
    pub max_rate: Option<f64>,
}

/// Bounds of a coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LimitSpec {
    /// Smallest coordinate [m or rad]; none if not given.
    pub lower: Option<f64>,
    /// Largest coordinate [m or rad]; none if not given.
    pub upper: Option<f64>,
    /// Stiffness of the stop [N/m or N·m/rad]; hard if not given.
    pub stiffness: Option<f64>,
    /// Damping of the stop [N·s/m or N·m·s/rad]; 0 if not given.
    pub damping: Option<f64>,
}

/// A drive: effort = stiffness·(target − q) + damping·(target_velocity − q̇), at most max_effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DriveSpec {
    /// Target coordinate [m or rad]; 0 if not given.
    pub target: Option<f64>,
    /// Target rate [m/s or rad/s]; 0 if not given.
    pub target_velocity: Option<f64>,
    /// Stiffness [N/m or N·m/rad]; 0 if not given.
    pub stiffness: Option<f64>,
    /// Damping [N·s/m or N·m·s/rad]; 0 if not given.
    pub damping: Option<f64>,
    /// Largest effort [N or N·m]; no bound if not given.
    pub max_effort: Option<f64>,
}

/// A spring and damper that nothing caps and no control changes: effort = stiffness·(rest − q) − damping·q̇.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AxisSpringSpec {
    /// Coordinate at which it pulls nothing [m or rad]; 0 if not given.
    pub rest: Option<f64>,
    /// Stiffness [N/m or N·m/rad]; 0 if not given.
    pub stiffness: Option<f64>,
    /// Damping [N·s/m or N·m·s/rad]; 0 if not given.
    pub damping: Option<f64>,
}

/// A coordinate that follows one of another joint, as by gears: q = ratio · q of the other + offset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowSpec {
    /// The joint that leads, by name.
    pub joint: String,
    /// Its axis; its only free one if not given.
    pub axis: Option<AxisName>,
    /// Coordinate per coordinate of the leader; 1 if not given.
    pub ratio: Option<f64>,
    /// Coordinate where that of the leader is zero [m or rad]; 0 if not given.
    pub offset: Option<f64>,
    /// How far below (not positive) and above (not negative) that the coordinate may be [m or rad]; `null` for no bound, no play if
    /// not given.
    pub play: Option<[Option<f64>; 2]>,
    /// Stiffness with which it follows, along its own coordinate [N/m or N·m/rad]; it follows exactly if not given.
    pub stiffness: Option<f64>,
    /// Damping beside a stiffness [N·s/m or N·m·s/rad]; 0 if not given.
    pub damping: Option<f64>,
}

/// Elastic constants of a rod joint, already divided by the length of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RodStiffnessSpec {
    /// Along the tangent, EA/L [N/m]; inextensible if not given.
    pub stretch: Option<f64>,
    /// Across the tangent, GA/L [N/m]; unshearable if not given.
    pub shear: Option<f64>,
    /// Bending, EI/L [N·m/rad].
    pub bend: f64,
    /// Twist, GJ/L [N·m/rad].
    pub twist: f64,
    /// Damping of stretch and shear [N·s/m]; 0 if not given.
    pub damping_linear: Option<f64>,
    /// Damping of bending and twist [N·m·s/rad]; 0 if not given.
    pub damping_angular: Option<f64>,
}

/// A rod or cable: one capsule body between every two points, elastic joints between the bodies. The
/// segments are called `name/0`, `name/1`, …; joints may name them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RodSpec {
    /// Prefix of the names of segments and joints; `rod_<number>` if not given.
    pub name: Option<String>,
    /// Points along the centre line, world coordinates [m].
    pub points: Vec<[f64; 3]>,
    /// Radius [m].
    pub radius: f64,
    /// What it is made of.
    pub material: RodMaterialSpec,
    /// Whether the last point is joined to the first; false if not given.
    pub closed: Option<bool>,
    /// Whether the rod wants to be straight and untwisted rather than as it is written; false if not given.
    pub straight_at_rest: Option<bool>,
    /// Turn of the cross-section from one end to the other [rad]; 0 if not given.
    pub twist: Option<f64>,
    /// Solver attributes of all its joints, by `solver.name`.
    #[serde(default)]
    pub joint_attributes: BTreeMap<String, f64>,
    /// World it lives in, counted from 0; 0 if not given.
    pub world: Option<u32>,
}

/// A net of rods: nodes joined by segments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RodGraphSpec {
    /// Prefix of the names of segments and joints; `rod_<number>` if not given.
    pub name: Option<String>,
    /// Nodes, world coordinates [m].
    pub nodes: Vec<[f64; 3]>,
    /// The two nodes of every segment, counted from 0.
    pub segments: Vec<[u32; 2]>,
    /// Radius [m].
    pub radius: f64,
    /// What it is made of.
    pub material: RodMaterialSpec,
    /// Solver attributes of all its joints, by `solver.name`.
    #[serde(default)]
    pub joint_attributes: BTreeMap<String, f64>,
    /// World it lives in, counted from 0; 0 if not given.
    pub world: Option<u32>,
}

/// A solid round cross-section of one isotropic material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RodMaterialSpec {
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio; 0.5 if not given.
    pub poisson: Option<f64>,
    /// Shear modulus [Pa]; from Poisson's ratio if not given.
    pub shear: Option<f64>,
    /// Ratio of damping to stiffness [s]; 0 if not given.
    pub damping: Option<f64>,
    /// Density and surface: the name of one of `materials`, or its properties.
    pub surface: Option<MaterialRef>,
}
