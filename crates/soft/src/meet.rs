//! Contacts of particles with each other.

use drystone_collide::ClothPair;
use drystone_geometry::DVec3;
use drystone_model::Model;

use crate::contact_key;
use crate::guard::Ways;
use crate::step::Soft;
use crate::touch::{Ground, Touch};

/// Parts of a surface that are nearer at rest than the sum of their radii keep this share of that distance.
const AT_REST: f64 = 0.4;
/// Room beside what is foreseen, in radii.
const ROOM: f64 = 0.5;

impl Soft {
    /// Finds what particles may touch of each other, lets none pass, and returns the contacts.
    pub fn meet(&mut self, model: &Model, friction: f64) -> Vec<Touch> {
        if self.guard.is_idle() {
            return Vec::new();
        }
        let ([from, to], led) = (self.ways(), self.led());
        let room = |particle: usize| (1.0 + ROOM) * model.particle_radius[particle];
        let way = |particle: usize| to[particle] - from[particle];
        let comes_about = |pair: &ClothPair| touch(model, way, pair, friction).is_some();
        let pairs = self.guard.begin(&Ways { from: &from, to: &to, led: &led }, room, comes_about);
        let mut touches: Vec<Touch> = pairs.iter().filter_map(|pair| touch(model, way, pair, friction)).collect();
        for touch in &mut touches {
            touch.particle = touch.particle.map(|particle| self.place(particle));
        }
        self.stop();
        touches
    }
}

/// The contact of a pair, by the model's indices, if it can come about.
fn touch(model: &Model, way: impl Fn(usize) -> DVec3, pair: &ClothPair, friction: f64) -> Option<Touch> {
    if !pair.is_inner() {
        return None;
    }
    let corners = || pair.particle.into_iter().map(|particle| particle as usize).zip(pair.weight);
    let radii: f64 = corners().map(|(particle, weight)| weight.abs() * model.particle_radius[particle]).sum();
    let rest = corners().map(|(particle, weight)| weight * model.particle_q[particle]).sum::<DVec3>().length();
    let thick = radii.min(AT_REST * rest);
    let approach = -corners().map(|(particle, weight)| weight * way(particle).dot(pair.normal)).sum::<f64>();
    let gap = pair.distance - thick;
    if gap > approach.max(0.0) + ROOM * radii {
        return None;
    }
    let ground = Ground { body: None, lever: DVec3::ZERO, carried: DVec3::ZERO, belt: DVec3::ZERO };
    let mut touch = Touch::new(pair.particle, pair.weight, ground, pair.normal, gap);
    let [a, b, c, d] = pair.particle;
    touch.key = if pair.first == 1 {
        contact_key::vertex_triangle(a, [b, c, d])
    } else {
        contact_key::edge_edge([a, b], [c, d])
    };
    let side = |own: std::ops::Range<usize>| {
        model.friction_among(own.map(|at| (pair.particle[at], pair.weight[at])), friction)
    };
    touch.friction = mixed(side(0..pair.first), side(pair.first..4));
    Some(touch)
}

/// Friction between two sides, as between shapes: the geometric mean.
fn mixed(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|k| (one[k] * other[k]).sqrt())
}
