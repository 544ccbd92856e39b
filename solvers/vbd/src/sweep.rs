//! Phase `Iterate`: sweeps over the bodies, colour by colour, and updates of the multipliers.

use std::sync::atomic::{AtomicU64, Ordering};

use drystone_kernels::lanes::{self, Task};
use drystone_solve::Precision;
use drystone_solve::parallel::{Shared, width};
use rayon::prelude::*;

use super::Vbd;
use super::dual::DualStep;
use super::joint::Pace;
use super::primal::{BodyStep, BodySteps};

/// Bodies of a colour that a thread steps at a time.
const COLOR_CHUNK: usize = 16;
/// Bodies that one thread sweeps faster than several that must be called.
const FEW_BODIES: usize = 96;
/// Manifolds per parallel task of the multiplier update.
const DUAL_CHUNK: usize = 64;
/// Manifolds that one thread updates faster than several that must be called.
const FEW_MANIFOLDS: usize = 512;

/// Which bodies a sweep steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sweep {
    /// Those whose islands still move.
    Active,
    /// Those with an overlap to be taken back.
    Pushed,
}

impl Vbd {
    /// Sweeps and updates in turn, until nothing moves any more or as often as told. Returns the largest move of the
    /// last sweep \[m\] and the number of sweeps.
    pub(super) fn iterate(&mut self, iterations: u32, h: f64) -> (f64, u32) {
        match self.particles {
            Some(_) => self.iterate_with_particles(iterations, h),
            None => self.sweep_bodies(iterations, true, h),
        }
    }

    /// The same for bodies alone; the last of these sweeps may be the `last` of the step.
    pub(super) fn sweep_bodies(&mut self, iterations: u32, last: bool, h: f64) -> (f64, u32) {
        self.begin_sweeps(h);
        let mut residual = 0.0;
        for iteration in 0..iterations {
            let moved = self.step_islands(Pace::of((iteration, iterations), self.options.newton_steps));
            let going;
            (residual, going) = self.finish_sweep(moved, last && iteration + 1 == iterations);
            if !going {
                return (residual, iteration + 1);
            }
        }
        (residual, iterations)
    }

    /// The rest of a sweep, after joint islands whose last step `moved` them by so much, squared \[m²\]: bodies by themselves, and
    /// multipliers. Returns the largest move \[m\] and whether anything still moves.
    pub(super) fn finish_sweep(&mut self, moved: f64, last: bool) -> (f64, bool) {
        let swept = self.sweep_colors(Sweep::Active);
        for (body, way) in self.joint_islands.ways() {
            self.convergence.note(body, way * way);
        }
        self.update_duals(last);
        if let Some(ramp) = &self.ramp {
            self.swept.update_multipliers(&mut self.joints, &self.bodies, &self.convergence.active, ramp);
        }
        (moved.max(swept).sqrt(), self.convergence.end_sweep())
    }

    /// Lets all islands move.
    pub(super) fn begin_sweeps(&mut self, h: f64) {
        let tolerance = if self.method.drops_converged { self.options.tolerance } else { 0.0 };
        let busy = |leader| self.startup.busy(leader);
        self.convergence.begin(&self.bodies, &self.islands, &self.joint_islands.in_net, busy, tolerance, h);
    }

    /// Newton steps of the joint islands in a sweep; returns the squared largest translation of the last \[m²\].
    pub(super) fn step_islands(&mut self, pace: Pace) -> f64 {
        let Self { bodies, joints, rows, adjacency, convergence, .. } = self;
        self.joint_islands.step(bodies, joints, &rows.manifolds, adjacency, &convergence.active, pace)
    }

    /// One step of every body that is no part of a joint island; returns the largest move, squared \[m²\].
    pub(super) fn sweep_colors(&mut self, sweep: Sweep) -> f64 {
        if self.coloring.color_count() == 0 {
            return 0.0;
        }
        self.displacements.begin(&self.bodies.delta);
        let colors = 0..self.coloring.color_count();
        let largest = match self.swept.any() {
            true => colors.fold(0.0, |largest: f64, color| {
                let swept = self.step_bodies(self.coloring.bodies(color), sweep);
                largest.max(swept).max(self.sweep_joints(color, sweep))
            }),
            false => self.sweep_contacts(sweep),
        };
        self.convergence.take_in(&self.displacements, &mut self.bodies.delta);
        largest
    }

