//! Groups of neighbouring nodes that move as one on the next coarser level.

use crate::parts::adjacency::Adjacency;

/// Aggregate of a node that takes no part in the coarser level.
pub const NONE: u32 = u32::MAX;

/// Groups nodes by the graph alone: each group is a node with its neighbours, and stragglers join the
/// group of their first neighbour. Nodes without edges get [`NONE`]: nothing couples them, so the
/// smoother solves them exactly. Returns the number of groups; writes the group of every node. `first_pass`
/// is scratch.
pub fn aggregate(edges: &[[u32; 2]], adjacency: &Adjacency, group: &mut Vec<u32>, first_pass: &mut Vec<u32>) -> usize {
    let node_count = adjacency.body_count();
    group.clear();
    group.resize(node_count, NONE);
    let far = |node: usize, k: usize| {
        let end = adjacency.get(node, k);
        edges[end.constraint()][1 - end.end()] as usize
    };
    let neighbours = |node: usize| (0..adjacency.degree(node)).map(move |k| far(node, k));

    let mut count = 0;
    for node in 0..node_count {
        let whole = neighbours(node).all(|other| group[other] == NONE);
        if adjacency.degree(node) > 0 && group[node] == NONE && whole {
            group[node] = count;
            neighbours(node).for_each(|other| group[other] = count);
            count += 1;
        }
    }
    // Every node left over has a neighbour in a group, else it would have started one itself. Only
    // groups of the first pass count here, lest one group swallow a long row of stragglers.
    first_pass.clone_from(group);
    for node in (0..node_count).filter(|&node| first_pass[node] == NONE) {
        if let Some(other) = neighbours(node).find(|&other| first_pass[other] != NONE) {
            group[node] = first_pass[other];
        }
    }
    count as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(count: usize, edges: &[[u32; 2]]) -> (usize, Vec<u32>) {
        let mut adjacency = Adjacency::default();
        adjacency.build(&vec![true; count], edges);
        let mut group = Vec::new();
        (aggregate(edges, &adjacency, &mut group, &mut Vec::new()), group)
    }

    #[test]
    fn a_chain_falls_into_pieces_of_about_three() {
        let edges: Vec<_> = (1..10).map(|i| [i - 1, i]).collect();
        let (count, group) = groups(10, &edges);
        assert_eq!((count, group), (4, vec![0, 0, 1, 1, 1, 2, 2, 2, 3, 3]));
    }

    #[test]
    fn groups_are_connected_and_leave_nobody_but_loners() {
        let n = 30u32;
        let right = (0..n * n).filter(|i| i % n < n - 1).map(|i| [i, i + 1]);
        let down = (0..n * (n - 1)).map(|i| [i, i + n]);
        let edges: Vec<_> = right.chain(down).collect();
        let (count, group) = groups((n * n + 2) as usize, &edges);
        assert_eq!(group[900..], [NONE, NONE]);
        assert!(count > 100 && count < 300, "{count}");
        // Connected: relaxing labels inside groups leaves one label per group.
        let mut label: Vec<u32> = (0..n * n).collect();
        for _ in 0..n {
            for &[a, b] in edges.iter().filter(|e| group[e[0] as usize] == group[e[1] as usize]) {
                let least = label[a as usize].min(label[b as usize]);
                (label[a as usize], label[b as usize]) = (least, least);
            }
        }
        let distinct: std::collections::BTreeSet<_> = label.iter().collect();
        assert_eq!(distinct.len(), count);
        assert!(group[..900].iter().all(|&g| (g as usize) < count));
    }
}
