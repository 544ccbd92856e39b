//! Distances against brute force, their derivatives against finite differences.

use drystone_geometry::distance::{Nearest, edge_edge, mollifier, point_edge, point_point, point_triangle};
use drystone_geometry::{DMat3, DVec3};

use crate::common::{Random, assert_close, assert_near, for_seeds};

/// Gradient and Hessian of a squared distance against central differences of the value and of the gradient.
fn assert_derivatives<const N: usize, R>(
    x: [DVec3; N],
    nearest: impl Fn([DVec3; N]) -> Nearest<N, R>,
    gradient_tolerance: f64,
    hessian_tolerance: f64,
) {
    let here = nearest(x);
    let (gradient, hessian) = (here.gradient(), here.hessian());
    let size = x.iter().map(|p| p.distance(x[0])).fold(0.0, f64::max);
    let h = 1e-6 * size;
    for k in 0..N {
        for axis in 0..3 {
            let moved = |sign: f64| {
                let mut y = x;
                y[k][axis] += sign * h;
                nearest(y)
            };
            let (plus, minus) = (moved(1.0), moved(-1.0));
            let slope = (plus.distance_squared() - minus.distance_squared()) / (2.0 * h);
            assert_close(gradient[k][axis], slope, gradient_tolerance * size, "gradient");
            for l in 0..N {
                let column = (plus.gradient()[l] - minus.gradient()[l]) / (2.0 * h);
                assert_near(hessian[l][k].col(axis), column, hessian_tolerance, "Hessian");
                assert_eq!(hessian[l][k], hessian[k][l].transpose());
            }
        }
    }
}

/// Smallest value of a convex function on [0, 1] by golden-section search.
pub fn minimum(f: impl Fn(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5f64.sqrt() - 1.0);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..90 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if f(a) < f(b) { high = b } else { low = a }
    }
    f(0.5 * (low + high)).min(f(0.0)).min(f(1.0))
}

pub fn lerp([a, b]: [DVec3; 2], t: f64) -> DVec3 {
    a + t * (b - a)
}

/// Distance of a point and a triangle as nested one-dimensional minimisation: knows nothing of regions.
fn searched_point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    minimum(|s| minimum(|t| lerp([lerp([a, b], s), lerp([a, c], s)], t).distance(p)))
}

fn searched_edge_edge(first: [DVec3; 2], second: [DVec3; 2]) -> f64 {
    minimum(|s| minimum(|t| lerp(first, s).distance(lerp(second, t))))
}

/// Random stencils over many sizes, with squashed and nearly parallel ones among them.
fn stencil(random: &mut Random, round: usize) -> [DVec3; 4] {
    let mut x = [0; 4].map(|_| random.vector(1.0));
    match round % 5 {
        1 => x[1] = x[0] + 0.3 * random.vector(1.0),
        2 => x.iter_mut().for_each(|p| p.z *= 1e-3),
        3 => x[3] = x[2] + (x[1] - x[0]) * (0.5 + random.unit()) + 1e-4 * random.vector(1.0),
        _ => {}
    }
    let scale = [1.0, 1e-6, 1e5][round / 5 % 3];
    x.map(|p| scale * p)
}

#[test]
fn point_point_is_a_parabola() {
    let mut random = Random::new(1);
    for _ in 0..20 {
        assert_derivatives([random.vector(1.0), random.vector(1.0)], |[p, q]| point_point::nearest(p, q), 1e-8, 1e-8);
    }
    assert_eq!(point_point::hessian(DVec3::X, DVec3::Y)[0][1], DMat3::from_diagonal(DVec3::splat(-2.0)));
    assert_eq!(point_point::gradient(DVec3::X, DVec3::ZERO), [2.0 * DVec3::X, -2.0 * DVec3::X]);
    assert_eq!(point_point::distance_squared(DVec3::X, DVec3::Y), 2.0);
}

