//! Momentum and energy of bodies that nothing holds, whatever their shape, spin and number of sweeps.

use drystone_model::{BodyDef, DQuat, DVec3, JointDef, ModelBuilder};
use drystone_random::Random;

use crate::bench::Bench;

/// Largest changes over a run: of the linear and of the angular momentum about the common centre of mass, relative to
/// the momenta of the single bodies at the start, and the largest gain of kinetic energy over the start.
struct Drift {
    linear: f64,
    angular: f64,
    gain: f64,
    /// How far the common centre of mass is from where its momentum leads, relative to the ways of the single bodies.
    course: f64,
    /// Most contact points in a step: bodies that miss each other keep everything.
    met: usize,
}

fn drift(bench: &mut Bench, seconds: f64) -> Drift {
    let start = bench.model.momentum(&bench.state);
    let energy = bench.model.energy(&bench.state).kinetic;
    let scale = scales(bench);
    let mass: f64 = bench.model.body_mass.iter().sum();
    let (centre, spin) = (common_centre(bench), spin(bench));
    let mut worst = Drift { linear: 0.0, angular: 0.0, gain: 0.0, course: 0.0, met: 0 };
    for step in 1..=(seconds / bench.dt).round() as usize {
        worst.met = worst.met.max(bench.step().contact_count);
        let now = bench.model.momentum(&bench.state);
        let time = step as f64 * bench.dt;
        let off = common_centre(bench) - centre - time / mass * start.linear;
        worst.linear = worst.linear.max((now.linear - start.linear).length() / scale[0]);
        worst.angular = worst.angular.max((self::spin(bench) - spin).length() / scale[1]);
        worst.course = worst.course.max(mass * off.length() / (scale[0] * time));
        worst.gain = worst.gain.max(bench.model.energy(&bench.state).kinetic / energy - 1.0);
    }
    worst
}

fn common_centre(Bench { model, state, .. }: &Bench) -> DVec3 {
    let place = |body: usize| model.body_mass[body] * state.body_q[body].transform_point(model.body_com[body]);
    (0..model.body_count()).map(place).sum::<DVec3>() / model.body_mass.iter().sum::<f64>()
}

/// Angular momentum about the common centre of mass.
fn spin(bench: &Bench) -> DVec3 {
    let momentum = bench.model.momentum(&bench.state);
    momentum.angular - common_centre(bench).cross(momentum.linear)
}

/// Sums of the sizes of the momenta of all bodies, linear and angular.
fn scales(bench: &Bench) -> [f64; 2] {
    let Bench { model, state, .. } = bench;
    let linear = |body: usize| model.body_mass[body] * state.body_qd[body].linear.length();
    let angular = |body: usize| {
        let com = state.body_q[body].transform_point(model.body_com[body]);
        linear(body) * com.length() + (model.body_inertia[body] * state.body_qd[body].angular).length()
    };
    let sum = |of: &dyn Fn(usize) -> f64| (0..model.body_count()).map(of).sum::<f64>();
    [sum(&linear), sum(&angular)]
}

fn free_space() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    scene
}

/// A spinning rod that a slab hits near its end.
fn rod_and_slab() -> ModelBuilder {
    let mut scene = free_space();
    let rod = BodyDef::dynamic("rod").cuboid(DVec3::new(1.0, 0.05, 0.05)).density(1000.0);
    scene.add_body(rod.spin(DVec3::Z * 6.0));
    let slab = BodyDef::dynamic("slab").cuboid(DVec3::new(0.3, 0.1, 0.05)).density(3000.0);
    let slab = slab.at(DVec3::new(0.8, 0.5, 0.0)).velocity(DVec3::Y * -3.0);
    scene.add_body(slab.spin(DVec3::new(3.0, 2.0, 1.0)));
    scene
}

