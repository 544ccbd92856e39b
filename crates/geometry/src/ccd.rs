//! Continuous collision detection: how far points may move before two features come too close.
//!
//! Additive CCD: over a time t no two points of the features approach by more than t times the largest relative speed,
//! so that much of the gap may always be walked safely; the steps add up until little of the gap is left or the
//! motion ends. The plane across the nearest points says more where features slide past each other: all of one feature is on its one
//! side, all of the other on the other, and every point's height over it is linear in time. The larger of both steps is taken.
//! Contact is never stepped over, and near one the motion stops with a known share of the gap to spare.

use glamx::DVec3;

use crate::distance::{edge_edge, point_triangle};

/// Where features count as met, this share of the gap that decides it is left.
const LEFT: f64 = 0.8;

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
    /// Share of the gap that may be walked, between 0 and 1. Features that keep 1 − this of their first gap do not meet; the time
    /// found for others leaves four fifths of that or a little more.
    pub boldness: f64,
    /// A gap that is enough \[m\]: features that were far apart do not meet before they are as near as this.
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
        self.march(start, end, 1, |[p, a, b, c]| point_triangle::nearest(p, [a, b, c]).separation)
    }

    /// How far two edges may move: `start` and `end` hold (first start, first end, second start, second end) \[m\].
    /// The answer is as for [`Ccd::point_triangle`].
    pub fn edge_edge(&self, start: [DVec3; 4], end: [DVec3; 4]) -> Option<f64> {
        self.march(start, end, 2, |[a, b, c, d]| edge_edge::nearest([a, b], [c, d]).separation)
    }

    /// Features that start a gap apart and keep this much do not meet \[m\].
    fn spare(&self, gap: f64) -> f64 {
        ((1.0 - self.boldness) * gap).min(self.enough)
    }

    /// What is left of a gap until the time found, and to the end if none is, but for rounding \[m\].
    pub fn left(&self, gap: f64) -> f64 {
        LEFT * self.spare(gap)
    }

    /// The common loop; the first `split` points form one feature, the rest the other.
    fn march(
        &self,
        start: [DVec3; 4],
        end: [DVec3; 4],
        split: usize,
        separation: impl Fn([DVec3; 4]) -> DVec3,
    ) -> Option<f64> {
        let motion = Motion::new(start, end);
        let speed = motion.closing_speed(split);
        let kept = motion.rounding + self.min_separation;
        let look = |time: f64| {
            let points = motion.at(time);
            let apart = separation(points);
            let distance = apart.length();
            // NaN (overflow in the input) must count as contact, not as clearance.
            let gap = if distance.is_nan() { 0.0 } else { distance - kept };
            (points, apart / distance, gap)
        };
        let (mut points, mut normal, mut gap) = look(0.0);
        if gap <= 0.0 {
            return Some(0.0);
        }
        let (spare, left) = (self.spare(gap), self.left(gap));
        let mut time = 0.0;
        for _ in 0..self.max_steps {
            let by_plane = motion.time_above(points, normal, left + kept, split);
            let next = time + ((gap - left) / speed).max(by_plane);
            if next > self.max_time {
                return None;
            }
            (points, normal, gap) = look(next);
            // Either bound leaves this much; less is rounding. The first step is never taken back: there is always progress.
            if time > 0.0 && gap < 0.5 * left {
                return Some(time);
            }
            time = next;
            if time >= self.before {
                return None;
            }
            if gap < spare {
                return Some(time);
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

    /// How long the first feature stays a height above the second along a direction in which all of it is above now.
    fn time_above(&self, points: [DVec3; 4], normal: DVec3, height: f64, split: usize) -> f64 {
        let place = points.map(|point| normal.dot(point));
        let rate = self.displacement.map(|way| normal.dot(way));
        let mut least = f64::INFINITY;
        for i in 0..split {
            for j in split..4 {
                let (room, approach) = (place[i] - place[j] - height, rate[j] - rate[i]);
                // Also where a number is no number: nothing is known then.
                if !(room > 0.0 && approach.is_finite()) {
                    return 0.0;
                }
                if approach > 0.0 {
                    least = least.min(room / approach);
                }
            }
        }
        least
    }

    /// No two points of the features approach faster than this \[m per unit of time\].
    fn closing_speed(&self, split: usize) -> f64 {
        let fastest = |points: &[DVec3]| points.iter().map(|d| d.length()).fold(0.0, f64::max);
        fastest(&self.displacement[..split]) + fastest(&self.displacement[split..])
    }
}
