//! Actuators: the shared slot of defaults, and what each does to the axis of a joint.

use drystone_model::{Axis, Drive, Spring, nearest};

use super::super::assembly::{Motion, Part};
use super::super::fault::Log;
use super::super::robot::{Action, Dynamics};
use super::super::xml::Element;
use super::body::JointAt;
use super::defaults::{ACTUATORS, Defaults};
use super::joints::{FileJoint, Kind, limited};
use super::mobility::mobilities;
use super::settings::Settings;
use super::tendon::FixedTendon;

/// Everything the kinds of actuators share. MuJoCo turns the shortcuts (`motor`, `position`, `velocity`) into gains and
/// biases of one general actuator as it reads them, defaults included; a shortcut after another starts from the beginning.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The shortcut that was last read.
    shortcut: Option<String>,
    /// Force per control.
    gain: f64,
    /// Force: constant, per length, per speed; none of it if the bias is switched off.
    bias: [f64; 3],
    has_bias: bool,
    gear: Vec<f64>,
    inherit_range: f64,
    armature: f64,
    damping: f64,
    /// The element with all attributes read so far, for ranges and refusals.
    merged: Element,
}

impl Default for Slot {
    fn default() -> Self {
        Self {
            shortcut: None,
            gain: 1.0,
            bias: [0.0; 3],
            has_bias: false,
            gear: vec![1.0],
            inherit_range: 0.0,
            armature: 0.0,
            damping: 0.0,
            merged: Element {
                name: String::new(),
                place: Default::default(),
                attributes: Vec::new(),
                children: Vec::new(),
            },
        }
    }
}

impl Slot {
    /// Takes over what an element says.
    pub(super) fn apply(&mut self, element: &Element, log: &mut Log) {
        for attribute in &element.attributes {
            self.merged.attributes.retain(|known| known.name != attribute.name);
            self.merged.attributes.push(attribute.clone());
        }
        if let Some(gear) = element.list(log, "gear") {
            self.gear = gear;
        }
        let mut take = |name: &str, value: &mut f64| {
            *value = element.list(log, name).and_then(|list| list.first().copied()).unwrap_or(*value)
        };
        take("inheritrange", &mut self.inherit_range);
        take("armature", &mut self.armature);
        take("damping", &mut self.damping);
        match element.name.as_str() {
            "general" => self.general(element, log),
            "motor" | "position" | "velocity" => self.shortcut(element, log),
            _ => {}
        }
    }

    fn general(&mut self, element: &Element, log: &mut Log) {
        if let Some(&gain) = element.list(log, "gainprm").as_deref().and_then(<[f64]>::first) {
            self.gain = gain;
        }
        for (own, given) in self.bias.iter_mut().zip(element.list(log, "biasprm").unwrap_or_default()) {
            *own = given;
        }
        match element.text_of("biastype") {
            Some("affine") => self.has_bias = true,
            Some("none") => self.has_bias = false,
            _ => {}
        }
    }

    fn shortcut(&mut self, element: &Element, log: &mut Log) {
        if self.shortcut.as_deref().is_some_and(|last| last != element.name) {
            (self.gain, self.bias, self.has_bias) = (1.0, [0.0; 3], false);
        }
        self.shortcut = Some(element.name.clone());
        match element.name.as_str() {
            "motor" => (self.gain, self.bias, self.has_bias) = (1.0, [0.0; 3], false),
            "position" => {
                self.gain = element.number(log, "kp").unwrap_or(self.gain);
                // A damping ratio stands where the damping would, with the other sign.
                let ratio = element.number(log, "dampratio").unwrap_or(self.bias[2]);
                let damping = element.number(log, "kv").map_or(ratio, |kv| -kv);
                (self.bias, self.has_bias) = ([0.0, -self.gain, damping], true);
            }
            _ => {
                self.gain = element.number(log, "kv").unwrap_or(self.gain);
                (self.bias, self.has_bias) = ([0.0, 0.0, -self.gain], true);
            }
        }
    }
}

