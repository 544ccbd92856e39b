//! Islands: moving bodies connected by contacts and joints, found by union-find.

use drystone_model::{Contacts, WORLD};
use drystone_solve::graph::union;

/// Islands of moving bodies. What does not move separates islands and holds them.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    parent: Vec<u32>,
    moves: Vec<bool>,
    linked: Vec<bool>,
    touched: Vec<bool>,
    supported: Vec<bool>,
}

impl Islands {
    /// Finds the islands by contacts and joints, given as pairs of slots.
    pub fn build(
        &mut self,
        moves: &[bool],
        contacts: impl Iterator<Item = [u32; 2]>,
        joints: impl Iterator<Item = [u32; 2]>,
    ) {
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        self.parent.clear();
        self.parent.extend(0..moves.len() as u32);
        for flags in [&mut self.linked, &mut self.touched, &mut self.supported] {
            flags.clear();
            flags.resize(moves.len(), false);
        }
        joints.for_each(|pair| self.link(moves, pair, false));
        contacts.for_each(|pair| self.link(moves, pair, true));
        // Leaders come first, so that one pass makes every body point at its own.
        for slot in 0..self.parent.len() {
            self.parent[slot] = self.parent[self.parent[slot] as usize];
        }
    }

    fn link(&mut self, moves: &[bool], pair: [u32; 2], touching: bool) {
        let free = pair.map(|slot| moves[slot as usize]);
        if free == [false, false] {
            return;
        }
        let roots = pair.map(|slot| union::find(&mut self.parent, slot));
        if free == [true, true] {
            // The smaller index leads, whatever the order of the links.
            let (first, second) = (roots[0].min(roots[1]) as usize, roots[0].max(roots[1]) as usize);
            self.parent[second] = first as u32;
            self.linked[first] = true;
            self.touched[first] |= self.touched[second] | touching;
            self.supported[first] |= self.supported[second];
        } else {
            let root = roots[if free[0] { 0 } else { 1 }] as usize;
            self.linked[root] = true;
            self.touched[root] |= touching;
            self.supported[root] = true;
        }
    }

    /// The body that stands for the island of a body: the one with the smallest index.
    #[inline]
    pub fn leader(&self, body: usize) -> usize {
        self.parent[body] as usize
    }

    /// The bodies that stand for islands of moving bodies, in order.
    pub fn leaders(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.parent.len()).filter(|&body| self.parent[body] == body as u32 && self.moves[body])
    }

    /// The body that stands for the island a manifold acts in; none between bodies that do not move.
    pub fn leader_of_manifold(&self, contacts: &Contacts, manifold: usize) -> Option<usize> {
        let ends = [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]];
        let moving = ends.into_iter().find(|&body| body != WORLD && self.moves[body as usize])?;
        Some(self.leader(moving as usize))
    }

    /// Whether any body of the island has a contact.
    pub fn touched(&self, body: usize) -> bool {
        self.touched[self.leader(body)]
    }

    /// Whether something that does not move holds the island, by a contact or a joint.
    pub fn supported(&self, body: usize) -> bool {
        self.supported[self.leader(body)]
    }

    /// Whether the bodies of an island are linked to each other and to nothing that does not move.
    pub fn floats(&self, body: usize) -> bool {
        let leader = self.leader(body);
        self.linked[leader] && !self.supported[leader]
    }
}

#[cfg(test)]
mod tests {
    use super::Islands;

    #[test]
    fn groups_end_at_what_does_not_move() {
        let moves = [true, true, true, true, true, false];
        let mut islands = Islands::default();
        islands.build(&moves, [[3, 2], [1, 5]].into_iter(), [[0, 5], [4, 3]].into_iter());
        let leaders: Vec<_> = (0..5).map(|body| islands.leader(body)).collect();
        assert_eq!(leaders, [0, 1, 2, 2, 2]);
        assert_eq!([0, 1, 2].map(|leader| islands.floats(leader)), [false, false, true]);
        assert_eq!([0, 1, 4].map(|body| islands.touched(body)), [false, true, true]);
    }
}
