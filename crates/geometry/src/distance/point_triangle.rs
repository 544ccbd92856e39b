//! Point against triangle.

use glamx::DVec3;

use super::point_edge;

/// Which part of a triangle is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Corner 0, 1 or 2.
    Vertex(usize),
    /// The edge from corner k to corner k + 1 (mod 3).
    Edge(usize),
    /// The inside.
    Face,
}

/// The nearest part of the triangle and the weights of its corners at the nearest point.
///
/// The inside wins if the projection falls strictly into the triangle; otherwise the nearest of the three edges
/// does, which is right for any triangle, also one without area.
pub fn closest(p: DVec3, corners: [DVec3; 3]) -> (Region, [f64; 3]) {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let weight = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(normal);
    let (wa, wb, wc) = (weight(b, c), weight(c, a), weight(a, b));
    let total = normal.length_squared();
    if wa > 0.0 && wb > 0.0 && wc > 0.0 && total > 0.0 {
        let sum = wa + wb + wc;
        return (Region::Face, [wa / sum, wb / sum, wc / sum]);
    }
    let mut best = (f64::INFINITY, Region::Vertex(0), [1.0, 0.0, 0.0]);
    for k in 0..3 {
        let next = (k + 1) % 3;
        let (part, t) = point_edge::closest(p, [corners[k], corners[next]]);
        let squared = (corners[k] + t * (corners[next] - corners[k])).distance_squared(p);
        if squared < best.0 {
            let region = match part {
                point_edge::Region::Start => Region::Vertex(k),
                point_edge::Region::End => Region::Vertex(next),
                point_edge::Region::Interior => Region::Edge(k),
            };
            let mut weights = [0.0; 3];
            weights[k] = 1.0 - t;
            weights[next] = t;
            best = (squared, region, weights);
        }
    }
    (best.1, best.2)
}

/// The nearest point of the triangle \[m\].
pub fn closest_point(p: DVec3, corners: [DVec3; 3]) -> DVec3 {
    let (_, [wa, wb, wc]) = closest(p, corners);
    wa * corners[0] + wb * corners[1] + wc * corners[2]
}
