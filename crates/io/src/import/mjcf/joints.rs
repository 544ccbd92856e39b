//! The joints of one body as one joint of the model.

use drystone_model::{Axis, BodyId, DMat3, DQuat, DVec3, Drag, JointDef, JointId, JointKind, Limit, Pose, Spring};

use super::super::assembly::Motion;
use super::super::fault::{Log, Place};
use super::super::robot::{Coordinate, RobotJoint};
use super::super::xml::Element;
use super::settings::Settings;

/// Axes this far from perpendicular or parallel, and anchors this far apart relative to one metre, count as not.
const TOLERANCE: f64 = 1e-9;

/// What a joint of the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Free,
    Ball,
    Slide,
    Hinge,
}

/// A joint of the file.
#[derive(Clone, Debug)]
pub(super) struct FileJoint {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) kind: Kind,
    pub(super) anchor: DVec3,
    pub(super) axis: DVec3,
    /// The file's coordinate where the file draws the body \[m or rad\].
    pub(super) reference: f64,
    pub(super) range: Option<[f64; 2]>,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    /// Time constant \[s\] and damping ratio of a spring and damper that follow from the inertia.
    pub(super) spring_damper: Option<[f64; 2]>,
    pub(super) spring_reference: f64,
    friction: f64,
    pub(super) armature: f64,
    /// Bounds of what all actuators together may do.
    pub(super) actuator_range: Option<[f64; 2]>,
}

/// A range and whether it counts, by the rule of `autolimits`.
pub(super) fn limited(
    element: &Element,
    [range, flag]: [&str; 2],
    autolimits: bool,
    log: &mut Log,
) -> Option<[f64; 2]> {
    let given: Option<[f64; 2]> = element.numbers(log, range);
    let counts = match element.text_of(flag) {
        Some("true") => true,
        Some("false") => false,
        None | Some("auto") if autolimits => given.is_some_and(|range| range != [0.0, 0.0]),
        None if given.is_none() => false,
        _ => {
            let help = format!("say `{flag}=\"true\"` or `\"false\"`, or switch `autolimits` on");
            log.fault(element.place, format!("{} has `{range}` but not `{flag}`", element.called()), help);
            false
        }
    };
    let range = counts.then(|| given.unwrap_or([0.0; 2]));
    if let Some([low, high]) = range
        && low >= high
    {
        log.fault(
            element.place,
            format!("{}: `{range:?}` is no range", element.called()),
            "give the lower bound first",
        );
    }
    range
}

impl FileJoint {
    /// Reads a joint whose defaults are in place; `frame` is where the element stands in its body.
    pub(super) fn read(element: &Element, frame: Pose, settings: &Settings, log: &mut Log) -> Self {
        let kinds = [("free", Kind::Free), ("ball", Kind::Ball), ("slide", Kind::Slide), ("hinge", Kind::Hinge)];
        let kind = match element.name.as_str() {
            "freejoint" => Kind::Free,
            _ => element.choice(log, "type", &kinds).unwrap_or(Kind::Hinge),
        };
        let turns = matches!(kind, Kind::Hinge | Kind::Ball);
        let angle = |value: f64| if turns { settings.angle(value) } else { value };
        let mut number = |name: &str| element.number(log, name).unwrap_or(0.0);
        let [friction, armature, reference, spring] = ["frictionloss", "armature", "ref", "springref"].map(&mut number);
        let [stiffness, damping] = ["stiffness", "damping"].map(|name| polynomial(element, name, log));
        let range = limited(element, ["range", "limited"], settings.autolimits, log).map(|range| range.map(angle));
        let unless = |flag: &str, value: f64| if settings.disabled(flag) { 0.0 } else { value };
        let joint = Self {
            name: element.text_of("name").unwrap_or_default().to_owned(),
            place: element.place,
            kind,
            anchor: frame * element.vector(log, "pos").unwrap_or(DVec3::ZERO),
            axis: frame.rotation * element.direction(log, "axis").unwrap_or(DVec3::Z),
            reference: angle(reference),
            range: range.filter(|_| !settings.disabled("limit")),
            stiffness: unless("spring", stiffness),
            damping: unless("damper", damping),
            spring_damper: element.numbers(log, "springdamper").filter(|&[time, ratio]| time > 0.0 && ratio > 0.0),
            spring_reference: angle(spring),
            friction: unless("frictionloss", friction),
            armature,
            actuator_range: limited(element, ["actuatorfrcrange", "actuatorfrclimited"], settings.autolimits, log),
        };
        joint.check(element, log);
        joint
    }

    /// Nothing rubs along rotations that are no angles, and balls have no rotors.
    fn cannot_have(&self, what: &str) -> bool {
        match self.kind {
            Kind::Ball => what == "armature" || what == "frictionloss",
            Kind::Free => what == "frictionloss",
            Kind::Hinge | Kind::Slide => false,
        }
    }

