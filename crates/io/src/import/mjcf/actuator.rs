//! Actuators: what each does to the axes of joints.

use drystone_model::{Axis, Pose};

use super::super::actuation::{Action, Dynamics};
use super::super::assembly::{Motion, Part};
use super::super::fault::Log;
use super::super::xml::Element;
use super::axis_law::AxisLaw;
use super::beyond::{Beyond, SpatialTendon};
use super::body::{JointAt, SiteAt};
use super::defaults::{ACTUATORS, Defaults};
use super::force::{Force, one};
use super::mobility::mobilities;
use super::settings::Settings;
use super::tendon::FixedTendon;

/// An actuator whose joint is known: the part, the axis, what a control does.
pub(super) struct ActuatorAt {
    pub(super) name: String,
    pub(super) reach: ReachAt,
    pub(super) control_range: Option<[f64; 2]>,
    pub(super) action: Action,
    pub(super) dynamics: Dynamics,
}

/// What an actuator pulls, by parts.
pub(super) enum ReachAt {
    /// An axis of the joint of a part; other axes of parts, and the effort on each per force.
    Axes { part: usize, axis: Axis, further: Vec<(usize, Axis, f64)> },
    /// Anything else.
    Beyond(Beyond),
}

/// What actuators refer to.
pub(super) struct Scene<'a> {
    pub(super) settings: &'a Settings,
    pub(super) defaults: &'a Defaults,
    pub(super) joints: &'a [JointAt],
    pub(super) tendons: &'a [FixedTendon],
    pub(super) spatial: &'a [SpatialTendon],
    pub(super) sites: &'a [SiteAt],
    /// The part that every part hangs from, and where it does.
    pub(super) hung: &'a [(usize, Pose)],
}

/// Reads all actuators, and sets the springs, dampers and drives of all joints.
pub(super) fn read(root: &Element, scene: &Scene<'_>, parts: &mut [Part], log: &mut Log) -> Vec<ActuatorAt> {
    let joints = scene.joints;
    let mut read = Vec::new();
    for group in root.children_named("actuator") {
        for element in group.children.iter().filter(|element| ACTUATORS.contains(&element.name.as_str())) {
            if let Some(force) = one(element, scene, log) {
                read.push((element, force));
            }
        }
    }
    for (index, (element, force)) in read.iter().enumerate() {
        if force.bounded
            && read[..index].iter().any(|(_, other)| other.levers == force.levers && other.beyond == force.beyond)
        {
            let message = format!("{}: a largest force of two actuators together cannot be said", element.called());
            log.fault(element.place, message, "give each its own (`forcerange`), or keep one");
        }
    }
    let mut axes = laws(scene, &mut read, parts);
    for (element, _) in read.iter().filter(|(_, force)| force.has_bias() && force.levers.len() > 1) {
        note_live(element, log);
    }
    for (element, _) in read.iter().filter(|(_, force)| force.beyond.is_some()) {
        note_live(element, log);
    }
    for (element, force) in &read {
        if force.levers.len() == 1 {
            let (joint, _) = force.levers[0];
            axes[joint].add(force, &joints[joint], element, log);
        }
    }
    for (law, at) in axes.iter().zip(joints) {
        if let (Some(row), Motion::Jointed { def, .. }) = (at.row, &mut parts[at.part].motion) {
            def.drive[row.axis as usize] = law.drive();
            def.spring[row.axis as usize] = law.spring;
            def.armature[row.axis as usize] += law.armature;
        }
    }
    let finished = read.into_iter().filter_map(|(_, force)| {
        if let Some(beyond) = force.beyond.clone() {
            let action = pull_beyond(&force);
            let Force { name, control_range, dynamics, .. } = force;
            return Some(ActuatorAt { name, reach: ReachAt::Beyond(beyond), control_range, action, dynamics });
        }
        let (joint, _) = *force.levers.first()?;
        let at = &joints[joint];
        let row = at.row?;
        let further = force.levers[1..].iter().filter_map(|&(joint, lever)| {
            let (at, row) = (&joints[joint], joints[joint].row?);
            Some((at.part, row.axis, row.sign * lever * force.gear))
        });
        Some(ActuatorAt {
            reach: ReachAt::Axes { part: at.part, axis: row.axis, further: further.collect() },
            control_range: force.control_range,
            action: if force.has_bias() && force.levers.len() > 1 {
                servo(&force, row.sign, joints)
            } else {
                axes[joint].action(&force, at)
            },
            dynamics: force.dynamics,
            name: force.name,
        })
    });
    let mut finished: Vec<ActuatorAt> = finished.collect();
    start_at_zero(&mut finished, parts);
    if scene.settings.disabled("actuation") {
        finished.clear();
    }
    finished
}

