//! Where a mechanism comes to rest: statics by descending to the least potential energy.
//!
//! At rest the accelerations of the constrained system are minus the gradient of the potential in the metric
//! of the masses, along the freedoms. Limited-memory BFGS in that metric turns them into steps, position
//! projection keeps the joints closed.

use std::collections::VecDeque;

use drystone_model::{Control, DQuat, Model, State, Twist};

use super::error::MechanismError;
use crate::{ConstraintSystem, StructuredOptions};
use drystone_solve::linalg::block6::{spatial, split};
use drystone_solve::linalg::matrix::{Vec6, dot};

/// What is asked of an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumOptions {
    /// Largest acceleration left at rest \[m/s²\]; angular ones count with the size of the mechanism's parts.
    pub tolerance: f64,
    /// Most steps.
    pub max_steps: u32,
}

impl Default for EquilibriumOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_steps: 2000 }
    }
}

/// An equilibrium found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Equilibrium {
    /// Steps taken.
    pub steps: u32,
    /// Largest acceleration left \[m/s²\].
    pub residual: f64,
}

/// Steps remembered.
const MEMORY: usize = 30;
/// Largest step: turn of a body \[rad\], and its way in sizes of the parts.
const LARGEST_STEP: f64 = 0.3;
/// A step has gone far enough when the slope has fallen to this share, or not beyond its other side.
const SLOPE: f64 = 0.5;
const TRIALS: u32 = 12;

/// Brings a mechanism to rest where weight, springs, drives and the user's forces balance, by going down
/// from where it is. Velocities end at zero. From an unstable balance it does not move.
///
/// ```
/// use drystone_model::{BodyDef, DVec3, JointDef, ModelBuilder, WORLD};
/// use drystone_structured::mechanism::{EquilibriumOptions, equilibrium};
/// let mut scene = ModelBuilder::new();
/// let bob = scene.add_body(BodyDef::dynamic("bob").at(DVec3::X).sphere(0.1));
/// scene.add_joint(JointDef::revolute(WORLD, bob, DVec3::ZERO, DVec3::Y));
/// let model = scene.finalize()?;
/// let mut state = model.state();
/// equilibrium(&model, &mut state, &model.control(), EquilibriumOptions::default())?;
/// assert!((state.body_q[0].translation - DVec3::NEG_Z).length() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn equilibrium(
    model: &Model,
    state: &mut State,
    control: &Control,
    options: EquilibriumOptions,
) -> Result<Equilibrium, MechanismError> {
    let mut search = Search::new(model, control, state)?;
    let mut found = Equilibrium { steps: 0, residual: search.residual() };
    while found.residual > options.tolerance {
        if found.steps == options.max_steps || !search.step()? {
            return Err(MechanismError::NotConverged {
                what: "the search for equilibrium",
                reached: found.residual,
                asked: options.tolerance,
                steps: found.steps,
                remedy: "it may have none within reach; check that something holds it, or allow more steps",
            });
        }
        found.steps += 1;
        found.residual = search.residual();
    }
    *state = search.state;
    model.update_joint_angles(state);
    Ok(found)
}

/// Motions of all bodies.
type Motion = Vec<Vec6<f64>>;

