//! Contacts do not depend on the order of the shapes, on where the scene stands, or on its size.

mod support;

use std::f64::consts::FRAC_PI_2;

use drystone_collide::{Collide, CollideOptions};
use drystone_geometry::{DQuat, DVec3, Pose, Shape};
use drystone_model::Contacts;
use support::{Random, Scene, at, box_hull, cube};

fn shapes(scale: f64) -> Vec<Shape> {
    let mut random = Random::new(3);
    let points: Vec<DVec3> = (0..12).map(|_| random.direction() * (0.6 * scale)).collect();
    vec![
        Shape::Sphere { radius: 0.5 * scale },
        Shape::Box { half: DVec3::new(0.5, 0.4, 0.3) * scale },
        box_hull(DVec3::new(0.3, 0.5, 0.4) * scale),
        Shape::hull(&points).expect("points of a sphere"),
        Shape::Capsule { radius: 0.3 * scale, half_height: 0.4 * scale },
        Shape::Cylinder { radius: 0.4 * scale, half_height: 0.5 * scale },
        Shape::Cone { radius: 0.5 * scale, half_height: 0.5 * scale },
        Shape::Ellipsoid { radii: DVec3::new(0.6, 0.4, 0.3) * scale },
    ]
}

fn contacts(shapes: [(&Shape, Pose); 2], margin: f64) -> Contacts {
    let mut scene = Scene::new(DVec3::ZERO);
    for (shape, pose) in shapes {
        scene.add(shape.clone(), pose);
    }
    scene.detect(margin).contacts
}

/// The separation is flat where it is largest: a gap that is right to 1e-7 m over half a metre leaves the normal
/// √(2 · 1e-7 / 0.5) of room.
const NORMAL_TOLERANCE: f64 = 6.4e-4;

