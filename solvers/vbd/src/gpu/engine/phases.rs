//! The launches of a step, phase by phase.

use cubecl::prelude::*;
use drystone_device::UNITS;

use super::super::graph::{color_keys, color_round, color_starts, guess, list_contacts};
use super::super::motion::{finish, land, predict};
use super::super::rows::{RowScalarsLaunch, build_rows};
use super::super::sweep::{dual_step, sweep_color, sweep_small};
use super::{COLOR_BITS, Resident};

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
            self.slots as u32,
            h,
        );
    }

    pub(super) fn rows(&self, now: usize, h: f32) {
        let Self { collide, tables, .. } = self;
        let remembered = &collide.remembered[now];
        build_rows::launch::<R>(
            self.gpu.client(),
            self.gpu.cubes_for(collide.capacity),
            CubeDim::new_1d(UNITS),
            collide.shapes.info.arg(),
            collide.place.arg(),
            self.frame.arg(),
            self.motion.arg(),
            tables.kind.arg(),
            tables.mass.arg(),
            self.inverse.arg(),
            self.last.arg(),
            self.jolted.arg(),
            tables.material.arg(),
            remembered.start.arg(),
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
            self.degree.arg(),
            self.flags.arg(),
            RowScalarsLaunch::new(h, tables.heaviest, collide.shapes.count as u32, tables.materials),
            tables.rolls,
        );
    }

    pub(super) fn graph(&mut self, now: usize, h: f32) {
        let (slots, dim) = (self.slots as u32, CubeDim::new_1d(UNITS));
        self.scan.exclusive(&self.gpu, &self.degree, &mut self.first);
        let (client, cubes) = (self.gpu.client(), || self.gpu.cubes_for(self.slots));
        let remembered = &self.collide.remembered[now];
        list_contacts::launch::<R>(
            client,
            self.gpu.cubes_for(self.collide.capacity),
            dim,
            self.tables.kind.arg(),
            remembered.start.arg(),
            remembered.pair.arg(),
            self.ends.arg(),
            self.first.arg(),
            self.degree.arg(),
            self.entry.arg(),
            self.flags.arg(),
            self.collide.shapes.count as u32,
        );
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
            self.color[0].arg(),
            self.memory[now].arg(),
            slots,
            h,
            self.tables.rolls,
        );
        for round in 0..self.rounds {
            let side = (round % 2) as usize;
            color_round::launch::<R>(
                client,
                cubes(),
                dim,
                self.tables.kind.arg(),
                self.first.arg(),
                self.entry.arg(),
                self.ends.arg(),
                self.color[side].arg(),
                self.color[1 - side].arg(),
                slots,
            );
        }
        color_keys::launch::<R>(
            client,
            cubes(),
            dim,
            self.tables.kind.arg(),
            self.color[0].arg(),
            self.key.arg(),
            self.listed.arg(),
            self.flags.arg(),
            slots,
            self.colors,
        );
        self.sort.sort(&self.gpu, &mut self.key, &mut self.listed, COLOR_BITS);
        color_starts::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.key.arg(),
            self.color_start.arg(),
            self.flags.arg(),
            slots,
        );
    }

    pub(super) fn sweep(&self, now: usize, pushing: bool) {
        for color in 0..self.colors {
            sweep_color::launch::<R>(
                self.gpu.client(),
                self.gpu.cubes_for(self.slots),
                CubeDim::new_1d(UNITS),
                self.listed.arg(),
                self.color_start.arg(),
                self.first.arg(),
                self.entry.arg(),
                self.ends.arg(),
                self.collide.remembered[now].pair.arg(),
                self.row.arg(),
                self.dual.arg(),
                self.aim.arg(),
                self.delta.arg(),
                self.flags.arg(),
                color,
                pushing,
            );
        }
    }

    pub(super) fn dual(&self, now: usize, last: bool) {
        dual_step::launch::<R>(
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

    pub(super) fn sweep_small(&self, now: usize, sweeps: u32, pushing: bool) {
        sweep_small::launch::<R>(
            self.gpu.client(),
            CubeCount::Static(1, 1, 1),
            CubeDim::new_1d(UNITS),
            self.listed.arg(),
            self.color_start.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.ends.arg(),
            self.collide.remembered[now].start.arg(),
            self.collide.remembered[now].pair.arg(),
            self.row.arg(),
            self.dual.arg(),
            self.memory[now].arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.flags.arg(),
            self.collide.shapes.count as u32,
            self.colors,
            sweeps,
            pushing,
        );
    }

    pub(super) fn finish(&self, now: usize, h: f32) {
        let (client, dim, slots) = (self.gpu.client(), CubeDim::new_1d(UNITS), self.slots as u32);
        land::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.tables.mass.arg(),
            self.force.arg(),
            self.motion.arg(),
            self.frame.arg(),
            self.aim.arg(),
            self.delta.arg(),
            self.first.arg(),
            self.ended.arg(),
            slots,
            h,
        );
        match self.slots <= self.small {
            true => self.sweep_small(now, 1, true),
            false => self.sweep(now, true),
        }
        finish::launch::<R>(
            client,
            self.gpu.cubes_for(self.slots),
            dim,
            self.tables.kind.arg(),
            self.delta.arg(),
            self.ended.arg(),
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
