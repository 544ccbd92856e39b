//! Forces of contacts and joints for the user.

use drystone_model::{Contacts, DVec3, Model};
use drystone_solve::forces::{ContactForce, JointWrench};

use super::Jacobi;
use super::bodies::body_or_world;
use super::finish::gap;
use super::spec::RowSpec;

impl Jacobi {
    /// Books the impulses of a substep, with the bodies and rows as they were at its start.
    pub(super) fn book_forces(&mut self, model: &Model, contacts: &Contacts) {
        self.ledger.begin_substep();
        if self.collides {
            self.book_contacts(contacts);
        }
        if self.joint_count == 0 {
            return;
        }
        self.point_impulse.clear();
        self.point_impulse.resize(self.joint_count, [0.0; 3]);
        self.engine.impulses(&mut self.point_impulse);
        for joint in (0..self.joint_count).filter(|&joint| self.active[joint]) {
            let (child, lever) = self.child(model, joint);
            let impulse = DVec3::from_array(self.point_impulse[joint]);
            let ends = [model.joint_parent[joint], model.joint_child[joint]];
            // Between two bodies that move it acts half way between the anchors.
            let both = ends.iter().all(|&body| self.layout.moves(body));
            let half = if both { 0.5 * gap(model, &self.bodies, joint) } else { DVec3::ZERO };
            let wrench = JointWrench::at(lever.map(|lever| lever - half), impulse, DVec3::ZERO);
            self.ledger.joint(joint, child, lever[1], &wrench);
        }
        for (joint, blocks) in self.joints.blocks_by_joint() {
            let (child, lever) = self.child(model, joint);
            for row in self.rows[blocks].iter() {
                self.ledger.joint(joint, child, lever[1], &impulse(row));
            }
        }
    }

    fn book_contacts(&mut self, contacts: &Contacts) {
        let mut rows = self.rows[self.joints.body.len()..].iter();
        for manifold in 0..contacts.manifold_count() {
            for (point, row) in contacts.points(manifold).zip(&mut rows) {
                let contact = ContactForce::of(contacts, manifold, point);
                let centre = contact.body.map(|body| body_or_world(&self.bodies, body.0).centre);
                self.ledger.contact(contact.pushed(impulse(row).force, DVec3::ZERO, centre));
            }
        }
    }

    /// Centre of mass of the child of a joint at the start of the substep, and from those of parent and child to the origin of
    /// the child's joint frame.
    fn child(&self, model: &Model, joint: usize) -> (DVec3, [DVec3; 2]) {
        let body = model.joint_child[joint];
        let at = body_or_world(&self.bodies, body);
        let com = model.body_com.get(body as usize).copied().unwrap_or(DVec3::ZERO);
        let lever = at.rotation * (model.joint_frame_child[joint].translation - com);
        let parent = body_or_world(&self.bodies, model.joint_parent[joint]).centre;
        (at.centre, [at.centre + lever - parent, lever])
    }
}

/// Impulse of a block on its second body, and of its torques on both \[N·s\], \[N·m·s\].
fn impulse(row: &RowSpec) -> JointWrench {
    let sum = |directions: &[DVec3; 3]| (0..row.count).map(|k| directions[k] * row.impulse[k]).sum();
    JointWrench { force: sum(&row.linear), torque: [0, 1].map(|side| sum(&row.angular[side])) }
}
