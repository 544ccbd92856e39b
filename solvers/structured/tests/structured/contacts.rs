//! Contacts and friction.

use drystone_model::{Axis, BodyDef, DQuat, DVec3, JointDef, ModelBuilder, WORLD};
use drystone_structured::{Method, StructuredOptions};

use crate::bench::Bench;
use drystone_random::Random;

const METHODS: [Method; 3] = [Method::StructuredDense, Method::StructuredIterative, Method::Auto];

fn options(method: Method) -> StructuredOptions {
    StructuredOptions { method, ..Default::default() }
}

#[test]
fn a_box_rests_where_it_is_put() {
    for method in METHODS {
        let mut scene = ModelBuilder::new();
        scene.ground();
        scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)));
        let mut bench = Bench::new(&scene, options(method), 1.0 / 60.0);
        let report = bench.run(2.0);
        let at = bench.state.body_q[0].translation;
        assert!((at - DVec3::Z * 0.5).length() < 1e-6, "{method:?} {at}");
        assert!(report.max_penetration.unwrap() < 1e-6 && report.contact_count == 4, "{report:?}");
    }
}

#[test]
fn a_stack_stands() {
    for method in METHODS {
        let mut scene = ModelBuilder::new();
        scene.ground();
        for i in 0..5 {
            let at = DVec3::Z * (0.5 + f64::from(i));
            scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).cuboid(DVec3::splat(0.5)));
        }
        let mut bench = Bench::new(&scene, options(method), 1.0 / 60.0);
        bench.run(1.0);
        for i in 0..5 {
            let off = (bench.state.body_q[i].translation - DVec3::Z * (0.5 + i as f64)).length();
            assert!(off < 1e-4, "{method:?} {i} {off}");
        }
    }
}

/// A box on a slope stays below the angle of friction and slides with g (sin α − μ cos α) above it.
#[test]
fn friction_is_coulombs() {
    for method in METHODS {
        for (slope, mu) in [(0.3f64, 0.4), (0.5, 0.4), (0.5, 0.0)] {
            let mut scene = ModelBuilder::new();
            let turn = DQuat::from_rotation_y(slope);
            let normal = turn * DVec3::Z;
            scene.add_shape(WORLD, drystone_model::ShapeDef::plane(DVec3::ZERO, normal).friction(mu));
            let def = BodyDef::dynamic("box").at(normal * 0.1).rotated(turn).cuboid(DVec3::new(0.4, 0.3, 0.1));
            scene.add_body(def.friction(mu));
            let mut bench = Bench::new(&scene, options(method), 1.0 / 240.0);
            bench.run(0.5);
            let moved = (bench.state.body_q[0].translation - normal * 0.1).length();
            let acceleration = 9.81 * (slope.sin() - mu * slope.cos()).max(0.0);
            // Semi-implicit steps are ahead of the parabola by half a step.
            let expected = 0.5 * acceleration * 0.5 * (0.5 + 1.0 / 240.0);
            assert!((moved - expected).abs() < 1e-4, "{method:?} {slope} {mu}: {moved} {expected}");
        }
    }
}

#[test]
fn a_ball_bounces_by_its_restitution() {
    let mut scene = ModelBuilder::new();
    scene.add_shape(WORLD, drystone_model::ShapeDef::plane(DVec3::ZERO, DVec3::Z).restitution(0.5));
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 1.1).sphere(0.1).restitution(0.5));
    let mut bench = Bench::new(&scene, options(Method::Auto), 1e-3);
    let (mut fallen, mut highest) = (false, 0.0f64);
    for _ in 0..1000 {
        bench.step();
        fallen |= bench.state.body_qd[0].linear.z > 0.1;
        if fallen {
            highest = highest.max(bench.state.body_q[0].translation.z);
        }
        if fallen && bench.state.body_qd[0].linear.z < 0.0 {
            break;
        }
    }
    assert!((highest - 0.1 - 0.25).abs() < 5e-3, "{highest}");
}

/// A ball thrown without spin slides, then rolls with 5/7 of its speed.
#[test]
fn a_sliding_ball_comes_to_roll() {
    for method in METHODS {
        let mut scene = ModelBuilder::new();
        scene.ground();
        scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 0.1).sphere(0.1).velocity(DVec3::new(2.0, 1.0, 0.0)));
        let mut bench = Bench::new(&scene, options(method), 1e-3);
        bench.run(0.5);
        let v = bench.state.body_qd[0].linear;
        assert!((v - DVec3::new(2.0, 1.0, 0.0) * (5.0 / 7.0)).length() < 1e-3, "{method:?} {v}");
    }
}

