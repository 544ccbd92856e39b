//! Rows outside the trees: joints that close loops, contacts, stops, bounded drives and friction.
//!
//! With the trees eliminated their multipliers λ obey (Â + C) λ = target − J u₀, where u₀ is the motion the
//! trees would make without them and Â = J (M⁻¹ − M⁻¹J_aᵀ A_aa⁻¹ J_a M⁻¹) Jᵀ. A product with Â is one sparse
//! product, one tree solve and one sparse product: linear time, nothing stored.

use super::options::{Krylov, Method, StructuredOptions};
use super::sprung::Sprung;
use crate::linalg::SaddleSolver;
use crate::linalg::bounded::{
    BoundedOutcome, Bounds, Cone, ConeWorkspace, Cones, Pivoting, active_set, cone_descent, pivot,
};
use drystone_solve::linalg::cholesky::Cholesky;
use drystone_solve::linalg::krylov::{Ending, Outcome, Stop, Workspace, cg, norm};
use drystone_solve::linalg::krylov::{bicg, minres};
use drystone_solve::linalg::ldl::Ldl;
use drystone_solve::linalg::matrix::{Mat6, Vec6, add_scaled, dot};

/// Residual of a dense solution, relative to the right-hand side, that shows contradictory rows.
const CONTRADICTION: f64 = 1.0e-9;

/// Iterations with all joints as springs before rows are solved densely.
const TRIAL: u32 = 10;

/// Residual relative to the right-hand side that no iteration can be asked to go below.
pub(super) const ROUNDING: f64 = 1.0e-12;

/// The ends of a row at the bodies of a second joint, where it couples two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarEnds {
    /// Bodies, the world being the last index.
    pub body: [u32; 2],
    /// Rows for both; zero for what does not move.
    pub jacobian: [Vec6<f64>; 2],
}

/// One row: J x + C λ = target, or ≥ where λ is bounded.
#[derive(Clone, Debug, PartialEq)]
pub struct OuterRow {
    /// Bodies, the world being the last index.
    pub body: [u32; 2],
    /// Rows for both; zero for what does not move.
    pub jacobian: [Vec6<f64>; 2],
    /// Compliance.
    pub compliance: f64,
    /// Right-hand side.
    pub target: f64,
    /// Least multiplier.
    pub lower: f64,
    /// Largest multiplier.
    pub upper: f64,
    /// Multiplier in the row's own units per multiplier here: rows are scaled to lengths.
    pub scale: f64,
    /// Where it couples two joints. In a box: few rows do, and contacts are many.
    pub far: Option<Box<FarEnds>>,
}

impl OuterRow {
    /// A row of a joint without bounds.
    pub fn new(body: [u32; 2], jacobian: [Vec6<f64>; 2], compliance: f64) -> Self {
        let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { body, jacobian, compliance, target: 0.0, lower, upper, scale: 1.0, far: None }
    }

    /// A row over the bodies of two joints. A body of both has one end.
    pub fn over(body: [[u32; 2]; 2], jacobian: [[Vec6<f64>; 2]; 2]) -> Self {
        let mut row = Self::new(body[0], jacobian[0], 0.0);
        let mut far = FarEnds { body: body[1], jacobian: jacobian[1] };
        for (body, jacobian) in far.body.iter().zip(&mut far.jacobian) {
            if let Some(side) = row.body.iter().position(|near| near == body) {
                add_scaled(&mut row.jacobian[side], 1.0, jacobian);
                *jacobian = [0.0; 6];
            }
        }
        row.far = Some(Box::new(far));
        row
    }

    /// Its ends: bodies and rows.
    pub fn ends(&self) -> impl Iterator<Item = (u32, &Vec6<f64>)> {
        let far = self.far.iter().flat_map(|far| far.body.into_iter().zip(&far.jacobian));
        self.body.into_iter().zip(&self.jacobian).chain(far)
    }

    /// All pairs of its ends.
    pub fn pairs(&self) -> impl Iterator<Item = [(u32, &Vec6<f64>); 2]> {
        self.ends().enumerate().flat_map(|(place, end)| self.ends().skip(place + 1).map(move |other| [end, other]))
    }

