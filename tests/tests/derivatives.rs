//! Jacobians and derivatives of steps against differences of what they are derivatives of.

use drystone::Simulation;
use drystone::mechanism::{DrivenAxis, JointSpace, MechanismError, contact_axes, step_derivatives};
use drystone::model::{
    Axis, BodyDef, BodyId, Control, DQuat, DVec3, JointDef, JointId, Model, ModelBuilder, Pose, State, WORLD,
};
use drystone::structured::{ConstraintSystem, StructuredOptions};
use drystone_random::Random;
use drystone_tests::differences::{self, allowed, displaced, miss, vector};
use drystone_tests::runner::scene;

/// Trees with every kind of joint, hanging and floating, in motion.
fn trees() -> Vec<Model> {
    let random = (0..4).map(|seed| {
        let floating = format!("floating={}", seed % 2 == 1);
        scene("random-tree", &[&format!("seed={seed}"), "bodies=13", &floating]).model
    });
    random.chain([scene("humanoid", &[]).model, scene("tree", &["levels=3"]).model]).collect()
}

/// Velocities are the Jacobian times the rates: of points, frames, the centre of mass and contacts.
#[test]
fn jacobians_give_the_velocities_of_the_state() {
    for model in trees() {
        let (state, mut random) = (model.state(), Random::new(1));
        let joints = JointSpace::new(&model).unwrap();
        let rates = joints.rates(&state);
        for body in (0..model.body_count() as u32).map(BodyId) {
            let frame = Pose::from_parts(vector(&mut random), DQuat::from_scaled_axis(vector(&mut random)));
            let point = (state.body_q[body.built_index()] * frame).translation;
            let twist = state.body_qd[body.built_index()];
            let expected = twist.at(model.body_centre(&state, body.0), point);
            let columns = joints.frame_jacobian(&state, body, frame);
            let linear: DVec3 = columns.iter().zip(&rates).map(|(column, rate)| column.linear * *rate).sum();
            let angular: DVec3 = columns.iter().zip(&rates).map(|(column, rate)| column.angular * *rate).sum();
            let scale = 1.0 + expected.length() + twist.angular.length();
            assert!((linear - expected).length() < 1e-12 * scale && (angular - twist.angular).length() < 1e-12 * scale);
            let normal = vector(&mut random).normalize();
            let other = BodyId((body.0 + 1) % model.body_count() as u32);
            let rows = joints.contact_jacobian(&state, [other, body], point, normal);
            let second = state.body_qd[other.built_index()].at(model.body_centre(&state, other.0), point);
            for (k, axis) in contact_axes(normal).into_iter().enumerate() {
                let rate: f64 = rows.iter().zip(&rates).map(|(row, rate)| row[k] * rate).sum();
                assert!((rate - axis.dot(expected - second)).abs() < 1e-12 * (scale + second.length()));
            }
        }
        let centre: DVec3 = joints.centre_jacobian(&state).iter().zip(&rates).map(|(c, r)| *c * *r).sum();
        let whole = joints.centroidal(&state);
        assert!((centre - whole.velocity).length() < 1e-12 * (1.0 + whole.velocity.length()));
    }
}

