//! Nested dissection of a graph by cutting edges.
//!
//! The graph is cut in two halves of about equal size by as few edges as can be found, the halves are cut
//! again, and so on down to a handful of nodes. Edges of a half come before the edges that cut it off, so
//! eliminating the unknowns of edges in this order never connects the two sides of a cut.
//!
//! Cuts follow distances. The number of edges to a far corner orders the nodes of a lattice by diagonals,
//! the sum and the difference of the distances to two corners by its columns and rows: all are tried at
//! the median, and the one that cuts the fewest edges is taken. Only the graph is read, no positions, so
//! a crumpled net is cut like a flat one.

use drystone_solve::graph::csr::Csr;

/// No supernode.
pub const NO_SUPERNODE: u32 = u32::MAX;
/// An end of an edge that is no node.
#[cfg(test)]
pub(super) const NO_NODE: u32 = u32::MAX;
/// Supernodes of this few nodes are not cut again.
const LEAF_NODES: usize = 4;

/// Edges in an order of elimination, grouped in supernodes that are eliminated together. Supernodes come before
/// the supernode that cuts them off.
#[derive(Clone, Debug, Default)]
pub struct Dissection {
    /// Edges in their order.
    pub order: Vec<u32>,
    /// First place of every supernode in `order`, and the number of edges.
    pub start: Vec<u32>,
    /// The supernode that cuts a supernode off from its sibling, or `NO_SUPERNODE`.
    pub parent: Vec<u32>,
}

impl Dissection {
    /// Of `count` nodes; an end of an edge that is not below `count` is held by something outside.
    pub fn new(count: usize, edges: &[[u32; 2]]) -> Self {
        let mut cutter = Cutter::new(count, edges);
        let mut nodes: Vec<u32> = (0..count as u32).collect();
        cutter.out.start.push(0);
        cutter.dissect(&mut nodes);
        cutter.out
    }

    /// Number of supernodes.
    pub fn supernode_count(&self) -> usize {
        self.parent.len()
    }

    /// Edges of a supernode.
    pub fn supernode(&self, supernode: usize) -> &[u32] {
        &self.order[self.start[supernode] as usize..self.start[supernode + 1] as usize]
    }
}

struct Cutter<'a> {
    edges: &'a [[u32; 2]],
    edges_at: Csr,
    /// Which piece a node belongs to at present.
    piece: Vec<u32>,
    pieces: u32,
    placed: Vec<bool>,
    distance: [Vec<i32>; 3],
    queue: Vec<u32>,
    keyed: Vec<(i32, u32)>,
    out: Dissection,
}

impl<'a> Cutter<'a> {
    fn new(count: usize, edges: &'a [[u32; 2]]) -> Self {
        let mut edges_at = Csr::default();
        let ends = edges.iter().enumerate().flat_map(|(edge, ends)| ends.map(|node| (node as usize, edge as u32)));
        edges_at.build(count, ends.filter(|&(node, _)| node < count));
        Self {
            edges,
            edges_at,
            piece: vec![0; count],
            pieces: 0,
            placed: vec![false; edges.len()],
            distance: [0, 1, 2].map(|_| vec![0; count]),
            queue: Vec::with_capacity(count),
            keyed: Vec::with_capacity(count),
            out: Dissection::default(),
        }
    }

    /// Orders all edges within the nodes; returns the supernode that comes last.
    fn dissect(&mut self, nodes: &mut [u32]) -> u32 {
        let mut children = [NO_SUPERNODE; 2];
        if nodes.len() > LEAF_NODES {
            let middle = self.halve(nodes);
            let (first, second) = nodes.split_at_mut(middle);
            let cut = self.take_edges(first, |piece, own| piece != own);
            children = [self.dissect_half(first), self.dissect_half(second)];
            self.out.order.extend(cut);
        } else {
            let all = self.take_edges(nodes, |_, _| true);
            self.out.order.extend(all);
        }
        let supernode = self.out.parent.len() as u32;
        self.out.start.push(self.out.order.len() as u32);
        self.out.parent.push(NO_SUPERNODE);
        children
            .iter()
            .filter(|&&child| child != NO_SUPERNODE)
            .for_each(|&child| self.out.parent[child as usize] = supernode);
        supernode
    }

