//! Closing joints from where the parts lie: least squares by Levenberg and Marquardt.
//!
//! With the errors r = W g of all rows in lengths, a step x of damping μ is the least of ½ |r + W J x|² + ½ μ xᵀM x. Its
//! equations are those of the solver with every row made soft:
//!
//! ```text
//!   M x = Jᵀ λ,   J x + μ W⁻² λ = −g
//! ```
//!
//! so that the elimination of trees and loops serves as it is. Rows that depend on each other do no harm, since the damping makes
//! them definite; rows that contradict each other end at least squares. A stop is a row while it is passed.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use drystone_model::{AxisMode, Chart, Control, DVec3, Model, State};

use super::AssemblyOptions;
use crate::axis_laws::{Bounded, Law};
use crate::bodies::Body;
use crate::loops::OuterRow;
use crate::{ConstraintSystem, Level, StructuredOptions};
use drystone_solve::linalg::matrix::{Vec6, dot};

use super::super::error::MechanismError;

/// Largest turn of a body in one step \[rad\]: beyond, the rows no longer resemble what they were linearised from.
const LARGEST_TURN: f64 = 0.5;
/// First damping, and the least, as shares of the stiffest row.
const FIRST_DAMPING: f64 = 1e-3;
const LEAST_DAMPING: f64 = 1e-13;
/// Share of the errors that the loops of a step are solved to: the next step corrects the rest anyway.
const STEP_ACCURACY: f64 = 0.01;
/// An attempt ends when so many steps together remove less than this share of the squares of the errors.
const PATIENCE: usize = 15;
const LEAST_GAIN: f64 = 0.1;
/// A place where a whole step promises less than this share is the end as well.
const LEAST_PROMISE: f64 = 1e-9;
/// Halvings of a way before the damping is raised.
const HALVINGS: u32 = 4;
/// Raises of the damping in one step.
const TRIALS: u32 = 20;

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Every joint is closed.
    Closed,
    /// No step closes them further.
    Stuck,
}

/// A passed stop: its row in lengths, and by how much it is passed.
pub(super) struct Passed {
    pub(super) joint: u32,
    pub(super) axis: u8,
    row: OuterRow,
    /// \[m\].
    pub(super) depth: f64,
    /// \[m or rad\].
    pub(super) by: f64,
}

/// A mechanism being put together.
pub(super) struct Closing<'a> {
    pub(super) model: &'a Model,
    pub(super) control: &'a Control,
    pub(super) system: ConstraintSystem,
    pub(super) options: AssemblyOptions,
    pub(super) steps: u32,
    pub(super) iterations: u32,
    pub(super) stops: Vec<Passed>,
    /// Whether elastic joints are closed as well.
    pub(super) elastic: bool,
    damping: f64,
    /// Factor of the next raise of the damping.
    raise: f64,
}

impl<'a> Closing<'a> {
    pub(super) fn new(model: &'a Model, control: &'a Control, state: &State, options: AssemblyOptions) -> Self {
        let solver = StructuredOptions { max_iterations: options.max_iterations, ..StructuredOptions::default() };
        let mut system = ConstraintSystem::new(model, solver);
        system.read(model, state, control);
        Self {
            model,
            control,
            system,
            options,
            steps: 0,
            iterations: 0,
            stops: Vec::new(),
            elastic: true,
            damping: 0.0,
            raise: 2.0,
        }
    }

    /// Takes over a state.
    pub(super) fn read(&mut self, state: &State) {
        self.system.read(self.model, state, self.control);
        self.evaluate();
    }

    /// Hands the parts back.
    pub(super) fn write(&self, state: &mut State) {
        self.system.bodies.write(self.model, state);
        for (angle, hint) in state.joint_angle.iter_mut().zip(&self.system.hint) {
            *angle = hint.to_array();
        }
        self.model.update_joint_angles(state);
    }

    /// Whether any joint is elastic.
    pub(super) fn has_springs(&self) -> bool {
        (0..self.system.geometry.len()).any(|joint| self.system.laws.of(joint).iter().any(|law| is_spring(law.law)))
    }

    /// Closes the joints from where the parts are, until they are closed or nothing helps any more.
    pub(super) fn close(&mut self, watch: &mut dyn FnMut(u32, f64)) -> Result<Ended, MechanismError> {
        self.follow_turns();
        self.evaluate();
        self.damping = FIRST_DAMPING * self.stiffest();
        self.raise = 2.0;
        let mut past = Vec::with_capacity(PATIENCE);
        for step in 0..self.options.max_steps {
            let error = self.worst();
            watch(step, error);
            if error <= self.options.tolerance {
                return Ok(Ended::Closed);
            }
            let squares = self.squares();
            if past.len() == PATIENCE {
                let before = past[step as usize % PATIENCE];
                if squares > (1.0 - LEAST_GAIN) * before {
                    return Ok(Ended::Stuck);
                }
                past[step as usize % PATIENCE] = squares;
            } else {
                past.push(squares);
            }
            if !self.step(squares)? {
                break;
            }
        }
        Ok(if self.worst() <= self.options.tolerance { Ended::Closed } else { Ended::Stuck })
    }

