//! Hulls against brute force, Euler's formula and shapes whose faces are known.

use std::collections::BTreeSet;

use drystone_geometry::{DVec3, Hull, HullError};

use crate::common::{Random, assert_close};

fn extent(points: &[DVec3]) -> f64 {
    points.iter().map(|p| p.distance(points[0])).fold(0.0, f64::max)
}

/// Everything a hull must satisfy, whatever the points were.
fn assert_is_hull_of(hull: &Hull, points: &[DVec3]) {
    let tolerance = 2e-7 * extent(points);
    assert_eq!(hull.check(), Ok(()));
    assert_eq!(hull.vertices.len() + hull.face_count(), hull.edges.len() + 2, "Euler");
    for v in &hull.vertices {
        assert!(points.contains(v), "vertices are input points");
    }
    for face in 0..hull.face_count() {
        assert_close(hull.face_normal[face].length(), 1.0, 1e-14, "unit normal");
        for p in points {
            let height = hull.height_over(face, *p);
            assert!(height <= tolerance, "point {p} is {height:e} above face {face} of {}", hull.face_count());
        }
        for corner in hull.face_corners(face) {
            assert!(hull.height_over(face, corner).abs() <= 2.0 * tolerance, "face {face} is not flat");
        }
        assert!(hull.height_over(face, hull.centroid) < 0.0, "the centroid is inside");
    }
    let distinct: BTreeSet<_> = hull.edges.iter().collect();
    assert_eq!(distinct.len(), hull.edges.len());
    for (edge, faces) in hull.edges.iter().zip(&hull.edge_face) {
        let runs = |face: u32, a: u32, b: u32| {
            let corners = hull.face(face as usize);
            (0..corners.len()).any(|k| corners[k] == a && corners[(k + 1) % corners.len()] == b)
        };
        assert!(runs(faces[0], edge[0], edge[1]) && runs(faces[1], edge[1], edge[0]));
    }
    assert_eq!(hull.triangulated().check(), Ok(()));
}

/// Extreme points by brute force: a point is a vertex of the hull if some plane through three points has it on
/// the rim and everything on one side.
fn brute_force_vertices(points: &[DVec3]) -> BTreeSet<usize> {
    let n = points.len();
    let mut vertices = BTreeSet::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let normal = (points[j] - points[i]).cross(points[k] - points[i]);
                let side = |p: &DVec3| (*p - points[i]).dot(normal);
                let others = || (0..n).filter(|m| ![i, j, k].contains(m)).map(|m| side(&points[m]));
                if others().all(|s| s < 0.0) || others().all(|s| s > 0.0) {
                    vertices.extend([i, j, k]);
                }
            }
        }
    }
    vertices
}

#[test]
fn random_clouds_match_brute_force() {
    let mut random = Random::new(1);
    for round in 0..40 {
        let points: Vec<DVec3> = (0..4 + round).map(|_| random.vector(1.0)).collect();
        let hull = Hull::from_points(&points).unwrap();
        assert_is_hull_of(&hull, &points);
        let expected: Vec<DVec3> = brute_force_vertices(&points).into_iter().map(|i| points[i]).collect();
        assert_eq!(hull.vertices, expected);
    }
}

#[test]
fn points_on_a_sphere_all_become_vertices() {
    let mut random = Random::new(2);
    let points: Vec<DVec3> = (0..2000).map(|_| random.direction()).collect();
    let hull = Hull::from_points(&points).unwrap();
    assert_is_hull_of(&hull, &points);
    assert_eq!(hull.vertices.len(), points.len());
}

fn cube_grid(n: usize) -> Vec<DVec3> {
    let at = |i: usize| 2.0 * i as f64 / (n - 1) as f64 - 1.0;
    (0..n * n * n).map(|i| DVec3::new(at(i % n), at(i / n % n), at(i / n / n))).collect()
}

#[test]
fn cubes_have_six_quads_however_they_are_sampled_rotated_scaled_and_rounded() {
    let mut random = Random::new(3);
    for n in [2, 3, 6] {
        for scale in [1e-150, 1e-12, 1.0, 1e9, 1e150] {
            let rotation = random.rotation();
            let mut points: Vec<DVec3> = cube_grid(n).iter().map(|p| scale * (rotation * *p)).collect();
            points.extend(points.clone());
            for rounded in [false, true] {
                if rounded && scale == 1.0 {
                    points.iter_mut().for_each(|p| *p = p.as_vec3().as_dvec3());
                }
                let hull = Hull::from_points(&points).unwrap();
                assert_eq!((hull.vertices.len(), hull.edges.len(), hull.face_count()), (8, 12, 6), "{n} {scale}");
                assert!((0..6).all(|f| hull.face(f).len() == 4));
            }
        }
    }
    let grid = cube_grid(4);
    assert_is_hull_of(&Hull::from_points(&grid).unwrap(), &grid);
}

