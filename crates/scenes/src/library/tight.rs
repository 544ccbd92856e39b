//! Where nothing may pass through anything: bullets, pegs, turntables.

use drystone::model::{BodyDef, DQuat, DVec3, ModelBuilder};

use crate::check::{Check, Figures, Run};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A fast cube against a thin wall.
pub const TUNNELLING: SceneEntry = SceneEntry {
    name: "tunnelling",
    summary: "a cube at 1,000 m/s does not pass through a wall of two centimetres",
    parameters: &[Parameter::number("speed", 1000.0, 1.0, 1e5, "speed of the cube in m/s")],
    build: tunnelling,
};

/// Distance from the cube to the wall \[m\].
const WALL: f64 = 5.0;

fn tunnelling(params: &Params) -> Result<Scene, SceneError> {
    let speed = params.number("speed");
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.4, 0.5));
    let cube = BodyDef::dynamic("cube").rotated(turn).velocity(DVec3::X * speed);
    scene.add_body(cube.cuboid(DVec3::splat(0.5)));
    scene.add_body(BodyDef::fixed("wall").at(DVec3::X * WALL).cuboid(DVec3::new(0.01, 3.0, 3.0)));
    let settings = Settings::seconds(0.2).hertz(100.0).solvers(&["abd"]);
    let check = Check::new("stays in front of the wall, never overlaps it and has met it", move |run| {
        let nearest = run.measures.trace.iter().fold(f64::NEG_INFINITY, |most, x| most.max(*x));
        let figures = Figures::new().below("centre at the furthest", nearest, WALL - 0.5, "m");
        let figures = figures.above("centre at the furthest", nearest, WALL - 1.0, "m");
        figures.below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m")
    });
    Scene::new(&scene, settings, check.tracing(|_, state| state.body_q[0].translation.x))
}

/// A square peg that falls into a square hole.
pub const PEG_IN_HOLE: SceneEntry = SceneEntry {
    name: "peg-in-hole",
    summary: "a square peg slides down a square hole that is hardly wider",
    parameters: &[
        Parameter::number("clearance", 1e-3, 2e-4, 0.05, "free space on either side in m"),
        Parameter::number("tilt", 0.1, 0.0, 5.0, "tilt of the peg at the start in degrees"),
    ],
    build: peg_in_hole,
};

/// Half extents of the peg \[m\].
const PEG: DVec3 = DVec3::new(0.1, 0.1, 0.3);
/// Height of the walls of the hole \[m\].
const DEPTH: f64 = 0.5;

fn peg_in_hole(params: &Params) -> Result<Scene, SceneError> {
    let clearance = params.number("clearance");
    let mut scene = ModelBuilder::new();
    scene.ground();
    let (inner, thick) = (PEG.x + clearance, 0.1);
    for (k, name) in ["east", "north", "west", "south"].into_iter().enumerate() {
        let turn = DQuat::from_rotation_z(k as f64 * std::f64::consts::FRAC_PI_2);
        let place = turn * DVec3::new(inner + thick, 0.0, 0.0) + DVec3::Z * (0.5 * DEPTH);
        let wall = BodyDef::fixed(format!("wall {name}")).at(place).rotated(turn);
        scene.add_body(wall.cuboid(DVec3::new(thick, inner + 2.0 * thick, 0.5 * DEPTH)).friction(0.0));
    }
    let turn = DQuat::from_rotation_y(params.number("tilt").to_radians());
    let start = DVec3::Z * (DEPTH + PEG.z + 0.01);
    scene.add_body(BodyDef::dynamic("peg").at(start).rotated(turn).cuboid(PEG).friction(0.0));
    let settings = Settings::seconds(1.0).hertz(100.0).solvers(&["abd"]);
    let check = Check::new("the peg reaches the bottom of the hole and stays within its walls", move |run| {
        let end = run.state.body_q[4].translation;
        let figures = Figures::new().below("above the bottom", (end.z - PEG.z).abs(), 0.01 * PEG.z, "m");
        figures.below("off the axis", end.truncate().abs().max_element(), clearance, "m")
    });
    Scene::new(&scene, settings, check)
}

/// A box riding on a turning disc.
pub const TURNTABLE: SceneEntry = SceneEntry {
    name: "turntable",
    summary: "a box on a turning disc rides along if and only if friction can hold it",
    parameters: &[
        Parameter::number("mu", 0.5, 0.0, 2.0, "coefficient of friction; it takes ω²r/g = 0.408"),
        Parameter::number("rate", 2.0, 0.1, 20.0, "rate of the disc in rad/s"),
    ],
    build: turntable,
};

/// Distance of the box from the axis \[m\].
const RIDE: f64 = 1.0;

fn turntable(params: &Params) -> Result<Scene, SceneError> {
    let (friction, rate) = (params.number("mu"), params.number("rate"));
    let mut scene = ModelBuilder::new();
    let disc = BodyDef::kinematic("disc").at(DVec3::Z * -0.1).spin(DVec3::Z * rate);
    scene.add_body(disc.cuboid(DVec3::new(2.0, 2.0, 0.1)).friction(friction));
    let ride = BodyDef::dynamic("box").at(DVec3::new(RIDE, 0.0, 0.1)).spin(DVec3::Z * rate);
    scene.add_body(ride.velocity(DVec3::Y * rate * RIDE).cuboid(DVec3::splat(0.1)).friction(friction));
    let holds = rate * rate * RIDE < friction * 9.81;
    let seconds = if holds { 3.0 } else { 0.5 };
    let settings = Settings::seconds(seconds).hertz(100.0).solvers(&["abd"]);
    let from_axis = |run: &Run| run.state.body_q[1].translation.truncate().length();
    let check = if holds {
        Check::new("rides along: within a centimetre of its place on the disc", move |run| {
            let [disc, rider] = [0, 1].map(|body| run.state.body_q[body]);
            let place = disc.rotation.inverse() * rider.translation;
            let away = place.truncate().distance(DVec3::X.truncate());
            let figures = Figures::new().below("away from its place", away, 0.01, "m");
            figures.near("speed", run.state.body_qd[1].linear.length(), rate * RIDE, 0.05, "m/s")
        })
    } else {
        Check::new("slips outwards on the disc", move |run| {
            let figures = Figures::new().above("from the axis", from_axis(run), 1.05 * RIDE, "m");
            figures.above("height", run.state.body_q[1].translation.z, 0.05, "m")
        })
    };
    Scene::new(&scene, settings, check)
}
