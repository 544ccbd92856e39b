//! Builds the contact rows of a step from the contacts found and the contact cache.

use drystone_kernels::double::math::Vec3;
use drystone_kernels::lanes::{self, F64x4};
use drystone_model::contacts::UNMATCHED;
use drystone_model::{Contacts, DVec3, Material, Model, Pose, State, WORLD};
use drystone_solve::parallel::{PIECE, join};

use super::anchors::Surfaces;
use super::bodies::Bodies;
use super::contact_cache::CachedPoint;
use super::convert::{to_dvec3, vec3};
use super::island_scales::{IslandScale, IslandScales};
use super::islands::Islands;
use super::method::{MethodConstants, Penalty};
use super::options::AvbdOptions;
use super::point_rows::{PointRows, Remembered};
use super::rows::{DualState, LANES, Manifold, Point, Rows, Vec3x4};
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
            join(|| self.build_from(first, left, cache.0), || self.build_from(first + half, right, cache.1));
            return;
        }
        let Places { manifolds, duals, disagreement } = places;
        for (i, ((manifold, dual), disagreement)) in manifolds.iter_mut().zip(duals).zip(disagreement).enumerate() {
            let leader = self.islands.leader_of_manifold(self.contacts, first + i);
            if !self.startup.busy(leader.unwrap_or(self.bodies.world())) {
                continue;
            }
            let range = self.contacts.points(first + i);
            *disagreement = self.manifold(first + i, manifold, dual, &mut cache[range.start - base..range.end - base]);
        }
    }

    fn slot(&self, body: u32) -> usize {
        if body == WORLD { self.bodies.world() } else { body as usize }
    }

    /// Rows of a manifold, and what its points remember from here on. Returns how much its bodies disagree with it, see `guess.rs`.
    fn manifold(
        &self,
        index: usize,
        manifold: &mut Manifold,
        dual: &mut DualState,
        cache: &mut [CachedPoint],
    ) -> [f64; 2] {
        let (contacts, all) = (self.contacts, self.bodies);
        let bodies = [contacts.manifold_body0[index], contacts.manifold_body1[index]];
        let slots = bodies.map(|body| self.slot(body));
        let com = slots.map(|slot| all.path_start(slot));
        let points = contacts.points(index).take(LANES);
        manifold.body = slots.map(|slot| slot as u32);
        manifold.count = points.len() as u32;
        manifold.normal = vec3(contacts.manifold_normal[index]);
        manifold.span = vec3(com[0] - com[1]);
        (manifold.lever, dual.start_gap) = (Vec3x4::default(), F64x4::default());
        dual.belt = vec3(contacts.manifold_surface[index]);
        let mut here = [Vec3x4::default(); 2];
        for (lane, point) in points.enumerate() {
            here[0].set(lane, vec3(contacts.point_position0[point]));
            here[1].set(lane, vec3(contacts.point_position1[point]));
            manifold.lever.set(lane, vec3(middle(contacts, point) - com[0]));
            dual.start_gap[lane] = contacts.point_gap[point];
        }
        if !slots.iter().any(|&slot| all.moves[slot]) {
            self.keep_loads(index, manifold, dual, cache);
            return [0.0; 2];
        }
        let island = self.island(manifold);
        manifold.load_to_penalty = self.load_to_penalty(manifold, island);
        let starts = self.starts(index);
        let pose = |body: u32| if body == WORLD { Pose::IDENTITY } else { self.state.body_q[body as usize] };
        let rows = PointRows {
            bodies: all,
            method: self.method,
            h: self.h,
            island,
            material: &contacts.manifold_material[index],
            jointed: slots.iter().any(|&slot| self.member[slot]),
            // Another pass over the same step is no time in which a load could fade.
            retention: if starts { 1.0 } else { self.method.retention },
            surfaces: &Surfaces::new(bodies.map(pose)),
            here: &here,
            old: &self.remembered(index, slots, starts),
            manifold,
            dual,
        };
        let beside = lanes::run(rows);
        for (lane, cached) in cache.iter_mut().take(LANES).enumerate() {
            cached.anchor = [0, 1].map(|side| to_dvec3(beside.anchor[side].get(lane)));
            cached.load = manifold.load[lane];
        }
        if self.method.penalty == Penalty::Ramp {
            self.begin_ramp(index, starts, manifold, dual);
        } else if contacts.manifold_material[index].stiffness.is_finite() {
            self.soften(index, manifold, dual);
        }
        beside.disagreement
    }

    /// What the points of a manifold were in the step before, or in the startup pass before.
    fn remembered(&self, index: usize, slots: [usize; 2], starts: bool) -> Remembered {
        let mut remembered = Remembered::default();
        if slots.iter().any(|&slot| self.bodies.jolted[slot]) {
            return remembered;
        }
        for (lane, point) in self.contacts.points(index).take(LANES).enumerate() {
            if let Some(old) = self.predecessor(starts, point) {
                remembered.set(lane, old);
            }
        }
        remembered
    }

    /// Rows between two bodies that stand still: loads without penalties, which nothing changes.
    fn keep_loads(&self, index: usize, manifold: &mut Manifold, dual: &mut DualState, cache: &mut [CachedPoint]) {
        let mu = self.contacts.manifold_material[index].friction_static;
        let Manifold { body, count, normal, span, lever, .. } = *manifold;
        *manifold = Manifold { body, count, normal, span, lever, ..Manifold::default() };
        *dual = DualState { start_gap: dual.start_gap, belt: dual.belt, ..DualState::default() };
        let starts = self.starts(index);
        for (lane, (point, cache)) in self.contacts.points(index).take(LANES).zip(cache).enumerate() {
            *cache = self.predecessor(starts, point).copied().unwrap_or_default();
            dual.gain[lane] = cache.gain;
            let (force, gap) = (cache.force(), dual.start_gap[lane]);
            let load = force.dot(normal).max(0.0);
            let friction = force.reject(normal);
            let lever = lever.get(lane);
            manifold.set_point(lane, Point { lever, gap, load, friction, hardness: 1.0, mu, ..Point::default() });
        }
    }

    /// Penalty per load. A load stands for the mass it carries through the acceleration that goes with it:
    /// the reference one at rest, and more where bodies were stopped in the last step or are about to be.
    /// The force of a blow taken for a weight would make penalties that no number of sweeps works off.
    fn load_to_penalty(&self, manifold: &Manifold, island: &IslandScale) -> f64 {
        let Penalty::LoadScaled { factor } = self.method.penalty else { return 0.0 };
        let slots = manifold.body.map(|slot| slot as usize);
        let [first, second] = slots.map(|slot| self.bodies.last_acceleration[slot].l.length());
        let motion = manifold.motion(&slots.map(|slot| self.bodies.velocity[slot]));
        let approach = -motion.at(manifold.centre()).dot(manifold.normal);
        let acceleration = island.reference + first.max(second) + approach.max(0.0) / self.h;
        // Where nothing accelerates, the mass of the island is what bounds the penalty.
        factor / (self.h * self.h * acceleration.max(NO_ACCELERATION))
    }

    /// What a point was in the step before, or in the startup pass before if its world starts.
    fn predecessor(&self, starts: bool, point: usize) -> Option<&CachedPoint> {
        match self.contacts.point_match[point] {
            _ if starts => self.startup.cache.get(point),
            _ if !self.method.cache_contacts => None,
            UNMATCHED => None,
            matched => self.cache.get(matched as usize),
        }
    }

    /// Stiffness that the points of the published method begin a step with: at its largest where it does not ramp, else what
    /// is left of the step before. A soft point is a spring over its whole overlap, and across the normal one that
    /// gives way at the cone, without multipliers.
    fn begin_ramp(&self, index: usize, starts: bool, manifold: &mut Manifold, dual: &mut DualState) {
        let material = &self.contacts.manifold_material[index];
        let jolted = manifold.body.iter().any(|&slot| self.bodies.jolted[slot as usize]);
        let soft = material.stiffness.is_finite();
        let most = if soft { material.stiffness } else { self.avbd.k_max };
        let least = if self.avbd.beta_linear > 0.0 { self.avbd.contact_k_start.min(most) } else { most };
        (dual.soft, dual.k_max, dual.viscous) = ([soft; LANES], [most; LANES], [0.0; LANES]);
        for (lane, point) in self.contacts.points(index).take(LANES).enumerate() {
            let old = self.predecessor(starts, point).filter(|_| !jolted);
            let kept = old.map_or(0.0, |old| old.rho[1] * self.avbd.gamma);
            let k = kept.clamp(least, most);
            if soft {
                dual.viscous[lane] = material.damping / (self.h * material.stiffness);
                manifold.load[lane] = 0.0;
                manifold.friction.set(lane, Vec3::default());
                // The springs across the normal stay as stretched as friction held them.
                let friction = old.map_or(Vec3::default(), |old| old.force().reject(manifold.normal));
                let stretched = friction.scale(-1.0 / k);
                let still = dual.belt.length_squared() == 0.0;
                manifold.slip.set(lane, if still { stretched } else { stretched.add_scaled(dual.belt, self.h) });
                manifold.gap[lane] = dual.start_gap[lane];
            }
            (manifold.rho_n[lane], manifold.rho_t[lane]) = (k, k);
        }
    }

    /// Gives points the finite stiffness of their material, and the damping (over the step) that acts with it.
    /// A real overlap is what carries the load then, so it is not reduced.
    fn soften(&self, index: usize, manifold: &mut Manifold, dual: &mut DualState) {
        let Material { stiffness, damping, .. } = self.contacts.manifold_material[index];
        let motion = manifold.motion(&manifold.body.map(|slot| self.bodies.velocity[slot as usize]));
        dual.push = F64x4::default();
        for lane in 0..manifold.count as usize {
            let approaches = motion.at(manifold.lever.get(lane)).dot(manifold.normal) < 0.0;
            let total = stiffness + if approaches { damping / self.h } else { 0.0 };
            let gap = dual.start_gap[lane];
            manifold.gap[lane] = if gap < 0.0 { gap * stiffness / total } else { gap };
            manifold.hardness[lane] = total / (total + manifold.rho_n[lane]);
        }
    }

    /// Whether the world of a manifold starts.
    fn starts(&self, manifold: usize) -> bool {
        let shape = self.contacts.manifold_shape0[manifold] as usize;
        self.startup.starts(self.model.shape_world[shape] as usize)
    }

    /// Figures of the island that the bodies of a manifold belong to.
    fn island(&self, manifold: &Manifold) -> &IslandScale {
        let moving = manifold.body.iter().find(|&&slot| self.bodies.moves[slot as usize]);
        self.island_scales.of(moving.map_or(self.bodies.world(), |&slot| self.islands.leader(slot as usize)))
    }
}

/// Halfway between the two surface points: forces act there on both bodies, which keeps the angular
/// momentum to round-off.
fn middle(contacts: &Contacts, point: usize) -> DVec3 {
    0.5 * (contacts.point_position0[point] + contacts.point_position1[point])
}
