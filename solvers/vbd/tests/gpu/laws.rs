//! Led bodies, worlds and rolling friction, beside the CPU.

use drystone_model::{BodyDef, BodyId, DQuat, DVec3, Material, Model, ModelBuilder, Pose, Shape, ShapeDef};
use drystone_solve::solver::Solver;
use drystone_vbd::VbdOptions;

use crate::tools::{DT, Run, apart, on_device, sweeps};

/// A box on a plate that moves sideways, and one on a table that turns.
fn carried() -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let plate = BodyDef::kinematic("plate").at(DVec3::Z * 0.1).cuboid(DVec3::new(1.0, 1.0, 0.1));
    scene.add_body(plate.velocity(DVec3::X * 0.5));
    scene.add_body(BodyDef::dynamic("rides").at(DVec3::Z * 0.4).cuboid(DVec3::splat(0.2)).velocity(DVec3::X * 0.5));
    let table = BodyDef::kinematic("table").at(DVec3::new(0.0, 4.0, 0.1)).cuboid(DVec3::new(1.0, 1.0, 0.1));
    scene.add_body(table.spin(DVec3::Z * 0.5));
    let turns = BodyDef::dynamic("turns").at(DVec3::new(0.5, 4.0, 0.4)).cuboid(DVec3::splat(0.2));
    scene.add_body(turns.velocity(DVec3::Y * 0.25).spin(DVec3::Z * 0.5));
    scene.finalize().unwrap()
}

/// What is led goes its way to single precision, and what lies on it is carried as on the CPU.
#[test]
fn led_bodies_carry_what_lies_on_them() {
    let model = carried();
    let (mut cpu, mut gpu) = (Run::new(&model, &sweeps(20)), Run::new(&model, &on_device(&sweeps(20))));
    cpu.steps(60);
    gpu.steps(60);
    // Sixty roundings of an offset below a metre.
    for led in [0, 2] {
        let (want, got) = (cpu.state.body_q[led], gpu.state.body_q[led]);
        assert!(got.translation.distance(want.translation) < 5e-6, "{got:?} for {want:?}");
        assert!(got.rotation.angle_between(want.rotation) < 5e-6, "{got:?} for {want:?}");
        assert_eq!(gpu.state.body_qd[led].linear, cpu.state.body_qd[led].linear);
    }
    assert!((gpu.state.body_q[0].translation.x - 0.5).abs() < 1e-5, "half a metre in a second");
    for rider in [1, 3] {
        let (want, got) = (cpu.state.body_q[rider].translation, gpu.state.body_q[rider].translation);
        println!("rider {rider}: {:e} m from the CPU's", got.distance(want));
        assert!(got.distance(want) < 1e-5, "{got} for {want}");
        assert!(want.distance(model.body_q[rider].translation) > 0.2, "it was carried");
    }
}

/// A led body with a goal is there after the step, also where the host asks for several at once.
#[test]
fn led_bodies_reach_their_goals() {
    let model = carried();
    let mut run = Run::new(&model, &on_device(&sweeps(4)));
    run.steps(2);
    let goal = Pose::from_parts(DVec3::new(0.05, 0.01, 0.12), DQuat::from_rotation_z(0.02));
    let mut control = model.control();
    control.body_target[0] = Some(goal);
    let Run { solver, state, collide, .. } = &mut run;
    for count in [1, 3] {
        solver.steps(&model, state, &control, collide, DT, count).unwrap();
        let there = state.body_q[0];
        assert!(there.translation.distance(goal.translation) < 1e-6, "{there:?}");
        assert!(there.rotation.angle_between(goal.rotation) < 1e-6, "{there:?}");
    }
    assert!(state.body_qd[0].linear.length() < 1e-4, "it stays there");
}

/// Worlds that lie in the same place do not touch each other: each goes its way as it would alone.
#[test]
fn worlds_in_one_place_do_not_meet() {
    let fill = |scene: &mut ModelBuilder| {
        scene.ground();
        for i in 0..3 {
            let at = DVec3::new(0.1 * f64::from(i), 0.0, 0.6 + 1.1 * f64::from(i));
            scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).cuboid(DVec3::splat(0.5)));
        }
    };
    let mut one = ModelBuilder::new();
    fill(&mut one);
    let mut three = ModelBuilder::new();
    three.replicate(&one, 3, DVec3::ZERO);
    let (one, three) = (one.finalize().unwrap(), three.finalize().unwrap());
    assert_eq!(three.world_count(), 3);
    let (mut alone, mut among) = (Run::new(&one, &on_device(&sweeps(8))), Run::new(&three, &on_device(&sweeps(8))));
    for _ in 0..40 {
        alone.step();
        among.step();
        assert_eq!(among.report.contact_count, 3 * alone.report.contact_count);
    }
    assert!(alone.report.contact_count > 0);
    for body in 0..9 {
        let (want, got) = (alone.state.body_q[body % 3].translation, among.state.body_q[body].translation);
        // Colours go by the number of a body: the order of the sweeps may be another.
        assert!(got.distance(want) < 1e-3, "{body}: {got} for {want}");
    }
}

