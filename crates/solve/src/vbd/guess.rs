//! Where the iterations start.

use drystone_kernels::double::math::Vec6;

use super::bodies::Bodies;
use super::rows::Manifold;

/// Weight of disagreement with loaded contacts against kinetic energy.
const DISAGREEMENT_WEIGHT: f64 = 16.0;

/// First guess `s h v + a h² g`.
///
/// `s` is near one where a body moves along with everything it is pressed against and near zero
/// where its velocity fights loaded contacts: jitter of a resting stack is not replayed, a sliding or
/// falling cluster is not held back. `a` is the share of the external acceleration the body followed
/// in the step before.
pub fn compatible(bodies: &mut Bodies, manifolds: &[Manifold], disagreement: &mut Vec<f64>, h: f64, first: bool) {
    disagreement.clear();
    disagreement.resize(bodies.delta.len(), 0.0);
    for manifold in manifolds {
        let [a, b] = manifold.body.map(|body| body as usize);
        let velocity = [bodies.velocity[a], bodies.velocity[b]];
        let energy = manifold_disagreement(manifold, &velocity) * h * h;
        disagreement[a] += energy;
        disagreement[b] += energy;
    }
    for body in 0..bodies.world() {
        if bodies.moves[body] {
            let share = compatibility(bodies, body, disagreement[body], h);
            let fall = if first { 0.0 } else { followed_share(bodies, body, h) };
            let v = bodies.target_velocity[body];
            let linear = bodies.velocity[body].l.scale(share * h);
            bodies.delta[body] = Vec6 {
                l: linear.add_scaled(bodies.acceleration[body], fall * h * h),
                a: if share == 1.0 { bodies.target[body].a } else { v.a.scale(share * h) },
            };
        }
    }
}

/// First guess of the published method: the inertial target, gravity taken back where the body did not follow it.
pub fn inertial(bodies: &mut Bodies, h: f64, first: bool) {
    for body in 0..bodies.world() {
        if bodies.moves[body] {
            let fall = if first { 1.0 } else { followed_share(bodies, body, h) };
            let mut guess = bodies.target[body];
            guess.l = guess.l.add_scaled(bodies.acceleration[body], (fall - 1.0) * h * h);
            bodies.delta[body] = guess;
        }
    }
}

/// Power that the velocities would spend against the loaded rows of a manifold \[N/m · m²/s²\].
fn manifold_disagreement(manifold: &Manifold, velocity: &[Vec6; 2]) -> f64 {
    let mut sum = 0.0;
    for point in &manifold.point[..manifold.count as usize] {
        if point.lambda_n > 0.0 {
            let v = point.relative(velocity);
            let along = manifold.normal.dot(v);
            let across = v.length_squared() - along * along;
            let stuck = if point.lambda_t.length() < point.mu * point.lambda_n { 1.0 } else { 0.0 };
            sum += point.rho_n * along * along + stuck * point.rho_t * across;
        }
    }
    sum
}

fn compatibility(bodies: &Bodies, body: usize, disagreement: f64, h: f64) -> f64 {
    let v = bodies.velocity[body];
    let kinetic = h * h * (bodies.mass[body] * v.l.length_squared() + bodies.inertia[body].quadratic(v.a));
    if disagreement == 0.0 || kinetic == 0.0 { 1.0 } else { kinetic / (kinetic + DISAGREEMENT_WEIGHT * disagreement) }
}

/// How much of the external acceleration the body followed in the step before, between 0 and 1.
fn followed_share(bodies: &Bodies, body: usize, h: f64) -> f64 {
    let a = bodies.acceleration[body];
    let size = a.length_squared();
    if size == 0.0 {
        return 0.0;
    }
    let change = bodies.velocity[body].l.sub(bodies.previous_velocity[body].l);
    (change.dot(a) / (h * size)).clamp(0.0, 1.0)
}