    fn dissect_half(&mut self, nodes: &mut [u32]) -> u32 {
        self.pieces += 1;
        nodes.iter().for_each(|&node| self.piece[node as usize] = self.pieces);
        self.dissect(nodes)
    }

    /// Takes the edges of nodes that are not placed yet and whose far end passes.
    fn take_edges(&mut self, nodes: &[u32], passes: impl Fn(u32, u32) -> bool) -> Vec<u32> {
        let mut taken = Vec::new();
        for &node in nodes {
            for &edge in self.edges_at.row(node as usize) {
                let own = self.piece[node as usize];
                let far = far_end(self.edges[edge as usize], node);
                let far = self.piece.get(far as usize).copied().unwrap_or(own);
                if !self.placed[edge as usize] && passes(far, own) {
                    self.placed[edge as usize] = true;
                    taken.push(edge);
                }
            }
        }
        taken
    }

    /// Sorts the nodes so that few edges cross the place returned, and marks the first half as a piece
    /// of its own.
    fn halve(&mut self, nodes: &mut [u32]) -> usize {
        self.survey(nodes);
        let mut best = (usize::MAX, 0, 0);
        for key in 0..KEYS.len() {
            let middle = self.sort(nodes, key);
            let cut = self.mark(nodes, middle);
            if cut < best.0 {
                best = (cut, key, middle);
            }
            self.unmark(nodes, middle);
        }
        self.sort(nodes, best.1);
        self.mark(nodes, best.2);
        best.2
    }

    /// Distances from two far corners and a third far from both.
    fn survey(&mut self, nodes: &[u32]) {
        let mut corner = self.spread(nodes, nodes[0], 0);
        corner = self.spread(nodes, corner, 0);
        self.spread(nodes, corner, 1);
        let [first, second, _] = &self.distance;
        let degree = |node: u32| self.edges_at.row(node as usize).len();
        let near = |&node: &u32| first[node as usize].min(second[node as usize]);
        let corner = nodes.iter().copied().max_by_key(|node| (near(node), std::cmp::Reverse((degree(*node), *node))));
        self.spread(nodes, corner.unwrap_or(nodes[0]), 2);
    }

    /// Counts edges from a node; returns the node reached last. Separate components follow each other.
    fn spread(&mut self, nodes: &[u32], from: u32, slot: usize) -> u32 {
        let distance = &mut self.distance[slot];
        nodes.iter().for_each(|&node| distance[node as usize] = -1);
        let own = self.piece[from as usize];
        self.queue.clear();
        let mut next = 0;
        let mut base = 0;
        for &root in std::iter::once(&from).chain(nodes) {
            if distance[root as usize] >= 0 {
                continue;
            }
            distance[root as usize] = base;
            self.queue.push(root);
            while let Some(&node) = self.queue.get(next) {
                next += 1;
                base = distance[node as usize] + 1;
                for &edge in self.edges_at.row(node as usize) {
                    let far = far_end(self.edges[edge as usize], node) as usize;
                    if self.piece.get(far) == Some(&own) && distance[far] < 0 {
                        distance[far] = base;
                        self.queue.push(far as u32);
                    }
                }
            }
        }
        self.queue.last().copied().unwrap_or(from)
    }

