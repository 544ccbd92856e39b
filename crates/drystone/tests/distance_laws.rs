//! Distance joints with springs, dampers, friction, rotors and drives along the distance, and as the cone of a ball joint, against
//! answers on paper, by every solver that has them.

use drystone::Simulation;
use drystone::model::{Axis, BodyDef, DMat3, DVec3, Drive, JointDef, MassProperties, Model, Spring, WORLD};

const SOLVERS: [&str; 3] = ["vbd", "structured", "jacobi"];

fn mass(mass: f64, moment: f64) -> MassProperties {
    MassProperties { mass, com: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(moment)) }
}

/// A weight of 2 kg at 1.5 m below the point it hangs from.
fn hung(change: impl Fn(JointDef) -> JointDef) -> Model {
    let mut scene = drystone::new_model();
    let weight = scene.add_body(BodyDef::dynamic("weight").at(DVec3::Z * -1.5).mass_properties(mass(2.0, 0.1)));
    let bounds = [0.0, f64::INFINITY];
    scene.add_joint(change(JointDef::distance(WORLD, weight, DVec3::ZERO, DVec3::Z * -1.5, bounds)));
    scene.finalize().unwrap()
}

fn run(model: &Model, solver: &str, dt: f64, seconds: f64) -> Simulation {
    let mut sim = Simulation::builder(model.clone()).solver(solver).dt(dt).build().unwrap();
    sim.run((seconds / dt).round() as u64, |_| ()).unwrap();
    sim
}

fn depth(sim: &Simulation) -> f64 {
    -sim.state().body_q[0].translation.z
}

/// A spring stretches by the weight over its stiffness, with a drive beside it by that over both.
#[test]
fn a_weight_hangs_from_its_spring() {
    let spring = Spring::towards(1.2, 400.0).damped(60.0);
    for solver in SOLVERS {
        let sim = run(&hung(|joint| joint.spring(Axis::LinX, spring)), solver, 0.01, 5.0);
        let expected = 1.2 + 2.0 * 9.81 / 400.0;
        assert!((depth(&sim) - expected).abs() < 1e-5, "{solver}: {} for {expected}", depth(&sim));
        let drive = Drive::position(1.0, 200.0, 10.0);
        let sim = run(&hung(|joint| joint.spring(Axis::LinX, spring).drive(Axis::LinX, drive)), solver, 0.01, 5.0);
        let expected = (400.0 * 1.2 + 200.0 + 2.0 * 9.81) / 600.0;
        assert!((depth(&sim) - expected).abs() < 1e-5, "{solver}: {} for {expected}", depth(&sim));
    }
}

/// Along the line an undamped spring swings with ω = √(k/m).
#[test]
fn a_spring_swings_at_its_frequency() {
    let mut scene = drystone::new_model();
    scene.gravity(DVec3::ZERO);
    let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * -1.5).mass_properties(mass(2.0, 0.1)));
    let joint = JointDef::distance(WORLD, ball, DVec3::ZERO, DVec3::Z * -1.5, [0.0, f64::INFINITY]);
    scene.add_joint(joint.spring(Axis::LinX, Spring::towards(1.0, 50.0)));
    let model = scene.finalize().unwrap();
    for solver in SOLVERS {
        let sim = run(&model, solver, 1e-4, 1.0);
        let expected = 1.0 + 0.5 * 5f64.cos();
        // Implicit steps take h ω²/2 of the amplitude per second.
        assert!((depth(&sim) - expected).abs() < 2e-3, "{solver}: {} for {expected}", depth(&sim));
    }
}

/// A rotor makes it heavier but not weightier; dry friction above the weight holds it.
#[test]
fn rotors_and_friction_act_along_the_distance() {
    for solver in SOLVERS {
        let sim = run(&hung(|joint| joint.armature(Axis::LinX, 3.0)), solver, 1e-3, 0.5);
        let expected = 1.5 + 0.5 * 9.81 * 2.0 / 5.0 * 0.25;
        assert!((depth(&sim) - expected).abs() < 2e-3, "{solver}: {} for {expected}", depth(&sim));
        let sim = run(&hung(|joint| joint.friction(Axis::LinX, 25.0)), solver, 0.01, 1.0);
        assert!((depth(&sim) - 1.5).abs() < 1e-5, "{solver}: {}", depth(&sim));
        let sim = run(&hung(|joint| joint.friction(Axis::LinX, 10.0)), solver, 1e-3, 0.5);
        let expected = 1.5 + 0.5 * (9.81 - 5.0) * 0.25;
        assert!((depth(&sim) - expected).abs() < 3e-3, "{solver}: {} for {expected}", depth(&sim));
    }
}

/// A rod that stands on a ball joint tips over and leans on its cone, whatever way; turned about itself it goes on turning.
#[test]
fn a_cone_holds_a_leaning_rod() {
    for (solver, within) in [("vbd", 1e-5), ("structured", 1e-6), ("jacobi", 1e-3)] {
        for way in 0..5 {
            let mut scene = drystone::new_model();
            let lean = DVec3::new((f64::from(way)).cos(), (f64::from(way)).sin(), 0.0) * 0.05;
            let axis = (DVec3::Z + lean).normalize();
            let rod = MassProperties {
                mass: 1.0,
                com: DVec3::ZERO,
                inertia: DMat3::from_diagonal(DVec3::new(0.02, 0.02, 0.001)),
            };
            let turn = drystone::model::DQuat::from_rotation_arc(DVec3::Z, axis);
            let pose = drystone::model::Pose::from_parts(axis * 0.3, turn);
            let rod = BodyDef::dynamic("rod").pose(pose).mass_properties(rod);
            let rod = scene.add_body(rod);
            scene.add_joint(JointDef::ball(WORLD, rod, DVec3::ZERO));
            // The axis of the cone is upright in the world, and the rod's own in the rod.
            let cone = JointDef::cone(WORLD, rod, DVec3::ZERO, DVec3::Z, 0.5, 0.4);
            let frames = [DVec3::Z * 0.4, DVec3::Z * 0.1].map(drystone::model::Pose::from_translation);
            scene.add_joint(cone.frames(frames[0], frames[1]));
            let sim = run(&scene.finalize().unwrap(), solver, 1.0 / 120.0, 6.0);
            let up = sim.state().body_q[0].rotation * DVec3::Z;
            let tilt = up.z.clamp(-1.0, 1.0).acos();
            assert!((tilt - 0.5).abs() < within, "{solver}, way {way}: {tilt} rad");
        }
    }
}

/// What nothing would act along is refused by name.
#[test]
fn laws_along_axes_that_have_none_are_refused() {
    let refused = |joint: JointDef| {
        let mut scene = drystone::new_model();
        scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z).sphere(0.1));
        scene.add_joint(joint.named("tie"));
        scene.finalize().unwrap_err().to_string()
    };
    let ball = drystone::model::BodyId(0);
    let free = JointDef::free_floating(ball).drive(Axis::AngX, Drive::position(0.0, 1.0, 0.0));
    assert!(refused(free).contains("a free joint has no drive, spring, friction or rotor along AngX"));
    let distance = || JointDef::distance(WORLD, ball, DVec3::ZERO, DVec3::Z, [0.0, 2.0]);
    let spring = distance().spring(Axis::AngY, Spring::damper(1.0));
    assert!(refused(spring).contains("a distance joint has no drive, spring, friction or rotor along AngY"));
    assert!(refused(distance().limit(Axis::LinX, 0.0, 1.0)).contains("a distance joint has no limits"));
}
