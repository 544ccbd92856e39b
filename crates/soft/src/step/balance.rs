//! What islands may gain in a step: no more than was put into them.
//!
//! A step that is solved loses energy: the new speed is that of the end. One that is cut short, by planes or by too few sweeps, may end with
//! more than it began with and what forces from outside did on its way. Then the way of the island is cut by one share for all of it: what
//! moves falls with its square, what is stored goes back to where it was, and as all go the same share none passes through another.

use drystone_model::DVec3;

use super::{Ledger, Soft};
use crate::islands::Islands;
use crate::touch::Touch;

/// Times that a share is halved.
const HALVINGS: u32 = 6;
/// Energies are equal up to their rounding: this share of them.
const ROUNDING: f64 = 1e-9;

impl Soft {
    /// What every island began with, into `start`: what moved, and what is stored by the forces that act now.
    fn begin_balance(&self, islands: &Islands, ledger: &mut Ledger) {
        let Ledger { start, each, .. } = ledger;
        start.clear();
        start.resize(islands.count(), 0.0);
        for row in 0..self.mesh.free {
            start[islands.of(row)] += 0.5 * self.inertial[row] * self.v[row].length_squared();
        }
        self.elements.each_energy(&self.before, self.h, each, |corners, energy| {
            if let Some(island) = islands.of_corners(corners.iter().copied()) {
                start[island] += energy;
            }
        });
    }

    /// Cuts the ways of islands that would gain more than was put into them. Returns whether there were such.
    pub(super) fn keep_balance(&mut self) -> bool {
        if self.fresh {
            return false;
        }
        let mut islands = std::mem::take(&mut self.islands);
        let mut ledger = std::mem::take(&mut self.ledger);
        let any = self.cut_ways(&mut islands, &mut ledger);
        (self.islands, self.ledger) = (islands, ledger);
        any
    }

    fn cut_ways(&mut self, islands: &mut Islands, ledger: &mut Ledger) -> bool {
        let goes = |ledger: &Ledger, island: usize| {
            let start = ledger.start[island];
            ledger.to[island] <= start + ledger.parted[island] + ROUNDING * start.abs()
        };
        self.begin_balance(islands, ledger);
        self.lay_ways(islands);
        islands.begin_search();
        self.gains(islands, ledger);
        if islands.narrow(|island, _| goes(ledger, island)) {
            self.note_budget(islands, ledger);
            return false;
        }
        // What moves and what is stored bend upward along the way: the chord from staying behind says a share that is safe.
        ledger.from.clear();
        ledger.from.extend(ledger.to.iter().zip(&ledger.parted).map(|(to, parted)| to - parted));
        let whole: Vec<bool> = islands.share.iter().map(|&share| share == 1.0).collect();
        let led: Vec<bool> = (0..islands.count()).map(|island| self.is_led(islands, island)).collect();
        islands.share.fill(0.0);
        self.gains(islands, ledger);
        for island in 0..islands.count() {
            let (start, none, all) =
                (ledger.start[island], ledger.to[island] - ledger.parted[island], ledger.from[island]);
            let chord = (start - none) / (all - none);
            islands.share[island] = if whole[island] || !chord.is_finite() { 1.0 } else { chord.clamp(0.0, 1.0) };
        }
        for _ in 0..HALVINGS {
            self.gains(islands, ledger);
            if islands.narrow(|island, _| goes(ledger, island)) {
                break;
            }
        }
        islands.give_up();
        // What is led goes where it is told, and what hangs on it cannot stay behind.
        let bound = islands.share.iter_mut().zip(led).filter(|(share, led)| *led && **share == 0.0);
        bound.for_each(|(share, _)| *share = 1.0);
        self.gains(islands, ledger);
        self.note_budget(islands, ledger);
        self.x.clone_from(&self.tried);
        true
    }

    /// Notes how much islands may have that moves: what they began with and what was put in, less what is stored. What parts overlaps adds
    /// nothing to it.
    fn note_budget(&self, islands: &Islands, ledger: &mut Ledger) {
        let Ledger { start, to, budget, .. } = ledger;
        budget.clear();
        budget.extend(start.iter().zip(to.iter()).map(|(start, to)| start - to));
        for row in (0..self.held.len()).filter(|&row| !self.held[row]) {
            let moved = self.tried[row] - self.before[row];
            budget[islands.of(row)] += 0.5 * self.inertial[row] / (self.h * self.h) * moved.length_squared();
        }
    }

