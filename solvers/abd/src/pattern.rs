//! Which bodies act on each other, and in which order they are eliminated.

use drystone_solve::graph::elimination::Elimination;
use drystone_solve::linalg::block_ldl::BlockLdl;
use serde::{Deserialize, Serialize};

/// Above this many block updates per node on average the factor costs more than conjugate gradients: for bodies, and for nodes of three
/// unknowns.
const MAX_UPDATES: usize = 4000;
const MAX_UPDATES_OF_THREE: usize = 2500;

/// How often in a row a pattern may be more than half as large again as needed before it is made anew.
const PATIENCE: u32 = 10;

/// Pairs of nodes the order of elimination was chosen for. Kept from step to step, and so part of what a run is resumed
/// from: another order rounds differently.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    nodes: usize,
    /// Sorted.
    pairs: Vec<[u32; 2]>,
    /// How often in a row it was more than half as large again as needed.
    oversized: u32,
}

impl Pattern {
    /// An empty matrix of this pattern, unless it fills up too much.
    pub fn order<const N: usize>(&self) -> Option<BlockLdl<N>> {
        let most = if N == 3 { MAX_UPDATES_OF_THREE } else { MAX_UPDATES };
        Elimination::new(self.nodes, self.pairs.iter().copied(), most).map(BlockLdl::new)
    }

    /// Stays as it is as long as it covers all pairs and is not far too large. Returns whether it has changed.
    pub fn fit(&mut self, nodes: usize, pairs: &[[u32; 2]]) -> bool {
        let covered = self.nodes == nodes && pairs.iter().all(|pair| self.pairs.binary_search(pair).is_ok());
        self.oversized = if 2 * self.pairs.len() > 3 * pairs.len() { self.oversized + 1 } else { 0 };
        if covered && self.oversized < PATIENCE {
            return false;
        }
        if self.nodes != nodes || self.oversized >= PATIENCE {
            self.pairs.clear();
        }
        self.pairs.extend_from_slice(pairs);
        self.pairs.sort_unstable();
        self.pairs.dedup();
        (self.nodes, self.oversized) = (nodes, 0);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_at_once_and_shrinks_with_patience() {
        let mut pattern = Pattern::default();
        assert!(pattern.fit(4, &[[2, 3], [0, 1], [1, 2]]) && !pattern.fit(4, &[[0, 1], [1, 2]]));
        assert!(pattern.fit(4, &[[0, 3]]) && pattern.pairs.len() == 4);
        let changed: Vec<bool> = (0..PATIENCE).map(|_| pattern.fit(4, &[[0, 3]])).collect();
        assert_eq!(changed.iter().position(|c| *c), Some(PATIENCE as usize - 1));
        assert_eq!(pattern.pairs, [[0, 3]]);
        assert!(pattern.fit(5, &[[0, 3]]));
    }
}