/// What acts on every axis beside servos. Springs and dampers that are told by how they swing get their constants here, from the
/// inertia that all joints and rotors together have.
fn laws(scene: &Scene<'_>, read: &mut [(&Element, Force)], parts: &[Part]) -> Vec<AxisLaw> {
    let joints = scene.joints;
    let asks = joints.iter().any(|at| at.joint.spring_damper.is_some())
        || read.iter().any(|(_, force)| force.damping_ratio().is_some());
    let mut mobility = vec![0.0; joints.len()];
    if asks {
        let mut armature: Vec<f64> = joints.iter().map(|at| at.joint.armature).collect();
        for (_, force) in &*read {
            if let [(joint, lever)] = force.levers[..] {
                armature[joint] += force.armature * square(force.gear * lever);
            }
        }
        mobility = mobilities(parts, joints, &armature);
    }
    for (_, force) in read {
        if let (Some(ratio), [(joint, lever)]) = (force.damping_ratio(), &force.levers[..]) {
            let felt = mobility[*joint] * square(force.gear * lever);
            force.bias[2] = -2.0 * ratio * (force.gain / felt).sqrt();
        }
    }
    let law = |(at, &mobility): (&JointAt, &f64)| {
        let mut joint = at.joint.clone();
        if let Some([time, ratio]) = joint.spring_damper {
            let unless = |flag: &str, value: f64| if scene.settings.disabled(flag) { 0.0 } else { value };
            joint.stiffness = unless("spring", 1.0 / (mobility * square(time * ratio)));
            joint.damping = unless("damper", 2.0 / (mobility * time));
        }
        AxisLaw::passive(&joint, at.row.map_or(1.0, |row| row.sign))
    };
    joints.iter().zip(&mobility).map(law).collect()
}

/// What an actuator does that pulls no joint.
fn pull_beyond(force: &Force) -> Action {
    let range = force.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    match force.has_bias() {
        true => Action::Servo { gain: force.gain, bias: force.bias, range, gear: force.gear },
        false => Action::Effort { gain: force.gain, range, gear: force.gear },
    }
}

/// Says of an actuator that what it does hangs on where the robot is.
fn note_live(element: &Element, log: &mut Log) {
    let message = "a servo over several joints, or what pulls a site, a ball joint or a tendon between sites, pulls where a program \
                   applies the controls in every step, as `Batch` of Python does; keep to the time step of the file";
    log.note(element.place, message);
}

/// What a servo over several joints does; `sign` is that of its first axis.
fn servo(force: &Force, sign: f64, joints: &[JointAt]) -> Action {
    // The length where all coordinates of the model are zero.
    let at_zero: f64 =
        force.levers.iter().map(|&(joint, lever)| force.gear * lever * joints[joint].joint.reference).sum();
    let [constant, per_length, per_speed] = force.bias;
    Action::Servo {
        gain: force.gain,
        bias: [constant + per_length * at_zero, per_length, per_speed],
        range: force.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]),
        gear: sign * force.geared(),
    }
}

fn square(value: f64) -> f64 {
    value * value
}

/// Drives start with the target of control zero.
fn start_at_zero(actuators: &mut [ActuatorAt], parts: &mut [Part]) {
    for actuator in actuators {
        let ReachAt::Axes { part, axis, .. } = actuator.reach else { continue };
        let Motion::Jointed { def, .. } = &mut parts[part].motion else { continue };
        let drive = &mut def.drive[axis as usize];
        let zero = actuator.control_range.map_or(0.0, |[low, high]| 0f64.max(low).min(high));
        match actuator.action {
            Action::Target { scale, offset } => drive.target = scale * zero + offset,
            Action::TargetVelocity { scale } => drive.target_velocity = scale * zero,
            Action::Effort { .. } | Action::Servo { .. } => {}
        }
    }
}