    /// J M⁻¹ Jᵀ without the joints.
    pub fn mobility(&self, respond: impl Fn(u32, &Vec6<f64>) -> Vec6<f64>) -> f64 {
        let of = |body: &[u32; 2], jacobian: &[Vec6<f64>; 2]| -> f64 {
            (0..2).map(|side| dot(&jacobian[side], &respond(body[side], &jacobian[side]))).sum()
        };
        of(&self.body, &self.jacobian) + self.far.as_ref().map_or(0.0, |far| of(&far.body, &far.jacobian))
    }

    /// The row the other way round.
    pub fn turned(mut self) -> Self {
        let Self { jacobian, far, .. } = &mut self;
        let entries = jacobian.iter_mut().chain(far.iter_mut().flat_map(|far| &mut far.jacobian)).flatten();
        entries.for_each(|entry| *entry = -*entry);
        self
    }

    /// The row measured in lengths, `weight` metres per unit of its own.
    pub fn weighted(mut self, weight: f64) -> Self {
        let Self { jacobian, far, .. } = &mut self;
        let entries = jacobian.iter_mut().chain(far.iter_mut().flat_map(|far| &mut far.jacobian)).flatten();
        entries.for_each(|entry| *entry *= weight);
        self.compliance *= weight * weight;
        self.target *= weight;
        self.lower /= weight;
        self.upper /= weight;
        self.scale *= weight;
        self
    }

    /// J x.
    pub fn rate(&self, x: &[Vec6<f64>]) -> f64 {
        let near =
            dot(&self.jacobian[0], &x[self.body[0] as usize]) + dot(&self.jacobian[1], &x[self.body[1] as usize]);
        match &self.far {
            None => near,
            Some(far) => {
                near + dot(&far.jacobian[0], &x[far.body[0] as usize]) + dot(&far.jacobian[1], &x[far.body[1] as usize])
            }
        }
    }

    /// Adds Jᵀ λ.
    pub fn push(&self, lambda: f64, force: &mut [Vec6<f64>]) {
        (0..2).for_each(|side| add_scaled(&mut force[self.body[side] as usize], lambda, &self.jacobian[side]));
        if let Some(far) = &self.far {
            (0..2).for_each(|side| add_scaled(&mut force[far.body[side] as usize], lambda, &far.jacobian[side]));
        }
    }
}

/// The trees with room for a solve: what a product with Â needs.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    /// Factors.
    pub saddle: SaddleSolver<f64>,
    force: Vec<Vec6<f64>>,
    multiplier: Vec<Vec6<f64>>,
}

impl Trees {
    /// Motion and tree multipliers under the forces Jᵀ λ of outer rows, tree joints closed.
    pub fn respond(&mut self, rows: &[OuterRow], lambda: &[f64], sizes: [usize; 2]) -> (&[Vec6<f64>], &[Vec6<f64>]) {
        self.force.clear();
        self.force.resize(sizes[0], [0.0; 6]);
        self.multiplier.clear();
        self.multiplier.resize(sizes[1], [0.0; 6]);
        for (row, &lambda) in rows.iter().zip(lambda) {
            row.push(lambda, &mut self.force);
        }
        self.saddle.solve(&mut self.force, &mut self.multiplier);
        if let Some(world) = self.force.last_mut() {
            *world = [0.0; 6];
        }
        self.response()
    }

    /// What [`Trees::respond`] came to.
    pub fn response(&self) -> (&[Vec6<f64>], &[Vec6<f64>]) {
        (&self.force, &self.multiplier)
    }

    /// (Â + C) λ.
    pub fn product(&mut self, rows: &[OuterRow], lambda: &[f64], sizes: [usize; 2], out: &mut [f64]) {
        let (motion, _) = self.respond(rows, lambda, sizes);
        for ((out, row), lambda) in out.iter_mut().zip(rows).zip(lambda) {
            *out = row.rate(motion) + row.compliance * lambda;
        }
    }
}

