//! Contacts as rows outside the trees: one normal row that only pushes, two tangents, and what resists
//! rolling and turning on the spot.

use drystone_kernels::elementary::hypot;
use drystone_model::{Contacts, DVec3, WORLD};
use serde::{Deserialize, Serialize};

use super::loops::OuterRow;
use super::system::ConstraintSystem;
use drystone_solve::forces::ContactForce;
use drystone_solve::linalg::block6::{point_row, spatial, split};
use drystone_solve::linalg::matrix::{Vec6, dot};

/// Gap, as a share of the overlap that is left alone, which counts as none: gaps that small differ from point to point of
/// a face by rounding, and rows that contradict each other are hard to solve.
pub(super) const TOUCHING: f64 = 1.0e-2;

/// A contact point in a step.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Index among the points of the step.
    pub index: u32,
    /// Bodies, the world being the last index.
    pub body: [u32; 2],
    /// Touching points from the centres of mass, body axes \[m\].
    pub anchor: [DVec3; 2],
    /// Unit normal from the first to the second body, world frame.
    pub normal: DVec3,
    /// Row of the normal.
    pub row: u32,
    /// Number of friction rows after it: 0, 2 and those of torsion and rolling.
    pub friction_rows: u32,
    /// Coefficients while sticking and while sliding.
    pub coefficient: [f64; 2],
    /// Whether it slides, which its coefficient may depend on.
    pub sliding: bool,
    /// Speed it slips with, as far as known \[m/s\].
    pub slip: f64,
    /// What the last pass found beyond that \[m/s\].
    pub miss: f64,
    /// Ratio of separating to approaching speed.
    pub restitution: f64,
    /// Normal speed before the step, negative when approaching \[m/s\].
    pub approach: f64,
    /// The part of the normal speed that is not unknown \[m/s\].
    pub known: f64,
    /// Whether it gives way.
    pub soft: bool,
    /// Whether it overlapped in the projection under way.
    pub lifted: bool,
    /// World of the bodies.
    pub world: u32,
    /// Directions of the tangents, world frame.
    pub tangent: [DVec3; 2],
}

/// What a contact point hands on to the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointMemory {
    /// Normal force \[N\].
    pub normal: f64,
    /// Friction force on the second body, world frame \[N\].
    pub friction: [f64; 3],
    /// Whether it slid.
    pub sliding: bool,
    /// World of the bodies.
    pub world: u32,
}

