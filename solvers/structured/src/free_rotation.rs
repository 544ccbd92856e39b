//! How bodies move while no force acts: straight on, and turning with constant angular momentum.
//!
//! The turn of a step is the quaternion (w, v) with (2/h)(w I v + v × I v) = L in body axes, the momentum of
//! the discrete Lagrangian (2/h) vᵀ I v. It conserves the angular momentum exactly, is symplectic, reversible
//! and of second order, and needs no sine.

use drystone_model::{DMat3, DQuat, DVec3, Model};
use rayon::prelude::*;

use super::bodies::Bodies;
use drystone_solve::linalg::matrix::Vec6;

/// Largest turn in one piece \[rad\]; the equation has a solution up to π and Newton's method finds it
/// at once below this.
pub const LARGEST_TURN: f64 = 0.5;
/// Iterations of Newton's method; three or four are used.
const NEWTON: u32 = 20;
/// Bodies per parallel task.
const CHUNK: usize = 256;

/// Orientation after `h` seconds of a body with inertia `inertia` (body axes \[kg·m²\]) that turns with
/// angular velocity `omega` now (world axes \[rad/s\]) and keeps its angular momentum.
pub fn turned(rotation: DQuat, omega: DVec3, inertia: DMat3, h: f64) -> DQuat {
    let spin = rotation.conjugate() * omega;
    if h.abs() * spin.length() <= LARGEST_TURN {
        let v = half_turn(inertia, inertia * spin * (0.5 * h), spin * (0.5 * h));
        return turn_by(rotation, v);
    }
    let momentum = rotation * (inertia * spin);
    let pieces = (h * spin.length() / LARGEST_TURN).ceil().clamp(1.0, 1.0e4) as u32;
    let piece = h / f64::from(pieces);
    let mut rotation = rotation;
    let mut guess = spin * (0.5 * piece);
    for _ in 0..pieces {
        let wanted = rotation.conjugate() * momentum * (0.5 * piece);
        guess = half_turn(inertia, wanted, guess);
        rotation = turn_by(rotation, guess);
    }
    rotation
}

/// The rotation after a turn with vector part `v` in body axes.
fn turn_by(rotation: DQuat, v: DVec3) -> DQuat {
    let w = (1.0 - v.length_squared()).max(0.0).sqrt();
    (rotation * DQuat::from_xyzw(v.x, v.y, v.z, w)).normalize()
}

/// Solves w I v + v × I v = wanted for v, w = √(1 − v²).
fn half_turn(inertia: DMat3, wanted: DVec3, guess: DVec3) -> DVec3 {
    let mut v = guess;
    for _ in 0..NEWTON {
        let w = (1.0 - v.length_squared()).max(f64::EPSILON).sqrt();
        let u = inertia * v;
        let miss = u * w + v.cross(u) - wanted;
        let column = |j: usize| {
            let axis = DVec3::AXES[j];
            inertia.col(j) * w - u * (v[j] / w) + v.cross(inertia.col(j)) - u.cross(axis)
        };
        let step = DMat3::from_cols(column(0), column(1), column(2)).inverse() * miss;
        v -= step;
        // Convergence is quadratic: the step after one of this size would be below rounding.
        if step.length_squared() <= f64::EPSILON * v.length_squared() {
            break;
        }
    }
    v
}

impl Bodies {
    /// Moves all bodies for `h` seconds: positions and turns by the velocities they have, after which
    /// moving ones carry on with the momentum of `after`.
    pub fn advance(&mut self, model: &Model, after: &[Vec6<f64>], h: f64) {
        let Self { body, moves, .. } = self;
        let bodies = body[..moves.len()].par_iter_mut().zip(&*moves).with_min_len(CHUNK).enumerate();
        bodies.for_each(|(index, (body, moves))| {
            let omega = body.angular();
            body.placement.com += body.linear() * h;
            if !*moves {
                let turn = DQuat::from_scaled_axis(omega * h);
                body.placement.rotation = (turn * body.placement.rotation).normalize();
                return;
            }
            let momentum = body.inertia * DVec3::new(after[index][3], after[index][4], after[index][5]);
            let inertia = model.body_inertia[index];
            body.placement.rotation = turned(body.placement.rotation, omega, inertia, h);
            body.turn_inertia(inertia);
            let omega = body.inverse_inertia * momentum;
            body.velocity = [after[index][0], after[index][1], after[index][2], omega.x, omega.y, omega.z];
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INERTIA: DMat3 = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.7));

    /// The angular velocity that goes with a momentum.
    fn spin(rotation: DQuat, momentum: DVec3) -> DVec3 {
        rotation * (INERTIA.inverse() * (rotation.conjugate() * momentum))
    }

    fn energy(rotation: DQuat, momentum: DVec3) -> f64 {
        let l = rotation.conjugate() * momentum;
        0.5 * l.dot(INERTIA.inverse() * l)
    }

    #[test]
    fn a_free_top_keeps_its_energy_for_ever() {
        let momentum = DVec3::new(0.1, 2.0, 0.05);
        let mut rotation = DQuat::IDENTITY;
        let start = energy(rotation, momentum);
        let (mut least, mut most) = (start, start);
        for step in 0..200_000 {
            rotation = turned(rotation, spin(rotation, momentum), INERTIA, 0.05);
            let now = energy(rotation, momentum);
            (least, most) = (least.min(now), most.max(now));
            assert!(step > 0 || now != start);
        }
        assert!(most - least < 2e-4 * start, "{least} {most}");
    }

    #[test]
    fn the_error_falls_with_the_square_of_the_step_and_the_way_back_is_exact() {
        let momentum = DVec3::new(0.7, 2.0, -0.4);
        let run = |h: f64| {
            (0..(1.0 / h).round() as u32).fold(DQuat::IDENTITY, |q, _| turned(q, spin(q, momentum), INERTIA, h))
        };
        let exact = run(1.0 / 8192.0);
        let error = |h: f64| (run(h) * exact.conjugate()).xyz().length();
        let ratio = error(1.0 / 32.0) / error(1.0 / 64.0);
        assert!((ratio - 4.0).abs() < 0.1, "{ratio}");
        let there = turned(DQuat::IDENTITY, spin(DQuat::IDENTITY, momentum), INERTIA, 0.1);
        let back = turned(there, spin(there, momentum), INERTIA, -0.1);
        assert!(back.xyz().length() < 1e-15);
    }

    #[test]
    fn a_fast_spin_is_cut_into_pieces() {
        let turn = turned(DQuat::IDENTITY, DVec3::Z * 100.0, INERTIA, 0.1);
        // About a principal axis w v = half the angle of a piece: each of 20 pieces of 0.5 rad turns by asin of twice that.
        let expected = DQuat::from_rotation_z(20.0 * 0.5_f64.asin());
        assert!((turn.dot(expected).abs() - 1.0).abs() < 1e-12, "{turn} {expected}");
    }
}
