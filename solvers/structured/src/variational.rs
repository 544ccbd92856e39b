//! The variational step (RATTLE with a rotation that conserves momentum): half a kick, a motion that ends
//! with all joints closed, half a kick that ends with all rates zero. Joint forces act along the rows at
//! both ends; the map is symplectic, reversible and of second order.

use drystone_model::{Control, Model};
use drystone_solve::linalg::krylov::Outcome;

use super::block::Level;
use super::dynamics::Projection;
use super::moreau::StepOutcome;
use super::system::ConstraintSystem;
use crate::linalg::SingularBlock;

/// The rows that both half kicks and the motion between them keep.
const LEVEL: Level = Level::Projection;

impl ConstraintSystem {
    /// A step of `h` seconds from the bodies as they are; for joints without springs and bounds.
    pub(super) fn variational_step(
        &mut self,
        model: &Model,
        control: &Control,
        h: f64,
    ) -> Result<StepOutcome, SingularBlock> {
        let mut reached = StepOutcome::new();
        reached.add(&self.half_kick(model, control, h)?);
        self.keep_impulses(1.0);
        self.half.clone_from(&self.motion);
        self.keep_start_values();
        let projection = self.close_motion(model, control, LEVEL, h);
        reached.project(&projection);
        reached.closed = projection.converged;
        if self.close_leftover(model, control, &mut reached)? {
            self.bodies.turn_inertia(model);
        }
        reached.add(&self.half_kick(model, control, h)?);
        self.add_impulses(1.0);
        self.motion_to_velocities();
        Ok(reached)
    }

    /// Velocities after the forces of half a step, within the constraints at the places of now.
    fn half_kick(&mut self, model: &Model, control: &Control, h: f64) -> Result<Outcome, SingularBlock> {
        self.evaluate(control, LEVEL);
        self.factor()?;
        self.kick(model, control, 0.5 * h);
        self.goal = self.options.velocity_tolerance;
        Ok(self.solve(|block, row| block.target[row]))
    }

    /// Notes the errors that the step inherits.
    fn keep_start_values(&mut self) {
        self.start_value.clear();
        self.start_value.extend(self.blocks.iter().map(|block| block.value));
    }

    /// [`ConstraintSystem::keep_start_values`] of the rows of a level, with the bodies at the start of the step.
    pub(super) fn evaluate_start(&mut self, control: &Control, level: Level) {
        self.evaluate_blocks(control, level);
        self.keep_start_values();
    }

    /// Moves bodies where the joints were open before the step: no velocity comes of it. True when it did.
    pub(super) fn close_leftover(
        &mut self,
        model: &Model,
        control: &Control,
        reached: &mut StepOutcome,
    ) -> Result<bool, SingularBlock> {
        self.evaluate_blocks(control, Level::Projection);
        let unilateral = !self.points.is_empty() || !self.laws.bounded.is_empty();
        if self.row_errors()[0] <= self.options.tolerance && !unilateral {
            return Ok(false);
        }
        self.evaluate(control, Level::Projection);
        self.factor()?;
        let projection = self.close_positions(model, control, Level::Projection)?;
        reached.project(&projection);
        reached.moved |= projection.solves > 0;
        Ok(projection.solves > 0)
    }

    /// Moves the bodies for `h` seconds with velocities such that all joints end as closed as they began.
    pub(super) fn close_motion(&mut self, model: &Model, control: &Control, level: Level, h: f64) -> Projection {
        let mut projection = Projection::default();
        let mut last = f64::INFINITY;
        loop {
            self.bodies.body.copy_from_slice(&self.start);
            let half = std::mem::take(&mut self.half);
            for (index, velocity) in half.iter().enumerate().take(self.bodies.count()) {
                if self.bodies.moves[index] {
                    self.bodies.body[index].velocity = *velocity;
                }
            }
            self.bodies.advance(model, &half, h);
            self.half = half;
            self.evaluate_blocks(control, level);
            for (block, start) in self.blocks.iter_mut().zip(&self.start_value) {
                (0..block.count).for_each(|row| block.value[row] -= start[row]);
            }
            projection.error = self.row_errors()[0];
            projection.converged = projection.error <= self.options.tolerance || !self.is_projecting();
            // Rounding of the poses is the end of what can be gained.
            let gained = projection.error < 0.5 * last;
            if projection.converged || !gained || projection.solves >= self.options.max_projections {
                return projection;
            }
            last = projection.error;
            self.motion.fill([0.0; 6]);
            self.goal = 0.1 * self.options.tolerance / h;
            let outcome = self.solve_joints_only(|block, row| -block.value[row] / h);
            projection.count(&outcome);
            self.add_impulses(1.0);
            for (half, by) in self.half.iter_mut().zip(&self.motion) {
                (0..6).for_each(|k| half[k] += by[k]);
            }
        }
    }
}
