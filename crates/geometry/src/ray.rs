//! Rays and what they hit.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::Pose;

/// A half-line `origin + time * direction`, `time ≥ 0`. The direction need not be a unit vector:
/// times are in units of its length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ray {
    /// Where the ray starts \[m\].
    pub origin: DVec3,
    /// Where it goes; with a unit vector times are distances \[m\].
    pub direction: DVec3,
}

/// The first crossing of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RayHit {
    /// Time along the ray, in units of the direction's length.
    pub time: f64,
    /// Outward unit normal of the surface at the hit. It points along the ray if the ray leaves the solid.
    pub normal: DVec3,
}

impl Ray {
    /// A ray from `origin` \[m\] along `direction`.
    pub fn new(origin: DVec3, direction: DVec3) -> Self {
        Self { origin, direction }
    }

    /// The point reached at `time` \[m\].
    pub fn at(&self, time: f64) -> DVec3 {
        self.origin + time * self.direction
    }

    /// The same ray seen from the frame placed at `pose`; times stay the same.
    pub fn into_frame(&self, pose: &Pose) -> Self {
        Self {
            origin: pose.inverse_transform_point(self.origin),
            direction: pose.inverse_transform_vector(self.direction),
        }
    }

    /// When the ray's line passes through a triangle, from either side; its border counts as inside.
    ///
    /// No line slips through between the triangles of a closed mesh: corners are moved to a plane across the ray, each
    /// in the same way for all its triangles, and the sign of a difference of two products is never rounded to the
    /// opposite one.
    pub fn cross_triangle(&self, corners: [DVec3; 3]) -> Option<f64> {
        let d = self.direction;
        let z = d.abs().max_position();
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        let [a, b, c] = corners.map(|p| {
            let p = p - self.origin;
            let time = p[z] / d[z];
            DVec3::new(p[x] - time * d[x], p[y] - time * d[y], time)
        });
        let (u, v, w) = (c.x * b.y - c.y * b.x, a.x * c.y - a.y * c.x, b.x * a.y - b.y * a.x);
        let all_left = u >= 0.0 && v >= 0.0 && w >= 0.0;
        let all_right = u <= 0.0 && v <= 0.0 && w <= 0.0;
        let total = u + v + w;
        if !(all_left || all_right) || total == 0.0 {
            return None;
        }
        Some((u * a.z + v * b.z + w * c.z) / total)
    }

    /// True if the ray goes somewhere: finite, with a direction other than zero.
    pub fn is_valid(&self) -> bool {
        self.origin.is_finite() && self.direction.is_finite() && self.direction != DVec3::ZERO
    }
}

/// Keeps the earliest crossing at `0 ≤ time ≤ max_time`; shapes offer all crossings of their pieces.
pub(crate) struct EarliestHit {
    best: Option<RayHit>,
    max_time: f64,
}

impl EarliestHit {
    pub(crate) fn new(max_time: f64) -> Self {
        Self { best: None, max_time }
    }

    /// Considers a crossing at `time`; the normal is asked for only if it is the earliest so far.
    pub(crate) fn offer(&mut self, time: f64, normal: impl FnOnce() -> DVec3) {
        if time >= 0.0 && time <= self.max_time && self.best.is_none_or(|b| time < b.time) {
            self.best = Some(RayHit { time, normal: normal() });
        }
    }

    pub(crate) fn hit(self) -> Option<RayHit> {
        self.best
    }
}

/// Where a ray is inside all the half-spaces of a convex solid.
pub(crate) struct ConvexCrossing {
    entry: (f64, DVec3),
    exit: (f64, DVec3),
}

impl ConvexCrossing {
    pub(crate) fn new() -> Self {
        Self { entry: (f64::NEG_INFINITY, DVec3::ZERO), exit: (f64::INFINITY, DVec3::ZERO) }
    }

    /// The ray enters a half-space with this outward normal.
    pub(crate) fn enter(&mut self, time: f64, normal: DVec3) {
        if time > self.entry.0 {
            self.entry = (time, normal);
        }
    }

    /// The ray leaves a half-space with this outward normal.
    pub(crate) fn leave(&mut self, time: f64, normal: DVec3) {
        if time < self.exit.0 {
            self.exit = (time, normal);
        }
    }

    /// The first of entry and exit that lies on the ray, if it is ever inside.
    pub(crate) fn hit(self, max_time: f64) -> Option<RayHit> {
        let mut earliest = EarliestHit::new(max_time);
        if self.entry.0 <= self.exit.0 {
            earliest.offer(self.entry.0, || self.entry.1);
            earliest.offer(self.exit.0, || self.exit.1);
        }
        earliest.hit()
    }
}

/// Real roots of `a t² + 2 b t + c = 0`, smaller first, without cancellation; `None` if there is none
/// or the equation is constant.
pub(crate) fn half_quadratic_roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || discriminant.is_nan() {
        return None;
    }
    let q = -(b + discriminant.sqrt().copysign(b));
    if q == 0.0 {
        return (a != 0.0).then_some([0.0, 0.0]);
    }
    let (r0, r1) = (c / q, if a == 0.0 { c / q } else { q / a });
    Some([r0.min(r1), r0.max(r1)])
}

#[cfg(test)]
mod tests {
    use super::half_quadratic_roots;

    #[test]
    fn quadratic_roots_keep_their_digits() {
        // (t − 1e-9)(t − 1e9): the textbook formula loses the small root entirely.
        let roots = half_quadratic_roots(1.0, -0.5 * (1e9 + 1e-9), 1.0).unwrap();
        assert!((roots[0] / 1e-9 - 1.0).abs() < 1e-15 && (roots[1] / 1e9 - 1.0).abs() < 1e-15);
        assert_eq!(half_quadratic_roots(1.0, 0.0, 1.0), None);
        assert_eq!(half_quadratic_roots(0.0, 1.0, -4.0), Some([2.0, 2.0]));
        assert_eq!(half_quadratic_roots(1.0, 0.0, 0.0), Some([0.0, 0.0]));
        assert_eq!(half_quadratic_roots(0.0, 0.0, 3.0), None);
    }
}
