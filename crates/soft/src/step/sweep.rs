//! One sweep: a linear system solved, and no more of its step taken than goes downhill.

use drystone_geometry::DMat3;
use drystone_model::DVec3;
use drystone_solve::parallel;

use super::{Contact, Soft, Sweep};
use crate::islands::Islands;
use crate::matrix::{Matrix, dot};
use crate::relax;

/// Halvings of a step before it is given up.
const HALVINGS: u32 = 12;
/// Part of the promised descent that a step must bring.
const DESCENT: f64 = 1e-4;
/// Near the bottom energies are equal up to their rounding: this share of them.
const ROUNDING: f64 = 1e-12;

impl Soft {
    /// One linearisation, its system solved by a few cycles, and the multipliers moved. No island ends with more energy than it began with.
    pub fn sweep(&mut self, cycles: u32) -> Sweep {
        if self.plain.is_some() {
            return self.sweep_plainly();
        }
        self.elements.evaluate(&self.x, self.h);
        if self.fresh {
            self.begin_sweeps();
        }
        self.origin.clone_from(&self.x);
        self.touches.carry_all(|touch| self.carriers.carried(touch, 0.0));
        self.touches.linearise(&self.x);
        self.differentiate();
        self.carriers.list(&self.touches);
        self.carriers.prepare(&self.touches, self.mesh.free, &mut self.push);
        let bars = |row: usize| !self.floating.hangs_on_bodies(row);
        self.stops.bar(&self.x, &self.push, &self.held, bars);
        self.stops.project(&mut self.push);
        self.assemble();
        self.hierarchy.update(&self.matrix);
        let system = (&self.matrix, Contact { touches: &self.touches, carriers: &self.carriers, stops: &self.stops });
        self.conjugate.solve(system, &mut self.hierarchy, &self.push, &mut self.step, cycles);
        self.carriers.follow(&self.touches, &self.step);
        let taken = self.descend();
        if self.relax() | self.stop() {
            self.hold_descent();
        }
        let Self { carriers, islands, ledger, .. } = self;
        carriers.advance(|slot| share_of(islands, &ledger.taken, slot));
        self.elements.evaluate(&self.x, self.h);
        self.elements.update_multipliers();
        self.touches.linearise(&self.x);
        let [longest] = parallel::largest(self.mesh.free, |i| [self.x[i].distance(self.origin[i])]);
        Sweep { moved: longest, taken }
    }

    /// Finds what goes up or down together in the step.
    fn begin_sweeps(&mut self) {
        self.fresh = false;
        self.islands.find(&self.leader, &self.touches, &self.held);
    }

    /// Puts particles right where the step turned elements too far. Returns whether there were such.
    fn relax(&mut self) -> bool {
        let Self { relax, mesh, elements, touches, stops, inertial, x, aim, origin, step, h, .. } = self;
        parallel::each(step, |row, step| *step = x[row] - origin[row]);
        relax.choose(mesh, step);
        if relax.is_empty() {
            return false;
        }
        let local = |row: usize, x: &[DVec3]| {
            let inertia = inertial[row] / (*h * *h);
            let (elastic, firm) = elements.at_row(row, x, *h);
            let (touched, pressed) = touches.at_row(row, x);
            let push = elastic + touched - inertia * (x[row] - aim[row]);
            let mut block = [firm + pressed + DMat3::from_diagonal(DVec3::splat(inertia))];
            stops.filter(row, &[row as u32], &mut block);
            (stops.of(row).map_or(push, |ways| ways * push), block[0])
        };
        for _ in 0..relax::ROUNDS {
            relax.round(x, local);
        }
        true
    }

    /// What pushes the particles where they are.
    fn differentiate(&mut self) {
        let Self { elements, touches, inertial, x, aim, push, h, .. } = self;
        parallel::each(push, |row, push| {
            let mut gradient = inertial[row] / (*h * *h) * (x[row] - aim[row]);
            elements.add_forces(row, &mut gradient);
            touches.add_gradient(row, &mut gradient);
            *push = -gradient;
        });
    }

    /// The matrix where the particles are. Ways that are barred have rows of their own.
    fn assemble(&mut self) {
        let Self { elements, touches, matrix, inertial, stops, h, .. } = self;
        let Matrix { start, column, value, .. } = &mut *matrix;
        parallel::by_row(start, value, &|row, blocks| {
            blocks.fill(DMat3::ZERO);
            blocks[0] = DMat3::from_diagonal(DVec3::splat(inertial[row] / (*h * *h)));
            elements.add_row(row, blocks);
            touches.add_block(row, &mut blocks[0]);
            if stops.any() {
                stops.filter(row, &column[start[row] as usize..], blocks);
            }
        });
        matrix.mirror();
    }

