//! Phase `WarmStart`: contact rows from the contact cache, and the first guess. In the first step of a world it is repeated
//! in startup passes, see `startup.rs`.

use std::mem::take;

use drystone_kernels::lanes::{Lanes, Single};
use drystone_model::{Contacts, Model, State};
use drystone_solve::Precision;
use drystone_solve::parallel::{self, by_row};

use super::Vbd;
use super::row_builder::RowBuilder;
use super::{guess, initial_loads};

/// Share of the limit below which friction counts as inside its cone: what single precision tells apart.
pub const INSIDE: f64 = 1.0 - 1.0e-6;

impl Vbd {
    /// Begins the passes over a step. Worlds that start get their initial loads.
    pub(super) fn begin_passes(&mut self, model: &Model, contacts: &Contacts, h: f64) {
        let Self { startup, bodies, started, method, .. } = self;
        startup.begin(started, bodies.world() + 1, method.startup_passes);
        if startup.any() {
            let mut loads = take(&mut startup.cache);
            initial_loads::guess(model, bodies, contacts, h, |world| startup.starts(world), &mut loads);
            startup.cache = loads;
        }
    }

    /// Ends a pass; returns whether it was the last.
    pub(super) fn end_pass(&mut self, model: &Model, contacts: &Contacts) -> bool {
        self.cache_contacts(contacts);
        let Self { startup, islands, next_contact_cache, contact_cache, started, .. } = self;
        let last = startup.done(model, contacts, islands, next_contact_cache);
        if last {
            std::mem::swap(contact_cache, next_contact_cache);
            started.fill(true);
        }
        last
    }

    /// Contact rows with the multipliers and penalties of the step or pass before, and the first guess of the motion.
    pub(super) fn warm_start(&mut self, model: &Model, state: &State, contacts: &Contacts, h: f64) {
        RowBuilder {
            model,
            state,
            bodies: &self.bodies,
            contacts,
            cache: &self.contact_cache,
            method: &self.method,
            avbd: &self.options.avbd,
            startup: &self.startup,
            h,
            islands: &self.islands,
            island_scales: &self.island_scales,
            member: &self.joint_islands.member,
        }
        .build(&mut self.rows, &mut self.next_contact_cache);
        self.guess(model, h);
    }

    /// Where the iterations start. Bodies that are not busy stay where the pass before left them.
    fn guess(&mut self, model: &Model, h: f64) {
        let Self { startup, islands, started, bodies, rows, options, .. } = self;
        let busy = |body: usize| startup.busy(islands.leader(body));
        let first = |body: usize| !started[model.body_world[body] as usize];
        if self.method.compatible_guess {
            guess::compatible(bodies, rows, &self.adjacency, busy, h);
        } else {
            guess::inertial(bodies, h, busy, first);
        }
        let free = |body: usize| bodies.moves[body] && !self.joint_islands.member[body] && !self.swept.holds(body);
        if options.precision == Precision::Single {
            let (mut target, mut delta) = (take(&mut bodies.target), take(&mut bodies.delta));
            parallel::each2(&mut target, &mut delta, |body, target, delta| {
                if busy(body) && free(body) {
                    [*target, *delta] = [*target, *delta].map(|v| Single.round(v));
                }
            });
            (bodies.target, bodies.delta) = (target, delta);
        }
        let mut placement = take(&mut bodies.placement);
        parallel::each(&mut placement[..model.body_count()], |body, placement| {
            if busy(body) && !free(body) {
                *placement = bodies.placed(body);
            }
        });
        bodies.placement = placement;
    }

    /// Writes the multipliers to the contact cache, for the next step or for another pass over this one.
    fn cache_contacts(&mut self, contacts: &Contacts) {
        let (rows, torques) = (&self.rows, &self.torques);
        let cached = self.next_contact_cache.as_mut_slice();
        by_row(&contacts.point_start, cached, &|index, cached| {
            let (manifold, dual) = (&rows.manifolds[index], &rows.duals[index]);
            for (lane, (point, cached)) in manifold.points().zip(cached).enumerate() {
                let force = point.force(manifold.normal);
                cached.force = [force.x, force.y, force.z];
                cached.before = dual.load_before[lane];
                cached.torque = torques[index];
                cached.gain = dual.gain[lane];
                cached.rho = [point.rho_n, point.rho_t];
                cached.stuck = point.load > 0.0 && point.friction.length() < point.mu * point.load * INSIDE;
            }
        });
    }
}
