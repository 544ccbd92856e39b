//! Joints are one generic thing: two frames, six axes, each locked, free or limited, with drives.
//!
//! Axes are those of the parent joint frame: translations of the child frame's origin along x, y, z,
//! then rotations about x, y, z. The first axis is the main one: a revolute joint turns about x, a
//! prismatic one slides along x, a planar joint has normal x, a universal joint turns about x
//! (parent) and y. A rod's tangent is local +Z, the way segments are built.

use serde::{Deserialize, Serialize};

use crate::id::JointId;

/// One of the six relative freedoms of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Axis {
    /// Translation along x of the parent joint frame.
    LinX = 0,
    /// Translation along y.
    LinY = 1,
    /// Translation along z.
    LinZ = 2,
    /// Rotation about x.
    AngX = 3,
    /// Rotation about y.
    AngY = 4,
    /// Rotation about z.
    AngZ = 5,
}

impl Axis {
    /// All six, in order.
    pub const ALL: [Self; 6] = [Self::LinX, Self::LinY, Self::LinZ, Self::AngX, Self::AngY, Self::AngZ];
}

/// What a joint is called; the axis modes say what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum JointKind {
    /// All six axes locked.
    Fixed,
    /// Translations locked, rotations free.
    Ball,
    /// Free rotation about x.
    Revolute,
    /// Free translation along x.
    Prismatic,
    /// Free rotation about and translation along x.
    Cylindrical,
    /// Free translations along y and z, free rotation about x.
    Planar,
    /// Free rotation about x of the parent and y of the child.
    Universal,
    /// The distance between the frame origins is kept within `Model::joint_distance`.
    Distance,
    /// Whatever the axis modes say.
    D6,
    /// Elastic connection of two rod segments (stretch, shear, bend, twist).
    Rod,
    /// No constraint; gives a floating body joint coordinates.
    Free,
    /// Bounds how far the child may be turned against the parent, beside the joint that holds it; see
    /// [`crate::JointDef::turn_limit`] and [`crate::JointDef::elliptic_cone`].
    Cone,
}

impl JointKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Fixed,
        Self::Ball,
        Self::Revolute,
        Self::Prismatic,
        Self::Cylindrical,
        Self::Planar,
        Self::Universal,
        Self::Distance,
        Self::D6,
        Self::Rod,
        Self::Free,
        Self::Cone,
    ];

    /// The axes that a joint of this kind leaves free before the user changes them.
    pub fn free_axes(self) -> &'static [Axis] {
        match self {
            Self::Fixed | Self::D6 => &[],
            Self::Ball => &[Axis::AngX, Axis::AngY, Axis::AngZ],
            Self::Revolute => &[Axis::AngX],
            Self::Prismatic => &[Axis::LinX],
            Self::Cylindrical => &[Axis::LinX, Axis::AngX],
            Self::Planar => &[Axis::LinY, Axis::LinZ, Axis::AngX],
            Self::Universal => &[Axis::AngX, Axis::AngY],
            Self::Distance | Self::Rod | Self::Free | Self::Cone => &Axis::ALL,
        }
    }

    /// Whether it measures something between its bodies and places neither by the other: it never is a branch of a tree.
    pub fn only_measures(self) -> bool {
        matches!(self, Self::Distance | Self::Cone)
    }
}

/// Whether an axis moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AxisMode {
    /// The coordinate is held at zero.
    Locked,
    /// The coordinate is free, within its limit if it has one.
    Free,
}

/// Bounds of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// Smallest coordinate \[m or rad\]; −∞ for none.
    pub lower: f64,
    /// Largest coordinate \[m or rad\]; +∞ for none.
    pub upper: f64,
    /// Stiffness of the stop \[N/m or N·m/rad\]; infinite means hard.
    pub stiffness: f64,
    /// Damping of the stop \[N·s/m or N·m·s/rad\].
    pub damping: f64,
}

impl Default for Limit {
    fn default() -> Self {
        Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY, stiffness: f64::INFINITY, damping: 0.0 }
    }
}

/// A spring-damper that drives a coordinate towards a target:
/// effort = stiffness·(target − q) + damping·(target_velocity − q̇), capped at `max_effort`.
/// Targets are read from [`crate::Control`]; the ones here are its initial values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// Target coordinate \[m or rad\].
    pub target: f64,
    /// Target rate \[m/s or rad/s\].
    pub target_velocity: f64,
    /// Stiffness \[N/m or N·m/rad\].
    pub stiffness: f64,
    /// Damping \[N·s/m or N·m·s/rad\].
    pub damping: f64,
    /// Largest magnitude of the effort \[N or N·m\].
    pub max_effort: f64,
}

