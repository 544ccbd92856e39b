//! Coulomb friction around the bounded solve: bounds from the normal forces of the pass before, repeated
//! until they stand still.
//!
//! A sticking contact may use the square of both tangents; a force that leaves the circle makes it slide. A
//! sliding contact has its first tangent turned against the slip and the second one idle, so that the
//! friction is exactly μ times the normal force, against the motion. The cone holds to the tolerance of the
//! last pass; the fixed point exists for any μ but the passes are only known to contract for moderate ones,
//! so their number is bounded and what is left is reported.

use super::instant::Mechanism;
use super::outer::Trees;
use drystone_solve::parts::bounded::BoundedOutcome;

/// Slip below this share of the largest speed of the system is none.
const NO_SLIP: f64 = 1.0e-9;

impl Mechanism {
    /// Solves for all outer rows with bounds, friction included. Returns what was reached; the violation
    /// includes what friction bounds still changed, in the units of the rows.
    pub(super) fn solve_bounded(&mut self) -> BoundedOutcome {
        let sizes = [self.motion.len(), self.multiplier.len()];
        let mut total = BoundedOutcome::default();
        let rubs = !self.frictionless && self.points.iter().any(|point| point.friction_rows > 0);
        let passes = if rubs { self.options.friction_passes } else { 1 };
        for pass in 0..passes.max(1) {
            if rubs {
                self.set_friction_bounds();
            }
            let Self { outer, trees, options, goal, .. } = self;
            let outcome = outer.solve_bounded(trees, sizes, options, *goal);
            total.iterations += outcome.iterations;
            (total.converged, total.violation) = (outcome.converged, outcome.violation);
            if !rubs {
                break;
            }
            let change = self.update_friction(sizes);
            if change <= self.options.friction_tolerance {
                break;
            }
            total.converged &= pass + 1 < passes;
        }
        total
    }

    /// Bounds of the friction rows from the normal multipliers.
    fn set_friction_bounds(&mut self) {
        let outer = &mut self.outer;
        for point in self.points.iter().filter(|point| point.friction_rows > 0) {
            let first = point.row as usize;
            let normal = outer.lambda[first].max(0.0);
            let bound = point.coefficient[usize::from(point.sliding)] * normal;
            for offset in 1..=point.friction_rows as usize {
                let bound = match offset {
                    1 => bound,
                    2 if point.sliding => 0.0,
                    2 => bound,
                    _ => normal,
                };
                (outer.rows[first + offset].lower, outer.rows[first + offset].upper) = (-bound, bound);
            }
        }
    }

    /// Decides what sticks and what slides and where to; returns the largest change of a friction force
    /// relative to the largest bound.
    fn update_friction(&mut self, sizes: [usize; 2]) -> f64 {
        let Self { outer, trees, points, .. } = self;
        outer.set_slack(trees, sizes);
        let speed = outer.rhs.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        let (mut change, mut largest) = (0.0f64, 0.0f64);
        for point in points.iter_mut().filter(|point| point.friction_rows > 0) {
            let first = point.row as usize;
            let normal = outer.lambda[first].max(0.0);
            let (old, force) = (outer.rows[first + 1].upper, [outer.lambda[first + 1], outer.lambda[first + 2]]);
            let slip = [outer.slack[first + 1], outer.slack[first + 2]];
            let slips = slip[0].hypot(slip[1]) > NO_SLIP * speed;
            let size = force[0].hypot(force[1]);
            let mut toward = [1.0, 0.0];
            if point.sliding {
                let inside = force[0].abs() < old && old > 0.0;
                if slips {
                    toward = slip.map(|v| -v / slip[0].hypot(slip[1]));
                } else if inside {
                    point.sliding = false;
                    change = change.max(size.min(old));
                }
            } else if size > old * (1.0 + 1e-12) || slips && size >= old * (1.0 - 1e-9) {
                point.sliding = true;
                toward = if slips { slip.map(|v| -v / slip[0].hypot(slip[1])) } else { force.map(|f| f / size) };
                change = change.max(old * (size / old - 1.0).abs().min(1.0));
            }
            let new = point.coefficient[usize::from(point.sliding)] * normal;
            change = change.max((new - old).abs()).max(new * toward[1].abs());
            largest = largest.max(new);
            if toward != [1.0, 0.0] {
                outer.turn(first + 1, toward);
                let [a, b] = point.tangent;
                point.tangent = [a * toward[0] + b * toward[1], b * toward[0] - a * toward[1]];
            }
        }
        if largest > 0.0 { change / largest } else { 0.0 }
    }
}

impl super::outer::Outer {
    /// w = (Â + C) λ − rhs: the motion along the rows beyond their targets.
    fn set_slack(&mut self, trees: &mut Trees, sizes: [usize; 2]) {
        let Self { rows, lambda, rhs, slack, matrix, assembled, .. } = self;
        slack.clear();
        slack.resize(rows.len(), 0.0);
        if *assembled {
            super::outer::multiply(matrix, lambda, slack);
        } else {
            trees.product(rows, lambda, sizes, slack);
        }
        slack.iter_mut().zip(rhs).for_each(|(slack, rhs)| *slack -= *rhs);
    }

    /// Turns the pair of rows `i`, `i + 1` so that the first points along `toward` of the two.
    fn turn(&mut self, i: usize, toward: [f64; 2]) {
        let [c, s] = toward;
        let turned = |a: f64, b: f64| (c * a + s * b, c * b - s * a);
        let n = self.rows.len();
        let (first, second) = (self.rows[i], self.rows[i + 1]);
        for side in 0..2 {
            for k in 0..6 {
                let (a, b) = turned(first.jacobian[side][k], second.jacobian[side][k]);
                (self.rows[i].jacobian[side][k], self.rows[i + 1].jacobian[side][k]) = (a, b);
            }
        }
        (self.rows[i].target, self.rows[i + 1].target) = turned(first.target, second.target);
        (self.rhs[i], self.rhs[i + 1]) = turned(self.rhs[i], self.rhs[i + 1]);
        (self.lambda[i], self.lambda[i + 1]) = turned(self.lambda[i], self.lambda[i + 1]);
        if self.assembled {
            for k in 0..n {
                let (a, b) = turned(self.matrix[i * n + k], self.matrix[(i + 1) * n + k]);
                (self.matrix[i * n + k], self.matrix[(i + 1) * n + k]) = (a, b);
            }
            for k in 0..n {
                let (a, b) = turned(self.matrix[k * n + i], self.matrix[k * n + i + 1]);
                (self.matrix[k * n + i], self.matrix[k * n + i + 1]) = (a, b);
            }
        }
    }
}
