//! How much of Newton's step is taken: as much as is free of collisions and lowers the energy.
//!
//! Bodies that act on each other take the same share of their steps; where something is in their way they and it take
//! less, and all others what they can. So the tightest gap of a scene does not hold up the rest of it, and every group
//! goes down its own energy.

use super::affine::Turn;
use super::bodies::Bodies;
use super::closing::CLOSE_ENOUGH;
use super::contact::Contact;
use super::foresight::ROUNDS;
use super::islands::Islands;
use super::newton::{Newton, Problem};
use super::soft::{At, SoftContact};
use super::surface::Surface;
use super::swept_motion::SweptMotion;
use drystone_solve::clock::Clock;
use drystone_solve::linalg::matrix::dot;
use drystone_solve::report::Phase;

/// Share of the decrease that the slope promises which a step must reach (Armijo).
const SUFFICIENT: f64 = 1e-4;

/// Share of an energy that its rounding may be.
const ROUNDING: f64 = 1e-14;

/// How much further than it has just gone a body may go before what is near it is searched anew: what hit it is likely
/// to take it on.
const MORE_SLACK: f64 = 4.0;

/// Steps shorter than this share of Newton's are not worth taking.
const SHORTEST: f64 = 1e-9;

/// A step that does not lower the energy is shortened to this share at most.
const SHORTEN_MOST: f64 = 0.3;

/// Joints that cannot be closed after a step are closed after this share of it, and so ends what goes on to meet something.
const SHORTEN_OPEN: f64 = 0.5;

/// A way that was cut where it met something and still meets it, as turns bend it, is cut to this share at least.
const BENT: f64 = 0.9;

/// Rounds in which groups of bodies that meet are given shares of their own, at most; then they become one.
const OWN_ROUNDS: u32 = 4;

/// Rounds at most.
const MOST_ROUNDS: u32 = 100;

/// What a step is worth.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Displacement that counts as none \[m\].
    pub tolerance: f64,
    /// Whether any body is to move by more, or the linear system is not solved.
    pub matters: bool,
    /// Whether what it runs into may change it.
    pub foresee: bool,
}

/// What a trial is found to be.
enum Found {
    /// Groups whose steps are to be shortened, by these factors, by leaders.
    Shorter(Vec<f64>),
    /// The model of the step was changed.
    Another,
    /// All is free and goes down.
    Good,
}

/// A search on its way.
struct Search {
    islands: Islands,
    /// Bodies whose trial is a new one.
    concerned: Vec<bool>,
    /// Bodies whose trial has changed since contacts there were last known.
    stale: Vec<bool>,
    /// Contacts at the trial of pairs of which no body is stale.
    contacts: Vec<Contact>,
    touching: Vec<SoftContact>,
    /// Energy of every body there \[J\].
    energy: Vec<f64>,
    rounds: u32,
    /// Times that what the step runs into may still join its model.
    foresight: u32,
    /// Whether joints are open where the step begins: they are closed first, whatever energy that takes.
    open: bool,
}

impl Newton {
    /// Takes the longest step along Newton's that is safe and lowers the energy; returns whether there is one. Groups of bodies that have
    /// no step to speak of and would not go down stay where they are: rounding may be all that is left to gain.
    pub(super) fn search_line(
        &mut self,
        problem: &Problem,
        bodies: &mut Bodies,
        surface: &mut Surface,
        effort: Effort,
        clock: &mut Clock,
    ) -> bool {
        let active: Vec<bool> = (0..bodies.q.len()).map(|slot| self.active.on(slot)).collect();
        self.share.clear();
        self.share.resize(bodies.q.len(), 1.0);
        let mut search = Search {
            islands: self.islands(bodies),
            concerned: active.clone(),
            stale: active,
            contacts: Vec::new(),
            touching: Vec::new(),
            energy: vec![0.0; bodies.q.len()],
            rounds: 0,
            foresight: if effort.foresee { ROUNDS } else { 0 },
            open: self.joints.openness() > CLOSE_ENOUGH,
        };
        if effort.matters {
            // Groups that are where they belong wait for the others.
            let lively = self.lively(&search.islands, effort);
            let waits = |slot: usize| self.active.on(slot) && !lively[search.islands.of(slot)];
            (0..bodies.q.len()).filter(|&slot| waits(slot)).for_each(|slot| self.share[slot] = 0.0);
        }
        while search.rounds < MOST_ROUNDS {
            match self.judge(problem, bodies, surface, (&mut search, effort), clock) {
                Found::Good => {
                    if effort.matters && !self.goes_on(&search.islands, effort) {
                        return false;
                    }
                    self.accept(bodies, search);
                    return true;
                }
                Found::Another => {
                    search.islands = self.islands(bodies);
                    (0..search.stale.len()).for_each(|slot| search.stale[slot] = self.active.on(slot));
                }
                Found::Shorter(factor) => {
                    search.rounds += 1;
                    self.shorten(&factor, &mut search);
                }
            }
        }
        false
    }

