//! Axes of the world along and about which a body does not move.

use drystone_geometry::{DMat3, DQuat, DVec3, Pose};

use super::{JointDef, JointFrames, ModelBuilder};
use crate::error::Entity;
use crate::id::BodyId;
use crate::joint::{AxisMode, JointKind};
use crate::model::BodyKind;

impl JointDef {
    /// The joint that keeps the origin of a body frame from moving along axes of the world and the body from turning about
    /// them, as it stands at `pose`: x, y, z, then about x, y, z. `None` where exactly one rotation is locked
    /// ([`JointDef::ONE_ROTATION`]).
    ///
    /// A joint keeps a pose within a set of poses. With one rotation locked there is no such set: turned by α about x, by β about y, by
    /// −α about x and by −β about y, a body that never turned about z has turned about z by αβ, and by more of the same it
    /// comes to any pose. What could be kept is ω·z = 0, a constraint on velocities alone (non-holonomic), and drift would be invisible
    /// to it. A Cardan joint to the world is what keeps a pose: one axis of the world and one of the body stay perpendicular.
    ///
    /// ```
    /// use drystone_model::{BodyId, JointDef, Pose};
    /// assert!(JointDef::axis_lock(BodyId(0), Pose::IDENTITY, [false, true, false, true, false, true]).is_some());
    /// assert!(JointDef::axis_lock(BodyId(0), Pose::IDENTITY, [false, false, false, true, false, false]).is_none());
    /// ```
    pub fn axis_lock(body: BodyId, pose: Pose, locked: [bool; 6]) -> Option<Self> {
        let [.., about_x, about_y, about_z] = locked;
        let free: Vec<usize> = (0..3).filter(|&axis| ![about_x, about_y, about_z][axis]).collect();
        // A single free rotation is one about the first axis of the joint, where angles have no singular place.
        let first = match free[..] {
            [_, _] => return None,
            [only] => only,
            _ => 0,
        };
        let world = |axis: usize| (axis + first) % 3;
        let turned = [0, 1, 2].map(|axis| DVec3::AXES[world(axis)]);
        let rotation = match first {
            0 => DQuat::IDENTITY,
            _ => DQuat::from_mat3(&DMat3::from_cols(turned[0], turned[1], turned[2])).normalize(),
        };
        let mut joint = Self::new(JointKind::D6, BodyId::WORLD, body);
        joint.frames = JointFrames::Common(Pose::from_parts(pose.translation, rotation));
        for axis in 0..6 {
            let holds = locked[axis / 3 * 3 + world(axis % 3)];
            joint.axis[axis] = if holds { AxisMode::Locked } else { AxisMode::Free };
        }
        Some(joint)
    }

    /// Why exactly one rotation cannot be locked, and what can be done instead.
    pub const ONE_ROTATION: [&'static str; 2] = [
        "one rotation alone cannot be locked: turning about the other two in turn comes round to it",
        "lock two or all three, or join it to the world by a `d6` joint with two free rotations, which says about which axes",
    ];

    /// The name of the joint that locks axes of a body.
    pub fn axis_lock_name(body: &str) -> String {
        format!("{body}/locked")
    }
}

impl ModelBuilder {
    /// Adds the joint that locks axes of a body, if any are to be.
    pub(super) fn lock_axes(&mut self, body: BodyId, kind: BodyKind, locked: [bool; 6]) {
        if !locked.contains(&true) {
            return;
        }
        let given = &self.bodies[body.built_index()].def.name;
        let name = if given.is_empty() { format!("body_{}", body.0) } else { given.clone() };
        let joint = JointDef::axis_lock(body, self.body_pose(body), locked);
        let [problem, remedy] = match joint {
            Some(joint) if kind == BodyKind::Dynamic => {
                self.add_joint(joint.named(JointDef::axis_lock_name(&name)));
                return;
            }
            Some(_) => ["only a dynamic body can have locked axes", "make it dynamic, or lock none"],
            None => JointDef::ONE_ROTATION,
        };
        self.fault(Entity::Body, body.built_index(), &name, "locked", problem, remedy);
    }
}
