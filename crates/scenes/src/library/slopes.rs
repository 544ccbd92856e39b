//! Friction by the book: when a box slides, and where it stops.

use drystone::model::{BodyDef, DQuat, DVec3, ModelBuilder, Shape, ShapeDef, WORLD};
use drystone_kernels::elementary::{cos, sin, tan};

use crate::check::{Check, Figures, Run};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

const GRAVITY: f64 = 9.81;

/// A box on a tilted slab.
pub const INCLINE: SceneEntry = SceneEntry {
    name: "incline",
    summary: "a box on a slope slides if and only if the slope is steeper than the friction allows",
    parameters: &[
        Parameter::number("angle", 26.5, 0.0, 80.0, "slope in degrees"),
        Parameter::number("mu", 0.5, 0.0, 2.0, "coefficient of friction"),
    ],
    build: incline,
};

fn incline(params: &Params) -> Result<Scene, SceneError> {
    let (angle, friction) = (params.number("angle").to_radians(), params.number("mu"));
    let turn = DQuat::from_rotation_y(angle);
    let mut scene = ModelBuilder::new();
    for (body, half, out) in [
        (BodyDef::fixed("slope"), DVec3::new(60.0, 5.0, 0.5), -0.5),
        (BodyDef::dynamic("box"), DVec3::new(0.5, 0.5, 0.25), 0.25),
    ] {
        let place = turn * (DVec3::Z * out);
        scene.add_body(body.at(place).rotated(turn).cuboid(half).friction(friction));
    }
    let settings = Settings::seconds(10.0).solvers(&["vbd", "abd"]);
    let check = if tan(angle) > friction {
        let pull = GRAVITY * (sin(angle) - friction * cos(angle));
        Check::new("slides down as g(sin θ − μ cos θ) says", move |run| {
            let time = run.state.time;
            Figures::new().near("slid", run.measures.end_moved, 0.5 * pull * time * time, 0.02, "m")
        })
    } else {
        // Along the slope: how far off it the box rests is no creep.
        let downhill = turn * DVec3::X;
        let check = Check::new("holds: creeps less than 0.01 mm along the slope", |run| {
            let crept =
                run.measures.trace.iter().fold(0.0_f64, |most, at| most.max((at - run.measures.trace[0]).abs()));
            Figures::new().below("crept", crept, 1e-5, "m")
        });
        check.tracing(move |_, state| state.body_q[1].translation.dot(downhill))
    };
    Scene::new(&scene, settings, check)
}

const SPEED: Parameter = Parameter::number("speed", 5.0, 0.1, 100.0, "initial speed in m/s");
const FRICTION: Parameter = Parameter::number("mu", 0.5, 0.05, 2.0, "coefficient of friction");
const ROW: &[Parameter] = &[Parameter::count("count", 5, 1, 100, "bodies"), SPEED, FRICTION];

/// One box with an initial speed.
pub const SLIDING_BOX: SceneEntry = SceneEntry {
    name: "sliding-box",
    summary: "a box sliding on the ground stops after v²/2μg",
    parameters: &[SPEED, FRICTION],
    build: sliding_box,
};

fn sliding_box(params: &Params) -> Result<Scene, SceneError> {
    sliding(params, 1, 0.01, DVec3::new(0.5, 0.5, 0.1), DVec3::ZERO)
}

/// Boxes one behind the other.
pub const SLIDING_ROW: SceneEntry = SceneEntry {
    name: "sliding-row",
    summary: "a row of touching cubes slides and stops as one cube would",
    parameters: ROW,
    build: sliding_row,
};

fn sliding_row(params: &Params) -> Result<Scene, SceneError> {
    sliding(params, params.count("count"), 0.02, DVec3::splat(0.25), DVec3::X * 0.5)
}

/// Slabs on top of each other.
pub const SLIDING_SLABS: SceneEntry = SceneEntry {
    name: "sliding-slabs",
    summary: "a stack of slabs slides and stops as one slab would",
    parameters: ROW,
    build: sliding_slabs,
};

fn sliding_slabs(params: &Params) -> Result<Scene, SceneError> {
    sliding(params, params.count("count"), 0.02, DVec3::new(1.0, 1.0, 0.1), DVec3::Z * 0.2)
}

/// Bodies of half extents `half`, each `step` from the one before, all moving along x.
fn sliding(params: &Params, count: usize, tolerance: f64, half: DVec3, step: DVec3) -> Result<Scene, SceneError> {
    let (speed, friction) = (params.number("speed"), params.number("mu"));
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, ShapeDef::new(Shape::HalfSpace).friction(friction));
    for index in 0..count {
        let place = DVec3::Z * half.z + step * index as f64;
        let body = BodyDef::dynamic(format!("box {index}")).at(place).velocity(DVec3::X * speed);
        scene.add_body(body.cuboid(half).friction(friction));
    }
    let distance = speed * speed / (2.0 * friction * GRAVITY);
    // Implicit steps stop a sliding body v·dt/2 early; at 240 Hz that is below half a percent.
    let settings = Settings::seconds((1.5 * speed / (friction * GRAVITY)).max(1.0)).hertz(240.0);
    let settings = settings.solvers(&["vbd", "jacobi"]);
    let check = Check::new("stops after v²/2μg and stays together", move |run| {
        let travel = |body: usize| run.state.body_q[body].translation.x - run.model.body_q[body].translation.x;
        let (least, most) = extremes((0..count).map(travel));
        let figures = Figures::new().below("speed at the end", fastest(run), 1e-3 * speed, "m/s");
        let figures = figures.near("shortest way", least, distance, tolerance, "m");
        figures.near("longest way", most, distance, tolerance, "m")
    });
    Scene::new(&scene, settings, check)
}

fn extremes(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

fn fastest(run: &Run) -> f64 {
    run.state.body_qd.iter().map(|velocity| velocity.linear.length()).fold(0.0, f64::max)
}