#[test]
fn point_edge_in_all_three_regions() {
    use point_edge::Region;
    let edge = [DVec3::ZERO, DVec3::X];
    let mut random = Random::new(2);
    for (x, region) in [(-0.5, Region::Start), (0.4, Region::Interior), (1.7, Region::End)] {
        let p = DVec3::new(x, 0.3, -0.6);
        assert_eq!(point_edge::nearest(p, edge).region, region);
        assert_close(point_edge::distance_squared(p, edge), point_edge::nearest(p, edge).distance_squared(), 1e-15, "");
    }
    for round in 0..300 {
        let [p, a, b, _] = stencil(&mut random, round);
        let size = a.distance(b).max(a.distance(p));
        let searched = minimum(|t| lerp([a, b], t).distance(p));
        assert_close(point_edge::distance_squared(p, [a, b]).sqrt(), searched, 1e-9 * size, "distance");
        assert_derivatives([p, a, b], |[p, a, b]| point_edge::nearest(p, [a, b]), 1e-8, 1e-6);
    }
}

#[test]
fn point_triangle_names_all_seven_regions() {
    use point_triangle::Region;
    let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let cases = [
        ((-0.5, -0.5), Region::Vertex(0)),
        ((1.5, -0.1), Region::Vertex(1)),
        ((-0.1, 1.5), Region::Vertex(2)),
        ((0.5, -0.5), Region::Edge(0)),
        ((0.8, 0.8), Region::Edge(1)),
        ((-0.5, 0.5), Region::Edge(2)),
        ((0.3, 0.3), Region::Face),
    ];
    for ((x, y), region) in cases {
        for z in [0.0, 0.7, -2.0] {
            let p = DVec3::new(x, y, z);
            assert_eq!(point_triangle::nearest(p, triangle).region, region);
            let stencil = [p, triangle[0], triangle[1], triangle[2]];
            assert_derivatives(stencil, |[p, a, b, c]| point_triangle::nearest(p, [a, b, c]), 1e-8, 1e-7);
        }
    }
}

#[test]
fn point_triangle_matches_search_and_finite_differences() {
    let mut random = Random::new(3);
    for round in 0..300 {
        let [p, a, b, c] = stencil(&mut random, round);
        let size = a.distance(b).max(a.distance(c)).max(a.distance(p));
        let found = point_triangle::distance_squared(p, [a, b, c]).sqrt();
        assert_close(found, searched_point_triangle(p, [a, b, c]), 1e-8 * size, "distance");
        let point = point_triangle::closest_point(p, [a, b, c]);
        assert_close(found, point.distance(p), 1e-12 * size, "closest point");
        assert_derivatives([p, a, b, c], |[p, a, b, c]| point_triangle::nearest(p, [a, b, c]), 1e-8, 2e-5);
    }
}

#[test]
fn triangles_without_area_are_edges() {
    let p = DVec3::new(0.5, 1.0, 2.0);
    let needle = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
    assert_close(point_triangle::distance_squared(p, needle), 5.0, 1e-14, "needle");
    let speck = [DVec3::ONE; 3];
    assert_close(point_triangle::distance_squared(p, speck), 1.25, 1e-14, "speck");
    assert!(point_triangle::hessian(p, speck).iter().flatten().all(|b| b.is_finite()));
}

#[test]
fn edge_edge_names_all_nine_regions() {
    use edge_edge::Region;
    let first = [DVec3::ZERO, DVec3::X];
    let upright = |x: f64, y0: f64, y1: f64| [DVec3::new(x, y0, 0.3), DVec3::new(x + 0.1, y1, 0.4)];
    let cases = [
        (upright(0.5, -1.0, 1.0), Region::Inside),
        (upright(0.5, 0.5, 1.0), Region::InsideEnd(0)),
        (upright(0.5, -1.0, -0.5), Region::InsideEnd(1)),
        (upright(-0.8, -1.0, 1.0), Region::EndInside(0)),
        (upright(1.8, -1.0, 1.0), Region::EndInside(1)),
        (upright(-0.8, 0.5, 1.0), Region::EndEnd(0, 0)),
        (upright(-0.8, -1.0, -0.5), Region::EndEnd(0, 1)),
        (upright(1.8, 0.5, 1.0), Region::EndEnd(1, 0)),
        (upright(1.8, -1.0, -0.5), Region::EndEnd(1, 1)),
    ];
    for (second, region) in cases {
        assert_eq!(edge_edge::nearest(first, second).region, region);
        let stencil = [first[0], first[1], second[0], second[1]];
        assert_derivatives(stencil, |[a, b, c, d]| edge_edge::nearest([a, b], [c, d]), 1e-8, 1e-6);
    }
}

