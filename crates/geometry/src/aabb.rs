//! Axis-aligned bounding boxes.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// An axis-aligned box, closed on all sides. The empty box has `min > max`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    /// Smallest corner \[m\].
    pub min: DVec3,
    /// Largest corner \[m\].
    pub max: DVec3,
}

/// What rounding does to the difference of two coordinates, relative to them.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The box that holds nothing: the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    /// The box that holds everything.
    pub const ALL: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    /// The box between two corners \[m\].
    pub fn new(min: DVec3, max: DVec3) -> Self {
        Self { min, max }
    }

    /// The box about `center` reaching `half` to every side \[m\].
    pub fn from_center_half(center: DVec3, half: DVec3) -> Self {
        Self { min: center - half, max: center + half }
    }

    /// The smallest box around `points` \[m\].
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| b.grown_to(p))
    }

    /// The smallest box that also holds `point`.
    pub fn grown_to(self, point: DVec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// What both boxes share; empty if they are apart.
    pub fn intersection(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Grown by `half` along x, y and z, on both sides \[m\]: where the middle of a box that reaches as far may be to touch it.
    #[inline]
    pub fn grown_by(self, half: DVec3) -> Self {
        Self { min: self.min - half, max: self.max + half }
    }

    /// Moved by `offset` \[m\].
    pub fn shifted(self, offset: DVec3) -> Self {
        Self { min: self.min + offset, max: self.max + offset }
    }

    /// Grown by `margin` on every side \[m\].
    pub fn inflated(self, margin: f64) -> Self {
        Self { min: self.min - DVec3::splat(margin), max: self.max + DVec3::splat(margin) }
    }

    /// True if nothing is inside (also if a bound is NaN).
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// True if the boxes share a point; touching counts.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// True if the boxes are no further apart than `reach` \[m\] along any axis, with room for rounding.
    #[inline]
    pub fn within(&self, other: &Self, reach: f64) -> bool {
        let apart = (self.min - other.max).max(other.min - self.max).max_element();
        apart <= reach + ROUNDING * self.min.abs().max(self.max.abs()).max_element()
    }

    /// True if `other` lies inside.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// True if `point` lies inside or on the border.
    pub fn contains_point(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// The middle \[m\].
    pub fn center(&self) -> DVec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Side lengths \[m\].
    pub fn extent(&self) -> DVec3 {
        self.max - self.min
    }

    /// Half of the surface \[m²\]: the cost measure of tree builders; 0 if empty.
    #[inline]
    pub fn half_area(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let e = self.extent();
        e.x * e.y + e.y * e.z + e.z * e.x
    }

    /// Squared distance from `point` to the box \[m²\]; 0 inside.
    #[inline]
    pub fn distance_squared(&self, point: DVec3) -> f64 {
        (self.min - point).max(point - self.max).max(DVec3::ZERO).length_squared()
    }

    /// Where a line `origin + t / inverse_direction` runs inside the box: `(entry, exit)` in units
    /// of t, or `None` if the line misses `[0, max_time]`.
    ///
    /// The exit is nudged outwards by a few rounding errors, so a ray that grazes a face is never lost.
    #[inline]
    pub fn clip_ray(&self, origin: DVec3, inverse_direction: DVec3, max_time: f64) -> Option<(f64, f64)> {
        let (mut entry, mut exit) = (0.0, max_time);
        for axis in 0..3 {
            if inverse_direction[axis].is_infinite() {
                // Parallel to the slab: 0 · ∞ would be NaN on its border.
                if origin[axis] < self.min[axis] || origin[axis] > self.max[axis] {
                    return None;
                }
                continue;
            }
            let a = (self.min[axis] - origin[axis]) * inverse_direction[axis];
            let b = (self.max[axis] - origin[axis]) * inverse_direction[axis];
            entry = a.min(b).max(entry);
            exit = (a.max(b) * (1.0 + 4.0 * f64::EPSILON)).min(exit);
        }
        (entry <= exit).then_some((entry, exit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_and_intersection_are_dual() {
        let a = Aabb::new(DVec3::ZERO, DVec3::ONE);
        let b = Aabb::new(DVec3::splat(0.5), DVec3::splat(2.0));
        assert_eq!(a.union(b), Aabb::new(DVec3::ZERO, DVec3::splat(2.0)));
        assert_eq!(a.intersection(b), Aabb::new(DVec3::splat(0.5), DVec3::ONE));
        assert!(a.intersection(Aabb::from_center_half(DVec3::splat(9.0), DVec3::ONE)).is_empty());
        assert_eq!(Aabb::EMPTY.union(a), a);
        assert_eq!(Aabb::EMPTY.half_area(), 0.0);
    }

    #[test]
    fn rays_inside_a_border_plane_are_not_lost() {
        let unit = Aabb::new(DVec3::ZERO, DVec3::ONE);
        let hit = unit.clip_ray(DVec3::new(-1.0, 1.0, 0.0), DVec3::X.recip(), 10.0);
        assert_eq!(hit.map(|h| h.0), Some(1.0));
        assert_eq!(unit.clip_ray(DVec3::new(-1.0, 1.1, 0.5), DVec3::X.recip(), 10.0), None);
        assert_eq!(unit.clip_ray(DVec3::new(-1.0, 0.5, 0.5), DVec3::X.recip(), 0.5), None);
    }
}