    /// Looks at the trial that the shares of bodies make.
    fn judge(
        &mut self,
        problem: &Problem,
        bodies: &Bodies,
        surface: &mut Surface,
        (search, effort): (&mut Search, Effort),
        clock: &mut Clock,
    ) -> Found {
        let contact_distance = problem.scale.contact_distance;
        let left_open = self.set_trial(problem, bodies, search);
        clock.lap(Phase::Iterate);
        surface.place_some(&mut self.trial, |slot| search.concerned[slot]);
        clock.lap(Phase::Bounds);
        if !self.find_near(bodies, surface, contact_distance) {
            // What is near is known anew: all of it counts again.
            (0..search.concerned.len()).for_each(|slot| search.concerned[slot] = self.active.on(slot));
            search.stale.clone_from(&search.concerned);
        }
        clock.lap(Phase::Pairs);
        let (islands, concerned) = (&search.islands, &search.concerned);
        let open = |slot: u32| left_open[islands.of(slot as usize)];
        let touched =
            |slot: [u32; 2]| slot.iter().any(|&slot| concerned[slot as usize]) && !slot.iter().any(|&slot| open(slot));
        let motion = SweptMotion { from: &self.here, to: &self.trial };
        let collisions = self.near.collisions(surface, (motion, &self.share), contact_distance, touched);
        let free = if left_open.contains(&true) { 1.0 } else { self.free_for_particles(problem, surface) };
        clock.lap(Phase::Ccd);
        if search.foresight > 0 && search.rounds == 0 && !collisions.is_empty() {
            search.foresight -= 1;
            let found = self.collided(problem, surface, &collisions);
            clock.lap(Phase::Contacts);
            if self.look_ahead(problem, bodies, surface, &found, clock) {
                return Found::Another;
            }
        }
        if !collisions.is_empty() || free < 1.0 || left_open.contains(&true) {
            if search.rounds >= OWN_ROUNDS {
                let active = &self.active;
                search.islands.join(collisions.iter().map(|(pair, _)| *pair), |slot| active.on(slot as usize));
            }
            return Found::Shorter(self.free_factors(search, &collisions, &left_open, free));
        }
        self.weigh(problem, bodies, surface, (search, effort), clock)
    }

    /// Whether the groups of a free trial go down.
    fn weigh(
        &mut self,
        problem: &Problem,
        bodies: &Bodies,
        surface: &mut Surface,
        (search, effort): (&mut Search, Effort),
        clock: &mut Clock,
    ) -> Found {
        let changed = search.stale.clone();
        self.find_contacts(problem, bodies, surface, search);
        let active = &self.active;
        let met = search.contacts.iter().map(|contact| contact.slot);
        if self.soft.is_none() {
            search.islands.join(met, |slot| active.on(slot as usize));
        }
        // Groups in which nothing has changed have the energy of before.
        let islands = &search.islands;
        let anew = islands.any(|slot| changed[slot] || self.soft.is_some());
        let wanted = |slot: usize| anew[islands.of(slot)];
        let mut energy = std::mem::take(&mut search.energy);
        (0..energy.len()).filter(|&slot| wanted(slot)).for_each(|slot| energy[slot] = 0.0);
        self.energies(problem, bodies, (&self.trial.q, &search.contacts), wanted, &mut energy);
        if let Some(of_particles) = energy.last_mut().filter(|_| self.soft.is_some()) {
            *of_particles += self.particle_energy(problem, At::Trial, &search.touching);
        }
        search.energy = energy;
        clock.lap(Phase::Contacts);
        let islands = &search.islands;
        let [before, after] = [&self.energy, &search.energy].map(|energy| islands.sums(energy));
        let slope = islands.sums(&self.slopes());
        let lively = self.lively(islands, effort);
        let share = &self.share;
        let moving = islands.any(|slot| share[slot] > 0.0);
        let rises = |k: usize| {
            let most = before[k] + SUFFICIENT * slope[k] + ROUNDING * before[k].abs();
            moving[k] && !search.open && (after[k] > most || after[k].is_nan())
        };
        let rising: Vec<bool> = (0..before.len()).map(rises).collect();
        if !rising.contains(&true) {
            return Found::Good;
        }
        if search.foresight > 0 && search.rounds == 0 {
            search.foresight -= 1;
            let of_rising = |contact: &&Contact| contact.slot.iter().any(|&slot| rising[islands.of(slot as usize)]);
            let found: Vec<Contact> = search.contacts.iter().filter(of_rising).copied().collect();
            if self.look_ahead(problem, bodies, surface, &found, clock) {
                return Found::Another;
            }
        }
        let factor = |k: usize| {
            if !rising[k] {
                return 1.0;
            }
            if !lively[k] {
                return 0.0;
            }
            // Where a parabola through what is known is lowest.
            let lowest = -0.5 * slope[k] / (after[k] - before[k] - slope[k]);
            if lowest > SHORTEN_MOST { lowest.min(0.5) } else { SHORTEN_MOST }
        };
        Found::Shorter((0..before.len()).map(factor).collect())
    }

