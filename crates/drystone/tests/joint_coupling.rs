//! Joints that follow others: ratio, force balance, energy and momentum, against answers on paper, by every solver that couples.

use drystone::Simulation;
use drystone::model::{
    Axis, BodyDef, BodyId, DMat3, DVec3, Drive, JointDef, JointId, MassProperties, Model, Twist, WORLD,
};

fn mass(mass: f64, moment: f64) -> MassProperties {
    MassProperties { mass, com: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(moment)) }
}

/// Two wheels of 2 and 3 kg·m² beside each other, the second turning −4 times as fast as the first.
fn gears(change: impl Fn(JointDef) -> JointDef) -> Model {
    let mut scene = drystone::new_model();
    scene.gravity(DVec3::ZERO);
    let large = scene.add_body(BodyDef::dynamic("large").mass_properties(mass(1.0, 2.0)));
    let small = scene.add_body(BodyDef::dynamic("small").at(DVec3::X).mass_properties(mass(1.0, 3.0)));
    let shaft = scene.add_joint(change(JointDef::revolute(WORLD, large, DVec3::ZERO, DVec3::Y)));
    let follower = JointDef::revolute(WORLD, small, DVec3::X, DVec3::Y);
    scene.add_joint(follower.follow(Axis::AngX, shaft, Axis::AngX, -4.0, 0.0));
    scene.finalize().unwrap()
}

fn angle(sim: &Simulation, joint: usize) -> f64 {
    sim.model().joint_coordinates(sim.state(), joint)[3]
}

fn rate(sim: &Simulation, joint: usize) -> f64 {
    sim.model().joint_rates(sim.state(), joint)[3]
}

/// Solvers that honour couplings, with the options that choose between their ways, and how closely they hold one.
const WAYS: [(&str, &[(&str, &str)], f64); 6] = [
    ("vbd", &[], 1e-6),
    ("structured", &[], 1e-9),
    ("structured", &[("integrator", "rk4")], 1e-9),
    ("structured", &[("integrator", "euler")], 1e-9),
    ("structured", &[("method", "structured_iterative")], 1e-9),
    ("structured", &[("method", "full_dense")], 1e-9),
];

fn built(model: Model, (solver, options, _): (&str, &[(&str, &str)], f64), dt: f64) -> Simulation {
    let start = Simulation::builder(model).solver(solver).dt(dt);
    options.iter().fold(start, |sim, (name, value)| sim.option(name, *value)).build().unwrap()
}

/// An effort on the first wheel turns both: α = τ / (I₁ + r² I₂), and the coupling hands r I₂ α over.
#[test]
fn a_torque_accelerates_both_wheels_by_the_reflected_inertia() {
    for way in WAYS {
        let mut sim = built(gears(|joint| joint), way, 0.01);
        sim.control_mut().joint_f[0][3] = 5.0;
        for _ in 0..200 {
            sim.step().unwrap();
            let off = angle(&sim, 1) + 4.0 * angle(&sim, 0);
            assert!(off.abs() < way.2, "{way:?}: the wheels are {off} rad apart");
        }
        let alpha = 5.0 / (2.0 + 16.0 * 3.0);
        assert!((rate(&sim, 0) - 2.0 * alpha).abs() < 1e-4 * alpha, "{way:?}: {} for {}", rate(&sim, 0), 2.0 * alpha);
        // On the follower acts I₂ α₂, on the leader −ratio times as much the other way.
        let torque = |joint: u32| sim.joint_force(JointId(joint)).unwrap().torque.y;
        let second = 3.0 * -4.0 * alpha;
        assert!((torque(1) - second).abs() < 1e-3 * second.abs(), "{way:?}: {} for {second}", torque(1));
        assert!((torque(0) - 4.0 * second).abs() < 4e-3 * second.abs(), "{way:?}: {}", torque(0));
    }
}

/// A drive that holds the large wheel carries what pushes at the small one, by the ratio.
#[test]
fn torques_balance_by_the_ratio() {
    let held = Drive::position(0.0, 1e4, 1e3);
    for way in WAYS {
        let mut sim = built(gears(|joint| joint.drive(Axis::AngX, held)), way, 0.01);
        sim.control_mut().joint_f[1][3] = 7.0;
        sim.run(1500, |_| ()).unwrap();
        // −4 · 7 N·m at the drive: its spring gives by that over its stiffness.
        assert!((angle(&sim, 0) + 28.0 / 1e4).abs() < 1e-6, "{way:?}: {}", angle(&sim, 0));
        assert!((angle(&sim, 1) - 4.0 * 28.0 / 1e4).abs() < 1e-5, "{way:?}: {}", angle(&sim, 1));
    }
}

