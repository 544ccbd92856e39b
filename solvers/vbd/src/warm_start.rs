//! Builds the contact rows of a step and hands them what the points remember.

use drystone_kernels::double::math::{Mat3, Vec3, Vec6};
use drystone_model::contacts::UNMATCHED;
use drystone_model::{Contacts, DVec3, Model, State, WORLD};

use super::bodies::Bodies;
use super::convert::vec3;
use super::history::PointMemory;
use super::options::AvbdOptions;
use super::recipe::{Penalty, Recipe};
use super::rows::{LANES, Manifold, Point};

/// Multiple of the weight of the bodies' effective mass that a new contact may carry at once.
/// Impacts beyond it are not replayed as load in the next step.
const IMPACT_ALLOWANCE: f64 = 4.0;
/// Overlaps up to this share of the fall h² a of a step count as shallow.
const SHALLOW: f64 = 0.5;
/// Most of a shallow overlap that is taken back in a step, as a share of the fall h² a. A pile of
/// 500 cubes comes to rest at 0.002 (2 J after 8 s), at 0.01 it does not (1250 J).
const SHALLOW_CORRECTION: f64 = 0.002;
/// Acceleration as a share of the reference at which the correction of shallow overlaps falls to one
/// half. Bodies that sway would draw energy from it: a pile of 500 cubes in towers of twenty kept swaying
/// with 5 kJ, so it settles at some ten joules.
const QUIET: f64 = 0.002;
/// Growth of a remembered load per step.
const LOAD_GROWTH: f64 = 2.0;

/// Way of a contact over the surfaces, as a share of its lever, after which it gets new anchors.
const ROLLED: f64 = 0.01;

/// Everything warm starting reads.
pub struct WarmStart<'a> {
    /// The scene.
    pub model: &'a Model,
    /// Poses at the start of the step.
    pub state: &'a State,
    /// Bodies after prediction.
    pub bodies: &'a Bodies,
    /// The contacts found.
    pub contacts: &'a Contacts,
    /// Memory of the points of the step before.
    pub memory: &'a [PointMemory],
    /// The method's constants.
    pub recipe: &'a Recipe,
    /// Ramp parameters.
    pub avbd: &'a AvbdOptions,
    /// Whether the points remember themselves: another pass over the very same contacts.
    pub rehearsal: bool,
    /// Step \[s\].
    pub h: f64,
    /// Reference acceleration of every world \[m/s²\].
    pub acceleration: &'a [f64],
}

