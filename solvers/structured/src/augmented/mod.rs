//! Contacts, friction cones, bounded forces and loops by Newton's method on the motion of the bodies.
//!
//! With multipliers λ₀ near the answer the augmented Lagrangian
//!
//! ```text
//!   φ(y) = ½ yᵀM y + Σ max over λ allowed of  −λ·(J y − b) − ½ C λ² − |λ − λ₀|² / 2ρ
//! ```
//!
//! is convex and smooth. The λ at which the maximum lies is a projection, λ(y) = P((λ₀ − ρ (J y − b)) / (1 + ρC)), and with D its
//! derivative Newton's method solves (M + Jᵀ D J) d = −(M y − Jᵀ λ): one sparse elimination over the bodies, however many points they
//! touch in and however these depend on each other. Bounded steps of exact line search cannot cycle, since φ falls in each.
//! Then λ(y) becomes the next λ₀, whose error is smaller by about ρ times the eigenvalues of J M⁻¹ Jᵀ. Near the answer the
//! factors of the step before serve again.
//!
//! Joints of the trees are rows like the others here. The motion is not taken from here but follows from the
//! multipliers by the elimination of the trees, which closes them exactly.

mod cone_map;
mod matrix;
mod slip_step;

use super::bodies::Bodies;
use super::loops::OuterRow;
use crate::linalg::bounded::{BoundedOutcome, Cone};
use cone_map::{Slope, project, slope};
use drystone_solve::linalg::matrix::Vec6;
pub use matrix::BodyMatrix;

/// Stiffness ρ of the rows in terms of what the bodies at their ends weigh against them.
const STIFFNESS: f64 = 1.0e4;
/// The same where no force is known to begin with, of which every renewal of the multipliers leaves a share of about 1/ρ.
const STIFFNESS_FROM_NOTHING: f64 = 1.0e6;
/// Where multipliers converge worse than this share per renewal, the stiffness grows by a factor, up to a limit.
const SLOW: f64 = 0.1;
const HARDER: f64 = 10.0;
const HARDEST: f64 = 1.0e8;
/// Newton steps, all multipliers together.
const STEPS: usize = 200;
/// Newton steps after which `Problem::enough` is enough.
const EFFORT: usize = 8;
/// Multipliers are renewed once a step moves the rows by less than this share of what the multipliers are off: what is renewed from
/// unbalanced forces stays in how redundant contacts share a load.
const INEXACT: f64 = 0.3;
/// Slope at the end of a step relative to that at its start up to which it is taken.
const FLAT: f64 = 0.3;
/// Trials of a line search.
const TRIALS: usize = 12;

/// A problem: w = J y − b + Cλ vanishes for free multipliers, points inwards at bounds, and opposes friction on cones.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Rows.
    pub rows: &'a [OuterRow],
    /// Right-hand sides b.
    pub rhs: &'a [f64],
    /// Friction cones; their rows have no bounds of their own.
    pub cone: &'a [Cone],
    /// Whether a row belongs to a cone.
    pub coned: &'a [bool],
    /// The bodies.
    pub bodies: &'a Bodies,
    /// Violation that is small enough, of rows without bounds and of others.
    pub goal: [f64; 2],
    /// Violation that will do after [`EFFORT`] steps: contacts that share a load in many ways take long to the end. The outcome is
    /// then not converged.
    pub enough: f64,
}

impl Problem<'_> {
    /// Whether a row has bounds or belongs to a cone.
    fn is_bounded(&self, row: usize) -> bool {
        self.coned[row] || self.rows[row].lower.is_finite() || self.rows[row].upper.is_finite()
    }
}

