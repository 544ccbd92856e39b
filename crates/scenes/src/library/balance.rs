//! What falls and what must not: overhangs, dominoes, a thrown stack.

use drystone::model::{BodyDef, DQuat, DVec3, ModelBuilder};
use drystone_kernels::elementary::{acos, atan};

use super::cards::falls;
use super::stacks::add_stack;
use crate::check::{Check, Figures, stands};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Planks reaching out over each other.
pub const OVERHANG: SceneEntry = SceneEntry {
    name: "overhang",
    summary: "planks over an edge as far as the harmonic series allows; beyond it they fall",
    parameters: &[
        Parameter::count("count", 5, 1, 50, "planks"),
        Parameter::number("factor", 0.95, 0.0, 2.0, "reach over the critical one; above 1 the planks fall"),
    ],
    build: overhang,
};

fn overhang(params: &Params) -> Result<Scene, SceneError> {
    let (count, factor) = (params.count("count"), params.number("factor"));
    let half = DVec3::new(1.0, 0.25, 0.1);
    let table = DVec3::new(2.0, 1.0, 1.0);
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::fixed("table").at(DVec3::new(-table.x, 0.0, table.z)).cuboid(table));
    // The n planks above a support balance when their common centre is over its edge: the n-th from
    // the top reaches half a length over n out. All are scaled, so the lowest edge decides.
    let mut x = -half.x;
    for level in 0..count {
        x += factor * half.x / (count - level) as f64;
        let place = DVec3::new(x, 0.0, 2.0 * table.z + half.z * (2 * level + 1) as f64);
        scene.add_body(BodyDef::dynamic(format!("plank {level}")).at(place).cuboid(half));
    }
    // Slightly beyond the edge a plank first creeps: it needs seconds to fall, not minutes.
    let check = if factor > 1.0 { falls(0.25) } else { stands(0.02) };
    Scene::new(&scene, Settings::seconds(10.0).solvers(&["vbd", "jacobi"]), check)
}

/// A row of dominoes, the first one tipped.
pub const DOMINO: SceneEntry = SceneEntry {
    name: "domino",
    summary: "the first domino tips and every one falls in turn",
    parameters: &[Parameter::count("count", 30, 2, 5000, "dominoes")],
    build: domino,
};

fn domino(params: &Params) -> Result<Scene, SceneError> {
    let count = params.count("count");
    let half = DVec3::new(0.05, 0.25, 0.5);
    let pitch = 0.5;
    let mut scene = ModelBuilder::new();
    scene.ground();
    // The first starts beyond its balance point: its centre is past the edge it turns about.
    let tilt = 2.0 * atan(half.x / half.z);
    for index in 0..count {
        let lean = if index == 0 { tilt } else { 0.0 };
        let turn = DQuat::from_rotation_y(lean);
        let edge = DVec3::X * (pitch * index as f64 + half.x);
        let place = edge + turn * DVec3::new(-half.x, 0.0, half.z);
        scene.add_body(BodyDef::dynamic(format!("domino {index}")).at(place).rotated(turn).cuboid(half));
    }
    let check = Check::new("every domino falls, and energy never rises", move |run| {
        let lean = |body: usize| acos((run.state.body_q[body].rotation * DVec3::Z).z.clamp(-1.0, 1.0)).to_degrees();
        let least = (0..count).map(lean).fold(f64::INFINITY, f64::min);
        let figures = Figures::new().above("least tilted", least, 45.0, "degrees");
        figures.below("energy gain", run.measures.energy_gain(), 0.01, "")
    });
    Scene::new(&scene, Settings::seconds(2.0 + 0.15 * count as f64).solvers(&["vbd", "abd"]), check)
}

/// A stack that leaves the ground as one.
pub const THROWN_STACK: SceneEntry = SceneEntry {
    name: "thrown-stack",
    summary: "a stack thrown upwards flies and comes down as free flight says",
    parameters: &[
        Parameter::count("count", 5, 1, 100, "cubes"),
        Parameter::number("speed", 5.0, 0.1, 50.0, "initial speed upwards in m/s"),
    ],
    build: thrown_stack,
};

fn thrown_stack(params: &Params) -> Result<Scene, SceneError> {
    let (count, speed) = (params.count("count"), params.number("speed"));
    let mut scene = ModelBuilder::new();
    scene.ground();
    add_stack(&mut scene, count, DVec3::ZERO, DVec3::Z * speed);
    let apex = speed * speed / (2.0 * 9.81);
    // Up and most of the way down: the landing is not part of the claim.
    let settings = Settings::seconds(1.8 * speed / 9.81).hertz(240.0).solvers(&["vbd", "jacobi"]);
    let check = Check::new("the lowest cube rises by v²/2g and the stack stays together", move |run| {
        let rise = run.measures.trace.iter().fold(f64::NEG_INFINITY, |most, &height| most.max(height)) - 0.5;
        let height = |body: usize| run.state.body_q[body].translation.z;
        let stretch = height(count - 1) - height(0) - (count - 1) as f64;
        let figures = Figures::new().near("rise", rise, apex, 0.02, "m");
        figures.below("stretch", stretch.abs(), 0.02 * apex, "m")
    });
    Scene::new(&scene, settings, check.tracing(|_, state| state.body_q[0].translation.z))
}
