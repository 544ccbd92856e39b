//! Trees in joint coordinates: what `rk4` takes while nothing is in touch.

use drystone_model::{Axis, BodyDef, BodyId, DMat3, DVec3, Drive, JointDef, MassProperties, ModelBuilder, WORLD};
use drystone_solve::Solver;
use drystone_structured::{Integrator, StructuredOptions};

use crate::bench::Bench;

fn rk4() -> StructuredOptions {
    StructuredOptions { integrator: Integrator::Rk4, ..Default::default() }
}

/// Bars on hinges and ball joints, two at the end of each, from the world or afloat; those that are solid can touch.
fn tree(count: usize, held: bool, solid: bool) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    let mut ends = vec![(BodyId(WORLD), DVec3::ZERO)];
    for index in 0..count {
        let (parent, end) = ends[if index == 0 { 0 } else { (index - 1) / 2 + 1 }];
        let along = DVec3::new(if index % 2 == 0 { 0.06 } else { -0.06 }, 0.03, -0.2);
        let def = BodyDef::dynamic(format!("{index}")).at(end + 0.5 * along);
        let inertia = DMat3::from_diagonal(DVec3::new(2e-4, 1e-4, 3e-4));
        let bare = MassProperties { mass: 0.05, com: DVec3::new(0.0, 0.01, 0.0), inertia };
        let def = if solid { def.cuboid(DVec3::new(0.01, 0.02, 0.03)) } else { def.mass_properties(bare) };
        let body = scene.add_body(def.spin(DVec3::new(0.3, -0.2, 0.1) * (index % 7) as f64));
        match index {
            0 if !held => {}
            _ if index % 3 == 2 => _ = scene.add_joint(JointDef::ball(parent, body, end)),
            _ => _ = scene.add_joint(JointDef::revolute(parent, body, end, DVec3::Y)),
        }
        ends.push((body, end + along));
    }
    scene
}

#[test]
fn threads_make_no_difference_and_a_resumed_run_goes_on_bit_for_bit() {
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut bench = Bench::new(&tree(60, true, false), rk4(), 1.0 / 60.0);
            bench.run(0.5);
            assert!(bench.solver.mechanism().is_some(), "the first step closes the rates of the joints");
            bench.state.hash()
        })
    };
    assert_eq!(hash(1), hash(3));
    let mut first = Bench::new(&tree(60, true, false), rk4(), 1.0 / 60.0);
    // Not a multiple of the steps from one look at the fastest swing to the next.
    (0..23).for_each(|_| _ = first.step());
    let mut second = Bench::new(&tree(60, true, false), rk4(), 1.0 / 60.0);
    second.solver.restore(&first.solver.snapshot()).unwrap();
    second.collide.restore(&first.collide.snapshot()).unwrap();
    second.state = first.state.clone();
    first.run(0.3);
    second.run(0.3);
    assert_eq!(first.state.hash(), second.state.hash());
}

#[test]
fn a_floating_tree_keeps_momenta_and_energy() {
    let mut scene = tree(15, false, false);
    scene.gravity(DVec3::ZERO);
    let error = |dt: f64| {
        let mut bench = Bench::new(&scene, rk4(), dt);
        // The first step closes the rates of the joints; what that leaves is dropped by the second.
        bench.step();
        let start = bench.step();
        let end = bench.run(0.8);
        let apart = |a: [f64; 3], b: [f64; 3]| (DVec3::from_array(a) - DVec3::from_array(b)).length();
        let spin = DVec3::from_array(start.angular_momentum).length();
        let energy = (end.kinetic_energy / start.kinetic_energy - 1.0).abs();
        assert!(end.max_joint_error.unwrap() < 1e-13 && end.max_joint_angle_error.unwrap() < 1e-13);
        energy.max(apart(start.angular_momentum, end.angular_momentum) / spin).max(apart(start.momentum, end.momentum))
    };
    let (coarse, fine) = (error(1.6e-2), error(8e-3));
    println!("{coarse:e} {fine:e}");
    assert!(fine < 1e-9 && fine < coarse / 10.0, "{coarse:e} {fine:e}");
}

/// Links that swing with up to 1,300 rad/s under a ball a thousand times heavier, at steps that resolve 100.
#[test]
fn a_taut_chain_is_cut_and_gains_no_energy() {
    let mut scene = ModelBuilder::new();
    let mut last = BodyId(WORLD);
    for index in 0..20 {
        let at = DVec3::X * (0.1 * f64::from(index) + 0.05);
        let mut link = BodyDef::dynamic(format!("{index}")).at(at).cuboid(DVec3::new(0.05, 0.01, 0.01)).mass(0.01);
        if index == 19 {
            link = BodyDef::dynamic("ball").at(at + DVec3::X * 0.1).sphere(0.1).mass(10.0);
        }
        let link = scene.add_body(link);
        scene.add_joint(JointDef::revolute(last, link, at - DVec3::X * 0.05, DVec3::Y));
        last = link;
    }
    let mut bench = Bench::new(&scene, rk4(), 1.0 / 60.0);
    let start = bench.energy();
    let mut lowest = f64::INFINITY;
    for step in 0..180 {
        let report = bench.step();
        let gained = report.kinetic_energy + report.potential_energy - start;
        // Of the 200 J that the ball falls through.
        assert!(gained < 1e-3, "step {step}: {gained}");
        lowest = lowest.min(gained);
        assert!(report.max_joint_error.unwrap() < 1e-12);
    }
    println!("lost at most {lowest}");
    assert!(lowest > -1e-2, "{lowest}");
}

