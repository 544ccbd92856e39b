//! Chains of ball joints, which take a path of their own, against the general one.

use drystone_model::{BodyDef, DVec3, JointDef, JointId, ModelBuilder, WORLD};
use drystone_solve::{Solver, report::Ending};
use drystone_structured::{Method, StructuredOptions};

use crate::bench::Bench;

/// Links of 0.2 m along x, held at the ends that are asked for.
fn chain(links: usize, held: [bool; 2]) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    let mut last = WORLD.into();
    for i in 0..links {
        let at = DVec3::X * (0.1 + 0.2 * i as f64);
        let def = BodyDef::dynamic(format!("{i}")).at(at).spin(DVec3::new(0.1, 0.2, 0.3));
        let link = scene.add_body(def.cuboid(DVec3::new(0.1, 0.02, 0.03)));
        for shape in scene.body_shapes(link).to_vec() {
            for other in 0..shape.0 {
                scene.filter_shapes(shape, other.into());
            }
        }
        let anchor = DVec3::X * (0.2 * i as f64);
        if i > 0 || held[0] {
            // Joints in both directions.
            let joint =
                if i % 2 == 1 { JointDef::ball(link, last, anchor) } else { JointDef::ball(last, link, anchor) };
            scene.add_joint(joint);
        }
        last = link;
    }
    if held[1] {
        scene.add_joint(JointDef::ball(WORLD, last, DVec3::X * (0.2 * links as f64)));
    }
    scene
}

#[test]
fn they_move_as_the_general_path_says() {
    for held in [[true, false], [false, false], [false, true]] {
        // Lanes of four links, full and not, in both halves.
        for links in [1, 2, 3, 8, 11] {
            let scene = chain(links, held);
            if scene.finalize().unwrap().joint_count() == 0 {
                continue;
            }
            let mut fast = Bench::new(&scene, StructuredOptions::default(), 2e-3);
            let general = StructuredOptions { method: Method::FullDense, ..Default::default() };
            let mut slow = Bench::new(&scene, general, 2e-3);
            for _ in 0..100 {
                let report = fast.step();
                assert!(report.max_joint_error.unwrap() < 1e-10, "{held:?} {links}: {report:?}");
                slow.step();
            }
            assert!(fast.solver.mechanism().is_none());
            for body in 0..links {
                let off = (fast.state.body_q[body].translation - slow.state.body_q[body].translation).length();
                let spin = (fast.state.body_qd[body].angular - slow.state.body_qd[body].angular).length();
                assert!(off < 1e-8 && spin < 1e-6, "{held:?} {links} links, body {body}: {off:e} {spin:e}");
            }
            for joint in 0..fast.model.joint_count() {
                let of = |bench: &Bench| bench.solver.joint_force(&bench.model, JointId(joint as u32), 2e-3).unwrap();
                let (one, other) = (of(&fast), of(&slow));
                let size = other.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                // The frame turns within the step.
                (0..3).for_each(|k| assert!((one[k] - other[k]).abs() < 2e-2 * size, "{held:?} {one:?} {other:?}"));
            }
        }
    }
}

#[test]
fn forces_torques_fast_spins_and_links_of_different_makes_move_as_the_general_path_says() {
    let mut scene = ModelBuilder::new();
    let mut last = WORLD.into();
    let mut from = DVec3::ZERO;
    for i in 0..9 {
        let size = 0.05 + 0.01 * f64::from(i);
        let to = from + DVec3::X * (2.0 * size);
        // The last one turns by more than half a radian in a step.
        let spin = DVec3::new(if i == 8 { 150.0 } else { 1.0 }, 0.2, 0.3);
        let def = BodyDef::dynamic(format!("{i}")).at(0.5 * (from + to)).spin(spin);
        let link = scene.add_body(def.cuboid(DVec3::new(size, 0.01, 0.02)));
        for shape in scene.body_shapes(link).to_vec() {
            (0..shape.0).for_each(|other| scene.filter_shapes(shape, other.into()));
        }
        scene.add_joint(JointDef::ball(last, link, from));
        (last, from) = (link, to);
    }
    // In one piece: how taut a chain is, both paths estimate differently.
    let options = StructuredOptions { max_pieces: 1, ..StructuredOptions::default() };
    let mut fast = Bench::new(&scene, options.clone(), 4e-3);
    let mut slow = Bench::new(&scene, StructuredOptions { method: Method::FullDense, ..options }, 4e-3);
    for bench in [&mut fast, &mut slow] {
        bench.control.body_f[3] = (DVec3::new(0.3, -0.5, 0.2), DVec3::new(0.01, 0.02, -0.03));
    }
    for step in 0..50 {
        let report = fast.step();
        slow.step();
        // The sweep that writes the state counts its energy and momentum.
        let (energy, momentum) = (fast.model.energy(&fast.state), fast.model.momentum(&fast.state));
        assert!((report.kinetic_energy - energy.kinetic).abs() < 1e-12 * energy.kinetic, "{step}");
        assert!((report.potential_energy - energy.potential).abs() < 1e-12 * energy.kinetic, "{step}");
        assert!((DVec3::from(report.momentum) - momentum.linear).length() < 1e-12, "{step}");
        assert!((DVec3::from(report.angular_momentum) - momentum.angular).length() < 1e-12, "{step}");
        for body in 0..9 {
            let off = (fast.state.body_q[body].translation - slow.state.body_q[body].translation).length();
            assert!(off < 1e-8, "step {step}, body {body}: {off:e}");
        }
    }
    assert!(fast.solver.mechanism().is_none());
}

