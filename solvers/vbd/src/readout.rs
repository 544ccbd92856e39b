//! Contact forces for the user.

use drystone_model::{DVec3, WORLD};

use super::Vbd;
use super::convert::to_dvec3;

/// The force at one contact point in the last substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReading {
    /// The two bodies; [`WORLD`] for what never moves.
    pub body: [u32; 2],
    /// Where it acted, half way between the surfaces, at the start of the substep, world frame \[m\].
    pub position: DVec3,
    /// Unit normal from the first to the second body.
    pub normal: DVec3,
    /// Force on the second body, friction included; the first feels its opposite \[N\].
    pub force: DVec3,
}

impl Vbd {
    /// The forces that acted at all contact points in the last substep, in the order of the contacts.
    pub fn contact_forces(&self) -> impl Iterator<Item = ContactReading> + '_ {
        let body = |slot: u32| if slot as usize == self.bodies.world() { WORLD } else { slot };
        self.manifolds.iter().flat_map(move |manifold| {
            manifold.points().iter().map(move |point| {
                let arm = manifold.lever[1].add(point.place);
                ContactReading {
                    body: manifold.body.map(body),
                    position: self.bodies.com[manifold.body[1] as usize] + to_dvec3(manifold.frame.mul_transposed(arm)),
                    normal: to_dvec3(manifold.frame.r0),
                    force: to_dvec3(manifold.frame.mul_transposed(point.lambda)),
                }
            })
        })
    }
}
