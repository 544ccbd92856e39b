//! Inverse uses of the structured solves: forces of joints, efforts of drives, equilibrium, assembly.

use drystone::mechanism::{
    AssemblyOptions, DrivenAxis, EquilibriumOptions, Freedom, JointSpace, MechanismError, assemble, driving_efforts,
    equilibrium, joint_forces,
};
use drystone::model::{
    Axis, BodyDef, BodyId, Control, DVec3, Drive, JointDef, JointId, Model, ModelBuilder, State, WORLD,
};
use drystone::structured::{ConstraintSystem, StructuredOptions};
use drystone_tests::runner::{scene, simulation};

#[test]
fn a_hanging_chain_carries_what_hangs_below() {
    let mut builder = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    for index in 0..6 {
        let near = DVec3::NEG_Z * f64::from(index);
        parent = {
            let link = builder.add_body(BodyDef::dynamic("").at(near - DVec3::Z * 0.5).sphere(0.1).mass(2.0));
            builder.add_joint(JointDef::ball(parent, link, near));
            link
        };
    }
    let model = builder.finalize().unwrap();
    let forces = joint_forces(&model, &model.state(), &model.control()).unwrap();
    for (joint, carried) in forces.iter().enumerate() {
        let weight = 2.0 * 9.81 * (6 - joint) as f64;
        assert!((carried.force - DVec3::Z * weight).length() < 1e-10 && carried.torque.length() < 1e-10, "{carried:?}");
    }
}

/// The pin of a swinging pendulum bears m (g cos θ + ω² l) along the arm and m g sin θ (1 − m l²/I)
/// across it; a fixed arm bears a moment instead.
#[test]
fn the_pin_of_a_pendulum_bears_weight_and_swing() {
    let (angle, rate, mass, radius) = (0.7_f64, 2.5, 3.0, 0.2);
    let mut builder = ModelBuilder::new();
    let arm = DVec3::new(angle.sin(), 0.0, -angle.cos());
    // About y, a positive rate takes the hanging arm towards −x.
    let body = BodyDef::dynamic("bob").at(arm).sphere(radius).mass(mass).spin(DVec3::NEG_Y * rate);
    let bob = builder.add_body(body.velocity((DVec3::NEG_Y * rate).cross(arm)));
    builder.add_joint(JointDef::revolute(WORLD, bob, DVec3::ZERO, DVec3::Y));
    let model = builder.finalize().unwrap();
    let carried = joint_forces(&model, &model.state(), &model.control()).unwrap()[0];
    let inertia = mass * (1.0 + 0.4 * radius * radius);
    let along = mass * (9.81 * angle.cos() + rate * rate);
    let across = mass * 9.81 * angle.sin() * (1.0 - mass / inertia);
    let tangent = DVec3::new(angle.cos(), 0.0, angle.sin());
    assert!((-carried.force.dot(arm) - along).abs() < 1e-10, "{carried:?} {along}");
    assert!((carried.force.dot(tangent) - across).abs() < 1e-10, "{carried:?} {across}");
}

/// Newton and Euler for every body of moving mechanisms with loops.
#[test]
fn forces_of_all_joints_and_weight_make_the_motion() {
    for name in ["four-bar", "stewart-platform", "six-bar"] {
        let scene = scene(name, &[]);
        let mut sim = simulation(&scene, "structured").build().unwrap();
        sim.run(150, |_| ()).unwrap();
        let (model, state, control) = (sim.model(), sim.state(), scene.model.control());
        let mut mechanism = ConstraintSystem::new(model, StructuredOptions::default());
        mechanism.forward_dynamics(model, state, &control).unwrap();
        let mut left: Vec<(DVec3, DVec3)> =
            (0..model.body_count()).map(|body| needed(model, state, &mechanism, body)).collect();
        let scale = left.iter().map(|(force, _)| force.length()).fold(1.0, f64::max);
        for (joint, carried) in joint_forces(model, state, &control).unwrap().into_iter().enumerate() {
            let point = model.joint_frames(state, joint).1.translation;
            for (body, sign) in [(model.joint_child[joint], 1.0), (model.joint_parent[joint], -1.0)] {
                if body != WORLD {
                    let arm = point - model.body_centre(state, body);
                    left[body as usize].0 -= sign * carried.force;
                    left[body as usize].1 -= sign * (carried.torque + arm.cross(carried.force));
                }
            }
        }
        for (body, (force, torque)) in left.iter().enumerate() {
            assert!(force.length() < 1e-9 * scale && torque.length() < 1e-9 * scale, "{name} {body}: {force} {torque}");
        }
    }
}

