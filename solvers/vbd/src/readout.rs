//! Contact forces for the user.

use drystone_model::{Contacts, DVec3, WORLD};
use drystone_solve::forces::{ActingJoint, ContactForce, JointWrench};
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

    /// Books the impulses of a substep of `h` seconds: of its contacts, blows included, and of its joints.
    pub(super) fn book_forces(&mut self, contacts: &Contacts, h: f64) {
        let Self { ledger, rows, torques, impacts, bodies, .. } = self;
        ledger.begin_substep();
        let impulse = |index: usize, lane: usize, point: usize| {
            let (manifold, dual) = (&rows.manifolds[index], &rows.duals[index]);
            let (load, friction) = dual.acted(lane, &manifold.point(lane));
            let force = to_dvec3(manifold.normal.scale(load).add(friction));
            // Torsional and rolling friction belong to the manifold: they are told once.
            let torque = torques.get(index).filter(|_| lane == 0).map_or(DVec3::ZERO, |torque| DVec3::from(*torque));
            let centre = manifold.body.map(|slot| bodies.com[slot as usize]);
            let blow = impacts.blow(index, lane);
            ContactForce::of(contacts, index, point).pushed(h * force + blow, h * torque, centre)
        };
        parallel::by_row(&contacts.point_start, ledger.places(contacts.point_count()), &|index, points| {
            let first = contacts.points(index).start;
            points.iter_mut().enumerate().for_each(|(lane, point)| *point = impulse(index, lane, first + lane));
        });
        ledger.book_places();
        self.book_joints(h);
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
