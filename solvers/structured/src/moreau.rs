//! One step at the level of velocities and impulses (Moreau's scheme): everything that pushes (joints,
//! springs and drives as they will be at the end of the step, stops, contacts, friction) in one solve, then
//! the motion, the bounce, and the projection.

use drystone_model::{Contacts, Control, Model};

use super::block::Level;
use super::coupling::add_coupling_impulse;
use super::dynamics::Projection;
use super::system::ConstraintSystem;
use crate::linalg::SingularBlock;
use drystone_solve::linalg::krylov::{Ending, Outcome};
use drystone_solve::linalg::matrix::add_scaled;

/// Rounds in which stops that the motion would pass are added.
const STOP_ROUNDS: u32 = 4;
/// A position correction by old factors must reduce the error to this share, or they are renewed.
const OLD_FACTORS: f64 = 0.3;

/// Error of a contact in a step relative to the overlap that is left alone, unless asked otherwise.
pub(super) const CONTACT_ACCURACY: f64 = 1.0e-3;

/// What a step reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepOutcome {
    /// Iterations of all solves.
    pub iterations: u32,
    /// Largest residual of the velocity solves \[m/s\].
    pub residual: f64,
    /// Whether all solves reached what was asked for.
    pub converged: bool,
    /// Whether a solve ended because nothing more could be gained.
    pub stuck: bool,
    /// Deepest overlap at the end \[m\].
    pub depth: f64,
    /// Whether the joints were closed by forces, or only by moving bodies.
    pub closed: bool,
    /// Whether bodies were moved without velocities, which takes their momenta to other places.
    pub moved: bool,
    /// Whether that took an overlap back.
    pub lifted: bool,
    /// Turn of the fastest swing under the tension of the joints within the step \[rad\].
    pub swing: f64,
}

impl StepOutcome {
    /// An outcome nothing was added to yet.
    pub fn new() -> Self {
        Self { converged: true, closed: true, ..Self::default() }
    }

    /// Counts a velocity solve.
    pub fn add(&mut self, outcome: &Outcome) {
        self.iterations += outcome.iterations as u32;
        self.residual = self.residual.max(outcome.residual);
        self.converged &= outcome.ending == Ending::Converged;
        self.stuck |= matches!(outcome.ending, Ending::Contradiction | Ending::Breakdown);
    }

    /// Counts position corrections.
    pub fn project(&mut self, projection: &Projection) {
        self.iterations += projection.iterations + projection.solves;
        self.converged &= projection.converged;
        self.lifted |= projection.lifted;
    }

    /// Adds what the next piece of a step reached.
    pub fn follow(&mut self, next: &Self) {
        self.iterations += next.iterations;
        self.residual = self.residual.max(next.residual);
        self.converged &= next.converged;
        self.stuck |= next.stuck;
        self.closed &= next.closed;
        self.moved |= next.moved;
        self.lifted |= next.lifted;
        self.swing = self.swing.max(next.swing);
        self.depth = next.depth;
    }
}

impl ConstraintSystem {
    /// A step of `h` seconds from the bodies as they are. `listed` marks hard stops that count, and keeps
    /// them.
    pub(super) fn moreau_step(
        &mut self,
        model: &Model,
        control: &Control,
        contacts: &Contacts,
        listed: &mut [bool],
        h: f64,
    ) -> Result<StepOutcome, SingularBlock> {
        let mut reached = StepOutcome::new();
        self.find_impulses(model, control, contacts, listed, h, &mut reached)?;
        self.carry_out(model, control, contacts, h, &mut reached)?;
        Ok(reached)
    }

    /// The impulses of a step and the velocities they lead to, rows being straight for as long as it takes.
    pub(super) fn find_impulses(
        &mut self,
        model: &Model,
        control: &Control,
        contacts: &Contacts,
        listed: &mut [bool],
        h: f64,
        reached: &mut StepOutcome,
    ) -> Result<(), SingularBlock> {
        self.velocities_to_motion();
        listed.fill(false);
        self.mark_stops(control, h, listed);
        for _ in 0..STOP_ROUNDS {
            self.evaluate(control, Level::Step { h });
            self.add_bounded_rows(control, h, listed);
            self.add_contact_rows(contacts, h);
            self.factor()?;
            self.kick(model, control, h);
            self.goal = self.options.velocity_tolerance;
            self.contact_goal = self.contact_accuracy * self.options.contact_tolerance / h;
            let outcome = self.solve(|block, row| block.target[row]);
            reached.add(&outcome);
            if !self.mark_stops(control, h, listed) {
                break;
            }
        }
        Ok(())
    }

