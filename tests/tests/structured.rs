//! What the `structured` solver claims, against answers that share no code with it.

use drystone::Simulation;
use drystone::solve::Ending;
use drystone::structured::{ConstraintSystem, StructuredOptions};
use drystone_scenes::Scene;
use drystone_tests::reference::{DoublePendulum, FourBar, Stewart};
use drystone_tests::runner::{scene, simulation};

fn started(scene: &Scene, integrator: &str) -> Simulation {
    let builder = simulation(scene, "structured").option("integrator", integrator);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a scene for 5 s, calling `compare` ten times a second; joints stay closed to 1e-10 m.
fn follow(scene: &Scene, mut compare: impl FnMut(&Simulation, f64)) {
    let mut sim = started(scene, "rk4");
    let every = (0.1 / scene.settings.dt).round() as u64;
    for _ in 0..50 {
        sim.run(every, |sim| {
            assert!(sim.report().max_joint_error.unwrap() <= 1e-10, "{}", sim.report().max_joint_error.unwrap())
        })
        .unwrap_or_else(|error| panic!("{error}"));
        compare(&sim, 0.1);
    }
}

#[test]
fn the_four_bar_moves_as_lagrange_says() {
    let scene = scene("four-bar", &[]);
    let mut expected = FourBar::of(&scene.model);
    let start = expected.state[0];
    follow(&scene, |sim, time| {
        expected.advance(time, 1e-4);
        // About y a positive turn takes x to −z.
        let angle = start - sim.state().joint_angle[0][0];
        let off = (angle - expected.state[0]).abs();
        assert!(off < 1e-6, "crank off by {off} at {} s", sim.state().time);
    });
    assert!((expected.state[0] - start).abs() > 1e-3, "it has moved");
}

#[test]
fn the_stewart_platform_moves_as_kane_says() {
    let scene = scene("stewart-platform", &["damping=20"]);
    let mut expected = Stewart::of(&scene.model);
    let mut swing = 0.0_f64;
    follow(&scene, |sim, time| {
        expected.advance(time, 1e-3);
        let ((centre, rotation), pose) = (expected.plate(), sim.state().body_q[0]);
        let (off, turned) = ((pose.translation - centre).length(), pose.rotation.angle_between(rotation));
        // The angle between two unit quaternions has half of their digits.
        let turned = if turned < 1e-7 { 0.0 } else { turned };
        assert!(off < 1e-6 && turned < 1e-6, "plate off by {off} m, {turned} rad at {} s", sim.state().time);
        swing = swing.max((pose.translation - scene.model.body_q[0].translation).length());
    });
    assert!(swing > 1e-3, "it has moved: {swing}");
}

/// The motion is chaotic: errors grow about a hundredfold a second, so that 3 s to 1e-6 is a fair test.
#[test]
fn the_double_pendulum_moves_as_its_equations_say() {
    let mut scene = scene("double-pendulum", &[]);
    scene.settings.dt = 5e-4;
    let mut expected = DoublePendulum::of(&scene.model);
    let mut sim = started(&scene, "rk4");
    for _ in 0..30 {
        sim.run(200, |_| ()).unwrap_or_else(|error| panic!("{error}"));
        expected.advance(0.1, 1e-4);
        let angles = [0, 1].map(|joint| -sim.state().joint_angle[joint][0]);
        let [upper, lower] = [angles[0] - expected.state[0], angles[0] + angles[1] - expected.state[1]];
        assert!(upper.abs() < 1e-6 && lower.abs() < 1e-6, "{upper} {lower} at {} s", sim.state().time);
    }
}

/// Over a minute energy stays within 0.01 % of what the pendulum turns over.
#[test]
fn the_double_pendulum_keeps_its_energy() {
    let mut scene = scene("double-pendulum", &[]);
    scene.settings.dt = 1e-3;
    let mut sim = started(&scene, "variational");
    let start = scene.model.energy(sim.state()).total();
    let depth = |body: usize| scene.model.body_mass[body] * 9.81 * (0.5 + body as f64);
    let scale = depth(0) + depth(1);
    let mut worst = 0.0_f64;
    sim.run(60_000, |sim| {
        let report = sim.report();
        worst = worst.max(((report.kinetic_energy + report.potential_energy - start) / scale).abs());
    })
    .unwrap_or_else(|error| panic!("{error}"));
    assert!(worst < 1e-4, "{worst}");
}

/// Asked for an accuracy, the projection reaches it, also in a net of loops.
#[test]
fn the_accuracy_asked_for_is_reached() {
    let mail = scene("chain-mail", &["size=4"]);
    for asked in [1e-3, 1e-6, 1e-9] {
        let mut sim = simulation(&mail, "structured").option("tolerance", asked).build().unwrap();
        sim.run(50, |sim| {
            assert!(sim.report().max_joint_error.unwrap() <= asked, "{} {asked}", sim.report().max_joint_error.unwrap())
        })
        .unwrap();
    }
}

/// Limbs between the ground and their stops: what lifts them out of one used to push them into the other, by 0.3 mm and in 43 of
/// 240 steps. Steps that do not converge say so; there is one.
#[test]
fn limbs_on_the_ground_keep_their_stops_and_stay_above_it() {
    let scene = scene("ragdolls", &["count=2"]);
    let mut sim = started(&scene, "variational");
    let (allowed, mut given_up) = (StructuredOptions::default().contact_tolerance, 0);
    for _ in 0..scene.settings.steps() {
        let report = sim.step().unwrap_or_else(|error| panic!("{error}"));
        given_up += u32::from(report.ending != Ending::Converged);
        let overlap = report.max_penetration.unwrap();
        assert!(overlap <= allowed, "{overlap} m at {} s", sim.time());
    }
    assert!(given_up <= 4, "{given_up} steps given up");
}

/// A joint that drifts without stabilisation shows that it is the projection that keeps it closed.
#[test]
fn without_projection_joints_drift() {
    let gap = |stabilization: &str| {
        let scene = scene("four-bar", &[]);
        let builder = simulation(&scene, "structured").option("integrator", "euler");
        let mut sim = builder.option("stabilization", stabilization).build().unwrap();
        let mut worst = 0.0_f64;
        sim.run(1000, |sim| worst = worst.max(sim.report().max_joint_error.unwrap())).unwrap();
        worst
    };
    let (projected, fed_back, drifted) = (gap("projection"), gap("baumgarte"), gap("none"));
    assert!(projected < 1e-10 && projected < 1e-3 * fed_back && fed_back < drifted, "{projected} {fed_back} {drifted}");
}

/// The rows of a chain and of its loops, as the complexities count them.
#[test]
fn rows_are_counted_by_trees_and_loops() {
    let count = |name: &str, settings: &[&str]| {
        let model = scene(name, settings).model;
        let mut mechanism = ConstraintSystem::new(&model, StructuredOptions::default());
        mechanism.forward_dynamics(&model, &model.state(), &model.control()).unwrap();
        mechanism.row_counts()
    };
    assert_eq!(count("chain", &["links=7"]), [24, 0]);
    assert_eq!(count("four-bar", &[]), [15, 5]);
}
