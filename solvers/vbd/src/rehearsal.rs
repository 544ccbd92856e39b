//! The first step of a world is rehearsed until the loads a freshly built scene rests on are found. Every world
//! stops when its own loads have settled, and a world that is under way is solved once, so that each moves as if it were
//! alone.

use drystone_model::{Contacts, Model};

use super::history::PointMemory;

/// Change of the loads, relative to all of them, from one rehearsal to the next that ends them.
const SETTLED: f64 = 1.0e-4;

/// Which worlds are solved once more in the same step.
#[derive(Clone, Debug, Default)]
pub struct Rehearsal {
    /// Worlds that start, whose points remember the pass before.
    starting: Vec<bool>,
    /// Worlds that the pass at hand solves.
    busy: Vec<bool>,
    /// What the points remember in place of the step before, in the order of the contacts.
    pub memory: Vec<PointMemory>,
}

impl Rehearsal {
    /// Begins a step: the first pass solves all worlds. Those not `started` are rehearsed if there are `passes` for it.
    pub fn begin(&mut self, started: &[bool], passes: u32) {
        self.starting.clear();
        self.starting.extend(started.iter().map(|&started| !started && passes > 0));
        self.busy.clear();
        self.busy.resize(started.len(), true);
        self.memory.clear();
    }

    /// Whether any world starts.
    pub fn any(&self) -> bool {
        self.starting.contains(&true)
    }

    /// Whether a world starts.
    pub fn starts(&self, world: usize) -> bool {
        self.starting[world]
    }

    /// Whether the pass at hand solves a world.
    pub fn busy(&self, world: usize) -> bool {
        self.busy[world]
    }

    /// Looks at a pass that led to the loads `now`, and says whether it was the last. If not, the next one solves the
    /// worlds that start and whose loads have changed; what the others did in this one stands.
    pub fn done(&mut self, model: &Model, contacts: &Contacts, now: &[PointMemory]) -> bool {
        let mut sums = vec![[0.0; 2]; self.busy.len()];
        let points = |m| (world_of(model, contacts, m), contacts.points(m));
        for (world, range) in (0..contacts.manifold_count()).map(points).filter(|(world, _)| self.starting[*world]) {
            for (before, now) in self.memory[range.clone()].iter().zip(&now[range]) {
                sums[world][0] += now.force().sub(before.force()).length();
                sums[world][1] += now.force().length();
            }
        }
        for (world, [change, total]) in sums.into_iter().enumerate() {
            self.busy[world] &= self.starting[world] && change > SETTLED * total;
        }
        for (_, range) in (0..contacts.manifold_count()).map(points).filter(|(world, _)| self.busy[*world]) {
            self.memory[range.clone()].copy_from_slice(&now[range]);
        }
        !self.busy.contains(&true)
    }
}

fn world_of(model: &Model, contacts: &Contacts, manifold: usize) -> usize {
    model.shape_world[contacts.manifold_shape0[manifold] as usize] as usize
}
