//! Names of kinds in files.

use drystone::model::{BodyKind, JointKind};

/// Every kind of body with its name.
pub(super) const BODY_KINDS: [(BodyKind, &str); 3] =
    [(BodyKind::Dynamic, "dynamic"), (BodyKind::Kinematic, "kinematic"), (BodyKind::Static, "static")];

/// Every kind of joint with its name.
pub(super) const JOINT_KINDS: [(JointKind, &str); 12] = [
    (JointKind::Fixed, "fixed"),
    (JointKind::Ball, "ball"),
    (JointKind::Revolute, "revolute"),
    (JointKind::Prismatic, "prismatic"),
    (JointKind::Cylindrical, "cylindrical"),
    (JointKind::Planar, "planar"),
    (JointKind::Universal, "universal"),
    (JointKind::Distance, "distance"),
    (JointKind::D6, "d6"),
    (JointKind::Rod, "rod"),
    (JointKind::Free, "free"),
    (JointKind::Cone, "cone"),
];

/// The name of a kind.
pub(super) fn name_of<K: PartialEq>(table: &[(K, &'static str)], kind: K) -> &'static str {
    table.iter().find(|(k, _)| *k == kind).map_or("unknown", |(_, name)| name)
}

/// The kind of a name.
pub(super) fn kind_of<K: Copy>(table: &[(K, &'static str)], name: &str) -> Option<K> {
    table.iter().find(|(_, n)| *n == name).map(|(kind, _)| *kind)
}
