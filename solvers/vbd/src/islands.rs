//! Bodies that act on each other in a step, by contacts or joints.

/// Groups of moving bodies. What does not move separates groups and holds them.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    parent: Vec<u32>,
    touched: Vec<bool>,
    held: Vec<bool>,
}

impl Islands {
    /// Groups the bodies by contacts and joints, given as pairs of slots.
    pub fn build(
        &mut self,
        moves: &[bool],
        contacts: impl Iterator<Item = [u32; 2]>,
        joints: impl Iterator<Item = [u32; 2]>,
    ) {
        self.parent.clear();
        self.parent.extend(0..moves.len() as u32);
        for flags in [&mut self.touched, &mut self.held] {
            flags.clear();
            flags.resize(moves.len(), false);
        }
        joints.for_each(|pair| self.link(moves, pair, false));
        contacts.for_each(|pair| self.link(moves, pair, true));
    }

    fn link(&mut self, moves: &[bool], pair: [u32; 2], touching: bool) {
        let free = pair.map(|slot| moves[slot as usize]);
        if free == [false, false] {
            return;
        }
        let roots = pair.map(|slot| self.find(slot));
        if free == [true, true] {
            // The smaller index leads, whatever the order of the links.
            let (first, second) = (roots[0].min(roots[1]) as usize, roots[0].max(roots[1]) as usize);
            self.parent[second] = first as u32;
            self.touched[first] |= self.touched[second] | touching;
            self.held[first] |= self.held[second];
        } else {
            let root = roots[if free[0] { 0 } else { 1 }] as usize;
            self.touched[root] |= touching;
            self.held[root] = true;
        }
    }

    fn find(&mut self, mut slot: u32) -> u32 {
        while self.parent[slot as usize] != slot {
            let above = self.parent[self.parent[slot as usize] as usize];
            self.parent[slot as usize] = above;
            slot = above;
        }
        slot
    }

    /// The body that stands for the group of a body.
    pub fn leader(&self, body: usize) -> usize {
        let mut slot = body;
        while self.parent[slot] as usize != slot {
            slot = self.parent[slot] as usize;
        }
        slot
    }

    /// Whether any body of the group has a contact.
    pub fn touched(&self, body: usize) -> bool {
        self.touched[self.leader(body)]
    }

    /// Whether something that does not move holds the group, by a contact or a joint.
    pub fn held(&self, body: usize) -> bool {
        self.held[self.leader(body)]
    }

    /// Whether a body that leads a group stands for bodies in contact with each other alone.
    pub fn floats(&self, leader: usize) -> bool {
        self.touched[leader] && !self.held[leader]
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
