//! A human figure thrown into the air, its limbs loose.

use drystone::model::{BodyDef, BodyId, DQuat, DVec3, JointDef, Model, ModelBuilder, ShapeDef, State};

use super::chains::ghost;
use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Sixteen bodies with the masses and lengths of an adult, floating freely.
pub const HUMANOID: SceneEntry = SceneEntry {
    name: "humanoid",
    summary: "a human figure thrown with a spin flies by the law of its centre of mass, limbs loose",
    parameters: &[Parameter::number("spin", 4.0, 0.0, 10.0, "spin of the throw in rad/s")],
    build: humanoid,
};

/// How a part may turn against the one it hangs from.
#[derive(Clone, Copy)]
enum Hold {
    Ball,
    /// About the sideways axis (knees, elbows).
    Hinge,
    /// About the sideways and the forward axis (wrists, ankles).
    Universal,
}

/// A part of the body: what it hangs from, its joint and its far end \[m\], its radius \[m\] and its
/// share of the mass of 75 kg. The figure stands upright and looks along x, its pelvis at the origin.
struct Part {
    name: &'static str,
    parent: &'static str,
    hold: Hold,
    joint: [f64; 3],
    end: [f64; 3],
    radius: f64,
    share: f64,
}

const fn part(
    name: &'static str,
    parent: &'static str,
    hold: Hold,
    joint: [f64; 3],
    end: [f64; 3],
    radius: f64,
    share: f64,
) -> Part {
    Part { name, parent, hold, joint, end, radius, share }
}

const MASS: f64 = 75.0;
/// Share of the pelvis, and its half extents \[m\].
const PELVIS: (f64, DVec3) = (0.14, DVec3::new(0.09, 0.16, 0.09));

/// The parts in the middle.
const TRUNK: [Part; 2] = [
    part("chest", "pelvis", Hold::Ball, [0.0, 0.0, 0.11], [0.0, 0.0, 0.5], 0.14, 0.36),
    part("head", "chest", Hold::Ball, [0.0, 0.0, 0.52], [0.0, 0.0, 0.78], 0.09, 0.08),
];
/// The parts of the left side; those of the right mirror them.
const SIDE: [Part; 6] = [
    part("upper arm", "chest", Hold::Ball, [0.0, 0.2, 0.44], [0.0, 0.25, 0.15], 0.045, 0.027),
    part("forearm", "upper arm", Hold::Hinge, [0.0, 0.25, 0.15], [0.06, 0.27, -0.1], 0.04, 0.016),
    part("hand", "forearm", Hold::Universal, [0.06, 0.27, -0.1], [0.1, 0.27, -0.28], 0.035, 0.006),
    part("thigh", "pelvis", Hold::Ball, [0.0, 0.09, -0.06], [0.04, 0.1, -0.48], 0.07, 0.105),
    part("shin", "thigh", Hold::Hinge, [0.04, 0.1, -0.48], [0.0, 0.1, -0.9], 0.05, 0.042),
    part("foot", "shin", Hold::Universal, [0.0, 0.1, -0.9], [0.2, 0.11, -0.94], 0.03, 0.014),
];

fn humanoid(params: &Params) -> Result<Scene, SceneError> {
    let mut scene = ModelBuilder::new();
    let place = DVec3::Z * 2.0;
    let throw = DVec3::new(2.0, 0.0, 6.0);
    let spin = DVec3::new(0.3, 1.0, 0.2).normalize() * params.number("spin");
    let pelvis = BodyDef::dynamic("pelvis").at(place).velocity(throw).spin(spin);
    let pelvis = scene.add_body(pelvis.shape(ghost(ShapeDef::cuboid(PELVIS.1))).mass(PELVIS.0 * MASS));
    let mut known = vec![("pelvis".to_owned(), pelvis)];
    for part in &TRUNK {
        add_part(&mut scene, &mut known, part, place, "", 1.0);
    }
    for (label, side) in [("left ", 1.0), ("right ", -1.0)] {
        for part in &SIDE {
            add_part(&mut scene, &mut known, part, place, label, side);
        }
    }
    Scene::new(&scene, Settings::seconds(1.5).hertz(1000.0).solvers(&["structured"]), check())
}

