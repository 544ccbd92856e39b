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
        self.rows.manifolds.iter().flat_map(move |manifold| {
            let first = manifold.body[0] as usize;
            manifold.points().map(move |point| {
                let force = manifold.normal.scale(point.load).add(point.friction);
                ContactReading {
                    body: manifold.body.map(body),
                    position: self.bodies.com[first] + to_dvec3(point.lever),
                    normal: to_dvec3(manifold.normal),
                    force: to_dvec3(force),
                }
            })
        })
    }
}
