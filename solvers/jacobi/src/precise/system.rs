//! The equations of one group of bodies and their iterations.
//!
//! A small group is swept by one thread: a pass over the constraints that also adds up the impulses on the
//! bodies, and a pass over the bodies. A large one is split among threads, with each body collecting its
//! impulses itself. Both add in the same order, so that the results are the same bits.

use rayon::prelude::*;

use super::super::device::DeviceSweeper;
use super::super::layout::{Group, RowPlace};
use super::super::schedule::{Schedule, Turn};
use super::super::spec::RowSpec;
use super::Real;
use super::bodies::Moving;
use super::kernels::jacobi::velocity_step;
use super::kernels::math::{Sym3, Vec3, Vec6};
use super::lanes::{
    LANES, Lanes6, Spatial, at_slot, load_lanes, set_slot, set_vec6, store_lanes, sym3 as lane_sym3, vec6,
};
use super::points::{PointBlock, Residual, Step};
use super::rows::{End, RowBlock};
use drystone_solve::graph::csr::Csr;

/// Slots a group has before its passes are split among threads.
const LARGE: usize = 4096;
/// Slots per task.
const SLOT_CHUNK: usize = 512;
/// Blocks of eight point constraints per task.
const POINT_CHUNK: usize = 64;
/// Blocks of rows per task.
const ROW_CHUNK: usize = 128;

/// Bodies, constraints and unknowns of a group. The slot behind the last body stands for all that does not
/// move; arrays are padded to whole lanes.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Bodies of the model, by slot.
    pub body: Vec<u32>,
    inverse_mass: Vec<Real>,
    inverse_inertia: Spatial,
    /// Velocities without constraints.
    pub free: Spatial,
    /// Velocities of the current iterate.
    pub velocity: Spatial,
    wrench: Spatial,
    /// Point constraints.
    pub points: Vec<PointBlock>,
    /// Other constraints.
    pub rows: Vec<RowBlock>,
    /// Where each of them is in the solver's list and in the group.
    pub row_place: Vec<RowPlace>,
    point_list: Csr,
    row_list: Csr,
    partial: Vec<Residual>,
}

impl System {
    /// An empty system for a group.
    pub fn new(group: &Group) -> Self {
        let fixed = group.body.len() as u32;
        let slots = (group.body.len() + 1).next_multiple_of(LANES);
        let spatial = || std::array::from_fn(|_| vec![0.0; slots]);
        let ends: Vec<[u32; 2]> = group.point.iter().map(|point| point.slot).collect();
        let mut system = Self {
            body: group.body.clone(),
            inverse_mass: vec![0.0; slots],
            inverse_inertia: spatial(),
            free: spatial(),
            velocity: spatial(),
            wrench: spatial(),
            points: ends.chunks(LANES).map(|ends| PointBlock::new(ends, fixed)).collect(),
            ..Self::default()
        };
        system.list_points(&ends);
        system.place_rows(&group.row, std::iter::empty());
        system
    }

    /// Number of bodies; also the slot of what does not move.
    pub fn fixed(&self) -> usize {
        self.body.len()
    }

    /// The ends of the point constraints on every body, in the order [`PointBlock::push`] adds them.
    fn list_points(&mut self, ends: &[[u32; 2]]) {
        let fixed = self.fixed();
        let order = ends.chunks(LANES).enumerate().flat_map(|(block, ends)| {
            [0, 1].into_iter().flat_map(move |end| {
                ends.iter().enumerate().map(move |(lane, slot)| {
                    let index = (block * LANES + lane) as u32;
                    (slot[end] as usize, index << 1 | end as u32)
                })
            })
        });
        self.point_list.build(fixed, order.filter(|entry| entry.0 < fixed));
    }

    /// Sets where the rows are: those of the joints, then those of contacts.
    pub fn place_rows(&mut self, joints: &[RowPlace], contacts: impl Iterator<Item = RowPlace>) {
        self.row_place.clear();
        self.row_place.extend_from_slice(joints);
        self.row_place.extend(contacts);
        let fixed = self.body.len();
        let ends = self
            .row_place
            .iter()
            .enumerate()
            .flat_map(|(row, place)| [0, 1].map(|end| (place.slot[end] as usize, (row as u32) << 1 | end as u32)));
        self.row_list.build(fixed, ends.filter(|entry| entry.0 < fixed));
    }

