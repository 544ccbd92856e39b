//! The questions users and integrators ask: accelerations, and projections onto the constraints.

use drystone_kernels::elementary::powi;
use drystone_model::{Control, Model, State};

use super::block::Level;
use super::system::ConstraintSystem;
use crate::linalg::SingularBlock;
use drystone_solve::linalg::krylov::Outcome;
use drystone_solve::linalg::matrix::Vec6;

/// Largest turn of a body in one iteration of a position projection \[rad\]: beyond, the rows no longer
/// resemble what they were linearised from.
const LARGEST_TURN: f64 = 0.5;
/// Halvings of a step that made things worse.
const HALVINGS: u32 = 6;

/// What a projection reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection {
    /// Linear systems solved.
    pub solves: u32,
    /// Krylov iterations done for loops.
    pub iterations: u32,
    /// Largest error left: \[m\] for positions, \[m/s\] for velocities; angles count with the size of
    /// their joint.
    pub error: f64,
    /// Whether the error is within what was asked for.
    pub converged: bool,
    /// Whether overlaps were taken back on the way.
    pub(super) lifted: bool,
}

impl Projection {
    /// Counts a linear solve.
    pub(super) fn count(&mut self, outcome: &Outcome) {
        self.solves += 1;
        self.iterations += outcome.iterations as u32;
    }
}

impl ConstraintSystem {
    /// Accelerations under gravity, control and joint forces: (v̇, ω̇) of every body in
    /// [`ConstraintSystem::motion`] \[m/s²\], \[rad/s²\], forces along the rows of every joint in
    /// [`ConstraintSystem::multiplier`], read by [`ConstraintSystem::joint_force`].
    ///
    /// Springs, dampers and drives act as they are at this instant; bounded forces do not act: stops are
    /// taken as open and dry friction as absent.
    pub fn forward_dynamics(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
    ) -> Result<Outcome, SingularBlock> {
        self.read(model, state, control);
        self.accelerate(model, control, [0.0; 2])
    }

    /// [`ConstraintSystem::forward_dynamics`] of the bodies as they are; `feedback` are Baumgarte's α and β.
    pub(super) fn accelerate(
        &mut self,
        model: &Model,
        control: &Control,
        feedback: [f64; 2],
    ) -> Result<Outcome, SingularBlock> {
        self.evaluate(control, Level::Acceleration);
        self.factor()?;
        self.external_forces(model, control, true);
        self.goal = self.options.velocity_tolerance;
        let [alpha, beta] = feedback;
        Ok(self.solve(|block, row| {
            let hard = block.compliance[row] == 0.0;
            let pulled = if hard { alpha * block.value[row] + beta * block.rate[row] } else { 0.0 };
            block.target[row] - pulled
        }))
    }

    /// Force and torque the rows of a joint exert on its child along its six axes, after a solve for
    /// accelerations \[N\], \[N·m\]. The parent feels the opposite. Rotations are along the coordinates of
    /// the joint's chart.
    pub fn joint_force(&self, joint: usize) -> [f64; 6] {
        self.blocks[joint].along_axes(&self.multiplier[joint])
    }

    /// Largest error of the hard rows as last evaluated \[m\], and of the rates \[m/s\].
    pub fn row_errors(&self) -> [f64; 2] {
        let mut worst = [0.0f64; 2];
        for block in &self.blocks {
            // Lengths of the offset and of the turn, not of their largest components: what reports state.
            let mut square = [[0.0; 2]; 2];
            for row in (0..block.count).filter(|&row| block.compliance[row] == 0.0) {
                let (weight, part) = (block.weight(row), usize::from(block.axis[row] >= 3));
                square[0][part] += powi(block.value[row] * weight, 2);
                square[1][part] += powi(block.rate[row] * weight, 2);
            }
            (0..2).for_each(|k| worst[k] = worst[k].max(square[k][0].max(square[k][1]).sqrt()));
        }
        worst
    }

    /// Largest gap \[m\] and angle \[rad\] of the hard rows of a joint as last evaluated.
    pub(super) fn joint_errors(&self) -> [f64; 2] {
        let mut worst = [0.0f64; 2];
        for block in &self.blocks {
            let mut square = [0.0; 2];
            for row in (0..block.count).filter(|&row| block.compliance[row] == 0.0) {
                square[usize::from(block.axis[row] >= 3)] += block.value[row] * block.value[row];
            }
            (0..2).for_each(|part| worst[part] = worst[part].max(square[part].sqrt()));
        }
        worst
    }

    /// Notes where the bodies are when a step, or a piece of one, begins.
    pub(super) fn begin(&mut self, piece: u32) {
        let joints = if piece > 0 { self.impulse.len() } else { 0 };
        self.earlier.resize(joints, [0.0; 6]);
        for (sum, last) in self.earlier.iter_mut().zip(&self.impulse) {
            (0..6).for_each(|axis| sum[axis] += last[axis]);
        }
        if piece == 0 {
            self.ledger.begin(0);
            self.moved.clear();
            self.wrench.clear();
        }
        self.earlier_wrench.clone_from(&self.wrench);
        self.moved_before = self.moved.len();
        self.booked.clear();
        self.start.clone_from(&self.bodies.body);
        self.points.clear();
        self.bounded_rows.clear();
    }

    /// Keeps what the piece did, once it is taken.
    pub(super) fn accept(&mut self) {
        self.ledger.begin_substep();
        self.booked.drain(..).for_each(|contact| self.ledger.contact(contact));
    }

