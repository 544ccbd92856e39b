//! The scenes that are run against other engines are those published with the comparison, to the last digit
//! printed there: nine decimals of sizes, poses and anchors, five of masses.

use drystone::model::{BodyKind, DVec3, Model, Pose, Shape, WORLD};
use drystone_scenes::make;

/// A published scene: ours by name and settings, bodies, joints, steps of 1/60 s, friction, whether there is
/// ground, and the fingerprint of all published numbers.
type Published = (&'static str, &'static [&'static str], [usize; 2], u64, f64, bool, u64);

const PUBLISHED: &[Published] = &[
    ("pyramid", &[], [210, 0], 300, 0.6, true, 0xc2c8_0e5a_344d_8bfd),
    ("wall", &[], [400, 0], 300, 0.6, true, 0xc0f0_9b37_f59b_88b5),
    ("mass-ratio", &[], [10, 0], 600, 0.6, true, 0x67f6_81f5_a142_3b96),
    ("mass-ratio", &["flat=true"], [10, 0], 600, 0.6, true, 0x4de3_f6e3_b5c1_cf6b),
    ("chain", &[], [51, 51], 300, 0.6, false, 0x120c_b442_1a35_23a5),
    ("necklace", &[], [4000, 4000], 300, 0.6, false, 0x5e5f_f282_2fb5_bea7),
    ("pile", &["count=2000"], [2004, 0], 300, 0.6, true, 0x7a4c_9769_ce30_97a0),
    ("pile", &["count=8000"], [8004, 0], 300, 0.6, true, 0x41a3_3f0c_710e_adb2),
    ("card-house", &[], [40, 0], 300, 0.6, true, 0x1c77_2aaf_ccfb_aa6f),
    ("incline", &["angle=26.5", "mu=0.5"], [2, 0], 600, 0.5, false, 0xf148_b3be_fe67_620b),
    ("incline", &["angle=26.75", "mu=0.5"], [2, 0], 600, 0.5, false, 0x1eca_1644_d0e6_5d28),
    ("arch", &[], [27, 0], 600, 0.6, true, 0xa6b8_4603_54b5_e815),
];

#[test]
fn scenes_run_against_other_engines_are_the_published_ones() {
    let mut wrong = Vec::new();
    for &(name, settings, counts, steps, friction, ground, fingerprint) in PUBLISHED {
        let scene = make(name, settings).unwrap();
        let model = &scene.model;
        let case = format!("{name} {settings:?}");
        assert_eq!([model.body_count(), model.joint_count()], counts, "{case}");
        assert_eq!((scene.settings.steps(), scene.settings.dt), (steps, 1.0 / 60.0), "{case}");
        assert_eq!(model.world_gravity, [DVec3::Z * -9.81], "{case}");
        assert_eq!(model.shape_geometry.contains(&Shape::HalfSpace), ground, "{case}");
        assert!(model.shape_material.iter().all(|material| material.friction_dynamic == friction), "{case}");
        let ours = numbers(model);
        if fingerprint != ours.0 {
            wrong.push(format!("{case}: {:#x} instead of {fingerprint:#x}", ours.0));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// FNV-1a over 64-bit numbers.
struct Fingerprint(u64);

impl Fingerprint {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, number: i64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn decimals(&mut self, value: f64, count: i32) {
        self.add((value * 10f64.powi(count)).round_ties_even() as i64);
    }

    fn point(&mut self, point: DVec3) {
        point.to_array().into_iter().for_each(|value| self.decimals(value, 9));
    }
}

/// Everything the published files say about bodies and joints, in their order.
fn numbers(model: &Model) -> Fingerprint {
    let mut print = Fingerprint::new();
    for body in 0..model.body_count() {
        let fixed = model.body_kind[body] == BodyKind::Static;
        print.add(i64::from(fixed));
        let worn = model.shape_body.iter().position(|&wearer| wearer as usize == body).expect("one shape each");
        add_shape(&mut print, &model.shape_geometry[worn]);
        print.decimals(if fixed { 0.0 } else { model.body_mass[body] }, 5);
        add_pose(&mut print, &model.body_q[body]);
    }
    for joint in 0..model.joint_count() {
        for body in [model.joint_parent[joint], model.joint_child[joint]] {
            print.add(if body == WORLD { -1 } else { i64::from(body) });
        }
        print.point(model.joint_frame_parent[joint].translation);
        print.point(model.joint_frame_child[joint].translation);
    }
    print
}

fn add_shape(print: &mut Fingerprint, shape: &Shape) {
    match shape {
        Shape::Box { half } => print.point(*half),
        Shape::Sphere { radius } => print.decimals(*radius, 9),
        // The order of the corners of a hull means nothing.
        Shape::Hull(hull) => {
            let corners = hull.vertices.iter().map(|&corner| {
                let mut print = Fingerprint::new();
                print.point(corner);
                print.0
            });
            print.add(corners.fold(0, u64::wrapping_add) as i64);
        }
        other => panic!("no published scene has a {other:?}"),
    }
}

fn add_pose(print: &mut Fingerprint, pose: &Pose) {
    print.point(pose.translation);
    let turn = if pose.rotation.w < 0.0 { -pose.rotation } else { pose.rotation };
    turn.to_array().into_iter().for_each(|value| print.decimals(value, 9));
}