    /// The motion by the impulses found, the bounce and the projections.
    pub(super) fn carry_out(
        &mut self,
        model: &Model,
        control: &Control,
        contacts: &Contacts,
        h: f64,
        reached: &mut StepOutcome,
    ) -> Result<(), SingularBlock> {
        let level = Level::Step { h };
        self.remember_points(contacts, h);
        // These forces move the bodies, also where the bounce leaves nothing of them.
        self.note_moved();
        self.half.clone_from(&self.motion);
        self.bounce(model, control, h, reached);
        // With the bounce: what the joints and contacts pass on of it as well.
        self.keep_impulses(1.0);
        self.book_contacts(contacts);
        self.outer.keep_joints();
        self.bounded_rows.clear();
        self.evaluate_start(control, level);
        let projection = self.close_motion(model, control, level, h);
        reached.project(&projection);
        reached.closed = projection.converged;
        self.add_to_velocities(|mechanism| &mut mechanism.rebound);
        self.settle(model, control, reached)?;
        reached.depth = self.depth;
        Ok(())
    }

    /// Momentum after the external forces of `h` seconds, in [`ConstraintSystem::motion`]. Without gyroscopic
    /// torques: those are in the motion with constant angular momentum.
    pub(super) fn kick(&mut self, model: &Model, control: &Control, h: f64) {
        self.external_forces(model, control, false);
        for (index, force) in self.motion.iter_mut().enumerate().take(self.bodies.count()) {
            if self.bodies.moves[index] {
                let body = &self.bodies.body[index];
                let mut momentum = body.momentum(&body.velocity);
                add_scaled(&mut momentum, h, force);
                *force = momentum;
            }
        }
    }

    /// Velocities of all bodies into [`ConstraintSystem::motion`], zero for the known ones.
    fn velocities_to_motion(&mut self) {
        for (index, motion) in self.motion.iter_mut().enumerate() {
            let moves = self.bodies.moves.get(index) == Some(&true);
            *motion = if moves { self.bodies.body[index].velocity } else { [0.0; 6] };
        }
    }

    /// [`ConstraintSystem::motion`] into the velocities of moving bodies.
    pub(super) fn motion_to_velocities(&mut self) {
        for (index, motion) in self.motion.iter().enumerate().take(self.bodies.count()) {
            if self.bodies.moves[index] {
                self.bodies.body[index].velocity = *motion;
            }
        }
    }

    /// Notes `share` of the multipliers as the impulses of the step.
    pub(super) fn keep_impulses(&mut self, share: f64) {
        self.impulse.clear();
        self.impulse.resize(self.blocks.len(), [0.0; 6]);
        self.wrench.clone_from(&self.earlier_wrench);
        self.wrench.resize(self.blocks.len(), [[0.0; 6]; 2]);
        self.add_impulses(share);
    }

    /// Adds `share` of the multipliers to the impulses of the step.
    pub(super) fn add_impulses(&mut self, share: f64) {
        for ((impulse, block), lambda) in self.impulse.iter_mut().zip(&self.blocks).zip(&self.multiplier) {
            let along = block.along_axes(lambda);
            (0..6).for_each(|k| impulse[k] += share * along[k]);
        }
        for ((wrench, block), lambda) in self.wrench.iter_mut().zip(&self.blocks).zip(&self.multiplier) {
            for (row, side) in (0..block.count).flat_map(|row| [(row, 0), (row, 1)]) {
                add_scaled(&mut wrench[side], share * lambda[row], &block.jacobian[row][side]);
            }
        }
        self.add_coupling_impulses(share);
        for &[law, row] in &self.bounded_rows {
            let law = self.laws.bounded[law as usize];
            let sign = law.kind.sign();
            let lambda = self.outer.lambda[row as usize] * self.outer.rows[row as usize].scale;
            if let Some(coupling) = law.coupling {
                add_coupling_impulse(
                    &mut self.impulse,
                    &mut self.wrench,
                    &self.coupled[coupling as usize],
                    share * sign * lambda,
                );
                continue;
            }
            self.impulse[law.joint as usize][law.axis as usize] += share * sign * lambda;
            let rows = &self.outer.rows[row as usize].jacobian;
            for (sum, jacobian) in self.wrench[law.joint as usize].iter_mut().zip(rows) {
                add_scaled(sum, share * self.outer.lambda[row as usize], jacobian);
            }
        }
    }

