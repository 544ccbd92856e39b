//! Closed loops are as exact as chains.

use std::f64::consts::TAU;

use drystone_model::{Axis, BodyDef, BodyId, DQuat, DVec3, Drive, JointDef, ModelBuilder, ShapeDef, WORLD};

use crate::bench::{Bench, swing};

/// A bar from `a` to `b` that touches nothing.
fn bar(scene: &mut ModelBuilder, name: &str, a: DVec3, b: DVec3) -> BodyId {
    let half = DVec3::new(0.5 * a.distance(b), 0.02, 0.02);
    let turn = DQuat::from_rotation_arc(DVec3::X, (b - a).normalize());
    let body = BodyDef::dynamic(name).at((a + b) * 0.5).rotated(turn);
    scene.add_body(body.shape(ShapeDef::cuboid(half).groups(0, 0)))
}

#[test]
fn a_parallelogram_of_hinges_stays_one() {
    let corner = [DVec3::ZERO, DVec3::Z, DVec3::new(2.0, 0.0, 1.0), DVec3::X * 2.0];
    let mut scene = ModelBuilder::new();
    let crank = bar(&mut scene, "crank", corner[0], corner[1]);
    let coupler = bar(&mut scene, "coupler", corner[1], corner[2]);
    let rocker = bar(&mut scene, "rocker", corner[2], corner[3]);
    let drive = Drive::position(1.2, 300.0, 60.0);
    scene.add_joint(JointDef::revolute(WORLD, crank, corner[0], DVec3::Y).drive(Axis::AngX, drive));
    scene.add_joint(JointDef::revolute(crank, coupler, corner[1], DVec3::Y));
    scene.add_joint(JointDef::revolute(coupler, rocker, corner[2], DVec3::Y));
    scene.add_joint(JointDef::revolute(WORLD, rocker, corner[3], DVec3::Y));
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 3);
    // In space the four hinges are three constraints too many.
    for _ in 0..120 {
        bench.step();
        let [gap, angle] = bench.joint_error();
        assert!(gap < 1e-6 && angle < 1e-6, "gap {gap}, angle {angle}");
        let [crank, _, _, rocker] = [0, 1, 2, 3].map(|joint| bench.coordinates(joint)[3]);
        assert!((crank - rocker).abs() < 1e-5, "crank {crank}, rocker {rocker}");
    }
    assert!(bench.coordinates(0)[3].abs() > 0.5);
}

/// A ring of beads hung from one of its joints, held open as a circle at the start.
fn ring(count: usize) -> ModelBuilder {
    let radius = 0.1 * count as f64 / TAU;
    let point = |index: usize| {
        let angle = TAU * index as f64 / count as f64;
        DVec3::new(radius * angle.sin(), 0.0, radius * (angle.cos() - 1.0))
    };
    let mut scene = ModelBuilder::new();
    let bars: Vec<BodyId> =
        (0..count).map(|index| bar(&mut scene, &format!("bar {index}"), point(index), point(index + 1))).collect();
    for index in 0..count {
        scene.add_joint(JointDef::ball(bars[index], bars[(index + 1) % count], point(index + 1)));
    }
    scene.add_joint(JointDef::ball(WORLD, bars[0], DVec3::ZERO));
    scene
}

#[test]
fn a_ring_of_bars_collapses_without_opening() {
    for iterations in [2, 5] {
        let result = swing(&mut Bench::new(&ring(30), 1.0 / 60.0, iterations), 4.0);
        eprintln!("ring, {iterations} iterations: {result:?}");
        assert!(result.gap < 1e-6 && result.gain < 1e-9, "{result:?}");
    }
}

/// Balls in a square net, hung from a corner.
fn net(size: usize) -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    let mut balls = Vec::new();
    for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
        let place = DVec3::new(column as f64, row as f64, 0.0);
        let ball = ShapeDef::sphere(0.4).groups(0, 0);
        let ball = scene.add_body(BodyDef::dynamic(format!("ball {column} {row}")).at(place).shape(ball));
        if row > 0 {
            scene.add_joint(JointDef::ball(balls[balls.len() - 1], ball, place - DVec3::Y * 0.5));
        }
        if column > 0 {
            scene.add_joint(JointDef::ball(balls[balls.len() - size], ball, place - DVec3::X * 0.5));
        }
        balls.push(ball);
    }
    scene.add_joint(JointDef::ball(WORLD, balls[0], DVec3::ZERO));
    scene
}

#[test]
fn a_small_net_is_solved_directly() {
    let result = swing(&mut Bench::new(&net(8), 1.0 / 60.0, 3), 2.0);
    eprintln!("net 8: {result:?}");
    assert!(result.gap < 5e-6 && result.gain < 1e-9, "{result:?}");
}

#[test]
fn a_wide_net_opens_by_less_than_a_tenth_of_a_millimetre() {
    let result = swing(&mut Bench::new(&net(36), 1.0 / 60.0, 10), 0.6);
    eprintln!("net 36: {result:?}");
    assert!(result.gap < 5e-5 && result.gain < 1e-9, "{result:?}");
}

/// A ball held at its centre, with a pendulum below, beside the origin of the world or far from it. A joint is measured by the bodies
/// that move, not by where the scene lies: one at the origin had no size to be measured by, and was named open in every step.
#[test]
fn a_joint_that_holds_is_not_named_wherever_it_is() {
    let run = |at: DVec3| {
        let mut scene = ModelBuilder::new();
        let shape = || ShapeDef::sphere(0.1).groups(0, 0);
        let held = scene.add_body(BodyDef::dynamic("held").at(at).shape(shape()));
        let bob = scene.add_body(BodyDef::dynamic("bob").at(at + DVec3::new(0.6, 0.0, -0.6)).shape(shape()));
        scene.add_joint(JointDef::ball(WORLD, held, at));
        scene.add_joint(JointDef::ball(held, bob, at));
        let mut bench = Bench::new(&scene, 1.0 / 60.0, 3);
        let mut gap = 0.0f64;
        for _ in 0..60 {
            let report = bench.step();
            assert_eq!(report.unconverged, [], "at {at}, open by {:?}", bench.joint_error());
            gap = gap.max(bench.joint_error()[0]);
        }
        assert!((bench.pose(1).translation - at - DVec3::new(0.6, 0.0, -0.6)).length() > 0.1, "it swings");
        (gap, bench.pose(1).translation - at)
    };
    // Powers of two, so that places round alike.
    let (near, far) = (run(DVec3::ZERO), run(DVec3::new(64.0, -128.0, 0.0)));
    assert!(near.0 < 1e-7 && far.0 < 1e-7, "gaps {} and {}", near.0, far.0);
    assert!((near.1 - far.1).length() < 1e-9, "{} {}", near.1, far.1);
}
