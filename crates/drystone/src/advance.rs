//! Simulated time that follows a clock: whole steps, and poses in between for drawing.

use drystone_model::{BodyId, Pose};
use drystone_solve::StepError;
use serde::{Deserialize, Serialize};

use crate::ids::RequestError;
use crate::simulation::Simulation;

/// Steps taken at most by one call, unless told otherwise: an eighth of a second at 1/60 s.
const MOST_STEPS: u32 = 8;

/// Time that was asked for by [`Simulation::advance`] and is not simulated yet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Less than a step \[s\].
    pub lag: f64,
    /// Steps that one call takes at most.
    pub most_steps: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { lag: 0.0, most_steps: MOST_STEPS }
    }
}

/// What [`Simulation::advance`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advance {
    /// Steps taken.
    pub steps: u32,
    /// How far the time asked for lies between the last two states, from 0 (the one before) to 1 (the last).
    pub alpha: f64,
    /// Time that was given up because a call takes only so many steps \[s\]: the simulation is slower than the clock.
    pub dropped: f64,
}

impl Simulation {
    /// Lets `seconds` pass: takes as many whole steps as fit in, and keeps the rest for the next call. What is drawn from
    /// [`Simulation::interpolated_pose`] then moves evenly, one step behind, whatever the frame rate.
    ///
    /// A call takes at most as many steps as [`Simulation::set_most_steps`] allows, eight by default; what does not fit in is
    /// given up and told, so that a slow machine falls behind instead of falling ever further behind.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// scene.gravity(DVec3::ZERO);
    /// let ball = scene.add_body(BodyDef::dynamic("ball").sphere(0.1).velocity(DVec3::X));
    /// let mut sim = Simulation::builder(scene.finalize()?).dt(0.01).build()?;
    /// let done = sim.advance(0.025)?;
    /// assert_eq!((done.steps, done.dropped), (2, 0.0));
    /// assert!((done.alpha - 0.5).abs() < 1e-9);
    /// assert!((sim.pose(ball)?.translation.x - 0.02).abs() < 1e-9);
    /// assert!((sim.interpolated_pose(ball)?.translation.x - 0.015).abs() < 1e-9); // 0.025 s, one step behind
    ///
    /// let late = sim.advance(1.0)?; // the machine was busy elsewhere
    /// assert_eq!(late.steps, 8);
    /// assert!((late.dropped - 0.92).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(&mut self, seconds: f64) -> Result<Advance, StepError> {
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(StepError::BadTimeStep(seconds));
        }
        self.pace.lag += seconds;
        let mut done = Advance::default();
        // A rounding error short of a step is a step.
        let due = |lag: f64, dt: f64| lag >= dt * (1.0 - 1e-9);
        while due(self.pace.lag, self.dt) && done.steps < self.pace.most_steps {
            self.step()?;
            self.pace.lag = (self.pace.lag - self.dt).max(0.0);
            done.steps += 1;
        }
        if due(self.pace.lag, self.dt) {
            let kept = self.pace.lag % self.dt;
            done.dropped = self.pace.lag - kept;
            self.pace.lag = kept;
        }
        done.alpha = self.alpha();
        Ok(done)
    }

    /// Sets how many steps one call of [`Simulation::advance`] takes at most; at least one.
    pub fn set_most_steps(&mut self, steps: u32) {
        self.pace.most_steps = steps.max(1);
    }

    /// How far the time asked for lies between the last two states.
    fn alpha(&self) -> f64 {
        (self.pace.lag / self.dt).clamp(0.0, 1.0)
    }

    /// Pose of a body at the time asked for by [`Simulation::advance`], between the last two states: positions on a line,
    /// rotations on the shortest arc.
    pub fn interpolated_pose(&self, body: BodyId) -> Result<Pose, RequestError> {
        let index = self.body_index(body)?;
        Ok(between(&self.before.body_q[index], &self.state.body_q[index], self.alpha()))
    }

    /// That of all bodies, in the order of the arrays.
    pub fn interpolated_poses(&self) -> impl Iterator<Item = Pose> + '_ {
        let alpha = self.alpha();
        self.before.body_q.iter().zip(&self.state.body_q).map(move |(from, to)| between(from, to, alpha))
    }
}

fn between(from: &Pose, to: &Pose, alpha: f64) -> Pose {
    let rotation = from.rotation.slerp(to.rotation, alpha).normalize();
    Pose::from_parts(from.translation.lerp(to.translation, alpha), rotation)
}

#[cfg(test)]
mod tests {
    use drystone_model::{DQuat, DVec3};

    use super::*;

    #[test]
    fn a_pose_in_between_lies_on_the_shortest_arc() {
        let turn = |angle: f64| Pose::from_parts(DVec3::X * angle, DQuat::from_rotation_z(angle));
        let middle = between(&turn(0.2), &turn(1.0), 0.25);
        assert!((middle.translation.x - 0.4).abs() < 1e-15);
        assert!(middle.rotation.angle_between(DQuat::from_rotation_z(0.4)) < 1e-7);
        // The same rotation with the other sign is no detour.
        let other = Pose::from_parts(DVec3::X, -turn(1.0).rotation);
        assert!(between(&turn(0.2), &other, 0.25).rotation.angle_between(DQuat::from_rotation_z(0.4)) < 1e-7);
        assert_eq!(between(&turn(0.2), &turn(1.0), 0.0).translation, turn(0.2).translation);
    }
}
