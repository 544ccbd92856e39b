//! Two gears that turn each other by their teeth alone.

use drystone_kernels::elementary::{acos, cos, sin_cos, tan};
use std::f64::consts::{FRAC_PI_2, PI};

use drystone::geometry::ShapeError;
use drystone::model::{Axis, BodyDef, DQuat, DVec3, Drive, JointDef, ModelBuilder, Shape, ShapeDef, WORLD};

use super::train;
use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A driven gear turns another by contact of involute teeth.
pub const GEARS: SceneEntry = SceneEntry {
    name: "gears",
    summary: "a driven gear turns another by its involute teeth at the ratio of their counts",
    parameters: &[
        Parameter::count("driver", 18, 17, 60, "teeth of the driven gear"),
        Parameter::count("follower", 36, 17, 120, "teeth of the other"),
        Parameter::number("speed", 2.0, 0.1, 10.0, "speed of the driven gear in rad/s"),
        Parameter::count(
            "train",
            0,
            0,
            100,
            "gears in a row, each a mesh, driven by a torque on the first; 0 for the two",
        ),
        Parameter::count(
            "detail",
            1,
            1,
            20,
            "resolution of the meshes of a train; 28 gears at 10 have 1.1 million triangles",
        ),
    ],
    build: gears,
};

/// Pitch diameter per tooth \[m\].
pub(super) const MODULE: f64 = 0.05;
pub(super) const HALF_WIDTH: f64 = 0.05;
const PRESSURE_ANGLE: f64 = 20.0 * PI / 180.0;
/// Part of a tooth's width left free, so that gears do not bind.
const BACKLASH: f64 = 0.04;

fn gears(params: &Params) -> Result<Scene, SceneError> {
    let teeth = [params.count("driver"), params.count("follower")];
    let speed = params.number("speed");
    if params.count("train") > 1 {
        return train::train(params.count("train"), teeth, params.count("detail"), speed);
    }
    let mut scene = ModelBuilder::new();
    let distance = 0.5 * MODULE * (teeth[0] + teeth[1]) as f64;
    // A tooth of the driver points at the follower, where the follower has a gap.
    let places = [(0.0, 0.0), (distance, PI + PI / teeth[1] as f64)];
    for (index, name) in ["driver", "follower"].into_iter().enumerate() {
        let (x, phase) = places[index];
        let body = gear(BodyDef::dynamic(name), teeth[index], phase)?;
        let body = scene.add_body(body.at(DVec3::X * x).friction(0.1));
        let joint = JointDef::revolute(WORLD, body, DVec3::X * x, DVec3::Z);
        let drive = Drive::velocity(speed, 1e4);
        scene.add_joint(if index == 0 { joint.drive(Axis::AngX, drive) } else { joint });
    }
    let ratio = teeth[0] as f64 / teeth[1] as f64;
    let check = Check::new("both turn, at the ratio of their teeth", move |run| {
        let angle = |joint: usize| run.state.joint_angle[joint][0];
        let figures = Figures::new().below("joint gap", run.measures.max_joint_error, 5e-3, "m");
        let figures = figures.near("driver turned", angle(0), speed * run.state.time, 0.05, "rad");
        figures.near("follower turned", -angle(1), ratio * angle(0), 0.02, "rad")
    });
    Scene::new(&scene, Settings::seconds(4.0).hertz(240.0).solvers(&["vbd", "jacobi"]), check)
}

/// A disc with teeth about z, the first tooth at the angle `phase` \[rad\].
fn gear(mut body: BodyDef, teeth: usize, phase: f64) -> Result<BodyDef, ShapeError> {
    let root = 0.5 * MODULE * teeth as f64 - 1.25 * MODULE;
    body = body.shape(ShapeDef::cylinder(root, HALF_WIDTH));
    let tooth = tooth(teeth)?;
    for index in 0..teeth {
        let turn = DQuat::from_rotation_z(phase + 2.0 * PI * index as f64 / teeth as f64);
        body = body.shape(ShapeDef::new(tooth.clone()).rotated(turn));
    }
    Ok(body)
}

/// Radii at which the teeth of a gear begin and end \[m\].
pub(super) fn tooth_ends(teeth: usize) -> [f64; 2] {
    let pitch = 0.5 * MODULE * teeth as f64;
    [pitch - 1.25 * MODULE, pitch + MODULE]
}

/// Half the angle a tooth with involute flanks takes up at a radius \[rad\].
pub(super) fn half_angle(teeth: usize, radius: f64) -> f64 {
    let pitch = 0.5 * MODULE * teeth as f64;
    let involute = |radius: f64| {
        let angle = acos((pitch * cos(PRESSURE_ANGLE) / radius).min(1.0));
        tan(angle) - angle
    };
    FRAC_PI_2 / teeth as f64 * (1.0 - BACKLASH) + involute(pitch) - involute(radius)
}

/// A tooth along x with involute flanks: convex, so its samples span it.
fn tooth(teeth: usize) -> Result<Shape, ShapeError> {
    const SAMPLES: usize = 5;
    let [foot, tip] = tooth_ends(teeth);
    let half_angle = |radius: f64| half_angle(teeth, radius);
    let mut points = Vec::new();
    for sample in 0..SAMPLES {
        let radius = foot + (tip - foot) * sample as f64 / (SAMPLES - 1) as f64;
        for side in [-1.0, 1.0] {
            let (sin, cos) = sin_cos(side * half_angle(radius));
            points.extend([-HALF_WIDTH, HALF_WIDTH].map(|z| DVec3::new(radius * cos, radius * sin, z)));
        }
    }
    Shape::hull(&points)
}
