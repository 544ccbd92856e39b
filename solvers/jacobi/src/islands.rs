//! Which bodies push each other in a step, through joints and contacts: what keeps its own energy and momentum.

use super::layout::Layout;
use super::spec::RowSpec;
use drystone_solve::graph::union;

/// The islands of a step.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// The smallest body every body hangs together with; bodies that do not move are alone.
    leader: Vec<u32>,
    /// By leader: whether anything holds the island that does not move or that the user moves.
    held: Vec<bool>,
}

impl Islands {
    /// Finds the islands of the joints of a layout and of the rows of contacts.
    pub fn find(&mut self, layout: &Layout, contacts: &[RowSpec]) {
        self.leader.clone_from(&layout.root);
        let moves = |body: u32| layout.moves(body);
        for [a, b] in contacts.iter().map(|row| row.body).filter(|body| body.iter().all(|&body| moves(body))) {
            union::unite(&mut self.leader, a, b);
        }
        if !contacts.is_empty() {
            union::flatten(&mut self.leader);
        }
        self.held.clear();
        self.held.resize(self.leader.len(), false);
        let held = contacts.iter().map(|row| row.body).filter_map(|body| holds(layout, body));
        for body in layout.held.iter().copied().chain(held) {
            self.held[self.leader[body as usize] as usize] = true;
        }
    }

    /// The body that stands for the island of a body.
    pub fn leader(&self, body: usize) -> usize {
        self.leader[body] as usize
    }

    /// Whether nothing but its own bodies touches the island of a body.
    pub fn floats(&self, body: usize) -> bool {
        !self.held[self.leader(body)]
    }

    /// The body that stands for the island of a constraint; `None` if neither of its bodies moves.
    pub fn of(&self, layout: &Layout, body: [u32; 2]) -> Option<usize> {
        body.into_iter().find(|&body| layout.moves(body)).map(|body| self.leader(body as usize))
    }
}

/// The body that moves where the other end of a constraint does not.
pub fn holds(layout: &Layout, [a, b]: [u32; 2]) -> Option<u32> {
    match (layout.moves(a), layout.moves(b)) {
        (true, false) => Some(a),
        (false, true) => Some(b),
        _ => None,
    }
}
