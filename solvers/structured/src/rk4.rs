//! Steps from accelerations: the classical Runge–Kutta scheme and the plain Euler one, with projection or
//! with Baumgarte's feedback.

use drystone_model::{Control, DQuat, Model};

use super::block::Level;
use super::bodies::Body;
use super::moreau::StepOutcome;
use super::options::Stabilization;
use super::system::ConstraintSystem;
use crate::linalg::SingularBlock;
use drystone_solve::linalg::matrix::Vec6;

/// Rate of change of a body: quaternion and velocity.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    linear: [f64; 3],
    turn: DQuat,
    velocity: Vec6<f64>,
}

impl Rate {
    const ZERO: Self = Self { linear: [0.0; 3], turn: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), velocity: [0.0; 6] };

    /// The rate of a body that accelerates.
    fn of(body: &Body, acceleration: &Vec6<f64>) -> Self {
        let omega = body.angular();
        let turn = DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0) * body.placement.rotation * 0.5;
        Self { linear: body.linear().to_array(), turn, velocity: *acceleration }
    }

    fn add(&mut self, weight: f64, other: &Self) {
        (0..3).for_each(|k| self.linear[k] += weight * other.linear[k]);
        self.turn += other.turn * weight;
        (0..6).for_each(|k| self.velocity[k] += weight * other.velocity[k]);
    }

    /// A body after `h` seconds of this rate.
    fn moved(&self, start: &Body, h: f64) -> Body {
        let mut body = *start;
        (0..3).for_each(|k| body.placement.com[k] += h * self.linear[k]);
        body.placement.rotation = (start.placement.rotation + self.turn * h).normalize();
        (0..6).for_each(|k| body.velocity[k] += h * self.velocity[k]);
        body
    }
}

/// Share of the step at which each stage stands, and its weight.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

impl ConstraintSystem {
    /// A Runge–Kutta step of `h` seconds from the bodies as they are.
    pub(super) fn rk4_step(&mut self, model: &Model, control: &Control, h: f64) -> Result<StepOutcome, SingularBlock> {
        let mut reached = StepOutcome::new();
        let count = self.bodies.count();
        let mut last = std::mem::take(&mut self.rate);
        let mut sum = std::mem::take(&mut self.rate_sum);
        for rates in [&mut last, &mut sum] {
            rates.clear();
            rates.resize(count, Rate::ZERO);
        }
        for (share, weight) in STAGES {
            for index in 0..count {
                self.bodies.body[index] = last[index].moved(&self.start[index], share * h);
            }
            self.bodies.turn_inertia(model);
            let outcome = self.accelerate(model, control, self.feedback())?;
            reached.add(&outcome);
            if share == 0.0 {
                self.keep_impulses(h);
            }
            for index in 0..count {
                last[index] = Rate::of(&self.bodies.body[index], &self.motion[index]);
                sum[index].add(weight, &last[index]);
            }
        }
        for index in 0..count {
            self.bodies.body[index] = sum[index].moved(&self.start[index], h);
        }
        (self.rate, self.rate_sum) = (last, sum);
        self.settle(model, control, &mut reached)?;
        Ok(reached)
    }

    /// A semi-implicit Euler step from accelerations, for comparison with Baumgarte's feedback.
    pub(super) fn euler_step(
        &mut self,
        model: &Model,
        control: &Control,
        h: f64,
    ) -> Result<StepOutcome, SingularBlock> {
        let mut reached = StepOutcome::new();
        let outcome = self.accelerate(model, control, self.feedback())?;
        reached.add(&outcome);
        self.keep_impulses(h);
        for (body, acceleration) in self.bodies.body.iter_mut().zip(&self.motion).take(self.start.len() - 1) {
            (0..6).for_each(|k| body.velocity[k] += h * acceleration[k]);
            body.displace(&body.velocity.map(|v| h * v));
        }
        self.settle(model, control, &mut reached)?;
        Ok(reached)
    }

    /// Baumgarte's α and β, or none.
    fn feedback(&self) -> [f64; 2] {
        let omega = self.options.baumgarte_frequency;
        if self.options.stabilization == Stabilization::Baumgarte { [omega * omega, 2.0 * omega] } else { [0.0; 2] }
    }

    /// Projects positions and velocities, or only measures what is left open.
    pub(super) fn settle(
        &mut self,
        model: &Model,
        control: &Control,
        reached: &mut StepOutcome,
    ) -> Result<(), SingularBlock> {
        self.bodies.turn_inertia(model);
        if self.is_projecting() {
            self.close_leftover(model, control, reached)?;
        }
        self.evaluate(control, Level::Projection);
        if self.is_projecting() {
            self.factor()?;
            let rates = self.project_rates(control);
            self.add_impulses(1.0);
            reached.project(&rates);
        }
        Ok(())
    }
}
