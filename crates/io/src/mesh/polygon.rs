//! Polygons to triangles.

use glamx::DVec3;

/// Cuts a simple polygon into triangles of corner positions `0..n`, keeping its winding. Ear clipping
/// in the plane of the polygon's area vector; a polygon that has no ear left (it crosses itself or
/// has no area) is finished as a fan, so that the surface keeps its edges.
pub(super) fn triangulate(corner: &[DVec3]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..corner.len()).collect();
    let mut triangles = Vec::with_capacity(corner.len().saturating_sub(2));
    let normal = area_vector(corner);
    // The search goes on where it stopped: better triangles than a fan, and no rescan of blocked corners.
    let mut from = 0;
    while left.len() > 3 {
        let n = left.len();
        let Some(ear) = (0..n).map(|k| (from + k) % n).find(|&k| is_ear(corner, &left, k, normal)) else { break };
        triangles.push(around(&left, ear));
        left.remove(ear);
        from = ear;
    }
    for k in 1..left.len().saturating_sub(1) {
        triangles.push([left[0], left[k], left[k + 1]]);
    }
    triangles
}

/// Twice the area of the polygon along its normal (Newell's sum, taken about the first corner so that
/// a polygon far from the origin loses no digits).
fn area_vector(corner: &[DVec3]) -> DVec3 {
    let Some(&first) = corner.first() else { return DVec3::ZERO };
    corner.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum()
}

fn around(left: &[usize], k: usize) -> [usize; 3] {
    let n = left.len();
    [left[(k + n - 1) % n], left[k], left[(k + 1) % n]]
}

/// Whether the corner `left[k]` is convex and no other corner lies in its triangle.
fn is_ear(corner: &[DVec3], left: &[usize], k: usize, normal: DVec3) -> bool {
    let [a, b, c] = around(left, k).map(|i| corner[i]);
    let side = |p: DVec3, q: DVec3, r: DVec3| (q - p).cross(r - p).dot(normal);
    // A NaN (overflowing coordinates) reads as "no ear".
    let convex = side(a, b, c) > 0.0;
    convex
        && !left.iter().any(|&i| {
            let p = corner[i];
            // Corners that coincide with the ear's own do not obstruct it (keyhole polygons have them).
            p != a && p != b && p != c && side(a, b, p) >= 0.0 && side(b, c, p) >= 0.0 && side(c, a, p) >= 0.0
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(corner: &[DVec3], triangles: &[[usize; 3]]) -> f64 {
        triangles.iter().map(|t| 0.5 * (corner[t[1]] - corner[t[0]]).cross(corner[t[2]] - corner[t[0]]).z).sum()
    }

    fn polygon(xy: &[[f64; 2]]) -> Vec<DVec3> {
        xy.iter().map(|p| DVec3::new(p[0], p[1], 0.0)).collect()
    }

    #[test]
    fn convex_and_concave_polygons_keep_their_area_without_overlap() {
        let square = polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let arrow = polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.5], [0.0, 2.0]]);
        for (corner, exact) in [(square, 1.0), (arrow, 2.5)] {
            let triangles = triangulate(&corner);
            assert_eq!(triangles.len(), corner.len() - 2);
            assert!((area(&corner, &triangles) - exact).abs() < 1e-14);
            // Overlap would need a triangle wound the other way to keep the sum.
            for t in &triangles {
                assert!(area(&corner, &[*t]) > 0.0, "{t:?}");
            }
        }
    }

    #[test]
    fn star_polygons_of_many_corners() {
        let n = 101;
        let corner: Vec<DVec3> = (0..2 * n)
            .map(|k| {
                let angle = std::f64::consts::PI * k as f64 / n as f64;
                let radius = if k % 2 == 0 { 2.0 } else { 1.0 };
                DVec3::new(radius * angle.cos(), radius * angle.sin(), 0.0)
            })
            .collect();
        let exact = 2.0 * n as f64 * 0.5 * 2.0 * (std::f64::consts::PI / n as f64).sin();
        let triangles = triangulate(&corner);
        assert!((area(&corner, &triangles) - exact).abs() < 1e-12);
        assert!(triangles.iter().all(|t| area(&corner, &[*t]) > 0.0));
    }

    #[test]
    fn degenerate_polygons_do_not_hang_or_panic() {
        assert!(triangulate(&[]).is_empty());
        assert!(triangulate(&[DVec3::ZERO; 2]).is_empty());
        assert_eq!(triangulate(&[DVec3::ZERO; 6]).len(), 4);
        assert_eq!(triangulate(&[DVec3::splat(1e300), DVec3::ZERO, DVec3::splat(-1e300), DVec3::X]).len(), 2);
    }
}
