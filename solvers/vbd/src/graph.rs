//! Phase `Graph`: which bodies act on each other, and in which order they are swept.

use drystone_model::{Contacts, WORLD};
use drystone_solve::graph::coloring::ColorOrder;

use super::Vbd;

impl Vbd {
    /// Joint islands, islands, and the colours of the bodies that are swept.
    pub(super) fn build_graph(&mut self, contacts: &Contacts) {
        if std::mem::take(&mut self.joints_changed) {
            self.joint_islands.rebuild(&self.joints, &self.bodies.moves, self.ramp.is_none());
            self.swept.rebuild(&self.joints, &self.bodies.moves, self.ramp.is_some());
        }
        let world = self.bodies.world() as u32;
        let slot = |body: u32| if body == WORLD { world } else { body };
        let ends = contacts.manifold_body0.iter().zip(&contacts.manifold_body1);
        self.edges.clear();
        self.edges.extend(ends.map(|(&first, &second)| [slot(first), slot(second)]));
        self.build_islands();
        self.color_bodies();
    }

    /// Finds the islands: bodies that contacts and joints connect.
    fn build_islands(&mut self) {
        let Self { joints, bodies, edges, .. } = self;
        let jointed = joints.acting().map(|joint| joints.geometry[joint].body.map(|body| body as u32));
        self.islands.build(&bodies.moves, edges.iter().copied(), jointed);
    }

    /// Colours the bodies that are no part of a joint island: those of one colour share no contact and no swept joint.
    fn color_bodies(&mut self) {
        let moves = &self.bodies.moves;
        self.adjacency.build(moves, &self.edges);
        self.sweeps.clear();
        self.sweeps.extend((0..moves.len()).map(|body| moves[body] && !self.joint_islands.member[body]));
        self.edges.extend(self.swept.pairs());
        if self.method.one_by_one {
            self.coloring.one_by_one(&self.sweeps);
        } else {
            self.coloring.color(&self.sweeps, &self.edges, ColorOrder::default());
        }
    }
}
