//! Continuous collision detection: how far points may move before two features come too close.
//!
//! Additive CCD: over a time t no two points of the features approach by more than t times the largest relative speed,
//! so a fraction of the gap may always be walked safely; the steps add up until little of the gap is left or the
//! motion ends. It never steps over a contact, and near one it stops with a known share of the gap to spare.

use glamx::DVec3;

use crate::distance::{edge_edge, point_triangle};

/// What to detect and how carefully.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ccd {
    /// Features must stay further apart than this \[m\].
    pub min_separation: f64,
    /// End of the motion, 1 being the full displacement.
    pub max_time: f64,
    /// Collisions from this time on do not matter, so that of many the first is found without following the others
    /// to their ends. Those before it are found at the same time whatever it is.
    pub before: f64,
    /// Share of the gap walked in one go, between 0 and 1. The time found leaves 1 − this of the first gap.
    pub boldness: f64,
    /// A gap that is enough \[m\]: features that were far apart may come as near as this.
    pub enough: f64,
    /// Steps after which the time walked so far is reported, which is safe but early.
    pub max_steps: usize,
}

impl Default for Ccd {
    fn default() -> Self {
        Self {
            min_separation: 0.0,
            max_time: 1.0,
            before: f64::INFINITY,
            boldness: 0.9,
            enough: f64::INFINITY,
            max_steps: 10_000,
        }
    }
}

/// Distances are known to this share of the features' size and displacement; a smaller gap counts as none.
const DISTANCE_ROUNDING: f64 = 32.0 * f64::EPSILON;

impl Ccd {
    /// How far a point and a triangle may move: `start` and `end` hold (point, corner 0, corner 1, corner 2) \[m\].
    ///
    /// `None` if they stay further apart than `min_separation` all along; otherwise a time until which they surely do:
    /// 0 if they are too close from the start.
    ///
    /// ```
    /// use drystone_geometry::{DVec3, ccd::Ccd};
    /// let start = [DVec3::new(0.2, 0.2, 1.0), DVec3::ZERO, DVec3::X, DVec3::Y];
    /// let mut end = start;
    /// end[0].z = -1.0; // the point falls through the triangle, which it meets at time 1/2
    /// let time = Ccd::default().point_triangle(start, end).unwrap();
    /// assert!((0.449..=0.5).contains(&time));
    /// end[0].z = 0.1;
    /// assert_eq!(Ccd::default().point_triangle(start, end), None);
    /// ```
    pub fn point_triangle(&self, start: [DVec3; 4], end: [DVec3; 4]) -> Option<f64> {
        self.march(start, end, 1, |[p, a, b, c]| point_triangle::distance_squared(p, [a, b, c]))
    }

    /// How far two edges may move: `start` and `end` hold (first start, first end, second start, second end) \[m\].
    /// The answer is as for [`Ccd::point_triangle`].
    pub fn edge_edge(&self, start: [DVec3; 4], end: [DVec3; 4]) -> Option<f64> {
        self.march(start, end, 2, |[a, b, c, d]| edge_edge::distance_squared([a, b], [c, d]))
    }

    /// The common loop; the first `split` points form one feature, the rest the other.
    fn march(
        &self,
        start: [DVec3; 4],
        end: [DVec3; 4],
        split: usize,
        distance_squared: impl Fn([DVec3; 4]) -> f64,
    ) -> Option<f64> {
        let motion = Motion::new(start, end);
        let speed = motion.closing_speed(split);
        let gap_at = |time: f64| {
            let distance = distance_squared(motion.at(time)).sqrt();
            // NaN (overflow in the input) must count as contact, not as clearance.
            if distance.is_nan() { 0.0 } else { distance - motion.rounding - self.min_separation }
        };
        let mut gap = gap_at(0.0);
        if gap <= 0.0 {
            return Some(0.0);
        }
        let spare = ((1.0 - self.boldness) * gap).min(self.enough);
        let mut time = 0.0;
        for _ in 0..self.max_steps {
            let step = self.boldness * gap / speed;
            if time + step > self.max_time {
                return None;
            }
            let next = time + step;
            gap = gap_at(next);
            // The first step leaves the spare gap by construction, so it is never taken back: there is always progress.
            if time > 0.0 && gap < spare {
                return Some(time);
            }
            time = next;
            if time >= self.before {
                return None;
            }
        }
        Some(time)
    }
}

/// Straight motion of four points, seen from a frame that moves along with them.
struct Motion {
    start: [DVec3; 4],
    displacement: [DVec3; 4],
    rounding: f64,
}

impl Motion {
    fn new(start: [DVec3; 4], end: [DVec3; 4]) -> Self {
        // Near the origin coordinates have more digits; common motion changes no distance.
        let origin = start[0];
        let total = [0, 1, 2, 3].map(|k| end[k] - start[k]);
        let mean = 0.25 * (total[0] + total[1] + total[2] + total[3]);
        let displacement = total.map(|d| d - mean);
        let start = start.map(|p| p - origin);
        let largest = start.iter().chain(&total).map(|v| v.abs().max_element()).fold(0.0, f64::max);
        Self { start, displacement, rounding: DISTANCE_ROUNDING * largest }
    }

    fn at(&self, time: f64) -> [DVec3; 4] {
        [0, 1, 2, 3].map(|k| self.start[k] + time * self.displacement[k])
    }

    /// No two points of the features approach faster than this \[m per unit of time\].
    fn closing_speed(&self, split: usize) -> f64 {
        let fastest = |points: &[DVec3]| points.iter().map(|d| d.length()).fold(0.0, f64::max);
        fastest(&self.displacement[..split]) + fastest(&self.displacement[split..])
    }
}
