//! Builds the contact rows of a step and hands them what the points remember.

use drystone_kernels::double::math::{Sym3, Vec3, Vec6};
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
/// Growth of a remembered load per step.
const LOAD_GROWTH: f64 = 2.0;

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
        let mut manifold = Manifold {
            body: [slots[0] as u32, slots[1] as u32],
            normal: vec3(contacts.manifold_normal[index]),
            count: range.len().min(LANES) as u32,
            point: Default::default(),
        };
        for (lane, point) in range.take(LANES).enumerate() {
            manifold.point[lane] = self.point(index, point, slots, manifold.normal, &mut memory[point]);
        }
        manifold
    }

    fn point(&self, manifold: usize, index: usize, slots: [usize; 2], n: Vec3, memory: &mut PointMemory) -> Point {
        let contacts = self.contacts;
        let material = &contacts.manifold_material[manifold];
        let position = [contacts.point_position0[index], contacts.point_position1[index]];
        let lever = [0, 1].map(|side| vec3(position[side] - self.bodies.com[slots[side]]));
        let gap = contacts.point_gap[index];
        let old = match contacts.point_match[index] {
            _ if self.rehearsal => self.memory.get(index),
            UNMATCHED => None,
            matched => self.memory.get(matched as usize),
        };
        memory.anchor = match old {
            Some(old) if old.stuck => old.anchor,
            _ => [0, 1].map(|side| self.to_body(contacts, manifold, side, position[side])),
        };
        let separation = self.to_world(contacts, manifold, 1, memory.anchor[1])
            - self.to_world(contacts, manifold, 0, memory.anchor[0]);
        let stuck = old.is_some_and(|old| old.stuck);
        let keep = 1.0 - self.recipe.alpha;
        let delassus = delassus(self.bodies, slots, lever, n);
        let mut point = Point {
            lever,
            start_gap: gap,
            gap: if gap < 0.0 { keep * gap } else { gap },
            slip: if stuck { vec3(separation).reject(n).scale(keep) } else { Vec3::default() },
            mu: if stuck || old.is_none() { material.friction_static } else { material.friction_dynamic },
            stuck,
            hardness: 1.0,
            rho_n: 1.0 / (self.h * self.h * delassus[0]),
            rho_t: 1.0 / (self.h * self.h * delassus[1]),
            ..Point::default()
        };
        self.recall(&mut point, old, n, self.acceleration[self.world_of(manifold)], memory);
        if material.stiffness.is_finite() {
            point.hardness = material.stiffness / (material.stiffness + point.rho_n);
        }
        point
    }

    /// Multipliers from memory, capped, and the penalties that go with them.
    fn recall(&self, point: &mut Point, old: Option<&PointMemory>, n: Vec3, a: f64, memory: &mut PointMemory) {
        let (force, load) = match old {
            Some(old) => (old.force().scale(self.recipe.retention), old.load),
            None => (Vec3::default(), 0.0),
        };
        point.lambda_n = force.dot(n).max(0.0);
        point.lambda_t = force.reject(n);
        match self.recipe.penalty {
            Penalty::LoadScaled { factor } => {
                let weight = IMPACT_ALLOWANCE * point.rho_n * self.h * self.h * a;
                point.load_cap = LOAD_GROWTH * load + weight;
                if point.lambda_n > point.load_cap {
                    point.lambda_t = point.lambda_t.scale(point.load_cap / point.lambda_n);
                    point.lambda_n = point.load_cap;
                }
                if a > 0.0 {
                    let rho = factor * point.lambda_n / (self.h * self.h * a);
                    point.rho_n = point.rho_n.max(rho);
                    point.rho_t = point.rho_t.max(rho);
                }
            }
            Penalty::Delassus => point.load_cap = f64::INFINITY,
            Penalty::Ramp => {
                let kept = old.map_or(0.0, |old| old.rho[0] * self.avbd.gamma);
                point.rho_n = kept.max(self.avbd.contact_k_start);
                point.rho_t = point.rho_n;
                point.load_cap = f64::INFINITY;
            }
        }
        memory.load = point.lambda_n;
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

/// Inverse effective mass along the normal, and the larger one of the two tangents \[1/kg\].
pub fn delassus(bodies: &Bodies, slots: [usize; 2], lever: [Vec3; 2], n: Vec3) -> [f64; 2] {
    let mut w = Sym3::default();
    for side in 0..2 {
        let inv_inertia = bodies.inv_inertia[slots[side]];
        let r = lever[side];
        // −[r]× I⁻¹ [r]×, column by column, is what a unit force at lever r moves.
        let column = |e: Vec3| inv_inertia.mul(r.cross(e)).cross(r);
        let (x, y, z) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0));
        let (cx, cy, cz) = (column(x), column(y), column(z));
        w = w.add(Sym3 { xx: cx.x, xy: cx.y, xz: cx.z, yy: cy.y, yz: cy.z, zz: cz.z });
        w = w.add(Sym3::scaled_identity(bodies.inv_mass[slots[side]]));
    }
    let normal = w.quadratic(n);
    let (t, b) = tangents(n);
    let (tt, tb, bb) = (w.quadratic(t), w.mul(t).dot(b), w.quadratic(b));
    let mean = 0.5 * (tt + bb);
    let spread = (0.25 * (tt - bb) * (tt - bb) + tb * tb).sqrt();
    [normal, mean + spread]
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
