//! Forces at contacts and joints, as every solver tells them.
//!
//! All of them are means over the last step: force times step is the impulse, whatever the number of substeps, so that
//! the sum over a body with its weight and the forces of the user is its change of momentum over the step. Efforts that
//! the user asks for along joint axes (`joint_f`) are forces of the user.

use std::collections::HashMap;
use std::mem::take;

use drystone_model::{BodyId, Contacts, DVec3, ModelMap, ShapeId};
use thiserror::Error;

use crate::linalg::block6::split;
use crate::linalg::matrix::Vec6;
use crate::parallel;
use crate::two_step;

/// Which contact point: the same from step to step while the same features touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContactKey {
    /// The shapes, smaller first.
    pub shape: [ShapeId; 2],
    /// What touches of them, by the numbers of the solver.
    pub feature: [u32; 4],
}

/// A contact point and what it carried. Ids are those of the model the solver was given; a simulation tells its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Which point it is.
    pub key: ContactKey,
    /// Bodies of the two shapes, or [`BodyId::WORLD`].
    pub body: [BodyId; 2],
    /// Where the surfaces of the two are nearest, as the solver had them, world frame \[m\]. The force acts half way between.
    pub position: [DVec3; 2],
    /// Unit normal from the first to the second shape, world frame.
    pub normal: DVec3,
    /// Force on the second body, friction included, world frame \[N\]; the first feels its opposite.
    pub force: DVec3,
    /// Torque on either body about its centre of mass, that of torsional and rolling friction included, world frame
    /// \[N·m\].
    pub torque: [DVec3; 2],
}

impl ContactForce {
    /// A point without a force.
    #[inline]
    pub fn new(key: ContactKey, body: [BodyId; 2], position: [DVec3; 2], normal: DVec3) -> Self {
        Self { key, body, position, normal, force: DVec3::ZERO, torque: [DVec3::ZERO; 2] }
    }

    /// Point `point` of manifold `manifold` of the collision pipeline, without a force.
    #[inline]
    pub fn of(contacts: &Contacts, manifold: usize, point: usize) -> Self {
        let [sub0, sub1] = contacts.manifold_sub[manifold];
        let key = ContactKey {
            shape: [contacts.manifold_shape0[manifold], contacts.manifold_shape1[manifold]].map(ShapeId),
            feature: [sub0, sub1, contacts.point_feature[point], 0],
        };
        let body = [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]].map(BodyId);
        let position = [contacts.point_position0[point], contacts.point_position1[point]];
        Self::new(key, body, position, contacts.manifold_normal[manifold])
    }

    /// With a force and a torque on the second body, for bodies with their centres of mass where they were when the force acted
    /// \[m\].
    #[inline]
    pub fn pushed(self, force: DVec3, torque: DVec3, centre: [DVec3; 2]) -> Self {
        let about = |side: usize| torque + (self.point() - centre[side]).cross(force);
        Self { force, torque: [-about(0), about(1)], ..self }
    }

    /// Adds what it carried later; the place is that of the later one.
    fn add(&mut self, later: &Self) {
        let torque = [0, 1].map(|side| self.torque[side] + later.torque[side]);
        *self = Self { force: self.force + later.force, torque, ..*later };
    }

    /// Where the force acts \[m\].
    #[inline]
    pub fn point(&self) -> DVec3 {
        0.5 * (self.position[0] + self.position[1])
    }
}

/// Two shapes that pushed each other in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// The shapes, smaller first.
    pub shape: [ShapeId; 2],
    /// Impulse of the points that pushed, on the second \[N·s\].
    pub impulse: DVec3,
}

/// What a joint exerted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointForce {
    /// Origin of the joint frame of the child, world frame \[m\].
    pub point: DVec3,
    /// Force on the child at that point, world axes \[N\]; the parent feels its opposite there.
    pub force: DVec3,
    /// Torque on the child about that point, world axes \[N·m\]; the parent feels its opposite.
    pub torque: DVec3,
    /// Torques on parent and child about their centres of mass, world axes \[N·m\]. Means of what they were along the step: levers
    /// turn within it, so that they are not quite what force and torque at the point would give.
    pub body_torque: [DVec3; 2],
}

