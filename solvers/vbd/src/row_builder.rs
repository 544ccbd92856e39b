//! Builds the contact rows of a step from the contacts found and the contact cache.

use drystone_kernels::double::math::Vec3;
use drystone_kernels::lanes;
use drystone_model::contacts::UNMATCHED;
use drystone_model::{Contacts, DVec3, Material, Model, Pose, State, WORLD};
use drystone_solve::parallel::PIECE;

use super::anchors::Surfaces;
use super::bodies::Bodies;
use super::contact_cache::CachedPoint;
use super::convert::vec3;
use super::effective_mass::InverseMasses;
use super::guess;
use super::island_scales::{IslandScale, IslandScales};
use super::islands::Islands;
use super::method::{MethodConstants, Penalty};
use super::options::AvbdOptions;
use super::rows::{DualState, LANES, Manifold, Point, Rows};
use super::startup::Startup;

/// Multiple of the weight of the bodies' effective mass that a new contact may carry at once.
/// Impacts beyond it are not replayed as load in the next step.
pub const IMPACT_ALLOWANCE: f64 = 4.0;
/// Overlaps up to this share of the fall h² a of a step count as shallow.
pub const SHALLOW: f64 = 0.5;
/// Share of a shallow overlap that is taken back in a step without giving the bodies a velocity.
pub const PUSH: f64 = 0.2;
/// Overlaps up to this share of the fall h² a are left alone, 1.4 µm at 60 steps a second: a stack at rest needs no push.
pub const CLOSE: f64 = 5.0e-4;
/// Most of a shallow overlap that is taken back through the velocities, as a share of the fall h² a.
const LIFT: f64 = 0.002;
/// Acceleration that counts as none \[m/s²\]: single precision still holds what is divided by it.
pub const NO_ACCELERATION: f64 = 1.0e-18;
/// Growth of a remembered load per step.
pub const LOAD_GROWTH: f64 = 2.0;

/// What contact rows are built from.
pub struct RowBuilder<'a> {
    /// The scene.
    pub model: &'a Model,
    /// Poses at the start of the step.
    pub state: &'a State,
    /// Bodies after prediction.
    pub bodies: &'a Bodies,
    /// The contacts found.
    pub contacts: &'a Contacts,
    /// Memory of the points of the step before.
    pub cache: &'a [CachedPoint],
    /// The method's constants.
    pub method: &'a MethodConstants,
    /// Ramp parameters.
    pub avbd: &'a AvbdOptions,
    /// Which worlds are solved, and those whose points remember another pass over the very same contacts.
    pub startup: &'a Startup,
    /// Step \[s\].
    pub h: f64,
    /// Islands of the bodies.
    pub islands: &'a Islands,
    /// Figures of the islands.
    pub island_scales: &'a IslandScales,
    /// Which bodies are solved as parts of joint islands.
    pub member: &'a [bool],
}

/// Where rows are written.
struct Places<'a> {
    manifolds: &'a mut [Manifold],
    duals: &'a mut [DualState],
    disagreement: &'a mut [[f64; 2]],
}

impl Places<'_> {
    fn split_at(self, middle: usize) -> (Self, Self) {
        let (manifolds, more_manifolds) = self.manifolds.split_at_mut(middle);
        let (duals, more_duals) = self.duals.split_at_mut(middle);
        let (disagreement, more_disagreement) = self.disagreement.split_at_mut(middle);
        let right = Self { manifolds: more_manifolds, duals: more_duals, disagreement: more_disagreement };
        (Self { manifolds, duals, disagreement }, right)
    }
}