    /// Forgets what the piece did: it is taken again in several.
    pub(super) fn discard(&mut self) {
        self.impulse.iter_mut().for_each(|impulse| *impulse = [0.0; 6]);
        self.wrench.clone_from(&self.earlier_wrench);
        self.moved.truncate(self.moved_before);
    }

    /// Impulse of a joint in the step along its axes \[N·s\], \[N·m·s\].
    pub(super) fn step_impulse(&self, joint: usize) -> Option<[f64; 6]> {
        let last = self.impulse.get(joint)?;
        let earlier = self.earlier.get(joint).copied().unwrap_or_default();
        Some(std::array::from_fn(|axis| last[axis] + earlier[axis]))
    }

    /// Removes from the velocities of a state what would open the joints, with the least change of
    /// momentum: v ← v − M⁻¹Jᵀ A⁻¹ J v.
    pub fn project_velocities(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
    ) -> Result<Projection, SingularBlock> {
        self.read(model, state, control);
        self.evaluate(control, Level::Projection);
        self.factor()?;
        let projection = self.project_rates(control);
        self.bodies.write(model, state);
        Ok(projection)
    }

    /// Velocity projection of the bodies as they are, rows evaluated and factored.
    pub(super) fn project_rates(&mut self, control: &Control) -> Projection {
        let mut projection = Projection::default();
        self.motion.fill([0.0; 6]);
        self.goal = self.options.velocity_tolerance;
        let outcome = self.solve(|block, row| if block.compliance[row] == 0.0 { -block.rate[row] } else { 0.0 });
        projection.count(&outcome);
        self.add_to_velocities(|mechanism| &mut mechanism.motion);
        projection.error = outcome.residual;
        if projection.error > self.options.velocity_tolerance {
            // Rows that nearly depend on each other leave a little everywhere: what counts is the joint that is left with the most, as
            // for gaps.
            self.evaluate_blocks(control, Level::Projection);
            projection.error = self.row_errors()[1];
        }
        projection.converged = projection.error <= self.options.velocity_tolerance;
        projection
    }

    /// v += x for moving bodies, x being [`ConstraintSystem::motion`] or another of the vectors kept.
    pub(super) fn add_to_velocities(&mut self, x: fn(&mut Self) -> &mut Vec<Vec6<f64>>) {
        let by = std::mem::take(x(self));
        for (index, by) in by.iter().enumerate().take(self.bodies.count()) {
            if self.bodies.moves[index] {
                (0..6).for_each(|k| self.bodies.body[index].velocity[k] += by[k]);
            }
        }
        *x(self) = by;
    }

    /// Moves the bodies of a state until all joints are closed to `tolerance` metres, with the least
    /// motion in the metric of the masses: q ← q − M⁻¹Jᵀ A⁻¹ g, repeated since g is not linear. From
    /// far away (an assembly) steps are shortened so that every one of them closes the joints further.
    pub fn project_positions(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        tolerance: f64,
        max_iterations: u32,
    ) -> Result<Projection, SingularBlock> {
        self.read(model, state, control);
        self.evaluate(control, Level::Projection);
        let mut projection = Projection { error: self.row_errors()[0], ..Projection::default() };
        while projection.error > tolerance && projection.solves < max_iterations {
            self.factor()?;
            self.motion.fill([0.0; 6]);
            self.goal = 0.1 * tolerance;
            let outcome = self.solve(|block, row| -block.value[row]);
            projection.count(&outcome);
            let before = projection.error;
            projection.error = self.search(model, control);
            if projection.error >= before {
                break;
            }
        }
        projection.converged = projection.error <= tolerance;
        self.bodies.write(model, state);
        Ok(projection)
    }

    /// Takes the step in [`ConstraintSystem::motion`], shortened where it turns bodies too far or opens the joints;
    /// returns the largest error after it, rows evaluated there.
    fn search(&mut self, model: &Model, control: &Control) -> f64 {
        let turn = self.motion.iter().map(|x| x[3] * x[3] + x[4] * x[4] + x[5] * x[5]).fold(0.0, f64::max).sqrt();
        let step = std::mem::take(&mut self.motion);
        let start = self.bodies.body.clone();
        let before = self.square_error();
        let mut share = if turn > LARGEST_TURN { LARGEST_TURN / turn } else { 1.0 };
        for halving in 0..=HALVINGS {
            self.bodies.body.copy_from_slice(&start);
            self.displace(&step, share);
            self.bodies.turn_inertia(model);
            self.evaluate(control, Level::Projection);
            if self.square_error() < before || halving == HALVINGS {
                break;
            }
            share *= 0.5;
        }
        self.motion = step;
        self.row_errors()[0]
    }

    /// Moves every moving body by a share of a displacement.
    pub(super) fn displace(&mut self, step: &[Vec6<f64>], share: f64) {
        for (index, by) in step.iter().enumerate().take(self.bodies.count()) {
            if self.bodies.moves[index] {
                self.bodies.body[index].displace(&by.map(|x| share * x));
            }
        }
    }

    /// Sum of squares of the errors of the hard rows \[m²\].
    fn square_error(&self) -> f64 {
        let rows =
            self.blocks.iter().flat_map(|block| (0..block.count).map(move |row| block.value[row] * block.weight(row)));
        rows.map(|error| error * error).sum()
    }
}