/// What touches goes through the contacts of the general step, what does not through joint coordinates, and back.
#[test]
fn a_tree_that_falls_on_the_ground_stays_closed_and_above_it() {
    let mut scene = tree(7, false, true);
    scene.ground();
    let mut bench = Bench::new(&scene, rk4(), 1.0 / 240.0);
    (0..7).for_each(|body| bench.state.body_q[body].translation.z += 1.2);
    let (mut touched, mut flew) = (0, 0);
    for _ in 0..240 {
        let report = bench.step();
        *(if report.contact_count > 0 { &mut touched } else { &mut flew }) += 1;
        assert!(report.max_joint_error.unwrap() < 1e-8 && report.max_penetration.unwrap() < 1e-4, "{report:?}");
    }
    assert!(touched > 10 && flew > 10, "{touched} {flew}");
    assert!(bench.state.body_q.iter().all(|pose| pose.translation.z > 0.0));
}

/// A wheel on an axle at rest.
fn wheel(change: impl Fn(JointDef) -> JointDef) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    let mass = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(0.5)) };
    let wheel = scene.add_body(BodyDef::dynamic("wheel").mass_properties(mass));
    scene.add_joint(change(JointDef::revolute(WORLD, wheel, DVec3::ZERO, DVec3::Y)));
    scene
}

/// A servo of 40 N·m/rad and at most 2 N·m turns a wheel to 1 rad: a parabola, a piece of a swing through the target, a parabola.
/// At the two bends of the law, where the acceleration changes its slope by J, a step is off by at most J h²/8.
#[test]
fn a_servo_at_its_largest_effort_is_exact_but_for_the_bends_of_its_law() {
    let scene = wheel(|joint| joint.drive(Axis::AngX, Drive::position(1.0, 40.0, 0.0).max_effort(2.0)));
    let (alpha, omega) = (4f64, 80f64.sqrt());
    let first = (2.0 * 0.95 / alpha).sqrt();
    let speed = alpha * first;
    let second = 2.0 * (0.05 * omega / speed).atan() / omega;
    for dt in [0.01, 0.002] {
        let mut bench = Bench::new(&scene, rk4(), dt);
        bench.run(0.6);
        let (angle, rate) = (bench.state.joint_angle[0][0], bench.state.body_qd[0].angular.y);
        assert!((angle - 0.5 * alpha * 0.36).abs() < 1e-12 && (rate - alpha * 0.6).abs() < 1e-12, "{angle} {rate}");
        bench.run(0.3);
        let left = 0.9 - first - second;
        let bend = 2.0 * omega * omega * speed * dt * dt / 8.0;
        let off = bench.state.body_qd[0].angular.y - (speed - alpha * left);
        assert!(off.abs() < bend, "{off} of {bend} rad/s");
        let off = bench.state.joint_angle[0][0] - (1.05 + left * speed - 0.5 * alpha * left * left);
        assert!(off.abs() < bend * (left + second), "{off} rad");
    }
}

/// Stops are for the general step, what is before them is not: an arm falls as it would without, and comes to rest on its stop.
#[test]
fn a_stop_counts_when_it_is_reached() {
    let arm = |stop: f64| {
        let mut scene = ModelBuilder::new();
        let mass = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(0.1)) };
        let arm = scene.add_body(BodyDef::dynamic("arm").at(DVec3::X).mass_properties(mass));
        scene.add_joint(JointDef::revolute(WORLD, arm, DVec3::ZERO, DVec3::Y).limit(Axis::AngX, -1.0, stop));
        Bench::new(&scene, rk4(), 1.0 / 240.0)
    };
    let (mut free, mut stopped) = (arm(9.0), arm(1.0));
    for bench in [&mut free, &mut stopped] {
        bench.run(0.45);
    }
    let angle = |bench: &Bench| bench.state.joint_angle[0][0];
    assert!(angle(&free) > 0.8 && angle(&free) == angle(&stopped), "{} {}", angle(&free), angle(&stopped));
    stopped.run(1.0);
    // What is left of stops is `contact_tolerance`.
    assert!((angle(&stopped) - 1.0).abs() < 1e-6, "{}", angle(&stopped));
}