impl JointForce {
    /// What a wrench is at the origin of the child's joint frame, `lever` from its centre of mass `child` \[m\].
    pub fn of(child: DVec3, lever: DVec3, wrench: &JointWrench) -> Self {
        let JointWrench { force, torque } = *wrench;
        Self { point: child + lever, force, torque: torque[1] - lever.cross(force), body_torque: torque }
    }

    /// Adds what it exerted later; the place is that of the later one.
    fn add(&mut self, later: Self) {
        let body_torque = [0, 1].map(|side| self.body_torque[side] + later.body_torque[side]);
        *self = Self { force: self.force + later.force, torque: self.torque + later.torque, body_torque, ..later };
    }
}

/// Force of a joint on its child, and torques on parent and child about their centres of mass, world axes \[N\], \[N·m\]; or their
/// impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointWrench {
    /// Force on the child.
    pub force: DVec3,
    /// Torques on parent and child.
    pub torque: [DVec3; 2],
}

impl JointWrench {
    /// A force and a torque on the child at one place, `lever` from the centres of mass of parent and child \[m\].
    pub fn at(lever: [DVec3; 2], force: DVec3, torque: DVec3) -> Self {
        let about = |side: usize| torque + lever[side].cross(force);
        Self { force, torque: [-about(0), about(1)] }
    }

    /// Of rows along which a joint pulls back with some force each, given by their Jacobians on parent and child.
    pub fn of_rows<'a>(rows: impl Iterator<Item = (f64, &'a [Vec6<f64>; 2])>) -> Self {
        let mut wrench = Self::default();
        for (pull, jacobian) in rows {
            let [(_, parent), (linear, child)] = [split(&jacobian[0]), split(&jacobian[1])];
            wrench.force -= pull * linear;
            wrench.torque[0] -= pull * parent;
            wrench.torque[1] -= pull * child;
        }
        wrench
    }

    /// Vector by vector.
    pub fn map(&self, of: impl Fn(DVec3) -> DVec3) -> Self {
        Self { force: of(self.force), torque: self.torque.map(of) }
    }
}

/// What the particles of a scene did to a body in a step: cloth that lies on it, soft bodies that press it, ropes tied to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParticlePush {
    /// Mean force, world axes \[N\].
    pub force: DVec3,
    /// Mean torque about its centre of mass at the start of every substep, world axes \[N·m\].
    pub torque: DVec3,
}

/// Why forces cannot be told.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("solver `{solver}` cannot tell {what}: {reason}; {remedy}")]
pub struct Untold {
    /// The solver.
    pub solver: &'static str,
    /// What was asked for.
    pub what: &'static str,
    /// Why it does not know.
    pub reason: String,
    /// What would work.
    pub remedy: String,
}

/// What joints did in the substep before. A second-order step moves bodies by the forces at both its ends and by what they did in
/// the step before it, and so its impulses are made.
#[derive(Clone, Debug, Default)]
pub struct JointLoads {
    /// Force on the child at the end of the substep before, and its impulse in it, by joint; nothing if it did not act.
    before: Vec<Option<[JointWrench; 2]>>,
    now: Vec<Option<[JointWrench; 2]>>,
}

impl JointLoads {
    /// Goes on after an edit.
    pub fn edited(&self, map: &ModelMap) -> Self {
        let carry = |loads: &[Option<[JointWrench; 2]>]| {
            let of = |joint| map.loaded_joint(joint).and_then(|before| loads.get(before).copied().flatten());
            (0..map.joint.count()).map(of).collect()
        };
        Self { before: carry(&self.before), now: carry(&self.now) }
    }

    /// Starts a substep of a model with so many joints.
    pub fn begin(&mut self, joints: usize) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.before.resize(joints, None);
        self.now.resize(joints, None);
        parallel::each(&mut self.now, |_, now| *now = None);
    }

    /// Impulse on the child in a substep of `h` seconds of a joint that exerts `force` at its end.
    pub fn impulse(&mut self, joint: usize, force: JointWrench, h: f64, second_order: bool) -> JointWrench {
        let impulse = impulse(self.before[joint].filter(|_| second_order), force, h);
        self.now[joint] = Some([force, impulse]);
        impulse
    }

    /// Books what all joints that act exert at the end of a substep of `h` seconds, on all threads.
    pub fn book(&mut self, ledger: &mut ForceLedger, h: f64, acting: impl Fn(usize) -> Option<ActingJoint> + Sync) {
        let before = &self.before;
        parallel::each2(&mut self.now, &mut ledger.joint, |joint, now, sum| {
            if let Some(ActingJoint { force, second_order, child, lever }) = acting(joint) {
                let impulse = impulse(before[joint].filter(|_| second_order), force, h);
                *now = Some([force, impulse]);
                sum.add(JointForce::of(child, lever, &impulse));
            }
        });
    }
}

