//! Triangles and meshes cutting through each other.

use drystone_geometry::distance::{point_triangle, triangle_triangle};
use drystone_geometry::{DVec3, Pose, Tessellation};

use crate::common::{Random, assert_close, random_hull};
use crate::distance::{lerp, minimum};

fn random_triangle(random: &mut Random, flat: bool) -> [DVec3; 3] {
    // On a coarse lattice, so that shared points, edges and planes are common.
    [0; 3].map(|_| {
        let cell = |r: &mut Random| r.below(5) as f64;
        DVec3::new(cell(random), cell(random), if flat { 0.0 } else { cell(random) })
    })
}

/// Do the triangles share a point? By exact rational clipping of one triangle's edges against the other, in integers.
fn integer_intersect(t: [DVec3; 3], u: [DVec3; 3]) -> bool {
    // A linear programme in integers: separating axes of two convex polygons in space suffice, and on a lattice
    // all their dot products are integers.
    let edges = |t: [DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (et, eu) = (edges(t), edges(u));
    let (nt, nu) = (et[0].cross(et[1]), eu[0].cross(eu[1]));
    let mut axes = vec![nt, nu];
    for a in et {
        axes.extend(eu.iter().map(|b| a.cross(*b)));
        axes.push(nt.cross(a));
    }
    axes.extend(eu.iter().map(|b| nu.cross(*b)));
    let apart = |axis: &DVec3| {
        let span = |t: [DVec3; 3]| t.map(|p| p.dot(*axis));
        let (s, v) = (span(t), span(u));
        let (max, min) = (|x: [f64; 3]| x[0].max(x[1]).max(x[2]), |x: [f64; 3]| x[0].min(x[1]).min(x[2]));
        max(s) < min(v) || max(v) < min(s)
    };
    !axes.iter().any(apart)
}

#[test]
fn triangle_intersection_matches_separating_axes_on_a_lattice() {
    let mut random = Random::new(6);
    let mut hits = 0;
    for round in 0..20_000 {
        let flat = round % 4 == 0;
        let (t, u) = (random_triangle(&mut random, flat), random_triangle(&mut random, flat));
        let area = |t: [DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).length();
        if area(t) == 0.0 || area(u) == 0.0 {
            continue;
        }
        let expected = integer_intersect(t, u);
        assert_eq!(triangle_triangle::intersect(t, u), expected, "{t:?} {u:?}");
        assert_eq!(triangle_triangle::distance_squared(t, u) == 0.0, expected, "{t:?} {u:?}");
        hits += usize::from(expected);
    }
    assert!(hits > 3000);
}

#[test]
fn triangle_distance_matches_sampling() {
    let mut random = Random::new(7);
    for _ in 0..40 {
        let t = [0; 3].map(|_| random.vector(1.0));
        let u = [0; 3].map(|_| random.vector(1.0) + 1.5 * DVec3::X);
        let [p, q] = triangle_triangle::closest_points(t, u);
        let found = triangle_triangle::distance_squared(t, u).sqrt();
        assert_close(found, p.distance(q), 1e-15, "points");
        assert!(point_triangle::distance_squared(p, t) < 1e-28 && point_triangle::distance_squared(q, u) < 1e-28);
        let sample = minimum(|s| {
            minimum(|r| {
                let x = lerp([lerp([t[0], t[1]], s), lerp([t[0], t[2]], s)], r);
                point_triangle::distance_squared(x, u).sqrt()
            })
        });
        assert_close(found, sample, 1e-7, "sampled distance");
    }
}

#[test]
fn mesh_intersections_match_brute_force() {
    let mut random = Random::new(8);
    let mut cuts = 0;
    for _ in 0..30 {
        let mesh = |random: &mut Random| {
            let mut mesh = random_hull(random, 25).to_mesh(&Tessellation::default());
            let pose = Pose::from_parts(0.8 * random.vector(1.0), random.rotation());
            mesh.vertices.iter_mut().for_each(|v| *v = pose.transform_point(*v));
            mesh
        };
        let (a, b) = (mesh(&mut random), mesh(&mut random));
        let mut found = Vec::new();
        a.for_intersections(&b, |i, j| found.push((i, j)));
        found.sort_unstable();
        let mut expected = Vec::new();
        for (i, t) in a.all_corners().enumerate() {
            let hit = b.all_corners().enumerate().filter(|(_, u)| triangle_triangle::intersect(t, *u));
            expected.extend(hit.map(|(j, _)| (i as u32, j as u32)));
        }
        assert_eq!(found, expected);
        assert_eq!(a.first_intersection(&b), expected.first().copied());
        cuts += found.len();
    }
    assert!(cuts > 100);
}