/// Room for the method; keeps the elimination order while the same bodies touch.
#[derive(Clone, Debug, Default)]
pub struct Augmented {
    matrix: BodyMatrix,
    /// Motion, gradient of φ, step.
    y: Vec<Vec6<f64>>,
    gradient: Vec<Vec6<f64>>,
    step: Vec<Vec6<f64>>,
    /// ρ, and ρ/(1 + ρC).
    rho: Vec<f64>,
    stiffness: Vec<f64>,
    /// J y − b, and what a step adds.
    slack: Vec<f64>,
    rate: Vec<f64>,
    /// Multipliers λ(y).
    pull: Vec<f64>,
    /// Derivatives of the projections: of rows, of cones.
    row_slope: Vec<f64>,
    cone_slope: Vec<Slope>,
    /// Those that the factors at hand are of.
    factored: Option<(Vec<f64>, Vec<Slope>)>,
}

impl Augmented {
    /// Solves from the multipliers as they are and the motion that follows from them; the answer is left in `lambda`. None when
    /// the bodies touch in a way that fills the elimination up.
    pub fn solve(&mut self, problem: &Problem, lambda: &mut [f64], motion: &[Vec6<f64>]) -> Option<BoundedOutcome> {
        if !self.matrix.set_pattern(problem.rows, problem.bodies) {
            return None;
        }
        self.y.clear();
        self.y.extend_from_slice(&motion[..problem.bodies.count()]);
        self.factored = None;
        let known = (0..problem.rows.len()).any(|i| problem.is_bounded(i) && lambda[i] != 0.0);
        let mut hardness = if known { STIFFNESS } else { STIFFNESS_FROM_NOTHING };
        self.set_stiffness(problem, hardness);
        let mut outcome = BoundedOutcome::default();
        let (mut off, mut unbalanced) = self.renew(problem, lambda);
        let mut last = f64::INFINITY;
        loop {
            let worst = off[0].max(off[1]);
            let balanced = unbalanced <= problem.goal[0].max(INEXACT * worst);
            let met = off[0] <= problem.goal[0] && off[1] <= problem.goal[1];
            if balanced {
                lambda.copy_from_slice(&self.pull);
                outcome.violation = worst.max(unbalanced);
                outcome.converged = met;
            } else if outcome.iterations == 0 {
                outcome.violation = worst;
            }
            let will_do = balanced && worst <= problem.enough && outcome.iterations >= EFFORT;
            if outcome.converged || will_do || outcome.iterations >= STEPS || !(worst + unbalanced).is_finite() {
                return Some(outcome);
            }
            if balanced {
                // Rows that nearly depend on each other feel little of their stiffness.
                if worst > SLOW * last && hardness < HARDEST {
                    hardness *= HARDER;
                    self.set_stiffness(problem, hardness);
                }
                last = worst;
                self.renew(problem, lambda);
            }
            outcome.iterations += 1;
            self.newton_step(problem, lambda);
            self.set_gradient(problem);
            (off, unbalanced) = (self.off(problem, lambda), self.imbalance(problem));
        }
    }

    /// Everything that follows from y and the multipliers; returns how far these are off, and the imbalance.
    fn renew(&mut self, problem: &Problem, lambda: &[f64]) -> ([f64; 2], f64) {
        self.set_slack(problem);
        self.set_pull(problem, lambda);
        self.set_gradient(problem);
        (self.off(problem, lambda), self.imbalance(problem))
    }

    /// The largest motion along a row that the gradient would still make.
    fn imbalance(&mut self, problem: &Problem) -> f64 {
        let Self { step, gradient, .. } = self;
        step.clear();
        step.extend(gradient.iter().zip(&problem.bodies.body).map(|(g, body)| body.respond_or_rest(g)));
        problem.rows.iter().map(|row| rate(row, step).abs()).fold(0.0, f64::max)
    }

