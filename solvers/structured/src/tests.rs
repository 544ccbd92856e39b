//! The core against closed forms, and the four methods against each other.

use drystone_model::{Axis, BodyDef, DVec3, JointDef, Model, ModelBuilder, WORLD};

use super::*;
use drystone_random::Random;
use drystone_solve::linalg::krylov::Ending;

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

/// A joint of the given kind at a random place and direction.
fn some_joint(kind: usize, parent: u32, child: u32, random: &mut Random) -> JointDef {
    let (anchor, axis) = (vector(random), vector(random).normalize());
    let (parent, child) = (drystone_model::BodyId(parent), drystone_model::BodyId(child));
    match kind % 8 {
        0 => JointDef::ball(parent, child, anchor),
        1 => JointDef::revolute(parent, child, anchor, axis),
        2 => JointDef::prismatic(parent, child, anchor, axis),
        3 => JointDef::cylindrical(parent, child, anchor, axis),
        4 => JointDef::planar(parent, child, anchor, axis),
        5 => JointDef::universal(parent, child, anchor, axis, axis.any_orthogonal_vector()),
        6 => JointDef::revolute(parent, child, anchor, axis).armature(Axis::AngX, 0.3),
        _ => JointDef::fixed(parent, child, anchor),
    }
}

/// Random bodies joined in a random tree, with some more joints that close loops.
pub(super) fn random_mechanism(count: usize, loops: usize, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let mut scene = ModelBuilder::new();
    for body in 0..count {
        let half = DVec3::new(0.3, 0.2, 0.1) + vector(&mut random) * 0.05;
        let def = BodyDef::dynamic(format!("{body}")).at(vector(&mut random)).cuboid(half);
        scene.add_body(def.velocity(vector(&mut random)).spin(vector(&mut random)));
    }
    for body in 0..count {
        let parent = if body == 0 { WORLD } else { random.below(body) as u32 };
        scene.add_joint(some_joint(random.below(8), parent, body as u32, &mut random));
    }
    for _ in 0..loops {
        let (a, b) = (random.below(count) as u32, random.below(count) as u32);
        if a != b {
            scene.add_joint(some_joint(random.below(2), a, b, &mut random));
        }
    }
    scene.finalize().unwrap()
}

fn mechanism(model: &Model, method: Method) -> ConstraintSystem {
    let options = StructuredOptions { method, velocity_tolerance: 1e-12, max_iterations: 10_000, ..Default::default() };
    ConstraintSystem::new(model, options)
}

/// Accelerations of all methods agree, close the joints, and balance the forces.
#[test]
fn the_four_methods_agree() {
    for seed in 0..12 {
        let model = random_mechanism(8, seed as usize % 4, seed);
        let (mut state, control) = (model.state(), model.control());
        let mut reference = mechanism(&model, Method::FullDense);
        // Velocities that tear a loop have no accelerations that keep it closed.
        reference.project_velocities(&model, &mut state, &control).unwrap();
        reference.forward_dynamics(&model, &state, &control).unwrap();
        let size = reference.motion.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for method in [Method::Auto, Method::FullIterative, Method::StructuredDense, Method::StructuredIterative] {
            let mut other = mechanism(&model, method);
            let outcome = other.forward_dynamics(&model, &state, &control).unwrap();
            assert_eq!(outcome.ending, Ending::Converged, "{seed} {method:?} {outcome:?} {:?}", other.row_counts());
            for (a, b) in reference.motion.iter().zip(&other.motion) {
                (0..6).for_each(|k| assert!((a[k] - b[k]).abs() < 1e-8 * size, "{seed} {method:?}: {} {}", a[k], b[k]));
            }
        }
    }
}

