//! Coulomb friction around one convex problem.
//!
//! Forces in their cones that make the energy least (`linalg/bounded/cone`) obey Coulomb's law except that sliding contacts
//! separate with μ times their slip. Asking them to approach by just that (de Saxcé's change of variables) makes the law
//! exact: the slip of the pass before is taken, and passes repeat until it stands still. What sticks needs no second
//! pass. A pass multiplies errors by about μ² A_t/(A_n + μ² A_t) < 1 for contacts on their own, which is slow; between passes
//! goes Newton's method (`slips.rs`). In jams neither may settle, so the number of passes is bounded and what is left is
//! reported. Torsion and rolling have bounds from the normal force of the pass before.

use super::augmented::Problem;
use super::contact::ContactPoint;
use super::loops::{OuterRow, ROUNDING, Trees};
use super::options::Method;
use super::system::ConstraintSystem;
use crate::linalg::bounded::{BoundedOutcome, Cone};
use drystone_kernels::elementary::hypot;
use drystone_solve::linalg::krylov::norm;

/// Slip below this share of the largest speed of the system is none.
const NO_SLIP: f64 = 1.0e-6;
/// Slip of contacts that stick in terms of the accuracy of a pass, at most.
const BLUR: f64 = 10.0;
/// Accuracy of a pass relative to what the pass before changed.
const PASS_ACCURACY: f64 = 0.1;
/// Violation relative to that with which Newton's method may end a pass that has taken many steps.
const ENOUGH: f64 = 1.0e-2;

/// Passes whose own problem is not solved, as when rows contradict each other, after which more are of no use.
const UNSOLVED: u32 = 16;

/// Violation, as a share of the fastest row, up to which Newton's method has settled what its steps did not suffice to finish.
const SETTLED: f64 = 1.0e-3;

impl ConstraintSystem {
    /// Solves for all outer rows with bounds, friction included. Returns what was reached; the violation
    /// includes what the passes of friction still changed, in the units of the rows.
    pub(super) fn solve_bounded(&mut self) -> BoundedOutcome {
        let sizes = [self.motion.len(), self.multiplier.len()];
        let rubs = !self.frictionless && self.points.iter().any(|point| point.friction_rows > 0);
        if rubs {
            return self.solve_friction(sizes);
        }
        if self.options.method == Method::Auto {
            self.outer.clear_cones();
            let goal = self.goal.max(ROUNDING * norm(&self.outer.rhs));
            if let Some(outcome) = self.try_newton(sizes, [goal, self.contact_goal.max(goal)], 0.0) {
                return outcome;
            }
        }
        let Self { outer, trees, options, goal, .. } = self;
        outer.solve_bounded(trees, sizes, options, *goal)
    }

    /// Newton's method on the bodies, with the cones as they are. None if it does not settle, as when rows contradict each other,
    /// or fills up: then the multipliers stay as they were, for the methods that go on in any case.
    fn try_newton(&mut self, sizes: [usize; 2], goal: [f64; 2], enough: f64) -> Option<BoundedOutcome> {
        let mut start = std::mem::take(&mut self.start_lambda);
        start.clone_from(&self.outer.lambda);
        let speed = self.outer.rhs.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        let settles = |outcome: &BoundedOutcome| outcome.converged || outcome.violation <= SETTLED * speed;
        let outcome = self.solve_newton(sizes, goal, enough).filter(settles);
        if outcome.is_none() {
            self.outer.lambda.clone_from(&start);
        }
        self.start_lambda = start;
        outcome
    }

    /// One solution by Newton's method on the bodies; none if that fills up.
    fn solve_newton(&mut self, sizes: [usize; 2], goal: [f64; 2], enough: f64) -> Option<BoundedOutcome> {
        let count = self.outer.rows.len();
        let Self { outer, trees, .. } = self;
        outer.lambda.resize(count, 0.0);
        trees.respond(&outer.rows, &outer.lambda, sizes);
        self.add_tree_rows();
        let Self { outer, trees, augmented, bodies, .. } = self;
        let (motion, forces) = trees.response();
        let tree = outer.tree_row.iter().zip(&outer.rows[count..]);
        outer.lambda.extend(tree.map(|(&[joint, row], of)| forces[joint as usize][row as usize] / of.scale));
        outer.rhs.resize(outer.rows.len(), 0.0);
        outer.coned.resize(outer.rows.len(), false);
        let (rows, rhs, cone, coned) = (&outer.rows, &outer.rhs, &outer.cone, &outer.coned);
        let problem = Problem { rows, rhs, cone, coned, bodies, goal, enough };
        let outcome = augmented.solve(&problem, &mut outer.lambda, motion);
        outer.rows.truncate(count);
        outer.rhs.truncate(count);
        outer.coned.truncate(count);
        outer.lambda.truncate(count);
        outcome
    }

