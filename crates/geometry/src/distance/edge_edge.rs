//! Edge against edge: nine regions, and parallel edges.

use glamx::{DMat3, DVec3};

use super::{Nearest, Slide, point_edge};

/// Which parts of two edges are nearest to each other. Ends are 0 (start) and 1 (end).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// An end of the first and an end of the second edge.
    EndEnd(usize, usize),
    /// An end of the first edge and the inside of the second.
    EndInside(usize),
    /// The inside of the first edge and an end of the second.
    InsideEnd(usize),
    /// The insides of both.
    Inside,
}

/// Edges count as parallel below this squared sine of their angle: the rounding of their directions. Crossing points
/// are found from the parts perpendicular to the second edge, so distances keep all digits down to there.
const PARALLEL: f64 = 1e-31;

/// Below this squared sine of the angle the perpendicular part of an edge has lost digits to the edge itself, and its
/// direction must be made perpendicular once more.
const NEARLY_PARALLEL: f64 = 1e-20;

/// From this squared sine of the angle on, the common normal of the edges is known to almost all digits.
const GOOD_NORMAL: f64 = 1e-4;

/// The nearest parts and where they are on the first and on the second edge: 0 at the start, 1 at the end.
///
/// The insides win if the lines come closest strictly inside both edges; otherwise the nearest of the four pairs of
/// an end and an edge does, which is right for any edges, also parallel ones and ones without length.
pub fn closest(first: [DVec3; 2], second: [DVec3; 2]) -> (Region, [f64; 2]) {
    if let Some(crossing) = inside_crossing(first, second) {
        return (Region::Inside, crossing);
    }
    let mut best = (f64::INFINITY, Region::EndEnd(0, 0), [0.0, 0.0]);
    for end in 0..2 {
        let (part, t) = point_edge::closest(first[end], second);
        let squared = (second[0] + t * (second[1] - second[0])).distance_squared(first[end]);
        if squared < best.0 {
            let region = end_of(part).map_or(Region::EndInside(end), |other| Region::EndEnd(end, other));
            best = (squared, region, [end as f64, t]);
        }
    }
    for end in 0..2 {
        let (part, s) = point_edge::closest(second[end], first);
        let squared = (first[0] + s * (first[1] - first[0])).distance_squared(second[end]);
        if squared < best.0 {
            let region = end_of(part).map_or(Region::InsideEnd(end), |other| Region::EndEnd(other, end));
            best = (squared, region, [s, end as f64]);
        }
    }
    (best.1, best.2)
}

fn end_of(part: point_edge::Region) -> Option<usize> {
    match part {
        point_edge::Region::Start => Some(0),
        point_edge::Region::End => Some(1),
        point_edge::Region::Interior => None,
    }
}

/// Where the lines come closest, if strictly inside both edges.
fn inside_crossing([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<[f64; 2]> {
    let (u, v, w) = (b - a, d - c, a - c);
    let v_squared = v.length_squared();
    let across = |x: DVec3| x - v * (x.dot(v) / v_squared);
    let (mut u_across, w_across) = (across(u), across(w));
    if u_across.length_squared() < NEARLY_PARALLEL * u.length_squared() {
        u_across = across(u_across);
    }
    let across_squared = u_across.length_squared();
    // NaN: the second edge has no length.
    if across_squared.is_nan() || across_squared <= PARALLEL * u.length_squared() {
        return None;
    }
    let s = -w_across.dot(u_across) / across_squared;
    let t = (w + s * u).dot(v) / v_squared;
    (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0).then_some([s, t])
}

/// The nearest points of both edges \[m\].
pub fn closest_points(first: [DVec3; 2], second: [DVec3; 2]) -> [DVec3; 2] {
    let (_, [s, t]) = closest(first, second);
    [first[0] + s * (first[1] - first[0]), second[0] + t * (second[1] - second[0])]
}

/// The nearest parts of the stencil (first start, first end, second start, second end).
pub fn nearest(first: [DVec3; 2], second: [DVec3; 2]) -> Nearest<4, Region> {
    let (u, v) = (first[1] - first[0], second[1] - second[0]);
    let (region, [s, t]) = closest(first, second);
    let weights = [1.0 - s, s, t - 1.0, -t];
    let on_first = Slide { weights: [-1.0, 1.0, 0.0, 0.0], separation: u };
    let on_second = Slide { weights: [0.0, 0.0, 1.0, -1.0], separation: -v };
    match region {
        Region::EndEnd(i, j) => Nearest::new(region, weights, first[i] - second[j], &[]),
        Region::EndInside(i) => {
            Nearest::new(region, weights, point_edge::across(first[i] - second[0], v), &[on_second])
        }
        Region::InsideEnd(j) => Nearest::new(region, weights, point_edge::across(first[0] - second[j], u), &[on_first]),
        Region::Inside => {
            let (normal, w) = (u.cross(v), first[0] - second[0]);
            let good = normal.length_squared() > GOOD_NORMAL * u.length_squared() * v.length_squared();
            // Along the normal: free of the rounding of s and t. Nearly parallel edges have no good normal; there the rounding
            // of t, along the edges, is taken out.
            let separation = match good {
                true => normal * (w.dot(normal) / normal.length_squared()),
                false => point_edge::across(w + s * u - t * v, v),
            };
            Nearest::new(region, weights, separation, &[on_first, on_second])
        }
    }
}

/// Squared distance \[m²\].
#[inline]
pub fn distance_squared(first: [DVec3; 2], second: [DVec3; 2]) -> f64 {
    nearest(first, second).distance_squared()
}

/// Derivative of the squared distance by (first start, first end, second start, second end) \[m\].
pub fn gradient(first: [DVec3; 2], second: [DVec3; 2]) -> [DVec3; 4] {
    nearest(first, second).gradient()
}

/// Second derivatives of the squared distance.
pub fn hessian(first: [DVec3; 2], second: [DVec3; 2]) -> [[DMat3; 4]; 4] {
    nearest(first, second).hessian()
}