/// A joint that acts, as its forces are booked.
#[derive(Clone, Copy, Debug)]
pub struct ActingJoint {
    /// What it exerts at the end of the substep.
    pub force: JointWrench,
    /// Whether its bodies were moved by the second-order rule.
    pub second_order: bool,
    /// Centre of mass of its child \[m\].
    pub child: DVec3,
    /// From there to the origin of the child's joint frame \[m\].
    pub lever: DVec3,
}

/// Impulse of a force at the end of a substep; by the second-order rule also of the force and the impulse of the substep before.
fn impulse(before: Option<[JointWrench; 2]>, force: JointWrench, h: f64) -> JointWrench {
    let Some([last, known]) = before else { return force.map(|force| h * force) };
    let blend = |last: DVec3, known: DVec3, now: DVec3| two_step::impulse(h, known, [last, now]);
    let torque = |side: usize| blend(last.torque[side], known.torque[side], force.torque[side]);
    JointWrench { force: blend(last.force, known.force, force.force), torque: [torque(0), torque(1)] }
}

/// Sums up the impulses of a step and makes mean forces of them.
#[derive(Clone, Debug, Default)]
pub struct ForceLedger {
    /// Contact points of the step that ended last, in a fixed order, also those that carried nothing.
    pub contact: Vec<ContactForce>,
    /// What joints exerted in it, by joint of the model; zero for joints that did not act.
    pub joint: Vec<JointForce>,
    /// Points by key, once there are several substeps.
    index: HashMap<ContactKey, usize>,
    substeps: usize,
    /// Whether the contact points are still those of the step before, whose places serve again.
    stale: bool,
    /// Points in ascending order of their shapes, which come first; they are not in `index`.
    sorted: usize,
    /// Points of a later substep, before they are booked.
    later: Vec<ContactForce>,
}

impl ForceLedger {
    /// What joints exerted, after an edit; contacts are for the simulation to tell.
    pub fn edited(&self, map: &ModelMap) -> Self {
        Self { joint: map.joint.carry(&self.joint, JointForce::default()), ..Self::default() }
    }

    /// Starts a step of a model with so many joints.
    pub fn begin(&mut self, joints: usize) {
        (self.stale, self.sorted) = (true, 0);
        self.joint.resize(joints, JointForce::default());
        parallel::each(&mut self.joint, |_, joint| *joint = JointForce::default());
        self.index.clear();
        self.substeps = 0;
    }

    fn drop_stale(&mut self) {
        if take(&mut self.stale) {
            self.contact.clear();
        }
    }

    /// Starts a substep.
    pub fn begin_substep(&mut self) {
        self.substeps += 1;
        if self.substeps == 2 {
            self.drop_stale();
            let points = self.contact.iter().enumerate().skip(self.sorted);
            self.index.extend(points.map(|(place, contact)| (contact.key, place)));
        }
    }

    /// Places for so many contact points of a substep, to be filled with their impulses in ascending order of their shapes.
    /// [`ForceLedger::book_places`] comes next.
    pub fn places(&mut self, points: usize) -> &mut [ContactForce] {
        let key = ContactKey { shape: [ShapeId(0); 2], feature: [0; 4] };
        let blank = ContactForce::new(key, [BodyId::WORLD; 2], [DVec3::ZERO; 2], DVec3::ZERO);
        let list = if self.substeps < 2 { &mut self.contact } else { &mut self.later };
        list.resize(points, blank);
        list
    }

    /// Books what was filled in: at once in the first substep; in later ones by walking along both lists.
    pub fn book_places(&mut self) {
        if self.substeps < 2 {
            (self.stale, self.sorted) = (false, self.contact.len());
            return;
        }
        let (mut later, mut next) = (take(&mut self.later), 0);
        for impulse in &later {
            let known = &self.contact[..self.sorted];
            next += known[next..].iter().take_while(|contact| contact.key.shape < impulse.key.shape).count();
            let pair = known[next..].iter().take_while(|contact| contact.key.shape == impulse.key.shape);
            match pair.map(|contact| contact.key).position(|key| key == impulse.key) {
                Some(place) => self.contact[next + place].add(impulse),
                None => self.contact(*impulse),
            }
        }
        later.clear();
        self.later = later;
    }

