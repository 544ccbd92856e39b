//! One generic joint as the joints MuJoCo has: slides, hinges, a ball, a free joint.

use drystone_model::{
    Axis, AxisMode, BodyKind, Chart, Cone, DQuat, DVec3, Drive, JointKind, Model, Pose, Spring, State, TreeJoint,
};

use super::{MjcfError, refuse};
use crate::xml_text::{escaped, numbers, vector};

/// Coordinates, rates and controls as MuJoCo orders them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Moved {
    pub(super) position: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) control: Vec<f64>,
}

impl Moved {
    pub(super) fn extend(&mut self, other: Self) {
        self.position.extend(other.position);
        self.velocity.extend(other.velocity);
        self.control.extend(other.control);
    }
}

/// A joint element, the actuator that drives it, and where it is.
pub(super) struct Dof {
    pub(super) element: String,
    pub(super) actuator: Option<String>,
    pub(super) moved: Moved,
}

/// Pose of a joint's child in its parent when all coordinates are zero: what MuJoCo starts from.
pub(super) fn pose_at_zero(model: &Model, joint: usize) -> Pose {
    let mut pose = model.joint_frame_parent[joint] * model.joint_frame_child[joint].inverse();
    pose.rotation = pose.rotation.normalize();
    pose
}

/// The joints of a body against what it hangs from.
pub(super) fn dofs(model: &Model, state: &State, body: u32, step: Option<TreeJoint>) -> Result<Vec<Dof>, MjcfError> {
    if model.body_kind[body as usize] != BodyKind::Dynamic {
        return Ok(Vec::new());
    }
    let Some(step) = step else {
        return Ok(vec![free_joint(state, body as usize, &model.body_name[body as usize], model)]);
    };
    let joint = step.joint as usize;
    check(model, joint)?;
    if model.joint_kind[joint] == JointKind::Free {
        return Ok(vec![free_joint(state, body as usize, &model.joint_name[joint], model)]);
    }
    let mut dofs: Vec<Dof> = free(model, joint, 0..3).map(|axis| slide_or_hinge(model, state, joint, axis)).collect();
    if model.joint_chart(joint) == Chart::Vector {
        dofs.extend(free(model, joint, 3..4).map(|_| ball(model, state, joint)));
    } else {
        dofs.extend(free(model, joint, 3..6).map(|axis| slide_or_hinge(model, state, joint, axis)));
    }
    Ok(dofs)
}

fn free(model: &Model, joint: usize, axes: std::ops::Range<usize>) -> impl Iterator<Item = Axis> + '_ {
    axes.filter(move |&axis| model.joint_axis[joint][axis] == AxisMode::Free).map(|axis| Axis::ALL[axis])
}

fn check(model: &Model, joint: usize) -> Result<(), MjcfError> {
    let refuse = |reason, remedy| Err(refuse(format!("joint `{}`", model.joint_name[joint]), reason, remedy));
    if model.joint_kind[joint].only_measures() || model.joint_kind[joint] == JointKind::Rod {
        return refuse("MJCF has no joint of its kind in a tree", "leave it out");
    }
    if model.joint_stiffness[joint].iter().any(|stiffness| stiffness.is_finite()) {
        return refuse("its locked axes are springs", "make it hard");
    }
    let moves = |axis: usize| model.joint_chart(joint) != Chart::Vector || axis < 3;
    if (0..6).any(|axis| model.joint_follow[joint][axis].is_some() && !moves(axis)) {
        return refuse("MuJoCo couples hinges and slides, not balls", "use three hinges (a D6 joint)");
    }
    if model.joint_break[joint].iter().any(|load| load.is_finite()) || !model.joint_enabled[joint] {
        return refuse("MJCF has no joints that break or are switched off", "make it one that holds");
    }
    let ball = model.joint_chart(joint) == Chart::Vector && model.joint_axis[joint][3] == AxisMode::Free;
    let bare = |axis: usize| {
        let limit = &model.joint_limit[joint][axis];
        let passive = model.joint_armature[joint][axis] + model.joint_friction[joint][axis];
        let acts = model.joint_drive[joint][axis].acts() || model.joint_spring[joint][axis].acts() || passive > 0.0;
        !acts && limit.lower == f64::NEG_INFINITY && limit.upper == f64::INFINITY
    };
    if ball && !(3..6).all(bare) && ball_spring(model, joint).is_none() {
        let reason = "MuJoCo's balls have no dampers, rotors, friction or limits by axis, and one spring about all";
        return refuse(reason, "use three hinges (a D6 joint)");
    }
    if model.joint_max_rate[joint].iter().any(|rate| rate.is_finite()) {
        return refuse("MJCF has no largest rate of a joint", "take out `max_rate`");
    }
    for axis in 0..6 {
        let (drive, limit) = (&model.joint_drive[joint][axis], &model.joint_limit[joint][axis]);
        if drive.stiffness > 0.0 && drive.target_velocity != 0.0 {
            return refuse("its drive holds a place and a speed at once", "drive towards one of them");
        }
        if limit.lower.is_finite() != limit.upper.is_finite() {
            return refuse("MJCF has no limit on one side", "give it both, or none");
        }
        if limit.lower.is_finite() && limit.stiffness.is_finite() {
            return refuse("its limits are springs", "make them hard");
        }
    }
    Ok(())
}

