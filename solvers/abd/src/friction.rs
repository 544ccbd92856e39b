//! Lagged Coulomb friction: normal loads, directions and points are those of an earlier iterate, so that friction
//! is the gradient of a work μ λ f(|slip|).
//!
//! The slip of a step adds to what earlier steps left, up to the slip at which friction has its full size: a spring
//! that gives way. What sticks comes to rest under a steady load instead of creeping on.

use drystone_model::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::affine::{Affine, Arm, outer};
use super::barrier::{slip_ratio, slip_work};
use super::contact::{Contact, Id, PairSystem};

/// Friction at a pair of points.
#[derive(Clone, Copy, Debug)]
pub struct Friction {
    pub slot: [u32; 2],
    arm: [Arm; 2],
    normal: DVec3,
    /// μ λ \[N\].
    load: f64,
    /// Slip left by earlier steps \[m\].
    held: DVec3,
    id: Id,
}

/// What contacts have slipped and not yet given way, by the features in contact, sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    entries: Vec<(Id, [u32; 2], DVec3)>,
}

impl Memory {
    fn slip(&self, id: &Id) -> DVec3 {
        self.entries.binary_search_by(|(known, ..)| known.cmp(id)).map_or(DVec3::ZERO, |i| self.entries[i].2)
    }

    /// Keeps what the frictions of a finished step hold.
    pub fn keep(&mut self, frictions: &[Friction], start: &[Affine], q: &[Affine], edge: f64) {
        self.entries.clear();
        self.entries.extend(frictions.iter().map(|friction| {
            let slip = friction.slip(start, q);
            (friction.id, friction.slot, slip.clamp_length_max(edge))
        }));
        self.entries.sort_unstable_by_key(|(id, ..)| *id);
    }

    /// Forgets contacts of bodies that someone has moved.
    pub fn forget(&mut self, moved: impl Fn(u32) -> bool) {
        self.entries.retain(|(_, slots, _)| !slots.iter().any(|&slot| moved(slot)));
    }
}

impl Friction {
    /// For a contact that pushes with `force` \[N\] at a coefficient of friction.
    pub fn new(contact: &Contact, force: f64, coefficient: f64, memory: &Memory) -> Self {
        Self {
            slot: contact.slot,
            arm: contact.arm,
            normal: contact.normal,
            load: coefficient * force,
            held: memory.slip(&contact.id),
            id: contact.id,
        }
    }

    /// How the first point has slipped against the second since `start`, and before \[m\].
    fn slip(&self, start: &[Affine], q: &[Affine]) -> DVec3 {
        let moved = |k: usize| {
            let (slot, [x, y, z, w]) = (self.slot[k] as usize, self.arm[k]);
            let (from, to) = (&start[slot], &q[slot]);
            (to.linear - from.linear) * DVec3::new(x, y, z) + (to.position - from.position) * w
        };
        let total = moved(0) + moved(1) + self.held;
        total - self.normal * total.dot(self.normal)
    }

    /// Work done so far \[J\]; `edge` is the slip at which friction has its full size \[m\].
    pub fn energy(&self, start: &[Affine], q: &[Affine], edge: f64) -> f64 {
        self.load * slip_work(self.slip(start, q).length(), edge).value
    }

    /// Adds gradient and the second derivatives, which are positive semi-definite as they are.
    pub fn add_to(&self, start: &[Affine], q: &[Affine], edge: f64, out: &mut PairSystem) {
        let slip = self.slip(start, q);
        let y = slip.length();
        let (ratio, along) = (slip_ratio(y, edge), slip_work(y, edge).curvature);
        let across = DMat3::IDENTITY - outer(self.normal, self.normal);
        let mut block = across * ratio;
        if y > 0.0 {
            block += outer(slip, slip) * ((along - ratio) / (y * y));
        }
        out.add_force(self.load * ratio * slip, &self.arm);
        out.add(&(block * self.load), &self.arm);
    }
}
