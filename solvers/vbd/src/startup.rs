//! Startup passes: the first step of a world is solved again and again, without moving on, until the loads that a freshly
//! built scene rests on have converged. Every island stops by itself, and worlds past their first step get one pass, so that
//! each moves as if it were alone.

use drystone_model::{Contacts, Model};

use super::contact_cache::CachedPoint;
use super::islands::Islands;

/// Change of the loads, relative to all of them, from one startup pass to the next that ends them.
const CONVERGED: f64 = 1.0e-4;

/// Which worlds are solved once more in the same step.
#[derive(Clone, Debug, Default)]
pub struct Startup {
    /// Worlds that start, whose points remember the pass before.
    starting: Vec<bool>,
    /// Passes that may still follow the one at hand.
    left: u32,
    /// Islands that the pass at hand solves, by the body that leads them.
    busy: Vec<bool>,
    /// What the points remember in place of the step before, in the order of the contacts.
    pub cache: Vec<CachedPoint>,
}

impl Startup {
    /// Begins a step: the first pass solves everything. Worlds not `started` get more than one if there are `passes` for it.
    pub fn begin(&mut self, started: &[bool], slots: usize, passes: u32) {
        self.starting.clear();
        self.starting.extend(started.iter().map(|&started| !started && passes > 0));
        self.left = passes;
        self.busy.clear();
        self.busy.resize(slots, true);
        self.cache.clear();
    }

    /// Whether any world starts.
    pub fn any(&self) -> bool {
        self.starting.contains(&true)
    }

    /// Whether a world starts.
    pub fn starts(&self, world: usize) -> bool {
        self.starting[world]
    }

    /// Whether the pass at hand solves the island that a body leads.
    pub fn busy(&self, leader: usize) -> bool {
        self.busy[leader]
    }

    /// Looks at a pass that led to the loads `now`, and says whether it was the last. If not, the next one solves the
    /// islands of worlds that start whose loads have changed; what the others did in this one stands.
    pub fn done(&mut self, model: &Model, contacts: &Contacts, islands: &Islands, now: &[CachedPoint]) -> bool {
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        let mut sums = vec![[0.0; 2]; self.busy.len()];
        let led = |m| Some((islands.leader_of_manifold(contacts, m)?, m));
        for (leader, m) in (0..contacts.manifold_count()).filter_map(led) {
            if self.starting[world_of(model, contacts, m)] {
                for (before, now) in self.cache[contacts.points(m)].iter().zip(&now[contacts.points(m)]) {
                    sums[leader][0] += now.force().sub(before.force()).length();
                    sums[leader][1] += now.force().length();
                }
            }
        }
        for (busy, [change, total]) in self.busy.iter_mut().zip(sums) {
            *busy &= change > CONVERGED * total;
        }
        for (_, m) in (0..contacts.manifold_count()).filter_map(led).filter(|(leader, _)| self.busy[*leader]) {
            self.cache[contacts.points(m)].copy_from_slice(&now[contacts.points(m)]);
        }
        !self.busy.contains(&true)
    }
}

fn world_of(model: &Model, contacts: &Contacts, manifold: usize) -> usize {
    model.shape_world[contacts.manifold_shape0[manifold] as usize] as usize
}
