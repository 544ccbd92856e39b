//! Forces of contacts and joints that explain the motion of a step to rounding, however few its iterations.
//!
//! What iterations say they exert is not all that moved the bodies: they end before multipliers and displacements agree, and what follows
//! (joints closed, overlaps taken back, energy held to its limit, momentum given back) changes velocities without a row that
//! tells. But all of it goes from body to body, or to what does not move. So the forces told are changed by as little as makes
//! them the change of momentum and of spin of every body: the smallest sum of |δf|²/|f| over all contacts and joints, with one
//! force per pair, at one place, on either body. Couples may be added too, at the cost of forces at a short arm, for what forces
//! at the points cannot do: a body on one point still changes its spin about it when it is put back.
//!
//! It is done when forces are read, and costs a step nothing.

mod network;

use drystone_model::{BodyId, DVec3};

use crate::forces::{ContactForce, JointForce};
use network::{Link, Network, Wrench};

/// Arm at which a pair of forces would cost as much as its couple, as a share of the levers.
const ARM: f64 = 0.1;
/// Share of the forces on its bodies below which a link carries nothing: it is asked only where the others cannot explain the motion.
const FADED: f64 = 1e-6;
/// Least weight of a link as a share of these forces. Smaller ones would let bodies give way without end.
const LEAST: f64 = 1e-3;
/// What is left of forces and torques, as a share of those at work, below which they explain the motion.
const ROUNDING: f64 = 1e-12;

/// What contacts and joints together must have exerted on a body in a step, on average.
#[derive(Clone, Copy, Debug, Default)]
pub struct Due {
    /// Whether forces move it.
    pub moves: bool,
    /// Its centre of mass when they acted \[m\].
    pub centre: DVec3,
    /// Force \[N\].
    pub force: DVec3,
    /// Torque about the centre of mass \[N·m\].
    pub torque: DVec3,
    /// Trace of its inertia \[kg·m²\], by which bodies that float share what no force explains.
    pub inertia: f64,
}

/// Forces of a step.
#[derive(Clone, Debug, Default)]
pub struct Balanced {
    /// Contact points, in the order they were given in.
    pub contacts: Vec<ContactForce>,
    /// Joints of the model.
    pub joints: Vec<JointForce>,
}

impl Balanced {
    /// Makes forces explain what bodies were `due`. Bodies of contacts are `index(id)`; `ends` are the bodies of joints, none of those
    /// that did not act, and whatever is no index of `due` does not move.
    ///
    /// Bodies that nothing held get what they are due as well, though their paths are no straight lines and levers turn
    /// within a step: the torque by which that misses is told on either side of a contact without its opposite.
    pub fn settle(&mut self, due: &[Due], index: impl Fn(BodyId) -> u32, ends: &[Option<[u32; 2]>]) {
        let links = self.links(due, index, ends);
        let mut network = Network::new(due, links);
        for (link, told) in self.told() {
            network.exert(link, told);
        }
        for unloaded in [false, true] {
            if network.is_explained() {
                break;
            }
            network.spread(unloaded);
        }
        network.keep_the_rest();
        for (link, Link { more, rest, lever, .. }) in network.links.iter().enumerate() {
            let torque = [0, 1].map(|side| {
                let about = more.torque + lever[side].cross(more.force);
                rest[side] + if side == 0 { -about } else { about }
            });
            self.add(link, more, torque);
        }
    }

    /// Contacts, then joints, without weights.
    fn links(&self, due: &[Due], index: impl Fn(BodyId) -> u32, ends: &[Option<[u32; 2]>]) -> Vec<Link> {
        let link = |body: [u32; 2], point: DVec3| {
            let of = |body: u32| due.get(body as usize);
            let lever = body.map(|body| point - of(body).map_or(DVec3::ZERO, |due| due.centre));
            Link::new(body.map(|body| of(body).filter(|due| due.moves).map(|_| body)), lever)
        };
        let contacts = self.contacts.iter().map(|contact| link(contact.body.map(&index), contact.point()));
        let joints = self.joints.iter().zip(ends).map(|(joint, ends)| match ends {
            Some(ends) => link(*ends, joint.point),
            None => Link::default(),
        });
        contacts.chain(joints).collect()
    }

    /// Force on the second body and torques on both that every link tells of, and the size of its couple.
    fn told(&self) -> impl Iterator<Item = (usize, ([Wrench; 2], f64))> + '_ {
        let pair = |force: DVec3, torque: [DVec3; 2]| {
            [Wrench { force: -force, torque: torque[0] }, Wrench { force, torque: torque[1] }]
        };
        let contacts = self.contacts.iter().map(move |contact| (pair(contact.force, contact.torque), 0.0));
        let joints = self.joints.iter().map(move |joint| (pair(joint.force, joint.body_torque), joint.torque.length()));
        contacts.chain(joints).enumerate()
    }

    fn add(&mut self, link: usize, more: &Wrench, torque: [DVec3; 2]) {
        let add = |to: &mut [DVec3; 2]| *to = [0, 1].map(|side| to[side] + torque[side]);
        match link.checked_sub(self.contacts.len()) {
            None => {
                self.contacts[link].force += more.force;
                add(&mut self.contacts[link].torque);
            }
            Some(joint) => {
                let joint = &mut self.joints[joint];
                joint.force += more.force;
                joint.torque += more.torque;
                add(&mut joint.body_torque);
            }
        }
    }
}

#[cfg(test)]
mod tests;