/// An actuator whose joint is known: the part, the axis, what a control does.
pub(super) struct ActuatorAt {
    pub(super) name: String,
    pub(super) part: usize,
    pub(super) axis: Axis,
    pub(super) control_range: Option<[f64; 2]>,
    pub(super) action: Action,
    pub(super) dynamics: Dynamics,
    /// Other axes of parts, and the effort on each per force.
    pub(super) further: Vec<(usize, Axis, f64)>,
}

/// Attributes that bring dynamics of their own: whether a value changes anything, and why it cannot be said.
const DYNAMICS: [(&str, &str); 3] = [
    ("delay", "a delayed control cannot be said"),
    ("nsample", "a control with a history cannot be said"),
    ("slewmax", "a limited rate of the control cannot be said"),
];

/// What actuators refer to.
pub(super) struct Scene<'a> {
    pub(super) settings: &'a Settings,
    pub(super) defaults: &'a Defaults,
    pub(super) joints: &'a [JointAt],
    pub(super) tendons: &'a [FixedTendon],
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
    let mut axes = laws(scene, &mut read, parts);
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
        let (joint, _) = *force.levers.first()?;
        let at = &joints[joint];
        let row = at.row?;
        let further = force.levers[1..].iter().filter_map(|&(joint, lever)| {
            let (at, row) = (&joints[joint], joints[joint].row?);
            Some((at.part, row.axis, row.sign * lever * force.gear))
        });
        Some(ActuatorAt {
            part: at.part,
            axis: row.axis,
            control_range: force.control_range,
            action: axes[joint].action(&force, at),
            dynamics: force.dynamics,
            further: further.collect(),
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
                armature[joint] += force.armature * (force.gear * lever).powi(2);
            }
        }
        mobility = mobilities(parts, joints, &armature);
    }
    for (_, force) in read {
        if let (Some(ratio), [(joint, lever)]) = (force.damping_ratio(), &force.levers[..]) {
            let felt = mobility[*joint] * (force.gear * lever).powi(2);
            force.bias[2] = -2.0 * ratio * (force.gain / felt).sqrt();
        }
    }
    let law = |(at, &mobility): (&JointAt, &f64)| {
        let mut joint = at.joint.clone();
        if let Some([time, ratio]) = joint.spring_damper {
            let unless = |flag: &str, value: f64| if scene.settings.disabled(flag) { 0.0 } else { value };
            joint.stiffness = unless("spring", 1.0 / (mobility * (time * ratio).powi(2)));
            joint.damping = unless("damper", 2.0 / (mobility * time));
        }
        AxisLaw::passive(&joint, at.row.map_or(1.0, |row| row.sign))
    };
    joints.iter().zip(&mobility).map(law).collect()
}

/// Drives start with the target of control zero.
fn start_at_zero(actuators: &mut [ActuatorAt], parts: &mut [Part]) {
    for actuator in actuators {
        let Motion::Jointed { def, .. } = &mut parts[actuator.part].motion else { continue };
        let drive = &mut def.drive[actuator.axis as usize];
        let zero = actuator.control_range.map_or(0.0, |[low, high]| 0f64.max(low).min(high));
        match actuator.action {
            Action::Target { scale, offset } => drive.target = scale * zero + offset,
            Action::TargetVelocity { scale } => drive.target_velocity = scale * zero,
            Action::Effort { .. } => {}
        }
    }
}

/// An actuator before it meets the others of its axis.
struct Force {
    name: String,
    /// The joints it pulls, and how far it pulls per coordinate of each, before the gear.
    levers: Vec<(usize, f64)>,
    gain: f64,
    bias: [f64; 3],
    gear: f64,
    control_range: Option<[f64; 2]>,
    force_range: Option<[f64; 2]>,
    armature: f64,
    damping: f64,
    dynamics: Dynamics,
}

impl Force {
    /// The damping ratio of a position servo, which stands where the damping would, with the other sign.
    fn damping_ratio(&self) -> Option<f64> {
        let [_, per_length, per_speed] = self.bias;
        (per_speed > 0.0 && self.gain > 0.0 && self.gain == -per_length).then_some(per_speed)
    }