impl Default for Drive {
    fn default() -> Self {
        Self { target: 0.0, target_velocity: 0.0, stiffness: 0.0, damping: 0.0, max_effort: f64::INFINITY }
    }
}

impl Drive {
    /// Towards a coordinate \[m or rad\] with a stiffness \[N/m or N·m/rad\] and damping
    /// \[N·s/m or N·m·s/rad\].
    pub fn position(target: f64, stiffness: f64, damping: f64) -> Self {
        Self { target, stiffness, damping, ..Self::default() }
    }

    /// Towards a rate \[m/s or rad/s\] with a gain \[N·s/m or N·m·s/rad\].
    pub fn velocity(target_velocity: f64, gain: f64) -> Self {
        Self { target_velocity, damping: gain, ..Self::default() }
    }

    /// Whether it ever pushes.
    pub fn acts(&self) -> bool {
        self.stiffness > 0.0 || self.damping > 0.0
    }

    /// Caps the effort \[N or N·m\].
    pub fn max_effort(mut self, max_effort: f64) -> Self {
        self.max_effort = max_effort;
        self
    }
}

/// A spring and damper of a free axis, beside its drive: effort = stiffness·(rest − q) − damping·q̇. Nothing caps it and no
/// control changes it: what the mechanism itself does, where a [`Drive`] is what a motor does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Coordinate at which it pulls nothing \[m or rad\].
    pub rest: f64,
    /// Stiffness \[N/m or N·m/rad\].
    pub stiffness: f64,
    /// Damping \[N·s/m or N·m·s/rad\].
    pub damping: f64,
}

impl Spring {
    /// Pulls towards a coordinate \[m or rad\] with a stiffness \[N/m or N·m/rad\].
    pub fn towards(rest: f64, stiffness: f64) -> Self {
        Self { rest, stiffness, damping: 0.0 }
    }

    /// A damper alone \[N·s/m or N·m·s/rad\].
    pub fn damper(damping: f64) -> Self {
        Self { damping, ..Self::default() }
    }

    /// With a damper \[N·s/m or N·m·s/rad\].
    pub fn damped(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// Whether it ever pulls.
    pub fn acts(&self) -> bool {
        self.stiffness > 0.0 || self.damping > 0.0
    }
}

/// A coordinate that follows one of another joint, as by gears, belts or linkages: q = ratio · q of the other + offset. The
/// efforts of the two are as their rates are: what acts on the other is −ratio times what acts on this one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Follow {
    /// The joint that leads.
    pub joint: JointId,
    /// Its axis, a free one.
    pub axis: Axis,
    /// Coordinate per coordinate of the leader \[m or rad per m or rad\]; not zero.
    pub ratio: f64,
    /// Coordinate where that of the leader is zero \[m or rad\].
    pub offset: f64,
    /// How far below and above that the coordinate may be, the first not positive, the second not negative \[m or rad\]; infinite
    /// for no bound. Zero without play.
    pub play: [f64; 2],
    /// Stiffness with which it follows, per coordinate of its own \[N/m or N·m/rad\]; infinite means hard. What is not hard has no play.
    pub stiffness: f64,
    /// Damping of what is not hard \[N·s/m or N·m·s/rad\].
    pub damping: f64,
}

impl Follow {
    /// Hard, without play: coordinate = ratio · coordinate of the other + offset.
    pub fn hard(joint: JointId, axis: Axis, ratio: f64, offset: f64) -> Self {
        Self { joint, axis, ratio, offset, play: [0.0; 2], stiffness: f64::INFINITY, damping: 0.0 }
    }

    /// Whether it gives way like a spring.
    pub fn is_soft(&self) -> bool {
        self.stiffness.is_finite()
    }
}

/// Elastic constants of a rod joint, per joint (already divided by the segment length).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RodStiffness {
    /// Along the tangent, EA/L \[N/m\]; infinite means inextensible.
    pub stretch: f64,
    /// Across the tangent, GA/L \[N/m\]; infinite means unshearable.
    pub shear: f64,
    /// Bending, EI/L \[N·m/rad\].
    pub bend: f64,
    /// Twist, GJ/L \[N·m/rad\].
    pub twist: f64,
    /// Damping of stretch and shear \[N·s/m\].
    pub damping_linear: f64,
    /// Damping of bending and twist \[N·m·s/rad\].
    pub damping_angular: f64,
}