/// Set going as it belongs, the pair goes on: nothing rubs.
#[test]
fn energy_stays_while_nothing_acts() {
    let model = gears(|joint| joint.rates([0.0, 0.0, 0.0, 0.5, 0.0, 0.0]));
    for way in WAYS {
        let mut sim = built(model.clone(), way, 0.01);
        sim.set_velocity(BodyId(1), Twist { linear: DVec3::ZERO, angular: DVec3::Y * -2.0 }).unwrap();
        let before = sim.model().energy(sim.state()).kinetic;
        sim.run(500, |_| ()).unwrap();
        let after = sim.model().energy(sim.state()).kinetic;
        assert!((after - before).abs() < 1e-9 * before, "{way:?}: {before} J, then {after} J");
        // The turn of a variational step lags by (h ω)²/6 of itself.
        let exact = way.0 == "vbd" || matches!(way.1, [(_, "rk4")]);
        let within = if exact { 1e-6 } else { 2.5 * 0.02 * 0.02 / 6.0 };
        let off = [angle(&sim, 0) - 2.5, angle(&sim, 1) + 10.0];
        assert!(off[0].abs() < within && off[1].abs() < 4.0 * within, "{way:?}: {off:?}");
    }
}

/// A floating body with two coupled fingers that a spring opens: what is inside changes no momentum, in any direction.
#[test]
fn couplings_inside_a_floating_mechanism_keep_its_momentum() {
    let mut scene = drystone::new_model();
    scene.gravity(DVec3::ZERO);
    let palm = scene.add_body(BodyDef::dynamic("palm").mass_properties(mass(1.0, 0.1)));
    let finger = |scene: &mut drystone::model::ModelBuilder, name: &str, x: f64| {
        scene.add_body(BodyDef::dynamic(name).at(DVec3::new(x, 0.1, 0.3)).mass_properties(mass(0.2, 0.01)))
    };
    let (left, right) = (finger(&mut scene, "left", -0.2), finger(&mut scene, "right", 0.2));
    let hinge = JointDef::revolute(palm, left, DVec3::new(-0.1, 0.0, 0.1), DVec3::Y);
    let lead = scene.add_joint(hinge.drive(Axis::AngX, Drive::position(0.8, 2.0, 0.0)));
    let slide = JointDef::prismatic(palm, right, DVec3::new(0.1, 0.0, 0.1), DVec3::new(1.0, 0.5, 0.0));
    scene.add_joint(slide.follow(Axis::LinX, lead, Axis::AngX, 0.3, 0.0));
    let model = scene.finalize().unwrap();
    for way in WAYS {
        let mut sim = built(model.clone(), way, 0.005);
        for _ in 0..400 {
            sim.step().unwrap();
            let slid = sim.model().joint_coordinates(sim.state(), 1)[0];
            let turned = angle(&sim, 0);
            assert!((slid - 0.3 * turned).abs() < way.2, "{way:?}: {slid} for {turned}");
        }
        let now = sim.model().momentum(sim.state());
        let bound = if matches!(way.1, [(_, "rk4")]) { 1e-6 } else { 1e-9 };
        assert!(now.linear.length() < bound && now.angular.length() < bound, "{way:?}: {now:?}");
        assert!(sim.model().energy(sim.state()).kinetic > 1e-4, "it moves");
    }
}

/// Two chains that only a coupling ties are one island: the same bits with any number of threads. Solvers that cannot couple say so.
#[test]
fn joints_far_apart_are_one_island_and_others_refuse() {
    for solver in ["jacobi", "abd"] {
        let error = Simulation::builder(gears(|joint| joint)).solver(solver).build().err().unwrap().to_string();
        assert!(error.contains("follows another") && error.contains("`joint_1`"), "{error}");
    }
    for solver in ["vbd", "structured"] {
        let run = |threads: usize| {
            let model = gears(|joint| joint.drive(Axis::AngX, Drive::velocity(1.0, 2.0)));
            let mut sim = Simulation::builder(model).solver(solver).threads(threads).dt(0.01).build().unwrap();
            sim.run(50, |_| ()).unwrap();
            sim.state_hash()
        };
        assert_eq!(run(1), run(2));
    }
}

