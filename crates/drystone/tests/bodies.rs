//! Impulses, damping, gravity scale, locked axes and sleep of single bodies, under every solver.

use drystone::model::{Drag, Twist};
use drystone::prelude::*;
use drystone::solvers;

const DT: f64 = 0.01;

fn build(scene: &ModelBuilder, solver: &str) -> Simulation {
    Simulation::builder(scene.finalize().unwrap()).solver(solver).dt(DT).build().unwrap()
}

#[test]
fn a_simulation_can_be_sent_and_shared() {
    fn both<T: Send + Sync>() {}
    both::<Simulation>();
}

/// Momentum and angular momentum change by what was given, about whatever axis.
#[test]
fn impulses_change_momentum_by_themselves() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let turn = DQuat::from_rotation_x(0.7) * DQuat::from_rotation_z(1.1);
    let brick = BodyDef::dynamic("brick").at(DVec3::new(1.0, 2.0, 3.0)).rotated(turn);
    let brick = scene.add_body(brick.shape(ShapeDef::cuboid(DVec3::new(0.1, 0.2, 0.4)).at(DVec3::X * 0.3)));
    let mut sim = build(&scene, "vbd");
    let (impulse, twist) = (DVec3::new(0.3, -2.0, 1.0), DVec3::new(0.1, 0.2, -0.3));
    let point = DVec3::new(1.2, 2.5, 2.0);
    sim.apply_impulse_at(brick, impulse, point).unwrap();
    sim.apply_angular_impulse(brick, twist).unwrap();
    let momentum = sim.model().momentum(sim.state());
    assert!((momentum.linear - impulse).length() < 1e-12);
    // About the world origin, as the impulse at a point has it.
    assert!((momentum.angular - point.cross(impulse) - twist).length() < 1e-12);
    assert!(sim.apply_impulse(brick, DVec3::NAN).unwrap_err().to_string().contains("not finite"));
    assert_eq!(sim.model().momentum(sim.state()), momentum);
}

/// v ← v / (1 + c dt) in every step without other forces, linear and angular.
#[test]
fn damping_takes_the_share_it_says_under_every_solver() {
    for solver in solvers() {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        let ball = BodyDef::dynamic("ball").sphere(0.1).velocity(DVec3::new(2.0, 0.0, 1.0)).spin(DVec3::Y * 3.0);
        let ball = scene.add_body(ball.damping(0.5, 80.0));
        let free = BodyDef::dynamic("free").at(DVec3::Y * 5.0).sphere(0.1).velocity(DVec3::X).spin(DVec3::Z);
        let free = scene.add_body(free);
        let mut sim = build(&scene, solver.name);
        sim.run(20, |_| ()).unwrap();
        let share = |rate: f64| (1.0 / (1.0 + rate * DT)).powi(20);
        let velocity = sim.velocity(ball).unwrap();
        let linear = velocity.linear - DVec3::new(2.0, 0.0, 1.0) * share(0.5);
        let angular = velocity.angular - DVec3::Y * 3.0 * share(80.0);
        let allowed = if solver.name == "jacobi" { 1e-5 } else { 1e-9 };
        assert!(linear.length() < allowed, "{}: off by {linear}", solver.name);
        assert!(angular.length() < allowed, "{}: off by {angular}", solver.name);
        let kept = sim.velocity(free).unwrap();
        assert!((kept.linear - DVec3::X).length() + (kept.angular - DVec3::Z).length() < 1e-9, "{}", solver.name);
        assert_eq!(sim.control().body_f[0], (DVec3::ZERO, DVec3::ZERO));
    }
}

/// (M + D dt) v = M v₀ in every step without other forces, under every solver; the axes turn with the body, here about the one it moves along.
#[test]
fn drag_takes_momentum_backwards_in_time_under_every_solver() {
    for solver in solvers() {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        // 4.19 kg; stiff enough that a step forwards in time would throw it back.
        let ball = BodyDef::dynamic("ball").sphere(0.1).velocity(DVec3::X * 2.0).spin(DVec3::X * 3.0);
        let drag = Drag { linear: [900.0, 0.0, 0.0, 0.4, 0.0, 0.0], quadratic: [30.0; 6], ..Drag::default() };
        let ball = scene.add_body(ball.drag(drag));
        let model = scene.finalize().unwrap();
        let (mass, moment) = (model.body_mass[0], model.body_inertia[0].x_axis.x);
        let mut sim = Simulation::builder(model).solver(solver.name).dt(DT).build().unwrap();
        let (mut along, mut about): (f64, f64) = (2.0, 3.0);
        for _ in 0..3 {
            sim.step().unwrap();
            along /= 1.0 + DT * (900.0 + 30.0 * along) / mass;
            about /= 1.0 + DT * (0.4 + 30.0 * about) / moment;
        }
        let velocity = sim.velocity(ball).unwrap();
        let allowed = if solver.name == "jacobi" { 1e-5 } else { 1e-7 };
        assert!((velocity.linear - DVec3::X * along).length() < allowed, "{}: {velocity:?}, {along}", solver.name);
        assert!((velocity.angular - DVec3::X * about).length() < allowed, "{}: {velocity:?}, {about}", solver.name);
        assert_eq!(sim.control().body_f[0], (DVec3::ZERO, DVec3::ZERO));
    }
}