    /// Books the impulses of a contact point in a substep, given as its `force` and `torque` \[N·s\], \[N·m·s\].
    #[inline]
    pub fn contact(&mut self, impulse: ContactForce) {
        self.drop_stale();
        let list = &mut self.contact;
        if self.substeps < 2 {
            list.push(impulse);
            return;
        }
        match self.index.get(&impulse.key) {
            Some(&place) => list[place].add(&impulse),
            None => {
                self.index.insert(impulse.key, list.len());
                list.push(impulse);
            }
        }
    }

    /// Books the impulse of a joint in a substep \[N·s\], \[N·m·s\]; `lever` goes from the centre of mass of its child, `child`, to the
    /// origin of the child's joint frame \[m\].
    pub fn joint(&mut self, joint: usize, child: DVec3, lever: DVec3, impulse: &JointWrench) {
        self.joint[joint].add(JointForce::of(child, lever, impulse));
    }

    /// Hands the contact points of the last step over, for [`crate::Solver::take_contacts`]; what was in `out` is room for the next.
    pub fn take_contacts(&mut self, out: &mut Vec<ContactForce>) {
        std::mem::swap(out, &mut self.contact);
        self.stale = true;
    }

    /// Replaces `out` by what so many joints exerted in the last step, zeros before the first, for
    /// [`crate::Solver::read_joints`].
    pub fn read_joints(&self, joints: usize, out: &mut Vec<JointForce>) {
        out.clone_from(&self.joint);
        out.resize(joints, JointForce::default());
    }

    /// Ends a step of `dt` seconds: impulses become mean forces.
    pub fn end(&mut self, dt: f64) {
        self.drop_stale();
        let rate = 1.0 / dt;
        parallel::each(&mut self.contact, |_, contact| {
            contact.force *= rate;
            contact.torque = contact.torque.map(|torque| torque * rate);
        });
        parallel::each(&mut self.joint, |_, joint| {
            joint.force *= rate;
            joint.torque *= rate;
            joint.body_torque = joint.body_torque.map(|torque| torque * rate);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point of two shapes, with impulses that tell it and its substep apart.
    fn point((shape, feature): (u32, u32), substep: f64) -> ContactForce {
        let key = ContactKey { shape: [ShapeId(shape / 10), ShapeId(shape % 10)], feature: [0, 0, feature, 0] };
        let none = ContactForce::new(key, [BodyId(0), BodyId(1)], [DVec3::X * substep; 2], DVec3::Z);
        let size = substep * f64::from(shape + 100 * feature);
        ContactForce { force: DVec3::Z * size, torque: [DVec3::X * size, DVec3::Y * size], ..none }
    }

    /// Points that stay, come, go and come back, booked all at once and one by one, give the same list.
    #[test]
    fn lists_of_substeps_are_added_like_single_points() {
        let substeps: [&[(u32, u32)]; 4] = [
            &[(1, 0), (1, 1), (12, 5), (34, 0)],
            &[(1, 1), (2, 0), (12, 5), (12, 6)],
            &[(1, 0), (2, 0), (34, 0), (34, 1)],
            &[],
        ];
        let (mut at_once, mut single) = (ForceLedger::default(), ForceLedger::default());
        // Twice: the second step begins with the lists of the first.
        for _ in 0..2 {
            for ledger in [&mut at_once, &mut single] {
                ledger.begin(0);
            }
            for (points, substep) in substeps.iter().zip(1..) {
                let impulses = || points.iter().map(|&of| point(of, f64::from(substep)));
                at_once.begin_substep();
                at_once.places(points.len()).iter_mut().zip(impulses()).for_each(|(place, impulse)| *place = impulse);
                at_once.book_places();
                single.begin_substep();
                impulses().for_each(|impulse| single.contact(impulse));
            }
            for ledger in [&mut at_once, &mut single] {
                ledger.end(0.5);
            }
            assert_eq!(at_once.contact, single.contact);
            assert_eq!(at_once.contact.len(), 7);
            // In the first and third substep: (1 + 3) · 1 N·s over half a second.
            assert_eq!(at_once.contact[0].force, DVec3::Z * 8.0);
            at_once.take_contacts(&mut vec![point((1, 0), 9.0); 9]);
        }
    }
}
