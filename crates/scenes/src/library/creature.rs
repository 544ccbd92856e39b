//! A soft-bodied looking creature of rigid parts: eight arms of ball joints on a head, draped over posts.

use drystone_kernels::elementary::{cos, sin};
use std::f64::consts::TAU;

use drystone::model::{BodyDef, DQuat, DVec3, JointDef, ModelBuilder};

use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Eight jointed arms.
pub const CREATURE: SceneEntry = SceneEntry {
    name: "creature",
    summary: "a creature with eight jointed arms drapes itself over posts without a gap or an overlap",
    parameters: &[Parameter::count("parts", 5, 1, 20, "parts of an arm; 5 make 41 bodies, as published")],
    build: creature,
};

const ARMS: usize = 8;
const HEAD: f64 = 0.25;
/// Half length and half width of a part of an arm \[m\].
const PART: [f64; 2] = [0.09, 0.04];
/// Distance of neighbouring joints \[m\].
const PITCH: f64 = 0.22;
const HEIGHT: f64 = 1.1;

fn creature(params: &Params) -> Result<Scene, SceneError> {
    let parts = params.count("parts");
    let mut scene = ModelBuilder::new();
    scene.ground();
    for post in 0..4 {
        let angle = TAU * (f64::from(post) + 0.25) / 4.0;
        let place = DVec3::new(0.7 * cos(angle), 0.7 * sin(angle), 0.3);
        scene.add_body(BodyDef::fixed(format!("post {post}")).at(place).cuboid(DVec3::new(0.05, 0.05, 0.3)));
    }
    let posts = 4;
    let head = scene.add_body(BodyDef::dynamic("head").at(DVec3::Z * HEIGHT).sphere(HEAD).friction(0.3));
    for arm in 0..ARMS {
        let turn = DQuat::from_rotation_z(TAU * arm as f64 / ARMS as f64);
        let mut parent = head;
        for part in 0..parts {
            // Joints lie half way between the ends of their parts.
            let joint = turn * DVec3::X * (HEAD + 0.02 + PITCH * part as f64) + DVec3::Z * HEIGHT;
            let place = joint + turn * DVec3::X * (0.5 * PITCH);
            let body = BodyDef::dynamic(format!("arm {arm} {part}")).at(place).rotated(turn);
            let body = scene.add_body(body.cuboid(DVec3::new(PART[0], PART[1], PART[1])).friction(0.3));
            scene.add_joint(JointDef::ball(parent, body, joint));
            parent = body;
        }
    }
    let check = Check::new("it falls onto the posts, held together to a nanometre, without an overlap", move |run| {
        let fell = HEIGHT - run.state.body_q[posts].translation.z;
        let figures = Figures::new().above("the head fell", fell, 0.2, "m");
        let figures = figures.below("joint gap", run.measures.max_joint_error, 1e-9, "m");
        figures.below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m")
    });
    Scene::new(&scene, Settings::seconds(1.0).hertz(100.0).solvers(&["abd"]), check)
}
