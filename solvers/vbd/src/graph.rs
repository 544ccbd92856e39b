//! Phase `Graph`: which bodies act on each other, and in which order they are swept.

use drystone_model::{Contacts, WORLD};
use drystone_solve::graph::coloring::ColorOrder;
use drystone_solve::parallel::join;

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
        std::mem::swap(&mut self.edges, &mut self.edges_before);
        self.edges.clear();
        self.edges.extend(ends.map(|(&first, &second)| [slot(first), slot(second)]));
        let contact_count = self.edges.len();
        self.edges.extend(self.swept.pairs());
        let Self {
            bodies,
            joints,
            joint_islands,
            islands,
            adjacency,
            coloring,
            sweeps,
            edges,
            edges_before,
            method,
            particles,
            ..
        } = self;
        let sweeps_now = || (0..bodies.moves.len()).map(|body| bodies.moves[body] && !joint_islands.member[body]);
        // Colours and contacts of bodies follow from these alone.
        let same = edges == edges_before
            && edges.len() == contact_count
            && adjacency.body_count() == bodies.moves.len()
            && bodies.moves == self.moved_before
            && sweeps.iter().copied().eq(sweeps_now());
        self.moved_before.clone_from(&bodies.moves);
        let (moves, contacts) = (&bodies.moves, &edges[..contact_count]);
        // Bodies that contacts and joints connect.
        let mut find_islands = || {
            let jointed = joints.acting().map(|joint| joints.geometry[joint].body.map(|body| body as u32));
            let pushed = particles.iter().flat_map(|particles| particles.held_bodies(world));
            islands.build(moves, contacts.iter().copied().chain(pushed), jointed.chain(joints.coupled_bodies()));
        };
        // Bodies of one colour share no contact and no swept joint; those of joint islands have none.
        let color = || {
            sweeps.clear();
            sweeps.extend(sweeps_now());
            match method.one_by_one {
                true => coloring.one_by_one(sweeps),
                false => coloring.color(sweeps, edges, ColorOrder::default()),
            }
        };
        let list_contacts = || adjacency.build(moves, contacts);
        if same {
            find_islands();
        } else {
            join(|| join(find_islands, list_contacts), color);
        }
    }
}
