//! The very first step is rehearsed until the loads a freshly built scene rests on are found. Every world
//! stops when its own loads have settled, so that it moves as if it were alone.

use drystone_model::{Contacts, Model};

use super::history::PointMemory;

/// Change of the loads, relative to all of them, from one rehearsal to the next that ends them.
const SETTLED: f64 = 1.0e-4;

/// Which worlds have found their loads.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    settled: Vec<bool>,
}

impl Rehearsal {
    /// None has.
    pub fn new(model: &Model) -> Self {
        Self { settled: vec![false; model.world_count()] }
    }

    /// Looks at a pass that took the loads from `before` to `now`, and says whether it was the last. If not, worlds
    /// that have settled get back what they came from, so that the next pass repeats this one for them.
    pub fn done(
        &mut self,
        model: &Model,
        contacts: &Contacts,
        before: &[PointMemory],
        now: &mut [PointMemory],
    ) -> bool {
        let mut sums = vec![[0.0; 2]; self.settled.len()];
        let points = |m| (world_of(model, contacts, m), contacts.points(m));
        for (world, range) in (0..contacts.manifold_count()).map(points) {
            for (before, now) in before[range.clone()].iter().zip(&now[range]) {
                sums[world][0] += now.force().sub(before.force()).length();
                sums[world][1] += now.force().length();
            }
        }
        for (settled, [change, total]) in self.settled.iter_mut().zip(sums) {
            *settled |= change <= SETTLED * total;
        }
        if self.settled.iter().all(|&settled| settled) {
            return true;
        }
        for (_, range) in (0..contacts.manifold_count()).map(points).filter(|(world, _)| self.settled[*world]) {
            now[range.clone()].copy_from_slice(&before[range]);
        }
        false
    }
}

fn world_of(model: &Model, contacts: &Contacts, manifold: usize) -> usize {
    model.shape_world[contacts.manifold_shape0[manifold] as usize] as usize
}