/// A ball slows down by rolling friction as on the CPU and as theory says, and one that spins on the spot by torsional friction.
#[test]
fn rolling_and_torsional_friction_slow_balls() {
    let (radius, speed, rolling) = (0.3, 1.5, 0.01);
    let felt = Material { friction_rolling: rolling, friction_torsional: 0.005, ..Material::default() };
    let mut scene = ModelBuilder::new();
    scene.add_shape(BodyId::WORLD, ShapeDef::new(Shape::HalfSpace).material(felt));
    let ball = |name: &str, y: f64| {
        BodyDef::dynamic(name).at(DVec3::new(0.0, y, radius)).shape(ShapeDef::sphere(radius).material(felt))
    };
    scene.add_body(ball("rolls", 0.0).velocity(DVec3::X * speed).spin(DVec3::Y * (speed / radius)));
    scene.add_body(ball("spins", 2.0).spin(DVec3::Z * 3.0));
    let model = scene.finalize().unwrap();
    let mut runs = [sweeps(10), on_device(&sweeps(10))].map(|options: VbdOptions| Run::new(&model, &options));
    runs.iter_mut().for_each(|run| {
        run.steps(60);
    });
    let (places, speeds) = apart(&runs[0].state, &runs[1].state);
    println!("rolling: {places:e} m, {speeds:e} m/s from the CPU's");
    assert!(places < 1e-5 && speeds < 1e-4, "{places:e} m, {speeds:e} m/s");
    // Moment c N of the radius c = 1 cm against the inertia 7/5 m r² about the point of touch.
    let mix = model.shape_material[0].mix(&model.shape_material[1]).friction_rolling;
    let want = speed - mix * 9.81 / (1.4 * radius);
    let got = runs[1].state.body_qd[0].linear.x;
    assert!((got - want).abs() < 0.02 * (speed - want), "{got} m/s for {want}");
    assert!(runs[1].state.body_qd[1].angular.z < 2.5, "{}", runs[1].state.body_qd[1].angular);
    assert_eq!(runs[1].solver.name(), "vbd");
}

/// Cubes that nothing holds hit each other in the air, off their centres: together they keep their momentum and their angular momentum and gain no
/// energy, however few the sweeps, with gravity and without.
#[test]
fn what_nothing_holds_keeps_its_momentum() {
    for gravity in [DVec3::ZERO, DVec3::Z * -9.81] {
        let mut scene = ModelBuilder::new();
        scene.gravity(gravity);
        for i in 0..6 {
            let (x, side) = (f64::from(i) - 2.5, if i < 3 { 1.0 } else { -1.0 });
            let body = BodyDef::dynamic(format!("{i}")).at(DVec3::new(1.1 * x, 0.15 * x, 0.1 * side * x));
            scene.add_body(body.cuboid(DVec3::splat(0.5)).mass(1.0 + f64::from(i)).velocity(DVec3::X * 3.0 * side));
        }
        let model = scene.finalize().unwrap();
        let mut run = Run::new(&model, &on_device(&sweeps(3)));
        let totals = |run: &Run| {
            let mass: f64 = model.body_mass.iter().sum();
            let pairs = || run.state.body_q.iter().zip(&run.state.body_qd).enumerate();
            let centre = pairs().map(|(b, (q, _))| model.body_mass[b] * q.translation).sum::<DVec3>() / mass;
            let linear: DVec3 = pairs().map(|(b, (_, v))| model.body_mass[b] * v.linear).sum();
            let angular = |(b, (q, v)): (usize, (&Pose, &drystone_model::Twist))| {
                let own = q.rotation * (model.body_inertia[b] * (q.rotation.inverse() * v.angular));
                own + (q.translation - centre).cross(model.body_mass[b] * v.linear)
            };
            (linear, pairs().map(angular).sum::<DVec3>(), mass)
        };
        let (linear, angular, mass) = totals(&run);
        let (mut apart, mut energy, mut touched): (f64, f64, usize) = (0.0, f64::INFINITY, 0);
        for step in 1..=40 {
            run.step();
            touched += run.report.contact_count;
            let (now, spin, _) = totals(&run);
            let want = linear + gravity * mass * f64::from(step) * DT;
            assert!(now.distance(want) < 2e-5 * mass, "step {step}: {now} for {want}");
            apart = apart.max(spin.distance(angular));
            if gravity == DVec3::ZERO {
                assert!(run.report.kinetic_energy < energy * (1.0 + 1e-5), "step {step}");
                energy = run.report.kinetic_energy;
            }
        }
        println!("angular momentum off by {apart:e} of {}", angular.length());
        assert!(touched > 50 && apart < 0.02 * mass, "{apart:e}");
    }
}
