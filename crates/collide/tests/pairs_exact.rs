//! Every pair of convex shapes against a brute-force search for the best separating direction.

mod support;

use drystone_geometry::{DVec3, Pose, Shape};
use support::{Random, Scene, box_hull};

fn shapes() -> Vec<(&'static str, Shape)> {
    let mut random = Random::new(3);
    let points: Vec<DVec3> = (0..14).map(|_| random.direction() * 0.6).collect();
    vec![
        ("sphere", Shape::Sphere { radius: 0.5 }),
        ("box", Shape::Box { half: DVec3::new(0.5, 0.4, 0.3) }),
        ("box hull", box_hull(DVec3::new(0.3, 0.5, 0.4))),
        ("hull", Shape::hull(&points).expect("points of a sphere")),
        ("capsule", Shape::Capsule { radius: 0.3, half_height: 0.4 }),
        ("cylinder", Shape::Cylinder { radius: 0.4, half_height: 0.5 }),
        ("cone", Shape::Cone { radius: 0.5, half_height: 0.5 }),
        ("ellipsoid", Shape::Ellipsoid { radii: DVec3::new(0.6, 0.4, 0.3) }),
    ]
}

/// Separation of two shapes along a direction: a lower bound of the signed distance.
fn separation(a: &(Shape, Pose), b: &(Shape, Pose), normal: DVec3) -> f64 {
    let far = |(shape, pose): &(Shape, Pose), direction: DVec3| {
        pose.transform_point(shape.support(pose.inverse_transform_vector(direction)))
    };
    normal.dot(far(b, -normal) - far(a, normal))
}

/// The largest separation over all directions: the distance, or minus the depth of the overlap.
fn brute_force(a: &(Shape, Pose), b: &(Shape, Pose)) -> f64 {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let count = 1000;
    let mut found: Vec<(f64, DVec3)> = (0..count)
        .map(|i| {
            let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(count);
            let (sin, cos) = (golden * f64::from(i)).sin_cos();
            let rho = (1.0 - z * z).sqrt();
            let n = DVec3::new(rho * cos, rho * sin, z);
            (separation(a, b, n), n)
        })
        .collect();
    found.sort_by(|x, y| y.0.total_cmp(&x.0));
    found[..3].iter().map(|&(value, n)| climb(a, b, value, n)).fold(f64::NEG_INFINITY, f64::max)
}

/// Hill climbing with shrinking steps in eight directions.
fn climb(a: &(Shape, Pose), b: &(Shape, Pose), mut value: f64, mut n: DVec3) -> f64 {
    let mut step = 0.05;
    while step > 1e-7 {
        let (u, v) = n.any_orthonormal_pair();
        let better = (0..8)
            .map(|k| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 8.0).sin_cos();
                let m = (n + (u * cos + v * sin) * step).normalize();
                (separation(a, b, m), m)
            })
            .max_by(|x, y| x.0.total_cmp(&y.0))
            .expect("eight directions");
        if better.0 > value {
            (value, n) = better;
        } else {
            step *= 0.6;
        }
    }
    value
}

/// A scene of two shapes about a given distance apart, in a random position.
fn place(random: &mut Random, first: &Shape, second: &Shape, gap: f64, scale: f64) -> [(Shape, Pose); 2] {
    let a = (first.clone(), Pose::from_parts(random.vector(scale), random.rotation()));
    let direction = random.direction();
    let mut b = (second.clone(), Pose::from_parts(a.1.translation, random.rotation()));
    // The separation along a direction is a lower bound of the distance: the gap is at least what was asked for.
    b.1.translation += direction * (gap - separation(&a, &b, direction));
    [a, b]
}

#[test]
fn gaps_and_normals_are_those_of_the_best_separating_direction() {
    let mut random = Random::new(11);
    let all = shapes();
    for (i, (name0, first)) in all.iter().enumerate() {
        for (name1, second) in &all[i..] {
            for gap in [0.2, 0.0, -0.01, -0.08] {
                let [a, b] = place(&mut random, first, second, gap, 2.0);
                let exact = brute_force(&a, &b);
                let mut scene = Scene::new(DVec3::ZERO);
                scene.add(a.0.clone(), a.1);
                scene.add(b.0.clone(), b.1);
                let contacts = scene.detect(1.0).contacts;
                let case = format!("{name0}–{name1} at {gap}, exactly {exact}");
                assert_eq!(contacts.manifold_count(), 1, "{case}");
                let normal = contacts.manifold_normal[0];
                assert!((normal.length() - 1.0).abs() < 1e-12, "{case}");
                let least = contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min);
                // Half a percent of the thickness, and one percent of the depth, are given away for faces.
                let slack = 0.005 * 0.6 + 0.011 * exact.abs();
                assert!(least <= exact + slack, "{case}: gap {least}");
                assert!(least >= exact - slack, "{case}: gap {least}");
                assert!(separation(&a, &b, normal) >= exact - slack, "{case}: normal {normal}");
                for k in 0..contacts.point_count() {
                    let between = contacts.point_position1[k] - contacts.point_position0[k];
                    assert!((between - normal * contacts.point_gap[k]).length() < 1e-9, "{case}: point {k}");
                }
            }
        }
    }
}

/// Hulls with thousands of pairs of edges take the general route; a fine hull of a ball is nearly the ball.
#[test]
fn fine_hulls_of_balls_touch_like_balls() {
    let mut random = Random::new(17);
    let points: Vec<DVec3> = (0..160).map(|_| random.direction() * 0.5).collect();
    let ball = Shape::hull(&points).expect("points of a sphere");
    for distance in [0.9, 0.98, 1.0, 1.05] {
        let (a, b) = (random.pose(1.0), random.rotation());
        let direction = random.direction();
        let b = Pose::from_parts(a.translation + direction * distance, b);
        let exact = brute_force(&(ball.clone(), a), &(ball.clone(), b));
        let mut scene = Scene::new(DVec3::ZERO);
        scene.add(ball.clone(), a);
        scene.add(ball.clone(), b);
        let contacts = scene.detect(0.3).contacts;
        assert_eq!(contacts.manifold_count(), 1);
        let least = contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least - exact).abs() < 0.005, "{least} instead of {exact}");
        assert!(contacts.manifold_normal[0].dot(direction) > 0.9);
    }
}