#[test]
fn angles_of_ball_joints_may_be_left_alone_and_change_nothing_else() {
    let scene = chain(5, [true, false]);
    let mut with = Bench::new(&scene, StructuredOptions::default(), 2e-3);
    let mut without =
        Bench::new(&scene, StructuredOptions { ball_angles: false, ..StructuredOptions::default() }, 2e-3);
    let start = with.state.joint_angle.clone();
    for _ in 0..50 {
        with.step();
        without.step();
    }
    assert_eq!(with.state.body_q, without.state.body_q);
    assert_eq!(without.state.joint_angle, start);
    for joint in 0..5 {
        let (kept, asked) = (with.state.joint_angle[joint], without.model.joint_coordinates(&without.state, joint));
        assert_ne!(kept, start[joint]);
        assert_eq!(kept, [asked[3], asked[4], asked[5]]);
    }
}

#[test]
fn a_hanging_chain_carries_the_weight_below() {
    let mut scene = ModelBuilder::new();
    let mut last = WORLD.into();
    for i in 0..50 {
        let def = BodyDef::dynamic(format!("{i}")).at(-DVec3::Z * (0.1 + 0.2 * f64::from(i))).mass(1.0);
        let link = scene.add_body(def.cuboid(DVec3::new(0.02, 0.02, 0.05)));
        scene.add_joint(JointDef::ball(last, link, -DVec3::Z * (0.2 * f64::from(i))));
        last = link;
    }
    let mut bench = Bench::new(&scene, StructuredOptions::default(), 0.01);
    bench.run(0.1);
    for i in 0..50 {
        let force = bench.solver.joint_force(&bench.model, JointId(i), 0.01).unwrap();
        let load = 9.81 * f64::from(50 - i);
        let size = DVec3::new(force[0], force[1], force[2]).length();
        assert!((size - load).abs() < 1e-9 * load, "{i}: {size} {load}");
    }
}

/// A chain that a ball a thousand times heavier than a link stretches, let go from the horizontal; `bent` so that the
/// path of chains does not take it.
fn loaded_chain(bent: bool) -> ModelBuilder {
    let mut scene = chain(20, [true, false]);
    let last = drystone_model::BodyId(19);
    let end = DVec3::X * 4.0;
    let ball = BodyDef::dynamic("ball").at(end + DVec3::X * 0.5).sphere(0.5);
    let ball = scene.add_body(ball.mass(1000.0 * 0.24));
    for shape in 0..20 {
        scene.filter_shapes(shape.into(), 20.into());
    }
    let joint = JointDef::ball(last, ball, end);
    scene.add_joint(if bent { joint.break_at(1.0e12, f64::INFINITY) } else { joint });
    scene
}

#[test]
fn under_a_heavy_load_steps_are_cut_until_they_resolve_it() {
    for bent in [false, true] {
        let mut bench = Bench::new(&loaded_chain(bent), StructuredOptions::default(), 1.0 / 60.0);
        assert_eq!(bench.solver.mechanism().is_some(), bent);
        let (start, mut deepest) = (bench.energy(), 0.0f64);
        for _ in 0..120 {
            let report = bench.step();
            assert!(report.max_joint_error.unwrap() < 1e-9 && report.ending == Ending::Converged, "{report:?}");
            deepest = deepest.min(report.potential_energy);
            let gained = (bench.energy() - start) / -deepest;
            assert!(gained.abs() < 0.01, "gained {gained} of the fall");
        }
        // At the end the chain bears about what a pendulum of its length would.
        assert!(deepest < -4.0 * 240.0 * 9.81);
    }
}

#[test]
fn a_step_that_may_not_be_cut_enough_is_refused_and_leaves_the_state() {
    let options = StructuredOptions { max_pieces: 1, ..StructuredOptions::default() };
    let mut bench = Bench::new(&loaded_chain(false), options, 1.0 / 20.0);
    for _ in 0..100 {
        let before = bench.state.hash();
        let Bench { solver, model, state, control, collide, dt } = &mut bench;
        match solver.step(model, state, control, collide, *dt) {
            Ok(report) => assert!(report.kinetic_energy.is_finite()),
            Err(error) => {
                assert!(error.to_string().contains("max_pieces"), "{error}");
                assert_eq!(bench.state.hash(), before);
                return;
            }
        }
    }
    panic!("100 steps that cannot be resolved passed as if they were");
}
