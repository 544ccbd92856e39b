//! The solid half-space z ≤ 0 of its frame against any convex shape.

use drystone_geometry::{DVec3, Shape};

use super::convex::Convex;
use super::manifold::{Point, reduce};
use super::poly::{Poly, box_poly, box_vertices, hull_poly};
use super::{Query, Scratch, Solid};
use crate::placement::Placement;

/// Contact of a half-space with what stands on it.
pub(crate) fn half_space_convex(
    ground: &Placement,
    solid: &Solid,
    query: &mut Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
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
        Shape::Box { half } => poly_points(&box_poly(&box_vertices(*half)), at, up, &mut touch),
        Shape::Hull(hull) => poly_points(&hull_poly(hull), at, up, &mut touch),
        Shape::Mesh(mesh) => {
            for (i, &vertex) in mesh.vertices.iter().enumerate() {
                touch(at.point(vertex), i as u32);
            }
        }
        _ => {
            let convex = Convex::new(solid);
            let foot = up * convex.radius();
            convex.feature(-up, &mut scratch.polygon);
            let mut lowest = f64::INFINITY;
            for corner in &scratch.polygon {
                lowest = lowest.min(up.dot(corner.position));
                touch(corner.position - foot, corner.edge);
            }
            // A tilted cap touches between the corners that stand for it.
            let bottom = at.position + convex.support(-up);
            if up.dot(bottom) < lowest - 0.1 * query.slack {
                touch(bottom - foot, u32::MAX);
            }
        }
    }
    reduce(up, &mut scratch.points, &query.anchors, query.slack);
    (!scratch.points.is_empty()).then_some(up)
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
