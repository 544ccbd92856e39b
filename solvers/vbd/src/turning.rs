//! Turns of bodies that move as one, at fixed momentum, after which their kinetic energy is what it may be.

use drystone_kernels::double::math::{Quat, Sym3, Vec3};
use drystone_kernels::double::rotation;
use drystone_kernels::elementary::{asin, atan2};
use drystone_model::geometry::mass::symmetric_eigen;
use drystone_model::{DMat3, DVec3};

use super::bodies::Bodies;
use super::convert::{to_dvec3, vec3};
use drystone_solve::whole::Whole;

/// Energy, relative to what is allowed, that the motion of a whole may have more before it is turned.
pub const ROUNDING: f64 = 1.0e-9;

/// The turn of one body, that spins with an angular momentum in some orientation, after which it has no more energy than allowed.
pub fn turned_to_fit(orientation: Quat, own_inertia: Sym3, angular: Vec3, allowed: f64) -> Quat {
    let inertia = rotation::world_inertia(orientation, own_inertia);
    let whole = Whole { mass: 1.0, inertia, angular, ..Whole::default() };
    let upright = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    match 0.5 * whole.twice_energy() > (1.0 + ROUNDING) * allowed {
        true => turn_to_fit(&whole, allowed).unwrap_or(upright),
        false => upright,
    }
}

/// Bodies as they stand where their paths start, without motion.
pub fn whole_at_start(bodies: &Bodies, members: &[usize]) -> Whole {
    let mut whole = Whole::default();
    let mass = |body: usize| 1.0 / bodies.inv_mass[body];
    members.iter().for_each(|&body| whole.add_place(mass(body), bodies.path_start(body)));
    for &body in members {
        let lever = whole.lever(bodies.path_start(body));
        whole.add_motion((mass(body), bodies.start_inertia(body)), lever, Default::default());
    }
    whole
}

/// Least kinetic energy that its momenta can have in any orientation: spinning about the axis of the largest moment of
/// inertia \[J\].
pub fn least_energy(whole: &Whole) -> f64 {
    let (largest, _) = largest_moment(whole);
    linear_energy(whole) + 0.5 * whole.angular.length_squared() / largest
}

/// The smallest turn towards the axis of the largest moment of inertia after which its momenta mean at most
/// this energy, or as little as they can; none where they do already.
///
/// With that axis at an angle φ from the angular momentum L, and 1/I the inverse inertia across it in their plane,
/// the energy of the spin is ½ L² (cos² φ / I_max + sin² φ / I).
pub fn turn_to_fit(whole: &Whole, allowed: f64) -> Option<Quat> {
    let (largest, axis) = largest_moment(whole);
    let momentum = to_dvec3(whole.angular);
    let square = momentum.length_squared();
    let along = momentum.try_normalize()?;
    let axis = if axis.dot(along) < 0.0 { -axis } else { axis };
    let across = (along - axis * axis.dot(along)).try_normalize()?;
    let inverse = vec3(across).dot(whole.inertia.cholesky().solve(vec3(across)));
    let spare = 2.0 * (allowed - linear_energy(whole)) / square - 1.0 / largest;
    let room = inverse - 1.0 / largest;
    let now = atan2(axis.cross(along).length(), axis.dot(along));
    let then = if room > 0.0 { asin((spare / room).clamp(0.0, 1.0).sqrt()) } else { 0.0 };
    let axle = axis.cross(along).try_normalize()?;
    (then < now).then(|| rotation::exp(vec3(axle * (now - then))))
}

fn linear_energy(whole: &Whole) -> f64 {
    0.5 * whole.linear.length_squared() / whole.mass
}

/// The largest moment of inertia and its axis.
fn largest_moment(whole: &Whole) -> (f64, DVec3) {
    let Sym3 { xx, xy, xz, yy, yz, zz } = whole.inertia;
    let columns = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let (moments, axes) = symmetric_eigen(DMat3::from_cols_array_2d(&columns));
    (moments.z, axes.z_axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(angular: Vec3) -> Whole {
        let inertia = Sym3 { xx: 1.0, yy: 2.0, zz: 5.0, ..Sym3::default() };
        let turned = rotation::world_inertia(rotation::exp(Vec3::new(0.3, -0.8, 0.5)), inertia);
        Whole { mass: 2.0, inertia: turned, linear: Vec3::new(1.0, 2.0, -1.0), angular, ..Whole::default() }
    }

    /// After the turn the energy is what was asked for, or the least there is.
    #[test]
    fn a_turn_leaves_the_energy_asked_for() {
        for angular in [Vec3::new(3.0, 1.0, 2.0), Vec3::new(-1.0, 4.0, 0.2), Vec3::new(0.1, -0.3, -6.0)] {
            let whole = whole(angular);
            let (energy, least) = (0.5 * whole.twice_energy(), least_energy(&whole));
            assert!(least < energy);
            for share in [0.9999, 0.7, 0.1, 0.0] {
                let asked = least + share * (energy - least);
                let turn = turn_to_fit(&whole, asked).unwrap();
                let after = Whole { inertia: rotation::world_inertia(turn, whole.inertia), ..whole };
                let reached = 0.5 * after.twice_energy();
                assert!((reached - asked).abs() < 1e-12 * energy, "{reached} for {asked}");
            }
            assert!(turn_to_fit(&whole, 1.001 * energy).is_none());
            let lowest = turn_to_fit(&whole, 0.5 * least).unwrap();
            let after = Whole { inertia: rotation::world_inertia(lowest, whole.inertia), ..whole };
            assert!((0.5 * after.twice_energy() - least).abs() < 1e-12 * energy);
        }
    }

    /// A round whole has the same energy however it is turned.
    #[test]
    fn a_round_whole_is_not_turned() {
        let round = Whole { inertia: Sym3::scaled_identity(3.0), ..whole(Vec3::new(1.0, 2.0, 3.0)) };
        let turn = turn_to_fit(&round, 0.0);
        let after = turn.map_or(round.inertia, |turn| rotation::world_inertia(turn, round.inertia));
        assert!((after.xx - 3.0).abs() < 1e-12 && after.xy.abs() < 1e-12);
    }
}
