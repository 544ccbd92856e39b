//! Joints: whom they connect, limits, drives and elastic constants.

use super::{check_names, numbers};
use crate::error::{Entity, Faults};
use crate::joint::{AxisMode, Drive, JointKind, Limit, RodStiffness, Spring};
use crate::model::{BodyKind, Model, WORLD};

pub(super) fn check(model: &Model, faults: &mut Faults) {
    check_names(faults, Entity::Joint, &model.joint_name);
    for (joint, name) in model.joint_name.iter().enumerate() {
        faults.about(Entity::Joint, joint, name);
        check_bodies(model, faults, joint);
        numbers::pose(faults, "frame_parent", &model.joint_frame_parent[joint]);
        numbers::pose(faults, "frame_child", &model.joint_frame_child[joint]);
        for axis in 0..6 {
            let free = model.joint_axis[joint][axis] == AxisMode::Free;
            check_limit(faults, free, &model.joint_limit[joint][axis]);
            check_drive(faults, free, &model.joint_drive[joint][axis]);
            check_spring(faults, free, &model.joint_spring[joint][axis]);
            check_follow(model, faults, joint, axis);
            numbers::not_negative(faults, "friction", model.joint_friction[joint][axis]);
            numbers::not_negative(faults, "armature", model.joint_armature[joint][axis]);
            check_rate(model, faults, joint, axis);
        }
        check_locked(model, faults, joint);
        check_kind(model, faults, joint);
        check_idle(model, faults, joint);
    }
}

fn check_bodies(model: &Model, faults: &mut Faults, joint: usize) {
    let (parent, child) = (model.joint_parent[joint], model.joint_child[joint]);
    let count = model.body_count();
    if child == WORLD {
        faults.add("child", "the child cannot be the world", "swap parent and child");
        return;
    }
    for (field, body) in [("parent", parent), ("child", child)] {
        if body != WORLD && body as usize >= count {
            let problem = format!("body {body} does not exist");
            faults.add(field, problem, format!("use one of the {count} bodies, or WORLD as parent"));
            return;
        }
    }
    if parent == child {
        faults.add("child", "a body cannot be joined to itself", "name two different bodies");
        return;
    }
    let world = |body: u32| model.body_world[body as usize];
    if parent != WORLD && world(parent) != world(child) {
        let problem = format!("parent lives in world {}, child in world {}", world(parent), world(child));
        faults.add("child", problem, "join bodies of the same world only");
    }
    let moves = |body: u32| body != WORLD && model.body_kind[body as usize] == BodyKind::Dynamic;
    if !moves(parent) && !moves(child) && model.joint_kind[joint] != JointKind::Free {
        faults.add("child", "neither body is dynamic, so the joint cannot act", "make one of the bodies dynamic");
    }
}

fn check_limit(faults: &mut Faults, free: bool, limit: &Limit) {
    let Limit { lower, upper, stiffness, damping } = *limit;
    if lower.is_nan() || upper.is_nan() {
        faults.add("limit", "a bound is not a number", "give a number, or infinity for none");
    } else if lower > upper {
        faults.add("limit", format!("lower bound {lower} is above upper bound {upper}"), "swap the bounds");
    } else if !free && *limit != Limit::default() {
        faults.add("limit", "a locked axis has a limit", "free the axis, or remove the limit");
    }
    numbers::not_negative_or_infinite(faults, "limit.stiffness", stiffness);
    numbers::not_negative(faults, "limit.damping", damping);
}

/// A largest rate is one of a coordinate that is read off: there is none of free joints, rods, distances and cones.
fn check_rate(model: &Model, faults: &mut Faults, joint: usize, axis: usize) {
    let rate = model.joint_max_rate[joint][axis];
    let kind = model.joint_kind[joint];
    if rate.is_nan() || rate <= 0.0 {
        faults.add("max_rate", format!("{rate} is no largest rate"), "give more than zero, or infinity for none");
    } else if rate.is_finite()
        && (model.joint_axis[joint][axis] == AxisMode::Locked
            || kind.only_measures()
            || matches!(kind, JointKind::Rod | JointKind::Free | JointKind::Ball))
    {
        let problem = format!("{:?} of it has no rate that can be held", crate::Axis::ALL[axis]);
        faults.add("max_rate", problem, "give it to free axes of hinges, sliders and the like");
    }
}