fn least(contacts: &Contacts) -> f64 {
    contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Calls `check` with many overlapping and nearly touching pairs, in units of metres.
fn for_all_pairs(mut check: impl FnMut(usize, usize, [Pose; 2])) {
    let mut random = Random::new(21);
    let count = shapes(1.0).len();
    for i in 0..count {
        for j in i..count {
            for _ in 0..6 {
                let first = random.pose(1.0);
                let offset = random.direction() * random.range(0.6, 1.0);
                check(i, j, [first, Pose::from_parts(first.translation + offset, random.rotation())]);
            }
        }
    }
}

#[test]
fn swapping_the_shapes_mirrors_the_contact() {
    let all = shapes(1.0);
    for_all_pairs(|i, j, [p, q]| {
        let there = contacts([(&all[i], p), (&all[j], q)], 0.3);
        let back = contacts([(&all[j], q), (&all[i], p)], 0.3);
        assert_eq!(there.manifold_count(), back.manifold_count(), "{i} {j}");
        if there.manifold_count() > 0 {
            // Two normals within half a percent of the thickness are equally good.
            let slack = 0.0031 + 0.011 * least(&there).abs();
            assert!((least(&there) - least(&back)).abs() < slack, "{i} {j}: {} {}", least(&there), least(&back));
        }
        if i != j && there.manifold_count() > 0 {
            assert!((there.manifold_normal[0] + back.manifold_normal[0]).length() < 1e-9, "{i} {j}");
            assert_eq!(there.point_count(), back.point_count());
        }
    });
}

#[test]
fn a_common_motion_moves_the_contact_along() {
    let all = shapes(1.0);
    let motion = Pose::from_parts(DVec3::new(30.0, -20.0, 10.0), DQuat::from_scaled_axis(DVec3::new(0.4, 1.1, -0.3)));
    for_all_pairs(|i, j, [p, q]| {
        let here = contacts([(&all[i], p), (&all[j], q)], 0.3);
        let there = contacts([(&all[i], motion * p), (&all[j], motion * q)], 0.3);
        assert_eq!(here.manifold_count(), there.manifold_count(), "{i} {j}");
        if here.manifold_count() > 0 {
            assert!((least(&here) - least(&there)).abs() < 1e-7, "{i} {j}: {} {}", least(&here), least(&there));
            let turned = motion.rotation * here.manifold_normal[0];
            assert!(turned.distance(there.manifold_normal[0]) < NORMAL_TOLERANCE, "{i} {j}: {turned}");
        }
    });
}

#[test]
fn contacts_scale_with_the_scene() {
    let all = shapes(1.0);
    for scale in [1e-3, 1e3] {
        let scaled = shapes(scale);
        let grown = |pose: Pose| Pose::from_parts(pose.translation * scale, pose.rotation);
        for_all_pairs(|i, j, [p, q]| {
            let one = contacts([(&all[i], p), (&all[j], q)], 0.3);
            let other = contacts([(&scaled[i], grown(p)), (&scaled[j], grown(q))], 0.3 * scale);
            assert_eq!(one.manifold_count(), other.manifold_count(), "{i} {j} at {scale}");
            if one.manifold_count() > 0 {
                let (a, b) = (least(&one), least(&other) / scale);
                assert!((a - b).abs() < 1e-7, "{i} {j} at {scale}: {a} {b}");
                assert!(
                    one.manifold_normal[0].distance(other.manifold_normal[0]) < NORMAL_TOLERANCE,
                    "{i} {j} at {scale}"
                );
            }
        });
    }
}

/// Area of the convex polygon with these corners in the plane, in any order.
fn area(mut corners: Vec<DVec3>) -> f64 {
    let centre = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let angle = |p: &DVec3| (p.y - centre.y).atan2(p.x - centre.x);
    corners.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    let n = corners.len();
    (0..n).map(|i| 0.5 * corners[i].cross(corners[(i + 1) % n]).z).sum()
}

#[test]
fn four_points_cover_the_face_that_touches() {
    for (first, second) in [(cube(0.5), cube(0.5)), (box_hull(DVec3::splat(0.5)), cube(0.5))] {
        for k in 0..=16 {
            let yaw = FRAC_PI_2 * f64::from(k) / 16.0;
            let turned = Pose::from_parts(DVec3::new(0.0, 0.0, 1.0), DQuat::from_rotation_z(yaw));
            let found = contacts([(&first, at(0.0, 0.0, 0.0)), (&second, turned)], 1e-3);
            assert_eq!((found.manifold_count(), found.point_count()), (1, 4), "yaw {yaw}");
            // Two unit squares turned by an angle share 2 / (1 + sin + cos) of their area; the best four of the
            // eight corners of a regular octagon span √½ of it.
            let shared = 2.0 / (1.0 + yaw.sin() + yaw.cos());
            let covered = area(found.point_position0.clone());
            assert!(covered > 0.65 * shared && covered < shared + 1e-9, "yaw {yaw}: {covered} of {shared}");
        }
    }
}

#[test]
fn fast_bodies_are_seen_before_they_meet() {
    let mut scene = Scene::new(DVec3::ZERO);
    scene.add(Shape::Sphere { radius: 0.1 }, at(0.0, 0.0, 0.0));
    scene.add(Shape::Sphere { radius: 0.1 }, at(1.0, 0.0, 0.0));
    let mut state = scene.state();
    let mut collide = Collide::new(&scene.model, CollideOptions::default());
    collide.detect(&scene.model, &state, 1.0 / 60.0);
    assert_eq!(collide.contacts.point_count(), 0);
    state.body_qd[0].linear.x = 60.0;
    collide.detect(&scene.model, &state, 1.0 / 60.0);
    assert_eq!(collide.contacts.point_count(), 1);
    assert!((collide.contacts.point_gap[0] - 0.8).abs() < 1e-12);
}

#[test]
fn skins_keep_shapes_apart() {
    let mut scene = Scene::new(DVec3::ZERO);
    let first = scene.add(cube(0.5), at(0.0, 0.0, 0.0));
    scene.add(cube(0.5), at(0.0, 0.0, 1.02));
    scene.model.shape_margin[first] = 0.05;
    let contacts = scene.detect(0.0).contacts;
    assert_eq!(contacts.point_count(), 4);
    for k in 0..4 {
        assert!((contacts.point_gap[k] + 0.03).abs() < 1e-12);
        assert!((contacts.point_position0[k].z - 0.55).abs() < 1e-12);
        assert!((contacts.point_position1[k].z - 0.52).abs() < 1e-12);
    }
}
