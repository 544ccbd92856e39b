//! First guess of the motion: where the iterations start.

use std::mem::take;

use drystone_kernels::double::math::{Vec3, Vec6};
use drystone_kernels::lanes::{Lanes, Simd4};
use drystone_solve::graph::adjacency::{Adjacency, Incidence};
use drystone_solve::parallel;

use super::bodies::Bodies;
use super::rows::{DualState, Manifold, PairMotion, Rows};
use super::simd::SimdVec3;

/// Weight of disagreement with loaded contacts against kinetic energy.
pub const DISAGREEMENT_WEIGHT: f64 = 16.0;

/// First guess `s h v + s' h² a`, with the velocity v now and the acceleration a of the step before,
/// no larger than the external one.
///
/// `s` is near one where a body moves along with everything it is pressed against and near zero
/// where its velocity fights loaded contacts: jitter of a resting stack is not replayed, a sliding or
/// falling cluster is not held back. `s'` judges the acceleration in the same way: a stack that slows
/// down as one goes on slowing down, and the sweeps need not carry this from body to body. Bodies that are not
/// `busy` stay where the pass before left them.
pub fn compatible(bodies: &mut Bodies, rows: &Rows, contacts: &Adjacency, busy: impl Fn(usize) -> bool + Sync, h: f64) {
    let mut delta = take(&mut bodies.delta);
    parallel::each(&mut delta, |body, delta| {
        if bodies.moves[body] && busy(body) {
            let sum = |sum: [f64; 2], end: Incidence| [0, 1].map(|k| sum[k] + rows.disagreement[end.constraint()][k]);
            let disagreement = contacts.of(body).fold([0.0; 2], sum);
            let (v, a) = (bodies.velocity[body], bodies.last_acceleration[body]);
            let velocity_fraction = compatibility(bodies, body, v, disagreement[0], h);
            let acceleration_fraction = compatibility(bodies, body, a, disagreement[1], h) * within(bodies, body, a);
            let angular = bodies.target[body].a.scale(velocity_fraction);
            *delta = Vec6 {
                l: v.l.scale(velocity_fraction * h).add_scaled(a.l, acceleration_fraction * h * h),
                a: angular.add_scaled(a.a, acceleration_fraction * h * h),
            };
        }
    });
    bodies.delta = delta;
}

/// Fraction of an acceleration that does not exceed the external one.
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

/// How much velocity and acceleration of its bodies conflict with a manifold in a step of `h` seconds \[J\].
#[inline(always)]
pub fn disagreement<L: Lanes>(lanes: L, bodies: &Bodies, manifold: &Manifold, dual: &DualState, h: f64) -> [f64; 2] {
    let loaded = Simd4::load(lanes, &manifold.load);
    if !loaded.any_positive() {
        return [0.0; 2];
    }
    let stuck = Simd4::load(lanes, &[0, 1, 2, 3].map(|lane| f64::from(dual.stuck[lane])));
    let [a, b] = manifold.body.map(|body| body as usize);
    let velocity = manifold.motion(&[bodies.velocity[a], bodies.velocity[b]]);
    let acceleration = manifold.motion(&[bodies.last_acceleration[a], bodies.last_acceleration[b]]);
    let of_velocity = power(lanes, manifold, stuck, loaded, &velocity, dual.belt);
    [h * h * of_velocity, h * h * power(lanes, manifold, stuck, loaded, &acceleration, Vec3::default())]
}

