//! Deep overlaps at the end of a step are taken back by a translation, without a velocity.
//!
//! There are two causes. Contact rows are linear in the rotation, so that a body that turns by a good part of a radian in a
//! step ends with corners in the ground that no row knew of, again in every step. And the projection of joints ignores
//! contacts. The sweeps would take back only a twentieth of such an overlap in a step. Here a body, or a whole joint island,
//! so that no joint opens, is moved along the normal. The work this costs against gravity is taken from its kinetic energy.

use drystone_kernels::double::math::Vec3;
use drystone_model::{Contacts, Model, Shape};

use super::bodies::Bodies;
use super::convert::{to_dquat, to_dvec3};
use super::joint::JointIslands;
use super::rows::{Manifold, Rows};
use drystone_solve::parallel;

/// Turn in a step from which on linear rows say too little about where a body ends \[rad\].
pub const FAST_TURN: f64 = 0.1;
/// Depth, as a share of the radius of gyration of a body, that is left to sweeps and pushes.
pub const SLOP: f64 = 0.1;
/// Share of the depth of two moving bodies in each other that is taken back in a step.
const PUSH: f64 = 0.2;

/// What depenetration reads.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The scene.
    pub model: &'a Model,
    /// The contacts of the step.
    pub contacts: &'a Contacts,
    /// Their rows.
    pub rows: &'a Rows,
    /// Bodies that move as one.
    pub joint_islands: &'a JointIslands,
    /// Step \[s\].
    pub h: f64,
}

/// Moves apart what lies deep in each other, and then out of what does not move.
pub fn lift_out(scene: &Scene, bodies: &mut Bodies) {
    // Nothing becomes fast by being moved, so that these are all that can be deep.
    let mut watched = Vec::new();
    let all = &*bodies;
    parallel::choose(scene.rows.manifolds.len(), |manifold| scene.watches(all, manifold), &mut watched);
    for fixed in [false, true] {
        for manifold in watched.iter().map(|&manifold| manifold as usize) {
            if let Some(depth) = scene.depth(bodies, manifold, fixed) {
                scene.part(bodies, manifold, depth, fixed);
            }
        }
    }
}

