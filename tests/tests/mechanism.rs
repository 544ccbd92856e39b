//! Joint-space quantities of trees: against energy, momentum, differences in time and each other.

use drystone::mechanism::JointSpace;
use drystone::model::{DQuat, DVec3, Model, State, Twist};
use drystone_tests::runner::scene;

/// Trees with every kind of joint, hanging and floating.
fn trees() -> Vec<Model> {
    let random = (0..6).map(|seed| {
        let floating = format!("floating={}", seed % 2 == 1);
        scene("random-tree", &[&format!("seed={seed}"), "bodies=17", &floating]).model
    });
    random.chain([scene("humanoid", &[]).model, scene("tree", &["levels=4"]).model]).collect()
}

#[test]
fn kinetic_energy_is_half_of_rates_matrix_rates() {
    for model in trees() {
        let state = model.state();
        let joints = JointSpace::new(&model).unwrap();
        let rates = joints.rates(&state);
        let product = joints.mass_matrix(&state).times(&rates);
        let energy: f64 = 0.5 * rates.iter().zip(&product).map(|(a, b)| a * b).sum::<f64>();
        let expected = model.energy(&state).kinetic;
        assert!((energy - expected).abs() <= 1e-12 * expected, "{energy} {expected}");
    }
}

/// Column by column: the effort of a unit acceleration, beyond what no acceleration takes.
#[test]
fn mass_matrix_and_inverse_dynamics_agree() {
    for model in trees() {
        let (state, control) = (model.state(), model.control());
        let joints = JointSpace::new(&model).unwrap();
        let matrix = joints.mass_matrix(&state);
        let size = matrix.size();
        let bias = joints.inverse_dynamics(&state, &control, &vec![0.0; size]);
        let scale = matrix.values().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let rough = bias.iter().fold(scale, |most, x| most.max(x.abs()));
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            let effort = joints.inverse_dynamics(&state, &control, &unit);
            for row in 0..size {
                let entry = matrix.get(row, column);
                assert!((effort[row] - bias[row] - entry).abs() < 1e-12 * rough, "{row} {column}");
            }
        }
    }
}

#[test]
fn accelerations_of_bodies_and_joints_are_inverse_to_each_other() {
    for model in trees() {
        let state = model.state();
        let joints = JointSpace::new(&model).unwrap();
        let given: Vec<f64> = (0..joints.freedoms().len()).map(|i| (1.7 * i as f64).sin()).collect();
        let back = joints.joint_accelerations(&state, &joints.body_accelerations(&state, &given));
        for (back, given) in back.iter().zip(&given) {
            assert!((back - given).abs() < 1e-10, "{back} {given}");
        }
    }
}

/// Where everything is a moment later when every body keeps its velocity: the exact motion to first
/// order, and all that a central difference needs if velocities are then read off the tree.
fn moved(model: &Model, state: &State, dt: f64) -> State {
    let mut later = state.clone();
    for body in 0..model.body_count() {
        let Twist { linear, angular } = state.body_qd[body];
        let centre = model.body_centre(state, body as u32) + linear * dt;
        let pose = &mut later.body_q[body];
        pose.rotation = DQuat::from_scaled_axis(angular * dt) * pose.rotation;
        pose.translation = centre - pose.rotation * model.body_com[body];
    }
    later
}

/// With the rates of all freedoms held, body velocities change only by the turning of axes. They are
/// linear in the rates, so that columns a moment earlier and later give the change by differences.
#[test]
fn accelerations_at_constant_rates_are_those_of_differences() {
    for model in trees() {
        let state = model.state();
        let joints = JointSpace::new(&model).unwrap();
        let rates = joints.rates(&state);
        let still = joints.body_accelerations(&state, &vec![0.0; rates.len()]);
        let h = 1e-5;
        let velocities = |time: f64| {
            let mut there = moved(&model, &state, time);
            there.body_qd.iter_mut().for_each(|twist| *twist = Twist::default());
            // From rest, unit accelerations of the freedoms accelerate the bodies by their columns.
            joints.body_accelerations(&there, &rates)
        };
        let (before, after) = (velocities(-h), velocities(h));
        for body in 0..model.body_count() {
            let slope = |part: fn(&Twist) -> DVec3| (part(&after[body]) - part(&before[body])) / (2.0 * h);
            let linear = (slope(|twist| twist.linear) - still[body].linear).length();
            let angular = (slope(|twist| twist.angular) - still[body].angular).length();
            let scale = 1.0 + still[body].linear.length() + still[body].angular.length();
            assert!(linear < 1e-6 * scale && angular < 1e-6 * scale, "body {body}: {linear} {angular} {scale}");
        }
    }
}

#[test]
fn centroidal_momentum_is_that_of_the_model() {
    for model in trees() {
        let state = model.state();
        let joints = JointSpace::new(&model).unwrap();
        let whole = joints.centroidal(&state);
        let momentum = model.momentum(&state);
        let about_centre = momentum.angular - whole.centre.cross(momentum.linear);
        let scale = about_centre.length() + momentum.linear.length();
        assert!((whole.velocity * whole.mass - momentum.linear).length() <= 1e-12 * scale);
        assert!((whole.angular_momentum - about_centre).length() <= 1e-11 * scale);
        let rates = joints.rates(&state);
        let columns = whole.momentum_matrix.iter().zip(&rates);
        let start = (DVec3::ZERO, DVec3::ZERO);
        let (linear, angular) =
            columns.fold(start, |sum, (column, rate)| (sum.0 + column.0 * *rate, sum.1 + column.1 * *rate));
        assert!((linear - momentum.linear).length() <= 1e-11 * scale, "{linear} {}", momentum.linear);
        assert!((angular - about_centre).length() <= 1e-11 * scale, "{angular} {about_centre}");
    }
}

#[test]
fn loops_are_refused_by_name() {
    let model = scene("four-bar", &[]).model;
    assert!(JointSpace::new(&model).unwrap_err().to_string().contains("joint_"));
}
