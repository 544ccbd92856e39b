//! Point against edge (segment).

use glamx::{DMat3, DVec3};

use super::{Nearest, Slide};

/// Which part of an edge is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The first end.
    Start,
    /// The second end.
    End,
    /// A point in between.
    Interior,
}

/// The nearest part of the edge and where it is: 0 at the start, 1 at the end.
#[inline]
pub fn closest(p: DVec3, [a, b]: [DVec3; 2]) -> (Region, f64) {
    let u = b - a;
    let (along, length) = ((p - a).dot(u), u.length_squared());
    if along <= 0.0 || length == 0.0 {
        (Region::Start, 0.0)
    } else if along >= length {
        (Region::End, 1.0)
    } else {
        (Region::Interior, along / length)
    }
}

/// The nearest point of the edge \[m\].
pub fn closest_point(p: DVec3, edge: [DVec3; 2]) -> DVec3 {
    let (_, t) = closest(p, edge);
    edge[0] + t * (edge[1] - edge[0])
}

/// The nearest parts of the stencil (p, edge start, edge end).
pub fn nearest(p: DVec3, edge: [DVec3; 2]) -> Nearest<3, Region> {
    let [a, b] = edge;
    match closest(p, edge) {
        (Region::Start, _) => Nearest::new(Region::Start, [1.0, -1.0, 0.0], p - a, &[]),
        (Region::End, _) => Nearest::new(Region::End, [1.0, 0.0, -1.0], p - b, &[]),
        (Region::Interior, t) => {
            let slide = Slide { weights: [0.0, 1.0, -1.0], separation: a - b };
            Nearest::new(Region::Interior, [1.0, t - 1.0, -t], across(p - a, b - a), &[slide])
        }
    }
}

/// The part of `w` perpendicular to `u`; taken off twice, because the first leaves rounding along `u` behind.
pub(super) fn across(w: DVec3, u: DVec3) -> DVec3 {
    let once = w - u * (w.dot(u) / u.length_squared());
    once - u * (once.dot(u) / u.length_squared())
}

/// Squared distance \[m²\].
#[inline]
pub fn distance_squared(p: DVec3, edge: [DVec3; 2]) -> f64 {
    closest_point(p, edge).distance_squared(p)
}

/// Derivative of the squared distance by (p, edge start, edge end) \[m\].
pub fn gradient(p: DVec3, edge: [DVec3; 2]) -> [DVec3; 3] {
    nearest(p, edge).gradient()
}

/// Second derivatives of the squared distance.
pub fn hessian(p: DVec3, edge: [DVec3; 2]) -> [[DMat3; 3]; 3] {
    nearest(p, edge).hessian()
}