impl Scene<'_> {
    /// How deep the bodies of a manifold lie in each other beyond what is left to the sweeps \[m\], where one of them turned
    /// fast or belongs to a joint island; with something that does not move, or of two that do.
    fn depth(&self, bodies: &Bodies, index: usize, fixed: bool) -> Option<f64> {
        let slots = self.rows.manifolds[index].body.map(|slot| slot as usize);
        let moving = || slots.into_iter().enumerate().filter(|&(_, slot)| bodies.moves[slot]);
        if moving().count() != if fixed { 1 } else { 2 } {
            return None;
        }
        let fast = moving().any(|(_, slot)| self.is_fast(bodies, slot));
        let member = moving().any(|(_, slot)| self.joint_islands.member[slot]);
        if !(fast || member) || self.contacts.manifold_material[index].stiffness.is_finite() {
            return None;
        }
        let (side, _) = moving().next()?;
        let gap = match self.gap_to_half_space(bodies, index, side) {
            Some(gap) => gap,
            None if fast => return None,
            None => self.linear_gap(bodies, index),
        };
        let slop = moving().map(|(_, slot)| SLOP * bodies.gyration_radius(slot)).fold(f64::INFINITY, f64::min);
        (gap < -slop).then_some(-gap - slop)
    }

    /// Whether a moving body of a manifold turns fast or belongs to a joint island.
    fn watches(&self, bodies: &Bodies, manifold: usize) -> bool {
        let moving = self.rows.manifolds[manifold].body.map(|slot| slot as usize).into_iter();
        let mut moving = moving.filter(|&slot| bodies.moves[slot]);
        moving.any(|slot| self.joint_islands.member[slot] || self.is_fast(bodies, slot))
    }

    fn is_fast(&self, bodies: &Bodies, body: usize) -> bool {
        let spins = [&bodies.velocity, &bodies.left_velocity].map(|v| v[body].a.length_squared());
        spins.into_iter().fold(0.0, f64::max) * self.h * self.h > FAST_TURN * FAST_TURN
    }

    /// Moves the two sides of a manifold apart: what moves from what does not by the whole depth, two that move by a share of
    /// it, each by the mass of the other, which lifts nothing.
    fn part(&self, bodies: &mut Bodies, index: usize, depth: f64, fixed: bool) {
        let Manifold { body, normal, .. } = self.rows.manifolds[index];
        let units = body.map(|slot| self.unit(bodies, slot as usize));
        if units[0] == units[1] {
            return;
        }
        let mass = |unit: &[u32]| unit.iter().map(|&body| 1.0 / bodies.inv_mass[body as usize]).sum::<f64>();
        let inverse = [0, 1].map(|side| if units[side].is_empty() { 0.0 } else { 1.0 / mass(&units[side]) });
        let fraction = if fixed { 1.0 } else { PUSH };
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let way = sign * fraction * depth * inverse[side] / (inverse[0] + inverse[1]);
            let work = shift(bodies, &units[side], normal.scale(way));
            if fixed {
                pay(bodies, &units[side], work);
            }
        }
    }

    /// What is moved with a body as one; nothing, where a joint holds it to something that does not move.
    fn unit(&self, bodies: &Bodies, body: usize) -> Vec<u32> {
        match bodies.moves[body] {
            true if self.joint_islands.member[body] => {
                self.joint_islands.floating_island_of(body).unwrap_or_default().to_vec()
            }
            true => vec![body as u32],
            false => Vec::new(),
        }
    }

    /// Gap at the end between a body and a half-space \[m\], by the shape of the body in its place.
    fn gap_to_half_space(&self, bodies: &Bodies, index: usize, side: usize) -> Option<f64> {
        let Self { model, contacts, rows, .. } = *self;
        let shapes = [contacts.manifold_shape0[index] as usize, contacts.manifold_shape1[index] as usize];
        let (own, ground) = (shapes[side], shapes[1 - side]);
        if !matches!(model.shape_geometry[ground], Shape::HalfSpace) {
            return None;
        }
        let body = model.shape_body[own] as usize;
        let (rotation, pose) = (to_dquat(bodies.end_rotation(body)), &model.shape_pose[own]);
        let normal = to_dvec3(rows.manifolds[index].normal);
        let up = if side == 1 { normal } else { -normal };
        let lowest = pose
            .transform_point(model.shape_geometry[own].support(pose.rotation.inverse() * (rotation.inverse() * -up)));
        let place = bodies.end_com(body) + rotation * (lowest - model.body_com[body]);
        let point = contacts.points(index).next()?;
        let surface = [contacts.point_position0[point], contacts.point_position1[point]][1 - side];
        Some(up.dot(place - surface) - model.shape_margin[own])
    }

    /// Smallest gap at the end by the rows \[m\].
    fn linear_gap(&self, bodies: &Bodies, index: usize) -> f64 {
        let (manifold, dual) = (&self.rows.manifolds[index], &self.rows.duals[index]);
        let motion = manifold.motion(&bodies.pair_delta(manifold));
        let gap = |lane: usize| dual.start_gap[lane] + motion.at(manifold.lever.get(lane)).dot(manifold.normal);
        (0..manifold.count as usize).map(gap).fold(f64::INFINITY, f64::min)
    }
}

/// Moves bodies as one; returns the work against external forces \[J\].
fn shift(bodies: &mut Bodies, unit: &[u32], by: Vec3) -> f64 {
    let mut work = 0.0;
    for body in unit.iter().map(|&body| body as usize) {
        work -= bodies.acceleration[body].dot(by) / bodies.inv_mass[body];
        bodies.delta[body].l = bodies.delta[body].l.add(by);
        bodies.placement[body].com += to_dvec3(by);
    }
    work
}

/// Takes work from the motion of bodies, as far as there is any.
fn pay(bodies: &mut Bodies, unit: &[u32], work: f64) {
    let energy = |&body: &u32| {
        let (body, v) = (body as usize, bodies.left_velocity[body as usize]);
        0.5 * (v.l.length_squared() / bodies.inv_mass[body] + bodies.end_inertia(body).quadratic(v.a))
    };
    let energy: f64 = unit.iter().map(energy).sum();
    if work > 0.0 && energy > 0.0 {
        let left = (1.0 - work / energy).max(0.0).sqrt();
        for &body in unit {
            bodies.left_velocity[body as usize] = bodies.left_velocity[body as usize].scale(left);
        }
    }
}