fn check() -> Check {
    Check::new("joints hold to 1 nm, the centre flies a parabola and the angular momentum about it stays", |run| {
        let start = run.model.state();
        let time = run.state.time;
        let (began, ends) = (flight(run.model, &start), flight(run.model, run.state));
        let fall = 0.5 * time * time * run.model.world_gravity[0];
        let expected = began.centre + began.velocity * time + fall;
        let flown = (expected - began.centre).length();
        Figures::new()
            .below("joint gap", run.measures.max_joint_error, 1e-9, "m")
            .below("off the parabola by", (ends.centre - expected).length(), 2e-3 * flown, "m")
            .below("angular momentum off by", (ends.spin - began.spin).length(), 1e-4 * began.spin.length(), "kg m²/s")
    })
}

/// Adds a part of a side and its joint, and remembers it by name.
fn add_part(
    scene: &mut ModelBuilder,
    known: &mut Vec<(String, BodyId)>,
    part: &Part,
    place: DVec3,
    label: &str,
    side: f64,
) {
    let point = |[x, y, z]: [f64; 3]| place + DVec3::new(x, side * y, z);
    let (near, far) = (point(part.joint), point(part.end));
    let length = (far - near).length();
    let shape = ghost(ShapeDef::capsule(part.radius, (0.5 * length - part.radius).max(0.1 * part.radius)));
    let turn = DQuat::from_rotation_arc(DVec3::Z, (far - near) / length);
    let name = format!("{label}{}", part.name);
    let body = BodyDef::dynamic(&name).at(0.5 * (near + far)).rotated(turn);
    let body = scene.add_body(body.shape(shape).mass(part.share * MASS));
    let hung = |known: &[(String, BodyId)], name: &str| known.iter().find(|(have, _)| have == name).map(|&(_, id)| id);
    let parent = hung(known, &format!("{label}{}", part.parent)).or_else(|| hung(known, part.parent));
    let parent = parent.unwrap_or(BodyId::WORLD);
    let joint = match part.hold {
        Hold::Ball => JointDef::ball(parent, body, near),
        Hold::Hinge => JointDef::revolute(parent, body, near, DVec3::Y),
        Hold::Universal => JointDef::universal(parent, body, near, DVec3::Y, DVec3::X),
    };
    // At rest against each other at first, but for arms and legs that swing.
    let mut rates = [0.0; 6];
    rates[3] = match part.hold {
        Hold::Hinge => side * 3.0,
        Hold::Ball if side < 0.0 => -2.0,
        _ => 0.0,
    };
    scene.add_joint(joint.rates(rates));
    known.push((name, body));
}

/// Centre of mass, its velocity, and the angular momentum about it \[m\], \[m/s\], \[kg·m²/s\].
struct Flight {
    centre: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

fn flight(model: &Model, state: &State) -> Flight {
    let mass: f64 = model.body_mass.iter().sum();
    let weighted = (0..model.body_count()).map(|body| model.body_centre(state, body as u32) * model.body_mass[body]);
    let centre = weighted.sum::<DVec3>() / mass;
    let momentum = model.momentum(state);
    let spin = momentum.angular - centre.cross(momentum.linear);
    Flight { centre, velocity: momentum.linear / mass, spin }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_make_a_whole() {
        let middle: f64 = TRUNK.iter().map(|part| part.share).sum();
        let sides: f64 = SIDE.iter().map(|part| 2.0 * part.share).sum();
        assert!((PELVIS.0 + middle + sides - 1.0).abs() < 1e-12, "{}", PELVIS.0 + middle + sides);
    }
}