    /// Builds the blocks of rows from their descriptions.
    pub fn set_rows(&mut self, specs: &[RowSpec], split: bool) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        rows.extend(self.row_place.iter().map(|place| {
            let ends = place.slot.map(|slot| self.end(slot, split));
            RowBlock::new(&specs[place.row as usize], place.slot, ends)
        }));
        self.rows = rows;
    }

    /// Constraints on a body, that is, into how many parts mass splitting cuts it.
    pub fn degree(&self, slot: u32) -> usize {
        let slot = slot as usize;
        if slot < self.fixed() { self.point_list.row(slot).len() + self.row_list.row(slot).len() } else { 0 }
    }

    /// A bound on the eigenvalues of D⁻¹A: no body is shared by more constraints than this.
    pub fn degree_bound(&self) -> f64 {
        (0..self.fixed() as u32).map(|slot| self.degree(slot)).max().unwrap_or(0).max(1) as f64
    }

    /// Ends of point constraints and of rows on a body, each `2 · constraint + end`.
    pub fn constraints_of(&self, slot: usize) -> [&[u32]; 2] {
        [self.point_list.row(slot), self.row_list.row(slot)]
    }

    /// Takes over the bodies of a step.
    pub fn load(&mut self, moving: &[Moving]) {
        for (slot, &body) in self.body.iter().enumerate() {
            let body = &moving[body as usize];
            self.inverse_mass[slot] = body.inverse_mass;
            set_sym3(&mut self.inverse_inertia, slot, body.inverse_inertia);
            set_slot(&mut self.free, slot, body.free);
        }
    }

    /// Sets all free velocities to zero, as a projection of positions needs it.
    pub fn rest(&mut self) {
        self.free.iter_mut().for_each(|component| component.fill(0.0));
    }

    /// What a constraint sees of the body in a slot.
    pub fn end(&self, slot: u32, split: bool) -> End {
        let index = slot as usize;
        End {
            inverse_mass: self.inverse_mass[index],
            inverse_inertia: sym3(&self.inverse_inertia, index),
            split: if split { self.degree(slot) as Real } else { 1.0 },
        }
    }

    /// Sets all multipliers to zero, also ones that are not finite, and brings the velocities in line.
    pub fn drop_impulses(&mut self) {
        let zero = [[0.0; LANES]; 3];
        self.points.iter_mut().for_each(|block| (block.p, block.previous) = (zero, zero));
        self.rows.iter_mut().for_each(|block| (block.p, block.previous) = (Vec3::default(), Vec3::default()));
        self.wrench.iter_mut().for_each(|component| component.fill(0.0));
        self.update_velocities();
    }

    /// Brings the velocities in line with the multipliers.
    pub fn update_velocities(&mut self) {
        if self.large() {
            self.collect();
        } else {
            let Self { points, rows, wrench, .. } = self;
            points.iter().for_each(|block| block.push(wrench));
            rows.iter().for_each(|block| block.push(wrench));
            self.apply();
        }
    }

    /// Runs the iterations, on a device if there is one.
    pub fn iterate(&mut self, schedule: &Schedule, device: Option<&DeviceSweeper>) {
        match device {
            Some(device) => device.sweep(self, schedule),
            None => schedule.turns.iter().for_each(|turn| self.turn(turn, schedule.nesterov)),
        }
    }

    /// One iteration.
    pub fn turn(&mut self, turn: &Turn, nesterov: bool) {
        let step = Step::new(turn, nesterov);
        if self.large() { self.iterate_split(step) } else { self.iterate_fused(step) }
    }

    fn large(&self) -> bool {
        self.body.len() >= LARGE && rayon::current_num_threads() > 1
    }

    fn iterate_fused(&mut self, step: Step) {
        let Self { points, rows, velocity, wrench, .. } = self;
        for block in points {
            block.advance(velocity, step);
            block.push(wrench);
        }
        for block in rows {
            block.advance(velocity, step);
            block.push(wrench);
        }
        self.apply();
    }

    fn iterate_split(&mut self, step: Step) {
        let Self { points, rows, velocity, .. } = self;
        points.par_iter_mut().with_min_len(POINT_CHUNK).for_each(|block| block.advance(velocity, step));
        rows.par_iter_mut().with_min_len(ROW_CHUNK).for_each(|block| block.advance(velocity, step));
        self.collect();
    }

    /// Velocities from the impulses added up, which are then cleared.
    fn apply(&mut self) {
        let Self { inverse_mass, inverse_inertia, free, velocity, wrench, .. } = self;
        let (mut inertia, mut pushed, mut result) = ([[0.0; LANES]; 6], [[0.0; LANES]; 6], [[0.0; LANES]; 6]);
        for (chunk, mass) in inverse_mass.chunks_exact(LANES).enumerate() {
            let start = chunk * LANES;
            load_lanes(inverse_inertia, start, &mut inertia);
            load_lanes(wrench, start, &mut pushed);
            load_lanes(free, start, &mut result);
            velocity_steps(&mut result, &pushed, mass, &inertia);
            store_lanes(velocity, start, &result);
            store_lanes(wrench, start, &[[0.0; LANES]; 6]);
        }
    }

    /// Velocities with every body collecting its impulses.
    fn collect(&mut self) {
        let Self { body, inverse_mass, inverse_inertia, free, velocity, points, rows, point_list, row_list, .. } = self;
        let fixed = body.len();
        let chunks = velocity.each_mut().map(|array| array[..fixed].par_chunks_mut(SLOT_CHUNK));
        let [lx, ly, lz, ax, ay, az] = chunks;
        (lx, ly, lz, ax, ay, az).into_par_iter().enumerate().for_each(|(chunk, (lx, ly, lz, ax, ay, az))| {
            for k in 0..lx.len() {
                let slot = chunk * SLOT_CHUNK + k;
                let mut sum = Vec6::default();
                for &code in point_list.row(slot) {
                    let (point, end) = ((code >> 1) as usize, (code & 1) as usize);
                    sum = sum.add(points[point / LANES].wrench(point % LANES, end));
                }
                for &code in row_list.row(slot) {
                    sum = sum.add(rows[(code >> 1) as usize].wrench((code & 1) as usize));
                }
                let (mass, inertia) = (inverse_mass[slot], sym3(inverse_inertia, slot));
                let v = velocity_step(at_slot(free, slot), sum, mass, inertia);
                (lx[k], ly[k], lz[k], ax[k], ay[k], az[k]) = (v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z);
            }
        });
    }

    /// How far the iterations are from their end.
    pub fn residual(&mut self) -> Residual {
        let split = self.large();
        let Self { points, rows, velocity, partial, .. } = self;
        // Sums over pieces of fixed size, added in order: the same for any number of threads.
        partial.clear();
        let add = |sum: Residual, each: Residual| sum.and(each);
        let of_points =
            |blocks: &[PointBlock]| blocks.iter().map(|b| b.residual(velocity)).fold(Residual::default(), add);
        let of_rows = |blocks: &[RowBlock]| blocks.iter().map(|b| b.residual(velocity)).fold(Residual::default(), add);
        if split {
            partial.par_extend(points.par_chunks(POINT_CHUNK).map(of_points));
            partial.par_extend(rows.par_chunks(ROW_CHUNK).map(of_rows));
        } else {
            partial.extend(points.chunks(POINT_CHUNK).map(of_points));
            partial.extend(rows.chunks(ROW_CHUNK).map(of_rows));
        }
        partial.iter().copied().fold(Residual::default(), add)
    }

    /// Kinetic energy of the free motion, for judging what residual is mere round-off \[J\].
    pub fn free_energy(&self) -> f64 {
        let kinetic = |slot: usize| {
            let v = at_slot(&self.free, slot);
            f64::from(v.l.length_squared()) / f64::from(self.inverse_mass[slot])
        };
        0.5 * (0..self.fixed()).map(kinetic).sum::<f64>()
    }
}

/// Adds what impulses change of eight velocities. A function of its own, so that compilers use SIMD.
#[inline(never)]
fn velocity_steps(velocity: &mut Lanes6, pushed: &Lanes6, mass: &[Real], inertia: &Lanes6) {
    let Some(mass) = mass.first_chunk::<LANES>() else { return };
    let free = *velocity;
    for lane in 0..LANES {
        let v = velocity_step(vec6(&free, lane), vec6(pushed, lane), mass[lane], lane_sym3(inertia, lane));
        set_vec6(velocity, lane, v);
    }
}

fn sym3(array: &Spatial, slot: usize) -> Sym3 {
    let [xx, xy, xz, yy, yz, zz] = array;
    Sym3 { xx: xx[slot], xy: xy[slot], xz: xz[slot], yy: yy[slot], yz: yz[slot], zz: zz[slot] }
}

fn set_sym3(array: &mut Spatial, slot: usize, m: Sym3) {
    let values = [m.xx, m.xy, m.xz, m.yy, m.yz, m.zz];
    array.iter_mut().zip(values).for_each(|(array, value)| array[slot] = value);
}
