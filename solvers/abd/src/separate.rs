//! Easing apart bodies that touch or overlap at the start.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyKind, Contacts, DVec3, Model, State, Twist, WORLD};

/// Rounds of detecting and pushing before giving up.
const ROUNDS: usize = 40;

/// The same with all contacts pushing at once, each round of as many sweeps as it takes a push to go through a chain of a
/// few hundred bodies and back.
const ROUNDS_AT_ONCE: usize = 20;
const SWEEPS: usize = 20_000;

/// Gaps of more than this many times the one asked for are left to the next round, if they close.
const FAR: f64 = 10.0;

/// How much further than it needs a contact pushes in a sweep: pushes go through long chains many times sooner.
const OVER: f64 = 1.5;

/// A push counts as done below this share of the gap asked for.
const DONE: f64 = 1e-3;

/// Bodies above or below each other rather than beside: cosine of the normal with the vertical.
const ABOVE: f64 = 0.1;

/// Detects contacts of bodies at rest where they are, up to a margin \[m\].
struct Detector {
    collide: Collide,
    still: State,
}

impl Detector {
    fn new(model: &Model, state: &State, margin: f64) -> Self {
        let mut still = state.clone();
        still.body_qd.fill(Twist::default());
        Self { collide: Collide::new(model, CollideOptions { margin }), still }
    }

    fn detect(&mut self, model: &Model) {
        // Nothing moves, so the time makes no difference.
        self.collide.detect(model, &self.still, 1.0);
    }

    /// Moves bodies as `push` says until it hardly does any more; false if that leads nowhere.
    fn ease(
        &mut self,
        model: &Model,
        gap: f64,
        rounds: usize,
        push: impl Fn(&Model, &Contacts, &State, f64) -> Vec<DVec3>,
    ) -> bool {
        (0..rounds).any(|_| {
            self.detect(model);
            let shift = push(model, &self.collide.contacts, &self.still, gap);
            for (pose, shift) in self.still.body_q.iter_mut().zip(&shift) {
                pose.translation += *shift;
            }
            shift.iter().all(|s| s.length() <= DONE * gap)
        })
    }
}

/// The deepest overlap of a state \[m\]; zero if bodies merely touch or are apart.
pub fn deepest_overlap(model: &Model, state: &State) -> f64 {
    let mut detector = Detector::new(model, state, 0.0);
    detector.detect(model);
    detector.collide.contacts.point_gap.iter().fold(0.0, |most, gap| most.max(-gap))
}

/// Moves bodies until all gaps are at least `gap` \[m\]: from the lowest up, lifting what lies on top, or, where pushes go
/// round in circles as in an arch between two blocks, by the smallest motion that opens all gaps at once.
pub fn separate(model: &Model, state: &mut State, gap: f64) {
    let [mut swept, mut at_once] = [(); 2].map(|()| Detector::new(model, state, 2.0 * gap));
    let done = swept.ease(model, gap, ROUNDS, push) || !at_once.ease(model, gap, ROUNDS_AT_ONCE, spread);
    let eased = if done { swept } else { at_once };
    state.body_q.copy_from_slice(&eased.still.body_q);
}

/// One sweep over the contacts from the lowest up: how far every body moves.
fn push(model: &Model, contacts: &Contacts, state: &State, gap: f64) -> Vec<DVec3> {
    let up = |body: u32| {
        let world = model.body_world.get(body as usize).copied().unwrap_or(0);
        -model.world_gravity.get(world as usize).copied().unwrap_or(DVec3::ZERO).normalize_or_zero()
    };
    let slot = |m: usize| [contacts.manifold_body0[m], contacts.manifold_body1[m]];
    let height = |m: usize| {
        let of = |body: u32| match state.body_q.get(body as usize) {
            Some(pose) if body != WORLD => pose.transform_point(model.body_com[body as usize]).dot(up(body)),
            _ => f64::NEG_INFINITY,
        };
        let [a, b] = slot(m).map(of);
        a.max(b)
    };
    let mut order: Vec<usize> = (0..contacts.manifold_count()).collect();
    order.sort_by(|&a, &b| height(a).total_cmp(&height(b)).then(a.cmp(&b)));
    let mut shift = vec![DVec3::ZERO; model.body_count()];
    let moves = |body: u32| model.body_kind.get(body as usize) == Some(&BodyKind::Dynamic);
    for m in order {
        let (normal, [a, b]) = (contacts.manifold_normal[m], slot(m));
        let at = |body: u32| shift.get(body as usize).copied().unwrap_or(DVec3::ZERO);
        let closest = contacts.points(m).map(|p| contacts.point_gap[p]).fold(f64::INFINITY, f64::min);
        let need = gap - closest - normal.dot(at(b) - at(a));
        if need <= 0.0 {
            continue;
        }
        let rise = normal.dot(up(if b == WORLD { a } else { b }));
        let share = match (moves(a), moves(b)) {
            (true, true) if rise > ABOVE => [0.0, 1.0],
            (true, true) if rise < -ABOVE => [1.0, 0.0],
            (true, true) => [0.5, 0.5],
            (a, b) => [f64::from(a), f64::from(b)],
        };
        for (body, part) in [(a, -share[0]), (b, share[1])] {
            if let Some(shift) = shift.get_mut(body as usize) {
                *shift += part * need * normal;
            }
        }
    }
    shift
}

