//! The launches of a step, phase by phase.

use cubecl::prelude::*;
use drystone_device::UNITS;

use super::super::colors::{color_rounds, list_colors};
use super::super::graph::{guess, list_contacts};
use super::super::islands::{join_islands, weigh_islands};
use super::super::motion::{finish, land, limit, predict};
use super::super::rows::{RowScalarsLaunch, build_rows};
use super::super::sweep::{COLOR_UNITS, GROUP_UNITS, LANES, sweep_color, sweep_group};
use super::super::tables::Tables;
use super::super::totals::{Scales, ScalesLaunch};
use super::super::whole::gather_wholes;
use super::{ROUNDS, Resident};

impl<R: Runtime> Resident<R> {
    pub(super) fn predict(&self, h: f32) {
        predict::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes_for(self.slots),
            CubeDim::new_1d(UNITS),
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.frame.arg(),
            self.aim.arg(),
            self.inverse.arg(),
            self.delta.arg(),
            self.degree.arg(),
            self.overlapping.arg(),
            self.parent.arg(),
            self.held.arg(),
            self.supported.arg(),
            self.island.arg(),
            self.slots as u32,
            h,
        );
    }

    /// What sums of islands are counted in, for steps of `h` seconds: the speed is that of a fall of a step, or where nothing falls a thousandth of
    /// a body's size.
    fn scales(&self, h: f32) -> ScalesLaunch<R> {
        let Tables { heaviest, gravity, size, .. } = self.tables;
        let h = f64::from(h);
        Scales::launch(heaviest, if gravity > 0.0 { gravity * h } else { 1.0e-3 * size / h }, size, h)
    }

    /// Ends of manifolds, contacts of bodies, islands and what they weigh.
    pub(super) fn islands(&mut self, now: usize, h: f32) {
        let (client, dim) = (self.gpu.client().clone(), CubeDim::new_1d(UNITS));
        let pairs = || self.gpu.cubes_for(self.collide.capacity);
        join_islands::launch::<R>(
            &client,
            pairs(),
            dim,
            self.collide.shapes.info.arg(),
            self.tables.kind.arg(),
            self.collide.touching.arg(),
            self.collide.touching_count.arg(),
            self.collide.owner.arg(),
            self.collide.other.arg(),
            self.ends.arg(),
            self.degree.arg(),
            self.parent.arg(),
            self.parent.arg(),
            self.held.arg(),
            self.flags.arg(),
        );
        self.scan.exclusive(&self.gpu, &self.degree, &mut self.first);
        list_contacts::launch::<R>(
            &client,
            pairs(),
            dim,
            self.tables.kind.arg(),
            self.collide.touching.arg(),
            self.collide.touching_count.arg(),
            self.ends.arg(),
            self.first.arg(),
            self.degree.arg(),
            self.entry.arg(),
            self.flags.arg(),
        );
        let Self { collide, tables, .. } = &*self;
        weigh_islands::launch::<R>(
            &client,
            self.gpu.cubes_for(self.slots),
            dim,
            collide.shapes.info.arg(),
            tables.kind.arg(),
            tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            collide.place.arg(),
            self.frame.arg(),
            tables.material.arg(),
            collide.owner.arg(),
            collide.other.arg(),
            collide.remembered[now].pair.arg(),
            collide.contact.arg(),
            collide.matched.arg(),
            self.memory[1 - now].arg(),
            self.ends.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.parent.arg(),
            self.label.arg(),
            self.held.arg(),
            self.supported.arg(),
            self.island.arg(),
            self.slots as u32,
            tables.materials,
            self.scales(h),
            tables.soft,
            tables.leads,
        );
    }

    pub(super) fn rows(&self, now: usize, h: f32) {
        let Self { collide, tables, .. } = self;
        let remembered = &collide.remembered[now];
        build_rows::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes_for(4 * collide.capacity),
            CubeDim::new_1d(UNITS),
            collide.shapes.info.arg(),
            collide.place.arg(),
            self.frame.arg(),
            self.motion.arg(),
            tables.kind.arg(),
            self.label.arg(),
            self.island.arg(),
            self.inverse.arg(),
            self.last.arg(),
            self.jolted.arg(),
            tables.material.arg(),
            collide.touching.arg(),
            collide.touching_count.arg(),
            collide.owner.arg(),
            collide.other.arg(),
            remembered.pair.arg(),
            collide.contact.arg(),
            collide.matched.arg(),
            self.memory[1 - now].arg(),
            self.memory[now].arg(),
            self.row.arg(),
            self.dual.arg(),
            self.ends.arg(),
            self.disagreement.arg(),
            self.overlapping.arg(),
            self.flags.arg(),
            RowScalarsLaunch::new(h, tables.materials),
            self.scales(h),
            tables.rolls,
        );
    }

    pub(super) fn graph(&mut self, now: usize, h: f32) {
        let (slots, dim) = (self.slots as u32, CubeDim::new_1d(UNITS));
        let (client, cubes) = (self.gpu.client(), || self.gpu.cubes_for(self.slots));
        let remembered = &self.collide.remembered[now];
        guess::launch::<R>(
            client,
            cubes(),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.last.arg(),
            self.disagreement.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.color.arg(),
            self.color_count.arg(),
            self.memory[now].arg(),
            self.label.arg(),
            self.supported.arg(),
            self.whole.arg(),
            slots,
            h,
            self.tables.rolls,
        );
        for launch in 1..=self.colorings {
            color_rounds::launch::<R>(
                client,
                cubes(),
                dim,
                self.tables.kind.arg(),
                self.first.arg(),
                self.entry.arg(),
                self.ends.arg(),
                self.color.arg(),
                self.color_count.arg(),
                self.flags.arg(),
                slots,
                ROUNDS,
                launch == self.colorings,
            );
        }
        list_colors::launch::<R>(
            client,
            cubes(),
            dim,
            self.tables.kind.arg(),
            self.first.arg(),
            self.ends.arg(),
            remembered.pair.arg(),
            self.color.arg(),
            self.color_count.arg(),
            self.listed.arg(),
            self.entry.arg(),
            self.neighbour.arg(),
            self.flags.arg(),
            slots,
        );
    }

    /// All sweeps of a step. A small scene is one workgroup's work; else colours of many bodies have a launch each, and the rest one together.
    pub(super) fn sweeps(&self, now: usize, sweeps: u32) {
        if self.slots <= self.small && self.fused() {
            self.sweep_group(now, 0, sweeps, true, false);
            return;
        }
        for sweep in 1..=sweeps {
            self.sweep(now, sweep == sweeps, false);
            #[cfg(test)]
            if self.apart {
                self.dual(now, sweep == sweeps);
            }
        }
    }

    #[cfg(not(test))]
    fn fused(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn fused(&self) -> bool {
        !self.apart
    }

    fn sweep(&self, now: usize, last: bool, pushing: bool) {
        if self.slots <= self.small {
            return self.sweep_group(now, 0, 1, last, pushing);
        }
        for color in 0..self.heavy {
            sweep_color::launch::<R>(
                self.gpu.client(),
                self.gpu.cubes(self.workgroups(color)),
                CubeDim::new_1d(COLOR_UNITS),
                self.listed.arg(),
                self.overlapping.arg(),
                self.first.arg(),
                self.entry.arg(),
                self.neighbour.arg(),
                self.row.arg(),
                self.dual.arg(),
                self.memory[now].arg(),
                self.aim.arg(),
                self.delta.arg(),
                self.flags.arg(),
                color,
                u32::from(last),
                pushing,
                self.fused() && !pushing,
            );
        }
        self.sweep_group(now, self.heavy, 1, last, pushing);
    }

    /// Workgroups for a colour, by how many bodies it had when the host looked last and some more. Each goes on until the colour is done.
    fn workgroups(&self, color: u32) -> usize {
        let bodies = self.color_sizes.get(color as usize).map_or(self.slots, |&size| size as usize);
        (bodies + bodies / 8).min(self.slots).div_ceil((COLOR_UNITS / LANES) as usize)
    }

    fn sweep_group(&self, now: usize, first_color: u32, sweeps: u32, last: bool, pushing: bool) {
        sweep_group::launch::<R>(
            self.gpu.client(),
            CubeCount::Static(1, 1, 1),
            CubeDim::new_1d(GROUP_UNITS),
            self.listed.arg(),
            self.overlapping.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.neighbour.arg(),
            self.row.arg(),
            self.dual.arg(),
            self.memory[now].arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.flags.arg(),
            first_color,
            sweeps,
            u32::from(last),
            pushing,
            self.fused() && !pushing,
        );
    }

    /// The dual step by itself.
    #[cfg(test)]
    fn dual(&self, now: usize, last: bool) {
        super::super::measure::dual_step::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes_for(self.collide.capacity),
            CubeDim::new_1d(UNITS),
            self.collide.remembered[now].start.arg(),
            self.collide.remembered[now].pair.arg(),
            self.ends.arg(),
            self.delta.arg(),
            self.row.arg(),
            self.dual.arg(),
            self.memory[now].arg(),
            self.flags.arg(),
            self.collide.shapes.count as u32,
            u32::from(last),
        );
    }

    pub(super) fn finish(&self, now: usize, h: f32) {
        let (client, dim, slots) = (self.gpu.client(), CubeDim::new_1d(UNITS), self.slots as u32);
        gather_wholes::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.cell.arg(),
            self.frame.arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.label.arg(),
            self.supported.arg(),
            self.whole.arg(),
            slots,
            h,
            self.scales(h),
        );
        land::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.cell.arg(),
            self.frame.arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.label.arg(),
            self.supported.arg(),
            self.whole.arg(),
            self.ended.arg(),
            self.island.arg(),
            slots,
            h,
            self.scales(h),
        );
        limit::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.cell.arg(),
            self.frame.arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.label.arg(),
            self.supported.arg(),
            self.whole.arg(),
            self.island.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.neighbour.arg(),
            self.ended.arg(),
            self.memory[now].arg(),
            self.flags.arg(),
            slots,
            h,
            self.scales(h),
        );
        self.sweep(now, false, true);
        finish::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.delta.arg(),
            self.ended.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.collide.shapes.info.arg(),
            self.collide.shapes.size.arg(),
            self.collide.cell.arg(),
            self.collide.place.arg(),
            self.collide.owner.arg(),
            self.collide.other.arg(),
            self.motion.arg(),
            self.cell.arg(),
            self.last.arg(),
            self.jolted.arg(),
            self.flags.arg(),
            slots,
            h,
        );
    }
}