/// The stiffness of a ball joint with nothing but three equal springs towards no turn.
fn ball_spring(model: &Model, joint: usize) -> Option<f64> {
    let stiffness = model.joint_spring[joint][3].stiffness;
    let plain = |axis: usize| {
        let limit = &model.joint_limit[joint][axis];
        model.joint_spring[joint][axis] == Spring::towards(0.0, stiffness)
            && model.joint_armature[joint][axis] + model.joint_friction[joint][axis] == 0.0
            && !model.joint_drive[joint][axis].acts()
            && limit.lower == f64::NEG_INFINITY
            && limit.upper == f64::INFINITY
    };
    (3..6).all(plain).then_some(stiffness)
}

/// Whether a joint bounds the whole turn of a ball joint, as MuJoCo's ranges of balls do: that of which joint, and the angle \[rad\].
pub(super) fn range_of_ball(model: &Model, cone: usize) -> Option<(usize, f64)> {
    let limit = model.axis_limit(cone, Axis::AngX as usize);
    let hard = limit.stiffness.is_infinite() && limit.damping == 0.0 && model.joint_enabled[cone];
    if model.joint_cone(cone) != Some(Cone::Turn) || !hard {
        return None;
    }
    let of = |joint: &usize| {
        model.joint_kind[*joint] == JointKind::Ball
            && model.joint_parent[*joint] == model.joint_parent[cone]
            && model.joint_child[*joint] == model.joint_child[cone]
            && model.joint_frame_parent[*joint].rotation == model.joint_frame_parent[cone].rotation
            && model.joint_frame_child[*joint].rotation == model.joint_frame_child[cone].rotation
    };
    (0..model.joint_count()).find(of).map(|joint| (joint, limit.upper))
}

fn slide_or_hinge(model: &Model, state: &State, joint: usize, axis: Axis) -> Dof {
    let index = axis as usize;
    let frame = model.joint_frame_child[joint];
    let (kind, direction) = if index < 3 { ("slide", DVec3::AXES[index]) } else { ("hinge", DVec3::AXES[index - 3]) };
    let name = format!("{}:{axis:?}", escaped(&model.joint_name[joint]));
    let (at, direction) = (vector(frame.translation), vector(frame.rotation * direction));
    let extras = extras(model, joint, index);
    let element = format!("<joint name=\"{name}\" type=\"{kind}\" pos=\"{at}\" axis=\"{direction}\"{extras}/>");
    let position = vec![model.joint_coordinates(state, joint)[index]];
    let velocity = vec![model.joint_rates(state, joint)[index]];
    let (actuator, control) = actuator(&name, &model.joint_drive[joint][index]).unzip();
    Dof { element, actuator, moved: Moved { position, velocity, control: control.into_iter().collect() } }
}