    /// The rows of the parts as they are.
    pub(super) fn evaluate(&mut self) {
        self.system.evaluate_blocks(self.control, Level::Projection);
        for joint in 0..self.system.geometry.len() {
            if self.elastic && self.system.active[joint] {
                self.add_springs(joint);
            }
        }
        self.stops.clear();
        for index in 0..self.system.laws.bounded.len() {
            let law = self.system.laws.bounded[index];
            let Bounded::Stop { sign, at, .. } = law.kind else { continue };
            if !self.system.law_acts(&law) {
                continue;
            }
            let reading = self.system.read_law(&law, self.control);
            let by = sign * (at - reading.value);
            if by > 0.0 {
                let row = reading.signed(sign).weighted(reading.weight);
                self.stops.push(Passed { joint: law.joint, axis: law.axis, row, depth: by * reading.weight, by });
            }
        }
    }

    /// Rows of the elastic axes of a joint, which would rather be closed.
    fn add_springs(&mut self, joint: usize) {
        let view = self.system.view(joint, self.control);
        let mut axes = None;
        let mut block = self.system.blocks[joint];
        for law in view.laws.iter().filter(|law| is_spring(law.law)) {
            let axes = axes.get_or_insert_with(|| view.axes());
            let (row, axis) = (block.count, law.axis as usize);
            block.axis[row] = law.axis;
            block.jacobian[row] = view.unknown_part(&axes.jacobian[axis]);
            block.value[row] = axes.value[axis];
            block.count += 1;
        }
        self.system.blocks[joint] = block;
    }

    /// One step that closes the joints further; false if there is none.
    fn step(&mut self, squares: f64) -> Result<bool, MechanismError> {
        let start = self.system.bodies.body.clone();
        for _ in 0..TRIALS {
            self.solve(squares)?;
            self.steps += 1;
            let way = std::mem::take(&mut self.system.motion);
            let turn = way.iter().map(|x| x[3] * x[3] + x[4] * x[4] + x[5] * x[5]).fold(0.0, f64::max).sqrt();
            let share = if turn > LARGEST_TURN { LARGEST_TURN / turn } else { 1.0 };
            let promised = squares - self.promised(share);
            let after = self.search(&start, &way, share, squares);
            self.system.motion = way;
            if after < squares {
                self.relax((squares - after) / promised);
                self.follow_turns();
                return Ok(true);
            }
            if promised.is_nan() || promised <= LEAST_PROMISE * squares {
                return Ok(false);
            }
            self.damping *= self.raise;
            self.raise *= 2.0;
        }
        Ok(false)
    }

    /// Takes a share of a way, halved while that leaves less open; returns the squares left. Looking costs far less than a
    /// way of its own, and where ways bend (lattices that just fit) half of one goes furthest.
    fn search(&mut self, start: &[Body], way: &[Vec6<f64>], share: f64, before: f64) -> f64 {
        let mut best = (before, 0.0);
        let mut share = share;
        for _ in 0..=HALVINGS {
            let squares = self.look(start, way, share);
            if squares >= best.0 && best.1 > 0.0 {
                break;
            }
            if squares < best.0 {
                best = (squares, share);
            }
            share *= 0.5;
        }
        self.look(start, way, best.1)
    }

    /// The squares left after a share of a way from a start.
    fn look(&mut self, start: &[Body], way: &[Vec6<f64>], share: f64) -> f64 {
        self.system.bodies.body.copy_from_slice(start);
        self.system.displace(way, share);
        self.system.bodies.turn_inertia(self.model);
        self.evaluate();
        self.squares()
    }

    /// The damping of the next step from how well this one kept what it promised.
    fn relax(&mut self, kept: f64) {
        let change = match kept {
            kept if kept > 0.75 => 0.1,
            kept if kept > 0.25 => 0.3,
            _ => 2.0,
        };
        self.damping = (self.damping * change).max(LEAST_DAMPING * self.stiffest());
        self.raise = 2.0;
    }

