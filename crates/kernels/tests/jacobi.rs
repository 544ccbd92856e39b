//! Point constraints and rows against finite differences, closed forms and conserved quantities.

use drystone_kernels::double::jacobi::*;
use drystone_kernels::double::math::{Quat, Sym3, Vec3, Vec6};
use drystone_kernels::double::rotation::{exp, world_inertia};
use drystone_kernels::double::rows::*;
use drystone_kernels::single;

struct Body {
    mass: f64,
    place: Vec3,
    turn: Quat,
    inertia: Sym3,
    velocity: Vec6,
}

impl Body {
    fn inverse_inertia(&self) -> Sym3 {
        world_inertia(self.turn, self.inertia.cholesky().inverse())
    }

    /// Where a point of the body is after `t` seconds at its velocity.
    fn point(&self, local: Vec3, t: f64) -> Vec3 {
        let turned = exp(self.velocity.a.scale(t)).mul(self.turn).rotate(local);
        self.place.add_scaled(self.velocity.l, t).add(turned)
    }
}

fn bodies() -> [Body; 2] {
    let turned = |v: Vec3| exp(v);
    [
        Body {
            mass: 2.0,
            place: Vec3::new(0.1, -0.4, 0.2),
            turn: turned(Vec3::new(0.3, -0.7, 0.2)),
            inertia: Sym3 { xx: 0.4, xy: 0.05, xz: -0.02, yy: 0.3, yz: 0.03, zz: 0.5 },
            velocity: Vec6 { l: Vec3::new(0.5, 1.0, -0.3), a: Vec3::new(1.2, -0.8, 2.0) },
        },
        Body {
            mass: 0.7,
            place: Vec3::new(0.9, 0.3, -0.1),
            turn: turned(Vec3::new(-0.9, 0.1, 0.5)),
            inertia: Sym3 { xx: 0.1, xy: -0.01, xz: 0.02, yy: 0.15, yz: 0.0, zz: 0.08 },
            velocity: Vec6 { l: Vec3::new(-0.2, 0.4, 0.9), a: Vec3::new(-1.0, 0.6, 0.4) },
        },
    ]
}

const LOCAL: [Vec3; 2] = [Vec3 { x: 0.3, y: 0.1, z: -0.2 }, Vec3 { x: -0.2, y: 0.25, z: 0.15 }];

fn levers(bodies: &[Body; 2]) -> [Vec3; 2] {
    [bodies[0].turn.rotate(LOCAL[0]), bodies[1].turn.rotate(LOCAL[1])]
}

fn close(a: Vec3, b: Vec3, tolerance: f64) {
    assert!(a.sub(b).length() <= tolerance * (1.0 + b.length()), "{a:?} is not {b:?}");
}

/// The two bodies after an impulse `p` on the second and its opposite on the first.
fn pushed(bodies: &[Body; 2], p: Vec3) -> [Vec6; 2] {
    let [r0, r1] = levers(bodies);
    let wrench = [wrench_on_parent(p, r0), wrench_on_child(p, r1)];
    [0, 1].map(|i| velocity_step(bodies[i].velocity, wrench[i], 1.0 / bodies[i].mass, bodies[i].inverse_inertia()))
}

fn delassus(bodies: &[Body; 2]) -> Sym3 {
    let r = levers(bodies);
    let [a, b] = [0, 1].map(|i| point_mobility(1.0 / bodies[i].mass, bodies[i].inverse_inertia(), r[i]));
    a.add(b)
}

#[test]
fn the_rate_is_the_derivative_of_the_gap() {
    let bodies = bodies();
    let [r0, r1] = levers(&bodies);
    let gap = |t: f64| bodies[1].point(LOCAL[1], t).sub(bodies[0].point(LOCAL[0], t));
    let t = 1e-6;
    let difference = gap(t).sub(gap(-t)).scale(0.5 / t);
    close(point_rate(bodies[0].velocity, bodies[1].velocity, r0, r1), difference, 1e-9);
}