/// Mass times acceleration less weight.
fn needed(model: &Model, state: &State, mechanism: &ConstraintSystem, body: usize) -> (DVec3, DVec3) {
    let x = mechanism.motion[body];
    let (linear, angular) = (DVec3::from_slice(&x[..3]), DVec3::from_slice(&x[3..]));
    let (inertia, spin) = (model.body_inertia_world(state, body), state.body_qd[body].angular);
    let force = model.body_mass[body] * (linear - model.world_gravity[0]);
    (force, inertia * angular + spin.cross(inertia * spin))
}

/// A serial arm of joints whose coordinates are all single numbers.
fn arm() -> (Model, Vec<DrivenAxis>) {
    let mut builder = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    let make: [fn(BodyId, BodyId, DVec3) -> JointDef; 4] = [
        |a, b, at| JointDef::revolute(a, b, at, DVec3::new(0.2, 1.0, 0.1)),
        |a, b, at| JointDef::universal(a, b, at, DVec3::X, DVec3::Y),
        |a, b, at| JointDef::prismatic(a, b, at, DVec3::new(0.3, 0.2, 1.0)),
        |a, b, at| JointDef::cylindrical(a, b, at, DVec3::new(1.0, 0.5, 0.0)),
    ];
    for (index, joint) in make.into_iter().enumerate() {
        let near = DVec3::new(0.4, 0.1, 0.05) * index as f64;
        let half = DVec3::new(0.15, 0.04, 0.06);
        let body = builder.add_body(BodyDef::dynamic("").at(near + DVec3::X * 0.2).cuboid(half));
        let joint = joint(parent, body, near);
        let free = joint.axis.map(|mode| if mode == drystone::model::AxisMode::Free { 1.0 } else { 0.0 });
        let some = |a: f64| std::array::from_fn(|axis| free[axis] * a * (1.0 + axis as f64 + index as f64).sin());
        builder.add_joint(joint.coordinates(some(0.3)).rates(some(0.8)));
        parent = body;
    }
    let model = builder.finalize().unwrap();
    let joints = JointSpace::new(&model).unwrap();
    let driven = joints.freedoms().iter().map(|freedom| match *freedom {
        Freedom::Joint { joint, axis } => DrivenAxis { joint: JointId(joint), axis },
        Freedom::Floating { .. } => unreachable!("the arm is fixed"),
    });
    let driven = driven.collect();
    (model, driven)
}

/// Two roads to the same efforts: recursion over the tree, and inverting the response of the solver.
#[test]
fn efforts_of_an_arm_agree_with_newton_euler_recursion() {
    let (model, driven) = arm();
    let (state, control) = (model.state(), model.control());
    let wanted: Vec<f64> = (0..driven.len()).map(|k| (2.3 * k as f64).cos()).collect();
    let efforts = driving_efforts(&model, &state, &control, &driven, &wanted).unwrap();
    let expected = JointSpace::new(&model).unwrap().inverse_dynamics(&state, &control, &wanted);
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (effort, expected) in efforts.iter().zip(&expected) {
        assert!((effort - expected).abs() < 1e-9 * scale, "{effort} {expected}");
    }
}

/// The legs of the Stewart platform hold it still against its weight, with loops all over.
#[test]
fn legs_that_hold_the_platform_hold_it() {
    let model = scene("stewart-platform", &[]).model;
    let state = model.state();
    let mut control = model.control();
    let driven: Vec<DrivenAxis> =
        (0..6).map(|leg| DrivenAxis { joint: JointId(3 * leg + 1), axis: Axis::LinX }).collect();
    let efforts = driving_efforts(&model, &state, &control, &driven, &[0.0; 6]).unwrap();
    for (axis, effort) in driven.iter().zip(&efforts) {
        control.joint_f[axis.joint.built_index()][axis.axis as usize] = *effort;
    }
    let mut mechanism = ConstraintSystem::new(&model, StructuredOptions::default());
    mechanism.forward_dynamics(&model, &state, &control).unwrap();
    let moves = mechanism.motion.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    assert!(moves < 1e-8, "{moves}");
    let whole = [driven.as_slice(), &[DrivenAxis { joint: JointId(0), axis: Axis::AngX }]].concat();
    let refused = driving_efforts(&model, &state, &control, &whole, &[0.0; 7]).unwrap_err();
    assert!(matches!(&refused, MechanismError::Dependent { axis, .. } if axis == "AngX"), "{refused}");
}

fn settled(model: &Model, control: &Control) -> State {
    let mut state = model.state();
    let found = equilibrium(model, &mut state, control, EquilibriumOptions::default());
    found.unwrap_or_else(|error| panic!("{error}"));
    state
}