struct Search<'a> {
    model: &'a Model,
    control: &'a Control,
    mechanism: ConstraintSystem,
    state: State,
    /// Accelerations at rest: the way down.
    down: Motion,
    /// Size of the parts \[m\].
    size: f64,
    /// Steps, changes of the gradient over them, and the inverses of their products.
    memory: VecDeque<(Motion, Motion, f64)>,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, control: &'a Control, state: &State) -> Result<Self, MechanismError> {
        let mut state = state.clone();
        state.body_qd.iter_mut().for_each(|twist| *twist = Twist::default());
        let reach = |joint: usize| {
            let [parent, child] = [model.joint_frame_parent[joint], model.joint_frame_child[joint]];
            parent.translation.length().min(child.translation.length())
        };
        let reach = (0..model.joint_count()).map(reach).fold(0.0, f64::max);
        let gyration = |body: usize| {
            let inertia = model.body_inertia[body];
            let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
            if model.body_mass[body] > 0.0 { (trace / model.body_mass[body]).sqrt() } else { 0.0 }
        };
        let size = (0..model.body_count()).map(gyration).fold(reach, f64::max);
        let mechanism = ConstraintSystem::new(model, StructuredOptions::default());
        let mut search = Self { model, control, mechanism, state, down: Motion::new(), size, memory: VecDeque::new() };
        search.down = search.accelerations()?;
        Ok(search)
    }

    fn accelerations(&mut self) -> Result<Motion, MechanismError> {
        self.mechanism.forward_dynamics(self.model, &self.state, self.control)?;
        Ok(self.mechanism.motion[..self.model.body_count()].to_vec())
    }

    /// Largest acceleration \[m/s²\].
    fn residual(&self) -> f64 {
        self.down.iter().map(|x| self.length(x)).fold(0.0, f64::max)
    }

    /// Length of a motion of one body, turns counting with the size of the parts.
    fn length(&self, x: &Vec6<f64>) -> f64 {
        let [v, w] = [&x[..3], &x[3..]].map(|half| half.iter().map(|x| x * x).sum::<f64>().sqrt());
        v.max(w * self.size)
    }

    /// x · M y.
    fn product(&self, x: &Motion, y: &Motion) -> f64 {
        let bodies = &self.mechanism.bodies.body;
        x.iter().zip(y).zip(bodies).map(|((x, y), body)| dot(x, &body.momentum(y))).sum()
    }

    /// One step down; false if no length of it helps any more.
    fn step(&mut self) -> Result<bool, MechanismError> {
        let mut direction = self.direction()?;
        let mut slope = self.product(&self.down, &direction);
        if slope.is_nan() || slope <= 0.0 {
            self.memory.clear();
            direction.clone_from(&self.down);
            slope = self.product(&self.down, &direction);
        }
        let longest = direction.iter().map(|x| self.length(x)).fold(0.0, f64::max);
        let limit = LARGEST_STEP * self.size / longest;
        // Without memory the direction is an acceleration, whose length says nothing about a step's.
        let mut share = if self.memory.is_empty() { 0.1 * limit } else { limit.min(1.0) };
        let start = self.state.clone();
        for _ in 0..TRIALS {
            self.state.clone_from(&start);
            self.displace(&direction, share);
            self.mechanism.project_positions(self.model, &mut self.state, self.control, 1e-12 * self.size, 10)?;
            let down = self.accelerations()?;
            let after = self.product(&down, &direction);
            if after >= -SLOPE * slope {
                self.remember(direction, share, down);
                return Ok(true);
            }
            share *= (slope / (slope - after)).clamp(0.1, 0.5);
        }
        self.state = start;
        let stuck = self.memory.is_empty();
        self.memory.clear();
        Ok(!stuck)
    }

    fn remember(&mut self, direction: Motion, share: f64, down: Motion) {
        let step: Motion = direction.iter().map(|x| x.map(|x| share * x)).collect();
        let change: Motion =
            self.down.iter().zip(&down).map(|(old, new)| std::array::from_fn(|k| old[k] - new[k])).collect();
        let product = self.product(&step, &change);
        let scale = (self.product(&step, &step) * self.product(&change, &change)).sqrt();
        if product > 1e-8 * scale {
            self.memory.push_back((step, change, 1.0 / product));
            if self.memory.len() > MEMORY {
                self.memory.pop_front();
            }
        }
        self.down = down;
    }

    /// The two loops of limited-memory BFGS, and the result made a motion the joints allow.
    fn direction(&mut self) -> Result<Motion, MechanismError> {
        let mut direction = self.down.clone();
        let mut weights = Vec::with_capacity(self.memory.len());
        for (step, change, inverse) in self.memory.iter().rev() {
            let weight = inverse * self.product(step, &direction);
            add(&mut direction, -weight, change);
            weights.push(weight);
        }
        if let Some((_, change, inverse)) = self.memory.back() {
            let scale = 1.0 / (inverse * self.product(change, change));
            direction.iter_mut().flatten().for_each(|x| *x *= scale);
        }
        for ((step, change, inverse), weight) in self.memory.iter().zip(weights.into_iter().rev()) {
            let correction = weight - inverse * self.product(change, &direction);
            add(&mut direction, correction, step);
        }
        self.allowed(direction)
    }

    /// The part of a motion that opens no joint.
    fn allowed(&mut self, motion: Motion) -> Result<Motion, MechanismError> {
        let mut moving = self.state.clone();
        for (twist, x) in moving.body_qd.iter_mut().zip(&motion) {
            let (linear, angular) = split(x);
            *twist = Twist { linear, angular };
        }
        self.mechanism.project_velocities(self.model, &mut moving, self.control)?;
        let joined = |twist: &Twist| spatial(twist.linear, twist.angular);
        Ok(moving.body_qd.iter().map(joined).collect())
    }

    fn displace(&mut self, direction: &Motion, share: f64) {
        for body in 0..self.model.body_count() {
            let moved = self.mechanism.bodies.moves[body];
            if moved {
                let (way, turn) = split(&direction[body]);
                let centre = self.model.body_centre(&self.state, body as u32) + way * share;
                let pose = &mut self.state.body_q[body];
                pose.rotation = (DQuat::from_scaled_axis(turn * share) * pose.rotation).normalize();
                pose.translation = centre - pose.rotation * self.model.body_com[body];
            }
        }
    }
}

fn add(to: &mut Motion, share: f64, what: &Motion) {
    for (to, what) in to.iter_mut().zip(what) {
        (0..6).for_each(|k| to[k] += share * what[k]);
    }
}