/// Power that the velocities, and those of conveyor belts, would spend against the loaded rows of a manifold \[N/m · m²/s²\].
#[inline(always)]
fn power<L: Lanes>(
    lanes: L,
    manifold: &Manifold,
    stuck: Simd4<L>,
    loaded: Simd4<L>,
    motion: &PairMotion,
    belt: Vec3,
) -> f64 {
    let (zero, lever) = (Simd4::splat(lanes, 0.0), SimdVec3::load(lanes, &manifold.lever));
    let turn = SimdVec3::splat(lanes, motion.angular).cross(lever);
    let v = SimdVec3::splat(lanes, motion.linear).add(turn).add(SimdVec3::splat(lanes, belt));
    let along = v.dot(SimdVec3::splat(lanes, manifold.normal));
    let normal = Simd4::load(lanes, &manifold.rho_n) * along * along;
    let across = Simd4::load(lanes, &manifold.rho_t) * (v.dot(v) - along * along);
    let normal = loaded.where_positive(normal, zero).store();
    let across = loaded.where_positive(stuck.where_positive(across, zero), zero).store();
    normal.into_iter().zip(across).fold(0.0, |sum, (normal, across)| sum + normal + across)
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

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_kernels::lanes::{self, Task};
    use drystone_model::{BodyDef, DVec3, ModelBuilder, Twist};

    const H: f64 = 0.01;
    const MASS: f64 = 2.0;

    struct Disagreement<'a> {
        bodies: &'a Bodies,
        manifold: &'a Manifold,
        dual: &'a DualState,
    }

    impl Task for Disagreement<'_> {
        type Output = [f64; 2];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> [f64; 2] {
            disagreement(lanes, self.bodies, self.manifold, self.dual, H)
        }
    }

    /// A cube in free flight with a velocity, aimed at its target; slot 1 is the world.
    fn cube(velocity: DVec3) -> Bodies {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("cube").cuboid(DVec3::splat(0.1)).mass(MASS));
        let model = scene.finalize().unwrap();
        let (mut state, control) = (model.state(), model.control());
        state.body_qd[0] = Twist { linear: velocity, angular: DVec3::ZERO };
        let mut bodies = Bodies::default();
        bodies.resize(&model);
        bodies.effort.resize(model.body_count(), Default::default());
        bodies.start(&model, &state, &control, H);
        bodies.aim(0, H);
        bodies
    }

    /// The ground below the cube with a load, and penalties of the mass over the squared step.
    fn ground(stuck: bool) -> Rows {
        let mut manifold = Manifold { body: [1, 0], count: 1, normal: Vec3::new(0.0, 0.0, 1.0), ..Manifold::default() };
        (manifold.load[0], manifold.rho_n[0], manifold.rho_t[0]) = (20.0, MASS / (H * H), MASS / (H * H));
        let mut dual = DualState::default();
        dual.stuck[0] = stuck;
        Rows { manifolds: vec![manifold], duals: vec![dual], disagreement: Vec::new() }
    }

    fn compatible_guess(bodies: &mut Bodies, rows: &Rows) -> Vec3 {
        let mut contacts = Adjacency::default();
        contacts.build(&bodies.moves, &vec![[1, 0]; rows.manifolds.len()]);
        let pairs = rows.manifolds.iter().zip(&rows.duals);
        let of = |(manifold, dual)| lanes::run(Disagreement { bodies, manifold, dual });
        let disagreement = pairs.map(of).collect();
        compatible(bodies, &Rows { disagreement, ..rows.clone() }, &contacts, |_| true, H);
        bodies.delta[0].l
    }

    /// s = T / (T + 16 E) with E = T where the penalty is the mass over the squared step.
    #[test]
    fn a_velocity_against_a_loaded_contact_is_held_back() {
        let held = 1.0 / 17.0;
        let cases = [
            (DVec3::new(0.0, 0.0, -1.0), false, held),
            (DVec3::new(0.0, 0.0, 1.0), false, held),
            (DVec3::new(1.0, 0.0, 0.0), true, held),
            (DVec3::new(1.0, 0.0, 0.0), false, 1.0),
        ];
        for (velocity, stuck, fraction) in cases {
            let mut bodies = cube(velocity);
            let guess = compatible_guess(&mut bodies, &ground(stuck));
            let want = bodies.velocity[0].l.scale(fraction * H);
            assert!(guess.sub(want).length() < 1e-15, "{guess:?} for {want:?}");
        }
    }

    #[test]
    fn nothing_holds_a_body_back_that_touches_nothing_or_moves_along() {
        let velocity = DVec3::new(0.3, -0.2, 0.1);
        let mut bodies = cube(velocity);
        let free = compatible_guess(&mut bodies, &Rows::default());
        assert!(free.sub(bodies.velocity[0].l.scale(H)).length() < 1e-16);
        // What it lies on moves with the same velocity.
        bodies.velocity[1] = bodies.velocity[0];
        let along = compatible_guess(&mut bodies, &ground(true));
        assert_eq!(along, free);
    }

    /// h² a of the step before is added, and no more of it than the external acceleration.
    #[test]
    fn the_acceleration_goes_on_up_to_the_external_one() {
        for (last, want) in [(-4.0, -4.0), (3.0, 3.0), (-50.0, -9.81), (50.0, 9.81)] {
            let mut bodies = cube(DVec3::ZERO);
            bodies.last_acceleration[0].l = Vec3::new(0.0, 0.0, last);
            let guess = compatible_guess(&mut bodies, &Rows::default());
            assert!((guess.z - want * H * H).abs() < 1e-15, "{} for {last}", guess.z);
        }
    }

    /// y − (1 − s) h² g with the part s of gravity that the body followed: a body at rest stays, one that falls goes on falling.
    #[test]
    fn the_published_guess_takes_back_what_gravity_did_not_do() {
        for (last, fall) in [(0.0, 0.0), (-9.81, 1.0), (-9.81 / 2.0, 0.5), (5.0, 0.0), (-30.0, 1.0)] {
            let mut bodies = cube(DVec3::new(0.0, 0.0, 0.5));
            bodies.last_acceleration[0].l = Vec3::new(0.0, 0.0, last);
            inertial(&mut bodies, H, |_| true, |_| false);
            let want = 0.5 * H - fall * 9.81 * H * H;
            assert!((bodies.delta[0].l.z - want).abs() < 1e-15, "{} for {want}", bodies.delta[0].l.z);
            inertial(&mut bodies, H, |_| true, |_| true);
            assert_eq!(bodies.delta[0], bodies.target[0]);
        }
    }

    #[test]
    fn who_is_not_busy_stays() {
        let mut bodies = cube(DVec3::X);
        bodies.delta[0].l = Vec3::new(7.0, 0.0, 0.0);
        compatible(&mut bodies, &Rows::default(), &Adjacency::default(), |_| false, H);
        inertial(&mut bodies, H, |_| false, |_| false);
        assert_eq!(bodies.delta[0].l, Vec3::new(7.0, 0.0, 0.0));
    }
}
