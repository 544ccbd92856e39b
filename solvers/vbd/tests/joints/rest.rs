//! Jointed bodies that rest.

use drystone_model::{BodyDef, DQuat, DVec3, JointDef, ModelBuilder};
use drystone_vbd::VbdOptions;

use crate::bench::Bench;

const DT: f64 = 1.0 / 60.0;

/// Three boxes hinged in a row, dropped on the ground a little askew.
fn row(tolerance: f64) -> Bench {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let tilt = DQuat::from_rotation_y(0.1);
    let place = |k: usize| tilt * DVec3::X * (0.5 * k as f64) + DVec3::Z * 0.3;
    let boxes = [0, 1, 2].map(|k| {
        let half = DVec3::new(0.2, 0.15, 0.1);
        scene.add_body(BodyDef::dynamic(format!("{k}")).at(place(k)).rotated(tilt).cuboid(half))
    });
    for k in 0..2 {
        let anchor = 0.5 * (place(k) + place(k + 1));
        scene.add_joint(JointDef::revolute(boxes[k], boxes[k + 1], anchor, DVec3::Y));
    }
    Bench::with(&scene, DT, VbdOptions { tolerance, ..VbdOptions::default() })
}

/// A joint island that lies still is solved by what it remembers, as stacks are, and needs no more sweeps to see that. It ends
/// where all sweeps would have put it.
#[test]
fn what_lies_still_takes_few_sweeps() {
    let [mut few, mut all] = [VbdOptions::default().tolerance, 0.0].map(row);
    let (mut sweeps, mut most) = (0, 0);
    for step in 0..300 {
        let taken = [few.step().iterations, all.step().iterations];
        if step >= 240 {
            (sweeps, most) = (sweeps + taken[0], most + taken[1]);
        }
    }
    assert!(most == 600, "{most} sweeps of 60 steps without a tolerance");
    assert!(sweeps <= 90, "{sweeps} sweeps of 60 steps at rest");
    let apart = |body: usize| few.pose(body).translation.distance(all.pose(body).translation);
    assert!((0..3).all(|body| apart(body) < 1e-5), "{:?}", [0, 1, 2].map(apart));
    let [gap, angle] = few.joint_error();
    assert!(gap < 1e-8 && angle < 1e-8, "{gap} m, {angle} rad");
    let fastest = few.state.body_qd.iter().map(|twist| twist.linear.length()).fold(0.0, f64::max);
    assert!(fastest < 1e-6, "{fastest} m/s");
}