impl ConstraintSystem {
    /// Appends the rows of all contacts for a step of `h` seconds, with the forces of the step before as the
    /// first guess of their impulses.
    pub(super) fn add_contact_rows(&mut self, contacts: &Contacts, h: f64) {
        self.points.clear();
        for manifold in 0..contacts.manifold_count() {
            let world = self.bodies.count() as u32;
            let body = [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]]
                .map(|body| if body == WORLD { world } else { body });
            if !body.iter().any(|&body| self.moves(body)) {
                continue;
            }
            for point in contacts.points(manifold) {
                let before = self.memory.get(contacts.point_match[point] as usize).copied().unwrap_or_default();
                self.add_point(contacts, manifold, point, body, &before, h);
            }
        }
    }

    /// Whether any contact has an end that moves.
    pub(super) fn touches(&self, contacts: &Contacts) -> bool {
        let ends = contacts.manifold_body0.iter().chain(&contacts.manifold_body1);
        ends.into_iter().any(|&body| self.moves(body))
    }

    pub(super) fn moves(&self, body: u32) -> bool {
        self.bodies.moves.get(body as usize) == Some(&true)
    }

    /// Appends the rows of a contact, its tangents along the friction that the step before had.
    pub(super) fn add_point(
        &mut self,
        contacts: &Contacts,
        manifold: usize,
        point: usize,
        body: [u32; 2],
        before: &PointMemory,
        h: f64,
    ) {
        let material = contacts.manifold_material[manifold];
        let normal = contacts.manifold_normal[manifold];
        let position = [contacts.point_position0[point], contacts.point_position1[point]];
        let at = 0.5 * (position[0] + position[1]);
        let gap = contacts.point_gap[point];
        let push = DVec3::from_array(before.friction);
        let first = (push - normal * push.dot(normal)).try_normalize().unwrap_or(normal.any_orthonormal_vector());
        let tangent = [first, normal.cross(first)];
        let row = self.outer.rows.len() as u32;
        let (mut normal_row, approach) = self.directed(body, at, normal);
        normal_row.lower = 0.0;
        let known = normal_row.target;
        if material.stiffness.is_infinite() {
            let touches = gap < TOUCHING * self.options.contact_tolerance;
            normal_row.target -= if touches { 0.0 } else { gap / h };
        } else {
            let s = h * (h * material.stiffness + if gap < 0.0 { material.damping } else { 0.0 });
            normal_row.compliance = 1.0 / s;
            normal_row.target = known - h * material.stiffness * gap / s;
        }
        self.outer.push_guess(normal_row, before.normal * h);
        let (mut friction_rows, mut slip) = (0, 0.0f64);
        if material.friction_static > 0.0 || material.friction_dynamic > 0.0 {
            for tangent in tangent {
                let (row, rate) = self.directed(body, at, tangent);
                let belt = contacts.manifold_surface[manifold].dot(tangent);
                slip = hypot(slip, rate + belt);
                let row = OuterRow { lower: 0.0, upper: 0.0, target: row.target - belt, ..row };
                self.outer.push_guess(row, push.dot(tangent) * h);
            }
            friction_rows =
                2 + self.add_spin_rows(body, normal, tangent, material.friction_torsional, material.friction_rolling);
        }
        let anchor = [0, 1].map(|side| {
            let place = self.bodies.body[body[side] as usize].placement;
            place.rotation.conjugate() * (position[side] - place.com)
        });
        self.points.push(ContactPoint {
            index: point as u32,
            body,
            anchor,
            normal,
            row,
            friction_rows,
            coefficient: [material.friction_static, material.friction_dynamic],
            sliding: before.sliding && push != DVec3::ZERO,
            slip,
            miss: 0.0,
            restitution: material.restitution,
            approach,
            known: -known,
            soft: material.stiffness.is_finite(),
            lifted: false,
            world: self.bodies.world[body.into_iter().find(|&body| self.moves(body)).unwrap_or_default() as usize],
            tangent,
        });
    }

    /// Rows against turning about the normal and rolling, measured at their radius so that the normal force
    /// itself bounds them.
    fn add_spin_rows(
        &mut self,
        body: [u32; 2],
        normal: DVec3,
        tangent: [DVec3; 2],
        torsional: f64,
        rolling: f64,
    ) -> u32 {
        let mut count = 0;
        for (axis, radius) in [(normal, torsional), (tangent[0], rolling), (tangent[1], rolling)] {
            if radius > 0.0 {
                let turn = spatial(DVec3::ZERO, axis * radius);
                let (row, _) = self.between(body, [turn.map(|x| -x), turn]);
                self.outer.push_guess(OuterRow { lower: 0.0, upper: 0.0, ..row }, 0.0);
                count += 1;
            }
        }
        count
    }

    /// The row of the relative motion of two bodies along a direction, and its rate now.
    fn directed(&self, body: [u32; 2], at: DVec3, direction: DVec3) -> (OuterRow, f64) {
        let lever = body.map(|body| at - self.bodies.body[body as usize].placement.com);
        self.between(body, [point_row(-direction, lever[0]), point_row(direction, lever[1])])
    }

    fn between(&self, body: [u32; 2], jacobian: [Vec6<f64>; 2]) -> (OuterRow, f64) {
        let rate = [0, 1].map(|side| dot(&jacobian[side], &self.bodies.body[body[side] as usize].velocity));
        let moves = body.map(|body| self.moves(body));
        let unknown = [0, 1].map(|side| if moves[side] { jacobian[side] } else { [0.0; 6] });
        let known: f64 = (0..2).filter(|&side| !moves[side]).map(|side| rate[side]).sum();
        let row = OuterRow { target: -known, ..OuterRow::new(body, unknown, 0.0) };
        (row, rate[0] + rate[1])
    }

    /// Signed distance of a contact point with the bodies as they are, along its old normal \[m\].
    pub(super) fn point_gap(&self, point: &ContactPoint) -> f64 {
        let at = [0, 1].map(|side| {
            let place = self.bodies.body[point.body[side] as usize].placement;
            place.com + place.rotation * point.anchor[side]
        });
        point.normal.dot(at[1] - at[0])
    }

    /// Appends rows that lift overlapping hard contacts apart, and keep those apart that were lifted before; returns the deepest
    /// overlap \[m\].
    pub(super) fn add_overlaps(&mut self) -> f64 {
        let mut deepest: f64 = 0.0;
        for index in 0..self.points.len() {
            let point = self.points[index];
            let gap = self.point_gap(&point);
            self.points[index].lifted |= gap < 0.0 && !point.soft;
            if self.points[index].lifted {
                let place = [0, 1].map(|side| self.bodies.body[point.body[side] as usize].placement);
                let at = place[1].com + place[1].rotation * point.anchor[1];
                let (row, _) = self.directed(point.body, at, point.normal);
                self.outer.push_single(OuterRow { target: -gap, lower: 0.0, ..row });
                deepest = deepest.max(-gap);
            }
        }
        deepest
    }

    /// Books the impulses of the contacts as they are solved for.
    pub(super) fn book_contacts(&mut self, contacts: &Contacts) {
        let manifold_of = |point: u32| contacts.point_start.partition_point(|&start| start <= point) - 1;
        for point in &self.points {
            let memory = self.memory_of(point, 1.0);
            let torque = self.spin_impulse(point);
            let force = point.normal * memory.normal + DVec3::from_array(memory.friction);
            let manifold = manifold_of(point.index);
            let centre = point.body.map(|body| self.start[body as usize].placement.com);
            let contact = ContactForce::of(contacts, manifold, point.index as usize);
            self.booked.push(contact.pushed(force, torque, centre));
        }
    }

    /// Torsional and rolling friction of a point on the second body \[N·m·s\]: what its rows after the two tangents do.
    fn spin_impulse(&self, point: &ContactPoint) -> DVec3 {
        let rows = 3..1 + point.friction_rows.max(2);
        rows.map(|offset| {
            let row = (point.row + offset) as usize;
            let of = |side: usize, sign: f64| split(&self.outer.rows[row].jacobian[side]).1 * sign;
            // The side that does not move has no row of its own.
            let direction = if self.moves(point.body[1]) { of(1, 1.0) } else { of(0, -1.0) };
            direction * self.outer.lambda[row]
        })
        .sum()
    }

    /// Keeps the forces of the contacts of a step, in the order of the points, for the next one.
    pub(super) fn remember_points(&mut self, contacts: &Contacts, h: f64) {
        let mut next = std::mem::take(&mut self.next_memory);
        next.clear();
        next.resize(contacts.point_count(), PointMemory::default());
        for point in &self.points {
            next[point.index as usize] = self.memory_of(point, h);
        }
        self.next_memory = std::mem::replace(&mut self.memory, next);
    }

    fn memory_of(&self, point: &ContactPoint, h: f64) -> PointMemory {
        let lambda = |offset: u32| self.outer.lambda[(point.row + offset) as usize] / h;
        let mut friction = DVec3::ZERO;
        if point.friction_rows > 0 {
            friction = point.tangent[0] * lambda(1) + point.tangent[1] * lambda(2);
        }
        PointMemory { normal: lambda(0), friction: friction.to_array(), sliding: point.sliding, world: point.world }
    }
}