    /// Makes contacts known at the trial.
    fn find_contacts(&mut self, problem: &Problem, bodies: &Bodies, surface: &mut Surface, search: &mut Search) {
        let (active, stale) = (&self.active, &search.stale);
        let is_stale = |slot: [u32; 2]| slot.iter().any(|&slot| stale[slot as usize]);
        search.contacts.retain(|contact| !is_stale(contact.slot));
        let wanted = |slot| active.concerns(slot) && is_stale(slot);
        search.contacts.extend(self.near.contacts(surface, &self.trial, problem.scale.contact_distance, wanted));
        search.stale.fill(false);
        search.touching = self.particle_contacts(problem, bodies, surface);
    }

    /// Groups that are to move by more than what counts as none, by leaders.
    fn lively(&self, islands: &Islands, effort: Effort) -> Vec<bool> {
        let unsolved = effort.matters && !self.system.is_solved();
        let particles = self.soft.as_ref().is_some_and(|soft| soft.longest() > effort.tolerance);
        islands.any(|slot| unsolved || particles || self.active.moved(slot) > effort.tolerance)
    }

    /// Whether any group that is to move does.
    fn goes_on(&self, islands: &Islands, effort: Effort) -> bool {
        let lively = self.lively(islands, effort);
        let of_bodies = self.system.slots().iter().map(|&slot| slot as usize);
        let moves = |slot: usize| self.active.on(slot) && lively[islands.of(slot)] && self.share[slot] > 0.0;
        of_bodies.clone().any(moves) || (self.soft.is_some() && self.common_share() > 0.0)
    }

    /// The share of the world's slot, which nothing but a share of all changes.
    fn common_share(&self) -> f64 {
        self.share.last().copied().unwrap_or(1.0)
    }

    /// The share of the way to the trial that is free for particles and what they may meet.
    fn free_for_particles(&mut self, problem: &Problem, surface: &Surface) -> f64 {
        let Some(soft) = &mut self.soft else { return 1.0 };
        let placed = [&self.here, &self.trial];
        soft.find_near(surface, placed, [At::Here, At::Trial], problem.scale.contact_distance);
        soft.free_share(surface, placed, &problem.scale)
    }

    /// Contacts of particles at the trial.
    fn particle_contacts(&self, problem: &Problem, bodies: &Bodies, surface: &Surface) -> Vec<SoftContact> {
        let Some(soft) = &self.soft else { return Vec::new() };
        soft.contacts_at(surface, &self.trial, At::Trial, &bodies.contact_mass, &problem.scale)
    }

    fn accept(&mut self, bodies: &mut Bodies, search: Search) {
        self.contacts = search.contacts;
        self.energy = search.energy;
        if let Some(soft) = &mut self.soft {
            soft.accept(search.touching);
        }
        bodies.q.copy_from_slice(&self.trial.q);
        std::mem::swap(&mut self.here, &mut self.trial);
    }

    /// By what the steps of groups that collide, or stay open, are to be shortened. Of two that go different shares the one that goes
    /// further gives way, down to what the other goes: no group ends up shorter than all would together.
    fn free_factors(&self, search: &Search, collisions: &[([u32; 2], f64)], left_open: &[bool], free: f64) -> Vec<f64> {
        let islands = &search.islands;
        let most = match search.rounds {
            0 => 1.0,
            1..OWN_ROUNDS => BENT,
            _ => SHORTEN_OPEN,
        };
        let mut factor: Vec<f64> =
            left_open.iter().map(|&open| if open { SHORTEN_OPEN.min(free) } else { free }).collect();
        for (pair, time) in collisions {
            let share = pair.map(|slot| if self.active.on(slot as usize) { self.share[slot as usize] } else { 0.0 });
            let least = if share[0] == share[1] { 0.0 } else { share[0].min(share[1]) };
            for k in (0..2).filter(|&k| share[k] > least) {
                let island = islands.of(pair[k] as usize);
                factor[island] = factor[island].min((time.min(most) * share[k]).max(least) / share[k]);
            }
        }
        factor
    }

