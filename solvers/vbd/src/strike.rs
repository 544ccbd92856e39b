//! One blow: the impulses with which the points of a manifold strike at the same time.

use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_model::{DVec3, WORLD};

use super::bodies::Bodies;
use super::convert::vec3;
use super::impact::ImpactStep;

/// Sweeps over the points of a manifold, which strike at the same time.
const POINT_SWEEPS: usize = 24;

/// A contact point that closes within the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strike {
    /// From the centres of mass of the two bodies \[m\].
    pub lever: [Vec3; 2],
    /// Change of its normal speed per unit impulse \[1/kg\].
    pub mobility: f64,
    /// Normal speed before, negative approaches \[m/s\].
    pub before: f64,
    /// Normal impulse on the second body \[N·s\].
    pub impulse: f64,
    /// Friction on the second body \[N·s\].
    pub rub: Vec3,
    /// Which point of the manifold it is.
    pub lane: u32,
}

/// The two bodies of a manifold as the impact sees them.
pub struct Pair {
    pub slot: [usize; 2],
    pub normal: Vec3,
    pub velocity: [Vec6; 2],
    pub acceleration: [Vec3; 2],
    /// Reference acceleration of their island \[m/s²\].
    pub reference: f64,
    /// Velocity of the second surface against the first beyond that of the bodies \[m/s\].
    pub belt: Option<Vec3>,
}

impl Pair {
    /// As they are before the blow.
    pub fn new(step: &ImpactStep, bodies: &Bodies, manifold: usize) -> Self {
        let contacts = step.contacts;
        let slot = [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]]
            .map(|body| if body == WORLD { bodies.world() } else { body as usize });
        let pull = |slot: usize| if bodies.moves[slot] { bodies.acceleration[slot] } else { Vec3::default() };
        Self {
            slot,
            normal: vec3(contacts.manifold_normal[manifold]),
            velocity: slot.map(|slot| bodies.velocity[slot]),
            acceleration: slot.map(pull),
            reference: slot.map(|slot| bodies.reference[slot]).into_iter().fold(0.0, f64::max),
            belt: Some(contacts.manifold_surface[manifold]).filter(|&belt| belt != DVec3::ZERO).map(vec3),
        }
    }

    /// Relative velocity of the surfaces from that of the bodies.
    fn with_belt(&self, velocity: Vec3) -> Vec3 {
        self.belt.map_or(velocity, |belt| velocity.add(belt))
    }

    /// Their velocities some time into the step, with external forces acting \[m/s\], \[rad/s\].
    pub fn velocity_at(&self, time: f64) -> [Vec6; 2] {
        [0, 1].map(|side| {
            let v = self.velocity[side];
            Vec6 { l: v.l.add_scaled(self.acceleration[side], time), a: v.a }
        })
    }

    /// Levers of the place half way between the two surfaces: one place, so that the impulse has no moment.
    pub fn levers(&self, step: &ImpactStep, bodies: &Bodies, point: usize) -> [Vec3; 2] {
        let contacts = step.contacts;
        let place = 0.5 * (contacts.point_position0[point] + contacts.point_position1[point]);
        self.slot.map(|slot| vec3(place - bodies.com[slot]))
    }
}

/// Velocity of the second body against the first at a point.
pub fn relative(velocity: &[Vec6; 2], lever: &[Vec3; 2]) -> Vec3 {
    velocity[1].at(lever[1]).sub(velocity[0].at(lever[0]))
}

/// Change of the relative speed along `direction` per unit impulse \[1/kg\].
pub fn mobility(bodies: &Bodies, pair: &Pair, lever: &[Vec3; 2], direction: Vec3) -> f64 {
    let of = |side: usize| {
        let slot = pair.slot[side];
        bodies.inv_mass[slot] + bodies.inv_inertia[slot].quadratic(lever[side].cross(direction))
    };
    of(0) + of(1)
}

/// Applies an impulse to the second body and its opposite to the first.
pub fn push(bodies: &Bodies, pair: &Pair, velocity: &mut [Vec6; 2], lever: &[Vec3; 2], impulse: Vec3) {
    for side in 0..2 {
        let slot = pair.slot[side];
        let blow = if side == 1 { impulse } else { impulse.neg() };
        let change =
            Vec6 { l: blow.scale(bodies.inv_mass[slot]), a: bodies.inv_inertia[slot].mul(lever[side].cross(blow)) };
        velocity[side] = velocity[side].add(change);
    }
}

/// Impulses with which every point leaves at `restitution` times its approach, or faster without
/// impulse; scaled back if together they would add energy.
pub fn bounce(bodies: &Bodies, pair: &Pair, strikes: &mut [Strike], before: [Vec6; 2], restitution: f64) {
    let mut velocity = before;
    let sweeps = if strikes.len() == 1 { 1 } else { POINT_SWEEPS };
    for _ in 0..sweeps {
        for strike in strikes.iter_mut().filter(|s| s.mobility > 0.0) {
            let speed = pair.normal.dot(relative(&velocity, &strike.lever));
            let goal = -restitution * strike.before.min(0.0);
            let impulse = (strike.impulse + (goal - speed) / strike.mobility).max(0.0);
            push(bodies, pair, &mut velocity, &strike.lever, pair.normal.scale(impulse - strike.impulse));
            strike.impulse = impulse;
        }
    }
    // Work of the impulses: Σ p u + ½ Σ p (u' − u).
    let taken: f64 = strikes.iter().map(|s| -s.impulse * s.before).sum();
    let given: f64 =
        strikes.iter().map(|s| 0.5 * s.impulse * (pair.normal.dot(relative(&velocity, &s.lever)) - s.before)).sum();
    if given > taken {
        let scale = (taken / given).max(0.0);
        strikes.iter_mut().for_each(|s| s.impulse *= scale);
    }
}

/// Friction during the blow: stops the sliding of a point, or pushes against it as hard as the cone allows.
pub fn rub(bodies: &Bodies, pair: &Pair, velocity: &mut [Vec6; 2], strikes: &mut [Strike], mu: f64) {
    for strike in strikes.iter_mut().filter(|s| s.impulse > 0.0) {
        let sliding = pair.with_belt(relative(velocity, &strike.lever)).reject(pair.normal);
        let speed = sliding.length();
        if speed > 0.0 && mu > 0.0 {
            let along = sliding.scale(1.0 / speed);
            let stop = speed / mobility(bodies, pair, &strike.lever, along);
            strike.rub = along.scale(-stop.min(mu * strike.impulse));
            push(bodies, pair, velocity, &strike.lever, strike.rub);
        }
    }
}