    /// Takes as much of the linear step as goes downhill, island by island; returns the least share.
    fn descend(&mut self) -> f64 {
        let mut islands = std::mem::take(&mut self.islands);
        let mut ledger = std::mem::take(&mut self.ledger);
        let count = islands.count();
        ledger.promised.clear();
        ledger.promised.resize(count, 0.0);
        if count == 1 {
            ledger.promised[0] = dot(&self.push, &self.step);
        } else {
            self.push.iter().zip(&self.step).enumerate().for_each(|(row, (push, step))| {
                ledger.promised[islands.of(row)] += push.dot(*step);
            });
        }
        self.carriers.each_promise(|slot, promise| {
            if let Some(island) = islands.of_body(slot) {
                ledger.promised[island] += promise;
            }
        });
        self.energies(&islands, &self.x, None, &mut ledger.each, &mut ledger.from);
        islands.begin_search();
        let mut settled = false;
        for _ in 0..HALVINGS {
            self.go(&islands, &islands.share);
            self.energies(&islands, &self.tried, Some(&islands.share), &mut ledger.each, &mut ledger.to);
            let (from, to, promised) = (&ledger.from, &ledger.to, &ledger.promised);
            settled = islands.narrow(|island, share| {
                let from = from[island];
                to[island] <= from - DESCENT * share * promised[island] + ROUNDING * from.abs()
            });
            if settled {
                break;
            }
        }
        if !settled {
            islands.give_up();
            self.go(&islands, &islands.share);
        }
        std::mem::swap(&mut self.x, &mut self.tried);
        ledger.taken.clone_from(&islands.share);
        let least = islands.share.iter().copied().fold(1.0, f64::min);
        (self.islands, self.ledger) = (islands, ledger);
        least
    }

    /// After particles were put right or stopped: takes as much of the way since the sweep began as does not go uphill.
    fn hold_descent(&mut self) {
        let mut islands = std::mem::take(&mut self.islands);
        let mut ledger = std::mem::take(&mut self.ledger);
        let Self { step, x, origin, .. } = self;
        parallel::each(step, |row, step| *step = x[row] - origin[row]);
        islands.begin_search();
        let whole = ledger.taken.clone();
        let mut settled = false;
        for _ in 0..HALVINGS {
            self.go(&islands, &ledger.taken);
            self.energies(&islands, &self.tried, Some(&ledger.taken), &mut ledger.each, &mut ledger.to);
            let (from, to) = (&ledger.from, &ledger.to);
            settled = islands.narrow(|island, _| to[island] <= from[island] + ROUNDING * from[island].abs());
            taken_with(&whole, &islands.share, &mut ledger.taken);
            if settled {
                break;
            }
        }
        if !settled {
            islands.give_up();
            taken_with(&whole, &islands.share, &mut ledger.taken);
            self.go(&islands, &ledger.taken);
        }
        std::mem::swap(&mut self.x, &mut self.tried);
        (self.islands, self.ledger) = (islands, ledger);
    }

    /// Tries shares of the step from where the sweep began; bodies go by `taken` of theirs.
    fn go(&mut self, islands: &Islands, taken: &[f64]) {
        let Self { tried, origin, step, held, touches, carriers, .. } = self;
        tried.clone_from(origin);
        parallel::each(&mut tried[..step.len()], |row, tried| {
            if !held[row] && islands.share[islands.of(row)] > 0.0 {
                *tried += islands.share[islands.of(row)] * step[row];
            }
        });
        touches.carry_all(|touch| {
            let share = touch.ground.body.map_or(0.0, |slot| share_of(islands, taken, slot));
            carriers.carried(touch, share)
        });
    }

    /// Energies of the islands with particles at `x` and bodies after shares of their steps: inertia, elements, contacts \[J\].
    fn energies(&self, islands: &Islands, x: &[DVec3], taken: Option<&[f64]>, each: &mut Vec<f64>, out: &mut Vec<f64>) {
        out.clear();
        out.resize(islands.count(), 0.0);
        let scale = 0.5 / (self.h * self.h);
        for row in 0..self.mesh.free {
            out[islands.of(row)] += scale * self.inertial[row] * x[row].distance_squared(self.aim[row]);
        }
        self.elements.each_energy(x, self.h, each, |corners, energy| {
            if let Some(island) = islands.of_corners(corners.iter().copied()) {
                out[island] += energy;
            }
        });
        self.touches.each_energy(x, |touch, energy| {
            if let Some(island) = islands.of_corners(touch.corners().map(|(particle, _)| particle)) {
                out[island] += energy;
            }
        });
        if let Some(taken) = taken {
            self.carriers.each_energy(
                |slot| share_of(islands, taken, slot),
                |slot, energy| {
                    if let Some(island) = islands.of_body(slot) {
                        out[island] += energy;
                    }
                },
            );
        }
    }
}

/// Share that a body takes: all if no particle touches it.
fn share_of(islands: &Islands, taken: &[f64], slot: u32) -> f64 {
    islands.of_body(slot).map_or(1.0, |island| taken[island])
}

/// Shares of shares.
fn taken_with(whole: &[f64], share: &[f64], taken: &mut Vec<f64>) {
    taken.clear();
    taken.extend(whole.iter().zip(share).map(|(whole, share)| whole * share));
}