    /// Sorts by a key; returns where to cut: at a change of the key near the middle, or in the middle.
    fn sort(&mut self, nodes: &mut [u32], key: usize) -> usize {
        let [a, b, c] = KEYS[key];
        let [da, db, dc] = &self.distance;
        self.keyed.clear();
        self.keyed.extend(nodes.iter().map(|&node| {
            let n = node as usize;
            (a * da[n] + b * db[n] + c * dc[n], node)
        }));
        self.keyed.sort_unstable();
        nodes.iter_mut().zip(&self.keyed).for_each(|(node, keyed)| *node = keyed.1);
        let (count, half) = (nodes.len(), nodes.len() / 2);
        let changes = |place: &usize| self.keyed[*place - 1].0 != self.keyed[*place].0;
        let near = (half - count / 6).max(1)..(half + count / 6 + 1).min(count);
        near.filter(changes).min_by_key(|place| place.abs_diff(half)).unwrap_or(half)
    }

    /// Makes the nodes before `middle` a piece of their own; returns the number of edges cut.
    fn mark(&mut self, nodes: &[u32], middle: usize) -> usize {
        let rest = self.piece[nodes[middle] as usize];
        self.pieces += 1;
        nodes[..middle].iter().for_each(|&node| self.piece[node as usize] = self.pieces);
        let crossing = |node: &u32| {
            let edges = self.edges_at.row(*node as usize).iter();
            edges
                .filter(|&&edge| self.piece.get(far_end(self.edges[edge as usize], *node) as usize) == Some(&rest))
                .count()
        };
        nodes[..middle].iter().map(crossing).sum()
    }

    fn unmark(&mut self, nodes: &[u32], middle: usize) {
        let rest = self.piece[nodes[middle] as usize];
        nodes[..middle].iter().for_each(|&node| self.piece[node as usize] = rest);
    }
}

/// Weights of the three distances in the keys that are tried.
const KEYS: [[i32; 3]; 6] = [[1, 0, 1], [1, 0, -1], [1, 0, 0], [1, -1, 0], [0, 1, -1], [0, 0, 1]];

fn far_end(ends: [u32; 2], node: u32) -> u32 {
    if ends[0] == node { ends[1] } else { ends[0] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_solve::testing::grid;

    /// Every edge once, and edges of a supernode meet later only edges of supernodes that cut it off.
    fn check(count: usize, edges: &[[u32; 2]]) -> Dissection {
        let dissection = Dissection::new(count, edges);
        let mut seen = dissection.order.clone();
        seen.sort_unstable();
        assert_eq!(seen, (0..edges.len() as u32).collect::<Vec<_>>());
        let mut supernode_of = vec![0; edges.len()];
        for supernode in 0..dissection.supernode_count() {
            dissection.supernode(supernode).iter().for_each(|&edge| supernode_of[edge as usize] = supernode);
        }
        let above = |mut supernode: usize, goal: usize| {
            while supernode != goal && dissection.parent[supernode] != NO_SUPERNODE {
                supernode = dissection.parent[supernode] as usize;
            }
            supernode == goal
        };
        for a in 0..edges.len() {
            for b in (0..edges.len()).filter(|&b| edges[a].iter().any(|end| *end != NO_NODE && edges[b].contains(end)))
            {
                assert!(
                    above(supernode_of[a], supernode_of[b]) || above(supernode_of[b], supernode_of[a]),
                    "edges {a} and {b}"
                );
            }
        }
        dissection
    }

    #[test]
    fn a_square_is_cut_along_its_rows_and_columns() {
        let dissection = check(256, &grid(16));
        let root = dissection.supernode_count() - 1;
        assert_eq!(dissection.supernode(root).len(), 16);
        let halves: Vec<usize> = (0..root)
            .filter(|&supernode| dissection.parent[supernode] as usize == root)
            .map(|p| dissection.supernode(p).len())
            .collect();
        assert_eq!(halves, [8, 8]);
    }

    #[test]
    fn any_graph_is_ordered() {
        check(1, &[[0, NO_NODE]]);
        check(3, &[[0, NO_NODE], [0, 1], [1, 0], [2, NO_NODE]]);
        let ring: Vec<_> = (0..40).map(|i| [i, (i + 1) % 40]).collect();
        check(40, &ring);
        let star: Vec<_> = (1..30).map(|i| [0, i]).chain([[40, 41]]).collect();
        check(50, &star);
    }
}
