//! A preconditioner for loops that knows all joints at once.
//!
//! With every row of every joint a spring, the matrix of the multipliers is A + S⁻¹, A = J M⁻¹ Jᵀ + C being that of all rows and S nearly
//! infinite. Its inverse is S − S J (M + Jᵀ S J)⁻¹ Jᵀ S by Woodbury's formula: an elimination over the bodies, which takes the few of a
//! loop, or of a leg with all its loops, before it comes to what many of them share. The rows of the loops of A⁻¹ are those of the Schur
//! complement that the iterations are about, so that with springs as stiff as numbers allow a handful of iterations are left.

use super::augmented::{BodyMatrix, Problem};
use super::bodies::Bodies;
use super::loops::OuterRow;
use super::system::ConstraintSystem;
use drystone_solve::linalg::matrix::Vec6;

/// Stiffness of the springs in terms of what the bodies at their ends weigh against them: what is far softer is left to the iterations,
/// and as many digits are lost in the difference above.
const STIFFNESS: f64 = 1.0e7;
/// Rows of loops from which this is cheaper than a dense matrix.
const MANY_ROWS: usize = 48;

/// Joints as springs.
#[derive(Clone, Debug, Default)]
pub struct Sprung {
    matrix: BodyMatrix,
    /// Stiffness of every row, those of the loops first.
    stiffness: Vec<f64>,
    motion: Vec<Vec6<f64>>,
    bodies: usize,
    moves: Vec<bool>,
    ready: bool,
    /// Whether an elimination would fill up.
    full: bool,
    /// Whether it did not serve these bodies, and a dense matrix has to.
    pub(super) has_failed: bool,
}

impl Sprung {
    /// Whether the factors are those of the rows.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// The rows change.
    pub fn forget(&mut self) {
        self.ready = false;
    }

    /// The joints are others.
    pub fn restart(&mut self) {
        (self.ready, self.full) = (false, false);
    }

    fn factor(&mut self, rows: &[OuterRow], bodies: &Bodies) {
        self.full = !self.matrix.set_pattern(rows, bodies);
        if self.full {
            return;
        }
        let weighs = |row: &OuterRow| row.mobility(|body, force| bodies.body[body as usize].respond_or_rest(force));
        let stiffness = |row: &OuterRow| {
            let soft = weighs(row) / STIFFNESS + row.compliance;
            if soft > 0.0 { 1.0 / soft } else { 0.0 }
        };
        self.stiffness.clear();
        self.stiffness.extend(rows.iter().map(stiffness));
        let problem = Problem { rows, rhs: &[], cone: &[], coned: &[], bodies, goal: [0.0; 2], enough: 0.0 };
        self.matrix.factor(&problem, &self.stiffness, &[]);
        self.bodies = bodies.count();
        self.moves.clone_from(&bodies.moves);
        self.ready = true;
    }

    /// z = (S − S J (M + Jᵀ S J)⁻¹ Jᵀ S) r for the rows of the loops.
    pub fn apply(&mut self, rows: &[OuterRow], r: &[f64], z: &mut [f64]) {
        let Self { matrix, stiffness, motion, .. } = self;
        motion.clear();
        motion.resize(self.bodies + 1, [0.0; 6]);
        for ((row, r), stiffness) in rows.iter().zip(r).zip(&*stiffness) {
            row.push(stiffness * r, motion);
        }
        motion.truncate(self.bodies);
        let resting = motion.iter_mut().zip(&self.moves).filter(|(_, moves)| !**moves);
        resting.for_each(|(motion, _)| *motion = [0.0; 6]);
        matrix.solve(motion);
        motion.push([0.0; 6]);
        for (((z, row), r), stiffness) in z.iter_mut().zip(rows).zip(r).zip(&*stiffness) {
            *z = stiffness * (r - row.rate(motion));
        }
    }
}

impl ConstraintSystem {
    /// Makes the preconditioner of all joints for the rows as they are.
    pub(super) fn prepare_sprung(&mut self) {
        let sprung = &self.outer.sprung;
        let served = sprung.ready || sprung.full || sprung.has_failed && self.outer.dense(&self.options);
        if served || self.outer.assembled || self.outer.rows.len() < MANY_ROWS {
            return;
        }
        let count = self.outer.rows.len();
        self.add_tree_rows();
        let Self { outer, bodies, .. } = self;
        outer.sprung.factor(&outer.rows, bodies);
        outer.rows.truncate(count);
    }
}