    /// Effort on an axis of the file per force.
    fn geared(&self) -> f64 {
        self.gear * self.levers.first().map_or(1.0, |&(_, lever)| lever)
    }

    fn has_bias(&self) -> bool {
        self.bias != [0.0; 3]
    }
}

fn one(element: &Element, scene: &Scene<'_>, log: &mut Log) -> Option<Force> {
    if !matches!(element.name.as_str(), "general" | "motor" | "position" | "velocity") {
        let message = format!("actuator {}: its law cannot be said", element.called());
        log.fault(element.place, message, "use motor, position or velocity; compute other forces in your program");
        return None;
    }
    let Scene { settings, defaults, joints, .. } = *scene;
    let mut slot = defaults.actuator(element, log);
    slot.apply(element, log);
    let mut merged = slot.merged.clone();
    (merged.name, merged.place) = (element.name.clone(), element.place);
    check_dynamics(&merged, log)?;
    let (levers, pulled) = target(&merged, scene, log)?;
    if levers.iter().any(|&(joint, _)| joints[joint].row.is_none()) {
        let help = "drive hinges and slides, or push the body by `Control::body_f`";
        log.fault(
            element.place,
            format!("{}: actuators of ball and free joints cannot be said", element.called()),
            help,
        );
        return None;
    }
    let gear = slot.gear.first().copied().unwrap_or(1.0);
    let mut control_range = limited(&merged, ["ctrlrange", "ctrllimited"], settings.autolimits, log);
    if let (None, Some([low, high])) = (control_range, inherited(&slot, &levers, joints)) {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * slot.inherit_range);
        control_range = Some([middle - half, middle + half]);
    }
    let control_range = control_range.filter(|_| !settings.disabled("clampctrl"));
    let force_range = limited(&merged, ["forcerange", "forcelimited"], settings.autolimits, log);
    let force = Force {
        name: element.text_of("name").unwrap_or_default().to_owned(),
        levers,
        gain: slot.gain,
        bias: if slot.has_bias { slot.bias } else { [0.0; 3] },
        gear,
        control_range,
        force_range: within(force_range, pulled.map(|range| range.map(|bound| bound / gear.abs()))),
        armature: slot.armature,
        damping: slot.damping,
        dynamics: dynamics(&merged, settings.autolimits, log)?,
    };
    check_levers(&force, element, joints, log)?;
    Some(force)
}

/// What one actuator over several joints cannot be.
fn check_levers(force: &Force, element: &Element, joints: &[JointAt], log: &mut Log) -> Option<()> {
    if force.levers.len() == 1 {
        return Some(());
    }
    let bounded = force.levers.iter().any(|&(joint, _)| joints[joint].joint.actuator_range.is_some());
    let why = match () {
        () if force.levers.is_empty() => "it pulls nothing",
        () if force.has_bias() => "a servo over several joints cannot be said",
        () if force.armature != 0.0 || force.damping != 0.0 => "a rotor over several joints cannot be said",
        () if bounded => "`actuatorfrcrange` of a joint that shares its actuator cannot be said",
        () => return Some(()),
    };
    log.fault(element.place, format!("{}: {why}", element.called()), "use a motor without these, or drive the joints");
    None
}

/// The range a servo takes over from its joint.
fn inherited(slot: &Slot, levers: &[(usize, f64)], joints: &[JointAt]) -> Option<[f64; 2]> {
    match levers {
        [(joint, _)] if slot.inherit_range > 0.0 => joints[*joint].joint.range,
        _ => None,
    }
}

/// The narrower of two ranges.
fn within(one: Option<[f64; 2]>, other: Option<[f64; 2]>) -> Option<[f64; 2]> {
    match (one, other) {
        (Some([a, b]), Some([c, d])) => Some([a.max(c), b.min(d)]),
        (one, other) => one.or(other),
    }
}

