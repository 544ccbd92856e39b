//! Where the iterations start.

use drystone_kernels::double::math::{Vec3, Vec6};

use super::bodies::Bodies;
use super::rows::{DualState, Manifold, Rows};

/// Weight of disagreement with loaded contacts against kinetic energy.
const DISAGREEMENT_WEIGHT: f64 = 16.0;

/// First guess `s h v + s' h² a`, with the velocity v now and the acceleration a of the step before,
/// no larger than the external one.
///
/// `s` is near one where a body moves along with everything it is pressed against and near zero
/// where its velocity fights loaded contacts: jitter of a resting stack is not replayed, a sliding or
/// falling cluster is not held back. `s'` judges the acceleration in the same way: a stack that slows
/// down as one goes on slowing down, and the sweeps need not carry that news from body to body. Bodies that are not
/// `busy` stay where the pass before left them.
pub fn compatible(
    bodies: &mut Bodies,
    rows: &Rows,
    disagreement: &mut Vec<[f64; 2]>,
    busy: impl Fn(usize) -> bool,
    h: f64,
) {
    disagreement.clear();
    disagreement.resize(bodies.delta.len(), [0.0; 2]);
    for (manifold, dual) in rows.manifolds.iter().zip(&rows.duals) {
        let [a, b] = manifold.body.map(|body| body as usize);
        let velocity = [bodies.velocity[a], bodies.velocity[b]];
        let acceleration = [bodies.last_acceleration[a], bodies.last_acceleration[b]];
        let energy = [(velocity, dual.belt), (acceleration, Vec3::default())]
            .map(|(motion, belt)| h * h * manifold_disagreement(manifold, dual, &motion, belt));
        for body in [a, b] {
            disagreement[body] = [0, 1].map(|k| disagreement[body][k] + energy[k]);
        }
    }
    for body in 0..bodies.world() {
        if bodies.moves[body] && busy(body) {
            let (v, a) = (bodies.velocity[body], bodies.last_acceleration[body]);
            let velocity_fraction = compatibility(bodies, body, v, disagreement[body][0], h);
            let acceleration_fraction =
                compatibility(bodies, body, a, disagreement[body][1], h) * within(bodies, body, a);
            let angular = bodies.target[body].a.scale(velocity_fraction);
            bodies.delta[body] = Vec6 {
                l: v.l.scale(velocity_fraction * h).add_scaled(a.l, acceleration_fraction * h * h),
                a: angular.add_scaled(a.a, acceleration_fraction * h * h),
            };
        }
    }
}

/// Share of an acceleration that does not exceed the external one.
fn within(bodies: &Bodies, body: usize, a: Vec6) -> f64 {
    let (size, limit) = (a.l.length(), bodies.acceleration[body].length());
    if size > limit { limit / size } else { 1.0 }
}

/// First guess of the published method: the inertial target, gravity taken back where the body did not follow it.
pub fn inertial(bodies: &mut Bodies, h: f64, busy: impl Fn(usize) -> bool, first: impl Fn(usize) -> bool) {
    for body in 0..bodies.world() {
        if bodies.moves[body] && busy(body) {
            let fall = if first(body) { 1.0 } else { acceleration_ratio(bodies, body) };
            let mut guess = bodies.target[body];
            guess.l = guess.l.add_scaled(bodies.acceleration[body], (fall - 1.0) * h * h);
            bodies.delta[body] = guess;
        }
    }
}

/// Power that the velocities, and those of conveyor belts, would spend against the loaded rows of a manifold \[N/m · m²/s²\].
fn manifold_disagreement(manifold: &Manifold, dual: &DualState, velocity: &[Vec6; 2], belt: Vec3) -> f64 {
    let motion = manifold.motion(velocity);
    let mut sum = 0.0;
    for lane in (0..manifold.count as usize).filter(|&lane| manifold.load[lane] > 0.0) {
        let v = motion.at(manifold.lever.get(lane)).add(belt);
        let along = v.dot(manifold.normal);
        sum += manifold.rho_n[lane] * along * along;
        if dual.stuck[lane] {
            sum += manifold.rho_t[lane] * (v.length_squared() - along * along);
        }
    }
    sum
}

fn compatibility(bodies: &Bodies, body: usize, motion: Vec6, disagreement: f64, h: f64) -> f64 {
    let kinetic = h * h * (bodies.mass[body] * motion.l.length_squared() + bodies.inertia[body].quadratic(motion.a));
    if disagreement == 0.0 || kinetic == 0.0 { 1.0 } else { kinetic / (kinetic + DISAGREEMENT_WEIGHT * disagreement) }
}

/// How much of the external acceleration the body followed in the step before, between 0 and 1.
fn acceleration_ratio(bodies: &Bodies, body: usize) -> f64 {
    let a = bodies.acceleration[body];
    let size = a.length_squared();
    if size == 0.0 {
        return 0.0;
    }
    (bodies.last_acceleration[body].l.dot(a) / size).clamp(0.0, 1.0)
}