    /// Whether errors are projected away.
    pub(super) fn is_projecting(&self) -> bool {
        self.options.stabilization == super::options::Stabilization::Projection
    }

    /// Moves bodies until joints are closed and overlaps and passed stops are gone, with the factors at
    /// hand as long as they serve. Rows are evaluated at the final poses. What was passed once keeps its row: left out as soon
    /// as it is open, it would be passed again by what mends the others. In a jam, where rows contradict each other, none is kept.
    pub(super) fn close_positions(
        &mut self,
        model: &Model,
        control: &Control,
        level: Level,
    ) -> Result<Projection, SingularBlock> {
        let mut projection = Projection::default();
        let (mut last, mut renew) = (f64::INFINITY, false);
        self.forget_passed();
        loop {
            self.evaluate_blocks(control, level);
            projection.error = self.row_errors()[0];
            let unilateral = !self.points.is_empty() || !self.laws.bounded.is_empty();
            if unilateral || renew {
                self.gather_outer();
            }
            self.depth = if unilateral { self.add_passed(control) } else { 0.0 };
            let closed = projection.error <= self.options.tolerance.max(self.leave_open);
            projection.converged = closed && self.depth <= self.options.contact_tolerance;
            if projection.converged || projection.solves >= self.options.max_projections || !self.is_projecting() {
                projection.converged |= !self.is_projecting();
                break;
            }
            if renew || projection.error > OLD_FACTORS * last {
                self.bodies.turn_inertia(model);
                self.gather_outer();
                if unilateral {
                    self.add_passed(control);
                }
                self.factor()?;
            } else if unilateral {
                self.prepare_outer();
            }
            last = projection.error;
            renew = false;
            projection.lifted |= self.depth > 0.0;
            self.motion.fill([0.0; 6]);
            self.goal = 0.1 * self.options.tolerance;
            self.contact_goal = 0.1 * self.options.contact_tolerance;
            let outcome = self.solve_joints_only(|block, row| -block.value[row]);
            projection.count(&outcome);
            if outcome.ending != Ending::Converged {
                self.forget_passed();
            }
            self.note_moved();
            let step = std::mem::take(&mut self.motion);
            self.displace(&step, 1.0);
            self.motion = step;
        }
        if projection.solves > 0 {
            self.bodies.turn_inertia(model);
        }
        Ok(projection)
    }

    /// Rows for stops and contacts that are passed or were; returns the deepest \[m\].
    fn add_passed(&mut self, control: &Control) -> f64 {
        self.add_passed_stops(control).max(self.add_overlaps())
    }

    fn forget_passed(&mut self) {
        self.points.iter_mut().for_each(|point| point.lifted = false);
        self.passed.clear();
        self.passed.resize(self.laws.bounded.len(), false);
    }

    /// Notes the bodies that the last solve moves by rows other than those of joints.
    fn note_moved(&mut self) {
        let Self { outer, moved, .. } = self;
        let rows = outer.rows.iter().zip(&outer.lambda).skip(outer.joint_rows);
        for (row, _) in rows.filter(|(_, lambda)| **lambda != 0.0) {
            moved.push(row.body);
            moved.extend(row.far.iter().flat_map(|_| row.pairs().map(|pair| pair.map(|(body, _)| body))));
        }
    }

    /// A solve that leaves friction out: the points only lend their geometry.
    pub(super) fn solve_joints_only(&mut self, target: impl Fn(&super::JointBlock, usize) -> f64) -> Outcome {
        self.frictionless = true;
        let outcome = self.solve(target);
        self.frictionless = false;
        outcome
    }
}