/// Two boxes of any proportions that fly at each other, spinning.
fn pair(numbers: &mut Random, spin: f64, restitution: f64) -> ModelBuilder {
    let mut scene = free_space();
    for side in [-1.0, 1.0] {
        let half = DVec3::from_array([0; 3].map(|_| numbers.range(0.05, 0.5)));
        let turn = DQuat::from_scaled_axis(numbers.vector(3.0));
        let at = DVec3::X * side * 0.8 + numbers.vector(0.15);
        let velocity = DVec3::X * -side * numbers.range(1.0, 4.0) + numbers.vector(0.3);
        let body = BodyDef::dynamic(format!("box {side}")).cuboid(half).density(numbers.range(300.0, 5000.0));
        let body = body.at(at).rotated(turn).velocity(velocity).spin(numbers.vector(spin));
        scene.add_body(body.restitution(restitution).friction(numbers.range(0.0, 1.0)));
    }
    scene
}

#[test]
fn a_spinning_rod_that_is_hit_keeps_its_angular_momentum() {
    for iterations in [1, 2, 10] {
        let drift = drift(&mut Bench::new(&rod_and_slab(), 1.0 / 60.0, iterations), 1.0);
        eprintln!("rod and slab, {iterations} sweeps: angular {:.1e}, energy {:.1e}", drift.angular, drift.gain);
        assert!(drift.linear < 1e-14 && drift.angular < 1e-14, "{:.1e} {:.1e}", drift.linear, drift.angular);
        assert!(drift.gain < 1e-8 && drift.met > 0, "{}, {} contacts", drift.gain, drift.met);
    }
}

#[test]
fn pairs_of_any_shape_keep_their_angular_momentum() {
    for (spin, restitution, dt) in [(6.0, 0.0, 1.0 / 60.0), (24.0, 0.0, 1.0 / 30.0), (6.0, 0.7, 1.0 / 60.0)] {
        for iterations in [1, 2, 10] {
            let mut numbers = Random::new(7);
            let [mut angular, mut gain, mut met] = [0.0f64; 3];
            for _ in 0..20 {
                let drift = drift(&mut Bench::new(&pair(&mut numbers, spin, restitution), dt, iterations), 1.0);
                (angular, gain) = (angular.max(drift.angular), gain.max(drift.gain));
                met += drift.met.min(1) as f64;
            }
            eprintln!(
                "20 pairs, spin {spin}, e {restitution}, {iterations} sweeps: angular {angular:.1e}, gain {gain:.1e}"
            );
            assert!(angular < 2e-13, "{angular}");
            assert!(gain < 3e-6, "{gain}");
            assert!(met >= 18.0, "only {met} of 20 pairs met");
        }
    }
}

/// A chain of odd boxes on ball joints that flies, spinning, into a loose box.
fn thrown_chain() -> ModelBuilder {
    let mut scene = free_space();
    let mut last = None;
    for link in 0..5 {
        let at = DVec3::new(0.5 * f64::from(link), 0.0, 0.0);
        let body = BodyDef::dynamic(format!("link {link}")).cuboid(DVec3::new(0.22, 0.08, 0.04)).density(1000.0);
        let spin = DVec3::new(2.0, 0.0, 4.0);
        let body = scene.add_body(body.at(at).velocity(spin.cross(at) + DVec3::Y * 2.0).spin(spin));
        if let Some(last) = last {
            scene.add_joint(JointDef::ball(last, body, at - DVec3::X * 0.25));
        }
        last = Some(body);
    }
    let stone = BodyDef::dynamic("stone").cuboid(DVec3::new(0.3, 0.2, 0.1)).density(3000.0);
    scene.add_body(stone.at(DVec3::new(1.6, 1.5, 0.1)).velocity(DVec3::Y * -3.0).spin(DVec3::new(1.0, 3.0, 2.0)));
    scene
}

#[test]
fn a_thrown_chain_that_is_hit_keeps_its_momentum() {
    for iterations in [1, 2, 10] {
        let drift = drift(&mut Bench::new(&thrown_chain(), 1.0 / 60.0, iterations), 2.0);
        eprintln!(
            "thrown chain, {iterations} sweeps: linear {:.1e}, angular {:.1e}, energy {:.1e}",
            drift.linear, drift.angular, drift.gain
        );
        assert!(drift.linear < 1e-14 && drift.angular < 1e-13, "{:.1e} {:.1e}", drift.linear, drift.angular);
        assert!(drift.gain < 1e-9 && drift.met > 0, "{}, {} contacts", drift.gain, drift.met);
    }
}

