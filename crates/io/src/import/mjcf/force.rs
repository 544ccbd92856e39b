//! One actuator as the file says it: what it pulls, its law, its state.

use drystone_model::nearest;

use super::super::actuation::Dynamics;
use super::super::fault::Log;
use super::super::xml::Element;
use super::actuator::Scene;
use super::beyond::Beyond;
use super::body::JointAt;
use super::joints::{Kind, limited};
use super::slot::Slot;

/// Attributes that bring dynamics of their own: whether a value changes anything, and why it cannot be said.
const DYNAMICS: [(&str, &str); 3] = [
    ("delay", "a delayed control cannot be said"),
    ("nsample", "a control with a history cannot be said"),
    ("slewmax", "a limited rate of the control cannot be said"),
];

/// An actuator before it meets the others of its axis.
pub(super) struct Force {
    pub(super) name: String,
    /// What it pulls in place of joints.
    pub(super) beyond: Option<Beyond>,
    /// The joints it pulls, and how far it pulls per coordinate of each, before the gear.
    pub(super) levers: Vec<(usize, f64)>,
    pub(super) gain: f64,
    pub(super) bias: [f64; 3],
    pub(super) gear: f64,
    pub(super) control_range: Option<[f64; 2]>,
    pub(super) force_range: Option<[f64; 2]>,
    pub(super) armature: f64,
    pub(super) damping: f64,
    pub(super) dynamics: Dynamics,
    /// Whether it shares a largest force with all other actuators of its joint or tendon.
    pub(super) bounded: bool,
}

impl Force {
    /// The damping ratio of a position servo, which stands where the damping would, with the other sign.
    pub(super) fn damping_ratio(&self) -> Option<f64> {
        let [_, per_length, per_speed] = self.bias;
        (per_speed > 0.0 && self.gain > 0.0 && self.gain == -per_length).then_some(per_speed)
    }

    /// Effort on an axis of the file per force.
    pub(super) fn geared(&self) -> f64 {
        self.gear * self.levers.first().map_or(1.0, |&(_, lever)| lever)
    }

    pub(super) fn has_bias(&self) -> bool {
        self.bias != [0.0; 3]
    }
}

/// Reads one actuator.
pub(super) fn one(element: &Element, scene: &Scene<'_>, log: &mut Log) -> Option<Force> {
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
    let (mut levers, pulled, mut beyond) = target(&merged, &slot, scene, log)?;
    if let &[(joint, _)] = &levers[..]
        && joints[joint].row.is_none()
    {
        beyond = Some(of_ball(joint, &merged, &slot, scene, log)?);
        levers.clear();
    }
    // That of a place is its own.
    let gear = match beyond {
        Some(Beyond::Place { .. }) => 1.0,
        _ => slot.gear.first().copied().unwrap_or(1.0),
    };
    let mut control_range = limited(&merged, ["ctrlrange", "ctrllimited"], settings.autolimits, log);
    if let (None, Some([low, high])) = (control_range, inherited(&slot, &levers, joints)) {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * slot.inherit_range);
        control_range = Some([middle - half, middle + half]);
    }
    let control_range = control_range.filter(|_| !settings.disabled("clampctrl"));
    let force_range = limited(&merged, ["forcerange", "forcelimited"], settings.autolimits, log);
    let own = |&(joint, _): &(usize, f64)| joints[joint].joint.actuator_range.is_some();
    let bounded = pulled.is_some() || levers.iter().any(own);
    let force = Force {
        bounded,
        beyond,
        name: element.text_of("name").unwrap_or_default().to_owned(),
        levers,
        gain: slot.gain,
        bias: if slot.has_bias { slot.bias } else { [0.0; 3] },
        gear,
        control_range,
        // A largest force of the tendon is one before the gear, of the joint one behind it.
        force_range: within(force_range, pulled),
        armature: slot.armature,
        damping: slot.damping,
        dynamics: dynamics(&merged, settings.autolimits, log)?,
    };
    check_beyond(&force, element, log)?;
    check_levers(&force, element, joints, log)?;
    Some(force)
}