#[test]
fn prisms_keep_their_round_lids_whole() {
    let mut random = Random::new(4);
    for n in [3, 5, 17, 128] {
        let rotation = random.rotation();
        let corner = |k: usize, z: f64| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
            rotation * DVec3::new(cos, sin, z)
        };
        let points: Vec<DVec3> = (0..n).flat_map(|k| [corner(k, -0.5), corner(k, 0.5)]).collect();
        let hull = Hull::from_points(&points).unwrap();
        assert_is_hull_of(&hull, &points);
        assert_eq!(hull.face_count(), n + 2);
        assert_eq!((0..n + 2).filter(|&f| hull.face(f).len() == n).count(), if n == 4 { 6 } else { 2 });
    }
}

#[test]
fn nearly_flat_and_nearly_coplanar_clouds_stay_valid() {
    let mut random = Random::new(5);
    for exponent in 1..6 {
        let thin = DVec3::new(1.0, 1.0, 10f64.powi(-exponent));
        let points: Vec<DVec3> = (0..200).map(|_| thin * random.vector(1.0)).collect();
        assert_is_hull_of(&Hull::from_points(&points).unwrap(), &points);
    }
    for exponent in 5..17 {
        let noise = 10f64.powi(-exponent);
        let points: Vec<DVec3> = cube_grid(5).iter().map(|p| *p + noise * random.vector(1.0)).collect();
        assert_is_hull_of(&Hull::from_points(&points).unwrap(), &points);
    }
}

#[test]
fn corners_repeated_with_noise_are_one_corner() {
    let mut random = Random::new(8);
    for exponent in 9..17 {
        let noise = 10f64.powi(-exponent);
        let copies = (0..5).flat_map(|_| cube_grid(3));
        let points: Vec<DVec3> = copies.map(|p| p + noise * random.vector(1.0)).collect();
        let hull = Hull::from_points(&points).unwrap();
        assert_eq!((hull.vertices.len(), hull.edges.len(), hull.face_count()), (8, 12, 6), "noise {noise:e}");
        assert_is_hull_of(&hull, &points);
    }
}

#[test]
fn lattice_clouds_with_noise_stay_valid() {
    let mut solid = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let noise = 10f64.powi(-(seed as i32 % 17));
        let squash = DVec3::new(1.0, 1.0, [1.0, 0.001][seed as usize % 2]);
        let rotation = random.rotation();
        let points: Vec<DVec3> = (0..4 + random.below(60))
            .map(|_| rotation * (squash * ((2.0 * random.vector(1.0)).round() + noise * random.vector(1.0))))
            .collect();
        match Hull::from_points(&points) {
            Ok(hull) => {
                assert_is_hull_of(&hull, &points);
                solid += 1;
            }
            Err(fault) => assert!(matches!(fault, HullError::Flat { .. }), "{fault}"),
        }
    }
    assert!(solid > 200, "only {solid} clouds have a hull");
}

#[test]
fn far_from_the_origin_hulls_keep_their_faces() {
    let points: Vec<DVec3> = cube_grid(3).iter().map(|p| *p + DVec3::new(1e6, -2e6, 5e5)).collect();
    let hull = Hull::from_points(&points).unwrap();
    assert_eq!((hull.vertices.len(), hull.face_count()), (8, 6));
}

#[test]
fn supports_by_scan_and_by_walk_agree() {
    let mut random = Random::new(6);
    let points: Vec<DVec3> = (0..300).map(|_| random.direction()).collect();
    let hull = Hull::from_points(&points).unwrap();
    for _ in 0..500 {
        let direction = random.direction();
        let start = random.below(hull.vertices.len());
        let (scan, walk) = (hull.support_vertex(direction), hull.support_vertex_from(direction, start));
        assert_eq!(hull.vertices[scan].dot(direction), hull.vertices[walk].dot(direction));
    }
}

#[test]
fn degenerate_input_is_refused_with_the_reason() {
    let flat = |what: &str, points: &[DVec3]| match Hull::from_points(points) {
        Err(HullError::Flat { what: found, .. }) => assert_eq!(found, what),
        other => panic!("expected {what}, got {other:?}"),
    };
    let mut random = Random::new(7);
    assert_eq!(Hull::from_points(&[DVec3::ZERO; 3]), Err(HullError::TooFewPoints(3)));
    flat("coincident", &[DVec3::ONE; 9]);
    let huge = Hull::from_points(&[1e9 * DVec3::X, DVec3::ZERO, 3e8 * DVec3::X, 2e8 * DVec3::X]);
    assert!(matches!(huge, Err(HullError::Flat { extent: 1e9, .. })));
    flat("collinear", &(0..9).map(|i| DVec3::new(0.1, 0.2, 0.3) * i as f64).collect::<Vec<_>>());
    let (u, v) = (random.direction(), random.direction());
    flat("coplanar", &(0..50).map(|_| random.signed() * u + random.signed() * v).collect::<Vec<_>>());
    let mut points = cube_grid(2);
    points[5].y = f64::NAN;
    assert!(matches!(Hull::from_points(&points), Err(HullError::NotFinite { index: 5, .. })));
    points[5].y = f64::INFINITY;
    assert!(matches!(Hull::from_points(&points), Err(HullError::NotFinite { index: 5, .. })));
}
