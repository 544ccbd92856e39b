//! What solids of revolution about Z share: outlines in the half-plane (ρ, z), rims, tubes and discs.

use drystone_kernels::elementary::{cos, sin, sin_cos};
use std::f64::consts::{PI, TAU};

use glamx::{DVec2, DVec3};

use super::Projection;
use super::solid::direction_or;
use crate::ray::{EarliestHit, half_quadratic_roots};
use crate::{Ray, TriMesh};

/// Fewest pieces around a circle that still enclose a volume.
const MIN_SEGMENTS: usize = 3;

/// Unit vector from the axis to `p`; +X on the axis itself.
pub(super) fn radial(p: DVec3) -> DVec3 {
    direction_or(DVec3::new(p.x, p.y, 0.0), DVec3::X)
}

/// The point of the circle of `radius` about the axis at z = 0 furthest along `direction`.
pub(super) fn rim(radius: f64, direction: DVec3) -> DVec3 {
    radius * radial(direction)
}

/// Times at which the line of `ray` crosses the infinite tube of `radius` about the axis.
pub(super) fn tube_crossings(ray: &Ray, radius: f64) -> Option<[f64; 2]> {
    let (o, d) = (ray.origin.truncate(), ray.direction.truncate());
    let a = d.length_squared();
    if a == 0.0 {
        return None;
    }
    let middle = -o.dot(d) / a;
    let approach = o + middle * d;
    let [t0, t1] = half_quadratic_roots(a, approach.dot(d), approach.length_squared() - radius * radius)?;
    Some([middle + t0, middle + t1])
}

/// Offers the crossing of the disc of `radius` about the axis at height `z`.
pub(super) fn offer_disc(earliest: &mut EarliestHit, ray: &Ray, z: f64, radius: f64, normal: DVec3) {
    let time = (z - ray.origin.z) / ray.direction.z;
    if time.is_finite() && ray.at(time).truncate().length_squared() <= radius * radius {
        earliest.offer(time, || normal);
    }
}

/// Nearest surface point of the solid whose convex half outline runs from the top of the axis to its bottom.
pub(super) fn project(profile: &[(f64, f64)], point: DVec3) -> Projection {
    let out = radial(point);
    let flat = DVec2::new(point.truncate().length(), point.z);
    let mut inside = true;
    let (mut nearest, mut edge_normal, mut best) = (DVec2::ZERO, DVec2::Y, f64::INFINITY);
    for pair in profile.windows(2) {
        let (a, b) = (DVec2::from(pair[0]), DVec2::from(pair[1]));
        let along = b - a;
        let normal = DVec2::new(-along.y, along.x).normalize();
        inside &= (flat - a).dot(normal) <= 0.0;
        let candidate = a + ((flat - a).dot(along) / along.length_squared()).clamp(0.0, 1.0) * along;
        let squared = flat.distance_squared(candidate);
        if squared < best {
            (nearest, edge_normal, best) = (candidate, normal, squared);
        }
    }
    let lift = |v: DVec2| v.x * out + v.y * DVec3::Z;
    let distance = best.sqrt();
    let away = if inside { edge_normal } else { (flat - nearest).try_normalize().unwrap_or(edge_normal) };
    Projection { point: lift(nearest), normal: lift(away), distance: if inside { -distance } else { distance } }
}

/// Rings of a quarter circle for `segments` pieces around the full one.
pub(super) fn quarter_steps(segments: usize) -> usize {
    (segments.max(MIN_SEGMENTS).div_ceil(4)).max(2)
}

/// Closed mesh of the solid whose half outline runs from the top of the axis to its bottom.
pub(super) fn mesh(segments: usize, profile: &[(f64, f64)]) -> TriMesh {
    let n = segments.max(MIN_SEGMENTS);
    let rings = &profile[1..profile.len() - 1];
    let mut vertices = vec![DVec3::Z * profile[0].1];
    for &(rho, z) in rings {
        vertices.extend((0..n).map(|k| {
            let (sin, cos) = sin_cos(TAU * k as f64 / n as f64);
            DVec3::new(rho * cos, rho * sin, z)
        }));
    }
    vertices.push(DVec3::Z * profile[profile.len() - 1].1);
    let (n, bottom) = (n as u32, vertices.len() as u32 - 1);
    let last_ring = 1 + n * (rings.len() as u32 - 1);
    let mut triangles = Vec::with_capacity(2 * n as usize * rings.len());
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.push([0, 1 + k, 1 + next]);
        for ring in 0..rings.len() as u32 - 1 {
            let (upper, lower) = (1 + n * ring, 1 + n * (ring + 1));
            triangles.push([upper + k, lower + k, lower + next]);
            triangles.push([upper + k, lower + next, upper + next]);
        }
        triangles.push([last_ring + next, last_ring + k, bottom]);
    }
    TriMesh { vertices, triangles }
}

/// Closed mesh of the image of the unit sphere under `place`.
pub(super) fn ball_mesh(segments: usize, place: impl Fn(DVec3) -> DVec3) -> TriMesh {
    let steps = 2 * quarter_steps(segments);
    let profile: Vec<_> = (0..=steps)
        .map(|k| {
            let angle = PI * k as f64 / steps as f64;
            (sin(angle), cos(angle))
        })
        .collect();
    let mut unit = mesh(segments, &profile);
    unit.vertices.iter_mut().for_each(|v| *v = place(*v));
    unit
}