impl WarmStart<'_> {
    /// Builds the rows of all manifolds and the memory they start from.
    pub fn build(&self, manifolds: &mut Vec<Manifold>, memory: &mut Vec<PointMemory>) {
        manifolds.clear();
        memory.clear();
        memory.resize(self.contacts.point_count(), PointMemory::default());
        for index in 0..self.contacts.manifold_count() {
            manifolds.push(self.manifold(index, memory));
        }
    }

    fn slot(&self, body: u32) -> usize {
        if body == WORLD { self.bodies.world() } else { body as usize }
    }

    fn manifold(&self, index: usize, memory: &mut [PointMemory]) -> Manifold {
        let contacts = self.contacts;
        let slots = [self.slot(contacts.manifold_body0[index]), self.slot(contacts.manifold_body1[index])];
        let range = contacts.points(index);
        let normal = vec3(contacts.manifold_normal[index]);
        let (t, b) = tangents(normal);
        let middles = range.clone().take(LANES).map(|p| middle(contacts, p));
        let centre = middles.sum::<DVec3>() / range.len().clamp(1, LANES) as f64;
        let frame = Mat3 { r0: normal, r1: t, r2: b };
        let mut manifold = Manifold {
            load_to_penalty: 0.0,
            body: [slots[0] as u32, slots[1] as u32],
            count: range.len().min(LANES) as u32,
            frame,
            lever: slots.map(|slot| frame.mul(vec3(centre - self.bodies.com[slot]))),
            point: Default::default(),
        };
        manifold.load_to_penalty = self.load_to_penalty(index, &manifold);
        for (lane, point) in range.take(LANES).enumerate() {
            let place = middle(contacts, point) - centre;
            manifold.point[lane] = self.point(index, point, &manifold, slots, vec3(place), &mut memory[point]);
        }
        manifold
    }

    /// Penalty per load. A load stands for the mass it carries through the acceleration that goes with it:
    /// the reference one at rest, and more where bodies were stopped in the last step or are about to be.
    /// The force of a blow taken for a weight would make penalties that no number of sweeps works off.
    fn load_to_penalty(&self, index: usize, manifold: &Manifold) -> f64 {
        let Penalty::LoadScaled { factor } = self.recipe.penalty else { return 0.0 };
        let slots = manifold.body.map(|slot| slot as usize);
        let [first, second] = slots.map(|slot| self.bodies.last_acceleration[slot].l.length());
        let approach = -manifold.motion(&slots.map(|slot| self.bodies.velocity[slot])).normal();
        let acceleration = self.acceleration[self.world_of(index)] + first.max(second) + approach.max(0.0) / self.h;
        if acceleration > 0.0 { factor / (self.h * self.h * acceleration) } else { 0.0 }
    }

    fn point(
        &self,
        index: usize,
        point: usize,
        manifold: &Manifold,
        slots: [usize; 2],
        place: Vec3,
        memory: &mut PointMemory,
    ) -> Point {
        let contacts = self.contacts;
        let frame = manifold.frame;
        let material = &contacts.manifold_material[index];
        let old = if slots.iter().any(|&slot| self.bodies.jolted[slot]) { None } else { self.predecessor(point) };
        let stuck = old.is_some_and(|old| old.stuck);
        memory.anchor = self.anchors(index, point, slots, old);
        let keep = 1.0 - self.recipe.alpha;
        let gap = contacts.point_gap[point];
        let mut offset = Vec3::default();
        if stuck {
            let separation = self.to_world(contacts, index, 1, memory.anchor[1])
                - self.to_world(contacts, index, 0, memory.anchor[0]);
            offset = frame.mul(vec3(separation)).scale(keep);
        }
        offset.x = if gap < 0.0 { -self.correction(-gap, index) } else { gap };
        let lever = slots.map(|slot| vec3(middle(contacts, point) - self.bodies.com[slot]));
        let [normal, tangential] = delassus(self.bodies, slots, lever, &frame);
        let mut row = Point {
            place: frame.mul(place),
            offset,
            rho_n: 1.0 / (self.h * self.h * normal),
            rho_t: 1.0 / (self.h * self.h * tangential),
            hardness: 1.0,
            mu: if stuck || old.is_none() { material.friction_static } else { material.friction_dynamic },
            start_gap: gap,
            stuck,
            gain: old.filter(|old| old.gain > 0.0).map_or(self.recipe.gain.first, |old| old.gain),
            ..Point::default()
        };
        self.recall(&mut row, old, index, manifold, memory);
        if material.stiffness.is_finite() {
            let motion = manifold.motion(&slots.map(|slot| self.bodies.velocity[slot]));
            let approaching = row.displacement(&motion).x < 0.0;
            soften(&mut row, material.stiffness, if approaching { material.damping / self.h } else { 0.0 });
        }
        row
    }

    /// Anchors of a sticking point. Where one body rolls on the other the place of contact wanders over
    /// both; material anchors left behind would pull the bodies back, so new ones are taken.
    fn anchors(&self, index: usize, point: usize, slots: [usize; 2], old: Option<&PointMemory>) -> [DVec3; 2] {
        let contacts = self.contacts;
        let here = [contacts.point_position0[point], contacts.point_position1[point]];
        if let Some(old) = old.filter(|old| old.stuck) {
            let lever = |slot: usize| (here[0] - self.bodies.com[slot]).length();
            let moving = slots.into_iter().filter(|&slot| self.bodies.moves[slot]);
            let arm = moving.map(lever).fold(f64::INFINITY, f64::min);
            let way = here[0] - self.to_world(contacts, index, 0, old.anchor[0]);
            if way.length() <= ROLLED * arm {
                return old.anchor;
            }
        }
        [0, 1].map(|side| self.to_body(contacts, index, side, here[side]))
    }

    /// How much of an inherited overlap is taken back in this step \[m\].
    ///
    /// Taking it back gives the bodies a velocity, and in a tower the velocities of all storeys add
    /// up: at 5 % of any overlap, towers of twenty cubes hop and rock for ever. Shallow
    /// overlaps are therefore taken back slowly, and only what lies deeper at the full rate.
    fn correction(&self, overlap: f64, manifold: usize) -> f64 {
        let rate = 1.0 - self.recipe.alpha;
        if !self.recipe.gentle_correction {
            return rate * overlap;
        }
        let reference = self.acceleration[self.world_of(manifold)];
        let fall = self.h * self.h * reference;
        let depth = SHALLOW * fall;
        let most = SHALLOW_CORRECTION * fall * self.calm(manifold, QUIET * reference);
        let shallow = (rate * overlap.min(depth)).min(most);
        shallow + rate * (overlap - depth).max(0.0)
    }

    /// One for bodies at rest, falling to one half where one of the two accelerates as much as `quiet`.
    fn calm(&self, manifold: usize, quiet: f64) -> f64 {
        let bodies = [self.contacts.manifold_body0[manifold], self.contacts.manifold_body1[manifold]];
        let [first, second] = bodies.map(|body| self.bodies.last_acceleration[self.slot(body)].l.length_squared());
        let unrest = first.max(second);
        if unrest == 0.0 { 1.0 } else { quiet * quiet / (quiet * quiet + unrest) }
    }

    /// What the point was in the step before, or in the rehearsal before.
    fn predecessor(&self, point: usize) -> Option<&PointMemory> {
        match self.contacts.point_match[point] {
            _ if self.rehearsal => self.memory.get(point),
            UNMATCHED => None,
            matched => self.memory.get(matched as usize),
        }
    }

    /// Multipliers from memory, capped, and the penalties that go with them.
    fn recall(
        &self,
        point: &mut Point,
        old: Option<&PointMemory>,
        index: usize,
        manifold: &Manifold,
        memory: &mut PointMemory,
    ) {
        let (force, load) = match old {
            Some(old) => (old.force().scale(self.recipe.retention), old.load),
            None => (Vec3::default(), 0.0),
        };
        point.lambda = manifold.frame.mul(force);
        point.lambda.x = point.lambda.x.max(0.0);
        match self.recipe.penalty {
            Penalty::LoadScaled { .. } => {
                let a = self.acceleration[self.world_of(index)];
                let weight = IMPACT_ALLOWANCE * point.rho_n * self.h * self.h * a;
                point.load_cap = LOAD_GROWTH * load + weight;
                if point.lambda.x > point.load_cap {
                    point.lambda = point.lambda.scale(point.load_cap / point.lambda.x);
                }
                let rho = manifold.load_to_penalty * point.lambda.x;
                point.rho_n = point.rho_n.max(rho);
                point.rho_t = point.rho_t.max(rho);
            }
            Penalty::Delassus => point.load_cap = f64::INFINITY,
            Penalty::Ramp => {
                let kept = old.map_or(0.0, |old| old.rho[0] * self.avbd.gamma);
                point.rho_n = kept.max(self.avbd.contact_k_start);
                point.rho_t = point.rho_n;
                point.load_cap = f64::INFINITY;
            }
        }
        memory.load = point.lambda.x;
    }

    fn world_of(&self, manifold: usize) -> usize {
        self.model.shape_world[self.contacts.manifold_shape0[manifold] as usize] as usize
    }

    fn body_of(contacts: &Contacts, manifold: usize, side: usize) -> u32 {
        if side == 0 { contacts.manifold_body0[manifold] } else { contacts.manifold_body1[manifold] }
    }

    fn to_body(&self, contacts: &Contacts, manifold: usize, side: usize, p: DVec3) -> DVec3 {
        match Self::body_of(contacts, manifold, side) {
            WORLD => p,
            body => self.state.body_q[body as usize].inverse_transform_point(p),
        }
    }

    fn to_world(&self, contacts: &Contacts, manifold: usize, side: usize, p: DVec3) -> DVec3 {
        match Self::body_of(contacts, manifold, side) {
            WORLD => p,
            body => self.state.body_q[body as usize].transform_point(p),
        }
    }
}

