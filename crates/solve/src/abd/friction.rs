//! Lagged Coulomb friction: normal loads, directions and points are those of an earlier iterate, so that friction
//! is the gradient of a work μ λ f(|slip|) over the step.

use drystone_model::{DMat3, DVec3};

use super::affine::{Affine, Arm, outer};
use super::barrier::{slip_ratio, slip_work};
use super::contact::{Contact, PairSystem};

/// Friction at a pair of points.
#[derive(Clone, Copy, Debug)]
pub struct Friction {
    pub slot: [u32; 2],
    arm: [Arm; 2],
    normal: DVec3,
    /// μ λ \[N\].
    load: f64,
}

impl Friction {
    /// For a contact that pushes with `force` \[N\] at a coefficient of friction.
    pub fn new(contact: &Contact, force: f64, coefficient: f64) -> Self {
        Self { slot: contact.slot, arm: contact.arm, normal: contact.normal, load: coefficient * force }
    }

    /// How the first point has slipped against the second since `start` \[m\].
    fn slip(&self, start: &[Affine], q: &[Affine]) -> DVec3 {
        let moved = |k: usize| {
            let (slot, [x, y, z, w]) = (self.slot[k] as usize, self.arm[k]);
            let (from, to) = (&start[slot], &q[slot]);
            (to.linear - from.linear) * DVec3::new(x, y, z) + (to.position - from.position) * w
        };
        let total = moved(0) + moved(1);
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
