//! The equations of a Newton step of islands side by side.
//!
//! With D = Σ k d dᵀ over the translations of a joint and R = Σ k r rᵀ over its rotations, the blocks of its bodies are D, l × D and
//! l × D × lᵀ + R with the lever l of each: a joint of three rows takes one symmetric 3×3 matrix and its products with levers.

use drystone_kernels::double::math::{Block6, Vec6};
use drystone_kernels::lanes::{Lanes, Simd4, Wide3, WideSym};
use drystone_solve::linalg::four_ldl::{Lower, Six, at};

use super::super::dahl;
use super::super::island::{NO_NODE, SolveContext};
use super::blocks::{
    add_diagonal, add_force, add_sym, bend, coupling, cross_rows, jacobian, negative, sum_outer, sum_scaled,
    write_coupling,
};
use super::coordinates::inertial_force;
use super::load::RowLanes;
use super::{Around, FourIslands};
use crate::primal;

/// Force and its derivative of rows at a coordinate.
#[inline(always)]
pub fn law<L: Lanes>(lanes: L, row: &RowLanes, q: Simd4<L>) -> [Simd4<L>; 2] {
    let (k, viscous) = (Simd4::load(lanes, &row.k), Simd4::load(lanes, &row.viscous));
    let away = q - Simd4::load(lanes, &row.reference);
    let trial = Simd4::load(lanes, &row.lambda) + k * away + viscous * (q - Simd4::load(lanes, &row.start));
    let stiffness = k + viscous;
    if !row.bounded {
        return [trial, stiffness];
    }
    let (lower, upper) = (Simd4::load(lanes, &row.lower), Simd4::load(lanes, &row.upper));
    let zero = Simd4::splat(lanes, 0.0);
    let held = (lower - trial).where_positive(zero, (trial - upper).where_positive(zero, stiffness));
    [upper.min(lower.max(trial)), held]
}

/// What the rows of a joint amount to, coordinate by coordinate.
struct Pulls<L: Lanes> {
    force: [Simd4<L>; 6],
    stiffness: [Simd4<L>; 6],
    /// Forces last solved for.
    known: [Simd4<L>; 3],
}

impl FourIslands {
    /// Descent and matrix at the current iterate, of the lanes that are `due`.
    #[inline(always)]
    pub(super) fn assemble<L: Lanes>(&mut self, lanes: L, around: &Around, due: [bool; 4]) {
        for node in 0..self.body.len() {
            self.assemble_body(lanes, around, node, due);
        }
        for k in 0..self.shape.filled.len() {
            self.solver.coupling[self.shape.filled[k]] = [[[0.0; 4]; 6]; 6];
        }
        for joint in 0..self.joint.len() {
            let pulls = self.pulls(lanes, around, joint);
            self.assemble_joint(lanes, joint, &pulls);
        }
        if self.coupled {
            self.couple(lanes);
        }
    }

    #[inline(always)]
    fn assemble_body<L: Lanes>(&mut self, lanes: L, around: &Around, node: usize, due: [bool; 4]) {
        let body = &self.body[node];
        let [force, torque] = inertial_force(lanes, body);
        let ([a, b, c], [d, e, f]) = (force.store(), torque.store());
        self.descent[node] = [a, b, c, d, e, f];
        let (none, mass) = ([0.0; 4], body.mass);
        let [xx, xy, xz, yy, yz, zz] = body.inertia;
        let own = &mut self.solver.diagonal[self.shape.order.place(node as u32)];
        *own = [
            mass, none, mass, none, none, mass, none, none, none, xx, none, none, none, xy, yy, none, none, none, xz,
            yz, zz,
        ];
        for lane in 0..self.count {
            let (context, body) = (&around[lane], self.bodies[node][lane] as usize);
            if due[lane]
                && (self.touched[lane] || !context.bodies.pushes.is_empty())
                && let Some((force, block)) = outside(context, body)
            {
                add_block(own, &mut self.descent[node], lane, force, block);
            }
        }
    }

