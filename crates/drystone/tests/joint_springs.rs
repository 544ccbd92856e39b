//! Springs and dampers beside drives: oscillators with an answer on paper, under every solver.

use drystone::Simulation;
use drystone::model::{Axis, BodyDef, DVec3, Drive, JointDef, MassProperties, Model, Spring, WORLD};

const SOLVERS: [&str; 4] = ["vbd", "structured", "jacobi", "abd"];

/// A slider of 2 kg, or a wheel of 2 kg·m², without gravity.
fn oscillator(axis: Axis, spring: Spring, drive: Drive) -> Model {
    let mut scene = drystone::new_model();
    scene.gravity(DVec3::ZERO);
    let mass = MassProperties {
        mass: 2.0,
        com: DVec3::ZERO,
        inertia: drystone::model::DMat3::from_diagonal(DVec3::splat(2.0)),
    };
    let body = scene.add_body(BodyDef::dynamic("body").mass_properties(mass));
    let joint = match axis {
        Axis::LinX => JointDef::prismatic(WORLD, body, DVec3::ZERO, DVec3::Y),
        _ => JointDef::revolute(WORLD, body, DVec3::ZERO, DVec3::Y),
    };
    scene.add_joint(joint.spring(axis, spring).drive(axis, drive));
    scene.finalize().unwrap()
}

/// The largest distance of a coordinate from its answer on paper in 0.6 s, half a period \[m or rad\].
fn worst(model: &Model, axis: Axis, solver: &str, dt: f64, answer: impl Fn(f64) -> f64) -> f64 {
    let mut sim = Simulation::builder(model.clone()).solver(solver).threads(1).dt(dt).build().unwrap();
    let mut worst: f64 = 0.0;
    for step in 1..=(0.6 / dt).round() as u64 {
        sim.step().unwrap();
        let found = sim.model().joint_coordinates(sim.state(), 0)[axis as usize];
        worst = worst.max((found - answer(step as f64 * dt)).abs());
    }
    worst
}

/// x″ = −2γ x′ − ω² (x − centre) from rest at zero.
fn swing(centre: f64, omega: f64, gamma: f64) -> impl Fn(f64) -> f64 {
    let damped = (omega * omega - gamma * gamma).sqrt();
    move |t| centre - centre * (-gamma * t).exp() * ((damped * t).cos() + gamma / damped * (damped * t).sin())
}

/// A motor that gives all it has pushes the spring aside: the oscillator swings about rest + F/k with the period of the spring
/// alone, and decays by its damper alone. With the spring folded into the capped drive, neither would be so.
#[test]
fn a_spring_beside_a_saturated_drive_keeps_its_period_and_its_decay() {
    let spring = Spring::towards(0.1, 50.0);
    for (gamma, axis, spring) in [(0.0, Axis::LinX, spring), (1.5, Axis::AngX, spring.damped(6.0))] {
        let motor = Drive::position(1000.0, 10.0, 0.0).max_effort(20.0);
        let model = oscillator(axis, spring, motor);
        let answer = swing(0.1 + 20.0 / 50.0, 5.0, gamma);
        for solver in SOLVERS {
            let [coarse, fine] = [125.0, 250.0].map(|rate: f64| worst(&model, axis, solver, 1.0 / rate, &answer));
            assert!(fine < 0.02 && fine < 0.6 * coarse, "{solver}, {axis:?}, {gamma}/s: {coarse} then {fine}");
        }
    }
}

/// Spring and drive without a cap pull together: ω² = (k₁ + k₂)/m about the mean of their rests.
#[test]
fn a_spring_and_a_drive_pull_together() {
    let (spring, drive) = (Spring::towards(0.2, 30.0).damped(2.0), Drive::position(-0.1, 20.0, 4.0));
    let model = oscillator(Axis::LinX, spring, drive);
    let answer = swing((30.0 * 0.2 - 20.0 * 0.1) / 50.0, 5.0, 1.5);
    for solver in SOLVERS {
        let found = worst(&model, Axis::LinX, solver, 5e-3, &answer);
        assert!(found < 2e-3, "{solver}: {found}");
    }
}

/// Without a drive, a spring alone acts, and a target of the control changes nothing.
#[test]
fn targets_do_not_move_springs() {
    let model = oscillator(Axis::AngX, Spring::towards(0.3, 50.0).damped(6.0), Drive::default());
    for solver in SOLVERS {
        let mut sim = Simulation::builder(model.clone()).solver(solver).dt(1e-2).build().unwrap();
        sim.control_mut().joint_target[0][3] = 9.0;
        sim.run(600, |_| ()).unwrap();
        let found = sim.model().joint_coordinates(sim.state(), 0)[3];
        assert!((found - 0.3).abs() < 1e-3, "{solver}: {found}");
    }
}
