//! Second-order backward differences: x' = 4/3 x − 1/3 x₋ + 2/3 h v', and the same for momentum. In
//! terms of displacements that is a first-order step of H = 2/3 h towards another target.
//!
//! A body takes such a step only if nothing in its island is in contact now or was in the step before:
//! past a jump of the velocity the history means nothing, and bodies that share forces share a rule.

use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_kernels::double::rotation;
use drystone_model::{Model, Pose, State, Twist};
use serde::{Deserialize, Serialize};

use super::bodies::Bodies;
use super::convert::{quat, sym3};

/// Rounds in which the angular velocity and the orientation at the end of the step agree.
const SPIN_ROUNDS: usize = 6;

/// What a body remembers of the step before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepBefore {
    /// Its length \[s\].
    h: f64,
    /// Displacement in it.
    moved: [f64; 6],
    /// Velocity at its start \[m/s\].
    linear: [f64; 3],
    /// Spin angular momentum at its start, world frame \[kg·m²/s\].
    spin: [f64; 3],
    /// Pose and velocity at its end: history is void once somebody changed them.
    end: (Pose, Twist),
}

fn array(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

fn vector(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

impl StepBefore {
    /// Of a body at the end of a step.
    pub fn of(model: &Model, state: &State, bodies: &Bodies, body: usize, h: f64) -> Self {
        let (moved, start) = (bodies.delta[body], bodies.velocity[body]);
        let inertia = rotation::world_inertia(quat(bodies.start_rotation[body]), sym3(model.body_inertia[body]));
        Self {
            h,
            moved: super::joint::array(moved),
            linear: array(start.l),
            spin: array(inertia.mul(start.a)),
            end: (state.body_q[body], state.body_qd[body]),
        }
    }

    /// Whether the step at hand follows on it.
    pub fn leads_to(&self, state: &State, body: usize, h: f64) -> bool {
        self.h == h && self.end == (state.body_q[body], state.body_qd[body])
    }
}

impl Bodies {
    /// Aims a moving body by the second-order rule.
    pub fn aim_second_order(&mut self, model: &Model, body: usize, before: &StepBefore) {
        let step = 2.0 / 3.0 * before.h;
        let ahead = |now: Vec3, then: [f64; 3]| now.scale(4.0 / 3.0).add_scaled(vector(then), -1.0 / 3.0);
        let moved = before.moved;
        let (moved, turned) =
            (Vec3::new(moved[0], moved[1], moved[2]), Vec3::new(moved[3], moved[4], moved[5]).scale(1.0 / 3.0));
        let v = self.velocity[body];
        let linear = ahead(v.l, before.linear).add_scaled(self.acceleration[body], step);
        let (inertia, inverse) = (sym3(model.body_inertia[body]), sym3(model.body_inertia[body].inverse()));
        let start = quat(self.start_rotation[body]);
        let momentum = ahead(rotation::world_inertia(start, inertia).mul(v.a), before.spin);
        let mut spin = v.a;
        for _ in 0..SPIN_ROUNDS {
            let end = rotation::exp(turned.add_scaled(spin, step)).mul(start);
            spin = rotation::world_inertia(end, inverse).mul(momentum);
        }
        self.target[body] =
            Vec6 { l: moved.scale(1.0 / 3.0).add_scaled(linear, step), a: turned.add_scaled(spin, step) };
        self.target_velocity[body] = Vec6 { l: linear, a: spin };
        self.mass[body] = model.body_mass[body] / (step * step);
        self.inertia[body] = rotation::world_inertia(start, inertia).scale(1.0 / (step * step));
        self.step[body] = step;
    }
}