impl RowBuilder<'_> {
    /// Builds the rows of all manifolds and the memory they start from.
    pub fn build(&self, rows: &mut Rows, cache: &mut Vec<CachedPoint>) {
        let count = self.contacts.manifold_count();
        rows.manifolds.resize(count, Manifold::default());
        rows.duals.resize(count, DualState::default());
        rows.disagreement.resize(count, [0.0; 2]);
        cache.resize(self.contacts.point_count(), CachedPoint::default());
        let places =
            Places { manifolds: &mut rows.manifolds, duals: &mut rows.duals, disagreement: &mut rows.disagreement };
        self.build_from(0, places, cache);
    }

    /// Builds the manifolds from `first` on, halves at a time.
    fn build_from(&self, first: usize, places: Places, cache: &mut [CachedPoint]) {
        let points = |index: usize| self.contacts.point_start[index] as usize;
        let base = points(first);
        if places.manifolds.len() > PIECE {
            let half = places.manifolds.len() / 2;
            let (left, right) = places.split_at(half);
            let cache = cache.split_at_mut(points(first + half) - base);
            rayon::join(|| self.build_from(first, left, cache.0), || self.build_from(first + half, right, cache.1));
            return;
        }
        let Places { manifolds, duals, disagreement } = places;
        for (i, ((manifold, dual), disagreement)) in manifolds.iter_mut().zip(duals).zip(disagreement).enumerate() {
            let leader = self.islands.leader_of_manifold(self.contacts, first + i);
            if !self.startup.busy(leader.unwrap_or(self.bodies.world())) {
                continue;
            }
            let range = self.contacts.points(first + i);
            self.manifold(first + i, manifold, dual, &mut cache[range.start - base..range.end - base]);
            if self.method.compatible_guess {
                *disagreement = guess::disagreement(self.bodies, manifold, dual, self.h);
            }
        }
    }

    fn slot(&self, body: u32) -> usize {
        if body == WORLD { self.bodies.world() } else { body as usize }
    }

    fn manifold(&self, index: usize, manifold: &mut Manifold, dual: &mut DualState, cache: &mut [CachedPoint]) {
        let contacts = self.contacts;
        let bodies = [contacts.manifold_body0[index], contacts.manifold_body1[index]];
        let slots = bodies.map(|body| self.slot(body));
        let range = contacts.points(index);
        let com = slots.map(|slot| self.bodies.path_start(slot));
        *manifold = Manifold {
            body: slots.map(|slot| slot as u32),
            count: range.len().min(LANES) as u32,
            normal: vec3(contacts.manifold_normal[index]),
            span: vec3(com[0] - com[1]),
            ..Manifold::default()
        };
        for (lane, point) in range.clone().take(LANES).enumerate() {
            manifold.lever.set(lane, vec3(middle(contacts, point) - com[0]));
        }
        manifold.load_to_penalty = self.load_to_penalty(manifold);
        *dual = DualState { belt: vec3(contacts.manifold_surface[index]), ..DualState::default() };
        if !slots.iter().any(|&slot| self.bodies.moves[slot]) {
            self.keep_loads(index, manifold, dual, cache);
            return;
        }
        let inverse = lanes::run(InverseMasses { bodies: self.bodies, manifold });
        let pose = |body: u32| if body == WORLD { Pose::IDENTITY } else { self.state.body_q[body as usize] };
        let surfaces = Surfaces::new(bodies.map(pose));
        for (lane, (point, cache)) in range.take(LANES).zip(cache).enumerate() {
            let inverse = inverse.map(|of| of[lane]);
            let row = self.point(index, point, manifold, lane, inverse, &surfaces, dual, cache);
            manifold.set_point(lane, row);
        }
    }

    /// Rows between two bodies that stand still: loads without penalties, which nothing changes.
    fn keep_loads(&self, index: usize, manifold: &mut Manifold, dual: &mut DualState, cache: &mut [CachedPoint]) {
        let mu = self.contacts.manifold_material[index].friction_static;
        for (lane, (point, cache)) in self.contacts.points(index).take(LANES).zip(cache).enumerate() {
            let gap = self.contacts.point_gap[point];
            dual.start_gap[lane] = gap;
            *cache = self.predecessor(index, point).copied().unwrap_or_default();
            dual.gain[lane] = cache.gain;
            let force = cache.force();
            let load = force.dot(manifold.normal).max(0.0);
            let friction = force.reject(manifold.normal);
            manifold.set_point(
                lane,
                Point { lever: manifold.lever.get(lane), gap, load, friction, hardness: 1.0, mu, ..Point::default() },
            );
        }
    }

    /// Penalty per load. A load stands for the mass it carries through the acceleration that goes with it:
    /// the reference one at rest, and more where bodies were stopped in the last step or are about to be.
    /// The force of a blow taken for a weight would make penalties that no number of sweeps works off.
    fn load_to_penalty(&self, manifold: &Manifold) -> f64 {
        let Penalty::LoadScaled { factor } = self.method.penalty else { return 0.0 };
        let slots = manifold.body.map(|slot| slot as usize);
        let [first, second] = slots.map(|slot| self.bodies.last_acceleration[slot].l.length());
        let motion = manifold.motion(&slots.map(|slot| self.bodies.velocity[slot]));
        let approach = -motion.at(manifold.centre()).dot(manifold.normal);
        let acceleration = self.island(manifold).reference + first.max(second) + approach.max(0.0) / self.h;
        // Where nothing accelerates, the mass of the island is what bounds the penalty.
        factor / (self.h * self.h * acceleration.max(NO_ACCELERATION))
    }

    fn point(
        &self,
        index: usize,
        point: usize,
        manifold: &Manifold,
        lane: usize,
        inverse_mass: [f64; 2],
        surfaces: &Surfaces,
        dual: &mut DualState,
        cache: &mut CachedPoint,
    ) -> Point {
        let contacts = self.contacts;
        let slots = manifold.body.map(|slot| slot as usize);
        let material = &contacts.manifold_material[index];
        let old =
            if slots.iter().any(|&slot| self.bodies.jolted[slot]) { None } else { self.predecessor(index, point) };
        let stuck = old.is_some_and(|old| old.stuck);
        let lever = manifold.lever.get(lane);
        let arms = [lever.length_squared(), lever.add(manifold.span).length_squared()];
        let moving = (0..2).filter(|&side| self.bodies.moves[slots[side]]).map(|side| arms[side]);
        let here = [contacts.point_position0[point], contacts.point_position1[point]];
        let anchored = surfaces.anchor(here, moving.fold(f64::INFINITY, f64::min), old);
        let gap = contacts.point_gap[point];
        dual.start_gap[lane] = gap;
        dual.stuck[lane] = stuck;
        dual.gain[lane] = old.filter(|old| old.gain > 0.0).map_or(self.method.gain.first, |old| old.gain);
        let lift;
        [lift, dual.push[lane]] = self.correction((-gap).max(0.0), manifold);
        let keep = if stuck { 1.0 - self.method.alpha } else { 0.0 };
        // Anchors are fixed to the bodies, and a belt is not: what it carries has slipped by its way, and no further.
        let belt = contacts.manifold_surface[index];
        let slip =
            if belt == DVec3::ZERO { anchored.apart.reject(manifold.normal).scale(keep) } else { vec3(belt * self.h) };
        let mut row = Point {
            lever,
            gap: gap.max(0.0) - lift,
            slip,
            rho_n: 1.0 / (self.h * self.h * inverse_mass[0]),
            rho_t: 1.0 / (self.h * self.h * inverse_mass[1]),
            hardness: 1.0,
            mu: if stuck || old.is_none() { material.friction_static } else { material.friction_dynamic },
            ..Point::default()
        };
        let load;
        (dual.load_cap[lane], load) = self.recall(&mut row, old, index, manifold);
        dual.load_before[lane] = old.map_or(0.0, |old| old.force().dot(manifold.normal).max(0.0));
        *cache = CachedPoint { anchor: anchored.anchor, load, ..CachedPoint::default() };
        if self.method.penalty == Penalty::Ramp {
            self.begin_ramp(&mut row, old, material, lane, dual, manifold.normal);
        } else if material.stiffness.is_finite() {
            let motion = manifold.motion(&slots.map(|slot| self.bodies.velocity[slot]));
            let approaching = motion.at(lever).dot(manifold.normal) < 0.0;
            soften(&mut row, gap, material.stiffness, if approaching { material.damping / self.h } else { 0.0 });
            dual.push[lane] = 0.0;
        }
        row
    }

    /// How much of an inherited overlap is taken back in this step \[m\]: through the velocities, and without them.
    ///
    /// What moves bodies apart as part of the step gives them a velocity, and in a tower the velocities of all
    /// storeys add up: towers of twenty cubes hop and rock for ever. Only what lies deep is taken back that
    /// way. The rest is left to one more sweep at the end, whose displacements are no velocities; members of joint islands,
    /// which it leaves out, are lifted slowly instead.
    fn correction(&self, overlap: f64, manifold: &Manifold) -> [f64; 2] {
        let rate = 1.0 - self.method.alpha;
        if !self.method.push_apart {
            return [rate * overlap, 0.0];
        }
        let fall = self.h * self.h * self.island(manifold).external;
        let shallow = overlap.min(SHALLOW * fall);
        let deep = rate * (overlap - shallow);
        match manifold.body.iter().any(|&slot| self.member[slot as usize]) {
            true => [deep + (rate * shallow).min(LIFT * fall), 0.0],
            false => [deep, PUSH * (shallow - CLOSE * fall).max(0.0)],
        }
    }

    /// What the point was in the step before, or in the startup pass before.
    fn predecessor(&self, manifold: usize, point: usize) -> Option<&CachedPoint> {
        match self.contacts.point_match[point] {
            _ if self.startup.starts(self.world_of(manifold)) => self.startup.cache.get(point),
            _ if !self.method.cache_contacts => None,
            UNMATCHED => None,
            matched => self.cache.get(matched as usize),
        }
    }

    /// Multipliers from memory, capped, and the penalties that go with them. Returns the largest load that may
    /// raise the penalty, and the load to remember.
    fn recall(&self, point: &mut Point, old: Option<&CachedPoint>, index: usize, manifold: &Manifold) -> (f64, f64) {
        // Another pass over the same step is no time in which a load could fade.
        let retention = if self.startup.starts(self.world_of(index)) { 1.0 } else { self.method.retention };
        let (force, load) = match old {
            Some(old) => (old.force().scale(retention), old.load),
            None => (Vec3::default(), 0.0),
        };
        let along = force.dot(manifold.normal);
        point.load = along.max(0.0);
        point.friction = force.add_scaled(manifold.normal, -along);
        let mut load_cap = f64::INFINITY;
        match self.method.penalty {
            Penalty::LoadScaled { factor } => {
                let IslandScale { onset, mass, .. } = *self.island(manifold);
                let weight = IMPACT_ALLOWANCE * point.rho_n * self.h * self.h * onset;
                // What held for two steps is no blow, however light the bodies are.
                let steady = old.map_or(0.0, |old| old.steady(manifold.normal));
                let most = LOAD_GROWTH * load + weight.max(steady);
                if point.load > most {
                    point.friction = point.friction.scale(most / point.load);
                    point.load = most;
                }
                // A contact carries at most what hangs together. Multipliers of jammed bodies, which grow as long as
                // their penalties do, then grow by as much each step instead of as many times.
                let heaviest = factor * mass / (self.h * self.h);
                load_cap = most.min(heaviest / manifold.load_to_penalty);
                let rho = manifold.load_to_penalty * point.load.min(load_cap);
                point.rho_n = point.rho_n.max(rho);
                point.rho_t = point.rho_t.max(rho);
            }
            Penalty::Delassus => {}
            Penalty::Ramp => {}
        }
        (load_cap, point.load)
    }

    /// Stiffness that a point of the published method begins a step with: at its largest where it does not ramp, else what
    /// is left of the step before. A soft point is a spring over its whole overlap, and across the normal one that
    /// gives way at the cone, without multipliers.
    fn begin_ramp(
        &self,
        point: &mut Point,
        old: Option<&CachedPoint>,
        material: &Material,
        lane: usize,
        dual: &mut DualState,
        normal: Vec3,
    ) {
        let soft = material.stiffness.is_finite();
        let most = if soft { material.stiffness } else { self.avbd.k_max };
        let least = if self.avbd.beta_linear > 0.0 { self.avbd.contact_k_start.min(most) } else { most };
        let kept = old.map_or(0.0, |old| old.rho[1] * self.avbd.gamma);
        let k = kept.clamp(least, most);
        (dual.soft[lane], dual.k_max[lane]) = (soft, most);
        if soft {
            dual.viscous[lane] = material.damping / (self.h * material.stiffness);
            (point.load, point.friction) = (0.0, Vec3::default());
            // The springs across the normal stay as stretched as friction held them.
            let friction = old.map_or(Vec3::default(), |old| old.force().reject(normal));
            let stretched = friction.scale(-1.0 / k);
            let still = dual.belt.length_squared() == 0.0;
            point.slip = if still { stretched } else { stretched.add_scaled(dual.belt, self.h) };
            point.gap = dual.start_gap[lane];
        }
        (point.rho_n, point.rho_t) = (k, k);
    }

    fn world_of(&self, manifold: usize) -> usize {
        self.model.shape_world[self.contacts.manifold_shape0[manifold] as usize] as usize
    }

    /// Figures of the island that the bodies of a manifold belong to.
    fn island(&self, manifold: &Manifold) -> &IslandScale {
        let moving = manifold.body.iter().find(|&&slot| self.bodies.moves[slot as usize]);
        self.island_scales.of(moving.map_or(self.bodies.world(), |&slot| self.islands.leader(slot as usize)))
    }
}

/// Gives a point the finite stiffness of its material, and the damping (over the step) that acts with it.
/// A real overlap is what carries the load then, so it is not reduced.
fn soften(point: &mut Point, gap: f64, stiffness: f64, viscous: f64) {
    let total = stiffness + viscous;
    point.gap = if gap < 0.0 { gap * stiffness / total } else { gap };
    point.hardness = total / (total + point.rho_n);
}

/// Halfway between the two surface points: forces act there on both bodies, which keeps the angular
/// momentum to round-off.
fn middle(contacts: &Contacts, point: usize) -> DVec3 {
    0.5 * (contacts.point_position0[point] + contacts.point_position1[point])
}