/// Gives a point the finite stiffness of its material, and the damping (over the step) that acts with it.
/// A real overlap is what carries the load then, so it is not reduced.
fn soften(point: &mut Point, stiffness: f64, viscous: f64) {
    let total = stiffness + viscous;
    point.offset.x = if point.start_gap < 0.0 { point.start_gap * stiffness / total } else { point.start_gap };
    point.hardness = total / (total + point.rho_n);
}

/// Halfway between the two surface points: forces act there on both bodies, which keeps the angular
/// momentum to round-off.
fn middle(contacts: &Contacts, point: usize) -> DVec3 {
    0.5 * (contacts.point_position0[point] + contacts.point_position1[point])
}

/// Inverse effective mass along the normal, and the larger one of the two tangents \[1/kg\].
pub fn delassus(bodies: &Bodies, slots: [usize; 2], lever: [Vec3; 2], frame: &Mat3) -> [f64; 2] {
    let (n, t, b) = (frame.r0, frame.r1, frame.r2);
    let (mut nn, mut tt, mut tb, mut bb) = (0.0, 0.0, 0.0, 0.0);
    for side in 0..2 {
        let (inv_mass, inv_inertia, r) = (bodies.inv_mass[slots[side]], bodies.inv_inertia[slots[side]], lever[side]);
        let (rn, rt, rb) = (r.cross(n), r.cross(t), r.cross(b));
        let turned = inv_inertia.mul(rt);
        nn += inv_mass + inv_inertia.quadratic(rn);
        tt += inv_mass + turned.dot(rt);
        tb += turned.dot(rb);
        bb += inv_mass + inv_inertia.quadratic(rb);
    }
    let mean = 0.5 * (tt + bb);
    let spread = (0.25 * (tt - bb) * (tt - bb) + tb * tb).sqrt();
    [nn, mean + spread]
}

/// Two unit vectors that complete `n` to an orthonormal frame.
fn tangents(n: Vec3) -> (Vec3, Vec3) {
    let axis = if n.x.abs() < 0.6 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
    let t = n.cross(axis);
    let t = t.scale(1.0 / t.length());
    (t, n.cross(t))
}

/// Displacements of the two bodies of a manifold.
#[inline(always)]
pub fn pair_delta(bodies: &Bodies, manifold: &Manifold) -> [Vec6; 2] {
    [bodies.delta[manifold.body[0] as usize], bodies.delta[manifold.body[1] as usize]]
}
