//! A chain, a star, a grid and a necklace.

use std::f64::consts::TAU;

use drystone_model::{BodyDef, BodyId, DQuat, DVec3, JointDef, Model, ModelBuilder, ShapeDef, State, WORLD};

fn finished(scene: &ModelBuilder) -> (Model, State) {
    let model = scene.finalize().expect("a sound scene");
    let state = model.state();
    (model, state)
}

/// Links hung from the world along x, which is down.
pub fn chain(links: usize) -> (Model, State) {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::X * 9.81);
    let mut parent = BodyId(WORLD);
    for index in 0..links {
        let near = DVec3::X * index as f64;
        let body = BodyDef::dynamic(format!("{index}")).at(near + DVec3::X * 0.5);
        let body = scene.add_body(body.cuboid(DVec3::new(0.45, 0.1, 0.1)));
        scene.add_joint(JointDef::ball(parent, body, near));
        parent = body;
    }
    finished(&scene)
}

/// Balls around a ball, the ball in the middle kicked.
pub fn star(arms: usize) -> (Model, State) {
    let mut scene = ModelBuilder::new();
    let hub = scene.add_body(BodyDef::dynamic("hub").sphere(0.3).mass(1.0));
    for arm in 0..arms {
        let turn = DQuat::from_rotation_z(TAU * arm as f64 / arms as f64);
        let body = scene.add_body(BodyDef::dynamic(format!("{arm}")).at(turn * DVec3::X).sphere(0.2).mass(1.0));
        scene.add_joint(JointDef::ball(hub, body, turn * (DVec3::X * 0.5)));
    }
    let (model, mut state) = finished(&scene);
    state.body_qd[0].linear = DVec3::new(0.3, 0.2, 1.0);
    (model, state)
}

/// A square net hung from its upper row.
pub fn grid(size: usize) -> (Model, State) {
    let mut scene = ModelBuilder::new();
    let mut balls: Vec<BodyId> = Vec::new();
    for column in 0..size {
        for row in 0..size {
            let place = DVec3::new(column as f64, 0.0, -(row as f64));
            let name = format!("{column} {row}");
            let body = if row == 0 { BodyDef::fixed(name) } else { BodyDef::dynamic(name) };
            let ball = scene.add_body(body.at(place).sphere(0.4));
            if row > 0 {
                scene.add_joint(JointDef::ball(balls[balls.len() - 1], ball, place + DVec3::Z * 0.5));
            }
            if column > 0 && row > 0 {
                scene.add_joint(JointDef::ball(balls[balls.len() - size], ball, place - DVec3::X * 0.5));
            }
            balls.push(ball);
        }
    }
    finished(&scene)
}

/// Beads of 5 cm radius and one gram on a string, which meet nothing.
pub fn necklace(beads: usize) -> (Model, State) {
    let mut scene = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    for index in 0..beads {
        let near = DVec3::X * (0.1 * index as f64);
        let body = BodyDef::dynamic(format!("{index}")).at(near + DVec3::X * 0.05);
        let body = scene.add_body(body.shape(ShapeDef::sphere(0.05).groups(0, 0)).mass(0.001));
        scene.add_joint(JointDef::ball(parent, body, near));
        parent = body;
    }
    finished(&scene)
}
