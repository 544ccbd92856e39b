//! Joints and contacts together: a bridge, a wrecking ball, a chain that hits a stack.

use drystone_kernels::elementary::cbrt;
use std::f64::consts::PI;

use drystone::model::{BodyDef, BodyId, DQuat, DVec3, JointDef, ModelBuilder, WORLD};

use super::chains::add_chain;
use super::demolition;
use super::stacks::{add_stack, add_wall};
use crate::check::{Check, joint_figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Planks hinged to each other between two banks, and boxes that fall on them.
pub const BRIDGE: SceneEntry = SceneEntry {
    name: "bridge",
    summary: "a bridge of hinged planks catches falling boxes",
    parameters: &[
        Parameter::count("planks", 20, 2, 200, "planks"),
        Parameter::count("boxes", 3, 0, 50, "boxes falling on it"),
    ],
    build: bridge,
};

fn bridge(params: &Params) -> Result<Scene, SceneError> {
    let (planks, boxes) = (params.count("planks"), params.count("boxes"));
    let (span, height) = (0.5 * planks as f64, 5.0);
    let sag = 0.1 * span;
    // The planks lie on a parabola: a straight row of rigid hinged planks could carry nothing.
    let node = |index: usize| {
        let across = 2.0 * index as f64 / planks as f64 - 1.0;
        DVec3::new(0.5 * span * across, 0.0, height - sag * (1.0 - across * across))
    };
    let mut scene = ModelBuilder::new();
    scene.ground();
    let mut parent = BodyId(WORLD);
    for index in 0..planks {
        let (near, far) = (node(index), node(index + 1));
        let turn = DQuat::from_rotation_arc(DVec3::X, (far - near).normalize());
        // Planks end short of the hinge so that they can turn against each other.
        let half = DVec3::new(0.45 * (far - near).length(), 1.0, 0.05);
        let plank = BodyDef::dynamic(format!("plank {index}")).at(0.5 * (near + far)).rotated(turn).cuboid(half);
        let plank = scene.add_body(plank);
        scene.add_joint(JointDef::revolute(parent, plank, near, DVec3::Y));
        parent = plank;
    }
    scene.add_joint(JointDef::revolute(WORLD, parent, node(planks), DVec3::Y));
    for index in 0..boxes {
        let x = span * ((index + 1) as f64 / (boxes + 1) as f64 - 0.5);
        let body = BodyDef::dynamic(format!("box {index}")).at(DVec3::new(x, 0.0, height + 1.5));
        scene.add_body(body.cuboid(DVec3::splat(0.3)));
    }
    let check = Check::new("hinges hold to 5 mm and no box falls through", move |run| {
        let lowest = run.state.body_q[planks..].iter().map(|pose| pose.translation.z).fold(f64::INFINITY, f64::min);
        let figures = joint_figures(run, 5e-3, 0.01);
        if boxes > 0 { figures.above("lowest box", lowest, height - 2.0 * sag - 0.5, "m") } else { figures }
    });
    Scene::new(&scene, Settings::seconds(5.0).solvers(&["vbd", "jacobi"]), check)
}

/// A heavy ball on a chain, swung into a wall.
pub const WRECKING_BALL: SceneEntry = SceneEntry {
    name: "wrecking-ball",
    summary: "a ball of a ton on a light chain breaks a brick wall",
    parameters: &[
        Parameter::number("mass", 1000.0, 10.0, 1e5, "mass of the ball in kg"),
        Parameter::count(
            "size",
            0,
            0,
            575,
            "0, or a published size: 16, 142 and 562 with a thrown ball, 575 with a chain",
        ),
    ],
    build: wrecking_ball,
};

fn wrecking_ball(params: &Params) -> Result<Scene, SceneError> {
    const LINKS: usize = 10;
    match params.count("size") {
        0 => {}
        size => {
            let refused = || params.refuse("size", "0, 16, 142, 562 or 575");
            return demolition::published(size).ok_or_else(refused)?;
        }
    }
    let mass = params.number("mass");
    let radius = cbrt(3.0 * mass / (4.0 * PI * 1000.0));
    let length = 0.2 * LINKS as f64;
    let mut scene = ModelBuilder::new();
    scene.ground();
    add_wall(&mut scene, 5, 6);
    // At the lowest point of its swing the ball is in the plane of the wall, half way up.
    let pivot = DVec3::new(0.0, 0.0, 1.25 + length + radius);
    let last = add_chain(&mut scene, LINKS, pivot, DVec3::NEG_Y);
    let end = pivot - DVec3::Y * length;
    let ball = scene.add_body(BodyDef::dynamic("ball").at(end - DVec3::Y * radius).sphere(radius).mass(mass));
    scene.add_joint(JointDef::ball(last, ball, end));
    let check = Check::new("the wall breaks, joints hold to 5 mm, energy never rises", |run| {
        let bricks = (0..run.model.body_count()).filter(|&body| run.model.body_name[body].starts_with("brick"));
        let moved =
            bricks.map(|body| (run.state.body_q[body].translation - run.model.body_q[body].translation).length());
        joint_figures(run, 5e-3, 0.01).above("furthest brick", moved.fold(0.0, f64::max), 0.5, "m")
    });
    Scene::new(&scene, Settings::seconds(4.0), check)
}

/// A chain with a heavy box at its end, swung into a stack.
pub const CHAIN_HITS_STACK: SceneEntry = SceneEntry {
    name: "chain-hits-stack",
    summary: "a 500 kg box on a light chain hits a stack without pulling its chain apart",
    parameters: &[
        Parameter::count("links", 10, 1, 200, "links"),
        Parameter::number("mass", 500.0, 1.0, 1e5, "mass of the box in kg"),
    ],
    build: chain_hits_stack,
};

fn chain_hits_stack(params: &Params) -> Result<Scene, SceneError> {
    let (links, mass) = (params.count("links"), params.number("mass"));
    let half = 0.4;
    let length = 0.2 * links as f64;
    let mut scene = ModelBuilder::new();
    scene.ground();
    let count = 5;
    // Hung so that the box meets the fourth cube at the lowest point of its swing.
    let pivot = DVec3::new(-0.5 - half, 0.0, 3.5 + length + half);
    add_stack(&mut scene, count, DVec3::ZERO, DVec3::ZERO);
    let last = add_chain(&mut scene, links, pivot, DVec3::NEG_X);
    let end = pivot - DVec3::X * length;
    let end_box = BodyDef::dynamic("end box").at(end - DVec3::X * half).cuboid(DVec3::splat(half)).mass(mass);
    let end_box = scene.add_body(end_box);
    scene.add_joint(JointDef::ball(last, end_box, end));
    let top = count - 1;
    let check = Check::new("the stack is hit, joints hold to 5 mm, energy never rises", |run| {
        let furthest = run.measures.trace.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        joint_figures(run, 5e-3, 0.01).above("top cube was pushed", furthest, 0.05, "m")
    });
    let check = check.tracing(move |_, state| state.body_q[top].translation.x);
    Scene::new(&scene, Settings::seconds(5.0), check)
}