    /// Appends the rows of the joints of the trees, measured in lengths; which they are is left in `outer.tree_row`.
    pub(super) fn add_tree_rows(&mut self) {
        let Self { outer, blocks, geometry, outside, active, .. } = self;
        let mut outside = outside.iter().peekable();
        outer.tree_row.clear();
        for (joint, block) in blocks.iter().enumerate().take(geometry.len()).filter(|(joint, _)| active[*joint]) {
            if outside.next_if(|&&other| other as usize == joint).is_some() {
                continue;
            }
            let body = geometry[joint].body.map(|body| body as u32);
            for row in 0..block.count {
                let weight = block.weight(row);
                outer.rows.push(OuterRow::new(body, block.jacobian[row], block.compliance[row]).weighted(weight));
                outer.tree_row.push([joint as u32, row as u32]);
            }
        }
    }

    fn solve_friction(&mut self, sizes: [usize; 2]) -> BoundedOutcome {
        let mut total = BoundedOutcome::default();
        let speed = self.outer.rhs.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        let newton = self.options.method == Method::Auto;
        let tolerance = (self.options.friction_tolerance * speed).max(if newton { self.contact_goal } else { 0.0 });
        let finest = self.goal.max(PASS_ACCURACY * tolerance);
        // Newton's method is as cheap to a fine goal as to a coarse one, but where load is shared in many ways.
        let mut goal = if newton { finest } else { finest.max(PASS_ACCURACY * PASS_ACCURACY * speed) };
        // Which way redundant contacts share a load decides which of them slide: who asks for more than usual has it settled in each pass.
        let usual = self.options.friction_tolerance >= NO_SLIP;
        let mut enough = if usual { SETTLED * speed } else { 0.0 };
        self.slips.restart();
        self.outer.lambda.resize(self.outer.rows.len(), 0.0);
        self.outer.keep_rhs();
        let mut unsolved = 0;
        for _ in 0..self.options.friction_passes {
            self.set_cones();
            let outcome = if newton { self.try_newton(sizes, [goal; 2], enough) } else { None };
            let Self { outer, trees, options, .. } = self;
            let outcome = outcome.unwrap_or_else(|| outer.solve_cones(trees, sizes, options, goal));
            total.iterations += outcome.iterations;
            let reached = goal.max(outcome.violation.min(enough));
            let none = NO_SLIP.min(self.options.friction_tolerance) * speed;
            let change = self.update_slip(sizes, none.max(BLUR * reached));
            total.violation = outcome.violation.max(change);
            total.converged = outcome.converged && change <= tolerance && goal <= finest;
            unsolved += u32::from(!outcome.converged && outcome.violation > enough);
            if total.converged || unsolved == UNSOLVED {
                break;
            }
            self.advance_slips();
            goal = (PASS_ACCURACY * change).clamp(finest, goal);
            enough = if usual { ENOUGH * change } else { 0.0 };
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
            // Of every contact: one that slides without carrying anything must not be asked to part.
            let slip = if slip > none { slip } else { 0.0 };
            let begins = !point.sliding && carries && slip > 0.0 && point.coefficient[0] != point.coefficient[1];
            if begins {
                change = change.max((point.coefficient[0] - point.coefficient[1]).abs() * slip);
            }
            point.sliding |= begins;
            let friction = point.coefficient[usize::from(point.sliding)];
            point.miss = slip - point.slip;
            change = change.max(friction * point.miss.abs());
            if point.friction_rows > 2 {
                let bound = outer.rows[first + 3].upper;
                change = change.max((outer.lambda[first].max(0.0) - bound).abs() * outer.diagonal(first + 3));
            }
        }
        change
    }

    /// The slips that the next pass takes as known.
    fn advance_slips(&mut self) {
        let rubs = |point: &&ContactPoint| point.friction_rows > 0;
        let points = || self.points.iter().filter(rubs);
        let mut slip: Vec<f64> = points().map(|point| point.slip).collect();
        let miss: Vec<f64> = points().map(|point| point.miss).collect();
        let weight: Vec<f64> = points().map(|point| point.coefficient[usize::from(point.sliding)]).collect();
        let Self { slips, augmented, outer, bodies, points, .. } = self;
        slips.advance(&mut slip, &miss, &weight, |miss| augmented.slip_step(&outer.rows, &outer.cone, bodies, miss));
        let rubbing = points.iter_mut().filter(|point| point.friction_rows > 0);
        rubbing.zip(slip).for_each(|(point, slip)| point.slip = slip);
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