fn check_dynamics(element: &Element, log: &mut Log) -> Option<()> {
    let before = log.faults.len();
    for (name, why) in DYNAMICS {
        if element.list(log, name).unwrap_or_default().iter().any(|&value| value != 0.0)
            && let Some(attribute) = element.attribute(name)
        {
            log.fault(
                attribute.place,
                format!("{}: {why}", element.called()),
                "give the gains themselves (`kp`, `kv`)",
            );
        }
    }
    if let Some(attribute) = element.attribute("gaintype").filter(|attribute| attribute.value != "fixed") {
        let message = format!("{}: `gaintype` other than `fixed` cannot be said", element.called());
        log.fault(attribute.place, message, "compute such forces in your program and use a motor");
    }
    if let Some(attribute) =
        element.attribute("biastype").filter(|bias| !["none", "affine"].contains(&bias.value.as_str()))
    {
        let message = format!("{}: a bias of this type cannot be said", element.called());
        log.fault(attribute.place, message, "use `none` or `affine`");
    }
    (log.faults.len() == before).then_some(())
}

/// The state an actuator has of its own.
fn dynamics(element: &Element, autolimits: bool, log: &mut Log) -> Option<Dynamics> {
    let kinds = ["none", "integrator", "filter", "filterexact", "muscle", "user"].map(|kind| (kind, kind));
    let range = limited(element, ["actrange", "actlimited"], autolimits, log);
    let range = range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let time = element.list(log, "dynprm").and_then(|list| list.first().copied()).unwrap_or(1.0);
    // `timeconst` of a position servo is an exact filter.
    let constant = element.number(log, "timeconst").filter(|&time| time > 0.0);
    let told = element.choice(log, "dyntype", &kinds).unwrap_or("none");
    if told != "none" && element.flag(log, "actearly") == Some(true) {
        log.note(element.place, "`actearly`: the activation of the start of a step acts in it");
    }
    let kind = if constant.is_some() { "filterexact" } else { told };
    let time = constant.unwrap_or(time);
    if kind.starts_with("filter") && time <= 0.0 {
        log.fault(element.place, format!("{}: a filter needs a time constant", element.called()), "give `dynprm`");
        return None;
    }
    match kind {
        "none" => Some(Dynamics::Direct),
        "integrator" => Some(Dynamics::Integrator { range }),
        "filter" => Some(Dynamics::Filter { time, exact: false, range }),
        "filterexact" => Some(Dynamics::Filter { time, exact: true, range }),
        _ => {
            let message = format!("{}: this `dyntype` cannot be said", element.called());
            log.fault(element.place, message, "use a filter or an integrator, or compute it in your program");
            None
        }
    }
}

/// The joints an actuator drives, each with how far it pulls per coordinate; and the range of what all actuators of the tendon
/// together may do.
type Pulled = (Vec<(usize, f64)>, Option<[f64; 2]>);

