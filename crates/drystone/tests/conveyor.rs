//! Conveyor belts: friction drives what lies on them to their speed, and no further, under every solver.

use drystone::prelude::*;
use drystone::solvers;

const FRICTION: f64 = 0.4;
const DT: f64 = 1.0 / 240.0;

/// A box on a belt that runs along x at 1 m/s; the box starts with a velocity.
fn belt(velocity: DVec3) -> Model {
    let mut scene = ModelBuilder::new();
    let belt = ShapeDef::cuboid(DVec3::new(50.0, 1.0, 0.1)).at(DVec3::NEG_Z * 0.1).friction(FRICTION);
    scene.add_shape(WORLD, belt.surface_velocity(DVec3::X));
    let shape = ShapeDef::cuboid(DVec3::new(0.2, 0.2, 0.05)).friction(FRICTION);
    scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.0505).shape(shape).velocity(velocity));
    scene.finalize().expect("a sound scene")
}

fn simulation(solver: &str, model: Model) -> Simulation {
    Simulation::builder(model).solver(solver).dt(DT).build().expect("a simulation")
}

/// Speeds along x at the end of every step.
fn speeds(solver: &str, model: Model, steps: usize) -> Vec<f64> {
    let mut sim = simulation(solver, model);
    let mut speeds = Vec::new();
    for _ in 0..steps {
        sim.step().expect("a step");
        let speed = sim.state().body_qd[0].linear;
        assert!(speed.y.abs() < 1e-3 && speed.z.abs() < 0.1, "{solver}: {speed}");
        speeds.push(speed.x);
    }
    speeds
}

/// It gains or loses μ g until it has the belt's speed, and then rides along.
#[test]
fn a_box_reaches_the_speed_of_its_belt_at_the_rate_of_friction() {
    for solver in solvers() {
        for start in [0.0, 2.5] {
            let speeds = speeds(solver.name, belt(DVec3::X * start), 240);
            // The box lands first; from then on the rate is that of friction.
            let (from, to) = (12, 48);
            let rate = (speeds[to] - speeds[from]) / ((to - from) as f64 * DT);
            let expected = FRICTION * 9.81 * (1.0 - start).signum();
            assert!((rate / expected - 1.0).abs() < 0.02, "{} from {start}: {rate} m/s²", solver.name);
            let riding = &speeds[140..];
            let worst = riding.iter().map(|speed| (speed - 1.0).abs()).fold(0.0, f64::max);
            assert!(worst < 2e-3, "{} from {start}: off by {worst} m/s", solver.name);
        }
    }
}

/// The velocity is that of the body's frame: a belt on a body turned by a quarter runs along y.
#[test]
fn a_belt_turns_with_its_body() {
    for solver in solvers() {
        let mut scene = ModelBuilder::new();
        let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let belt = ShapeDef::cuboid(DVec3::new(50.0, 1.0, 0.1)).rotated(DQuat::from_rotation_x(std::f64::consts::PI));
        let frame = BodyDef::kinematic("frame").at(DVec3::NEG_Z * 0.1).rotated(turn);
        scene.add_body(frame.shape(belt.surface_velocity(DVec3::new(0.5, 0.0, 3.0))));
        scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.0505).cuboid(DVec3::new(0.2, 0.2, 0.05)));
        let mut sim = simulation(solver.name, scene.finalize().expect("a sound scene"));
        sim.run(240, |_| ()).expect("240 steps");
        let speed = sim.state().body_qd[1].linear;
        assert!(speed.distance(DVec3::Y * 0.5) < 2e-3, "{}: {speed}", solver.name);
    }
}

/// Action and reaction: a loose slab with a belt on top is driven back as the box on it is driven on.
#[test]
fn a_belt_on_a_loose_body_keeps_momentum() {
    for solver in ["vbd", "jacobi", "structured"] {
        let mut scene = ModelBuilder::new();
        scene.ground();
        let slab = ShapeDef::cuboid(DVec3::new(2.0, 1.0, 0.1)).friction(0.0);
        let belt = ShapeDef::cuboid(DVec3::new(2.0, 1.0, 0.05)).at(DVec3::Z * 0.15).friction(1.0);
        let slab = BodyDef::dynamic("slab").at(DVec3::Z * 0.1).shape(slab);
        scene.add_body(slab.shape(belt.surface_velocity(DVec3::X)));
        scene.add_body(BodyDef::dynamic("box").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.2)));
        let model = scene.finalize().expect("a sound scene");
        let mass = model.body_mass.clone();
        let mut sim = simulation(solver, model);
        sim.run(120, |_| ()).expect("120 steps");
        let speed: Vec<f64> = sim.state().body_qd.iter().map(|twist| twist.linear.x).collect();
        assert!((speed[1] - speed[0] - 1.0).abs() < 5e-3, "{solver}: {speed:?}");
        assert!((mass[0] * speed[0] + mass[1] * speed[1]).abs() < 1e-2 * mass[1], "{solver}: {speed:?}");
    }
}

/// A belt that stands still is a floor, to the bit.
#[test]
fn a_belt_at_rest_is_a_floor() {
    for solver in solvers() {
        let mut still = belt(DVec3::X);
        still.shape_surface_velocity[0] = DVec3::ZERO;
        let stopped = speeds(solver.name, still, 100);
        assert!(stopped[99].abs() < 1e-3, "{}", solver.name);
    }
}

/// What sleeps on a belt that starts is woken, and nothing falls asleep on one that runs.
#[test]
fn belts_keep_awake() {
    let sim = |model| Simulation::builder(model).option("sleeping", true).build().expect("a simulation");
    let mut running = sim(belt(DVec3::X));
    running.run(300, |_| ()).expect("300 steps");
    assert_eq!(running.report().asleep, 0);
    assert!((running.state().body_qd[0].linear.x - 1.0).abs() < 2e-3);
}