/// Two boxes on a joint, thrown at velocities that the joint does not allow.
fn jointed_pair(numbers: &mut Random, kind: usize) -> ModelBuilder {
    let mut scene = free_space();
    let [a, b] = [-1.0, 1.0].map(|side| {
        let half = DVec3::from_array([0; 3].map(|_| numbers.range(0.05, 0.5)));
        let body = BodyDef::dynamic(format!("box {side}")).cuboid(half).density(numbers.range(300.0, 5000.0));
        let turn = DQuat::from_scaled_axis(numbers.vector(3.0));
        let at = DVec3::X * side + numbers.vector(0.1);
        scene.add_body(body.at(at).rotated(turn).velocity(numbers.vector(30.0)).spin(numbers.vector(20.0)))
    });
    let (anchor, axis) = (DVec3::ZERO, numbers.vector(1.0));
    scene.add_joint(match kind {
        0 => JointDef::ball(a, b, anchor),
        1 => JointDef::revolute(a, b, anchor, axis),
        2 => JointDef::fixed(a, b, anchor),
        _ => JointDef::prismatic(a, b, anchor, axis),
    });
    scene
}

/// A pair that spins as one has the energy of its momentum and no more, so that every error in how far it turned would
/// cost one or the other.
#[test]
fn jointed_pairs_at_any_spin_keep_their_angular_momentum() {
    for iterations in [1, 10] {
        let mut numbers = Random::new(11);
        let [mut angular, mut gain, mut course] = [0.0f64; 3];
        for pair in 0..40 {
            let drift = drift(&mut Bench::new(&jointed_pair(&mut numbers, pair % 4), 1.0 / 30.0, iterations), 2.0);
            (angular, gain, course) = (angular.max(drift.angular), gain.max(drift.gain), course.max(drift.course));
        }
        eprintln!("40 jointed pairs, {iterations} sweeps: angular {angular:.1e}, gain {gain:.1e}, course {course:.1e}");
        assert!(angular < 1e-12, "{angular}");
        assert!(gain < 1e-12, "{gain}");
        // Hard rows are springs of ten million times what they hold, and push the centre by as many roundings.
        assert!(course < 1e7 * f64::EPSILON, "{course}");
    }
}

/// The path of a body that bounces within a step is turned back to the time of the impact, and with it the body.
#[test]
fn boxes_of_any_shape_bounce_off_the_ground_without_gaining() {
    let mut numbers = Random::new(5);
    let mut gain = 0.0f64;
    for _ in 0..40 {
        let mut scene = free_space();
        scene.ground();
        let half = DVec3::from_array([0; 3].map(|_| numbers.range(0.05, 0.5)));
        let body = BodyDef::dynamic("box").cuboid(half).density(1000.0).at(DVec3::Z * 2.0);
        let body = body.velocity(DVec3::Z * -30.0).spin(numbers.vector(20.0)).restitution(0.9).friction(0.5);
        scene.add_body(body);
        let drift = drift(&mut Bench::new(&scene, 1.0 / 30.0, 2), 0.5);
        assert!(drift.met > 0, "it never touched the ground");
        gain = gain.max(drift.gain);
    }
    eprintln!("40 bouncing boxes: gain {gain:.1e}");
    assert!(gain < 1e-6, "{gain}");
}

/// A jointed pair thrown sideways under gravity keeps its angular momentum about its centre, whatever rule moves the centre.
#[test]
fn a_pair_that_falls_sideways_keeps_its_angular_momentum() {
    let mut scene = ModelBuilder::new();
    let [a, b] = [-0.5, 0.5].map(|x| {
        let body = BodyDef::dynamic(format!("box {x}")).cuboid(DVec3::new(0.3, 0.1, 0.2)).density(1000.0);
        scene.add_body(body.at(DVec3::X * x).velocity(DVec3::new(20.0, 6.0 * x, 0.0)).spin(DVec3::new(1.0, 0.5, 6.0)))
    });
    scene.add_joint(JointDef::ball(a, b, DVec3::ZERO));
    let mut bench = Bench::new(&scene, 1.0 / 240.0, 5);
    let start = spin(&bench);
    for _ in 0..240 {
        bench.step();
        let change = (spin(&bench) - start).length() / start.length();
        assert!(change < 1e-11, "{change}");
    }
}
