//! Joints: one definition, and a constructor per kind.

use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_kernels::elementary::sin;

use super::{ModelBuilder, frames};
use crate::id::{BodyId, JointId};
use crate::joint::{Axis, AxisMode, Drive, Follow, JointKind, Limit, RodStiffness, Spring};

/// How the two frames of a joint are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointFrames {
    /// One frame, world coordinates, in both bodies at their poses when the joint is added. All
    /// coordinates of the joint start at zero.
    Common(Pose),
    /// Two points, world coordinates, at the poses when the joint is added \[m\]; axes of the world.
    Points(DVec3, DVec3),
    /// The frame in the parent body and the frame in the child body.
    Local(Pose, Pose),
}

/// A joint to be added; an empty name is replaced by `joint_<index>`.
///
/// The friendly constructors take a world anchor and axis at the initial poses;
/// [`JointDef::new`] with [`JointDef::frames`] takes explicit frames.
///
/// ```
/// use drystone_model::{Axis, BodyDef, DVec3, Drive, JointDef, ModelBuilder, WORLD};
/// let mut scene = ModelBuilder::new();
/// let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).capsule(0.1, 0.5));
/// let hinge = JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y);
/// scene.add_joint(hinge.limit(Axis::AngX, -1.0, 1.0).drive(Axis::AngX, Drive::velocity(2.0, 10.0)));
/// let model = scene.finalize()?;
/// assert_eq!(model.joint_limit[0][Axis::AngX as usize].upper, 1.0);
/// # Ok::<(), drystone_model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointDef {
    /// Name, unique in the model.
    pub name: String,
    /// What it is called.
    pub kind: JointKind,
    /// Parent body or the world.
    pub parent: BodyId,
    /// Child body.
    pub child: BodyId,
    /// The frames.
    pub frames: JointFrames,
    /// Mode of every axis.
    pub axis: [AxisMode; 6],
    /// Limit of every free axis \[m or rad\].
    pub limit: [Limit; 6],
    /// Drive of every free axis.
    pub drive: [Drive; 6],
    /// Spring and damper of every free axis, beside its drive.
    pub spring: [Spring; 6],
    /// What every free axis follows, if it does.
    pub follow: [Option<Follow>; 6],
    /// Dry friction of every free axis, the largest effort it holds \[N or N·m\].
    pub friction: [f64; 6],
    /// Rotor inertia reflected to every free axis \[kg or kg·m²\].
    pub armature: [f64; 6],
    /// Largest rate of every free axis, held whatever drives it \[m/s or rad/s\]; infinite means none.
    pub max_rate: [f64; 6],
    /// Stiffness of locked translations and rotations \[N/m\], \[N·m/rad\]; infinite means hard.
    pub stiffness: [f64; 2],
    /// Damping of locked translations and rotations \[N·s/m\], \[N·m·s/rad\].
    pub damping: [f64; 2],
    /// Force and torque that break it \[N\], \[N·m\]; infinite means never.
    pub break_at: [f64; 2],
    /// Smallest and largest distance of the origins, for distance joints \[m\].
    pub distance: [f64; 2],
    /// Elastic constants of rod joints.
    pub rod: Option<RodStiffness>,
    /// Whether it acts from the start.
    pub enabled: bool,
    /// Whether the bodies it connects collide with each other; by default only those of a free joint
    /// do. Shapes on the world itself are never exempt: a pendulum hung from it hits the ground.
    pub collide: bool,
    /// Initial coordinates \[m\], \[rad\]; `finalize` places the bodies beyond the joint by them.
    /// `None` leaves the bodies where they are.
    pub coordinates: Option<[f64; 6]>,
    /// Initial rates of the coordinates \[m/s\], \[rad/s\]; `finalize` sets the bodies beyond the
    /// joint moving by them. `None` leaves their velocities as given.
    pub rates: Option<[f64; 6]>,
}

impl JointDef {
    /// A joint of a kind, with both frames at the body origins.
    pub fn new(kind: JointKind, parent: impl Into<BodyId>, child: impl Into<BodyId>) -> Self {
        let mut axis = [AxisMode::Locked; 6];
        kind.free_axes().iter().for_each(|&free| axis[free as usize] = AxisMode::Free);
        Self {
            name: String::new(),
            kind,
            parent: parent.into(),
            child: child.into(),
            frames: JointFrames::Local(Pose::IDENTITY, Pose::IDENTITY),
            axis,
            limit: [Limit::default(); 6],
            drive: [Drive::default(); 6],
            spring: [Spring::default(); 6],
            follow: [None; 6],
            friction: [0.0; 6],
            armature: [0.0; 6],
            max_rate: [f64::INFINITY; 6],
            stiffness: [f64::INFINITY; 2],
            damping: [0.0; 2],
            break_at: [f64::INFINITY; 2],
            distance: [0.0, f64::INFINITY],
            rod: None,
            enabled: true,
            collide: kind == JointKind::Free,
            coordinates: None,
            rates: None,
        }
    }

    /// Welds two bodies as they stand.
    pub fn fixed(parent: impl Into<BodyId>, child: impl Into<BodyId>, anchor: DVec3) -> Self {
        Self::new(JointKind::Fixed, parent, child).common(anchor, DQuat::IDENTITY)
    }

    /// Holds a point; all rotations free.
    pub fn ball(parent: impl Into<BodyId>, child: impl Into<BodyId>, anchor: DVec3) -> Self {
        Self::new(JointKind::Ball, parent, child).common(anchor, DQuat::IDENTITY)
    }