/// Equal links between two hooks: the tangents of their slopes are in arithmetic progression, since the
/// horizontal pull is the same everywhere and every link adds its weight to the vertical one.
#[test]
fn a_chain_between_two_hooks_hangs_in_a_catenary() {
    const LINKS: usize = 14;
    let mut builder = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    // A tent to start with: up and down again, each link 0.2 long.
    let step = DVec3::new(0.12, 0.0, 0.16);
    let node = |index: usize| {
        let up = if index <= LINKS / 2 { index } else { LINKS - index };
        DVec3::new(step.x * index as f64, 0.01 * up as f64, step.z * up as f64)
    };
    for index in 0..LINKS {
        let (near, far) = (node(index), node(index + 1));
        let link = builder.add_body(BodyDef::dynamic("").at(0.5 * (near + far)).sphere(0.04).mass(0.3));
        builder.add_joint(JointDef::ball(parent, link, near));
        parent = link;
    }
    builder.add_joint(JointDef::ball(WORLD, parent, node(LINKS)));
    let model = builder.finalize().unwrap();
    let state = settled(&model, &model.control());
    let ends: Vec<DVec3> = (0..=LINKS).map(|joint| model.joint_frames(&state, joint).0.translation).collect();
    let slopes: Vec<f64> =
        ends.windows(2).map(|pair| pair[1] - pair[0]).map(|link| link.z / link.x.hypot(link.y)).collect();
    let steps: Vec<f64> = slopes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mean = steps.iter().sum::<f64>() / steps.len() as f64;
    assert!(mean > 0.0 && slopes[0] < 0.0, "it hangs: {slopes:?}");
    for step in &steps {
        assert!((step / mean - 1.0).abs() < 1e-6, "{steps:?}");
    }
}

#[test]
fn a_mass_on_a_spring_sinks_by_its_weight() {
    let mut builder = ModelBuilder::new();
    let body = builder.add_body(BodyDef::dynamic("mass").sphere(0.1).mass(4.0));
    let spring = Drive::position(0.0, 500.0, 3.0);
    builder.add_joint(JointDef::prismatic(WORLD, body, DVec3::ZERO, DVec3::Z).drive(Axis::LinX, spring));
    let model = builder.finalize().unwrap();
    let state = settled(&model, &model.control());
    assert!((state.body_q[0].translation.z + 4.0 * 9.81 / 500.0).abs() < 1e-10);
}

/// What no balance can be found for is an error with the way out, not a hang.
#[test]
fn a_body_in_free_fall_has_no_equilibrium() {
    let mut builder = ModelBuilder::new();
    let body = builder.add_body(BodyDef::dynamic("stone").sphere(0.1));
    builder.add_joint(JointDef::prismatic(WORLD, body, DVec3::ZERO, DVec3::Z));
    let model = builder.finalize().unwrap();
    let options = EquilibriumOptions { max_steps: 20, ..EquilibriumOptions::default() };
    let failed = equilibrium(&model, &mut model.state(), &model.control(), options).unwrap_err();
    assert!(failed.to_string().contains("check that something holds it"), "{failed}");
}

/// Scattered parts come together when they lie within half a spacing of their places, whichever way round.
#[test]
fn scattered_parts_become_the_lattice() {
    let seeds = ["seed=1", "seed=2", "seed=3"].map(|seed| ["size=4", "scatter=0.5", "turn=180", seed]);
    for settings in [["size=4", "scatter=0.5", "turn=90", "seed=1"]].into_iter().chain(seeds) {
        let model = scene("assembly", &settings).model;
        let mut state = model.state();
        let options = AssemblyOptions { tolerance: 1e-8, ..AssemblyOptions::default() };
        let assembly = assemble(&model, &mut state, &model.control(), options);
        let assembly = assembly.unwrap_or_else(|error| panic!("{settings:?}: {error}"));
        println!("{settings:?}: {assembly:?}");
        for joint in 0..model.joint_count() {
            let [from, to] =
                [model.joint_parent[joint], model.joint_child[joint]].map(|body| state.body_q[body as usize]);
            let faces = [from * model.joint_frame_parent[joint], to * model.joint_frame_child[joint]];
            assert!((faces[0].translation - faces[1].translation).length() <= 1e-8, "{settings:?}");
        }
        assert!(state.body_qd.iter().all(|twist| *twist == Default::default()), "at rest");
    }
}

/// Joints that contradict each other end in an error that says so.
#[test]
fn what_cannot_be_assembled_is_reported() {
    let mut builder = ModelBuilder::new();
    let bar = builder.add_body(BodyDef::dynamic("bar").sphere(0.1));
    let local = |at: DVec3| drystone::model::Pose::from_translation(at);
    for (hook, eye) in [(DVec3::ZERO, DVec3::ZERO), (DVec3::X * 2.0, DVec3::X)] {
        let joint = JointDef::new(drystone::model::JointKind::Ball, WORLD, bar).frames(local(hook), local(eye));
        builder.add_joint(joint);
    }
    let model = builder.finalize().unwrap();
    let options = AssemblyOptions { max_steps: 50, ..AssemblyOptions::default() };
    let failed = assemble(&model, &mut model.state(), &model.control(), options).unwrap_err();
    assert!(failed.to_string().contains("contradict"), "{failed}");
}
