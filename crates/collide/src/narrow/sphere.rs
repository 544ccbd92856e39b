//! Spheres against what has a closest point.

use drystone_geometry::DVec3;

use super::Query;
use super::manifold::{FEATURE_SINGLE, Manifold, Point};
use super::poly::Poly;
use crate::placement::Placement;

/// The point of a surface closest to a given point, and the outward normal there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    pub position: DVec3,
    pub normal: DVec3,
    /// Negative inside.
    pub distance: f64,
}

/// Contact of a sphere (shape 0) and another (shape 1).
pub(crate) fn sphere_sphere(
    (radius0, centre0): (f64, DVec3),
    (radius1, centre1): (f64, DVec3),
    query: &Query,
) -> Option<Manifold> {
    let between = centre1 - centre0;
    let distance = between.length();
    let gap = distance - radius0 - radius1;
    if gap > query.limit {
        return None;
    }
    let normal = if distance > 0.0 { between / distance } else { DVec3::Z };
    let position0 = centre0 + normal * radius0;
    let position1 = centre1 - normal * radius1;
    Some(Manifold::single(normal, Point { position0, position1, gap, feature: FEATURE_SINGLE }))
}

/// Contact of a sphere (shape 0) with a shape (shape 1) whose closest point to the centre is known.
pub(crate) fn sphere_surface(radius: f64, centre: DVec3, closest: &Closest, query: &Query) -> Option<Manifold> {
    let gap = closest.distance - radius;
    if gap > query.limit {
        return None;
    }
    let normal = -closest.normal;
    let point =
        Point { position0: centre + normal * radius, position1: closest.position, gap, feature: FEATURE_SINGLE };
    Some(Manifold::single(normal, point))
}

/// Closest point of a box's surface to a point, all in the box's frame.
pub(crate) fn closest_on_box(half: DVec3, point: DVec3) -> Closest {
    let clamped = point.clamp(-half, half);
    let outside = point - clamped;
    let distance = outside.length();
    if distance > 0.0 {
        return Closest { position: clamped, normal: outside / distance, distance };
    }
    let depth = half - point.abs();
    let k = if depth.x <= depth.y && depth.x <= depth.z { 0 } else { 1 + usize::from(depth.z < depth.y) };
    let mut normal = DVec3::ZERO;
    normal[k] = if point[k] >= 0.0 { 1.0 } else { -1.0 };
    Closest { position: point + normal * depth[k], normal, distance: -depth[k] }
}

/// Closest point of a polyhedron's surface to a point, all in its frame.
pub(crate) fn closest_on_poly(poly: &Poly, point: DVec3) -> Closest {
    let height = |face: usize| poly.face_normal[face].dot(point - poly.vertices[poly.face(face)[0] as usize]);
    let mut inside = (0, f64::NEG_INFINITY);
    for face in 0..poly.face_normal.len() {
        let value = height(face);
        if value > inside.1 {
            inside = (face, value);
        }
    }
    if inside.1 <= 0.0 {
        let normal = poly.face_normal[inside.0];
        return Closest { position: point - normal * inside.1, normal, distance: inside.1 };
    }
    let mut best = (DVec3::ZERO, f64::INFINITY);
    for face in (0..poly.face_normal.len()).filter(|&face| height(face) > 0.0) {
        let candidate = closest_on_face(poly, face, point);
        let squared = candidate.distance_squared(point);
        if squared < best.1 {
            best = (candidate, squared);
        }
    }
    let distance = best.1.sqrt();
    Closest { position: best.0, normal: (point - best.0) / distance, distance }
}

fn closest_on_face(poly: &Poly, face: usize, point: DVec3) -> DVec3 {
    let normal = poly.face_normal[face];
    let ring = poly.face(face);
    let mut best = (DVec3::ZERO, f64::INFINITY);
    let mut inside = true;
    for (i, &v) in ring.iter().enumerate() {
        let a = poly.vertices[v as usize];
        let b = poly.vertices[ring[(i + 1) % ring.len()] as usize];
        let edge = b - a;
        inside &= edge.cross(normal).dot(point - a) <= 0.0;
        let t = (edge.dot(point - a) / edge.length_squared()).clamp(0.0, 1.0);
        let candidate = a + edge * t;
        let squared = candidate.distance_squared(point);
        if squared < best.1 {
            best = (candidate, squared);
        }
    }
    if inside { point - normal * normal.dot(point - poly.vertices[ring[0] as usize]) } else { best.0 }
}

/// Contact of a sphere with a shape given in its own frame by a closest-point function.
pub(crate) fn sphere_local(
    radius: f64,
    centre: DVec3,
    at: &Placement,
    query: &Query,
    closest: impl Fn(DVec3) -> Closest,
) -> Option<Manifold> {
    let local = closest(at.local_point(centre));
    let world = Closest { position: at.point(local.position), normal: at.vector(local.normal), ..local };
    sphere_surface(radius, centre, &world, query)
}