/// The servo that a drive is, and its control.
fn actuator(joint: &str, drive: &Drive) -> Option<(String, f64)> {
    let Drive { stiffness, damping, max_effort, target, target_velocity } = *drive;
    let (gains, control) = match (stiffness > 0.0, damping > 0.0) {
        (true, _) => (format!("<position kp=\"{stiffness:?}\" kv=\"{damping:?}\""), target),
        (false, true) => (format!("<velocity kv=\"{damping:?}\""), target_velocity),
        (false, false) => return None,
    };
    let cap = if max_effort.is_finite() {
        format!(" forcerange=\"{}\"", numbers(&[-max_effort, max_effort]))
    } else {
        String::new()
    };
    Some((format!("{gains} name=\"{joint}\" joint=\"{joint}\"{cap}/>"), control))
}

/// Spring, damper, rotor, friction and range of one axis, as attributes.
fn extras(model: &Model, joint: usize, axis: usize) -> String {
    let (spring, limit) = (&model.joint_spring[joint][axis], &model.joint_limit[joint][axis]);
    let mut text = String::new();
    let mut say = |name: &str, value: f64| {
        if value != 0.0 {
            text.push_str(&format!(" {name}=\"{value:?}\""));
        }
    };
    say("stiffness", spring.stiffness);
    say("springref", if spring.stiffness > 0.0 { spring.rest } else { 0.0 });
    say("damping", spring.damping);
    say("armature", model.joint_armature[joint][axis]);
    say("frictionloss", model.joint_friction[joint][axis]);
    if limit.lower.is_finite() && limit.upper.is_finite() {
        text.push_str(&format!(" range=\"{}\"", numbers(&[limit.lower, limit.upper])));
    }
    text
}

/// A ball: MuJoCo turns the child in its own axes, we turn joint frames in the parent's.
fn ball(model: &Model, state: &State, joint: usize) -> Dof {
    let (parent, child) = model.joint_frames(state, joint);
    let frame = model.joint_frame_child[joint].rotation;
    let turn = frame * (parent.rotation.inverse() * child.rotation) * frame.inverse();
    let body = model.joint_child[joint];
    let spin = model.body_velocity(state, body).angular - model.body_velocity(state, model.joint_parent[joint]).angular;
    let spin = model.body_pose(state, body).rotation.inverse() * spin;
    let name = escaped(&model.joint_name[joint]);
    let at = vector(model.joint_frame_child[joint].translation);
    let stiffness = ball_spring(model, joint).filter(|&stiffness| stiffness > 0.0);
    let spring = stiffness.map_or_else(String::new, |stiffness| format!(" stiffness=\"{stiffness:?}\""));
    let ranges = (0..model.joint_count()).filter_map(|cone| range_of_ball(model, cone));
    let range = ranges.filter(|(of, _)| *of == joint).map(|(_, angle)| angle).reduce(f64::min);
    let range = range.map_or_else(String::new, |angle| format!(" range=\"0 {angle:?}\""));
    let element = format!("<joint name=\"{name}:Ball\" type=\"ball\" pos=\"{at}\"{spring}{range}/>");
    let (position, velocity) = (real_first(turn), spin.to_array().to_vec());
    Dof { element, actuator: None, moved: Moved { position, velocity, control: Vec::new() } }
}

/// A floating body: the velocity is that of its frame's origin, the spin is in its own axes.
fn free_joint(state: &State, body: usize, name: &str, model: &Model) -> Dof {
    let (pose, twist) = (state.body_q[body], state.body_qd[body]);
    let velocity = twist.at(model.body_centre(state, body as u32), pose.translation);
    let spin = pose.rotation.inverse() * twist.angular;
    let position = [pose.translation.to_array().to_vec(), real_first(pose.rotation)].concat();
    let velocity = [velocity.to_array(), spin.to_array()].concat();
    let element = format!("<freejoint name=\"{}:Free\"/>", escaped(name));
    Dof { element, actuator: None, moved: Moved { position, velocity, control: Vec::new() } }
}

fn real_first(rotation: DQuat) -> Vec<f64> {
    vec![rotation.w, rotation.x, rotation.y, rotation.z]
}
