//! Ten small tests of what trips collision handling, after Erleben: sharp on sharp, edges inside flat ground, bodies
//! that just fit. Every one starts with gaps of a tenth of a millimetre.

use std::f64::consts::FRAC_PI_2;

use drystone::geometry::{DVec3, ShapeError};
use drystone::model::{BodyDef, DQuat, ModelBuilder, Shape, ShapeDef};

use super::spiky::pyramid;
use crate::check::{Check, Figures};
use crate::params::Params;
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Gap at the start \[m\].
const GAP: f64 = 1e-4;
/// Half width of spikes, wedges and cubes, and the height of the sharp ones \[m\].
const HALF: f64 = 0.5;
const TALL: f64 = 1.0;

macro_rules! entries {
    ($($constant:ident: $name:literal, $summary:literal, $build:expr;)*) => {
        $(#[doc = $summary]
        pub const $constant: SceneEntry =
            SceneEntry { name: $name, summary: $summary, parameters: &[], build: $build };)*
    };
}

entries! {
    CLIFF_EDGES: "erleben-cliff-edges", "a cube slides over the edges of a staircase", cliff_edges;
    INTERNAL_EDGES: "erleben-internal-edges", "a cube slides over the seams of a tiled floor without a jolt", internal_edges;
    SLIDING_SPIKE: "erleben-sliding-spike", "a spike stands on its tip on a slope and slides", |_| sliding(spike()?, "spike");
    SLIDING_WEDGE: "erleben-sliding-wedge", "a wedge stands on its edge on a slope and slides", |_| sliding(wedge()?, "wedge");
    SPIKE_AND_WEDGE: "erleben-spike-and-wedge", "a spike meets the edge of a wedge", |_| onto(spike()?, wedge()?, 0.0);
    SPIKE_IN_CRACK: "erleben-spike-in-crack", "a spike falls into a crack and is caught by it", |_| into(spike()?, 2);
    SPIKE_IN_HOLE: "erleben-spike-in-hole", "a spike falls into a hole and is caught by it", |_| into(spike()?, 4);
    SPIKES: "erleben-spikes", "a spike meets another, tip to tip", |_| onto(spike()?, spike()?, 0.0);
    WEDGE_IN_CRACK: "erleben-wedge-in-crack", "a wedge falls into a crack and is caught by it", |_| into(wedge()?, 2);
    WEDGES: "erleben-wedges", "two wedges meet, edge across edge", |_| onto(wedge()?, wedge()?, FRAC_PI_2);
}

/// A square pyramid, tip up.
fn spike() -> Result<Shape, ShapeError> {
    Shape::mesh(pyramid(HALF, TALL))
}

/// A roof, its ridge along y.
fn wedge() -> Result<Shape, ShapeError> {
    let ends = [-HALF, HALF];
    let points = ends.iter().flat_map(|&y| [[-HALF, y, 0.0], [HALF, y, 0.0], [0.0, y, TALL]].map(DVec3::from_array));
    Shape::hull(&points.collect::<Vec<_>>())
}

fn shape(shape: Shape) -> ShapeDef {
    ShapeDef::new(shape).density(1000.0).friction(0.0)
}

/// Upside down, its tip at `at`.
fn falling(name: &str, sharp: Shape, at: DVec3, turn: DQuat) -> BodyDef {
    let over = DQuat::from_rotation_x(std::f64::consts::PI);
    BodyDef::dynamic(name).at(at + turn * DVec3::Z * TALL).rotated(turn * over).shape(shape(sharp))
}

/// Nothing overlaps, and whatever moves has moved.
fn claim(words: &str, judge: impl Fn(Figures, &crate::check::Run) -> Figures + Send + 'static) -> Check {
    Check::new(format!("{words}, and nothing overlaps"), move |run| {
        let figures = Figures::new().below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m");
        judge(figures.above("moved", run.measures.max_moved, 0.01, "m"), run)
    })
}

fn scene(builder: &ModelBuilder, seconds: f64, check: Check) -> Result<Scene, SceneError> {
    Scene::new(builder, Settings::seconds(seconds).hertz(100.0).solvers(&["abd"]), check)
}

/// One sharp body falls on another.
fn onto(upper: Shape, lower: Shape, turn: f64) -> Result<Scene, SceneError> {
    let mut builder = ModelBuilder::new();
    builder.add_body(BodyDef::fixed("lower").shape(shape(lower)));
    let at = DVec3::new(1e-3, 1e-3, TALL + GAP);
    builder.add_body(falling("upper", upper, at, DQuat::from_rotation_z(turn)));
    scene(&builder, 1.0, claim("it slips off its balance", |figures, _| figures))
}