    /// The damped step into [`ConstraintSystem::motion`].
    fn solve(&mut self, squares: f64) -> Result<(), MechanismError> {
        for block in &mut self.system.blocks {
            for row in 0..block.count {
                let weight = block.weight(row);
                block.compliance[row] = self.damping / (weight * weight);
            }
        }
        self.system.gather_outer();
        for stop in &self.stops {
            let row = OuterRow { target: stop.depth, compliance: self.damping, ..stop.row.clone() };
            self.system.outer.push_single(row);
        }
        self.system.factor()?;
        self.system.motion.fill([0.0; 6]);
        self.system.goal = (STEP_ACCURACY * squares.sqrt()).max(0.1 * self.options.tolerance);
        let outcome = self.system.solve(|block, row| -block.value[row]);
        self.iterations += outcome.iterations as u32;
        Ok(())
    }

    /// Squares of the errors that the linear system expects after a share of the step: r + W J x = −μ λ for a whole one.
    fn promised(&self, share: f64) -> f64 {
        let left = |error: f64, lambda: f64| {
            let left = (1.0 - share) * error - share * self.damping * lambda;
            left * left
        };
        let mut sum = 0.0;
        for (block, lambda) in self.system.blocks.iter().zip(&self.system.multiplier) {
            for (row, lambda) in lambda.iter().enumerate().take(block.count) {
                let weight = block.weight(row);
                sum += left(block.value[row] * weight, lambda / weight);
            }
        }
        let of_stops = &self.system.outer.lambda[self.system.outer.joint_rows..];
        sum + self.stops.iter().zip(of_stops).map(|(stop, lambda)| left(-stop.depth, *lambda)).sum::<f64>()
    }

    /// Angles are counted on from where they are. A turn about two axes has two triples of angles, of which only one has the
    /// locked angle at zero: that is the one its limits are meant for.
    fn follow_turns(&mut self) {
        for joint in 0..self.system.geometry.len() {
            let geometry = &self.system.geometry[joint];
            if !self.system.active[joint] || !geometry.turns || geometry.chart == Chart::Vector {
                continue;
            }
            let turned =
                |side: usize| self.system.bodies.body[geometry.body[side]].placement.rotation * geometry.basis[side];
            let relative = turned(0).inverse() * turned(1);
            let angles = geometry.chart.angles(relative, self.system.hint[joint]);
            let locked = |axis: &usize| self.model.joint_axis[joint][3 + axis] == AxisMode::Locked;
            let mut locks = (0..3).filter(locked);
            self.system.hint[joint] = match (geometry.chart, locks.next(), locks.next()) {
                (Chart::Euler, Some(axis), None) if nearest_turn(angles[axis]).abs() > FRAC_PI_2 => {
                    let [x, y, z] = angles.to_array();
                    let other = DVec3::new(nearest_turn(x + PI), nearest_turn(PI - y), nearest_turn(z + PI));
                    geometry.chart.angles(relative, other)
                }
                _ => angles,
            };
        }
    }

    /// The largest entry of W J M⁻¹ Jᵀ W \[1/kg\].
    fn stiffest(&self) -> f64 {
        let bodies = &self.system.bodies.body;
        let mut most = f64::MIN_POSITIVE;
        for (block, geometry) in self.system.blocks.iter().zip(&self.system.geometry) {
            for row in 0..block.count {
                let of = |side: usize| {
                    let jacobian = &block.jacobian[row][side];
                    dot(jacobian, &bodies[geometry.body[side]].respond_or_rest(jacobian))
                };
                let weight = block.weight(row);
                most = most.max((of(0) + of(1)) * weight * weight);
            }
        }
        let respond = |body: u32, force: &Vec6<f64>| bodies[body as usize].respond_or_rest(force);
        let stops = self.stops.iter().map(|stop| stop.row.mobility(respond));
        let couplings = self.system.coupling_rows().map(|row| row.mobility(respond));
        stops.chain(couplings).fold(most, f64::max)
    }

    /// Sum of the squares of the errors that count now \[m²\].
    pub(super) fn squares(&self) -> f64 {
        let rows = self.system.blocks.iter().flat_map(|block| (0..block.count).map(move |row| (block, row)));
        let joints: f64 = rows.map(|(block, row)| square(block.value[row] * block.weight(row))).sum();
        joints + self.stops.iter().map(|stop| stop.depth * stop.depth).sum::<f64>()
    }
}

/// Whether a law is a lock that gives, rather than a drive or a rotor.
pub(super) fn is_spring(law: Law) -> bool {
    matches!(law, Law::Elastic { driven: None, .. })
}

/// The angle within half a turn of zero \[rad\].
fn nearest_turn(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

pub(super) fn square(x: f64) -> f64 {
    x * x
}
