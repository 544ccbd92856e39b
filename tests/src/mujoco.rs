//! The same trees under MuJoCo: which models, and accelerations in its terms.

use std::collections::BTreeMap;

use drystone::mechanism::{Freedom, JointSpace};
use drystone::model::{Chart, DVec3, JointKind, Model, State, Twist};

use crate::runner::scene;

/// Accelerations by the name of MuJoCo's joint.
pub type Accelerations = BTreeMap<String, Vec<f64>>;

/// The models compared: name, scene, settings.
pub const CASES: &[(&str, &str, &[&str])] = &[
    ("double-pendulum", "double-pendulum", &[]),
    ("chain", "chain", &["links=30", "ratio=1"]),
    ("heavy-chain", "chain", &["links=10", "ratio=1000"]),
    ("tree", "tree", &["levels=5"]),
    ("humanoid", "humanoid", &[]),
    ("random-1", "random-tree", &["seed=1", "bodies=9"]),
    ("random-2", "random-tree", &["seed=2", "bodies=25"]),
    ("random-3", "random-tree", &["seed=3", "bodies=25", "floating=true"]),
    ("random-4", "random-tree", &["seed=4", "bodies=60", "floating=true"]),
];

/// The model of a case.
///
/// # Panics
/// If there is no such scene: a mistake in the list.
pub fn model(case: &(&str, &str, &[&str])) -> Model {
    scene(case.1, case.2).model
}

/// Accelerations of bodies as MuJoCo states them. Slides and hinges: of the coordinate. Balls: of the
/// child's angular velocity relative to its parent, in axes of the child. Free joints: of the body
/// frame's origin in world axes, and of the angular velocity in the body's own.
///
/// # Panics
/// If the joints form loops.
pub fn in_its_terms(model: &Model, state: &State, of_body: &[Twist]) -> Accelerations {
    let joints = JointSpace::new(model).unwrap_or_else(|error| panic!("{error}"));
    let values = joints.joint_accelerations(state, of_body);
    let mut out = Accelerations::new();
    for (freedom, value) in joints.freedoms().iter().zip(values) {
        match *freedom {
            Freedom::Floating { body, .. } => {
                let name = format!("{}:Free", model.body_name[body as usize]);
                out.insert(name, free(model, state, of_body, body));
            }
            Freedom::Joint { joint, .. } if model.joint_kind[joint as usize] == JointKind::Free => {
                let name = format!("{}:Free", model.joint_name[joint as usize]);
                out.insert(name, free(model, state, of_body, model.joint_child[joint as usize]));
            }
            Freedom::Joint { joint, axis }
                if axis as usize >= 3 && model.joint_chart(joint as usize) == Chart::Vector =>
            {
                let name = format!("{}:Ball", model.joint_name[joint as usize]);
                out.insert(name, ball(model, state, of_body, joint as usize));
            }
            Freedom::Joint { joint, axis } => {
                out.insert(format!("{}:{axis:?}", model.joint_name[joint as usize]), vec![value]);
            }
        }
    }
    out
}

fn ball(model: &Model, state: &State, of_body: &[Twist], joint: usize) -> Vec<f64> {
    let (parent, child) = (model.joint_parent[joint], model.joint_child[joint]);
    let spin = |body: u32| model.body_velocity(state, body).angular;
    let change = |body: u32| of_body.get(body as usize).map_or(DVec3::ZERO, |twist| twist.angular);
    let relative = change(child) - change(parent) + spin(child).cross(spin(parent));
    (model.body_pose(state, child).rotation.inverse() * relative).to_array().to_vec()
}

fn free(model: &Model, state: &State, of_body: &[Twist], body: u32) -> Vec<f64> {
    let (pose, spin) = (state.body_q[body as usize], state.body_qd[body as usize].angular);
    let Twist { linear, angular } = of_body[body as usize];
    let arm = pose.translation - model.body_centre(state, body);
    let origin = linear + angular.cross(arm) + spin.cross(spin.cross(arm));
    [origin.to_array(), (pose.rotation.inverse() * angular).to_array()].concat()
}

/// Accelerations of all bodies under weight alone, from the mass matrix: a dense answer that shares no
/// code with the structured solver.
///
/// # Panics
/// If the joints form loops.
pub fn dense_accelerations(model: &Model, state: &State) -> Vec<Twist> {
    let joints = JointSpace::new(model).unwrap_or_else(|error| panic!("{error}"));
    let matrix = joints.mass_matrix(state);
    let size = matrix.size();
    let bias = joints.inverse_dynamics(state, &model.control(), &vec![0.0; size]);
    let right: Vec<f64> = bias.iter().map(|bias| -bias).collect();
    joints.body_accelerations(state, &cholesky_solve(size, matrix.values().to_vec(), right))
}

fn cholesky_solve(size: usize, mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    for j in 0..size {
        for i in j..size {
            let known: f64 = (0..j).map(|k| a[i * size + k] * a[j * size + k]).sum();
            let value = a[i * size + j] - known;
            a[i * size + j] = if i == j { value.sqrt() } else { value / a[j * size + j] };
        }
    }
    for i in 0..size {
        let known: f64 = (0..i).map(|k| a[i * size + k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i * size + i];
    }
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|k| a[k * size + i] * b[k]).sum();
        b[i] = (b[i] - known) / a[i * size + i];
    }
    b
}

/// Largest difference of two sets of accelerations over the largest acceleration.
///
/// # Panics
/// If they are not about the same joints.
pub fn difference(ours: &Accelerations, theirs: &Accelerations) -> f64 {
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    let (mut most, mut apart) = (0.0_f64, 0.0_f64);
    for (ours, theirs) in ours.values().flatten().zip(theirs.values().flatten()) {
        most = most.max(theirs.abs());
        apart = apart.max((ours - theirs).abs());
    }
    apart / most
}
