//! Proper colouring of bodies: no constraint joins two bodies of one colour, so all bodies of a
//! colour can be moved at once and a sweep through the colours is Gauss–Seidel, never Jacobi.
//!
//! First-fit in a fixed sequence. It starts afresh each step: the colours are a function of the
//! edges alone, so a resumed run needs no colour history and unused colours never pile up.

use super::color_order::Sequencer;
use super::csr::Csr;
use super::{couples, is_unknown};

pub use super::color_order::ColorOrder;

/// Colour of a body that is no unknown.
pub const UNCOLORED: u32 = u32::MAX;

/// Colours of bodies and the bodies grouped by colour.
#[derive(Clone, Debug, Default)]
pub struct Coloring {
    color: Vec<u32>,
    groups: Csr,
    sequencer: Sequencer,
    /// Per body its neighbours that come before it in the sequence: all that first-fit looks at.
    earlier: Csr,
    used: ColorSet,
}

impl Coloring {
    /// Colours the bodies that move, over all constraints together. There is no cap: as many colours
    /// arise as first-fit needs, at most one more than the largest number of neighbours. The result
    /// depends on the arguments alone. Linear in bodies and constraints, allocation-free once grown.
    pub fn color(&mut self, moves: &[bool], edges: &[[u32; 2]], order: ColorOrder) {
        let Self { color, groups, sequencer, earlier, used } = self;
        sequencer.sequence(moves, edges, order);
        let rank = sequencer.rank();
        let coupled = edges.iter().filter(|&&edge| couples(moves, edge));
        let directed =
            coupled.map(|&[a, b]| if rank[a as usize] > rank[b as usize] { (a as usize, b) } else { (b as usize, a) });
        earlier.build(moves.len(), directed);

        color.clear();
        color.resize(moves.len(), UNCOLORED);
        used.clear_all();
        let mut color_count = 0;
        for &body in sequencer.bodies() {
            for &neighbour in earlier.row(body as usize) {
                used.insert(color[neighbour as usize]);
            }
            let free = used.take_first_free();
            color[body as usize] = free;
            color_count = color_count.max(free as usize + 1);
        }

        let bodies = (0u32..).zip(&*color).filter(|&(body, _)| is_unknown(moves, body));
        groups.build(color_count, bodies.map(|(body, &color)| (color as usize, body)));
    }

    /// Gives every body that moves a colour of its own, the last body first: a sweep on one thread.
    pub fn one_by_one(&mut self, moves: &[bool]) {
        let last_first = (0..moves.len() as u32).rev().filter(|&body| is_unknown(moves, body));
        self.color.clear();
        self.color.resize(moves.len(), UNCOLORED);
        (0..).zip(last_first).for_each(|(color, body)| self.color[body as usize] = color);
        let bodies = (0u32..).zip(&self.color).filter(|&(_, &color)| color != UNCOLORED);
        let count = bodies.clone().count();
        self.groups.build(count, bodies.map(|(body, &color)| (color as usize, body)));
    }

    /// Number of colours.
    pub fn color_count(&self) -> usize {
        self.groups.row_count()
    }

    /// Colour of every body, [`UNCOLORED`] for those that do not move.
    pub fn colors(&self) -> &[u32] {
        &self.color
    }

    /// Bodies of one colour, by index.
    pub fn bodies(&self, color: usize) -> &[u32] {
        self.groups.row(color)
    }

    /// The groups, first colour to last, each in index order.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.groups.rows()
    }
}

/// A set of colours as bits, in as many words as there are colours.
#[derive(Clone, Debug, Default)]
struct ColorSet {
    words: Vec<u64>,
}

impl ColorSet {
    fn clear_all(&mut self) {
        self.words.clear();
        self.words.push(0);
    }

    fn insert(&mut self, color: u32) {
        // A colour exists only once `take_first_free` has given it out, which grew the words.
        self.words[(color / 64) as usize] |= 1 << (color % 64);
    }

