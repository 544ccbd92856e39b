//! Bodies at rest: four points at the corners of what touches, the same ones for ever.

mod support;

use drystone_collide::{Collide, CollideOptions};
use drystone_geometry::{DQuat, DVec3, Pose, Shape};
use drystone_model::State;
use drystone_model::contacts::UNMATCHED;
use support::{Random, Scene, at, box_hull, cube};

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);
const DT: f64 = 1.0 / 60.0;

fn yawed(x: f64, y: f64, z: f64, angle: f64) -> Pose {
    Pose::from_parts(DVec3::new(x, y, z), DQuat::from_rotation_z(angle))
}

fn jittered(scene: &Scene, random: &mut Random, size: f64) -> State {
    let mut state = scene.state();
    for pose in &mut state.body_q {
        pose.translation += random.vector(size);
        let axis = random.direction();
        pose.rotation = DQuat::from_axis_angle(axis, random.range(0.0, size)) * pose.rotation;
    }
    state
}

/// Number of points that lost their history in 2,000 jittered frames.
fn unmatched(scene: &Scene, points: usize) -> usize {
    let mut random = Random::new(7);
    let mut collide = Collide::new(&scene.model, CollideOptions::default());
    let mut lost = 0;
    for frame in 0..2000 {
        collide.detect(&scene.model, &jittered(scene, &mut random, 1e-4), DT);
        assert_eq!(collide.contacts.point_count(), points, "frame {frame}");
        if frame > 0 {
            lost += collide.contacts.point_match.iter().filter(|&&m| m == UNMATCHED).count();
        }
    }
    lost
}

fn stack(second: Pose, shape: impl Fn() -> Shape) -> Scene {
    let mut scene = Scene::new(GRAVITY);
    scene.ground();
    scene.add(shape(), at(0.0, 0.0, 0.5));
    scene.add(shape(), second);
    scene
}

#[test]
fn boxes_at_rest_keep_their_contacts() {
    for (name, second) in [
        ("aligned", at(0.0, 0.0, 1.5)),
        ("offset", at(0.3, 0.1, 1.5)),
        ("yawed", yawed(0.0, 0.0, 1.5, 0.3)),
        ("yawed by 45 degrees", yawed(0.0, 0.0, 1.5, std::f64::consts::FRAC_PI_4)),
        ("yawed and offset", yawed(0.2, -0.1, 1.5, 1.1)),
    ] {
        assert_eq!(unmatched(&stack(second, || cube(0.5)), 8), 0, "boxes, {name}");
        assert_eq!(unmatched(&stack(second, || box_hull(DVec3::splat(0.5))), 8), 0, "hulls, {name}");
    }
}

#[test]
fn a_box_on_a_box_touches_at_the_corners_of_the_overlap() {
    for hull in [false, true] {
        let mut scene = Scene::new(DVec3::ZERO);
        let shape = || if hull { box_hull(DVec3::splat(0.5)) } else { cube(0.5) };
        scene.add(shape(), at(0.0, 0.0, 0.5));
        scene.add(shape(), at(0.3, 0.1, 1.5));
        let contacts = scene.detect(1e-3).contacts;
        assert_eq!(contacts.manifold_count(), 1);
        assert_eq!(contacts.manifold_normal[0], DVec3::Z);
        let mut corners: Vec<[i64; 3]> =
            contacts.point_position0.iter().map(|p| [p.x, p.y, p.z].map(|c| (c * 1e6).round() as i64)).collect();
        corners.sort_unstable();
        let (a, b, c, d) = (-200_000, 500_000, -400_000, 500_000);
        assert_eq!(corners, [[a, c, 1_000_000], [a, d, 1_000_000], [b, c, 1_000_000], [b, d, 1_000_000]]);
        assert!(contacts.point_gap.iter().all(|gap| gap.abs() < 1e-15));
    }
}

#[test]
fn round_shapes_and_cards_at_rest_keep_their_contacts() {
    let lying = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let cylinder = || Shape::Cylinder { radius: 0.4, half_height: 0.5 };
    let capsule = || Shape::Capsule { radius: 0.3, half_height: 0.5 };
    let card = || Shape::Box { half: DVec3::new(0.5, 0.35, 0.05) };
    let upright = DQuat::IDENTITY;
    for (name, shape, turn, height, points) in [
        ("standing cylinder", cylinder(), upright, 0.5, 4),
        ("lying cylinder", cylinder(), lying, 0.4, 2),
        ("lying capsule", capsule(), lying, 0.3, 2),
        ("cone", Shape::Cone { radius: 0.4, half_height: 0.5 }, upright, 0.5, 4),
        ("ball", Shape::Sphere { radius: 0.5 }, upright, 0.5, 1),
        ("ellipsoid", Shape::Ellipsoid { radii: DVec3::new(0.5, 0.4, 0.3) }, upright, 0.3, 1),
        ("card", card(), DQuat::from_rotation_z(0.3), 0.05, 4),
    ] {
        for on_box in [false, true] {
            let mut scene = Scene::new(GRAVITY);
            if on_box {
                let base = scene.body(drystone_model::BodyKind::Static, at(0.0, 0.0, -1.0));
                scene.shape(base, Shape::Box { half: DVec3::new(2.0, 2.0, 1.0) }, Pose::identity());
            } else {
                scene.ground();
            }
            scene.add(shape.clone(), Pose::from_parts(DVec3::new(0.1, 0.2, height), turn));
            assert_eq!(unmatched(&scene, points), 0, "{name}, on a box: {on_box}");
        }
    }
}