#[test]
fn edge_edge_matches_search_and_finite_differences() {
    let mut random = Random::new(4);
    for round in 0..300 {
        let [a, b, c, d] = stencil(&mut random, round);
        let size = a.distance(b).max(c.distance(d)).max(a.distance(c));
        let found = edge_edge::distance_squared([a, b], [c, d]).sqrt();
        assert_close(found, searched_edge_edge([a, b], [c, d]), 1e-8 * size, "distance");
        let [p, q] = edge_edge::closest_points([a, b], [c, d]);
        assert_close(found, p.distance(q), 1e-12 * size, "closest points");
        // Nearly parallel edges have huge second derivatives, which differences cannot follow.
        let sine = (b - a).normalize().cross((d - c).normalize()).length();
        if sine > 0.05 {
            assert_derivatives([a, b, c, d], |[a, b, c, d]| edge_edge::nearest([a, b], [c, d]), 1e-8, 1e-4);
        }
    }
}

#[test]
fn nearly_parallel_edges_keep_their_distance_to_rounding() {
    for_seeds(50, nearly_parallel_edges);
}

fn nearly_parallel_edges(random: &mut Random) {
    // Edges crossing at a small angle, at a known distance: 0.125 above each other over the middle.
    for exponent in 1..20 {
        let tilt = 10f64.powi(-exponent);
        let first = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0)];
        let second = [DVec3::new(-1.0, -tilt, 0.125), DVec3::new(1.0, tilt, 0.125)];
        let rotation = random.rotation();
        let turned = |e: [DVec3; 2]| e.map(|p| rotation * p);
        let distance = edge_edge::distance_squared(turned(first), turned(second)).sqrt();
        assert_close(distance, 0.125, 4e-16 + 4e-8 * f64::EPSILON / tilt, "distance");
        // Touching: the crossing must be found although the edges are almost the same line.
        let touching = [DVec3::new(-1.0, -tilt, 0.0), DVec3::new(1.0, tilt, 0.0)];
        let distance = edge_edge::distance_squared(turned(first), turned(touching)).sqrt();
        // Ends that are each other's opposite stay so when they are turned: both edges go through the origin exactly, with s =
        // t = 1/2. Of s u, w + s u and t v, each as long as the vector to an end, every component is rounded once, by ε/2
        // of it; their difference is exact. Together 3 ε/2. Edges that count as parallel are apart by less at their ends.
        assert!(distance <= 1.51 * f64::EPSILON, "tilt {tilt:e}: {distance:e}");
    }
}

#[test]
fn parallel_and_pointlike_edges_are_well_defined() {
    let first = [DVec3::ZERO, DVec3::X];
    let overlapping = [DVec3::new(0.25, 0.5, 0.0), DVec3::new(2.0, 0.5, 0.0)];
    let apart = [DVec3::new(3.0, 1.0, 0.0), DVec3::new(2.0, 1.0, 0.0)];
    assert_eq!(edge_edge::distance_squared(first, overlapping), 0.25);
    assert_eq!(edge_edge::distance_squared(first, apart), 2.0);
    let point = [DVec3::new(0.5, 0.0, 2.0); 2];
    assert_eq!(edge_edge::distance_squared(first, point), 4.0);
    assert_eq!(edge_edge::distance_squared(point, first), 4.0);
    assert_eq!(edge_edge::distance_squared(point, point), 0.0);
    for second in [overlapping, apart, point] {
        assert!(edge_edge::hessian(first, second).iter().flatten().all(|b| b.is_finite()));
    }
}