fn target(element: &Element, scene: &Scene<'_>, log: &mut Log) -> Option<Pulled> {
    for other in ["site", "body", "cranksite", "slidersite", "refsite"] {
        if let Some(attribute) = element.attribute(other) {
            let message = format!("{}: an actuator at a {other} cannot be said", element.called());
            log.fault(attribute.place, message, "drive joints");
            return None;
        }
    }
    if let Some(attribute) = element.attribute("tendon") {
        let found = scene.tendons.iter().find(|tendon| tendon.name == attribute.value);
        if found.is_none() {
            let message = format!("{}: an actuator at a tendon that is not fixed cannot be said", element.called());
            log.fault(attribute.place, message, "drive joints, or a fixed tendon");
        }
        return found.map(|tendon| (tendon.terms.clone(), tendon.actuator_range));
    }
    let joints = scene.joints;
    let attribute = element.attribute("joint").or_else(|| element.attribute("jointinparent"));
    let Some(attribute) = attribute else {
        log.fault(element.place, format!("{} names no joint", element.called()), "add `joint=\"…\"`");
        return None;
    };
    let found = joints.iter().position(|at| at.joint.name == attribute.value);
    if found.is_none() {
        let help = match nearest(&attribute.value, joints.iter().map(|at| at.joint.name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a joint of a body".into(),
        };
        log.fault(attribute.place, format!("there is no joint `{}`", attribute.value), help);
    }
    found.map(|joint| (vec![(joint, 1.0)], None))
}

/// Everything that acts on one axis of the model, in its coordinate.
struct AxisLaw {
    /// Passive spring and damper.
    spring: Spring,
    /// Servo: stiffness and damping.
    servo: [f64; 2],
    cap: f64,
    armature: f64,
    /// Kinds of targets that controls set already.
    targets: [bool; 2],
    sign: f64,
    reference: f64,
}

impl AxisLaw {
    fn passive(joint: &FileJoint, sign: f64) -> Self {
        Self {
            spring: Spring {
                rest: if joint.stiffness > 0.0 { sign * (joint.spring_reference - joint.reference) } else { 0.0 },
                stiffness: joint.stiffness,
                damping: joint.damping,
            },
            servo: [0.0; 2],
            cap: f64::INFINITY,
            armature: 0.0,
            targets: [false; 2],
            sign,
            reference: joint.reference,
        }
    }

    fn add(&mut self, force: &Force, at: &JointAt, element: &Element, log: &mut Log) {
        let square = force.geared().powi(2);
        self.armature += force.armature * square;
        self.spring.damping += force.damping * square;
        let [constant, per_length, per_speed] = force.bias;
        if !force.has_bias() {
            return;
        }
        let mut refuse = |why: &str, help: &str| log.fault(element.place, format!("{}: {why}", element.called()), help);
        if per_length > 0.0 || per_speed > 0.0 {
            return refuse("a bias that pushes away from rest cannot be said", "give negative numbers in `biasprm`");
        }
        if per_length == 0.0 && per_speed == 0.0 {
            return refuse("a constant force beside the control cannot be said", "add it to the control");
        }
        let target = usize::from(per_length == 0.0);
        if std::mem::replace(&mut self.targets[target], true) || (target == 1 && constant != 0.0) {
            return refuse("two servos on one joint cannot be said", "keep one position and one velocity servo");
        }
        let [low, high] = force.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let [least, most] = at.joint.actuator_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        if low != -high || least != -most {
            return refuse("a servo whose range of forces is not symmetric cannot be said", "give −F and F");
        }
        let capped = self.cap.is_finite();
        self.cap = self.cap.min((high * force.geared().abs()).min(most));
        let others = self.servo != [0.0; 2];
        self.servo[0] -= per_length * square;
        self.servo[1] -= per_speed * square;
        if others && (capped || self.cap.is_finite()) {
            refuse("two servos with largest forces on one joint cannot be said", "remove the ranges of forces");
        }
        if at.joint.kind == Kind::Ball {
            refuse("servos of ball joints cannot be said", "use three hinges");
        }
    }

    fn drive(&self) -> Drive {
        Drive { stiffness: self.servo[0], damping: self.servo[1], max_effort: self.cap, ..Drive::default() }
    }

    /// What a control of an actuator does to the drive of its axis.
    fn action(&self, force: &Force, at: &JointAt) -> Action {
        let [constant, per_length, per_speed] = force.bias;
        let gear = self.sign * force.geared();
        if per_length == 0.0 && per_speed == 0.0 {
            let [low, high] = force.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let [least, most] = at.joint.actuator_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let share = force.geared().abs();
            return Action::Effort { gain: force.gain, range: [low.max(least / share), high.min(most / share)], gear };
        }
        // force · gear = gear (gain u + constant) + per_length gear² (reference + sign x) + …
        if per_length != 0.0 {
            let pull = per_length * force.geared().powi(2);
            let rest = gear * constant + self.sign * pull * self.reference;
            return Action::Target { scale: gear * force.gain / self.servo[0], offset: rest / self.servo[0] };
        }
        Action::TargetVelocity { scale: gear * force.gain / self.servo[1] }
    }
}