/// The system of the outer rows and what its solution needs.
#[derive(Clone, Debug, Default)]
pub struct Outer {
    /// Rows, those of joints first.
    pub rows: Vec<OuterRow>,
    /// Multipliers, in the scaling of the rows.
    pub lambda: Vec<f64>,
    /// Number of rows of joints.
    pub joint_rows: usize,
    /// Rows of one joint together: first row and number.
    pub groups: Vec<[u32; 2]>,
    pub(super) rhs: Vec<f64>,
    pub(super) matrix: Vec<f64>,
    cholesky: Cholesky,
    workspace: Workspace,
    /// Joint and row of the rows of trees that were appended last.
    pub(super) tree_row: Vec<[u32; 2]>,
    /// All joints as springs.
    pub(super) sprung: Sprung,
    /// Whether `matrix` and its factor belong to the rows.
    pub(super) assembled: bool,
    blocks: Vec<Ldl<f64, 6>>,
    product: Vec<f64>,
    /// Motion along the rows beyond their targets.
    pub(super) slack: Vec<f64>,
    /// Diagonal of J M⁻¹ Jᵀ + C without the trees.
    diagonal: Vec<f64>,
    /// Multiplier per scaled unknown.
    scale: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    pivoting: Pivoting,
    /// Right-hand sides without what slip adds.
    pub(super) kept_rhs: Vec<f64>,
    pub(super) cone: Vec<Cone>,
    pub(super) coned: Vec<bool>,
    cone_workspace: ConeWorkspace,
}

impl Outer {
    /// Drops all rows but those of joints.
    pub fn keep_joints(&mut self) {
        if self.rows.len() > self.joint_rows {
            self.rows.truncate(self.joint_rows);
            self.groups.retain(|group| (group[0] as usize) < self.joint_rows);
            self.blocks.truncate(self.groups.len());
            self.assembled = false;
        }
    }

    /// Appends a row of its own, with no guess of its multiplier.
    pub fn push_single(&mut self, row: OuterRow) {
        self.push_guess(row, 0.0);
    }

    /// Appends a row of its own with a guess of its multiplier.
    pub fn push_guess(&mut self, row: OuterRow, lambda: f64) {
        self.groups.push([self.rows.len() as u32, 1]);
        self.lambda.resize(self.rows.len(), 0.0);
        self.rows.push(row);
        self.lambda.push(lambda);
    }

    /// Whether any multiplier has bounds.
    pub fn is_bounded(&self) -> bool {
        self.rows.iter().any(|row| row.lower.is_finite() || row.upper.is_finite())
    }

    /// Whether the rows are solved densely.
    pub fn dense(&self, options: &StructuredOptions) -> bool {
        match options.method {
            Method::FullDense | Method::StructuredDense => true,
            Method::FullIterative | Method::StructuredIterative => false,
            Method::Auto => self.rows.len() <= options.dense_rows as usize,
        }
    }

    /// Solves (Â + C) λ = rhs for rows without bounds, to a residual of `goal`.
    pub fn solve(&mut self, trees: &mut Trees, sizes: [usize; 2], options: &StructuredOptions, goal: f64) -> Outcome {
        if self.rows.is_empty() {
            return Outcome { ending: Ending::Converged, iterations: 0, residual: 0.0 };
        }
        let goal = goal.max(ROUNDING * norm(&self.rhs));
        let outcome = if self.dense(options) {
            let tried = if self.assembled { None } else { self.try_sprung(trees, sizes, options, goal) };
            tried.unwrap_or_else(|| {
                self.assemble(trees, sizes);
                self.solve_dense(goal)
            })
        } else {
            self.solve_iteratively(trees, sizes, options, goal, options.max_iterations)
        };
        let solved = outcome.ending == Ending::Contradiction && outcome.residual <= self.rounding();
        if solved { Outcome { ending: Ending::Converged, ..outcome } } else { outcome }
    }