#[test]
fn the_delassus_block_is_the_change_of_rate_per_impulse() {
    let bodies = bodies();
    let [r0, r1] = levers(&bodies);
    let before = point_rate(bodies[0].velocity, bodies[1].velocity, r0, r1);
    let block = delassus(&bodies);
    for p in [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.3, -0.5, 0.8)] {
        let [v0, v1] = pushed(&bodies, p);
        close(point_rate(v0, v1, r0, r1).sub(before), block.mul(p), 1e-12);
    }
}

/// With one joint the block is the whole matrix: a single iteration solves it.
#[test]
fn one_joint_is_solved_in_one_iteration_and_keeps_momentum() {
    let bodies = bodies();
    let [r0, r1] = levers(&bodies);
    let rate = point_rate(bodies[0].velocity, bodies[1].velocity, r0, r1);
    let bias = Vec3::new(0.1, -0.2, 0.05);
    let p = multiplier_step(Vec3::default(), inverse_block(delassus(&bodies)), rate, bias, 1.0);
    let [v0, v1] = pushed(&bodies, p);
    close(point_rate(v0, v1, r0, r1), bias.neg(), 1e-12);

    let linear = |v: [Vec6; 2]| v[0].l.scale(bodies[0].mass).add(v[1].l.scale(bodies[1].mass));
    close(linear([v0, v1]), linear([bodies[0].velocity, bodies[1].velocity]), 1e-13);
    // Angular momentum about the anchors: each body's own changes by exactly its lever times impulse.
    let spin = |i: usize, v: Vec6| world_inertia(bodies[i].turn, bodies[i].inertia).mul(v.a);
    close(spin(1, v1).sub(spin(1, bodies[1].velocity)), r1.cross(p), 1e-12);
    close(spin(0, v0).sub(spin(0, bodies[0].velocity)), r0.cross(p.neg()), 1e-12);
}

#[test]
fn inverses_invert_and_nothing_moves_where_nothing_can() {
    let block = delassus(&bodies());
    let inverse = inverse_block(block);
    for v in [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.2, -3.0, 0.7)] {
        close(inverse.mul(block.mul(v)), v, 1e-13);
    }
    assert_eq!(inverse_block(Sym3::default()), Sym3::default());
    assert_eq!(single::jacobi::inverse_block(single::math::Sym3::default()), single::math::Sym3::default());
}

/// Chebyshev's extrapolation with weight w is `previous + (1 + w)(p − previous)`.
#[test]
fn extrapolation_follows_its_formula() {
    let (p, previous) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, -1.0, 2.0));
    close(accelerated(p, previous, 0.25), previous.add_scaled(p.sub(previous), 1.25), 1e-15);
    assert_eq!(accelerated(p, previous, 0.0), p);
}

/// A tumbling brick, a thousand steps: angular momentum to round-off, energy to the integrator's 1e-7 a step.
#[test]
fn free_bodies_keep_their_angular_momentum_and_energy() {
    let inertia = Sym3 { xx: 0.1, xy: 0.0, xz: 0.0, yy: 0.25, yz: 0.0, zz: 0.3 };
    let inverse = inertia.cholesky().inverse();
    let (mut turn, mut velocity) = (exp(Vec3::new(0.2, 0.3, -0.4)), Vec6::default());
    velocity.a = Vec3::new(0.5, 6.0, 0.3);
    let spin = |turn: Quat, w: Vec3| world_inertia(turn, inertia).mul(w);
    let start = spin(turn, velocity.a);
    let energy = start.dot(velocity.a);
    let h = 1.0 / 60.0;
    for _ in 0..1000 {
        let free = free_velocity(turn, velocity, Vec3::default(), Vec3::default(), inverse, h);
        let end = end_of_step(turn, free, inertia, inverse, h);
        (turn, velocity) = (end.orientation, end.velocity);
    }
    close(spin(turn, velocity.a), start, 1e-11);
    let left = spin(turn, velocity.a).dot(velocity.a);
    assert!((left / energy - 1.0).abs() < 1e-4, "{left} of {energy}");
}

