//! Easing apart bodies that touch or overlap at the start.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyKind, Contacts, DVec3, Model, State, Twist, WORLD};

/// Rounds of detecting and pushing before giving up.
const ROUNDS: usize = 200;

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
        Self { collide: Collide::new(model, CollideOptions { margin, events: false }), still }
    }

    fn detect(&mut self, model: &Model) {
        // Nothing moves, so the time makes no difference.
        self.collide.detect(model, &self.still, 1.0);
    }
}

/// The deepest overlap of a state \[m\]; zero if bodies merely touch or are apart.
pub fn deepest_overlap(model: &Model, state: &State) -> f64 {
    let mut detector = Detector::new(model, state, 0.0);
    detector.detect(model);
    detector.collide.contacts.point_gap.iter().fold(0.0, |most, gap| most.max(-gap))
}

/// Moves bodies until all gaps are at least `gap` \[m\], lifting what lies on top. Ends early if that leads nowhere.
pub fn separate(model: &Model, state: &mut State, gap: f64) {
    let mut detector = Detector::new(model, state, 2.0 * gap);
    for _ in 0..ROUNDS {
        detector.detect(model);
        let shift = push(model, &detector.collide.contacts, &detector.still, gap);
        let largest = shift.iter().map(|s| s.length()).fold(0.0, f64::max);
        for (pose, shift) in detector.still.body_q.iter_mut().zip(&shift) {
            pose.translation += *shift;
        }
        if largest <= DONE * gap {
            break;
        }
    }
    state.body_q.copy_from_slice(&detector.still.body_q);
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