/// Power: efforts that stand for a force do the same work as it.
#[test]
fn efforts_of_a_force_do_its_work() {
    for model in trees() {
        let (state, mut random) = (model.state(), Random::new(2));
        let joints = JointSpace::new(&model).unwrap();
        let rates = joints.rates(&state);
        let body = BodyId(model.body_count() as u32 / 2);
        let (point, force, torque) = (vector(&mut random), vector(&mut random), vector(&mut random));
        let efforts = joints.efforts_of(&state, body, point, force, torque);
        let power: f64 = efforts.iter().zip(&rates).map(|(a, b)| a * b).sum();
        let twist = state.body_qd[body.built_index()];
        let expected = force.dot(twist.at(model.body_centre(&state, body.0), point)) + torque.dot(twist.angular);
        assert!((power - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{power} {expected}");
    }
}

/// A step of the solver itself, its joints closed further than usual.
fn stepped(model: &Model, state: &State, control: &Control, dt: f64) -> State {
    differences::stepped(model, state, control, dt, &[("tolerance", 1e-13), ("velocity_tolerance", 1e-13)])
}

/// Mechanisms in motion with axes to drive: trees, loops, springs and drives.
fn mechanisms() -> Vec<(&'static str, Model, State, Vec<DrivenAxis>)> {
    let names: [(&str, &[&str]); 7] = [
        ("double-pendulum", &[]),
        ("random-tree", &["seed=3", "bodies=9"]),
        ("random-tree", &["seed=4", "bodies=9", "floating=true"]),
        ("humanoid", &[]),
        ("four-bar", &[]),
        ("six-bar", &[]),
        ("stewart-platform", &[]),
    ];
    let mut all = Vec::new();
    for (name, settings) in names {
        let mut model = scene(name, settings).model;
        // What damps bodies is a force of the simulation, not of the step.
        model.body_damping.iter_mut().for_each(|damping| *damping = [0.0; 2]);
        let mut sim = Simulation::builder(model.clone()).solver("structured").dt(0.002);
        sim = sim.option("tolerance", 1e-13).option("velocity_tolerance", 1e-13);
        let mut sim = sim.build().unwrap();
        sim.run(40, |_| ()).unwrap();
        let free = |joint: &usize| {
            let axes = model.joint_axis[*joint];
            Axis::ALL.into_iter().find(|&axis| axes[axis as usize] == drystone::model::AxisMode::Free)
        };
        let axes = (0..model.joint_count())
            .filter_map(|joint| Some(DrivenAxis { joint: JointId(joint as u32), axis: free(&joint)? }));
        let axes = axes.take(3).collect();
        all.push((name, model.clone(), sim.state().clone(), axes));
    }
    all
}

const DT: f64 = 0.002;

#[test]
fn a_step_depends_on_its_state_as_differences_say() {
    for (name, model, state, axes) in mechanisms() {
        let control = model.control();
        let found =
            step_derivatives(&model, &state, &control, DT, &axes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut random = Random::new(5);
        for _ in 0..3 {
            let by = allowed(&model, &state, &mut random);
            let after = |share: f64| {
                let mut moved = displaced(&model, &state, &by, share);
                let mut system = ConstraintSystem::new(&model, StructuredOptions::default());
                // Displacements along straight lines leave joints open by their square.
                let velocity = moved.body_qd.clone();
                system.project_positions(&model, &mut moved, &control, 1e-14, 10).unwrap();
                moved.body_qd = velocity;
                stepped(&model, &moved, &control, DT)
            };
            let off = miss(&model, &found.state.times(&by), 1e-3, 1e-9, after);
            println!("{name}: state {off:.1e}");
            assert!(off < 1e-6, "{name}: {off}");
        }
    }
}

#[test]
fn a_step_depends_on_control_and_masses_as_differences_say() {
    for (name, model, state, axes) in mechanisms() {
        let control = model.control();
        let found = step_derivatives(&model, &state, &control, DT, &axes).unwrap();
        let mut random = Random::new(6);
        let by: Vec<f64> = (0..found.force.columns()).map(|_| random.signed()).collect();
        let pushed = |share: f64| {
            let mut control = control.clone();
            for (body, by) in found.body.iter().zip(by.chunks_exact(6)) {
                let (force, torque) = &mut control.body_f[body.built_index()];
                *force += DVec3::from_slice(&by[..3]) * share;
                *torque += DVec3::from_slice(&by[3..]) * share;
            }
            stepped(&model, &state, &control, DT)
        };
        let off = miss(&model, &found.force.times(&by), 1e-2, 1e-9, pushed);
        println!("{name}: force {off:.1e}");
        assert!(off < 1e-6, "{name}: force {off}");
        let by: Vec<f64> = axes.iter().map(|_| random.signed()).collect();
        let driven = |share: f64| {
            let mut control = control.clone();
            for (axis, by) in axes.iter().zip(&by) {
                control.joint_f[axis.joint.built_index()][axis.axis as usize] += share * by;
            }
            stepped(&model, &state, &control, DT)
        };
        let off = miss(&model, &found.effort.times(&by), 1e-2, 1e-9, driven);
        println!("{name}: effort {off:.1e}");
        assert!(off < 1e-6, "{name}: effort {off}");
        let by: Vec<f64> = found.body.iter().map(|_| random.signed()).collect();
        let heavier = |share: f64| {
            let mut model = model.clone();
            for (body, by) in found.body.iter().zip(&by) {
                let body = body.built_index();
                model.body_mass[body] += share * by * model.body_mass[body];
            }
            stepped(&model, &state, &control, DT)
        };
        let kilograms: Vec<f64> =
            found.body.iter().zip(&by).map(|(body, by)| by * model.body_mass[body.built_index()]).collect();
        let off = miss(&model, &found.mass.times(&kilograms), 1e-4, 1e-9, heavier);
        println!("{name}: mass {off:.1e}");
        assert!(off < 1e-6, "{name}: mass {off}");
    }
}

/// Arms with springs, dampers, drives and rotors.
#[test]
fn a_step_depends_on_drive_targets_as_differences_say() {
    let mut builder = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    let mut axes = Vec::new();
    for link in 0..4 {
        let near = DVec3::new(0.4, 0.1, 0.05) * f64::from(link);
        let body =
            builder.add_body(BodyDef::dynamic("").at(near + DVec3::X * 0.2).cuboid(DVec3::new(0.15, 0.04, 0.06)));
        let joint = JointDef::revolute(parent, body, near, DVec3::new(0.2, 1.0, f64::from(link)));
        let mut joint = joint.drive(Axis::AngX, drystone::model::Drive::position(0.3, 40.0, 0.5));
        joint.armature[3] = 0.01;
        axes.push(DrivenAxis { joint: builder.add_joint(joint), axis: Axis::AngX });
        parent = body;
    }
    let model = builder.finalize().unwrap();
    let mut sim = Simulation::builder(model.clone()).solver("structured").dt(DT).build().unwrap();
    sim.run(30, |_| ()).unwrap();
    let (state, control) = (sim.state().clone(), model.control());
    let found = step_derivatives(&model, &state, &control, DT, &axes).unwrap();
    let by = [0.7, -0.4, 0.9, 0.2];
    let aimed = |share: f64| {
        let mut control = control.clone();
        axes.iter().zip(&by).for_each(|(axis, by)| control.joint_target[axis.joint.built_index()][3] += share * by);
        stepped(&model, &state, &control, DT)
    };
    let off = miss(&model, &found.target.times(&by), 1e-3, 1e-9, aimed);
    assert!(off < 1e-6, "{off}");
    let mut random = Random::new(7);
    let by = allowed(&model, &state, &mut random);
    let after = |share: f64| {
        let mut moved = displaced(&model, &state, &by, share);
        let velocity = moved.body_qd.clone();
        let mut system = ConstraintSystem::new(&model, StructuredOptions::default());
        system.project_positions(&model, &mut moved, &control, 1e-14, 10).unwrap();
        moved.body_qd = velocity;
        stepped(&model, &moved, &control, DT)
    };
    let off = miss(&model, &found.state.times(&by), 1e-3, 1e-9, after);
    println!("drives: state {off:.1e}");
    assert!(off < 1e-6, "{off}");
}

/// What is not smooth is refused by name.
#[test]
fn steps_without_a_derivative_are_refused() {
    let mut builder = ModelBuilder::new();
    let door = builder.add_body(BodyDef::dynamic("door").at(DVec3::X).sphere(0.1));
    let mut hinge = JointDef::revolute(WORLD, door, DVec3::ZERO, DVec3::Y);
    hinge.friction[3] = 1.0;
    hinge.name = "rusty".into();
    builder.add_joint(hinge);
    let model = builder.finalize().unwrap();
    let refused = step_derivatives(&model, &model.state(), &model.control(), DT, &[]).unwrap_err();
    assert!(matches!(&refused, MechanismError::NotSmooth { joint } if joint == "rusty"), "{refused}");
}
