//! Torsional and rolling friction: torques between two bodies in contact, about the normal and across
//! it, each at most its radius times the normal force.
//!
//! The torque is kept from step to step. In each step it is corrected by the torque that would stop the relative spin
//! expected of two free bodies. A body that also rolls or stands has more inertia than a free one, so the
//! correction never overshoots, and a body held by the torque comes to rest instead of creeping.

use drystone_kernels::double::math::Vec3;
use drystone_model::contacts::UNMATCHED;
use drystone_model::{Contacts, WORLD};

use super::bodies::Bodies;
use super::contact_cache::CachedPoint;
use super::convert::vec3;

/// Adds the torques of this step to the bodies and writes them to `torques`, one per manifold.
pub fn apply(contacts: &Contacts, cache: &[CachedPoint], bodies: &mut Bodies, torques: &mut Vec<[f64; 3]>, h: f64) {
    torques.clear();
    for manifold in 0..contacts.manifold_count() {
        let material = &contacts.manifold_material[manifold];
        let radius = [material.friction_torsional, material.friction_rolling];
        if radius == [0.0, 0.0] {
            torques.push([0.0; 3]);
            continue;
        }
        let slot = [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]]
            .map(|body| if body == WORLD { bodies.world() } else { body as usize });
        let normal = vec3(contacts.manifold_normal[manifold]);
        let (load, held) = remembered(contacts, cache, manifold, normal);
        let trial = held.sub(stopping_torque(bodies, slot, h));
        let about = trial.dot(normal);
        let across = trial.reject(normal);
        let torque = normal.scale(about.clamp(-radius[0] * load, radius[0] * load));
        let torque = torque.add(at_most(across, radius[1] * load));
        for (slot, sign) in [(slot[0], -1.0), (slot[1], 1.0)] {
            if bodies.moves[slot] {
                bodies.torque[slot] = bodies.torque[slot].add_scaled(torque, sign);
            }
        }
        torques.push([torque.x, torque.y, torque.z]);
    }
}

/// Normal force and torque of the manifold in the step before.
fn remembered(contacts: &Contacts, cache: &[CachedPoint], manifold: usize, normal: Vec3) -> (f64, Vec3) {
    let (mut load, mut torque) = (0.0, Vec3::default());
    for point in contacts.points(manifold).filter(|&point| contacts.point_match[point] != UNMATCHED) {
        if let Some(old) = cache.get(contacts.point_match[point] as usize) {
            load += old.force().dot(normal).max(0.0);
            torque = Vec3::new(old.torque[0], old.torque[1], old.torque[2]);
        }
    }
    (load, torque)
}

/// Torque over a step that takes from two free bodies the relative spin they are heading for \[N·m\].
fn stopping_torque(bodies: &Bodies, slot: [usize; 2], h: f64) -> Vec3 {
    let ahead = slot.map(|slot| bodies.velocity[slot].a.add_scaled(bodies.last_acceleration[slot].a, h));
    let spin = ahead[1].sub(ahead[0]);
    let inverse = bodies.inv_inertia[slot[0]].add(bodies.inv_inertia[slot[1]]);
    if bodies.moves[slot[0]] || bodies.moves[slot[1]] {
        inverse.cholesky().solve(spin).scale(1.0 / h)
    } else {
        Vec3::default()
    }
}

fn at_most(v: Vec3, limit: f64) -> Vec3 {
    let length = v.length();
    if length > limit { v.scale(limit / length) } else { v }
}