    /// The residual that rounding leaves. Rows that nearly depend on each other take forces far larger than what they
    /// are to do, and products with such forces are rounded by a share of themselves: the error of a backward
    /// stable solution is measured by |Â| |λ| + |rhs| and not by the right-hand side alone.
    fn rounding(&self) -> f64 {
        let size = self.diagonal.iter().copied().fold(0.0, f64::max);
        ROUNDING * (norm(&self.rhs) + size * norm(&self.lambda))
    }

    /// Solves for rows with bounds, from the multipliers as they are, to a violation of `goal`.
    pub fn solve_bounded(
        &mut self,
        trees: &mut Trees,
        sizes: [usize; 2],
        options: &StructuredOptions,
        goal: f64,
    ) -> BoundedOutcome {
        let goal = goal.max(ROUNDING * norm(&self.rhs));
        self.lambda.resize(self.rows.len(), 0.0);
        self.clear_cones();
        if !self.dense(options) {
            return self.solve_scaled(trees, sizes, options, goal, false);
        }
        self.assemble(trees, sizes);
        self.scale.clear();
        self.scale.resize(self.rows.len(), 1.0);
        let scale = std::mem::take(&mut self.scale);
        self.read_bounds(&scale);
        self.scale = scale;
        let bounds = Bounds { rhs: &self.rhs, lower: &self.lower, upper: &self.upper };
        let mut outcome = pivot(&self.matrix, bounds, &mut self.lambda, &mut self.pivoting);
        outcome.converged = outcome.violation <= goal;
        if outcome.converged {
            return outcome;
        }
        let more = self.solve_scaled(trees, sizes, options, goal, true);
        BoundedOutcome { iterations: outcome.iterations + more.iterations, ..more }
    }

    /// Diagonal of J M⁻¹ Jᵀ + C of a row.
    pub(super) fn diagonal(&self, row: usize) -> f64 {
        self.diagonal[row]
    }

    /// Forgets the cones.
    pub(super) fn clear_cones(&mut self) {
        self.cone.clear();
        self.coned.clear();
        self.coned.resize(self.rows.len(), false);
    }

    /// Holds three rows in a friction cone, whose normal is asked to approach with `slip` beyond its target.
    pub(super) fn add_cone(&mut self, cone: Cone, slip: f64) {
        let first = cone.first as usize;
        self.rhs[first] = self.kept_rhs[first] - slip;
        self.coned[first..first + 3].fill(true);
        self.cone.push(cone);
    }

    /// Bounds of the multipliers over their scales.
    fn read_bounds(&mut self, scale: &[f64]) {
        self.lower.clear();
        self.lower.extend(self.rows.iter().zip(scale).map(|(row, scale)| row.lower / scale));
        self.upper.clear();
        self.upper.extend(self.rows.iter().zip(scale).map(|(row, scale)| row.upper / scale));
    }

    /// Scales such that the diagonal is about one, the same for both tangents of a cone.
    fn set_scale(&mut self, scale: &mut Vec<f64>) {
        let of = |diagonal: f64| if diagonal > 0.0 { 1.0 / diagonal.sqrt() } else { 1.0 };
        scale.clear();
        scale.extend(self.diagonal.iter().map(|&diagonal| of(diagonal)));
        for cone in &self.cone {
            let i = cone.first as usize;
            scale[i + 1..i + 3].fill(of(0.5 * (self.diagonal[i + 1] + self.diagonal[i + 2])));
        }
    }

    /// Solves for rows with bounds and cones, from the multipliers as they are, to a violation of `goal`.
    pub(super) fn solve_cones(
        &mut self,
        trees: &mut Trees,
        sizes: [usize; 2],
        options: &StructuredOptions,
        goal: f64,
    ) -> BoundedOutcome {
        let assembled = self.dense(options);
        if assembled {
            self.assemble(trees, sizes);
        }
        self.solve_scaled(trees, sizes, options, goal, assembled)
    }