/// A stone sinks in the end as fast as its weight and the resistance of water ask: √(m g / c).
#[test]
fn a_fall_through_a_medium_ends_at_the_speed_of_weight_and_resistance() {
    let mut scene = ModelBuilder::new();
    let drag = Drag { quadratic: [8.0, 8.0, 5.0, 0.0, 0.0, 0.0], ..Drag::default() };
    let stone = scene.add_body(BodyDef::dynamic("stone").sphere(0.1).mass(2.0).drag(drag));
    let mut sim = build(&scene, "vbd");
    sim.run(1000, |_| ()).unwrap();
    let speed = -sim.velocity(stone).unwrap().linear.z;
    // v = v / (1 + c v dt / m) + g dt: first order beside √(m g / c).
    let expected = (2.0f64 * 9.81 / 5.0).sqrt();
    let per_step = speed - speed / (1.0 + 5.0 * speed * DT / 2.0);
    assert!((per_step - 9.81 * DT).abs() < 1e-9, "{speed} m/s");
    assert!((speed / expected - 1.0).abs() < 0.03, "{speed} m/s for {expected}");
}

/// A point to the side that is held back turns the body.
#[test]
fn drag_off_the_centre_turns() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let drag = Drag { pose: Pose::from_translation(DVec3::Y * 0.1), linear: [1.0; 6], ..Drag::default() };
    let drag = Drag { linear: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], ..drag };
    let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1).velocity(DVec3::X).drag(drag));
    let model = scene.finalize().unwrap();
    let (mass, moment) = (model.body_mass[0], model.body_inertia[0].z_axis.z);
    let mut sim = Simulation::builder(model).dt(DT).build().unwrap();
    sim.step().unwrap();
    let velocity = sim.velocity(ball).unwrap();
    // The point moves by u = v − 0.1 ω after the step; m (v − 1) = −u dt, I ω = 0.1 u dt.
    let u = 1.0 / (1.0 + DT / mass + 0.01 * DT / moment);
    assert!((velocity.linear.x - (1.0 - u * DT / mass)).abs() < 1e-9, "{velocity:?}");
    assert!((velocity.angular.z - 0.1 * u * DT / moment).abs() < 1e-9, "{velocity:?}");
}

/// A damped fall ends at g / c.
#[test]
fn a_damped_fall_has_a_terminal_velocity() {
    let mut scene = ModelBuilder::new();
    let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1).damping(2.0, 0.0));
    let mut sim = build(&scene, "vbd");
    sim.run(2000, |_| ()).unwrap();
    let speed = -sim.velocity(ball).unwrap().linear.z;
    // v = v / (1 + c dt) + g dt, which is g (1 + c dt) / c.
    assert!((speed - 9.81 / 2.0 * (1.0 + 2.0 * DT)).abs() < 1e-9, "{speed} m/s");
}

#[test]
fn gravity_scale_scales_the_fall_and_the_energy_under_every_solver() {
    for solver in solvers() {
        let mut scene = ModelBuilder::new();
        let bodies = [1.0, 0.0, -0.5, 3.0].map(|scale| {
            let at = DVec3::new(10.0 * scale, 0.0, 1.0);
            scene.add_body(BodyDef::dynamic(format!("scale {scale}")).at(at).sphere(0.1).mass(1.0).gravity_scale(scale))
        });
        let mut sim = build(&scene, solver.name);
        let height: f64 = 1.0 + 0.0 - 0.5 + 3.0;
        let energy = sim.model().energy(sim.state()).potential;
        assert!((energy - 9.81 * height).abs() < 1e-12, "{energy} J");
        sim.run(50, |_| ()).unwrap();
        for (body, scale) in bodies.into_iter().zip([1.0, 0.0, -0.5, 3.0]) {
            let speed = sim.velocity(body).unwrap().linear.z;
            assert!((speed + scale * 9.81 * 0.5).abs() < 1e-6, "{}: {scale} fell at {speed} m/s", solver.name);
        }
    }
}