    #[inline(always)]
    fn pulls<L: Lanes>(&self, lanes: L, around: &Around, joint: usize) -> Pulls<L> {
        let zero = Simd4::splat(lanes, 0.0);
        let mut pulls = Pulls { force: [zero; 6], stiffness: [zero; 6], known: [zero; 3] };
        for row in self.shape.pattern.rows_of(joint) {
            let pattern = self.shape.pattern.rows[row];
            let axis = pattern.axis;
            let q = Simd4::load(lanes, &self.joint[joint].value[axis]);
            let [force, stiffness] = match pattern.dahl {
                true => self.hysteresis(lanes, around, joint, row, q),
                false => law(lanes, &self.row[row], q),
            };
            pulls.force[axis] += force;
            pulls.stiffness[axis] += stiffness;
            if axis < 3 {
                pulls.known[axis] += Simd4::load(lanes, &self.row[row].force);
            }
        }
        pulls
    }

    /// The law of hysteresis, lane by lane.
    pub(super) fn hysteresis<L: Lanes>(
        &self,
        lanes: L,
        around: &Around,
        joint: usize,
        row: usize,
        q: Simd4<L>,
    ) -> [Simd4<L>; 2] {
        let index = row - self.shape.pattern.row_start[joint] as usize;
        let (q, mut out) = (q.store(), [[0.0; 4]; 2]);
        for lane in 0..4 {
            let row = &around[lane].joints.rows(self.joints[joint][lane] as usize)[index];
            [out[0][lane], out[1][lane]] = dahl::law(row, q[lane]).into();
        }
        [Simd4::load(lanes, &out[0]), Simd4::load(lanes, &out[1])]
    }

    #[inline(always)]
    fn assemble_joint<L: Lanes>(&mut self, lanes: L, joint: usize, pulls: &Pulls<L>) {
        let own = &self.joint[joint];
        let translations = sum_outer(lanes, &own.direction, &pulls.stiffness, 0);
        let force = sum_scaled(lanes, &own.direction, &pulls.force, 0);
        let known = sum_scaled(lanes, &own.direction, &[pulls.known[0], pulls.known[1], pulls.known[2]], 0);
        let zero = Simd4::splat(lanes, 0.0);
        let mut torque = Wide3 { x: zero, y: zero, z: zero };
        let mut rotations = WideSym([zero; 6]);
        if self.shape.pattern.joints[joint].turns {
            torque = sum_scaled(lanes, &own.row, &pulls.force, 3);
            rotations = sum_outer(lanes, &own.row, &pulls.stiffness, 3);
        }
        let [parent, child] = self.shape.pattern.ends[joint];
        let levers = [Wide3::load(lanes, &own.lever[0]), Wide3::load(lanes, &own.lever[1])];
        // Rows: angular; columns: linear.
        let arms = [cross_rows(levers[0], translations), cross_rows(levers[1], translations)];
        if parent != NO_NODE {
            let turned = add_sym(rotations, bend(lanes, negative(known), levers[0]));
            let place = self.shape.order.place(parent);
            add_diagonal(lanes, &mut self.solver.diagonal[place], translations, &arms[0], levers[0], turned);
            add_force(lanes, &mut self.descent[parent as usize], force, levers[0].cross(force) + torque);
        }
        if child != NO_NODE {
            let turned = add_sym(rotations, bend(lanes, known, levers[1]));
            let place = self.shape.order.place(child);
            add_diagonal(lanes, &mut self.solver.diagonal[place], translations, &arms[1], levers[1], turned);
            let pull = negative(levers[1].cross(force) + torque);
            add_force(lanes, &mut self.descent[child as usize], negative(force), pull);
        }
        if let Some((entry, flipped)) = self.shape.slot[joint] {
            let block = coupling(translations, &arms, levers[0], rotations);
            let into = &mut self.solver.coupling[entry];
            write_coupling(lanes, into, &block, flipped, self.shape.first[joint]);
        }
    }