#[test]
fn the_mollifier_is_smooth_and_matches_finite_differences() {
    let mut random = Random::new(5);
    for round in 0..100 {
        let [a, b, c, mut d] = [0; 4].map(|_| random.vector(1.0));
        if round % 2 == 0 {
            d = c + (b - a) + 0.02 * random.vector(1.0);
        }
        let rest = mollifier::threshold([a, b], [c, d]);
        // Stay clear of the join at c = ε, where the second derivative jumps.
        let epsilon = if round % 2 == 0 { 30.0 * rest } else { rest };
        let x = [a, b, c, d];
        let at = |x: [DVec3; 4]| mollifier::mollifier([x[0], x[1]], [x[2], x[3]], epsilon);
        let here = at(x);
        assert_eq!(here.value < 1.0, round % 2 == 0 || mollifier::cross_squared_value([a, b], [c, d]) < epsilon);
        let h = 1e-6;
        for k in 0..4 {
            for axis in 0..3 {
                let moved = |sign: f64| {
                    let mut y = x;
                    y[k][axis] += sign * h;
                    at(y)
                };
                let (plus, minus) = (moved(1.0), moved(-1.0));
                let largest = here.hessian.iter().flatten().flat_map(|b| b.to_cols_array()).fold(1.0, f64::max);
                assert_close(here.gradient[k][axis], (plus.value - minus.value) / (2.0 * h), 1e-7 * largest, "slope");
                for l in 0..4 {
                    let column = (plus.gradient[l] - minus.gradient[l]) / (2.0 * h);
                    assert_near(here.hessian[l][k].col(axis), column, 1e-5 * largest, "curvature");
                }
            }
        }
    }
    assert_eq!(mollifier::fade(0.0, 2.0), [0.0, 1.0, -0.5]);
    assert_eq!(mollifier::fade(2.0, 2.0), [1.0, 0.0, 0.0]);
}

/// Near contact, the second derivatives of the distance are those of the slides alone.
#[test]
fn slides_give_the_curvature_of_the_distance_near_contact() {
    let [a, b, c] = [DVec3::new(0.1, -0.2, 0.3), DVec3::new(1.3, 0.2, 0.1), DVec3::new(0.2, 1.1, -0.1)];
    let normal = (b - a).cross(c - a).normalize();
    let point = 0.3 * a + 0.3 * b + 0.4 * c + 1e-7 * normal;
    let (u, v) = ([a - 0.1 * c, b], [DVec3::new(0.5, -0.4, 0.0), DVec3::new(0.6, 0.9, 0.4)]);
    let across = (u[1] - u[0]).cross(v[1] - v[0]).normalize();
    let apart = edge_edge::closest_points(u, v);
    let v = v.map(|p| p + (apart[0] - apart[1]) - 1e-7 * across);
    let triangle = point_triangle::nearest(point, [a, b, c]);
    let edges = edge_edge::nearest(u, v);
    compare(triangle.weights, triangle.separation, triangle.hessian(), triangle.slides().collect());
    compare(edges.weights, edges.separation, edges.hessian(), edges.slides().collect());

    fn compare(w: [f64; 4], r: DVec3, of_square: [[DMat3; 4]; 4], slides: Vec<([f64; 4], DVec3)>) {
        assert_eq!(slides.len(), 2);
        let (d, n) = (r.length(), r.normalize());
        let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        for k in 0..4 {
            for l in 0..4 {
                let exact = (of_square[k][l] * 0.5 - outer(w[k] * n, w[l] * n)) * (1.0 / d);
                let mut sum = DMat3::ZERO;
                for (dw, dual) in &slides {
                    sum -= outer(dw[k] * n, w[l] * *dual) + outer(w[k] * *dual, dw[l] * n);
                }
                let off = (exact - sum).abs().to_cols_array().into_iter().fold(0.0, f64::max);
                assert!(off < 1e-5, "{k} {l}: {exact} {sum}");
            }
        }
    }
}
