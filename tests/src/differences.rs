//! Differences of the solver's own steps, to compare derivatives with.

use drystone::Simulation;
use drystone::model::{BodyKind, Control, DQuat, DVec3, Model, Pose, State, Twist};
use drystone::structured::{ConstraintSystem, StructuredOptions};
use drystone_random::Random;

/// Three numbers between −1 and 1.
pub fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

/// A step of `structured` by itself, with these options.
pub fn stepped(model: &Model, state: &State, control: &Control, dt: f64, options: &[(&str, f64)]) -> State {
    let mut builder = Simulation::builder(model.clone()).solver("structured").dt(dt).option("friction_passes", 200);
    for &(name, value) in options {
        builder = builder.option(name, value);
    }
    let mut sim = builder.build().unwrap();
    *sim.state_mut() = state.clone();
    *sim.control_mut() = control.clone();
    sim.step().unwrap();
    sim.state().clone()
}

/// Twelve changes of every moving body from one state to another.
pub fn apart(model: &Model, from: &State, to: &State) -> Vec<f64> {
    let mut out = Vec::new();
    for body in (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic) {
        let way = model.body_centre(to, body as u32) - model.body_centre(from, body as u32);
        let turn = drystone::model::kinematics::rotation::log(
            to.body_q[body].rotation * from.body_q[body].rotation.conjugate(),
        );
        let [a, b] = [from, to].map(|state| state.body_qd[body]);
        for part in [way, turn, b.linear - a.linear, b.angular - a.angular] {
            out.extend(part.to_array());
        }
    }
    out
}

/// The largest difference of a derivative from central differences, relative to the largest change, or to `least`. Those of two widths are
/// taken together such that their errors of second order cancel.
pub fn miss(model: &Model, derivative: &[f64], width: f64, least: f64, after: impl Fn(f64) -> State) -> f64 {
    let slope = |width: f64| {
        let change = apart(model, &after(-width), &after(width)).into_iter();
        change.map(|x| x / (2.0 * width)).collect::<Vec<f64>>()
    };
    let change: Vec<f64> =
        slope(0.5 * width).iter().zip(slope(width)).map(|(near, far)| (4.0 * near - far) / 3.0).collect();
    let scale = change.iter().fold(least, |most, x| most.max(x.abs()));
    change.iter().zip(derivative).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
}

/// A body moved by a small way and turn of its centre of mass.
pub fn displaced(model: &Model, state: &State, by: &[f64], share: f64) -> State {
    let mut moved = state.clone();
    for (index, body) in (0..model.body_count()).filter(|&b| model.body_kind[b] == BodyKind::Dynamic).enumerate() {
        let part = |at: usize| DVec3::from_slice(&by[12 * index + at..][..3]) * share;
        let centre = model.body_centre(state, body as u32) + part(0);
        let rotation = (DQuat::from_scaled_axis(part(3)) * state.body_q[body].rotation).normalize();
        moved.body_q[body] = Pose::from_parts(centre - rotation * model.body_com[body], rotation);
        moved.body_qd[body].linear += part(6);
        moved.body_qd[body].angular += part(9);
    }
    moved
}

/// A change of the state by chance whose displacements the joints allow.
pub fn allowed(model: &Model, state: &State, random: &mut Random) -> Vec<f64> {
    let mut moving = state.clone();
    for twist in &mut moving.body_qd {
        *twist = Twist { linear: vector(random), angular: vector(random) };
    }
    let mut system = ConstraintSystem::new(model, StructuredOptions::default());
    system.project_velocities(model, &mut moving, &model.control()).unwrap();
    let mut out = Vec::new();
    for body in (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic) {
        let Twist { linear, angular } = moving.body_qd[body];
        for part in [linear, angular, vector(random), vector(random)] {
            out.extend(part.to_array());
        }
    }
    out
}
