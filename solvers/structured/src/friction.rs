//! Coulomb friction around one convex problem.
//!
//! Forces in their cones that make the energy least (`parts/bounded/cone`) obey Coulomb's law except that sliding contacts
//! separate with μ times their slip. Asking them to approach by just that (de Saxcé's change of variables) makes the law
//! exact: the slip of the pass before is taken, and passes repeat until it stands still. What sticks needs no second
//! pass. A pass multiplies errors by about μ² A_t/(A_n + μ² A_t) < 1 for contacts on their own; in jams it may be
//! more, so the number of passes is bounded and what is left is reported. Torsion and rolling have bounds from the
//! normal force of the pass before.

use super::loops::Trees;
use super::system::ConstraintSystem;
use crate::linalg::bounded::{BoundedOutcome, Cone};
use drystone_kernels::elementary::hypot;

/// Slip below this share of the largest speed of the system is none.
const NO_SLIP: f64 = 1.0e-6;
/// Slip of contacts that stick in terms of the accuracy of a pass, at most.
const BLUR: f64 = 10.0;
/// Accuracy of a pass relative to what the pass before changed.
const PASS_ACCURACY: f64 = 0.1;

impl ConstraintSystem {
    /// Solves for all outer rows with bounds, friction included. Returns what was reached; the violation
    /// includes what the passes of friction still changed, in the units of the rows.
    pub(super) fn solve_bounded(&mut self) -> BoundedOutcome {
        let sizes = [self.motion.len(), self.multiplier.len()];
        let rubs = !self.frictionless && self.points.iter().any(|point| point.friction_rows > 0);
        if rubs {
            return self.solve_friction(sizes);
        }
        let Self { outer, trees, options, goal, .. } = self;
        outer.solve_bounded(trees, sizes, options, *goal)
    }

    fn solve_friction(&mut self, sizes: [usize; 2]) -> BoundedOutcome {
        let mut total = BoundedOutcome::default();
        let speed = self.outer.rhs.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        let tolerance = self.options.friction_tolerance * speed;
        let finest = self.goal.max(PASS_ACCURACY * tolerance);
        let mut goal = finest.max(PASS_ACCURACY * PASS_ACCURACY * speed);
        self.outer.lambda.resize(self.outer.rows.len(), 0.0);
        self.outer.keep_rhs();
        for _ in 0..self.options.friction_passes {
            self.set_cones();
            let Self { outer, trees, options, .. } = self;
            let outcome = outer.solve_cones(trees, sizes, options, goal);
            total.iterations += outcome.iterations;
            let change = self.update_slip(sizes, (NO_SLIP * speed).max(BLUR * goal));
            total.violation = outcome.violation.max(change);
            total.converged = outcome.converged && change <= tolerance && goal <= finest;
            if total.converged {
                break;
            }
            goal = (PASS_ACCURACY * change).clamp(finest, goal);
        }
        self.outer.restore_rhs();
        // What came to rest starts to slide again by the static coefficient.
        self.points.iter_mut().for_each(|point| point.sliding &= point.slip > NO_SLIP * speed);
        total
    }

    /// Cones, right-hand sides of the normals and bounds of torsion and rolling from the slip and the normal forces of the
    /// pass before.
    fn set_cones(&mut self) {
        let outer = &mut self.outer;
        outer.clear_cones();
        for point in self.points.iter().filter(|point| point.friction_rows > 0) {
            let first = point.row as usize;
            let friction = point.coefficient[usize::from(point.sliding)];
            outer.add_cone(Cone { first: point.row, friction }, friction * point.slip);
            let normal = outer.lambda[first].max(0.0);
            for row in &mut outer.rows[first + 3..first + 1 + point.friction_rows as usize] {
                (row.lower, row.upper) = (-normal, normal);
            }
        }
    }

    /// Reads the slip of every contact, up to `none` being none; returns the largest change of what follows from it \[m/s\].
    fn update_slip(&mut self, sizes: [usize; 2], none: f64) -> f64 {
        let Self { outer, trees, points, .. } = self;
        outer.set_slack(trees, sizes);
        let mut change = 0.0f64;
        for point in points.iter_mut().filter(|point| point.friction_rows > 0) {
            let first = point.row as usize;
            let carries = outer.lambda[first] > 0.0;
            let slip = hypot(outer.slack[first + 1], outer.slack[first + 2]);
            let slip = if carries && slip > none { slip } else { 0.0 };
            let begins = !point.sliding && slip > 0.0 && point.coefficient[0] != point.coefficient[1];
            if begins {
                change = change.max((point.coefficient[0] - point.coefficient[1]).abs() * slip);
            }
            point.sliding |= begins;
            let friction = point.coefficient[usize::from(point.sliding)];
            change = change.max(friction * (slip - point.slip).abs());
            point.slip = slip;
            if point.friction_rows > 2 {
                let bound = outer.rows[first + 3].upper;
                change = change.max((outer.lambda[first].max(0.0) - bound).abs() * outer.diagonal(first + 3));
            }
        }
        change
    }
}

impl super::loops::Outer {
    /// w = (Â + C) λ − rhs: the motion along the rows beyond their targets.
    fn set_slack(&mut self, trees: &mut Trees, sizes: [usize; 2]) {
        let Self { rows, lambda, kept_rhs, slack, matrix, assembled, .. } = self;
        slack.clear();
        slack.resize(rows.len(), 0.0);
        if *assembled {
            super::loops::multiply(matrix, lambda, slack);
        } else {
            trees.product(rows, lambda, sizes, slack);
        }
        slack.iter_mut().zip(kept_rhs).for_each(|(slack, rhs)| *slack -= *rhs);
    }

    /// Keeps the right-hand sides as they are before slip changes them.
    fn keep_rhs(&mut self) {
        self.kept_rhs.clone_from(&self.rhs);
    }

    fn restore_rhs(&mut self) {
        self.rhs.clone_from(&self.kept_rhs);
    }
}
