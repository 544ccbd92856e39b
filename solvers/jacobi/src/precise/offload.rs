//! A group's equations in the words of a device, and its answer.

use crate::gpu::{BODY_WORDS, Equations, IMMOVABLE, POINT_WORDS, ROW_WORDS, Unknowns};

use super::super::device::Offload;
use super::Real;
use super::kernels::math::{Mat3, Sym3, Vec3, Vec6};
use super::lanes::{LANES, at_slot, set_slot, set_vec3, sym3, vec3};
use super::points::PointBlock;
use super::rows::RowBlock;
use super::system::System;

impl Offload for System {
    fn hand_over(&self, equations: &mut Equations, unknowns: &mut Unknowns) {
        let (points, rows) = (self.points.len() * LANES, self.rows.len());
        let fixed = self.fixed() as u32;
        let known = |slot: u32| if slot < fixed { slot } else { IMMOVABLE };
        let lane = |point: usize| (&self.points[point / LANES], point % LANES);
        equations.body.fill(self.fixed(), |slot| body_words(self, slot));
        equations.point_ends.fill(points, |point| {
            let (block, lane) = lane(point);
            [0, 1].map(|end| known(block.slot[end].index[lane]))
        });
        equations.point.fill(points, |point| point_words(lane(point).0, lane(point).1));
        equations.row_ends.fill(rows, |row| self.rows[row].slot.map(known));
        equations.row.fill(rows, |row| row_words(&self.rows[row]));
        self.list_constraints(&mut equations.first, &mut equations.entry);
        unknowns.point.fill(points, |point| words(vec3(&lane(point).0.p, lane(point).1)));
        unknowns.row.fill(rows, |row| words(self.rows[row].p));
    }

    fn take_back(&mut self, unknowns: &Unknowns) {
        for slot in 0..self.fixed() {
            let [lx, ly, lz, ax, ay, az] = unknowns.velocity.item(slot);
            set_slot(&mut self.velocity, slot, Vec6 { l: vector([lx, ly, lz]), a: vector([ax, ay, az]) });
        }
        for point in 0..unknowns.point.len() {
            set_vec3(&mut self.points[point / LANES].p, point % LANES, vector(unknowns.point.item(point)));
        }
        for (index, row) in self.rows.iter_mut().enumerate() {
            row.p = vector(unknowns.row.item(index));
        }
    }
}

impl System {
    /// The constraints of every body, in the order in which the CPU adds them up.
    fn list_constraints(&self, first: &mut Vec<u32>, entry: &mut Vec<u32>) {
        first.clear();
        entry.clear();
        first.push(0);
        for slot in 0..self.fixed() {
            let [points, rows] = self.constraints_of(slot);
            entry.extend(points.iter().map(|code| (code >> 1) << 2 | code & 1));
            entry.extend(rows.iter().map(|code| (code >> 1) << 2 | 2 | code & 1));
            first.push(entry.len() as u32);
        }
    }
}

fn body_words(system: &System, slot: usize) -> [f32; BODY_WORDS] {
    let body = system.end(slot as u32, false);
    let free = at_slot(&system.free, slot);
    joined([&[single(body.inverse_mass)], &symmetric(body.inverse_inertia), &words(free.l), &words(free.a)])
}

fn point_words(block: &PointBlock, lane: usize) -> [f32; POINT_WORDS] {
    let [first, second] = [0, 1].map(|end| words(vec3(&block.lever[end], lane)));
    joined([&first, &second, &symmetric(sym3(&block.inverse, lane)), &words(vec3(&block.bias, lane))])
}

fn row_words(row: &RowBlock) -> [f32; ROW_WORDS] {
    let j = &row.jacobian;
    let directions: [f32; 27] = joined([&matrix(j.linear), &matrix(j.angular0), &matrix(j.angular1)]);
    let aims: [f32; 6] = joined([&words(row.softness), &words(row.bias)]);
    let bounds: [f32; 6] = joined([&words(row.bounds.lower), &words(row.bounds.upper)]);
    joined([&directions, &symmetric(row.inverse), &aims, &bounds, &[single(row.bounds.friction)]])
}

/// The numbers of all slices, one after the other.
fn joined<const N: usize, const P: usize>(slices: [&[f32]; P]) -> [f32; N] {
    let mut all = [0.0; N];
    let mut rest = all.as_mut_slice();
    for slice in slices {
        let (here, behind) = rest.split_at_mut(slice.len());
        here.copy_from_slice(slice);
        rest = behind;
    }
    debug_assert!(rest.is_empty());
    all
}

fn single(x: Real) -> f32 {
    x as f32
}

fn words(v: Vec3) -> [f32; 3] {
    [single(v.x), single(v.y), single(v.z)]
}

fn vector([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3 { x: x.into(), y: y.into(), z: z.into() }
}

fn symmetric(m: Sym3) -> [f32; 6] {
    [m.xx, m.xy, m.xz, m.yy, m.yz, m.zz].map(single)
}

fn matrix(m: Mat3) -> [f32; 9] {
    joined([&words(m.r0), &words(m.r1), &words(m.r2)])
}