/// A compound pendulum: α = m g d / (I + m d²), and the pivot force by Newton's law.
#[test]
fn a_compound_pendulum_accelerates_by_its_formula() {
    let mut scene = ModelBuilder::new();
    let half = DVec3::new(0.5, 0.1, 0.2);
    let bar = scene.add_body(BodyDef::dynamic("bar").at(DVec3::X * 0.5).cuboid(half).density(1000.0));
    let hinge = scene.add_joint(JointDef::revolute(WORLD, bar, DVec3::ZERO, DVec3::Y));
    let model = scene.finalize().unwrap();
    let mut state = model.state();
    state.body_qd[0].angular = DVec3::Y * 3.0;
    state.body_qd[0].linear = (DVec3::Y * 3.0).cross(DVec3::X * 0.5);
    let mut pendulum = mechanism(&model, Method::Auto);
    pendulum.forward_dynamics(&model, &state, &model.control()).unwrap();
    let (mass, g) = (model.body_mass[0], -model.world_gravity[0].z);
    let inertia = mass / 3.0 * (half.x * half.x + half.z * half.z) + mass * 0.25;
    let alpha = mass * g * 0.5 / inertia;
    assert!((pendulum.motion[0][4] - alpha).abs() < 1e-12 * alpha, "{:?}", pendulum.motion[0]);
    assert!((pendulum.motion[0][0] + 9.0 * 0.5).abs() < 1e-12 * alpha, "centripetal");
    let frame = state.body_q[0].rotation * model.joint_frame_parent[hinge.built_index()].rotation;
    let [x, y, z, ..] = pendulum.joint_force(hinge.built_index());
    let force = frame * DVec3::new(x, y, z);
    let expected = DVec3::new(-mass * 4.5, 0.0, mass * (g - alpha * 0.5));
    assert!((force - expected).length() < 1e-10 * mass * g, "{force} {expected}");
}

/// Rows and rates are closed by projection, from far away too, and redundant loops do not disturb.
#[test]
fn projections_close_what_was_opened() {
    for seed in 0..10 {
        let model = random_mechanism(10, 2 * (seed as usize % 3), 100 + seed);
        let control = model.control();
        let mut random = Random::new(seed);
        let mut state = model.state();
        for pose in &mut state.body_q {
            pose.translation += vector(&mut random) * 0.02;
        }
        let mut m = mechanism(&model, Method::Auto);
        let projection = m.project_positions(&model, &mut state, &control, 1e-11, 50).unwrap();
        assert!(projection.converged, "{seed}: {projection:?}");
        let momentum = model.momentum(&state);
        let velocity = m.project_velocities(&model, &mut state, &control).unwrap();
        assert!(velocity.converged, "{seed}: {velocity:?} {momentum:?}");
        m.read(&model, &state, &control);
        m.evaluate(&control, Level::Projection);
        let [position, rate] = m.row_errors();
        assert!(position < 1e-11 && rate < 1e-10, "{seed}: {position:e} {rate:e}");
    }
}

/// Two loops that contradict each other end at finite numbers with the residual told.
#[test]
fn contradictory_loops_end_at_least_squares() {
    let mut scene = ModelBuilder::new();
    let a = scene.add_body(BodyDef::dynamic("a").sphere(0.1));
    let b = scene.add_body(BodyDef::dynamic("b").at(DVec3::X).sphere(0.1));
    let mut rod = |parent: drystone_model::BodyId, child, at, to, length: f64| {
        for length in [length, length + 0.1] {
            scene.add_joint(JointDef::distance(parent, child, at, to, [length, length]));
        }
    };
    rod(WORLD.into(), a, -DVec3::X, DVec3::ZERO, 1.0);
    rod(a, b, DVec3::ZERO, DVec3::X, 1.0);
    rod(WORLD.into(), b, -DVec3::X, DVec3::X, 2.5);
    let model = scene.finalize().unwrap();
    for method in [Method::StructuredDense, Method::StructuredIterative, Method::FullDense, Method::FullIterative] {
        let mut state = model.state();
        let mut m = mechanism(&model, method);
        let projection = m.project_positions(&model, &mut state, &model.control(), 1e-9, 30).unwrap();
        assert!(!projection.converged && projection.error.is_finite(), "{method:?} {projection:?}");
        assert!(state.body_q.iter().all(|pose| pose.translation.is_finite()), "{method:?}");
        // All rows give way alike in the full methods; trees stay closed in the structured ones.
        let full = matches!(method, Method::FullDense | Method::FullIterative);
        assert!(projection.error < if full { 0.21 } else { 0.61 }, "{method:?} {projection:?}");
    }
}
