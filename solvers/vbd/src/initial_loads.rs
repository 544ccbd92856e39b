//! Initial loads of a freshly built scene. A sweep carries a weight from one body to the next, so a tower of a hundred
//! courses would sink before its foot bears its top. Therefore every body at rest, from the top down, hands its weight and
//! what it bears to the contacts below it. Startup passes over the first step correct this guess.

use drystone_model::{Contacts, DVec3, Model, WORLD};

use super::bodies::Bodies;
use super::contact_cache::CachedPoint;
use super::convert::to_dvec3;

/// Least slope of a support: the normals of flatter contacts point along the ground and bear no weight.
const SUPPORTING: f64 = 0.2;

/// A contact point below a body.
struct Support {
    point: usize,
    /// Body below.
    below: u32,
    /// Normal force on the second body of the contact, per load.
    normal: DVec3,
    /// Share of the normal that points up.
    upward: f64,
}

/// Guesses the loads of all contact points of the worlds that start.
pub fn guess(
    model: &Model,
    bodies: &Bodies,
    contacts: &Contacts,
    h: f64,
    starts: impl Fn(usize) -> bool,
    cache: &mut Vec<CachedPoint>,
) {
    cache.clear();
    cache.resize(contacts.point_count(), CachedPoint::default());
    let starting = |body: usize| starts(model.body_world[body] as usize) && rests(bodies, body, h);
    let mut resting: Vec<u32> = (0..model.body_count() as u32).filter(|&b| starting(b as usize)).collect();
    let height = |body: u32| {
        let up = -model.world_gravity[model.body_world[body as usize] as usize];
        bodies.com[body as usize].dot(up)
    };
    resting.sort_by(|&a, &b| height(b).total_cmp(&height(a)).then(a.cmp(&b)));
    let touching = manifolds_of_bodies(model, contacts);
    let mut borne = vec![0.0; model.body_count()];
    for body in resting {
        let slot = body as usize;
        let acceleration = to_dvec3(bodies.acceleration[slot]);
        let up = -acceleration / acceleration.length();
        let supports: Vec<Support> = touching[slot]
            .iter()
            .flat_map(|&m| supports(contacts, m as usize, body, up, h * h * acceleration))
            .collect();
        let sum_of_squares: f64 = supports.iter().map(|s| s.upward * s.upward).sum();
        let weight = model.body_mass[slot] * acceleration.length() + borne[slot];
        for support in supports {
            let load = weight * support.upward / sum_of_squares;
            cache[support.point].force = (support.normal * load).to_array();
            cache[support.point].load = load;
            cache[support.point].before = load;
            if let Some(borne) = borne.get_mut(support.below as usize) {
                *borne += load * support.upward;
            }
        }
    }
}

/// Whether a body moves, is pulled by something, and is slower than the fall of one step.
fn rests(bodies: &Bodies, body: usize, h: f64) -> bool {
    let pull = bodies.acceleration[body].length();
    bodies.moves[body] && pull > 0.0 && bodies.velocity[body].l.length() < pull * h
}

fn manifolds_of_bodies(model: &Model, contacts: &Contacts) -> Vec<Vec<u32>> {
    let mut touching = vec![Vec::new(); model.body_count()];
    for m in 0..contacts.manifold_count() {
        for body in [contacts.manifold_body0[m], contacts.manifold_body1[m]] {
            if body != WORLD {
                touching[body as usize].push(m as u32);
            }
        }
    }
    touching
}

/// The points of a manifold that bear a body from below. Points further away than the fall of a step do not.
fn supports(contacts: &Contacts, manifold: usize, body: u32, up: DVec3, fall: DVec3) -> impl Iterator<Item = Support> {
    let second = contacts.manifold_body1[manifold] == body;
    let below = if second { contacts.manifold_body0[manifold] } else { contacts.manifold_body1[manifold] };
    let normal = contacts.manifold_normal[manifold];
    let upward = if second { normal.dot(up) } else { -normal.dot(up) };
    let fall = fall.length();
    contacts
        .points(manifold)
        .filter(move |&point| upward > SUPPORTING && contacts.point_gap[point] <= fall)
        .map(move |point| Support { point, below, normal, upward })
}

#[cfg(test)]
mod tests {
    use drystone_collide::{Collide, CollideOptions};
    use drystone_model::{BodyDef, ModelBuilder};

    use super::*;

    /// Sum of the normal loads between two bodies \[N\].
    fn between(contacts: &Contacts, cache: &[CachedPoint], bodies: [u32; 2]) -> f64 {
        let of = |m: &usize| {
            let pair = [contacts.manifold_body0[*m], contacts.manifold_body1[*m]];
            pair == bodies || pair == [bodies[1], bodies[0]]
        };
        let points = (0..contacts.manifold_count()).filter(of).flat_map(|m| contacts.points(m));
        points.map(|p| cache[p].load).sum()
    }

    #[test]
    fn every_course_bears_what_is_above_it() {
        let mut scene = ModelBuilder::new();
        scene.ground();
        let place = |x: f64, course: f64| DVec3::new(x, 0.0, 0.1 + 0.2 * course);
        let brick = |name: &str, at: DVec3, mass: f64| {
            BodyDef::dynamic(name).at(at).cuboid(DVec3::new(0.25, 0.1, 0.1)).mass(mass)
        };
        scene.add_body(brick("left", place(-0.26, 0.0), 1.0));
        scene.add_body(brick("right", place(0.26, 0.0), 2.0));
        scene.add_body(brick("bridge", place(0.0, 1.0), 4.0));
        scene.add_body(brick("top", place(0.0, 2.0), 8.0));
        let model = scene.finalize().unwrap();
        let (state, control, h) = (model.state(), model.control(), 1.0 / 60.0);
        let mut bodies = Bodies::default();
        bodies.resize(&model);
        bodies.effort.resize(model.body_count(), Default::default());
        bodies.start(&model, &state, &control, h);
        let mut collide = Collide::new(&model, CollideOptions::default());
        collide.detect(&model, &state, h);
        let mut cache = Vec::new();
        guess(&model, &bodies, &collide.contacts, h, |_| true, &mut cache);
        let g = 9.81;
        for (pair, kilograms) in [([3, 2], 8.0), ([2, 0], 6.0), ([2, 1], 6.0), ([0, WORLD], 7.0), ([1, WORLD], 8.0)] {
            let load = between(&collide.contacts, &cache, pair);
            assert!((load - kilograms * g).abs() < 1e-9, "{pair:?}: {load} for {kilograms} kg");
        }
    }
}