    fn check(&self, element: &Element, log: &mut Log) {
        for (name, value) in [
            ("stiffness", self.stiffness),
            ("damping", self.damping),
            ("frictionloss", self.friction),
            ("armature", self.armature),
        ] {
            let place = element.attribute(name).map_or(element.place, |attribute| attribute.place);
            if value < 0.0 {
                log.fault(place, format!("{}: `{name}` is negative", element.called()), "give zero or more");
            } else if value > 0.0 && self.cannot_have(name) {
                let message = format!(
                    "`{name}` of a {} joint cannot be said",
                    if self.kind == Kind::Ball { "ball" } else { "free" }
                );
                log.fault(place, message, "remove it, or use three hinges (and slides) instead");
            }
        }
        if self.kind == Kind::Ball
            && let Some([low, high]) = self.range
            && (low != 0.0 || high > std::f64::consts::PI)
        {
            let message = format!("{}: the range of a ball joint bounds its whole angle", element.called());
            log.fault(self.place, message, "give 0 and an angle up to 180°");
        }
    }

    /// What the damping of a free joint does: it resists the motion of the origin of the body, and its spin. That of a ball joint at
    /// what stands resists the spin alone.
    pub(super) fn drag(&self) -> Option<Drag> {
        let along = if self.kind == Kind::Free { self.damping } else { 0.0 };
        let linear = [along, along, along, self.damping, self.damping, self.damping];
        (self.damping > 0.0).then(|| Drag { linear, ..Drag::default() })
    }
}

/// A stiffness or damping; only one that does not depend on how far or how fast can be said.
pub(super) fn polynomial(element: &Element, name: &str, log: &mut Log) -> f64 {
    let list = element.list(log, name).unwrap_or_default();
    if list.iter().skip(1).any(|&higher| higher != 0.0)
        && let Some(attribute) = element.attribute(name)
    {
        let message = format!("{}: a `{name}` that grows with the motion cannot be said", element.called());
        log.fault(attribute.place, message, "keep the first number only");
    }
    list.first().copied().unwrap_or(0.0)
}

/// Where a joint of the file went: its place in the body's list, axis and sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) axis: Axis,
    pub(super) sign: f64,
}

/// A joint of the model: the motion, and the axis of every joint of the file in it.
type Merged = (Motion, Vec<Row>);

/// The joints of a body in pieces that are one joint of the model each, the longest first.
pub(super) fn grouped(joints: &[FileJoint]) -> Vec<(Merged, &[FileJoint])> {
    let (mut groups, mut rest) = (Vec::new(), joints);
    while !rest.is_empty() {
        // A single one always is.
        let longest = |count: usize| Some((merge(&rest[..count]).ok()?, count));
        let Some((merged, count)) = (1..=rest.len()).rev().find_map(longest) else { break };
        let (piece, others) = rest.split_at(count);
        groups.push((merged, piece));
        rest = others;
    }
    groups
}

/// One joint of the model for several of a body, or why there is none.
fn merge(joints: &[FileJoint]) -> Result<Merged, &'static str> {
    match joints {
        [free] if free.kind == Kind::Free => return Ok((Motion::Free(free.name.clone()), Vec::new())),
        [ball] if ball.kind == Kind::Ball => return Ok((self::ball(ball), Vec::new())),
        _ => {}
    }
    let (axes, rows) = frame(joints)?;
    let rotation = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2])).normalize();
    let anchor = joints.iter().find(|joint| joint.kind == Kind::Hinge).unwrap_or(&joints[0]).anchor;
    let mut def = JointDef::new(kind_of(&rows), BodyId::WORLD, BodyId::WORLD);
    def = def.named(joints.iter().map(|joint| joint.name.as_str()).collect::<Vec<_>>().join("+"));
    if joints.iter().all(|joint| joint.name.is_empty()) {
        def.name.clear();
    }
    let mut coordinates = Vec::new();
    for (joint, row) in joints.iter().zip(&rows) {
        let index = row.axis as usize;
        def = def.free(&[row.axis]);
        def.friction[index] = joint.friction;
        def.armature[index] = joint.armature;
        if let Some(range) = joint.range {
            let [a, b] = range.map(|bound| row.sign * (bound - joint.reference));
            def.limit[index] = Limit { lower: a.min(b), upper: a.max(b), ..Limit::default() };
        }
        let coordinate = Coordinate::Axis { axis: row.axis, sign: row.sign, reference: joint.reference };
        coordinates.push(table_entry(joint, coordinate));
    }
    Ok((Motion::Jointed { def: Box::new(def), at: Pose::from_parts(anchor, rotation), coordinates }, rows))
}