    /// ρ of every row, the same for the three of a cone.
    fn set_stiffness(&mut self, problem: &Problem, hardness: f64) {
        let inverse =
            |row: &OuterRow| row.mobility(|body, force| problem.bodies.body[body as usize].respond_or_rest(force));
        let rho = |inverse: f64| if inverse > 0.0 { hardness / inverse } else { 0.0 };
        self.rho.clear();
        self.rho.extend(problem.rows.iter().map(inverse));
        for cone in problem.cone {
            let i = cone.first as usize;
            let mean = (self.rho[i] + self.rho[i + 1] + self.rho[i + 2]) / 3.0;
            self.rho[i..i + 3].fill(mean);
        }
        self.rho.iter_mut().for_each(|x| *x = rho(*x));
        self.stiffness.clear();
        self.stiffness.extend(self.rho.iter().zip(problem.rows).map(|(rho, row)| rho / (1.0 + rho * row.compliance)));
        for cone in problem.cone {
            let i = cone.first as usize;
            // One metric for the whole cone: tangents are as stiff as a normal that gives way.
            let stiffness = self.stiffness[i];
            self.stiffness[i + 1..i + 3].fill(stiffness);
            self.rho[i + 1..i + 3].fill(stiffness);
        }
    }

    /// J y − b.
    fn set_slack(&mut self, problem: &Problem) {
        let Self { slack, y, .. } = self;
        slack.clear();
        slack.extend(problem.rows.iter().zip(problem.rhs).map(|(row, b)| rate(row, y) - b));
    }

    /// What is projected, at a share of the step.
    #[inline(always)]
    fn wanted(&self, i: usize, lambda: &[f64], share: f64) -> f64 {
        let eased = if self.rho[i] > 0.0 { lambda[i] * (self.stiffness[i] / self.rho[i]) } else { lambda[i] };
        eased - self.stiffness[i] * (self.slack[i] + share * self.rate[i])
    }

    /// The multipliers λ(y) and the derivatives of the projections.
    fn set_pull(&mut self, problem: &Problem, lambda: &[f64]) {
        let n = problem.rows.len();
        self.rate.clear();
        self.rate.resize(n, 0.0);
        self.pull.resize(n, 0.0);
        self.row_slope.clear();
        self.row_slope.resize(n, 0.0);
        for (i, row) in problem.rows.iter().enumerate().filter(|(i, _)| !problem.coned[*i]) {
            let wanted = self.wanted(i, lambda, 0.0);
            self.pull[i] = wanted.max(row.lower).min(row.upper);
            self.row_slope[i] = if wanted > row.lower && wanted < row.upper { self.stiffness[i] } else { 0.0 };
        }
        self.cone_slope.clear();
        for cone in problem.cone {
            let i = cone.first as usize;
            let wanted = [0, 1, 2].map(|k| self.wanted(i + k, lambda, 0.0));
            self.pull[i..i + 3].copy_from_slice(&project(cone.friction, wanted));
            self.cone_slope.push(slope(cone.friction, wanted).map(|x| x * self.stiffness[i]));
        }
    }

    /// The largest violations that the multipliers leave, of rows without bounds and of others: what renewing them changes, in
    /// the units of the rows.
    fn off(&self, problem: &Problem, lambda: &[f64]) -> [f64; 2] {
        let mut worst = [0.0f64; 2];
        for i in (0..problem.rows.len()).filter(|&i| self.rho[i] > 0.0) {
            let bounded = usize::from(problem.is_bounded(i));
            let off = (self.pull[i] - lambda[i]).abs() / self.rho[i];
            worst[bounded] = worst[bounded].max(off);
        }
        worst
    }

    /// One step of Newton's method with its line search.
    fn newton_step(&mut self, problem: &Problem, lambda: &[f64]) {
        self.factor(problem);
        let Self { step, gradient, matrix, rate: rates, .. } = self;
        step.clear();
        step.extend(gradient.iter().map(|g| g.map(|x| -x)));
        matrix.solve(step);
        rates.clear();
        rates.extend(problem.rows.iter().map(|row| rate(row, step)));
        let share = self.search(problem, lambda);
        let Self { y, step, slack, rate: rates, .. } = self;
        for (y, step) in y.iter_mut().zip(&*step) {
            (0..6).for_each(|k| y[k] += share * step[k]);
        }
        slack.iter_mut().zip(&*rates).for_each(|(slack, rate)| *slack += share * rate);
        self.set_pull(problem, lambda);
    }