    /// A hinge: turns about `axis` through `anchor`.
    pub fn revolute(parent: impl Into<BodyId>, child: impl Into<BodyId>, anchor: DVec3, axis: DVec3) -> Self {
        Self::new(JointKind::Revolute, parent, child).along(anchor, axis)
    }

    /// A slider along `axis`.
    pub fn prismatic(parent: impl Into<BodyId>, child: impl Into<BodyId>, anchor: DVec3, axis: DVec3) -> Self {
        Self::new(JointKind::Prismatic, parent, child).along(anchor, axis)
    }

    /// Slides along and turns about `axis`.
    pub fn cylindrical(parent: impl Into<BodyId>, child: impl Into<BodyId>, anchor: DVec3, axis: DVec3) -> Self {
        Self::new(JointKind::Cylindrical, parent, child).along(anchor, axis)
    }

    /// Slides in the plane through `anchor` across `normal`, and turns about the normal.
    pub fn planar(parent: impl Into<BodyId>, child: impl Into<BodyId>, anchor: DVec3, normal: DVec3) -> Self {
        Self::new(JointKind::Planar, parent, child).along(anchor, normal)
    }

    /// Turns about `axis_parent`, fixed in the parent, and `axis_child`, fixed in the child. The
    /// axes should be perpendicular at the start; of the second, the part across the first counts.
    pub fn universal(
        parent: impl Into<BodyId>,
        child: impl Into<BodyId>,
        anchor: DVec3,
        axis_parent: DVec3,
        axis_child: DVec3,
    ) -> Self {
        Self::new(JointKind::Universal, parent, child).common(anchor, frames::from_xy(axis_parent, axis_child))
    }

    /// Keeps two points (world, at the initial poses) between `min` and `max` apart \[m\].
    pub fn distance(
        parent: impl Into<BodyId>,
        child: impl Into<BodyId>,
        anchor_parent: DVec3,
        anchor_child: DVec3,
        [min, max]: [f64; 2],
    ) -> Self {
        let mut joint = Self::new(JointKind::Distance, parent, child);
        joint.frames = JointFrames::Points(anchor_parent, anchor_child);
        joint.distance = [min, max];
        joint
    }

    /// Keeps an axis (world, at the initial poses) that both bodies have from tilting by more than `angle` \[rad\] between them, beside
    /// a ball joint at `anchor`: the points of both `reach` \[m\] along it stay within 2 · reach · sin(angle / 2). Turns about the axis
    /// are free.
    pub fn cone(
        parent: impl Into<BodyId>,
        child: impl Into<BodyId>,
        anchor: DVec3,
        axis: DVec3,
        angle: f64,
        reach: f64,
    ) -> Self {
        let tip = anchor + axis.normalize() * reach;
        Self::distance(parent, child, tip, tip, [0.0, 2.0 * reach * sin(0.5 * angle)])
    }

    /// Any combination of freedoms of a frame at `anchor` with axes `rotation` (world).
    pub fn d6(
        parent: impl Into<BodyId>,
        child: impl Into<BodyId>,
        anchor: DVec3,
        rotation: DQuat,
        free: &[Axis],
    ) -> Self {
        Self::new(JointKind::D6, parent, child).common(anchor, rotation).free(free)
    }

    /// Elastic connection of two rod segments whose tangent at `anchor` is `tangent`.
    pub fn rod(
        parent: impl Into<BodyId>,
        child: impl Into<BodyId>,
        anchor: DVec3,
        tangent: DVec3,
        stiffness: RodStiffness,
    ) -> Self {
        let mut joint = Self::new(JointKind::Rod, parent, child).common(anchor, frames::arc(DVec3::Z, tangent));
        joint.rod = Some(stiffness);
        joint
    }

    /// No constraint; gives a floating body coordinates relative to the world.
    pub fn free_floating(child: impl Into<BodyId>) -> Self {
        Self::new(JointKind::Free, BodyId::WORLD, child)
    }

    fn common(self, anchor: DVec3, rotation: DQuat) -> Self {
        self.at(JointFrames::Common(Pose::from_parts(anchor, rotation)))
    }

    fn along(self, anchor: DVec3, axis: DVec3) -> Self {
        self.common(anchor, frames::arc(DVec3::X, axis))
    }
}

/// A joint with its frames fixed to the bodies.
#[derive(Clone, Debug)]
pub(crate) struct JointRecord {
    pub(crate) def: JointDef,
    pub(crate) frame_parent: Pose,
    pub(crate) frame_child: Pose,
    /// Angles that full turns are counted from \[rad\].
    pub(crate) angle: [f64; 3],
}

impl ModelBuilder {
    /// Adds a joint. Frames given in world coordinates are fixed to the bodies where these are now.
    pub fn add_joint(&mut self, def: JointDef) -> JointId {
        let joint = JointId(self.joints.len() as u32);
        let record = self.joint_record(def);
        self.joints.push(record);
        joint
    }

    /// A joint with its frames fixed to the bodies where these are now.
    pub(super) fn joint_record(&self, def: JointDef) -> JointRecord {
        let to_parent = self.body_pose(def.parent).inverse();
        let to_child = self.body_pose(def.child).inverse();
        let (frame_parent, frame_child) = match def.frames {
            JointFrames::Local(parent, child) => (parent, child),
            JointFrames::Common(frame) => (to_parent * frame, to_child * frame),
            JointFrames::Points(parent, child) => {
                (to_parent * Pose::from_translation(parent), to_child * Pose::from_translation(child))
            }
        };
        let (frame_parent, frame_child) = (frames::tidy(frame_parent), frames::tidy(frame_child));
        JointRecord { def, frame_parent, frame_child, angle: [0.0; 3] }
    }
}