    /// Which bodies a sweep steps.
    fn only(&self, sweep: Sweep) -> &[bool] {
        match sweep {
            Sweep::Active => &self.convergence.active,
            Sweep::Pushed => &self.pushed,
        }
    }

    /// Steps all bodies, colour by colour, where no swept joint holds any; returns the largest move, squared \[m²\].
    fn sweep_contacts(&mut self, sweep: Sweep) -> f64 {
        let mut team = std::mem::take(&mut self.team);
        let colors = &self.coloring;
        let bodies: usize = colors.groups().map(<[u32]>::len).sum();
        let alone = bodies <= FEW_BODIES || width() == 1;
        let size = if alone { bodies.max(1) } else { COLOR_CHUNK };
        // Numbers that are not negative are in the order of their bits.
        let largest = AtomicU64::new(0);
        team.run(colors.groups().map(|color| color.len().div_ceil(size)), |color, task| {
            let color = colors.bodies(color);
            let moved = self.step_bodies(&color[task * size..((task + 1) * size).min(color.len())], sweep);
            largest.fetch_max(moved.to_bits(), Ordering::Relaxed);
        });
        self.team = team;
        f64::from_bits(largest.into_inner())
    }

    /// Steps some bodies of a colour, those that no swept joint holds; returns the largest move, squared \[m²\].
    fn step_bodies(&self, batch: &[u32], sweep: Sweep) -> f64 {
        let Self { bodies, displacements, adjacency: contacts, swept, .. } = self;
        let (manifolds, only, relaxation) = (&self.rows.manifolds, self.only(sweep), self.method.relaxation);
        let steps = BodySteps { bodies, displacements, manifolds, contacts, batch, only, swept, relaxation };
        run(self.options.precision, steps)
    }

    /// Steps the bodies of a colour that swept joints hold.
    fn sweep_joints(&mut self, color: usize, sweep: Sweep) -> f64 {
        let mut residual: f64 = 0.0;
        for place in 0..self.coloring.bodies(color).len() {
            let body = self.coloring.bodies(color)[place] as usize;
            let Self { bodies, joints, swept, rows, adjacency, joint_islands, .. } = &*self;
            let mut moved = 0.0;
            if !swept.holds(body) {
                self.bodies.delta[body] = self.displacements.get(body);
                continue;
            }
            if self.only(sweep)[body] {
                let step = swept.body_step(bodies, joints, &rows.manifolds, adjacency, &joint_islands.member, body);
                moved = BodyStep::new(bodies, body, step).moved;
                residual = residual.max(step.l.length_squared());
                self.bodies.advance(body, step);
            }
            self.displacements.set(body, self.bodies.delta[body], moved);
        }
        residual
    }

    fn update_duals(&mut self, last: bool) {
        let (method, avbd, bodies, active) = (&self.method, &self.options.avbd, &self.bodies, &self.convergence.active);
        let precision = self.options.precision;
        let update =
            |(manifolds, duals)| run(precision, DualStep { method, avbd, bodies, active, last, manifolds, duals });
        if self.rows.manifolds.len() > FEW_MANIFOLDS {
            let chunks = self.rows.manifolds.par_chunks_mut(DUAL_CHUNK);
            chunks.zip(self.rows.duals.par_chunks_mut(DUAL_CHUNK)).shared(1).for_each(update);
        } else {
            update((&mut self.rows.manifolds, &mut self.rows.duals));
        }
    }
}

/// Does a task in the precision chosen.
fn run<T: Task>(precision: Precision, task: T) -> T::Output {
    match precision {
        Precision::Single => lanes::run_single(task),
        Precision::Double => lanes::run(task),
    }
}
