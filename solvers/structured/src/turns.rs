//! Bodies that turn far within a step meet others with corners that were nowhere near when it began.
//!
//! Contact points are found where a step begins and follow their bodies from there. After a piece in which a body in touch
//! turned far, overlaps are searched anew where it ended. One that is deep, and deeper than the piece began with, refuses the
//! piece: the step is taken again in more, each of which begins with a search of its own. Round bodies may turn as they like.

use drystone_collide::Collide;
use drystone_model::{Contacts, DVec3, Model, State};

use super::system::ConstraintSystem;
use drystone_solve::linalg::block6::split;

/// Turn within a piece after which contacts are searched anew \[rad\].
const FAR: f64 = 0.5;
/// Overlap that a turn may bring about, as a share of the lever it turns.
const DEEP: f64 = 0.02;

/// A search of its own, which leaves what the step's contacts are matched to alone.
#[derive(Debug, Default)]
pub struct SecondLook {
    collide: Option<Box<Collide>>,
    /// Turn of every body that touches another and turned far, zero for the others \[rad\].
    turn: Vec<f64>,
}

impl SecondLook {
    /// By how many times more pieces a piece of `h` seconds should have been taken, if bodies turned deep into others in it.
    /// `state` is where it ended, `first` the search it began with.
    pub fn refuse(
        &mut self,
        model: &Model,
        state: &State,
        system: &ConstraintSystem,
        first: &Collide,
        h: f64,
    ) -> Option<f64> {
        if !self.note_turns(system, h) {
            return None;
        }
        let collide = self.collide.get_or_insert_with(|| Box::new(Collide::new(model, first.options())));
        collide.take_hook_of(first);
        collide.detect(model, state, 0.0);
        let began = |body: usize| deepest(&first.contacts, body);
        let mut wanted = None::<f64>;
        for (manifold, depth, at) in overlaps(&collide.contacts) {
            let pair = [collide.contacts.manifold_body0[manifold], collide.contacts.manifold_body1[manifold]];
            for body in pair.map(|body| body as usize) {
                let Some(&turn) = self.turn.get(body).filter(|turn| **turn > 0.0) else { continue };
                let lever = (at - system.bodies.body[body].placement.com).length();
                if depth > DEEP * lever && depth > began(body) {
                    wanted = Some(wanted.unwrap_or(0.0).max(turn / FAR));
                }
            }
        }
        wanted
    }

    /// Notes how far bodies that touch others turned in `h` seconds; returns whether any turned far.
    fn note_turns(&mut self, system: &ConstraintSystem, h: f64) -> bool {
        self.turn.clear();
        self.turn.resize(system.bodies.count(), 0.0);
        let mut any = false;
        for body in system.points.iter().flat_map(|point| point.body).map(|body| body as usize) {
            let (Some(turn), Some(true)) = (self.turn.get_mut(body), system.bodies.moves.get(body)) else { continue };
            let rate = [&system.start[body], &system.bodies.body[body]].map(|body| split(&body.velocity).1.length());
            *turn = h * rate[0].max(rate[1]);
            if *turn <= FAR {
                *turn = 0.0;
            }
            any |= *turn > 0.0;
        }
        any
    }
}

/// Manifolds, depths and places of all points that overlap \[m\].
fn overlaps(contacts: &Contacts) -> impl Iterator<Item = (usize, f64, DVec3)> + '_ {
    (0..contacts.manifold_count()).flat_map(move |manifold| {
        let points = contacts.points(manifold).map(move |point| (point, -contacts.point_gap[point]));
        points
            .filter(|(_, depth)| *depth > 0.0)
            .map(move |(point, depth)| (manifold, depth, contacts.point_position0[point]))
    })
}

/// Depth of the deepest contact of a body \[m\].
fn deepest(contacts: &Contacts, body: usize) -> f64 {
    let touches = |manifold: usize| {
        [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]].contains(&(body as u32))
    };
    overlaps(contacts).filter(|(manifold, ..)| touches(*manifold)).map(|(_, depth, _)| depth).fold(0.0, f64::max)
}
