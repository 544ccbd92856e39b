//! Forces of contacts and joints for the user.

use drystone_model::{BodyId, DVec3, ShapeId};
use drystone_solve::forces::{ContactForce, ContactKey, ForceLedger, JointLoads};

use super::affine::{Affine, Arm};
use super::bodies::Bodies;
use super::newton::{Newton, Problem};
use super::touch::Id;

/// Two points of two bodies, and what the first pulls the second with: the gradient of an energy by the vector between them.
struct Pull {
    slot: [u32; 2],
    shape: [u32; 2],
    arm: [Arm; 2],
    id: Id,
    normal: DVec3,
    gradient: DVec3,
}

impl Pull {
    /// As an impulse of `h` seconds between shapes in the order of their numbers.
    fn impulse(&self, q: &[Affine], h: f64) -> ContactForce {
        let world = q.len() - 1;
        let [first, second] = if self.shape[0] <= self.shape[1] { [0, 1] } else { [1, 0] };
        let side = |k: usize| {
            let (slot, [x, y, z, sign]) = (self.slot[k] as usize, self.arm[k]);
            let place = q[slot].point(DVec3::new(x, y, z) * sign);
            (if slot == world { BodyId::WORLD } else { BodyId(slot as u32) }, place, sign)
        };
        let ((body0, place0, sign0), (body1, place1, sign1)) = (side(first), side(second));
        let shape = [first, second].map(|k| ShapeId(self.shape[k]));
        let key = ContactKey { shape, feature: self.id };
        // The vector between the points goes to the one whose arm is positive.
        let contact = ContactForce::new(key, [body0, body1], [place0, place1], -sign0 * self.normal);
        let centre = [first, second].map(|k| q[self.slot[k] as usize].position);
        contact.pushed(-h * sign1 * self.gradient, DVec3::ZERO, centre)
    }
}

impl Newton {
    /// Books the impulses of a step that is solved: barriers, then friction, then joints.
    pub fn book_forces(&self, problem: &Problem, bodies: &Bodies, ledger: &mut ForceLedger, loads: &mut JointLoads) {
        let (scale, q) = (problem.scale, &bodies.q);
        ledger.begin_substep();
        for contact in &self.contacts {
            let load = problem.stiffness(bodies, contact) * contact.load(scale.contact_distance);
            let pull = Pull {
                slot: contact.slot,
                shape: contact.shape,
                arm: contact.arm,
                id: contact.id,
                normal: contact.normal,
                gradient: -load * contact.normal,
            };
            ledger.contact(pull.impulse(q, scale.h));
        }
        ledger.begin_substep();
        for friction in &self.frictions {
            let pull = Pull {
                slot: friction.slot,
                shape: friction.shape,
                arm: friction.arm,
                id: friction.id,
                normal: friction.normal(),
                gradient: friction.pull(&bodies.start, q, scale.edge),
            };
            ledger.contact(pull.impulse(q, scale.h));
        }
        self.joints.book(bodies, scale.h, ledger, loads);
    }
}
