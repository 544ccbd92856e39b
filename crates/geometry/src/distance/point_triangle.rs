//! Point against triangle: seven regions.

use glamx::{DMat3, DVec3};

use super::{Nearest, Slide, point_edge};

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

/// A triangle whose (doubled area / longest side²)² is below this has no usable normal; its edges tell the distance
/// to 1e-12 of its size.
const NO_NORMAL: f64 = 1e-24;

/// The nearest part of the triangle and the weights of its corners at the nearest point.
///
/// The inside wins if the projection falls strictly into the triangle; otherwise the nearest of the three edges
/// does, which is right for any triangle, also one without area.
pub fn closest(p: DVec3, corners: [DVec3; 3]) -> (Region, [f64; 3]) {
    if let Some(weights) = inside_weights(p, corners) {
        return (Region::Face, weights);
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

/// Weights of the corners at the projection of `p`, if it falls inside the triangle.
fn inside_weights(p: DVec3, [a, b, c]: [DVec3; 3]) -> Option<[f64; 3]> {
    let normal = (b - a).cross(c - a);
    let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    let weight = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(normal);
    let (wa, wb, wc) = (weight(b, c), weight(c, a), weight(a, b));
    let inside = wa > 0.0 && wb > 0.0 && wc > 0.0;
    let sum = wa + wb + wc;
    (inside && normal.length_squared() > NO_NORMAL * longest * longest).then(|| [wa / sum, wb / sum, wc / sum])
}

/// The nearest point of the triangle \[m\].
pub fn closest_point(p: DVec3, corners: [DVec3; 3]) -> DVec3 {
    let (_, [wa, wb, wc]) = closest(p, corners);
    wa * corners[0] + wb * corners[1] + wc * corners[2]
}

/// The nearest parts of the stencil (p, corner 0, corner 1, corner 2).
pub fn nearest(p: DVec3, corners: [DVec3; 3]) -> Nearest<4, Region> {
    let [a, b, c] = corners;
    let (region, [wa, wb, wc]) = closest(p, corners);
    let weights = [1.0, -wa, -wb, -wc];
    match region {
        Region::Vertex(k) => Nearest::new(region, weights, p - corners[k], &[]),
        Region::Edge(k) => {
            let next = (k + 1) % 3;
            let mut slide = Slide { weights: [0.0; 4], separation: corners[k] - corners[next] };
            slide.weights[1 + k] = 1.0;
            slide.weights[1 + next] = -1.0;
            let separation = point_edge::across(p - corners[k], corners[next] - corners[k]);
            Nearest::new(region, weights, separation, &[slide])
        }
        Region::Face => {
            // Along the normal: free of the rounding of the weights, which matters when almost touching.
            let normal = (b - a).cross(c - a);
            let separation = normal * ((p - a).dot(normal) / normal.length_squared());
            let slides = [
                Slide { weights: [0.0, 1.0, -1.0, 0.0], separation: a - b },
                Slide { weights: [0.0, 1.0, 0.0, -1.0], separation: a - c },
            ];
            Nearest::new(region, weights, separation, &slides)
        }
    }
}

/// Squared distance \[m²\].
#[inline]
pub fn distance_squared(p: DVec3, corners: [DVec3; 3]) -> f64 {
    nearest(p, corners).distance_squared()
}

/// Derivative of the squared distance by (p, corner 0, corner 1, corner 2) \[m\].
pub fn gradient(p: DVec3, corners: [DVec3; 3]) -> [DVec3; 4] {
    nearest(p, corners).gradient()
}

/// Second derivatives of the squared distance.
pub fn hessian(p: DVec3, corners: [DVec3; 3]) -> [[DMat3; 4]; 4] {
    nearest(p, corners).hessian()
}