fn table_entry(joint: &FileJoint, coordinate: Coordinate) -> RobotJoint {
    let effort = joint.actuator_range.map(|[low, high]| high.max(-low));
    RobotJoint { name: joint.name.clone(), joint: JointId(0), coordinate, effort, velocity: None }
}

fn ball(joint: &FileJoint) -> Motion {
    let mut def = JointDef::new(JointKind::Ball, BodyId::WORLD, BodyId::WORLD).named(&joint.name);
    // Equal springs along the rotation vector are one along the angle, about whatever axis.
    def.spring[3..].fill(Spring::towards(0.0, joint.stiffness));
    let coordinates = vec![table_entry(joint, Coordinate::Ball)];
    Motion::Jointed { def: Box::new(def), at: Pose::from_translation(joint.anchor), coordinates }
}

/// What the joint of the model is called.
fn kind_of(rows: &[Row]) -> JointKind {
    match rows.iter().map(|row| row.axis).collect::<Vec<_>>()[..] {
        [Axis::AngX] => JointKind::Revolute,
        [Axis::LinX] => JointKind::Prismatic,
        [Axis::LinX, Axis::AngX] | [Axis::AngX, Axis::LinX] => JointKind::Cylindrical,
        [Axis::AngX, Axis::AngY] => JointKind::Universal,
        _ => JointKind::D6,
    }
}

/// The axes of the joint frame, and the axis of every joint of the file in it. The model slides along axes of the parent
/// and then turns about x, the turned y, the turned z: slides must come first, hinges be perpendicular through one point.
fn frame(joints: &[FileJoint]) -> Result<([DVec3; 3], Vec<Row>), &'static str> {
    if joints.iter().any(|joint| matches!(joint.kind, Kind::Free | Kind::Ball)) {
        return Err("a free or ball joint beside others on one body cannot be said");
    }
    let hinges: Vec<&FileJoint> = joints.iter().filter(|joint| joint.kind == Kind::Hinge).collect();
    let slides: Vec<&FileJoint> = joints.iter().filter(|joint| joint.kind == Kind::Slide).collect();
    if hinges.len() > 3 || slides.len() > 3 {
        return Err("more than three hinges or slides on one body cannot be said");
    }
    let parallel = |a: DVec3, b: DVec3| a.cross(b).length() < TOLERANCE;
    for (index, slide) in joints.iter().enumerate().filter(|(_, joint)| joint.kind == Kind::Slide) {
        let mut before = joints[..index].iter().filter(|joint| joint.kind == Kind::Hinge);
        if before.any(|hinge| !parallel(hinge.axis, slide.axis)) {
            return Err("a slide that turns with a hinge of the same body cannot be said");
        }
    }
    if hinges.windows(2).any(|two| (two[0].anchor - two[1].anchor).length() > TOLERANCE) {
        return Err("hinges of one body through different points cannot be said");
    }
    let axes = spanned(&hinges, &slides)?;
    let mut used = [false; 6];
    let mut rows = Vec::new();
    let mut turns = 0;
    for joint in joints {
        let along = match joint.kind {
            // Hinges turn in their order; a single one may turn about any axis of the frame.
            Kind::Hinge => {
                turns += 1;
                turns - 1
            }
            _ => (0..3)
                .find(|&k| parallel(axes[k], joint.axis))
                .ok_or("slides of one body that are oblique to each other or to its hinges cannot be said")?,
        };
        let axis = Axis::ALL[along + if joint.kind == Kind::Hinge { 3 } else { 0 }];
        if std::mem::replace(&mut used[axis as usize], true) {
            return Err("two slides of one body along one direction cannot be said");
        }
        rows.push(Row { axis, sign: axes[along].dot(joint.axis).signum() });
    }
    Ok((axes, rows))
}

/// A right-handed frame whose first axes are those of the hinges in order, then those of the slides.
fn spanned(hinges: &[&FileJoint], slides: &[&FileJoint]) -> Result<[DVec3; 3], &'static str> {
    let mut axes: Vec<DVec3> = Vec::new();
    for hinge in hinges {
        if axes.iter().any(|axis| axis.dot(hinge.axis).abs() > TOLERANCE) {
            return Err("hinges of one body that are not perpendicular to each other cannot be said");
        }
        axes.push(hinge.axis);
    }
    for slide in slides {
        if axes.len() < 3 && axes.iter().all(|axis| axis.dot(slide.axis).abs() < TOLERANCE) {
            axes.push(slide.axis);
        }
    }
    let x = axes[0];
    let y = axes.get(1).copied().unwrap_or_else(|| x.any_orthonormal_vector());
    // Exactly perpendicular, as the quaternion of the frame needs it.
    let y = y.reject_from_normalized(x).normalize();
    Ok([x, y, x.cross(y)])
}