    /// Shortens steps by factors of their groups and marks the bodies of these. Groups that have become one go as far as the shortest of
    /// them that goes at all.
    fn shorten(&mut self, factor: &[f64], search: &mut Search) {
        let mut least = vec![f64::INFINITY; factor.len()];
        for (slot, share) in self.share.iter().enumerate().filter(|(slot, share)| self.counts(*slot) && **share > 0.0) {
            let island = search.islands.of(slot);
            least[island] = least[island].min(*share);
        }
        for slot in 0..factor.len() {
            if !self.counts(slot) {
                search.concerned[slot] = false;
                continue;
            }
            let island = search.islands.of(slot);
            let shortened = factor[island] < 1.0 && self.share[slot] > 0.0;
            let share = if shortened { factor[island] * least[island] } else { self.share[slot] };
            let share = if share > SHORTEST { share } else { 0.0 };
            search.concerned[slot] = self.active.on(slot) && share != self.share[slot];
            search.stale[slot] |= search.concerned[slot];
            self.share[slot] = share;
        }
    }

    /// Whether a slot goes a share: that of a body looked at, or the world's, which stands for particles.
    fn counts(&self, slot: usize) -> bool {
        self.active.on(slot) || (self.soft.is_some() && slot + 1 == self.share.len())
    }

    /// Which bodies act on each other, directly or through others.
    fn islands(&self, bodies: &Bodies) -> Islands {
        if self.soft.is_some() {
            return Islands::whole(bodies.q.len());
        }
        let mut islands = Islands::single(bodies.q.len());
        let contacts = self.contacts.iter().chain(&self.ahead).map(|c| c.slot);
        let frictions = self.frictions.iter().map(|f| f.slot);
        islands.join(contacts.chain(frictions).chain(self.joints.slots()), |slot| self.active.on(slot as usize));
        islands
    }

    /// Slope of the energy along the step that every body takes, and the world's slot for the particles \[J\].
    fn slopes(&self) -> Vec<f64> {
        let mut slopes = vec![0.0; self.share.len()];
        for (&slot, (gradient, step)) in self.system.slots().iter().zip(self.gradient.iter().zip(&self.step)) {
            slopes[slot as usize] = self.share[slot as usize] * dot(gradient, step);
        }
        if let (Some(soft), Some(system), Some(last)) = (&self.soft, &self.system.soft, slopes.last_mut()) {
            *last = self.common_share() * soft.slope(self.system.first_particle(), &system.gradient);
        }
        slopes
    }

    /// Makes sure that what can be met on the way to the trial is known; returns whether it was.
    fn find_near(&mut self, bodies: &Bodies, surface: &mut Surface, contact_distance: f64) -> bool {
        let known = self.near.covers(surface, &self.trial.q);
        if !known {
            for &slot in self.system.slots() {
                let slot = slot as usize;
                let way = self.trial.q[slot].farthest(&bodies.q[slot], surface.radius[slot]);
                self.slack[slot] = self.slack[slot].max(MORE_SLACK * way);
            }
            self.near.search(surface, &self.here, &self.slack, contact_distance);
        }
        known
    }

    /// Sets the trial of the bodies concerned to their share of the step with joints closed; returns the groups whose joints could
    /// not be, by leaders.
    fn set_trial(&mut self, problem: &Problem, bodies: &Bodies, search: &Search) -> Vec<bool> {
        let mut moved = search.concerned.clone();
        for (turn, &slot) in self.turns.iter().zip(self.system.slots()) {
            let slot = slot as usize;
            if search.concerned[slot] {
                let share = self.share[slot];
                moved[slot] = share > 0.0;
                let stepped = |turn: &Turn| bodies.q[slot].stepped(turn, share);
                self.trial.q[slot] = if moved[slot] { stepped(turn) } else { bodies.q[slot] };
            }
        }
        let mut left_open = vec![false; moved.len()];
        if !self.joints.rows.is_empty() {
            let Self { joints, system, trial, .. } = self;
            left_open =
                system.close(joints, bodies, (&moved, search.islands.leader()), (&mut trial.q, problem.scale.h));
            if search.open {
                left_open.fill(false);
            }
        }
        let share = self.common_share();
        if let Some(soft) = &mut self.soft {
            soft.set_trial(share, &self.trial.q);
        }
        left_open
    }
}