/// The torque of an actuator at a ball joint.
fn of_ball(joint: usize, element: &Element, slot: &Slot, scene: &Scene<'_>, log: &mut Log) -> Option<Beyond> {
    let at = &scene.joints[joint];
    if at.joint.kind != Kind::Ball {
        let message = format!("{}: actuators of free joints cannot be said", element.called());
        log.fault(element.place, message, "pull the body at a site (`site=\"…\"`), or push it by `Control::body_f`");
        return None;
    }
    let gear: &[f64] = if slot.gear.is_empty() { &[1.0] } else { &slot.gear };
    let (parent, drawn) = scene.hung[at.part];
    Some(Beyond::ball(at, (parent, drawn.rotation), element.attribute("jointinparent").is_some(), gear))
}

/// What an actuator at a site, a ball joint or a spatial tendon cannot be.
fn check_beyond(force: &Force, element: &Element, log: &mut Log) -> Option<()> {
    let why = match &force.beyond {
        None => return Some(()),
        Some(_) if force.damping_ratio().is_some() => "`dampratio` is computed for joints only",
        Some(_) if force.armature != 0.0 || force.damping != 0.0 => {
            "a rotor or damper that is not at a joint cannot be said"
        }
        Some(Beyond::Place { .. }) if force.has_bias() => "a servo at a site or a ball joint cannot be said",
        Some(_) => return Some(()),
    };
    let help = "use a motor and compute the control in your program, or drive hinges and slides";
    log.fault(element.place, format!("{}: {why}", element.called()), help);
    None
}

/// What one actuator over several joints cannot be.
fn check_levers(force: &Force, element: &Element, joints: &[JointAt], log: &mut Log) -> Option<()> {
    if force.levers.len() == 1 || force.beyond.is_some() {
        return Some(());
    }
    let bounded = force.levers.iter().any(|&(joint, _)| joints[joint].joint.actuator_range.is_some());
    let why = match () {
        () if force.levers.is_empty() => "it pulls nothing",
        () if force.damping_ratio().is_some() => "`dampratio` over several joints is not computed",
        () if force.armature != 0.0 || force.damping != 0.0 => "a rotor over several joints cannot be said",
        () if bounded => "`actuatorfrcrange` of a joint that shares its actuator cannot be said",
        () => return Some(()),
    };
    log.fault(
        element.place,
        format!("{}: {why}", element.called()),
        "give the gains themselves (`kp`, `kv`), or drive the joints",
    );
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
type Pulled = (Vec<(usize, f64)>, Option<[f64; 2]>, Option<Beyond>);

fn target(element: &Element, slot: &Slot, scene: &Scene<'_>, log: &mut Log) -> Option<Pulled> {
    for other in ["body", "cranksite", "slidersite", "refsite"] {
        if let Some(attribute) = element.attribute(other) {
            let message = format!("{}: an actuator at a {other} cannot be said", element.called());
            log.fault(attribute.place, message, "drive joints");
            return None;
        }
    }
    if let Some(attribute) = element.attribute("tendon") {
        if let Some(tendon) = scene.tendons.iter().find(|tendon| tendon.name == attribute.value) {
            return Some((tendon.terms.clone(), tendon.actuator_range, None));
        }
        let found = scene.spatial.iter().find(|tendon| tendon.name == attribute.value);
        if let Some((tendon, line)) = found.and_then(|tendon| Some((tendon, tendon.line.clone()?))) {
            return Some((Vec::new(), tendon.actuator_range, Some(line)));
        }
        let message = match found {
            Some(_) => format!("{}: an actuator at a tendon around geoms cannot be said", element.called()),
            None => format!("{}: there is no tendon `{}`", element.called(), attribute.value),
        };
        log.fault(attribute.place, message, "drive joints, a fixed tendon, or one through sites only");
        return None;
    }
    if let Some(attribute) = element.attribute("site") {
        let Some(site) = scene.sites.iter().find(|site| site.name == attribute.value) else {
            log.fault(attribute.place, format!("there is no site `{}`", attribute.value), "name a site");
            return None;
        };
        let default = |k: usize| if k == 0 && slot.gear.is_empty() { 1.0 } else { 0.0 };
        let gear = std::array::from_fn(|k| slot.gear.get(k).copied().unwrap_or(default(k)));
        return Some((Vec::new(), None, Some(Beyond::Place { part: site.part, pose: site.pose, gear, against: None })));
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
    found.map(|joint| (vec![(joint, 1.0)], None, None))
}