    /// Slows islands that do not float, whose momentum nobody keeps, if they are faster than they may be.
    pub(super) fn keep_budget(&mut self) {
        if self.fresh {
            return;
        }
        let Self { islands, ledger, inertial, held, v, .. } = self;
        let Ledger { budget, promised: moving, .. } = ledger;
        moving.clear();
        moving.resize(islands.count(), 0.0);
        for row in (0..held.len()).filter(|&row| !held[row]) {
            moving[islands.of(row)] += 0.5 * inertial[row] * v[row].length_squared();
        }
        for row in (0..held.len()).filter(|&row| !held[row]) {
            let island = islands.of(row);
            let (moving, budget) = (moving[island], budget[island].max(0.0));
            if !islands.floats(island) && moving > budget * (1.0 + ROUNDING) {
                v[row] *= (budget / moving).sqrt();
            }
        }
    }

    /// Whether something in an island was led somewhere.
    fn is_led(&self, islands: &Islands, island: usize) -> bool {
        let led = |row: usize| self.held[row] && islands.of(row) == island && self.x[row] != self.before[row];
        (0..self.held.len()).any(led)
    }

    /// The ways of all particles beside the drift of their islands, into `step`; where they would be without, into `origin`.
    fn lay_ways(&mut self, islands: &Islands) {
        let mut drift = std::mem::take(&mut self.drift);
        let mut mass = std::mem::take(&mut self.ledger.promised);
        drift.clear();
        drift.resize(islands.count(), DVec3::ZERO);
        mass.clear();
        mass.resize(islands.count(), 0.0);
        for row in 0..self.mesh.free {
            let island = islands.of(row);
            drift[island] += self.inertial[row] * (self.x[row] - self.before[row]);
            mass[island] += self.inertial[row];
        }
        self.origin.clone_from(&self.x);
        for row in 0..self.mesh.free {
            let island = islands.of(row);
            if !self.held[row] {
                let drift = if islands.floats(island) { drift[island] / mass[island] } else { DVec3::ZERO };
                self.origin[row] = self.before[row] + drift;
            }
            self.step[row] = self.x[row] - self.origin[row];
        }
        (self.drift, self.ledger.promised) = (drift, mass);
    }

    /// Where particles are after shares of their ways.
    fn go_ways(&mut self, islands: &Islands) {
        self.tried.clone_from(&self.origin);
        for row in 0..self.mesh.free {
            self.tried[row] += islands.share[islands.of(row)] * self.step[row];
        }
    }

    /// What every island has after shares of its ways, less what was put in, into `to`.
    fn gains(&mut self, islands: &Islands, ledger: &mut Ledger) {
        self.go_ways(islands);
        let Ledger { to, each, promised: recovery, parted, .. } = ledger;
        to.clear();
        to.resize(islands.count(), 0.0);
        parted.clear();
        parted.resize(islands.count(), 0.0);
        let mut led = false;
        for row in 0..self.held.len() {
            let moved = self.tried[row] - self.before[row];
            if self.held[row] {
                led |= moved != DVec3::ZERO;
                continue;
            }
            let pushed = self.aim[row] - self.before[row] - self.h * self.v[row];
            let scale = self.inertial[row] / (self.h * self.h);
            to[islands.of(row)] += scale * (0.5 * moved.length_squared() - pushed.dot(moved));
        }
        self.elements.each_energy(&self.tried, self.h, each, |corners, energy| {
            if let Some(island) = islands.of_corners(corners.iter().copied()) {
                to[island] += energy;
            }
        });
        // What lies on each other is parted no farther than by the deepest overlap that is taken back.
        let island_of = |touch: &Touch| islands.of_corners(touch.corners().map(|(particle, _)| particle));
        recovery.clear();
        recovery.resize(islands.count(), 0.0);
        self.touches.each_recovery(|touch, back| {
            if let Some(island) = island_of(touch) {
                recovery[island] = recovery[island].max(back);
            }
        });
        let most = |touch: &Touch| island_of(touch).map_or(0.0, |island| recovery[island]);
        self.touches.each_parting(&self.tried, most, |touch, work| {
            if let Some(island) = island_of(touch) {
                parted[island] += work;
            }
        });
        if led {
            self.elements.evaluate(&self.tried, self.h);
            self.touches.linearise(&self.tried);
            for row in (0..self.held.len()).filter(|&row| self.held[row]) {
                let mut gradient = DVec3::ZERO;
                self.elements.add_forces(row, &mut gradient);
                self.touches.add_gradient(row, &mut gradient);
                to[islands.of(row)] -= gradient.dot(self.tried[row] - self.before[row]);
            }
        }
    }
}
