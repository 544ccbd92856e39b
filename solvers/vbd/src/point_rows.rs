//! The rows of the points of a manifold, four side by side: what [`RowBuilder`](super::row_builder::RowBuilder) does for each of
//! them, by the rules of the load-scaled method.

use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Task};
use drystone_model::Material;

use super::anchors::Surfaces;
use super::bodies::Bodies;
use super::contact_cache::CachedPoint;
use super::convert::vec3;
use super::effective_mass::inverse_masses;
use super::guess;
use super::island_scales::IslandScale;
use super::method::{MethodConstants, Penalty};
use super::row_builder::{CLOSE, IMPACT_ALLOWANCE, LOAD_GROWTH, PUSH, SHALLOW};
use super::rows::{DualState, LANES, Manifold, Vec3x4};
use super::simd::SimdVec3;

/// Most of a shallow overlap that is taken back through the velocities, as a share of the fall h² a.
const LIFT: f64 = 0.002;

/// What the points of a manifold were in the step before, or in the startup pass before. Flags are one or zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Remembered {
    /// Whether the point was there.
    known: F64x4,
    /// Whether friction stayed inside its cone.
    stuck: F64x4,
    /// Force on the second body \[N\].
    force: Vec3x4,
    /// Normal load as the impact cap let it through \[N\].
    load: F64x4,
    /// Normal force a step earlier \[N\].
    before: F64x4,
    /// Share of updates of the multipliers that was applied last.
    gain: F64x4,
    /// Where the surfaces stuck together, in the frames of the two bodies \[m\].
    anchor: [Vec3x4; 2],
}

impl Remembered {
    /// Takes in what one of the points was.
    #[inline]
    pub fn set(&mut self, lane: usize, old: &CachedPoint) {
        self.known[lane] = 1.0;
        self.stuck[lane] = f64::from(old.stuck);
        self.force.set(lane, old.force());
        self.load[lane] = old.load;
        self.before[lane] = old.before;
        self.gain[lane] = old.gain;
        for side in 0..2 {
            self.anchor[side].set(lane, vec3(old.anchor[side]));
        }
    }
}

/// The rows of the points of one manifold, whose bodies, normal, levers, gaps and penalty per load are known.
pub struct PointRows<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// The method's constants.
    pub method: &'a MethodConstants,
    /// Step \[s\].
    pub h: f64,
    /// Scales of the island.
    pub island: &'a IslandScale,
    /// What touches.
    pub material: &'a Material,
    /// Whether a body of the manifold is part of a joint island.
    pub jointed: bool,
    /// Share of the remembered loads that is kept.
    pub retention: f64,
    /// The frames of the two bodies.
    pub surfaces: &'a Surfaces,
    /// Where the points are on the two surfaces \[m\].
    pub here: &'a [Vec3x4; 2],
    /// What they were.
    pub old: &'a Remembered,
    /// The manifold.
    pub manifold: &'a mut Manifold,
    /// Its dual state.
    pub dual: &'a mut DualState,
}

/// What a manifold gets beside its rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct BesideRows {
    /// Where the surfaces stick together from now on, in the frames of the two bodies \[m\].
    pub anchor: [Vec3x4; 2],
    /// How much velocity and acceleration of the bodies conflict with the manifold \[J\].
    pub disagreement: [f64; 2],
}

impl Task for PointRows<'_> {
    type Output = BesideRows;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> BesideRows {
        let (zero, one) = (Simd4::splat(lanes, 0.0), Simd4::splat(lanes, 1.0));
        let used = Simd4::load(lanes, self.manifold.in_use());
        let known = Simd4::load(lanes, &self.old.known);
        let stuck = Simd4::load(lanes, &self.old.stuck);
        let n = SimdVec3::splat(lanes, self.manifold.normal);

        let here = [SimdVec3::load(lanes, &self.here[0]), SimdVec3::load(lanes, &self.here[1])];
        let (anchor, apart) = self.surfaces.anchors(here, self.arm(lanes), used, stuck, &self.old.anchor);
        // Anchors are fixed to the bodies, and a belt is not: what it carries has slipped by its way, and no further.
        let belt = self.dual.belt;
        let slip = match belt.length_squared() == 0.0 {
            true => apart.sub(n.scale(apart.dot(n))).scale(stuck * one.like(1.0 - self.method.alpha)),
            false => SimdVec3::splat(lanes, belt.scale(self.h)),
        };
        let gap = Simd4::load(lanes, &self.dual.start_gap);
        let [lift, push] = self.correction(lanes, (zero - gap).max(zero));

        let inverse = inverse_masses(lanes, self.bodies, self.manifold);
        let square = one.like(self.h * self.h);
        let rho = [one / (square * inverse[0]), one / (square * inverse[1])];
        let Recalled { load, friction, load_cap, load_before, rho } = self.recall(lanes, n, rho);

        let (at_rest, sliding) = (one.like(self.material.friction_static), one.like(self.material.friction_dynamic));
        let mu = stuck.where_positive(at_rest, known.where_positive(sliding, at_rest));
        let gain = Simd4::load(lanes, &self.old.gain);
        let Self { manifold, dual, .. } = self;
        manifold.gap = (gap.max(zero) - lift).store();
        manifold.slip = slip.store();
        manifold.load = load.store();
        manifold.friction = friction.store();
        manifold.rho_n = used.where_positive(rho[0], zero).store();
        manifold.rho_t = used.where_positive(rho[1], zero).store();
        manifold.hardness = used.store();
        manifold.mu = used.where_positive(mu, zero).store();
        dual.gain = gain.where_positive(gain, one.like(self.method.gain.first)).store();
        (dual.last_load, dual.last_friction) = (zero.store(), Vec3x4::default());
        (dual.load_before, dual.load_cap, dual.push) = (load_before.store(), load_cap.store(), push.store());
        for lane in 0..LANES {
            dual.stuck[lane] = self.old.stuck[lane] > 0.0;
        }
        let mut beside = BesideRows { anchor: [anchor[0].store(), anchor[1].store()], ..BesideRows::default() };
        if self.method.compatible_guess {
            beside.disagreement = guess::disagreement(lanes, self.bodies, manifold, dual, self.h);
        }
        beside
    }
}

