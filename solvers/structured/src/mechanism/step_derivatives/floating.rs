//! Groups of bodies in contact that nothing holds.
//!
//! The engine gives them the angular momentum that outer forces have along the way of a step, half of it beyond where the step
//! takes them to act (`drystone_solve::floating`), as a rigid turn: ω = I⁻¹ Σ ½ (r₁ − r₀) × h f, r from the centre of the group.
//! Weight has no part in it.

use drystone_model::{DMat3, DVec3};

use super::super::error::{ContactEdge, MechanismError};
use super::linear::Linear;
use super::touching::refusal;
use drystone_solve::graph::union::{flatten, unite};

/// Momentum by outer forces, as a share of that of a turn by one radian per second, that counts as none.
const NOTHING: f64 = 1.0e-12;

/// A group in contact.
pub(super) struct FloatingGroup {
    /// Places of its bodies among those that move, and levers from the centre of the group where the step began and ended.
    member: Vec<(usize, [DVec3; 2])>,
    /// Inverse of the inertia of the whole at the end.
    inverse: DMat3,
}

impl FloatingGroup {
    /// The groups of a step.
    pub(super) fn all(linear: &Linear) -> Result<Vec<Self>, MechanismError> {
        let step = linear.step;
        let Some(touching) = &step.touching else { return Ok(Vec::new()) };
        let world = linear.bodies.len();
        let mut leader: Vec<u32> = (0..=world as u32).collect();
        let mut held = Vec::new();
        let place = |body: usize| linear.place_of(body);
        let contacts = touching.touch.iter().map(|touch| touch.body.map(place));
        for ends in contacts.chain(linear.joints.iter().map(|joint| joint.place)) {
            match ends {
                [Some(a), Some(b)] => unite(&mut leader, a as u32, b as u32),
                [Some(at), None] | [None, Some(at)] => held.push(at),
                [None, None] => {}
            }
        }
        flatten(&mut leader);
        let mut out = Vec::new();
        for touch in &touching.touch {
            let Some(first) = touch.body.into_iter().find_map(place) else { continue };
            let member: Vec<usize> = (0..world).filter(|&at| leader[at] == leader[first]).collect();
            let known = out.iter().any(|group: &Self| group.member[0].0 == member[0]);
            if known || held.iter().any(|&at| leader[at] == leader[first]) {
                continue;
            }
            let group = Self::new(linear, &member);
            if group.is_turned(linear) {
                return Err(refusal(step.model, touch.body, ContactEdge::PushedUnevenly));
            }
            out.push(group);
        }
        Ok(out)
    }

    fn new(linear: &Linear, member: &[usize]) -> Self {
        let mass: f64 = member.iter().map(|&at| linear.body(at, 1).mass).sum();
        let centre = [0, 1].map(|line| {
            let moment = |&at: &usize| linear.body(at, line).placement.com * linear.body(at, line).mass;
            member.iter().map(moment).sum::<DVec3>() / mass
        });
        let lever = |at: usize| [0, 1].map(|line| linear.body(at, line).placement.com - centre[line]);
        let mut inertia = DMat3::ZERO;
        for &at in member {
            let (body, r) = (linear.body(at, 1), lever(at)[1]);
            let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            inertia += body.inertia + (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * body.mass;
        }
        Self { member: member.iter().map(|&at| (at, lever(at))).collect(), inverse: inertia.inverse() }
    }

    /// Whether outer forces turn it as they are.
    fn is_turned(&self, linear: &Linear) -> bool {
        let step = linear.step;
        let gained = |(at, lever): &(usize, [DVec3; 2])| {
            let body = linear.bodies[*at];
            let weight = step.model.body_gravity(body) * step.model.body_mass[body];
            (lever[1] - lever[0]).cross((weight + step.control.body_f[body].0) * (0.5 * step.h))
        };
        (self.inverse * self.member.iter().map(gained).sum::<DVec3>()).length() > NOTHING
    }

    /// Adds to a column what a unit of force on a body along an axis turns the group by.
    pub(super) fn push(&self, body: usize, axis: usize, h: f64, column: &mut [f64]) {
        let Some((_, lever)) = self.member.iter().find(|(at, _)| *at == body && axis < 3) else { return };
        let spin = self.inverse * (lever[1] - lever[0]).cross(DVec3::AXES[axis] * (0.5 * h));
        for (at, lever) in &self.member {
            let speed = spin.cross(lever[1]);
            (0..3).for_each(|k| column[12 * at + 6 + k] += speed[k]);
            (0..3).for_each(|k| column[12 * at + 9 + k] += spin[k]);
        }
    }
}