    /// The iterative ways, in scaled unknowns.
    fn solve_scaled(
        &mut self,
        trees: &mut Trees,
        sizes: [usize; 2],
        options: &StructuredOptions,
        goal: f64,
        assembled: bool,
    ) -> BoundedOutcome {
        let n = self.rows.len();
        let mut scale = std::mem::take(&mut self.scale);
        self.set_scale(&mut scale);
        self.read_bounds(&scale);
        self.slack.clear();
        self.slack.extend((0..n).map(|i| self.rhs[i] * scale[i]));
        (0..n).for_each(|i| self.lambda[i] /= scale[i]);
        self.product.resize(n, 0.0);
        let Self { rows, lambda, matrix, product, slack, lower, upper, workspace, cone, coned, cone_workspace, .. } =
            self;
        let apply = |x: &[f64], out: &mut [f64]| {
            (0..n).for_each(|i| product[i] = x[i] * scale[i]);
            if assembled {
                multiply(matrix, product, out);
            } else {
                trees.product(rows, product, sizes, out);
            }
            (0..n).for_each(|i| out[i] *= scale[i]);
        };
        let least = scale.iter().copied().fold(f64::INFINITY, f64::min);
        let stop = Stop { residual: goal * least, max_iterations: options.max_iterations as usize };
        let bounds = Bounds { rhs: slack, lower, upper };
        let outcome = if cone.is_empty() {
            active_set(apply, bounds, lambda, stop, workspace)
        } else {
            for cone in cone.iter_mut() {
                cone.friction *= scale[cone.first as usize] / scale[cone.first as usize + 1];
            }
            cone_descent(apply, Cones { bounds, cone, coned }, lambda, stop, cone_workspace)
        };
        (0..n).for_each(|i| self.lambda[i] *= scale[i]);
        self.scale = scale;
        BoundedOutcome { violation: outcome.violation / least, ..outcome }
    }