/// A disc that is pushed, spun and dropped stays in its plane; an upright box stays upright on a slope.
#[test]
fn locked_axes_hold_under_every_solver() {
    for solver in solvers() {
        let mut scene = ModelBuilder::new();
        let flat = [Axis::LinY, Axis::AngX, Axis::AngZ];
        let disc = BodyDef::dynamic("disc").at(DVec3::new(0.0, 2.0, 5.0)).rotated(DQuat::from_rotation_y(0.3));
        let disc = scene.add_body(disc.cuboid(DVec3::new(0.3, 0.1, 0.2)).spin(DVec3::Y * 4.0).lock(&flat));
        let post = BodyDef::dynamic("post").at(DVec3::X * 5.0).capsule(0.2, 0.5);
        let post = scene.add_body(post.lock(&[Axis::AngX, Axis::AngY, Axis::AngZ]));
        let mut sim = build(&scene, solver.name);
        assert_eq!(sim.model().joint_name, ["disc/locked", "post/locked"]);
        for _ in 0..60 {
            sim.apply_force(disc, DVec3::new(5.0, 40.0, 0.0)).unwrap();
            sim.apply_torque(disc, DVec3::new(2.0, 0.0, 1.0)).unwrap();
            sim.apply_torque(post, DVec3::ONE).unwrap();
            sim.step().unwrap();
        }
        let (pose, post) = (sim.pose(disc).unwrap(), sim.pose(post).unwrap());
        let tilt = (pose.rotation * DVec3::Y - DVec3::Y).length();
        assert!((pose.translation.y - 2.0).abs() < 1e-3 && tilt < 1e-3, "{}: {pose:?}", solver.name);
        // 48 kg, pushed by 5 N and pulled by gravity for 0.6 s, to the first order of the steps.
        let free = pose.translation - DVec3::new(0.5 * 5.0 / 48.0 * 0.36, 2.0, 5.0 - 0.5 * 9.81 * 0.36);
        assert!(free.length() < 0.5 * 9.81 * 0.6 * DT + 1e-3, "{}: the rest is free: {pose:?}", solver.name);
        assert!(post.rotation.angle_between(DQuat::IDENTITY) < 1e-3, "{}: {post:?}", solver.name);
        let spun = sim.velocity(disc).unwrap().angular.y;
        assert!((spun - 4.0).abs() < 0.05, "{}: spins at {spun}", solver.name);
    }
}

/// What the refusal of one locked rotation names instead: a Cardan joint to the world, all translations free. From rest, a torque
/// about the locked axis does nothing; any other gives the acceleration within the two free rotations, of the full inertia
/// with its off-diagonal terms; what the joint adds to the angular momentum lies along the locked axis. What is left, up to 8e-5, is the
/// turn within the step.
#[test]
fn a_cardan_joint_to_the_world_locks_one_rotation_under_every_solver() {
    let free = [Axis::LinX, Axis::LinY, Axis::LinZ, Axis::AngX, Axis::AngY];
    let turn = DQuat::from_rotation_x(0.5) * DQuat::from_rotation_y(0.4);
    for (solver, torque) in solvers()
        .iter()
        .flat_map(|solver| [DVec3::Z, DVec3::X, DVec3::new(0.3, -1.0, 2.0)].map(|torque| (solver.name, 20.0 * torque)))
    {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::ZERO);
        let at = DVec3::new(1.0, 2.0, 3.0);
        let brick = BodyDef::dynamic("brick").at(at).rotated(turn).cuboid(DVec3::new(0.1, 0.3, 0.5));
        let brick = scene.add_body(brick);
        scene.add_joint(JointDef::d6(BodyId::WORLD, brick, at, DQuat::IDENTITY, &free));
        let mut sim = build(&scene, solver);
        let spread = DMat3::from_quat(turn);
        let inertia = spread * sim.model().body_inertia[0] * spread.transpose();
        assert!(inertia.z_axis.x.abs() > 1.0, "the axes are coupled: {inertia}");
        sim.apply_torque(brick, torque).unwrap();
        sim.apply_force(brick, DVec3::ONE).unwrap();
        sim.step().unwrap();
        let velocity = sim.velocity(brick).unwrap();
        let inverse = inertia.inverse();
        let (gives, unlocked) = (inverse * DVec3::Z, inverse * torque);
        let expected = DT * (unlocked - gives * (unlocked.z / gives.z));
        let scale = DT * unlocked.length();
        let error = (velocity.angular - expected).length() / scale;
        assert!(error < 1e-4, "{solver}, {torque}: turns at {} instead of {expected}", velocity.angular);
        let added = inertia * velocity.angular - DT * torque;
        assert!(added.truncate().length() < 2e-4 * DT * torque.length(), "{solver}: {added}");
        let mass = sim.model().body_mass[0];
        assert!((velocity.linear * mass - DT * DVec3::ONE).length() < 1e-10, "{solver}: {}", velocity.linear);
    }
}

