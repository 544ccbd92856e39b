//! Manifolds of convex shapes from the flat features that face each other.

use drystone_geometry::DVec3;

use super::clip::{Corner, Side, clip};
use super::convex::Convex;
use super::manifold::{Point, reduce};
use super::poly::hash3;
use super::touch::{Touch, witness};
use super::{Query, Scratch};

/// Points where the flat features of both shapes face each other; the closest points where none do.
pub(crate) fn touch_manifold(
    first: &Convex,
    second: &Convex,
    touch: &Touch,
    with_witness: bool,
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let normal = touch.normal;
    first.feature(normal, &mut scratch.reference);
    second.feature(-normal, &mut scratch.polygon);
    scratch.points.clear();
    match (scratch.reference.len(), scratch.polygon.len()) {
        (1, _) | (_, 1) => {}
        (2, 2) => segment_segment(normal, scratch),
        _ => faces(normal, scratch),
    }
    let (radius0, radius1) = (first.radius(), second.radius());
    for point in &mut scratch.points {
        point.position0 += normal * radius0;
        point.position1 -= normal * radius1;
        point.gap -= radius0 + radius1;
    }
    scratch.points.retain(|point| point.gap <= query.limit);
    let single = witness(first, second, touch);
    // Flat features may leave out the deepest point of a tilted round edge.
    if with_witness
        && single.gap <= query.limit
        && scratch.points.iter().all(|point| point.gap > single.gap + 0.1 * query.slack)
    {
        scratch.points.push(single);
    }
    reduce(normal, &mut scratch.points, &query.anchors, query.slack);
    (!scratch.points.is_empty()).then_some(normal)
}

/// Area normal of a polygon; not normalised.
fn area_normal(corners: &[Corner]) -> DVec3 {
    let base = corners[0].position;
    corners.windows(2).map(|pair| (pair[0].position - base).cross(pair[1].position - base)).sum()
}

/// Clips the less flat feature (or the segment) against the sides of the other face.
fn faces(normal: DVec3, scratch: &mut Scratch) {
    let flatness = |corners: &[Corner]| {
        if corners.len() < 3 { -1.0 } else { area_normal(corners).normalize_or_zero().dot(normal).abs() }
    };
    let swapped = flatness(&scratch.polygon) > flatness(&scratch.reference) + 1e-3;
    if swapped {
        std::mem::swap(&mut scratch.reference, &mut scratch.polygon);
    }
    let plane = area_normal(&scratch.reference).normalize_or_zero();
    let base = scratch.reference[0].position;
    let segment = scratch.polygon.len() == 2;
    let first_label = scratch.polygon.len() as u32;
    let outward = if swapped { -normal } else { normal };
    for i in 0..scratch.reference.len() {
        let from = scratch.reference[i].position;
        let to = scratch.reference[(i + 1) % scratch.reference.len()].position;
        let side_normal = (to - from).cross(outward);
        let side = Side { normal: side_normal, offset: side_normal.dot(from), label: first_label + i as u32 };
        clip(&mut scratch.polygon, &mut scratch.spare, &side);
    }
    let slope = plane.dot(outward);
    let mut edge_in = scratch.polygon.last().map_or(0, |corner| corner.edge);
    for corner in &scratch.polygon {
        let feature = hash3(u32::from(swapped) + 2, edge_in, corner.edge);
        edge_in = corner.edge;
        let gap = plane.dot(corner.position - base) / slope;
        let on_plane = corner.position - outward * gap;
        let (position0, position1) = if swapped { (corner.position, on_plane) } else { (on_plane, corner.position) };
        // A clipped segment is walked there and back: its ends come twice.
        let known = segment && scratch.points.iter().any(|p| p.gap == gap && p.position0 == position0);
        if gap.is_finite() && !known {
            scratch.points.push(Point { position0, position1, gap, feature });
        }
    }
}

/// Two segments: the ends of the stretch where they run side by side, if they are nearly parallel.
fn segment_segment(normal: DVec3, scratch: &mut Scratch) {
    let [a0, a1] = [scratch.reference[0].position, scratch.reference[1].position];
    let [b0, b1] = [scratch.polygon[0].position, scratch.polygon[1].position];
    let (along0, along1) = (a1 - a0, b1 - b0);
    let (length0, length1) = (along0.length_squared(), along1.length_squared());
    if along0.cross(along1).length_squared() > 0.03 * length0 * length1 {
        return;
    }
    // Parameters on the second segment where it enters and leaves the stretch of the first.
    let rate = along1.dot(along0) / length0;
    let start = (b0 - a0).dot(along0) / length0;
    let (t0, t1) = (-start / rate, (1.0 - start) / rate);
    let (low, high) = (t0.min(t1).max(0.0), t0.max(t1).min(1.0));
    if low >= high {
        return;
    }
    for (t, feature) in [(low, 0), (high, 1)] {
        let position1 = b0 + along1 * t;
        let s = (start + rate * t).clamp(0.0, 1.0);
        let gap = normal.dot(position1 - (a0 + along0 * s));
        // Exactly along the normal, so that the gap is the distance of the two points.
        let position0 = position1 - normal * gap;
        scratch.points.push(Point { position0, position1, gap, feature: hash3(1, feature, 0) });
    }
}