/// The bounds of a cone: symmetric, of the whole angle or of the tilt.
fn check_cone(model: &Model, faults: &mut Faults, joint: usize) {
    let [whole, y, z] = [3, 4, 5].map(|axis| model.joint_limit[joint][axis]);
    let remedy = "bound `ang_x`, the whole angle, or the tilt by `ang_y` and `ang_z`, each as −a and a with a up to π";
    let tilts = y.upper.is_finite() || z.upper.is_finite();
    if whole.upper.is_finite() == tilts || model.joint_limit[joint][..3].iter().any(|limit| *limit != Limit::default())
    {
        faults.add("limit", "a cone needs limits of `ang_x`, or of `ang_y` and `ang_z`, and no others", remedy);
    }
    for limit in [whole, y, z] {
        let bounds = -limit.lower == limit.upper && limit.upper > 0.0;
        if !bounds || limit.upper.is_finite() && limit.upper > std::f64::consts::PI {
            faults.add("limit", format!("{} to {} are no bounds of a cone", limit.lower, limit.upper), remedy);
        }
    }
    if y.upper.is_finite() && z.upper.is_finite() && (y.stiffness, y.damping) != (z.stiffness, z.damping) {
        faults.add("limit", "the two limits of a cone are of different stiffness", "give both the same");
    }
}

fn check_drive(faults: &mut Faults, free: bool, drive: &Drive) {
    numbers::finite(faults, "drive.target", drive.target);
    numbers::finite(faults, "drive.target_velocity", drive.target_velocity);
    numbers::not_negative(faults, "drive.stiffness", drive.stiffness);
    numbers::not_negative(faults, "drive.damping", drive.damping);
    numbers::not_negative_or_infinite(faults, "drive.max_effort", drive.max_effort);
    if !free && (drive.stiffness > 0.0 || drive.damping > 0.0) {
        faults.add("drive", "a locked axis has a drive", "free the axis, or remove the drive");
    }
}

fn check_spring(faults: &mut Faults, free: bool, spring: &Spring) {
    numbers::finite(faults, "spring.rest", spring.rest);
    numbers::not_negative(faults, "spring.stiffness", spring.stiffness);
    numbers::not_negative(faults, "spring.damping", spring.damping);
    if !free && spring.acts() {
        faults.add("spring", "a locked axis has a spring", "free the axis, or soften the lock by `stiffness`");
    }
}

fn check_follow(model: &Model, faults: &mut Faults, joint: usize, axis: usize) {
    let Some(follow) = &model.joint_follow[joint][axis] else { return };
    numbers::finite(faults, "follow.ratio", follow.ratio);
    numbers::finite(faults, "follow.offset", follow.offset);
    let [below, above] = follow.play;
    if !(below <= 0.0 && above >= 0.0) || follow.play == [f64::NEG_INFINITY, f64::INFINITY] {
        let remedy = "give what it may lie below (not positive) and above (not negative)";
        faults.add("follow.play", format!("{:?} is no play about zero", follow.play), remedy);
    }
    numbers::not_negative_or_infinite(faults, "follow.stiffness", follow.stiffness);
    numbers::not_negative(faults, "follow.damping", follow.damping);
    if follow.is_soft() && follow.play != [0.0; 2] {
        faults.add("follow.play", "what follows by a spring has play", "take out the play, or the stiffness");
    }
    if !follow.is_soft() && follow.damping != 0.0 {
        faults.add("follow.damping", "what follows exactly has a damper", "give a stiffness, zero for a damper alone");
    }
    if follow.ratio == 0.0 {
        faults.add("follow.ratio", "a ratio of zero couples nothing", "lock the axis, or give another ratio");
    }
    let other = follow.joint.built_index();
    if other >= model.joint_count() {
        let count = model.joint_count();
        faults.add("follow.joint", format!("joint {other} does not exist"), format!("use one of the {count} joints"));
        return;
    }
    let free = |joint: usize, axis: usize| {
        model.joint_axis[joint][axis] == AxisMode::Free
            && !model.joint_kind[joint].only_measures()
            && !matches!(model.joint_kind[joint], JointKind::Rod | JointKind::Free)
    };
    if !free(joint, axis) || !free(other, follow.axis as usize) {
        let problem = format!("it or {:?} of joint `{}` is no free axis", follow.axis, model.joint_name[other]);
        faults.add("follow", problem, "couple free axes of hinges, sliders and the like");
    }
    if other == joint {
        faults.add("follow.joint", "a joint cannot follow itself", "couple axes of two joints");
    }
    let body = |joint: usize| model.joint_child[joint] as usize;
    if let (Some(own), Some(others)) = (model.body_world.get(body(joint)), model.body_world.get(body(other)))
        && own != others
    {
        faults.add("follow.joint", "it is in another world", "couple joints of one world");
    }
}

