//! Joints of a URDF.

use drystone_model::{Axis, BodyId, DQuat, DVec3, Follow, JointDef, JointId, JointKind, Pose, Spring, nearest};

use super::super::assembly::{Assembly, Motion};
use super::super::fault::Log;
use super::super::robot::{Coordinate, RobotJoint};
use super::super::xml::Element;
use super::super::{ImportOptions, MimicJoints, Speeds};

/// The types of joints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Planar,
    Floating,
}

const TYPES: &[(&str, Type)] = &[
    ("fixed", Type::Fixed),
    ("revolute", Type::Revolute),
    ("continuous", Type::Continuous),
    ("prismatic", Type::Prismatic),
    ("planar", Type::Planar),
    ("floating", Type::Floating),
];

/// How the child of a joint moves.
pub(super) fn motion(joint: &Element, options: &ImportOptions, log: &mut Log) -> Motion {
    if joint.needed(log, "type").is_none() {
        return Motion::Welded;
    }
    let Some(kind) = joint.choice(log, "type", TYPES) else { return Motion::Welded };
    let name = joint.text_of("name").unwrap_or_default().to_owned();
    let along = |kind: JointKind, axis: Axis| (kind, vec![axis]);
    let (kind, axes) = match kind {
        Type::Fixed => return Motion::Welded,
        Type::Floating => return Motion::Free(name),
        Type::Revolute => along(JointKind::Revolute, Axis::AngX),
        Type::Continuous => along(JointKind::Revolute, Axis::AngX),
        Type::Prismatic => along(JointKind::Prismatic, Axis::LinX),
        Type::Planar => (JointKind::Planar, vec![Axis::LinY, Axis::LinZ, Axis::AngX]),
    };
    let mut def = JointDef::new(kind, BodyId::WORLD, BodyId::WORLD).named(&name);
    if let [axis] = axes[..] {
        limits(joint, axis, &mut def, log);
        dynamics(joint, axis, &mut def, log);
    }
    let [effort, velocity] = ["effort", "velocity"].map(|name| joint.child("limit")?.number(log, name));
    if velocity.is_some_and(|velocity| velocity > 0.0) {
        let place = joint.child("limit").map_or(joint.place, |limit| limit.place);
        match (options.speeds, &axes[..]) {
            (Speeds::Hold, &[axis]) => def.max_rate[axis as usize] = velocity.unwrap_or(f64::INFINITY),
            (Speeds::Hold, _) => log.note(place, "`velocity` of limit: that of a joint of several axes is not held"),
            (Speeds::Tell, _) => {
                let message = "`velocity` of limit: speeds are not limited; it is kept beside the model";
                log.note(place, message);
            }
        }
    }
    let coordinates = axes.iter().map(|&axis| RobotJoint {
        name: name.clone(),
        joint: JointId(0),
        coordinate: Coordinate::Axis { axis, sign: 1.0, reference: 0.0 },
        effort,
        velocity,
    });
    let at = Pose::from_parts(DVec3::ZERO, axis_frame(joint, log));
    Motion::Jointed { coordinates: coordinates.collect(), def: Box::new(def), at }
}

/// The rotation that takes x to the axis of a joint, which is x itself where none is given.
fn axis_frame(joint: &Element, log: &mut Log) -> DQuat {
    let axis = joint.child("axis").and_then(|axis| axis.direction(log, "xyz"));
    axis.map_or(DQuat::IDENTITY, |axis| DQuat::from_rotation_arc(DVec3::X, axis).normalize())
}

/// Couples the joints that follow others, once all are there.
pub(super) fn couple(root: &Element, options: &ImportOptions, assembly: &mut Assembly, log: &mut Log) {
    for joint in root.children_named("joint") {
        let Some(mimic) = joint.child("mimic").filter(|_| joint.text_of("type") != Some("fixed")) else { continue };
        let other = mimic.text_of("joint").unwrap_or_default();
        if options.mimic == MimicJoints::Free {
            log.note(mimic.place, format!("{} moves by itself, not as `{other}` does", joint.called()));
            continue;
        }
        let moves = |name: &str| {
            let mut known = assembly.joints.iter().filter(|known| known.name == name);
            match (known.next()?, known.next()) {
                (RobotJoint { joint, coordinate: Coordinate::Axis { axis, .. }, .. }, None) => Some((*joint, *axis)),
                _ => None,
            }
        };
        let (own, leader) = (joint.text_of("name").and_then(moves), moves(other));
        let (Some((own, axis)), Some((leader, along))) = (own, leader) else {
            let message =
                format!("{} follows `{other}`, and one of the two is no hinge or slider of the file", joint.called());
            let names = assembly.joints.iter().map(|known| known.name.as_str());
            let help = match nearest(other, names).filter(|near| *near != other) {
                Some(near) => format!("did you mean `{near}`? Or let it move by itself (`--mimic free`)"),
                None => "name one, or let it move by itself (`--mimic free`)".into(),
            };
            log.fault(mimic.place, message, help);
            continue;
        };
        let ratio = mimic.number(log, "multiplier").unwrap_or(1.0);
        let offset = mimic.number(log, "offset").unwrap_or(0.0);
        assembly.follow(own, axis, Follow::hard(leader, along, ratio, offset));
    }
    assembly.start_followers();
}

fn limits(joint: &Element, axis: Axis, def: &mut JointDef, log: &mut Log) {
    let continuous = joint.text_of("type") == Some("continuous");
    let Some(limit) = joint.child("limit") else {
        if !continuous {
            let help = "add `<limit lower=\"…\" upper=\"…\" effort=\"…\" velocity=\"…\"/>`, or make it continuous";
            log.fault(joint.place, format!("{} has no `limit`, which its type demands", joint.called()), help);
        }
        return;
    };
    let [lower, upper] = ["lower", "upper"].map(|name| limit.number(log, name));
    if !continuous {
        let (lower, upper) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
        if lower > upper {
            log.fault(limit.place, format!("{}: `lower` is above `upper`", joint.called()), "swap the two");
            return;
        }
        def.limit[axis as usize].lower = lower;
        def.limit[axis as usize].upper = upper;
    }
    // The cap of a later drive.
    if let Some(effort) = limit.number(log, "effort").filter(|&effort| effort > 0.0) {
        def.drive[axis as usize].max_effort = effort;
    }
}

fn dynamics(joint: &Element, axis: Axis, def: &mut JointDef, log: &mut Log) {
    let Some(dynamics) = joint.child("dynamics") else { return };
    let mut positive = |name: &str| {
        let value = dynamics.number(log, name).unwrap_or(0.0);
        if value < 0.0 {
            log.fault(dynamics.place, format!("{}: `{name}` is negative", joint.called()), "give zero or more");
        }
        value.max(0.0)
    };
    def.spring[axis as usize] = Spring::damper(positive("damping"));
    def.friction[axis as usize] = positive("friction");
}
