//! Which constraints touch a body, and by which end.

use super::csr::Csr;
use super::is_unknown;

/// One end of one constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Incidence(u32);

impl Incidence {
    /// Index of the constraint in the list the adjacency was built from.
    pub fn constraint(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Which end the body is: 0 for the first of the pair, 1 for the second.
    pub fn end(self) -> usize {
        (self.0 & 1) as usize
    }

    /// The other end of the same constraint.
    pub fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// For every body the constraints that touch it, in constraint order. Bodies that do not move have
/// empty lists. Rebuilt each step; allocates only when a scene grows.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    list: Csr,
}

impl Adjacency {
    /// Rebuilds from the constraints' body pairs. `moves` has one entry per body; ends beyond it
    /// (the world) or that do not move are skipped. Holds up to 2³¹ constraints.
    pub fn build(&mut self, moves: &[bool], constraints: &[[u32; 2]]) {
        debug_assert!(constraints.len() <= (u32::MAX >> 1) as usize, "constraint index must leave a bit for the end");
        let ends = constraints.iter().enumerate().flat_map(|(index, bodies)| {
            let code = (index as u32) << 1;
            [(bodies[0], code), (bodies[1], code | 1)]
        });
        let unknown = ends.filter(|&(body, _)| is_unknown(moves, body));
        self.list.build(moves.len(), unknown.map(|(body, code)| (body as usize, code)));
    }

    /// The constraint ends on a body, in constraint order.
    #[inline]
    pub fn of(&self, body: usize) -> impl ExactSizeIterator<Item = Incidence> + '_ {
        self.list.row(body).iter().map(|&code| Incidence(code))
    }

    /// The `k`-th constraint end on a body, `k` below its degree.
    pub fn get(&self, body: usize, k: usize) -> Incidence {
        Incidence(self.list.row(body)[k])
    }

    /// How many constraint ends a body carries.
    #[inline]
    pub fn degree(&self, body: usize) -> usize {
        self.list.row(body).len()
    }

    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.list.row_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(adjacency: &Adjacency, body: usize) -> Vec<(usize, usize)> {
        adjacency.of(body).map(|i| (i.constraint(), i.end())).collect()
    }

    #[test]
    fn lists_constraints_with_their_end_and_skips_what_does_not_move() {
        let moves = [true, false, true, true];
        let constraints = [[2, 0], [0, u32::MAX], [1, 2], [2, 0], [u32::MAX, 1]];
        let mut adjacency = Adjacency::default();
        adjacency.build(&moves, &constraints);
        assert_eq!(listed(&adjacency, 0), [(0, 1), (1, 0), (3, 1)]);
        assert_eq!(listed(&adjacency, 1), []);
        assert_eq!(listed(&adjacency, 2), [(0, 0), (2, 1), (3, 0)]);
        assert_eq!(adjacency.degree(3), 0);
        assert_eq!(adjacency.body_count(), 4);
    }

    #[test]
    fn agrees_with_a_search_through_all_pairs() {
        let moves: Vec<bool> = (0..50).map(|body| body % 7 != 3).collect();
        let mut random = drystone_random::Random::new(1);
        let constraints: Vec<[u32; 2]> = (0..400).map(|_| [50, 53].map(|count| random.below(count) as u32)).collect();
        let mut adjacency = Adjacency::default();
        adjacency.build(&moves, &constraints);
        for body in 0..50 {
            let mut expected = Vec::new();
            for (index, pair) in constraints.iter().enumerate() {
                for end in 0..2 {
                    if pair[end] as usize == body && moves[body] {
                        expected.push((index, end));
                    }
                }
            }
            assert_eq!(listed(&adjacency, body), expected);
        }
    }
}
