//! Union–find over a list of leaders: which nodes are connected. The leader of a group is its smallest node, whatever the order of
//! the unions.

/// The leader of a node. Paths are halved on the way.
pub fn find(leader: &mut [u32], mut node: u32) -> u32 {
    while leader[node as usize] != node {
        let above = leader[leader[node as usize] as usize];
        leader[node as usize] = above;
        node = above;
    }
    node
}

/// Connects two nodes.
pub fn unite(leader: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(leader, a), find(leader, b));
    leader[a.max(b) as usize] = a.min(b);
}

/// Writes the leader of every node into its place.
pub fn flatten(leader: &mut [u32]) {
    (0..leader.len() as u32).for_each(|node| leader[node as usize] = find(leader, node));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_nodes_have_their_smallest_as_leader() {
        for edges in [[[5, 3], [3, 1], [4, 2]], [[3, 1], [4, 2], [5, 3]], [[4, 2], [5, 3], [1, 5]]] {
            let mut leader: Vec<u32> = (0..6).collect();
            edges.iter().for_each(|&[a, b]| unite(&mut leader, a, b));
            flatten(&mut leader);
            assert_eq!(leader, [0, 1, 2, 1, 2, 1]);
        }
    }
}
