//! Every kind of joint, to the world and between bodies, under gravity: what is locked stays, what is
//! free moves.

use drystone_model::{Axis, BodyDef, BodyId, DQuat, DVec3, JointDef, ModelBuilder, RodStiffness, WORLD};

use crate::bench::Bench;

const ANCHOR: DVec3 = DVec3::new(0.3, -0.2, 0.1);
/// Oblique to gravity and to every axis of the bodies.
const AXIS: DVec3 = DVec3::new(1.0, -0.5, 0.7);

/// A base welded to the world or the world itself, and a box of 2 kg beside the anchor.
fn with_joint(between: bool, joint: impl Fn(BodyId, BodyId) -> JointDef) -> Bench {
    let mut scene = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    if between {
        parent = scene.add_body(BodyDef::dynamic("base").cuboid(DVec3::splat(0.1)).mass(1.0));
    }
    let child = BodyDef::dynamic("child").at(DVec3::new(0.8, 0.1, 0.3)).cuboid(DVec3::new(0.2, 0.1, 0.15)).mass(2.0);
    let child = scene.add_body(child);
    scene.add_joint(joint(parent, child));
    if between {
        scene.add_joint(JointDef::fixed(BodyId(WORLD), parent, DVec3::ZERO));
    }
    Bench::new(&scene, 1.0 / 60.0, 5)
}

/// Runs both variants for a second: locked axes within a micrometre and 10 µrad at every step, free axes moved by more than a
/// centimetre or a hundredth of a radian, and height becomes motion without loss.
fn check(name: &str, free: &[Axis], joint: impl Fn(BodyId, BodyId) -> JointDef) {
    for between in [false, true] {
        let mut bench = with_joint(between, &joint);
        let mut travel = [0.0f64; 6];
        let start = bench.model.energy(&bench.state);
        let (mut fell, mut lost) = (0.0, 0.0);
        for step in 0..60 {
            let report = bench.step();
            if step < 30 {
                fell = start.potential - report.potential_energy;
                lost = fell - report.kinetic_energy;
            }
            let [gap, angle] = bench.joint_error();
            assert!(gap < 1e-6 && angle < 1e-5, "{name}, between bodies: {between}: gap {gap}, angle {angle}");
            for (travel, q) in travel.iter_mut().zip(bench.coordinates(0)) {
                *travel = travel.max(q.abs());
            }
        }
        // What is free moves freely: for half a second nothing is lost on the way. Later some whip round at 20 rad/s.
        assert!(free.is_empty() || (fell > 1.0 && lost.abs() < 0.015 * fell), "{name}: {lost} J of {fell} J lost");
        for &axis in free {
            assert!(travel[axis as usize] > 0.01, "{name}: {axis:?} moved by {}", travel[axis as usize]);
        }
    }
}

#[test]
fn fixed() {
    check("fixed", &[], |parent, child| JointDef::fixed(parent, child, ANCHOR));
}

#[test]
fn ball() {
    let free = [Axis::AngX, Axis::AngY, Axis::AngZ];
    check("ball", &free, |parent, child| JointDef::ball(parent, child, ANCHOR));
}

#[test]
fn revolute() {
    check("revolute", &[Axis::AngX], |parent, child| JointDef::revolute(parent, child, ANCHOR, AXIS));
}

#[test]
fn prismatic() {
    check("prismatic", &[Axis::LinX], |parent, child| JointDef::prismatic(parent, child, ANCHOR, AXIS));
}

#[test]
fn cylindrical() {
    let free = [Axis::LinX, Axis::AngX];
    check("cylindrical", &free, |parent, child| JointDef::cylindrical(parent, child, ANCHOR, AXIS));
}

#[test]
fn planar() {
    // With the centre of mass off the anchor the fall in the plane turns the box too.
    let free = [Axis::LinY, Axis::LinZ];
    check("planar", &free, |parent, child| JointDef::planar(parent, child, ANCHOR, AXIS));
}

#[test]
fn universal() {
    let free = [Axis::AngX, Axis::AngY];
    let across = AXIS.cross(DVec3::Z);
    check("universal", &free, |parent, child| JointDef::universal(parent, child, ANCHOR, AXIS, across));
}

#[test]
fn d6_with_two_free_axes() {
    let free = [Axis::LinY, Axis::AngZ];
    let turn = DQuat::from_rotation_arc(DVec3::X, AXIS.normalize());
    check("d6", &free, |parent, child| JointDef::d6(parent, child, ANCHOR, turn, &free));
}

#[test]
fn distance_is_a_rope_that_goes_taut() {
    for between in [false, true] {
        let mut bench = with_joint(between, |parent, child| {
            JointDef::distance(parent, child, ANCHOR, DVec3::new(0.8, 0.1, 0.4), [0.3, 0.8])
        });
        let mut longest = 0.0f64;
        for _ in 0..180 {
            bench.step();
            let [gap, _] = bench.joint_error();
            assert!(gap < 1e-4, "out of its range by {gap}");
            let [x, y, z, ..] = bench.coordinates(0);
            longest = longest.max(DVec3::new(x, y, z).length());
        }
        assert!(longest > 0.79, "it never went taut: {longest}");
    }
}

#[test]
fn rod_bends_but_holds_together() {
    let stiffness =
        RodStiffness { stretch: 1e6, shear: 1e6, bend: 200.0, twist: 200.0, damping_linear: 0.0, damping_angular: 5.0 };
    for between in [false, true] {
        let mut bench = with_joint(between, |parent, child| JointDef::rod(parent, child, ANCHOR, DVec3::X, stiffness));
        bench.run(3.0);
        let q = bench.coordinates(0);
        let (offset, turn) = (DVec3::new(q[0], q[1], q[2]), DVec3::new(q[3], q[4], q[5]));
        // At rest the springs carry the weight of 2 kg and its moment about the anchor.
        assert!((offset.length() * 1e6 - 2.0 * 9.81).abs() < 0.1, "offset {offset}");
        let lever = bench.pose(usize::from(between)).translation - ANCHOR;
        let moment = 2.0 * 9.81 * lever.truncate().length();
        assert!((turn.length() * 200.0 / moment - 1.0).abs() < 0.02, "turn {turn}, moment {moment}");
    }
}

#[test]
fn free_is_free_fall() {
    let mut scene = ModelBuilder::new();
    let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
    scene.add_joint(JointDef::free_floating(ball));
    let mut bench = Bench::new(&scene, 1.0 / 60.0, 5);
    bench.run(1.0);
    let fall = 0.5 * 9.81;
    assert!((bench.pose(0).translation.z + fall).abs() < 1e-12);
}

#[test]
fn soft_joints_give_by_load_over_stiffness() {
    let soft = |joint: JointDef| joint.soft([1e4, 50.0], [200.0, 2.0]);
    let mut bench = with_joint(false, |parent, child| soft(JointDef::fixed(parent, child, ANCHOR)));
    bench.run(15.0);
    let q = bench.coordinates(0);
    let sag = DVec3::new(q[0], q[1], q[2]).length();
    assert!((sag * 1e4 / (2.0 * 9.81) - 1.0).abs() < 1e-3, "sag {sag}");
    let turn = DVec3::new(q[3], q[4], q[5]);
    let origin = DVec3::new(q[0], q[1], q[2]) + ANCHOR;
    let moment = (bench.pose(0).translation - origin).cross(DVec3::Z * (-2.0 * 9.81));
    assert!((turn * 50.0 - moment).length() < 1e-2 * moment.length(), "turn {turn}, moment {moment}");
}