    /// Adds −r k J₁ᵀ J₂ between the ends of couplings; see `coupling.rs`.
    #[inline(always)]
    fn couple<L: Lanes>(&mut self, lanes: L) {
        for joint in 0..self.joint.len() {
            for row in self.shape.pattern.rows_of(joint) {
                let pattern = self.shape.pattern.rows[row];
                let Some((other, axis, true)) = pattern.partner else { continue };
                let q = Simd4::load(lanes, &self.joint[joint].value[pattern.axis]);
                let [_, stiffness] = law(lanes, &self.row[row], q);
                let zero = Simd4::splat(lanes, 0.0);
                let scale = zero - Simd4::load(lanes, &self.row[row].factor) * stiffness;
                for side in 0..2 {
                    let node = self.shape.pattern.ends[joint][side];
                    let own = jacobian(lanes, &self.joint[joint], pattern.axis, side);
                    for far in 0..2 {
                        let beyond = self.shape.pattern.ends[other][far];
                        if node == NO_NODE || beyond == NO_NODE {
                            continue;
                        }
                        let there = jacobian(lanes, &self.joint[other], axis, far);
                        self.add_outer(lanes, [node, beyond], scale, [&own, &there]);
                    }
                }
            }
        }
    }

    /// Adds a scaled product of two vectors between two nodes, and its transpose.
    #[inline(always)]
    fn add_outer<L: Lanes>(
        &mut self,
        lanes: L,
        [node, beyond]: [u32; 2],
        scale: Simd4<L>,
        [own, there]: [&[Simd4<L>; 6]; 2],
    ) {
        if node == beyond {
            let into = &mut self.solver.diagonal[self.shape.order.place(node)];
            for i in 0..6 {
                for j in 0..=i {
                    let both = scale * (own[i] * there[j] + own[j] * there[i]);
                    into[at(i, j)] = (Simd4::load(lanes, &into[at(i, j)]) + both).store();
                }
            }
            return;
        }
        let Some((entry, flipped)) = self.shape.order.entry_of(node, beyond) else { return };
        let (first, second) = if flipped { (there, own) } else { (own, there) };
        let into = &mut self.solver.coupling[entry];
        for i in 0..6 {
            for j in 0..6 {
                into[i][j] = (Simd4::load(lanes, &into[i][j]) + scale * first[i] * second[j]).store();
            }
        }
    }
}

/// What contacts and particles do to a body: force and block.
fn outside(context: &SolveContext, body: usize) -> Option<(Vec6, Block6)> {
    let SolveContext { bodies, manifolds, contacts, member, .. } = *context;
    let push = bodies.pushes.get(body);
    if context.near.is_some() {
        return push.map(|push| (Vec6::default(), push.stiffness()));
    }
    let touch = (contacts.degree(body) > 0).then(|| primal::contact_terms(bodies, manifolds, contacts, body, member));
    let push = push.map(|push| (push.wrench(bodies.delta[body]), push.stiffness()));
    match (touch, push) {
        (Some(touch), Some(push)) => Some((touch.0.add(push.0), touch.1.add(push.1))),
        (touch, push) => touch.or(push),
    }
}

fn add_block(own: &mut Lower, descent: &mut Six, lane: usize, force: Vec6, block: Block6) {
    let Block6 { ll, al, aa } = block;
    let rows = [
        [ll.xx, 0.0, 0.0, 0.0, 0.0, 0.0],
        [ll.xy, ll.yy, 0.0, 0.0, 0.0, 0.0],
        [ll.xz, ll.yz, ll.zz, 0.0, 0.0, 0.0],
        [al.r0.x, al.r0.y, al.r0.z, aa.xx, 0.0, 0.0],
        [al.r1.x, al.r1.y, al.r1.z, aa.xy, aa.yy, 0.0],
        [al.r2.x, al.r2.y, al.r2.z, aa.xz, aa.yz, aa.zz],
    ];
    for i in 0..6 {
        for j in 0..=i {
            own[at(i, j)][lane] += rows[i][j];
        }
    }
    let force = [force.l.x, force.l.y, force.l.z, force.a.x, force.a.y, force.a.z];
    (0..6).for_each(|k| descent[k][lane] += force[k]);
}