    /// M y − Jᵀ λ(y).
    fn set_gradient(&mut self, problem: &Problem) {
        let bodies = problem.bodies;
        self.gradient.clear();
        self.gradient.extend(self.y.iter().zip(&bodies.body).map(|(y, body)| body.momentum(y)));
        self.gradient.push([0.0; 6]);
        for (row, pull) in problem.rows.iter().zip(&self.pull).filter(|(_, pull)| **pull != 0.0) {
            row.push(-pull, &mut self.gradient);
        }
        self.gradient.truncate(bodies.count());
        for (gradient, _) in self.gradient.iter_mut().zip(&bodies.moves).filter(|(_, moves)| !**moves) {
            *gradient = [0.0; 6];
        }
    }

    fn factor(&mut self, problem: &Problem) {
        if let Some((rows, cones)) = &self.factored
            && *rows == self.row_slope
            && *cones == self.cone_slope
        {
            return;
        }
        self.matrix.factor(problem, &self.row_slope, &self.cone_slope);
        let (mut rows, mut cones) = self.factored.take().unwrap_or_default();
        rows.clone_from(&self.row_slope);
        cones.clone_from(&self.cone_slope);
        self.factored = Some((rows, cones));
    }

    /// Slope of φ at a share of the step.
    fn slope_at(&self, problem: &Problem, lambda: &[f64], [still, growth]: [f64; 2], share: f64) -> f64 {
        let mut pushed = 0.0;
        for (i, row) in problem.rows.iter().enumerate().filter(|(i, _)| !problem.coned[*i]) {
            pushed += self.wanted(i, lambda, share).max(row.lower).min(row.upper) * self.rate[i];
        }
        for cone in problem.cone {
            let i = cone.first as usize;
            let pull = project(cone.friction, [0, 1, 2].map(|k| self.wanted(i + k, lambda, share)));
            pushed += pull[0] * self.rate[i] + pull[1] * self.rate[i + 1] + pull[2] * self.rate[i + 2];
        }
        still + share * growth - pushed
    }

    /// The share of the step to take: all of it, or where φ is least along it.
    fn search(&self, problem: &Problem, lambda: &[f64]) -> f64 {
        let mut inertia = [0.0; 2];
        for ((y, step), body) in self.y.iter().zip(&self.step).zip(&problem.bodies.body) {
            let momentum = body.momentum(step);
            inertia[0] += drystone_solve::linalg::matrix::dot(y, &momentum);
            inertia[1] += drystone_solve::linalg::matrix::dot(step, &momentum);
        }
        let first = self.slope_at(problem, lambda, inertia, 0.0);
        let (mut low, mut high) = ((0.0, first), (1.0, self.slope_at(problem, lambda, inertia, 1.0)));
        if high.1 <= FLAT * first.abs() {
            return 1.0;
        }
        for _ in 0..TRIALS {
            let (width, share) = (high.0 - low.0, low.1 / (low.1 - high.1));
            let at = low.0 + width * share.clamp(0.1, 0.9);
            let slope = self.slope_at(problem, lambda, inertia, at);
            if slope.abs() <= FLAT * first.abs() {
                return at;
            }
            if slope < 0.0 { low = (at, slope) } else { high = (at, slope) }
        }
        if low.0 > 0.0 { low.0 } else { high.0 }
    }
}

/// J y of a row; what does not move has no row.
#[inline(always)]
fn rate(row: &OuterRow, y: &[Vec6<f64>]) -> f64 {
    let of = |body: &[u32; 2], jacobian: &[Vec6<f64>; 2], side: usize| match y.get(body[side] as usize) {
        Some(y) => drystone_solve::linalg::matrix::dot(&jacobian[side], y),
        None => 0.0,
    };
    let near = of(&row.body, &row.jacobian, 0) + of(&row.body, &row.jacobian, 1);
    match &row.far {
        None => near,
        Some(far) => near + of(&far.body, &far.jacobian, 0) + of(&far.body, &far.jacobian, 1),
    }
}

#[cfg(test)]
mod tests;
