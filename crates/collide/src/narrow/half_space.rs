//! The solid half-space z ≤ 0 of its frame against any convex shape.

use drystone_geometry::{DVec3, Shape};

use super::manifold::{FEATURE_SINGLE, Manifold, Point, reduce};
use super::poly::{Poly, box_poly, box_vertices, hull_poly};
use super::{Query, Scratch, Solid};
use crate::placement::Placement;

/// Contact of a half-space with what stands on it.
pub(crate) fn half_space_convex(
    ground: &Placement,
    solid: &Solid,
    query: &mut Query,
    scratch: &mut Scratch,
) -> Option<Manifold> {
    let up = ground.rotation.z_axis;
    let at = solid.at;
    scratch.points.clear();
    let mut touch = |position1: DVec3, feature: u32| {
        let gap = up.dot(position1 - ground.position);
        if gap <= query.limit {
            scratch.points.push(Point { position0: position1 - up * gap, position1, gap, feature });
        }
    };
    match solid.shape {
        Shape::Sphere { radius } => touch(at.position - up * *radius, FEATURE_SINGLE),
        Shape::Capsule { radius, half_height } => {
            for (end, feature) in [(1.0, 0), (-1.0, 1)] {
                touch(at.position + at.rotation.z_axis * (end * half_height) - up * *radius, feature);
            }
        }
        Shape::Box { half } => poly_points(&box_poly(&box_vertices(*half)), &at, up, &mut touch),
        Shape::Hull(hull) => poly_points(&hull_poly(hull, solid.edges), &at, up, &mut touch),
        _ => return None,
    }
    (!scratch.points.is_empty()).then(|| reduce(up, &scratch.points, &query.anchors, query.slack))
}

/// The corners of the face that looks down, and the lowest corner where that is another.
fn poly_points(poly: &Poly, at: &Placement, up: DVec3, touch: &mut impl FnMut(DVec3, u32)) {
    let down = -at.local_vector(up);
    let ring = poly.face(poly.face_along(down));
    for &vertex in ring {
        touch(at.point(poly.vertices[vertex as usize]), vertex);
    }
    let lowest = poly.support_index(down) as u32;
    if !ring.contains(&lowest) {
        touch(at.point(poly.vertices[lowest as usize]), lowest);
    }
}
