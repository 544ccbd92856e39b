//! Point against edge (segment).

use glamx::DVec3;

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
