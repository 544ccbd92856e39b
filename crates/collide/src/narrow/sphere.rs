//! Spheres against what has a closest point.

use drystone_geometry::{DVec3, Pose};

use super::manifold::{FEATURE_SINGLE, Point};
use super::{Query, Scratch, Solid};

/// Contact of a sphere (shape 0) and another (shape 1).
pub(crate) fn sphere_sphere(
    (radius0, centre0): (f64, DVec3),
    (radius1, centre1): (f64, DVec3),
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let between = centre1 - centre0;
    let distance = between.length();
    let gap = distance - radius0 - radius1;
    if gap > query.limit {
        return None;
    }
    let normal = if distance > 0.0 { between / distance } else { DVec3::Z };
    let position0 = centre0 + normal * radius0;
    let position1 = centre1 - normal * radius1;
    scratch.single(query, normal, Point { position0, position1, gap, feature: FEATURE_SINGLE })
}

/// Contact of a sphere (shape 0) with any solid that can tell its nearest surface point (shape 1).
pub(crate) fn sphere_solid(
    (radius, centre): (f64, DVec3),
    solid: &Solid,
    query: &Query,
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let nearest = solid.shape.project(&Pose::identity(), solid.at.local_point(centre));
    let gap = nearest.distance - radius;
    if gap > query.limit {
        return None;
    }
    let normal = -solid.at.vector(nearest.normal);
    let position1 = solid.at.point(nearest.point);
    // Along the normal from the other point, which the centre is only up to round-off near the surface.
    let position0 = position1 - normal * gap;
    scratch.single(query, normal, Point { position0, position1, gap, feature: FEATURE_SINGLE })
}