#[test]
fn locks_that_make_no_sense_are_refused_by_name() {
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::dynamic("one").sphere(0.1).lock(&[Axis::AngX]));
    scene.add_body(BodyDef::fixed("two").sphere(0.1).lock(&[Axis::LinX]));
    scene.add_body(BodyDef::dynamic("three").sphere(0.1).damping(-1.0, f64::NAN).gravity_scale(f64::INFINITY));
    let error = scene.finalize().unwrap_err().to_string();
    for words in [
        "body `one` (#0), locked: one rotation alone cannot be locked: turning about the other two in turn comes round to it",
        "a `d6` joint with two free rotations",
        "body `two` (#1), locked: only a dynamic",
        "body `three` (#2), damping: -1",
        "body `three` (#2), gravity_scale",
    ] {
        assert!(error.contains(words), "{words}: {error}");
    }
    let mut scene = ModelBuilder::new();
    let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
    let mut sim = build(&scene, "vbd");
    let refused = sim.lock_axes(ball, &[Axis::AngY]).unwrap_err().to_string();
    assert!(refused.contains("body `ball`") && refused.contains("one rotation alone"), "{refused}");
    assert!(refused.contains("a `d6` joint with two free rotations"), "{refused}");
    let guest = sim.edit(|scene| scene.add_body(BodyDef::dynamic("guest").sphere(0.1).lock(&[Axis::AngY])));
    assert!(guest.unwrap_err().to_string().contains("body `guest`"));
    let guest = BodyDef::dynamic("guest").at(DVec3::X).sphere(0.1).lock(&[Axis::LinZ]);
    let guest = sim.edit(|scene| scene.add_body(guest)).unwrap();
    sim.run(30, |_| ()).unwrap();
    assert!(sim.pose(guest).unwrap().translation.z.abs() < 1e-6 && sim.pose(ball).unwrap().translation.z < -0.3);
}

/// What sleeps is woken by an impulse, by a new target and by being asked, together with its group.
#[test]
fn groups_sleep_and_wake_together() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let half = DVec3::splat(0.5);
    let lower = scene.add_body(BodyDef::dynamic("lower").at(DVec3::Z * 0.5).cuboid(half));
    let upper = scene.add_body(BodyDef::dynamic("upper").at(DVec3::Z * 1.5).cuboid(half));
    let other = scene.add_body(BodyDef::dynamic("other").at(DVec3::new(5.0, 0.0, 0.5)).cuboid(half));
    let model = scene.finalize().unwrap();
    let mut sim = Simulation::builder(model.clone()).option("sleeping", true).build().unwrap();
    sim.run(3, |_| ()).unwrap();
    let asleep = |sim: &Simulation| [lower, upper, other].map(|body| sim.is_asleep(body).unwrap());
    sim.put_to_sleep(upper).unwrap();
    assert_eq!(asleep(&sim), [true, true, false]);
    sim.run(3, |_| ()).unwrap();
    assert_eq!(asleep(&sim), [true, true, false]);
    sim.apply_impulse(lower, DVec3::X).unwrap();
    assert_eq!(asleep(&sim), [false; 3]);
    sim.put_to_sleep(lower).unwrap();
    sim.wake(upper).unwrap();
    assert_eq!(asleep(&sim), [false; 3]);
    sim.put_to_sleep(lower).unwrap();
    sim.set_velocity(upper, Twist { linear: DVec3::Z, angular: DVec3::ZERO }).unwrap();
    assert_eq!(asleep(&sim), [false; 3]);
    sim.set_option("sleeping", false).unwrap();
    let refused = sim.put_to_sleep(lower).unwrap_err().to_string();
    assert!(refused.contains("`sleeping`"), "{refused}");
}