    /// Forms Â + C column by column, one tree solve each, and factors it.
    pub fn assemble(&mut self, trees: &mut Trees, sizes: [usize; 2]) {
        if self.assembled {
            return;
        }
        let n = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.product.clear();
        self.product.resize(n, 0.0);
        for column in 0..n {
            self.product[column] = 1.0;
            trees.product(&self.rows, &self.product, sizes, &mut self.matrix[column * n..(column + 1) * n]);
            self.product[column] = 0.0;
        }
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (self.matrix[i * n + j] + self.matrix[j * n + i]);
                (self.matrix[i * n + j], self.matrix[j * n + i]) = (mean, mean);
            }
        }
        self.cholesky.factor(n, &self.matrix);
        self.assembled = true;
    }

    fn solve_dense(&mut self, goal: f64) -> Outcome {
        let n = self.rows.len();
        self.lambda.clear();
        self.lambda.extend_from_slice(&self.rhs);
        self.cholesky.solve(&mut self.lambda);
        let Self { matrix, lambda, rhs, product, workspace, .. } = self;
        multiply(matrix, lambda, product);
        product.iter_mut().zip(&*rhs).for_each(|(product, rhs)| *product = rhs - *product);
        let residual = norm(product);
        if residual <= CONTRADICTION * norm(rhs) {
            return Outcome { ending: Ending::Converged, iterations: 0, residual };
        }
        // Rows that contradict each other: the least-squares answer, which minimal residuals end at.
        lambda.fill(0.0);
        let stop = Stop { residual: goal, max_iterations: 4 * n + 16 };
        minres(|x, out| multiply(matrix, x, out), |r, z| z.copy_from_slice(r), rhs, lambda, stop, workspace)
    }

    /// A few iterations that know all joints at once, which cost less than to assemble a dense matrix. None where rows nearly depend on
    /// each other and do not quite agree: then there would be hundreds.
    fn try_sprung(
        &mut self,
        trees: &mut Trees,
        sizes: [usize; 2],
        options: &StructuredOptions,
        goal: f64,
    ) -> Option<Outcome> {
        if !self.sprung.is_ready() || self.sprung.has_failed {
            return None;
        }
        let outcome = self.solve_iteratively(trees, sizes, options, goal, TRIAL);
        self.sprung.has_failed = outcome.ending != Ending::Converged;
        (!self.sprung.has_failed).then_some(outcome)
    }

    fn solve_iteratively(
        &mut self,
        trees: &mut Trees,
        sizes: [usize; 2],
        options: &StructuredOptions,
        goal: f64,
        most: u32,
    ) -> Outcome {
        self.lambda.resize(self.rows.len(), 0.0);
        self.lambda.fill(0.0);
        let stop = Stop { residual: goal, max_iterations: most as usize };
        let Self { rows, lambda, rhs, workspace, blocks, groups, sprung, .. } = self;
        let mut apply = |x: &[f64], out: &mut [f64]| trees.product(rows, x, sizes, out);
        let sprung_ready = sprung.is_ready();
        let mut precondition = |r: &[f64], z: &mut [f64]| {
            if sprung_ready { sprung.apply(rows, r, z) } else { precondition(groups, blocks, r, z) }
        };
        match options.krylov {
            Krylov::Minres => {
                let outcome = minres(&mut apply, &mut precondition, rhs, lambda, stop, workspace);
                // The joints as springs leave of the residual what no forces reach, as least squares do.
                if outcome.ending != Ending::Contradiction || sprung_ready {
                    return outcome;
                }
                // What is least depends on the preconditioner; least squares shall mean lengths.
                lambda.fill(0.0);
                let plain = minres(apply, |r, z| z.copy_from_slice(r), rhs, lambda, stop, workspace);
                Outcome { iterations: outcome.iterations + plain.iterations, ..plain }
            }
            Krylov::Cg => cg(apply, precondition, rhs, lambda, stop, workspace),
            Krylov::Bicg => {
                let apply = std::cell::RefCell::new(&mut apply);
                let product = |x: &[f64], out: &mut [f64]| (apply.borrow_mut())(x, out);
                bicg(product, product, rhs, lambda, stop, workspace)
            }
        }
    }

    /// Block-diagonal preconditioner: every joint on its own, J M⁻¹ Jᵀ + C without the trees.
    pub fn prepare_blocks(&mut self, respond: impl Fn(u32, &Vec6<f64>) -> Vec6<f64>) {
        self.sprung.forget();
        self.blocks.clear();
        self.diagonal.clear();
        for row in &self.rows {
            self.diagonal.push(row.mobility(&respond) + row.compliance);
        }
        for &[first, count] in &self.groups {
            let rows = &self.rows[first as usize..(first + count) as usize];
            let mut block = Mat6::ZERO;
            for (i, a) in rows.iter().enumerate() {
                for (j, b) in rows.iter().enumerate().take(i) {
                    block.0[i][j] = coupling(a, b, &respond);
                }
                block.0[i][i] = self.diagonal[first as usize + i];
            }
            self.blocks.push(Ldl::leading(&block, rows.len()));
        }
    }
}

/// J_a M⁻¹ J_bᵀ of two rows of the same bodies.
fn coupling(a: &OuterRow, b: &OuterRow, respond: impl Fn(u32, &Vec6<f64>) -> Vec6<f64>) -> f64 {
    (0..2).map(|side| dot(&a.jacobian[side], &respond(b.body[side], &b.jacobian[side]))).sum()
}

fn precondition(groups: &[[u32; 2]], blocks: &[Ldl<f64, 6>], r: &[f64], z: &mut [f64]) {
    for (&[first, count], block) in groups.iter().zip(blocks) {
        let (first, count) = (first as usize, count as usize);
        let mut own = [0.0; 6];
        own[..count].copy_from_slice(&r[first..first + count]);
        let solved = block.solve(&own);
        for k in 0..count {
            // A row that depends on others of its joint has no pivot; it still must not vanish.
            z[first + k] = if solved[k] == 0.0 { own[k] } else { solved[k] };
        }
    }
}

/// Product of a dense matrix, row by row.
pub(super) fn multiply(matrix: &[f64], x: &[f64], out: &mut [f64]) {
    for (out, row) in out.iter_mut().zip(matrix.chunks_exact(x.len())) {
        *out = row.iter().zip(x).map(|(a, x)| a * x).sum();
    }
}
