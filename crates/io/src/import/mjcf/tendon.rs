//! Fixed tendons: weighted sums of coordinates. One of a single joint is that joint with a gear; a range of two is a coupling with
//! play, or nothing where the ranges of the joints keep it anyway.

use drystone_model::{Axis, Follow, JointId, Limit};

use super::super::assembly::Assembly;
use super::super::fault::Log;
use super::super::xml::Element;
use super::body::JointAt;
use super::defaults::Defaults;

/// A fixed tendon: joints of the file, each once, and the length per coordinate.
pub(super) struct FixedTendon {
    pub(super) name: String,
    pub(super) terms: Vec<(usize, f64)>,
    /// Bounds of what all actuators together may do.
    pub(super) actuator_range: Option<[f64; 2]>,
}

impl FixedTendon {
    /// Reads the tendons whose joints are there; faults of the others are told.
    pub(super) fn read(
        root: &Element,
        defaults: &Defaults,
        joints: &[JointAt],
        autolimits: bool,
        log: &mut Log,
    ) -> Vec<Self> {
        let all = root.children_named("tendon").flat_map(|group| group.children_named("fixed"));
        let read = all.filter_map(|element| {
            let element = defaults.resolve(element, "tendon", None, log);
            let terms = terms(&element, joints, log)?;
            let range = ["actuatorfrcrange", "actuatorfrclimited"];
            Some(Self {
                name: element.text_of("name").unwrap_or_default().to_owned(),
                terms,
                actuator_range: super::joints::limited(&element, range, autolimits, log),
            })
        });
        read.collect()
    }
}

/// The joints of a fixed tendon and their weights.
pub(super) fn terms(element: &Element, joints: &[JointAt], log: &mut Log) -> Option<Vec<(usize, f64)>> {
    let mut terms: Vec<(usize, f64)> = Vec::new();
    for child in element.children_named("joint") {
        let name = child.needed(log, "joint")?;
        let coefficient = child.number(log, "coef").unwrap_or(0.0);
        let Some(joint) = joints.iter().position(|at| at.joint.name == name && at.row.is_some()) else {
            log.fault(child.place, format!("there is no hinge or slide `{name}`"), "name a hinge or a slide");
            return None;
        };
        match terms.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, known)) => *known += coefficient,
            None => terms.push((joint, coefficient)),
        }
    }
    terms.retain(|&(_, coefficient)| coefficient != 0.0);
    Some(terms)
}

/// A term in coordinates of the model: joint, axis, length per coordinate, length where the coordinate is zero, and the range.
struct Term {
    joint: JointId,
    axis: Axis,
    slope: f64,
    constant: f64,
    range: [f64; 2],
}

/// Keeps the length Σ of the terms between bounds; tells whether it could be said.
pub(super) fn keep_range(
    terms: &[(usize, f64)],
    [low, high]: [f64; 2],
    joints: &[JointAt],
    assembly: &mut Assembly,
) -> bool {
    let Some(terms) = terms.iter().map(|term| in_model(term, joints, assembly)).collect::<Option<Vec<Term>>>() else {
        return false;
    };
    let constant: f64 = terms.iter().map(|term| term.constant).sum();
    let [low, high] = [low - constant, high - constant];
    let reach = |pick: fn(f64, f64) -> f64| {
        terms.iter().map(|term| pick(term.slope * term.range[0], term.slope * term.range[1])).sum::<f64>()
    };
    match &terms[..] {
        // The joints keep within it by their own ranges.
        _ if reach(f64::min) >= low && reach(f64::max) <= high => true,
        [] => true,
        [single] => {
            let [a, b] = [low / single.slope, high / single.slope];
            assembly.builder.change_joint(single.joint, |def| {
                let limit = &mut def.limit[single.axis as usize];
                *limit = Limit { lower: limit.lower.max(a.min(b)), upper: limit.upper.min(a.max(b)), ..*limit };
            });
            true
        }
        [one, other] => couple(one, other, [low, high], assembly) || couple(other, one, [low, high], assembly),
        _ => false,
    }
}

/// Pulls the length Σ of two terms to `rest`, that of the file's drawing if none is given, by stiffness and damping: one coordinate
/// follows the other by a spring. Tells whether it could be said.
pub(super) fn spring(
    terms: &[(usize, f64)],
    rest: Option<f64>,
    [stiffness, damping]: [f64; 2],
    joints: &[JointAt],
    assembly: &mut Assembly,
) -> bool {
    let Some(terms) = terms.iter().map(|term| in_model(term, joints, assembly)).collect::<Option<Vec<Term>>>() else {
        return false;
    };
    let [one, other] = &terms[..] else { return false };
    let stretch = rest.map_or(0.0, |rest| rest - one.constant - other.constant);
    let mut pull = |own: &Term, leader: &Term| {
        let taken = assembly.builder.joint_def(own.joint).is_none_or(|def| def.follow[own.axis as usize].is_some());
        if taken || own.joint == leader.joint {
            return false;
        }
        let square = own.slope * own.slope;
        let hard = Follow::hard(leader.joint, leader.axis, -leader.slope / own.slope, stretch / own.slope);
        let soft = Follow { stiffness: stiffness * square, damping: damping * square, ..hard };
        assembly.follow(own.joint, own.axis, soft);
        true
    };
    pull(one, other) || pull(other, one)
}

fn in_model(&(joint, coefficient): &(usize, f64), joints: &[JointAt], assembly: &Assembly) -> Option<Term> {
    let at = &joints[joint];
    let (row, id) = (at.row?, assembly.joint_of[at.part]?);
    let limit = assembly.builder.joint_def(id)?.limit[row.axis as usize];
    let slope = coefficient * row.sign;
    let range = [limit.lower, limit.upper];
    Some(Term { joint: id, axis: row.axis, slope, constant: coefficient * at.joint.reference, range })
}

/// Lets one coordinate follow another within bounds of one · a + other · b; not if it follows something already.
fn couple(own: &Term, leader: &Term, bounds: [f64; 2], assembly: &mut Assembly) -> bool {
    let taken = assembly.builder.joint_def(own.joint).is_none_or(|def| def.follow[own.axis as usize].is_some());
    if taken || own.joint == leader.joint {
        return false;
    }
    let [a, b] = bounds.map(|bound| bound / own.slope);
    let (lower, upper) = (a.min(b), a.max(b));
    let offset = match (lower.is_finite(), upper.is_finite()) {
        (true, true) => 0.5 * (lower + upper),
        (true, false) => lower,
        _ => upper,
    };
    let play = [lower - offset, upper - offset];
    let ratio = -leader.slope / own.slope;
    let follow = Follow { play, ..Follow::hard(leader.joint, leader.axis, ratio, offset) };
    assembly.follow(own.joint, own.axis, follow);
    true
}
