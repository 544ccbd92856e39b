//! Stiffness of a force at a lever when the body turns.
//!
//! A connection whose energy has gradient `f` with respect to the position of a point of the body
//! (the force on the body is −f), at lever `r` from the centre of mass, contributes to the energy of
//! a further rotation θ of the body, in world axes,
//!
//!   E(θ) = f · (exp(θ) r) = f·r + (r × f)·θ + ½ θᵀ H θ + …,   H = ½ (f rᵀ + r fᵀ) − (f·r) 1,
//!
//! because ½ f·(θ × (θ × r)) = ½ [(f·θ)(r·θ) − (f·r) θ²]. Leaving H out makes long chains under
//! tension explode: the tension times the lever exceeds the inertia I/h² by orders.
//!
//! With L = |f||r| and c the cosine between them, H has the eigenvalues
//! ½L(1 − c) along f̂ + r̂, −Lc along f̂ × r̂ and −½L(1 + c) along f̂ − r̂. The first is never negative,
//! the last never positive, so the nearest positive semi-definite matrix has a closed form. A link
//! pulled outwards has its energy gradient pointing inwards, c = −1, and gets the full pendulum
//! stiffness L in both directions across.

use glamx::{DMat3, DVec3};

/// The exact second derivative H at θ = 0 \[N·m/rad\] for energy gradient `f` \[N\] at lever `r` \[m\].
pub fn geometric_stiffness(f: DVec3, r: DVec3) -> DMat3 {
    let half = outer(f, r) * 0.5;
    half + half.transpose() - DMat3::from_diagonal(DVec3::splat(f.dot(r)))
}

/// The positive semi-definite matrix nearest to [`geometric_stiffness`]: its negative eigenvalues
/// set to zero \[N·m/rad\].
pub fn geometric_stiffness_psd(f: DVec3, r: DVec3) -> DMat3 {
    let (Some(f_dir), Some(r_dir)) = (f.try_normalize(), r.try_normalize()) else {
        return DMat3::ZERO;
    };
    let size = f.length() * r.length();
    let (sum, difference) = (f_dir + r_dir, f_dir - r_dir);
    // |f̂ ± r̂|² = 2(1 ± c), without the cancellation of 1 ± c.
    let (sum2, difference2) = (sum.length_squared(), difference.length_squared());
    // Only the longer of the two in-plane directions is safe to normalise.
    if f_dir.dot(r_dir) >= 0.0 {
        outer(sum, sum) * (0.25 * size * difference2 / sum2)
    } else {
        geometric_stiffness(f, r) + outer(difference, difference) * (0.25 * size * sum2 / difference2)
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;
    use glamx::{DQuat, DSymmetricEigen3};

    fn vec3(random: &mut Random) -> DVec3 {
        DVec3::new(random.signed(), random.signed(), random.signed())
    }

    fn largest(m: DMat3) -> f64 {
        m.to_cols_array().iter().fold(0.0, |size: f64, x| size.max(x.abs()))
    }

    /// Pairs in general position, and nearly or exactly parallel and opposite.
    fn pairs() -> Vec<(DVec3, DVec3)> {
        let mut random = Random::new(9);
        let mut pairs: Vec<_> = (0..200).map(|_| (vec3(&mut random) * 1e3, vec3(&mut random) * 0.1)).collect();
        for tilt in [0.0, 1e-14, 1e-9, 1e-7, 1e-4] {
            for sign in [1.0, -1.0] {
                let f = vec3(&mut random);
                pairs.push((f, f * sign * 3.0 + vec3(&mut random) * tilt));
            }
        }
        pairs
    }

    #[test]
    fn equals_finite_differences_of_the_energy() {
        let step = 1e-4;
        for (f, r) in pairs() {
            let energy = |theta: DVec3| f.dot(DQuat::from_scaled_axis(theta) * r);
            let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * step);
            let numeric = DMat3::from_cols_array(&std::array::from_fn(|k| {
                let (a, b) = (axes[k / 3], axes[k % 3]);
                (energy(a + b) - energy(a - b) - energy(b - a) + energy(-a - b)) / (4.0 * step * step)
            }));
            let size = f.length() * r.length();
            assert!(largest(geometric_stiffness(f, r) - numeric) < 1e-6 * size);
        }
    }

    #[test]
    fn projection_equals_that_of_an_eigen_solver() {
        for (f, r) in pairs() {
            let eigen = DSymmetricEigen3::new(geometric_stiffness(f, r));
            let kept = DMat3::from_diagonal(eigen.eigenvalues.max(DVec3::ZERO));
            let expected = eigen.eigenvectors * kept * eigen.eigenvectors.transpose();
            let size = f.length() * r.length();
            assert!(largest(geometric_stiffness_psd(f, r) - expected) < 1e-6 * size, "{f} {r}");
        }
    }

    #[test]
    fn projection_is_optimal_without_an_eigen_solver() {
        // P is the nearest semi-definite matrix to H exactly if P ≥ 0, P − H ≥ 0 and P (P − H) = 0.
        let mut random = Random::new(4);
        for (f, r) in pairs() {
            let size = f.length() * r.length();
            let projected = geometric_stiffness_psd(f, r);
            let removed = projected - geometric_stiffness(f, r);
            assert!(largest(projected * removed) < 1e-14 * size * size);
            for _ in 0..20 {
                let x = vec3(&mut random);
                assert!(x.dot(projected * x) >= -1e-15 * size && x.dot(removed * x) >= -1e-15 * size);
            }
        }
    }

    #[test]
    fn a_pendulum_under_tension_has_stiffness_force_times_lever() {
        // Hanging below its pivot: the pivot is above the centre, the rope pulls up with T, so the
        // energy gradient at that point is −T up.
        let (tension, lever) = (50.0, 0.4);
        let stiffness = geometric_stiffness_psd(-DVec3::Z * tension, DVec3::Z * lever);
        let expected = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0) * tension * lever);
        assert!(largest(stiffness - expected) < 1e-12);
        // Pushed instead, it would buckle: nothing positive is left.
        assert_eq!(geometric_stiffness_psd(DVec3::Z * tension, DVec3::Z * lever), DMat3::ZERO);
        assert_eq!(geometric_stiffness_psd(DVec3::ZERO, DVec3::X), DMat3::ZERO);
    }
}
