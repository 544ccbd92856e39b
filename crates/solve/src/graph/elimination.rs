//! In which order to eliminate the bodies of a joint graph, and what that costs.
//!
//! Eliminating a body connects all bodies that are then left around it. Taking a body with the fewest
//! neighbours left (minimum degree) eliminates trees from their leaves without any new connection and
//! adds a handful of connections per loop; only wide lattices fill up.

use std::collections::BTreeSet;

/// The order of elimination of a graph and the pattern of its factor. Places are counted in the
/// order of elimination.
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    /// Node at every place.
    node: Vec<u32>,
    /// Place of every node.
    place: Vec<u32>,
    /// First entry of every place in `later`, and the number of entries.
    start: Vec<u32>,
    /// Places, ascending, that are coupled to a place when its turn comes.
    later: Vec<u32>,
    /// For every place and every pair of its later places (a < b) the entry that couples these two.
    update: Vec<u32>,
}

impl Elimination {
    /// Orders `count` nodes joined by `edges` (loops on one node and repetitions do no harm). Gives
    /// up, with `None`, once the pairs to update exceed `pairs_per_node` on average.
    pub fn new(count: usize, edges: impl Iterator<Item = [u32; 2]>, pairs_per_node: usize) -> Option<Self> {
        let mut around: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
        for [a, b] in edges.filter(|[a, b]| a != b) {
            around[a as usize].insert(b);
            around[b as usize].insert(a);
        }
        let mut queue: BTreeSet<(usize, u32)> = (0..count).map(|node| (around[node].len(), node as u32)).collect();
        let mut order = Self { place: vec![0; count], start: vec![0], ..Self::default() };
        let mut pairs = 0;
        while let Some((degree, node)) = queue.pop_first() {
            pairs += degree * degree.saturating_sub(1) / 2;
            if pairs > pairs_per_node * count {
                return None;
            }
            order.place[node as usize] = order.node.len() as u32;
            order.node.push(node);
            let neighbours = std::mem::take(&mut around[node as usize]);
            order.later.extend(&neighbours);
            order.start.push(order.later.len() as u32);
            connect(&mut around, &mut queue, node, &neighbours);
        }
        order.number(pairs);
        Some(order)
    }

    /// From nodes to places, and the targets of the updates.
    fn number(&mut self, pairs: usize) {
        for place in 0..self.node.len() {
            let range = self.start[place] as usize..self.start[place + 1] as usize;
            self.later[range.clone()].iter_mut().for_each(|node| *node = self.place[*node as usize]);
            self.later[range].sort_unstable();
        }
        self.update.reserve(pairs);
        for place in 0..self.node.len() {
            let range = self.start[place] as usize..self.start[place + 1] as usize;
            for a in range.clone() {
                for b in a + 1..range.end {
                    let entry = self.entry(self.later[a] as usize, self.later[b]);
                    self.update.extend(entry.map(|entry| entry as u32));
                }
            }
        }
    }

    /// The entry that couples a place to a later one.
    fn entry(&self, place: usize, later: u32) -> Option<usize> {
        let first = self.start[place] as usize;
        self.later(place).binary_search(&later).ok().map(|offset| first + offset)
    }

    /// The entry that couples two nodes, and whether its rows are those of the second.
    pub fn entry_of(&self, a: u32, b: u32) -> Option<(usize, bool)> {
        let (a, b) = (self.place[a as usize], self.place[b as usize]);
        let entry = if a < b { self.entry(a as usize, b) } else { self.entry(b as usize, a) };
        entry.map(|entry| (entry, a > b))
    }

    /// Number of nodes.
    pub fn count(&self) -> usize {
        self.node.len()
    }

    /// Place of a node.
    pub fn place(&self, node: u32) -> usize {
        self.place[node as usize] as usize
    }

    /// Number of couplings.
    pub fn entry_count(&self) -> usize {
        self.later.len()
    }

    /// The entries of a place.
    pub fn entries(&self, place: usize) -> std::ops::Range<usize> {
        self.start[place] as usize..self.start[place + 1] as usize
    }

    /// The places that a place is coupled to when its turn comes.
    pub fn later(&self, place: usize) -> &[u32] {
        &self.later[self.entries(place)]
    }

    /// Entries that pairs of entries update, in the order of places, then pairs.
    pub fn updates(&self) -> &[u32] {
        &self.update
    }
}

/// Connects the neighbours of an eliminated node to each other.
fn connect(around: &mut [BTreeSet<u32>], queue: &mut BTreeSet<(usize, u32)>, node: u32, neighbours: &BTreeSet<u32>) {
    for &neighbour in neighbours {
        let set = &mut around[neighbour as usize];
        queue.remove(&(set.len(), neighbour));
        set.remove(&node);
        set.extend(neighbours.iter().filter(|&&other| other != neighbour));
        queue.insert((set.len(), neighbour));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::grid;

    #[test]
    fn a_tree_is_eliminated_without_pairs_and_a_ring_with_one_per_body() {
        let tree = Elimination::new(6, [[0, 1], [1, 2], [1, 3], [3, 4], [3, 5]].into_iter(), 0).unwrap();
        assert_eq!((tree.entry_count(), tree.updates().len()), (5, 0));
        let ring: Vec<_> = (0..40).map(|i| [i, (i + 1) % 40]).collect();
        assert!(Elimination::new(40, ring.iter().copied(), 0).is_none());
        let order = Elimination::new(40, ring.into_iter(), 1).unwrap();
        assert_eq!((order.entry_count(), order.updates().len()), (39 + 38, 38));
    }

    #[test]
    fn every_original_coupling_has_its_entry() {
        let edges = grid(7);
        let order = Elimination::new(49, edges.iter().copied(), 100).unwrap();
        for [a, b] in edges {
            let (entry, flipped) = order.entry_of(a, b).unwrap();
            let (first, second) = if flipped { (b, a) } else { (a, b) };
            assert!(order.entries(order.place(first)).contains(&entry));
            assert_eq!(order.later[entry] as usize, order.place(second));
        }
        assert!(order.entry_of(0, 0).is_none());
    }

    #[test]
    fn a_wide_lattice_is_refused() {
        assert!(Elimination::new(400, grid(20).into_iter(), 64).is_some());
        assert!(Elimination::new(2500, grid(50).into_iter(), 20).is_none());
    }
}
