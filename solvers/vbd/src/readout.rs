//! Contact forces for the user.

use std::mem::take;

use drystone_model::{BodyId, Contacts, DVec3, ShapeId, WORLD};
use drystone_solve::forces::{ActingJoint, ContactForce, ContactKey, JointWrench, Push};
use drystone_solve::parallel;

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
                let force = point.force(manifold.normal);
                ContactReading {
                    body: manifold.body.map(body),
                    position: self.bodies.com[first] + to_dvec3(point.lever),
                    normal: to_dvec3(manifold.normal),
                    force: to_dvec3(force),
                }
            })
        })
    }

    /// Books the impulses of a substep of `h` seconds: of its contacts, blows included, and of its joints. Contacts of the only substep
    /// of a step are told by what is at hand, once somebody asks.
    pub(super) fn book_forces(&mut self, contacts: &Contacts, h: f64) {
        if self.told_later.is_none() {
            let mut ledger = take(&mut self.ledger);
            ledger.begin_substep();
            self.write_forces(contacts, [h, 1.0], ledger.places(contacts.point_count()));
            ledger.book_places();
            self.ledger = ledger;
        }
        self.book_joints(h);
    }

    /// Writes what contact points carried in a substep of `h` seconds, times `scale`.
    fn write_forces(&self, contacts: &Contacts, [h, scale]: [f64; 2], out: &mut [ContactForce]) {
        let Self { rows, torques, bodies, .. } = self;
        let force = |index: usize, lane: usize, point: usize| {
            // Torsional and rolling friction belong to the manifold: they are told once.
            let torque = torques.get(index).filter(|_| lane == 0).map_or(DVec3::ZERO, |torque| DVec3::from(*torque));
            let centre = rows.manifolds[index].body.map(|slot| bodies.com[slot as usize]);
            let impulse = self.impulse(index, lane, h);
            ContactForce::of(contacts, index, point).pushed(scale * impulse, scale * h * torque, centre)
        };
        parallel::by_row(&contacts.point_start, out, &|index, points| {
            let first = contacts.points(index).start;
            points.iter_mut().enumerate().for_each(|(lane, point)| *point = force(index, lane, first + lane));
        });
    }

    /// Impulse of a contact point in a substep of `h` seconds, blows included \[N·s\].
    fn impulse(&self, index: usize, lane: usize, h: f64) -> DVec3 {
        let (manifold, dual) = (&self.rows.manifolds[index], &self.rows.duals[index]);
        let (load, friction) = dual.acted(lane, &manifold.point(lane));
        h * to_dvec3(manifold.normal.scale(load).add(friction)) + self.impacts.blow(index, lane)
    }

    /// Pairs of shapes that pushed each other in the only substep of a step.
    pub(super) fn pushes(&mut self, contacts: &Contacts, h: f64, out: &mut Vec<Push>) {
        let mut pushed = take(&mut self.pushed_by);
        pushed.resize(contacts.manifold_count(), None);
        parallel::each(&mut pushed, |index, pushed| {
            let normal = to_dvec3(self.rows.manifolds[index].normal);
            let impulses = (0..contacts.points(index).len()).map(|lane| self.impulse(index, lane, h));
            *pushed = impulses.filter(|impulse| impulse.dot(normal) > 0.0).reduce(|sum, impulse| sum + impulse);
        });
        out.clear();
        out.extend(pushed.iter().enumerate().filter_map(|(index, impulse)| {
            let shape = [contacts.manifold_shape0[index], contacts.manifold_shape1[index]].map(ShapeId);
            impulse.map(|impulse| Push { shape, impulse })
        }));
        self.pushed_by = pushed;
    }

    /// What contact points carried in the only substep of a step.
    pub(super) fn forces_at_hand(&self, contacts: &Contacts, h: f64, out: &mut Vec<ContactForce>) {
        let key = ContactKey { shape: [ShapeId(0); 2], feature: [0; 4] };
        let blank = ContactForce::new(key, [BodyId::WORLD; 2], [DVec3::ZERO; 2], DVec3::ZERO);
        out.clear();
        out.resize(contacts.point_count(), blank);
        self.write_forces(contacts, [h, 1.0 / h], out);
    }

    fn book_joints(&mut self, h: f64) {
        let Self { ledger, joints, joint_islands, bodies, loads, ramp, .. } = self;
        loads.begin(joints.count());
        let acting = |joint: usize, (force, lever): (JointWrench, DVec3)| {
            let ends = joints.geometry[joint].body;
            let second_order = ends.iter().any(|&body| bodies.moves[body] && bodies.step[body] != h);
            ActingJoint { force, second_order, child: bodies.placement[ends[1]].com, lever }
        };
        loads.book(ledger, h, |joint| match ramp {
            None => joint_islands.wrench(joint, joints).map(|wrench| acting(joint, wrench)),
            Some(_) => joints.active[joint].then(|| acting(joint, joints.wrench(joint, &joints.axes(joint, bodies)))),
        });
    }
}