/// An impulse changes the angular momentum by itself, whatever the orientation does within the step.
#[test]
fn impulses_enter_the_angular_momentum_exactly() {
    let body = &bodies()[0];
    let inverse = body.inertia.cholesky().inverse();
    let h = 0.02;
    let still = Vec3::default();
    let free = free_velocity(body.turn, body.velocity, still, still, inverse, h);
    let kick = Vec6 { l: Vec3::new(0.3, 0.1, 0.0), a: Vec3::new(0.2, -0.4, 0.1) };
    let solved = velocity_step(free, kick, 1.0 / body.mass, body.inverse_inertia());
    let end = end_of_step(body.turn, solved, body.inertia, inverse, h);
    let before = world_inertia(body.turn, body.inertia).mul(body.velocity.a);
    let after = world_inertia(end.orientation, body.inertia).mul(end.velocity.a);
    close(after.sub(before), kick.a, 1e-9);
    close(end.displacement, solved.l.scale(h), 1e-15);
}

/// A blow on a needle that spins fast: after it, nothing adds energy, however far the needle turns in the step.
#[test]
fn slender_bodies_gain_no_energy_after_a_blow() {
    let inertia = Sym3 { xx: 0.001, xy: 0.0, xz: 0.0, yy: 0.4, yz: 0.0, zz: 0.4 };
    let inverse = inertia.cholesky().inverse();
    let turn = exp(Vec3::new(0.2, 0.3, -0.4));
    let velocity = Vec6 { l: Vec3::default(), a: Vec3::new(3.0, 20.0, -15.0) };
    let at_start = world_inertia(turn, inverse);
    for kick in [Vec3::new(6.0, -5.0, 8.0), Vec3::new(-9.0, 2.0, 1.0), Vec3::new(0.5, 7.0, -12.0)] {
        for h in [1e-3, 1e-2, 1e-1] {
            let free = free_velocity(turn, velocity, Vec3::default(), Vec3::default(), inverse, h);
            let solved = velocity_step(free, Vec6 { l: Vec3::default(), a: kick }, 1.0, at_start);
            let end = end_of_step(turn, solved, inertia, inverse, h);
            let twice = |turn: Quat, w: Vec3| world_inertia(turn, inertia).mul(w).dot(w);
            let (struck, left) = (twice(turn, solved.a), twice(end.orientation, end.velocity.a));
            // At 0.1 s it spins round a hundred times and more: more turns than the flight resolves, which costs energy.
            let least = if h < 0.1 { 1.0 - 1e-5 } else { 0.0 };
            assert!((least..1.0 + 1e-5).contains(&(left / struck)), "{struck} became {left} in {h} s");
        }
    }
}

/// A round body takes the short way and ends where the long one would take it.
#[test]
fn round_bodies_turn_by_the_exponential_map() {
    let inertia = Sym3::scaled_identity(0.3);
    assert_eq!(asphericity(inertia), 0.0);
    let velocity = Vec6 { l: Vec3::new(1.0, 0.0, 0.0), a: Vec3::new(0.0, 3.0, 0.0) };
    let (gravity, torque) = (Vec3::new(0.0, 0.0, -9.81), Vec3::new(0.0, 0.6, 0.0));
    let inverse = Sym3::scaled_identity(1.0 / 0.3);
    let turn = exp(Vec3::new(0.5, 0.0, 0.1));
    let free = free_velocity(turn, velocity, gravity, torque, inverse, 0.1);
    close(free.a, Vec3::new(0.0, 3.2, 0.0), 1e-12);
    close(free.l, Vec3::new(1.0, 0.0, -0.981), 1e-12);
    let end = end_of_step(turn, free, inertia, inverse, 0.1);
    let expected = exp(Vec3::new(0.0, 0.32, 0.0)).mul(turn);
    close(end.orientation.rotate(Vec3::new(1.0, 2.0, 3.0)), expected.rotate(Vec3::new(1.0, 2.0, 3.0)), 1e-12);
}