/// A start that does not fit is drawn together, not thrown; what follows a joint that is removed moves by itself.
#[test]
fn a_bad_start_closes_and_edits_keep_or_drop_the_coupling() {
    let mut model = gears(|joint| joint.drive(Axis::AngX, Drive::position(0.0, 100.0, 20.0)));
    model.joint_follow[1][3].as_mut().unwrap().offset = 0.5;
    for way in WAYS {
        let mut sim = built(model.clone(), way, 0.01);
        let mut fastest: f64 = 0.0;
        for _ in 0..1000 {
            sim.step().unwrap();
            fastest = fastest.max(rate(&sim, 1).abs());
        }
        let off = angle(&sim, 1) + 4.0 * angle(&sim, 0) - 0.5;
        assert!(off.abs() < way.2, "{way:?}: {off}");
        assert!(fastest < 10.0, "{way:?}: {fastest} rad/s");
        sim.edit(|scene| scene.remove_body(BodyId(0))).unwrap();
        assert_eq!(sim.model().joint_follow, [[None; 6]]);
    }
}

/// A finger that may lag behind another by a tenth: it hangs free within the play, is carried at its end, and its weight is then
/// felt by the drive of the other. Whatever the sign of the ratio.
#[test]
fn play_leaves_room_and_carries_at_its_ends() {
    for (way, ratio) in WAYS.into_iter().flat_map(|way| [(way, 1.0), (way, -2.0)]) {
        let mut scene = drystone::new_model();
        scene.gravity(DVec3::ZERO);
        let lead = scene.add_body(BodyDef::dynamic("lead").mass_properties(mass(1.0, 2.0)));
        let follower = scene.add_body(BodyDef::dynamic("follower").at(DVec3::X).mass_properties(mass(1.0, 3.0)));
        let shaft = JointDef::revolute(WORLD, lead, DVec3::ZERO, DVec3::Y);
        let shaft = scene.add_joint(shaft.drive(Axis::AngX, Drive::position(0.0, 1e4, 1e3)));
        let hinge = JointDef::revolute(WORLD, follower, DVec3::X, DVec3::Y);
        let mut hinge = hinge.follow(Axis::AngX, shaft, Axis::AngX, ratio, 0.0);
        hinge.follow[3].as_mut().unwrap().play = [-0.1, 0.2];
        scene.add_joint(hinge);
        let mut sim = built(scene.finalize().unwrap(), way, 0.01);
        // Free within the play: τ t² / 2 I.
        sim.control_mut().joint_f[1][3] = 0.3;
        sim.run(100, |_| ()).unwrap();
        assert!((angle(&sim, 1) - 0.05).abs() < 2e-3 && angle(&sim, 0).abs() < 1e-9, "{way:?}: {}", angle(&sim, 1));
        // Held at either end, where the drive bears ratio times the torque.
        for (torque, end) in [(6.0, 0.2), (-6.0, -0.1)] {
            sim.control_mut().joint_f[1][3] = torque;
            sim.run(1500, |_| ()).unwrap();
            let given = ratio * torque / 1e4;
            assert!((angle(&sim, 0) - given).abs() < 1e-5, "{way:?}: {} for {given}", angle(&sim, 0));
            let off = angle(&sim, 1) - ratio * angle(&sim, 0) - end;
            assert!(off.abs() < 1e-6, "{way:?}: {off} rad past the end of the play");
        }
    }
}

