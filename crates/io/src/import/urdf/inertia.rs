//! Masses of links: read, then refused or repaired body by body.

use drystone_geometry::mass::symmetric_eigen;
use drystone_model::{DMat3, DVec3, MassProperties, Pose};

use super::super::InertiaFaults;
use super::super::assembly::{Motion, Part};
use super::super::fault::{Log, Place};
use super::super::xml::Element;

/// Radius of gyration that repaired links get at least \[m\]: that of a finger tip.
const LEAST_GYRATION: f64 = 3e-3;
/// Slack of the triangle inequality, relative: rounding of the digits in files.
const SLACK: f64 = 1e-9;

/// The mass of a link in its frame, none if the file gives none, and what is wrong with its tensor.
pub(super) fn read(
    link: &Element,
    pose: impl Fn(&Element, &mut Log) -> Pose,
    log: &mut Log,
) -> (MassProperties, Option<(String, Place)>) {
    let none = (MassProperties::ZERO, None);
    let Some(inertial) = link.child("inertial") else { return none };
    let mass = inertial.child("mass").and_then(|mass| mass.number(log, "value")).unwrap_or(0.0);
    let tensor = inertial.child("inertia").map_or(DMat3::ZERO, |element| tensor(element, log));
    if mass < 0.0 {
        log.fault(inertial.place, format!("{} has a negative mass", link.called()), "give kilograms");
        return none;
    }
    if mass == 0.0 {
        if tensor != DMat3::ZERO {
            log.note(inertial.place, "an inertia without mass is left out");
        }
        return none;
    }
    let properties = MassProperties { mass, com: DVec3::ZERO, inertia: tensor }.transformed(&pose(inertial, log));
    let problem = fault(&tensor).map(|problem| (format!("inertia of {}: {problem}", link.called()), inertial.place));
    (properties, problem)
}

/// Looks at every body that moves, with all that is welded to it: a link without extent is no fault where others give
/// the body one. `problems` says what is wrong with the links themselves.
pub(super) fn check(parts: &mut [Part], problems: &[Option<(String, Place)>], faults: InertiaFaults, log: &mut Log) {
    // The part every part moves with, and its pose in it.
    let mut head: Vec<(usize, Pose)> = Vec::new();
    let mut whole = vec![MassProperties::ZERO; parts.len()];
    for (index, part) in parts.iter().enumerate() {
        let own = match (&part.motion, part.parent) {
            (Motion::Welded, Some(parent)) => (head[parent].0, head[parent].1 * part.pose),
            _ => (index, Pose::IDENTITY),
        };
        head.push(own);
        whole[own.0] = whole[own.0] + part.mass.transformed(&own.1);
    }
    for index in 0..parts.len() {
        let body = head[index].0;
        if matches!(parts[body].motion, Motion::Welded) {
            continue;
        }
        if whole[body].mass == 0.0 && body == index && faults == InertiaFaults::Repair {
            log.note(
                parts[index].place,
                format!("link `{}` moves and weighs nothing: it gets a gram", parts[index].name),
            );
            parts[index].mass = least();
        }
        let Some((problem, place)) = problems[index].as_ref().filter(|_| fault(&whole[body].inertia).is_some()) else {
            continue;
        };
        if faults == InertiaFaults::Refuse {
            let help = "no mass has this tensor: correct it, or ask for repair (`--inertia repair`)";
            log.fault(*place, problem.clone(), help);
        } else {
            log.note(*place, format!("repaired: {problem}"));
            let own = &mut parts[index].mass;
            own.inertia = repaired(&own.inertia, own.mass);
        }
    }
}

/// What a link that moves and weighs nothing gets where inertias are repaired: a gram of the size of a finger tip.
fn least() -> MassProperties {
    MassProperties::centered(1e-3, DVec3::splat(1e-3 * LEAST_GYRATION * LEAST_GYRATION))
}

fn tensor(element: &Element, log: &mut Log) -> DMat3 {
    let mut entry = |name: &str| element.number(log, name).unwrap_or(0.0);
    let [xx, xy, xz, yy, yz, zz] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(&mut entry);
    DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
}

/// What is wrong with a tensor, if anything.
fn fault(tensor: &DMat3) -> Option<String> {
    let (moments, _) = symmetric_eigen(*tensor);
    if moments.min_element() <= 0.0 {
        return Some(format!("the principal moments {moments} are not all positive"));
    }
    let excess = 2.0 * moments.max_element() - moments.element_sum();
    (excess > SLACK * moments.max_element())
        .then(|| format!("of the principal moments {moments} one exceeds the sum of the other two"))
}

/// The principal axes kept, moments raised: none below that of a small body of the same mass, none above the sum of the
/// other two.
fn repaired(tensor: &DMat3, mass: f64) -> DMat3 {
    let (moments, axes) = symmetric_eigen(*tensor);
    let mut moments = moments.max(DVec3::splat(mass * LEAST_GYRATION * LEAST_GYRATION));
    let excess = moments.z - moments.x - moments.y;
    if excess > 0.0 {
        moments.x += 0.5 * excess;
        moments.y += 0.5 * excess;
    }
    axes * DMat3::from_diagonal(moments) * axes.transpose()
}