/// What memory makes of the points.
struct Recalled<L: Lanes> {
    load: Simd4<L>,
    friction: SimdVec3<L>,
    /// Largest load that may raise the penalty \[N\].
    load_cap: Simd4<L>,
    /// Normal force of the step before, as it was \[N\].
    load_before: Simd4<L>,
    /// Normal and tangential penalty \[N/m\].
    rho: [Simd4<L>; 2],
}

impl PointRows<'_> {
    /// Squared distance of the points from the nearer moving body \[m²\].
    #[inline(always)]
    fn arm<L: Lanes>(&self, lanes: L) -> Simd4<L> {
        let Manifold { body, lever, span, .. } = &*self.manifold;
        let mut arm = Simd4::splat(lanes, f64::INFINITY);
        let first = SimdVec3::load(lanes, lever);
        if self.bodies.moves[body[0] as usize] {
            arm = arm.min(first.dot(first));
        }
        if self.bodies.moves[body[1] as usize] {
            let second = first.add(SimdVec3::splat(lanes, *span));
            arm = arm.min(second.dot(second));
        }
        arm
    }

    /// How much of an inherited overlap is taken back in this step \[m\]: through the velocities, and without them.
    ///
    /// What moves bodies apart as part of the step gives them a velocity, and in a tower the velocities of all
    /// storeys add up: towers of twenty cubes hop and rock for ever. Only what lies deep is taken back that
    /// way. The rest is left to one more sweep at the end, whose displacements are no velocities; members of joint islands,
    /// which it leaves out, are lifted slowly instead.
    #[inline(always)]
    fn correction<L: Lanes>(&self, lanes: L, overlap: Simd4<L>) -> [Simd4<L>; 2] {
        let (zero, rate) = (Simd4::splat(lanes, 0.0), Simd4::splat(lanes, 1.0 - self.method.alpha));
        if !self.method.push_apart {
            return [rate * overlap, zero];
        }
        let fall = self.h * self.h * self.island.external;
        let shallow = overlap.min(zero.like(SHALLOW * fall));
        let deep = rate * (overlap - shallow);
        match self.jointed {
            true => [deep + (rate * shallow).min(zero.like(LIFT * fall)), zero],
            false => [deep, zero.like(PUSH) * (shallow - zero.like(CLOSE * fall)).max(zero)],
        }
    }

    /// Multipliers from memory, capped, and the penalties that go with them, from those that masses alone ask for.
    #[inline(always)]
    fn recall<L: Lanes>(&self, lanes: L, n: SimdVec3<L>, [rho_n, rho_t]: [Simd4<L>; 2]) -> Recalled<L> {
        let zero = Simd4::splat(lanes, 0.0);
        let old = self.old;
        let force = SimdVec3::load(lanes, &old.force);
        let load_before = force.dot(n).max(zero);
        let force = force.scale(zero.like(self.retention));
        let along = force.dot(n);
        let (load, friction) = (along.max(zero), force.add(n.scale(along * zero.like(-1.0))));
        let Penalty::LoadScaled { factor } = self.method.penalty else {
            let load_cap = zero.like(f64::INFINITY);
            return Recalled { load, friction, load_cap, load_before, rho: [rho_n, rho_t] };
        };
        let IslandScale { onset, mass, .. } = *self.island;
        let (h, per_load) = (zero.like(self.h), self.manifold.load_to_penalty);
        let weight = zero.like(IMPACT_ALLOWANCE) * rho_n * h * h * zero.like(onset);
        // What held for two steps is no blow, however light the bodies are.
        let before = Simd4::load(lanes, &old.before);
        let (less, more) = (load_before.min(before), load_before.max(before));
        let steady = (zero.like(2.0) * less - more).where_positive(less, zero);
        let most = zero.like(LOAD_GROWTH) * Simd4::load(lanes, &old.load) + weight.max(steady);
        let over = load - most;
        let share = over.where_positive(most / load, zero.like(1.0));
        let (load, friction) = (over.where_positive(most, load), friction.scale(share));
        // A contact carries at most what hangs together. Multipliers of jammed bodies, which grow as long as
        // their penalties do, then grow by as much each step instead of as many times.
        let heaviest = factor * mass / (self.h * self.h);
        let load_cap = most.min(zero.like(heaviest / per_load));
        let rho = zero.like(per_load) * load.min(load_cap);
        Recalled { load, friction, load_cap, load_before, rho: [rho_n.max(rho), rho_t.max(rho)] }
    }
}