/// Two geared pendulums under gravity are one freedom: the motion is that of (I₁ + r² I₂) q̈ = −m₁ g l₁ sin q − r m₂ g l₂ sin r q, whose
/// energy is kept by the variational step, and which Runge and Kutta's follows to its own error.
#[test]
fn geared_pendulums_move_as_one_freedom() {
    let ratio = -1.5;
    let mut scene = drystone::new_model();
    let mut bob = |name: &str, x: f64, length: f64| {
        let at = DVec3::new(x, 0.0, -length);
        scene.add_body(BodyDef::dynamic(name).at(at).mass_properties(mass(1.0, 0.02)))
    };
    let (first, second) = (bob("first", 0.0, 0.5), bob("second", 3.0, 0.8));
    let lead =
        scene.add_joint(JointDef::revolute(WORLD, first, DVec3::ZERO, DVec3::Y).rates([0.0, 0.0, 0.0, 2.0, 0.0, 0.0]));
    let follower =
        JointDef::revolute(WORLD, second, DVec3::X * 3.0, DVec3::Y).rates([0.0, 0.0, 0.0, 2.0 * ratio, 0.0, 0.0]);
    scene.add_joint(follower.follow(Axis::AngX, lead, Axis::AngX, ratio, 0.0));
    let model = scene.finalize().unwrap();
    let inertia = 0.02 + 0.25 + ratio * ratio * (0.02 + 0.64);
    let pull = |q: f64| -9.81 * (0.5 * q.sin() + ratio * 0.8 * (ratio * q).sin()) / inertia;
    let (mut q, mut w) = (0.0, 2.0);
    let h = 1e-4;
    for _ in 0..10_000 {
        let (k1, l1) = (w, pull(q));
        let (k2, l2) = (w + 0.5 * h * l1, pull(q + 0.5 * h * k1));
        let (k3, l3) = (w + 0.5 * h * l2, pull(q + 0.5 * h * k2));
        let (k4, l4) = (w + h * l3, pull(q + h * k3));
        q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        w += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    for (way, steps, close) in [(WAYS[0], 1000, 5e-3), (WAYS[1], 1000, 1e-5), (WAYS[2], 1000, 1e-8)] {
        let mut sim = built(model.clone(), way, 1.0 / f64::from(steps));
        let before = sim.model().energy(sim.state()).total();
        sim.run(steps as u64, |_| ()).unwrap();
        let off = (angle(&sim, 0) - q).abs().max(0.1 * (rate(&sim, 0) - w).abs());
        assert!(off < close, "{way:?}: {off} off {q} rad");
        let gained = sim.model().energy(sim.state()).total() - before;
        assert!(gained.abs() < 30.0 * close, "{way:?}: {gained} J");
    }
}

/// Two wheels tied by a spring along q₂ + 4 q₁, released from its stretch with nothing else to hold them: it swings with
/// ω² = k (1/I₂ + r²/I₁), damped by d/k of it, and what is left over rests.
#[test]
fn a_coupling_that_gives_way_swings_by_both_inertias() {
    let (stiffness, stretch, dt) = (3.0, 0.4, 0.001);
    let mobility: f64 = 1.0 / 3.0 + 16.0 / 2.0;
    for (way, damping) in WAYS.into_iter().flat_map(|way| [(way, 0.0), (way, 0.1)]) {
        let mut model = gears(|joint| joint);
        let follow = model.joint_follow[1][3].as_mut().unwrap();
        (follow.stiffness, follow.damping, follow.offset) = (stiffness, damping, stretch);
        let mut sim = built(model, way, dt);
        let (omega, decay) = ((stiffness * mobility).sqrt(), 0.5 * damping * mobility);
        let damped = (omega * omega - decay * decay).sqrt();
        let mut worst: f64 = 0.0;
        for step in 1..=2000 {
            sim.step().unwrap();
            let t = f64::from(step) * dt;
            let off = angle(&sim, 1) + 4.0 * angle(&sim, 0) - stretch;
            let expected = -stretch * (-decay * t).exp() * ((damped * t).cos() + decay / damped * (damped * t).sin());
            worst = worst.max((off - expected).abs());
            // Angular momentum: 2 ω₁ − 4 · 3 ω₂ stays, since what pushes one pushes the other 4 times the other way.
            assert!((2.0 * rate(&sim, 0) - 12.0 * rate(&sim, 1)).abs() < 1e-7, "{way:?}");
        }
        // Steps that are implicit in springs lose ω² h / 2 a second of the amplitude.
        let lost = 0.5 * omega * omega * dt * 2.0 * stretch;
        assert!(
            worst < if way.0 == "vbd" { 1e-2_f64.max(2.0 * lost) } else { 2.0 * lost },
            "{way:?}, {damping}: {worst} of {lost}"
        );
    }
}