/// Rows along the world axes with the levers of a point constraint are that point constraint.
#[test]
fn three_rows_at_a_point_are_a_point_constraint() {
    let bodies = bodies();
    let [r0, r1] = levers(&bodies);
    let cross = |r: Vec3, s: f64| drystone_kernels::double::math::Mat3::scaled_cross(r, s);
    let unit = |x, y, z| Vec3::new(x, y, z);
    let jacobian = RowJacobian {
        linear: drystone_kernels::double::math::Mat3 {
            r0: unit(1.0, 0.0, 0.0),
            r1: unit(0.0, 1.0, 0.0),
            r2: unit(0.0, 0.0, 1.0),
        },
        angular0: cross(r0, 1.0),
        angular1: cross(r1, -1.0),
    };
    let [v0, v1] = [bodies[0].velocity, bodies[1].velocity];
    close(jacobian.rate(v0, v1), point_rate(v0, v1, r0, r1), 1e-14);
    let p = Vec3::new(0.4, -0.3, 0.9);
    let (child, parent) = (jacobian.wrench_on_child(p), jacobian.wrench_on_parent(p));
    close(child.l, wrench_on_child(p, r1).l, 1e-15);
    close(child.a, wrench_on_child(p, r1).a, 1e-14);
    close(parent.l, wrench_on_parent(p, r0).l, 1e-15);
    close(parent.a, wrench_on_parent(p, r0).a, 1e-14);
    let of = |i: usize| (1.0 / bodies[i].mass, bodies[i].inverse_inertia());
    let ((m0, i0), (m1, i1)) = (of(0), of(1));
    let block = jacobian.mobility0(m0, i0).add(jacobian.mobility1(m1, i1));
    close(block.mul(p), delassus(&bodies).mul(p), 1e-14);
}

#[test]
fn bounds_clamp_and_friction_keeps_to_its_cone() {
    let free = f64::INFINITY;
    let contact = RowBounds { lower: Vec3::new(0.0, -free, -free), upper: Vec3::new(free, free, free), friction: 0.5 };
    let slides = within_bounds(Vec3::new(2.0, 3.0, 4.0), contact);
    close(slides, Vec3::new(2.0, 0.6, 0.8), 1e-15);
    assert_eq!(within_bounds(Vec3::new(2.0, 0.6, 0.7), contact), Vec3::new(2.0, 0.6, 0.7), "sticks");
    assert_eq!(within_bounds(Vec3::new(-1.0, 0.6, 0.7), contact), Vec3::default(), "separates");
    let motor = RowBounds { lower: Vec3::new(-1.0, 0.0, 0.0), upper: Vec3::new(1.0, 0.0, 0.0), friction: -1.0 };
    assert_eq!(within_bounds(Vec3::new(5.0, 1.0, -1.0), motor), Vec3::new(1.0, 0.0, 0.0));
}

/// An implicit spring: p = −h (k (q + h q̇) + c q̇) with q̇ the velocity it leads to.
#[test]
fn soft_rows_are_implicit_springs() {
    let (mass, k, c, q, rate, h) = (2.0, 50.0, 3.0, 0.1, 0.7, 0.01);
    let softness = 1.0 / (h * (h * k + c));
    let bias = k * q / (h * k + c);
    let inverse = Sym3 { xx: 1.0 / (1.0 / mass + softness), ..Sym3::default() };
    let along = |x: f64| Vec3::new(x, 0.0, 0.0);
    let p = row_step(Vec3::default(), inverse, along(rate), along(bias), along(softness), 1.0).x;
    let after = rate + p / mass;
    assert!((p + h * (k * (q + h * after) + c * after)).abs() < 1e-14);
}

#[test]
fn the_dominating_diagonal_dominates() {
    let a = Sym3 { xx: 2.0, xy: -0.7, xz: 0.4, yy: 1.0, yz: 0.3, zz: 1.5 };
    let d = dominating_diagonal(a);
    for v in [Vec3::new(1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 0.5), Vec3::new(0.0, 1.0, -2.0)] {
        let diagonal = d.x * v.x * v.x + d.y * v.y * v.y + d.z * v.z * v.z;
        assert!(a.quadratic(v) <= diagonal);
    }
}