/// Joints and contacts together: a pendulum whose bob comes to rest on a table, the rod taking no load.
#[test]
fn a_chain_lies_down_on_the_ground() {
    for method in METHODS {
        let mut scene = ModelBuilder::new();
        scene.ground();
        let mut last = None;
        for i in 0..6 {
            let at = DVec3::new(0.2 * f64::from(i), 0.0, 0.3);
            let link = scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).sphere(0.05));
            if let Some(last) = last {
                scene.add_joint(JointDef::ball(last, link, at - DVec3::X * 0.1));
            }
            last = Some(link);
        }
        let mut bench = Bench::new(&scene, options(method), 1.0 / 120.0);
        let report = bench.run(3.0);
        assert!(
            report.max_joint_error.unwrap() < 1e-8 && report.max_penetration.unwrap() < 1e-4,
            "{method:?} {report:?}"
        );
        assert!(report.kinetic_energy < 1e-6, "{method:?} {report:?}");
        for q in &bench.state.body_q {
            assert!((q.translation.z - 0.05).abs() < 1e-4, "{method:?}");
        }
    }
}

/// Overdetermined and jammed: a box between two walls that close in must not hang or blow up. The left wall is nearer and
/// takes the box along before the right one meets it.
#[test]
fn a_jam_ends() {
    for method in METHODS {
        let mut scene = ModelBuilder::new();
        for (name, side, place) in [("left", -1.0, 0.62), ("right", 1.0, 0.7)] {
            let def = BodyDef::kinematic(name).at(DVec3::X * (side * place)).cuboid(DVec3::new(0.1, 1.0, 1.0));
            scene.add_body(def.velocity(DVec3::X * (-side * 0.3)));
        }
        let block = scene.add_body(BodyDef::dynamic("block").cuboid(DVec3::splat(0.5)));
        scene.add_joint(JointDef::prismatic(WORLD, block, DVec3::ZERO, DVec3::X).limit(Axis::LinX, -1.0, 1.0));
        let mut bench = Bench::new(&scene, options(method), 1.0 / 60.0);
        bench.run(0.4);
        let at = bench.state.body_q[2].translation;
        // Nothing solves a jam. The dense way goes along with the wall that came first (0.1 m), the iterative one with the one that
        // came last (−0.02 m). Newton's method gives up and leaves it to the other two, which it has come to with other forces.
        let least = if method == Method::StructuredDense { 0.02 } else { -0.03 };
        assert!(at.x > least && at.length() < 0.12, "{method:?} {at}");
    }
}

/// Boxes that turn by radians within a step hit the ground with corners that were far from it when the step began.
#[test]
fn what_turns_fast_does_not_end_in_the_ground() {
    let half = DVec3::new(0.5, 0.3, 0.1);
    let mut random = Random::new(3);
    let mut deepest = 0.0f64;
    for _ in 0..20 {
        let mut scene = ModelBuilder::new();
        scene.add_shape(WORLD, drystone_model::ShapeDef::plane(DVec3::ZERO, DVec3::Z).friction(0.5));
        let axis = DVec3::from_array(std::array::from_fn(|_| random.signed())).normalize();
        let turn = DQuat::from_axis_angle(axis, 3.0 * random.signed());
        let def = BodyDef::dynamic("box").at(DVec3::Z * 0.8).rotated(turn).cuboid(half).friction(0.5);
        let spin = DVec3::from_array(std::array::from_fn(|_| 60.0 * random.signed()));
        scene.add_body(def.velocity(DVec3::new(10.0, 0.0, -20.0)).spin(spin));
        let mut bench = Bench::new(&scene, StructuredOptions::default(), 1.0 / 30.0);
        for _ in 0..60 {
            bench.step();
            let place = bench.state.body_q[0];
            let corner = |i: u32| half * DVec3::from_array([0, 1, 2].map(|k| f64::from((i >> k) & 1) * 2.0 - 1.0));
            let lowest = (0..8).map(|i| place.transform_point(corner(i)).z).fold(f64::INFINITY, f64::min);
            deepest = deepest.max(-lowest);
        }
    }
    // A turn may leave two hundredths of its lever.
    assert!(deepest < 0.02 * half.length(), "{deepest} m");
}