/// A sharp body falls between two or four blocks that leave room for its tip.
fn into(sharp: Shape, blocks: usize) -> Result<Scene, SceneError> {
    const ROOM: f64 = 0.2;
    let mut builder = ModelBuilder::new();
    for block in 0..blocks {
        let turn = DQuat::from_rotation_z(FRAC_PI_2 * (2 * block % 4 + block / 2) as f64);
        let place = turn * DVec3::X * (ROOM + 0.5) - DVec3::Z * 0.5;
        // The second pair fits between the first.
        let wide = if block < 2 { 2.0 } else { ROOM - GAP };
        let body = BodyDef::fixed(format!("block {block}")).at(place).rotated(turn);
        builder.add_body(body.shape(ShapeDef::cuboid(DVec3::new(0.5, wide, 0.5)).friction(0.0)));
    }
    builder.add_body(falling("sharp", sharp, DVec3::new(0.01, 0.0, -0.1), DQuat::IDENTITY));
    // It is as wide as the crack where its height from the tip is this.
    let depth = ROOM / HALF * TALL;
    let check = claim("it is caught", move |figures, run| {
        let tip = run.state.body_q[blocks].translation.z - TALL;
        figures.above("tip", tip, -depth - 0.1, "m").below("tip", tip, -0.11, "m")
    });
    scene(&builder, 1.0, check)
}

/// A sharp body on a frictionless slope of 30°.
fn sliding(sharp: Shape, name: &str) -> Result<Scene, SceneError> {
    let mut builder = ModelBuilder::new();
    let slope = DQuat::from_rotation_y(30.0_f64.to_radians());
    let ground = ShapeDef::cuboid(DVec3::new(20.0, 5.0, 0.5)).friction(0.0);
    builder.add_body(BodyDef::fixed("slope").at(slope * DVec3::Z * -0.5).rotated(slope).shape(ground));
    let at = slope * DVec3::new(-5.0, 0.0, GAP);
    builder.add_body(falling(name, sharp, at, slope));
    let check = claim("it slides down", move |figures, run| {
        let moved = slope.inverse() * (run.state.body_q[1].translation - run.model.body_q[1].translation);
        figures.above("down the slope", moved.x, 1.0, "m").above("above the slope", moved.z + TALL, 0.0, "m")
    });
    scene(&builder, 1.0, check)
}

/// A cube that slides across steps down.
fn cliff_edges(_: &Params) -> Result<Scene, SceneError> {
    let mut builder = ModelBuilder::new();
    for step in 0..4 {
        let place = DVec3::new(2.0 * f64::from(step), 0.0, -0.5 - 0.3 * f64::from(step));
        let block = ShapeDef::cuboid(DVec3::new(1.0 - GAP, 2.0, 0.5)).friction(0.0);
        builder.add_body(BodyDef::fixed(format!("step {step}")).at(place).shape(block));
    }
    let cube = BodyDef::dynamic("cube").at(DVec3::new(0.0, 0.0, HALF + GAP)).velocity(DVec3::X * 3.0);
    builder.add_body(cube.cuboid(DVec3::splat(HALF)).friction(0.0));
    let check = claim("it goes down the stairs", |figures, run| {
        figures.above("along", run.state.body_q[4].translation.x, 2.0, "m")
    });
    scene(&builder, 1.0, check)
}

/// A cube that slides over tiles laid edge to edge: the seams must not stop it.
fn internal_edges(_: &Params) -> Result<Scene, SceneError> {
    const SPEED: f64 = 4.0;
    let mut builder = ModelBuilder::new();
    let mut floor = BodyDef::fixed("floor");
    for tile in 0..12 {
        let place = DVec3::new(f64::from(tile) * 0.7, 0.0, -0.1);
        floor = floor.shape(ShapeDef::cuboid(DVec3::new(0.35, 2.0, 0.1)).at(place).friction(0.0));
    }
    builder.add_body(floor);
    let cube = BodyDef::dynamic("cube").at(DVec3::new(0.3, 0.0, HALF + GAP)).velocity(DVec3::X * SPEED);
    builder.add_body(cube.cuboid(DVec3::splat(HALF)).friction(0.0));
    let check = claim("it keeps its speed", |figures, run| {
        let velocity = run.state.body_qd[1];
        let figures = figures.near("speed", velocity.linear.x, SPEED, 1e-3, "m/s");
        figures.below("spin", velocity.angular.length(), 1e-2, "rad/s")
    });
    scene(&builder, 1.0, check)
}