/// The smallest motion that opens all gaps, by the loads that would bring it about (Hildreth's method): every contact
/// in turn pushes its bodies as far apart as it needs, or takes back of its pushes what is too much.
fn spread(model: &Model, contacts: &Contacts, _: &State, gap: f64) -> Vec<DVec3> {
    let moves = |body: u32| model.body_kind.get(body as usize) == Some(&BodyKind::Dynamic);
    let rows: Vec<([u32; 2], DVec3, f64)> = (0..contacts.manifold_count())
        .map(|m| {
            let closest = contacts.points(m).map(|p| contacts.point_gap[p]).fold(f64::INFINITY, f64::min);
            let bodies = [contacts.manifold_body0[m], contacts.manifold_body1[m]];
            (bodies, contacts.manifold_normal[m], gap - closest)
        })
        .filter(|([a, b], _, need)| *need > -FAR * gap && (moves(*a) || moves(*b)))
        .collect();
    let mut load = vec![0.0_f64; rows.len()];
    let mut shift = vec![DVec3::ZERO; model.body_count()];
    for sweep in 0..SWEEPS {
        let mut largest = 0.0_f64;
        for k in 0..rows.len() {
            // Forth and back, so that pushes go through chains either way.
            let k = if sweep % 2 == 0 { k } else { rows.len() - 1 - k };
            let ([a, b], normal, need) = rows[k];
            let at = |body: u32| shift.get(body as usize).copied().unwrap_or(DVec3::ZERO);
            let lacking = need - normal.dot(at(b) - at(a));
            let movable = f64::from(u8::from(moves(a)) + u8::from(moves(b)));
            let more = (OVER * lacking / movable).max(-load[k]);
            load[k] += more;
            largest = largest.max(more.abs());
            for (body, side) in [(a, -more), (b, more)].into_iter().filter(|(body, _)| moves(*body)) {
                shift[body as usize] += side * normal;
            }
        }
        if largest <= 1e-3 * DONE * gap {
            break;
        }
    }
    shift
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use drystone_geometry::Shape;
    use drystone_model::{BodyDef, ModelBuilder, ShapeDef};

    use super::*;

    /// Wedges that fill a half circle of radii 4 m and 5 m, face on face, between two fixed blocks.
    fn arch(stones: usize) -> Model {
        let mut scene = ModelBuilder::new();
        for side in [-4.5, 4.5] {
            let block = BodyDef::fixed(format!("block at {side}")).at(DVec3::new(side, 0.0, -0.5));
            scene.add_body(block.cuboid(DVec3::new(1.0, 1.0, 0.5)));
        }
        for stone in 0..stones {
            let angle = |k: usize| PI * k as f64 / stones as f64;
            let at = |radius: f64, k: usize| DVec3::new(radius * angle(k).cos(), 0.0, radius * angle(k).sin());
            let face = [at(4.0, stone), at(5.0, stone), at(5.0, stone + 1), at(4.0, stone + 1)];
            let middle = 0.25 * face.iter().sum::<DVec3>();
            let corners: Vec<DVec3> =
                face.iter().flat_map(|p| [-0.5, 0.5].map(|y| *p - middle + DVec3::Y * y)).collect();
            let shape = ShapeDef::new(Shape::hull(&corners).unwrap());
            scene.add_body(BodyDef::dynamic(format!("stone {stone}")).at(middle).shape(shape));
        }
        scene.finalize().unwrap()
    }

    fn least_gap(model: &Model, state: &State, margin: f64) -> f64 {
        let mut detector = Detector::new(model, state, margin);
        detector.detect(model);
        detector.collide.contacts.point_gap.iter().fold(margin, |least, &gap| least.min(gap))
    }

    /// A push in an arch comes back from its other end. The smallest motion that opens every joint by the gap makes the
    /// arch larger all over: no stone goes further than the ring has to grow.
    #[test]
    fn an_arch_without_joints_is_opened() {
        let (model, gap) = (arch(61), 2e-4);
        let mut state = model.state();
        assert!(least_gap(&model, &state, 2.0 * gap).abs() < 1e-6 * gap);
        separate(&model, &mut state, gap);
        let least = least_gap(&model, &state, 2.0 * gap);
        assert!(least > 0.99 * gap, "{least}");
        let moved = |body: usize| (state.body_q[body].translation - model.body_q[body].translation).length();
        let furthest = (0..model.body_count()).map(moved).fold(0.0, f64::max);
        assert!(furthest < 61.0 * gap, "{}", furthest / gap);
    }
}