    /// The smallest colour not in the set; empties the set.
    fn take_first_free(&mut self) -> u32 {
        let full = self.words.iter().take_while(|&&word| word == u64::MAX).count();
        let bit = self.words.get(full).map_or(0, |word| word.trailing_ones());
        self.words.fill(0);
        if full == self.words.len() {
            self.words.push(0);
        }
        full as u32 * 64 + bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERS: [ColorOrder; 3] = [ColorOrder::Index, ColorOrder::LargestFirst, ColorOrder::SmallestLast];

    #[test]
    fn one_by_one_every_body_that_moves_has_a_colour_of_its_own_and_the_last_comes_first() {
        let mut coloring = Coloring::default();
        coloring.one_by_one(&[true, false, true, true]);
        assert_eq!(coloring.colors(), [2, UNCOLORED, 1, 0]);
        assert_eq!(coloring.groups().collect::<Vec<_>>(), [&[3][..], &[2], &[0]]);
    }

    /// Proper, complete, consistent with its groups; returns the number of colours.
    fn check(moves: &[bool], edges: &[[u32; 2]], order: ColorOrder) -> usize {
        let mut coloring = Coloring::default();
        coloring.color(moves, edges, order);
        for &[a, b] in edges.iter().filter(|&&edge| couples(moves, edge)) {
            assert_ne!(coloring.colors()[a as usize], coloring.colors()[b as usize], "edge {a}-{b}");
        }
        let mut seen = vec![false; moves.len()];
        for (color, group) in coloring.groups().enumerate() {
            assert!(!group.is_empty() && group.is_sorted());
            for &body in group {
                assert_eq!(coloring.colors()[body as usize], color as u32);
                assert!(!std::mem::replace(&mut seen[body as usize], true));
            }
        }
        assert_eq!(seen, moves);
        coloring.color_count()
    }

    fn complete(n: u32) -> Vec<[u32; 2]> {
        (0..n).flat_map(|a| (0..a).map(move |b| [a, b])).collect()
    }

    #[test]
    fn chain_needs_two_colours_and_a_star_two() {
        let moves = [true; 100];
        let chain: Vec<_> = (0..99).map(|i| [i, i + 1]).collect();
        let star: Vec<_> = (1..100).map(|i| [i, 0]).collect();
        for order in ORDERS {
            assert_eq!(check(&moves, &star, order), 2);
        }
        assert_eq!(check(&moves, &chain, ColorOrder::Index), 2);
        assert_eq!(check(&moves, &chain, ColorOrder::SmallestLast), 2);
        assert!(check(&moves, &chain, ColorOrder::LargestFirst) <= 3);
    }

    #[test]
    fn colours_grow_past_any_word() {
        // In a complete graph every body needs its own colour: 150 of them cross two words.
        for order in ORDERS {
            assert_eq!(check(&[true; 150], &complete(150), order), 150);
        }
        assert_eq!(check(&[true; 64], &complete(64), ColorOrder::Index), 64);
        assert_eq!(check(&[true; 65], &complete(65), ColorOrder::Index), 65);
    }

    #[test]
    fn what_does_not_move_neither_colours_nor_conflicts() {
        // A static floor under three boxes: all of them may move at once.
        let moves = [false, true, true, true];
        let edges = [[0, 1], [0, 2], [3, 0], [1, u32::MAX], [2, 2]];
        assert_eq!(check(&moves, &edges, ColorOrder::Index), 1);
        let mut coloring = Coloring::default();
        coloring.color(&moves, &edges, ColorOrder::Index);
        assert_eq!(coloring.colors()[0], UNCOLORED);
        assert_eq!(coloring.bodies(0), [1, 2, 3]);
    }

    #[test]
    fn a_given_sequence_is_followed() {
        // Top-down along a stack: the top box gets the first colour.
        let moves = [true; 5];
        let edges = [[0, 1], [1, 2], [2, 3], [3, 4]];
        let mut coloring = Coloring::default();
        coloring.color(&moves, &edges, ColorOrder::Given(&[4, 3, 2, 1, 0]));
        assert_eq!(coloring.colors(), [0, 1, 0, 1, 0]);
        // Bodies it leaves out follow by index; names that repeat or mean no body are passed over.
        coloring.color(&moves, &edges, ColorOrder::Given(&[3, 3, 77, u32::MAX]));
        assert_eq!(coloring.colors(), [0, 1, 2, 0, 1]);
        check(&moves, &edges, ColorOrder::Given(&[3, 3, 77, u32::MAX]));
    }

    #[test]
    fn random_graphs_are_proper_and_stay_within_the_degree_bound() {
        let moves: Vec<bool> = (0..300).map(|body| body % 11 != 5).collect();
        let mut random = drystone_random::Random::new(7);
        let mut random = |n: usize| random.below(n) as u32;
        for edge_count in [0, 10, 300, 2000, 9000] {
            let edges: Vec<_> = (0..edge_count).map(|_| [random(300), random(310)]).collect();
            let degree = (0..300).map(|b| edges.iter().filter(|e| couples(&moves, **e) && e.contains(&b)).count());
            let bound = degree.max().unwrap_or(0) + 1;
            for order in ORDERS {
                assert!(check(&moves, &edges, order) <= bound);
            }
        }
    }

    #[test]
    fn smallest_last_colours_a_tree_with_two() {
        // First-fit by index can need log n colours on a tree; a tree is 1-degenerate. The parent of every body comes after it, at
        // places that have nothing to do with each other.
        let parent = |i: u32| i + 1 + (i * 7919) % (199 - i);
        let edges: Vec<_> = (0..199).map(|i| [i, parent(i)]).collect();
        assert!(check(&[true; 200], &edges, ColorOrder::Index) > 2);
        assert_eq!(check(&[true; 200], &edges, ColorOrder::SmallestLast), 2);
    }
}
