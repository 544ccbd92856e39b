//! Things hung from ball joints.

use drystone_kernels::elementary::cbrt;
use std::f64::consts::PI;

use drystone::model::{BodyDef, BodyId, DQuat, DVec3, JointDef, ModelBuilder, ShapeDef, WORLD};

use crate::check::{hangs, swings};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A light chain with a heavy ball at its end, released from the horizontal.
pub const CHAIN: SceneEntry = SceneEntry {
    name: "chain",
    summary: "a light chain swings a ball a thousand times heavier than a link",
    parameters: &[
        Parameter::count("links", 50, 1, 2_000_000, "links"),
        Parameter::number("ratio", 1000.0, 1.0, 1e9, "mass of the ball over that of a link"),
    ],
    build: chain,
};

/// Half extents of a link \[m\].
const LINK: DVec3 = DVec3::new(0.1, 0.025, 0.025);
const LINK_MASS: f64 = 0.5;

fn chain(params: &Params) -> Result<Scene, SceneError> {
    let links = params.count("links");
    let mut scene = ModelBuilder::new();
    let last = add_chain(&mut scene, links, DVec3::ZERO, DVec3::X);
    let mass = params.number("ratio") * LINK_MASS;
    let radius = cbrt(3.0 * mass / (4.0 * PI * 1000.0));
    let end = DVec3::X * (2.0 * LINK.x * links as f64);
    let ball = BodyDef::dynamic("ball").at(end + DVec3::X * radius);
    let ball = scene.add_body(ball.shape(ghost(ShapeDef::sphere(radius))).mass(mass));
    scene.add_joint(JointDef::ball(last, ball, end));
    Scene::new(&scene, Settings::seconds(5.0).solvers(&["vbd", "structured"]), swings(0.01, 0.05))
}

/// Links from `start` along x or any `direction`, pinned to the world; returns the last. They meet nothing.
pub(super) fn add_chain(scene: &mut ModelBuilder, links: usize, start: DVec3, direction: DVec3) -> BodyId {
    let turn = DQuat::from_rotation_arc(DVec3::X, direction);
    let mut parent = BodyId(WORLD);
    for index in 0..links {
        let near = start + direction * (2.0 * LINK.x * index as f64);
        let body = BodyDef::dynamic(format!("link {index}")).at(near + direction * LINK.x).rotated(turn);
        let link = scene.add_body(body.shape(ghost(ShapeDef::cuboid(LINK))).mass(LINK_MASS));
        scene.add_joint(JointDef::ball(parent, link, near));
        parent = link;
    }
    parent
}

/// A shape that meets nothing.
pub(super) fn ghost(shape: ShapeDef) -> ShapeDef {
    shape.groups(0, 0)
}

/// Many strings of beads.
pub const NECKLACE: SceneEntry = SceneEntry {
    name: "necklace",
    summary: "strings of one-gram beads fall from the horizontal without coming apart",
    parameters: &[
        Parameter::count("chains", 100, 1, 10_000_000, "strings"),
        Parameter::count("beads", 40, 1, 1_000_000, "beads on a string"),
    ],
    build: necklace,
};

fn necklace(params: &Params) -> Result<Scene, SceneError> {
    const RADIUS: f64 = 0.05;
    let (chains, beads) = (params.count("chains"), params.count("beads"));
    let across = (chains as f64).sqrt().ceil() as usize;
    let mut scene = ModelBuilder::new();
    for chain in 0..chains {
        let start = DVec3::new(0.0, 0.3 * (chain % across) as f64, 0.3 * (chain / across) as f64);
        let mut parent = BodyId(WORLD);
        for index in 0..beads {
            let near = start + DVec3::X * (2.0 * RADIUS * index as f64);
            let body = BodyDef::dynamic(format!("bead {chain} {index}")).at(near + DVec3::X * RADIUS);
            let bead = scene.add_body(body.shape(ghost(ShapeDef::sphere(RADIUS))).mass(0.001));
            scene.add_joint(JointDef::ball(parent, bead, near));
            parent = bead;
        }
    }
    Scene::new(&scene, Settings::seconds(5.0).solvers(&["vbd", "jacobi"]), swings(0.01, 0.05))
}

/// A sheet of balls hung from its upper edge.
pub const JOINT_GRID: SceneEntry = SceneEntry {
    name: "joint-grid",
    summary: "10,000 balls in a square net of ball joints hang from their upper row",
    parameters: &[Parameter::count("size", 100, 2, 1000, "balls along an edge")],
    build: joint_grid,
};

fn joint_grid(params: &Params) -> Result<Scene, SceneError> {
    const RADIUS: f64 = 0.4;
    let size = params.count("size");
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::Z * -10.0);
    let mut balls: Vec<BodyId> = Vec::with_capacity(size * size);
    for column in 0..size {
        for row in 0..size {
            let place = DVec3::new(column as f64, 0.0, -(row as f64));
            let name = format!("ball {column} {row}");
            let body = if row == 0 { BodyDef::fixed(name) } else { BodyDef::dynamic(name) };
            let ball = scene.add_body(body.at(place).sphere(RADIUS));
            if row > 0 {
                scene.add_joint(JointDef::ball(balls[balls.len() - 1], ball, place + DVec3::Z * 0.5));
            }
            // The published grid also joins its static balls to each other; those joints cannot act.
            if column > 0 && row > 0 {
                scene.add_joint(JointDef::ball(balls[balls.len() - size], ball, place - DVec3::X * 0.5));
            }
            balls.push(ball);
        }
    }
    Scene::new(&scene, Settings::seconds(100.0 / 60.0).solvers(&["vbd", "jacobi"]), hangs(0.02, 0.05))
}