fn check_locked(model: &Model, faults: &mut Faults, joint: usize) {
    for slot in 0..2 {
        numbers::not_negative_or_infinite(faults, "stiffness", model.joint_stiffness[joint][slot]);
        numbers::not_negative(faults, "damping", model.joint_damping[joint][slot]);
        numbers::not_negative_or_infinite(faults, "break", model.joint_break[joint][slot]);
    }
}

fn check_kind(model: &Model, faults: &mut Faults, joint: usize) {
    let kind = model.joint_kind[joint];
    if kind == JointKind::Cone {
        check_cone(model, faults, joint);
    }
    if kind == JointKind::Distance {
        let [min, max] = model.joint_distance[joint];
        numbers::not_negative(faults, "distance", min);
        numbers::not_negative_or_infinite(faults, "distance", max);
        if min > max {
            faults.add("distance", format!("smallest {min} is above largest {max}"), "swap the two");
        }
    }
    match (kind, &model.joint_rod[joint]) {
        (JointKind::Rod, Some(rod)) => check_rod(faults, rod),
        (JointKind::Rod, None) => faults.add("rod", "a rod joint needs its elastic constants", "give a RodStiffness"),
        (_, Some(_)) => faults.add("rod", "only a rod joint has elastic constants", "make it a rod, or remove them"),
        (_, None) => {}
    }
}

/// What is told of axes that nothing acts along would be left out in silence.
fn check_idle(model: &Model, faults: &mut Faults, joint: usize) {
    let (idle, what, remedy) = match model.joint_kind[joint] {
        JointKind::Cone => (0..6, "a cone", "give them to the joint that it bounds"),
        JointKind::Free => (0..6, "a free joint", "push the body, or use a D6 joint with all axes free"),
        JointKind::Rod => (0..6, "a rod", "its springs and dampers are those of `rod`"),
        JointKind::Distance => (1..6, "a distance joint", "only `lin_x`, the distance, can be driven or sprung"),
        _ => return,
    };
    let acts = |axis: usize| {
        model.joint_drive[joint][axis].acts()
            || model.joint_spring[joint][axis].acts()
            || model.joint_friction[joint][axis] > 0.0
            || model.joint_armature[joint][axis] > 0.0
    };
    for axis in idle.filter(|&axis| acts(axis)) {
        let problem = format!("{what} has no drive, spring, friction or rotor along {:?}", crate::Axis::ALL[axis]);
        faults.add("axis", problem, remedy);
    }
    let limited = model.joint_limit[joint].iter().any(|limit| *limit != Limit::default());
    if limited && model.joint_kind[joint] != JointKind::Cone {
        faults.add(
            "limit",
            format!("{what} has no limits"),
            "a distance has its bounds in `distance`; others have none",
        );
    }
}

fn check_rod(faults: &mut Faults, rod: &RodStiffness) {
    numbers::not_negative_or_infinite(faults, "rod.stretch", rod.stretch);
    numbers::not_negative_or_infinite(faults, "rod.shear", rod.shear);
    numbers::not_negative_or_infinite(faults, "rod.bend", rod.bend);
    numbers::not_negative_or_infinite(faults, "rod.twist", rod.twist);
    numbers::not_negative(faults, "rod.damping_linear", rod.damping_linear);
    numbers::not_negative(faults, "rod.damping_angular", rod.damping_angular);
}
