//! What keeps an affine body all but rigid: potentials of A = U Σ Vᵀ that vanish at rotations.
//!
//! Orthogonality:  V = κ v ‖A Aᵀ − 1‖²,   with gradient 4 κ v (A Aᵀ − 1) A.
//! ARAP:           V = 2 κ v ‖A − R‖²·… scaled so that both are equally stiff at a rotation: 4 κ v ‖A − R‖².
//!
//! Both Hessians have closed-form eigenmatrices U E Vᵀ with E one of the three scalings eᵢeᵢᵀ, the three
//! flips (eᵢeⱼᵀ + eⱼeᵢᵀ)/√2 and the three twists (eᵢeⱼᵀ − eⱼeᵢᵀ)/√2; negative eigenvalues, which the slightest
//! compression brings, are cut off exactly.

use drystone_geometry::mass::symmetric_eigen;
use drystone_model::{DMat3, DVec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::affine::{Affine, Mat12, Vec12, polar_rotation};

/// Which potential keeps bodies rigid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rigidity {
    /// κ v ‖A Aᵀ − 1‖²: a polynomial.
    #[default]
    Orthogonality,
    /// 4 κ v ‖A − R‖², as rigid as possible: quadratic in the stretch.
    Arap,
}

impl Rigidity {
    /// The energy for κ v = `stiffness` \[J\].
    pub fn value(self, linear: DMat3, stiffness: f64) -> f64 {
        match self {
            Self::Orthogonality => stiffness * squared(linear * linear.transpose() - DMat3::IDENTITY),
            Self::Arap => 4.0 * stiffness * squared(linear - polar_rotation(linear)),
        }
    }

    /// Its derivative by A.
    pub fn gradient(self, linear: DMat3, stiffness: f64) -> DMat3 {
        match self {
            Self::Orthogonality => (linear * linear.transpose() - DMat3::IDENTITY) * linear * (4.0 * stiffness),
            Self::Arap => (linear - polar_rotation(linear)) * (8.0 * stiffness),
        }
    }

    /// Adds the second derivatives to the block of a body, eigenvalues below `floor` raised to it: `floor` 0
    /// for the nearest positive semi-definite matrix, −∞ for the exact one.
    pub fn add_hessian(self, out: &mut Mat12, linear: DMat3, stiffness: f64, floor: f64) {
        let (u, s, v) = signed_svd(linear);
        let scale = self.scale_eigen(s, stiffness, floor);
        for (value, e) in scale {
            // U E Vᵀ for a diagonal E, and its outer product with itself.
            add_mode(out, value, &(u * DMat3::from_diagonal(e) * v.transpose()));
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (flip, twist) = self.pair_eigen(s[i], s[j], stiffness);
            let (a, b) = (super::affine::outer(u.col(i), v.col(j)), super::affine::outer(u.col(j), v.col(i)));
            let half = std::f64::consts::FRAC_1_SQRT_2;
            add_mode(out, flip.max(floor), &((a + b) * half));
            add_mode(out, twist.max(floor), &((a - b) * half));
        }
    }

    /// Eigenvalues and (diagonal) eigenmatrices of the scaling modes.
    fn scale_eigen(self, s: DVec3, stiffness: f64, floor: f64) -> [(f64, DVec3); 3] {
        let value = |s: f64| match self {
            Self::Orthogonality => 4.0 * stiffness * (3.0 * s * s - 1.0),
            Self::Arap => 8.0 * stiffness,
        };
        [0, 1, 2].map(|i| (value(s[i]).max(floor), DVec3::AXES[i]))
    }

    /// Eigenvalues of the flip and the twist of two axes.
    fn pair_eigen(self, a: f64, b: f64, stiffness: f64) -> (f64, f64) {
        match self {
            Self::Orthogonality => {
                let common = a * a + b * b - 1.0;
                (4.0 * stiffness * (common + a * b), 4.0 * stiffness * (common - a * b))
            }
            Self::Arap => (8.0 * stiffness, 8.0 * stiffness * (1.0 - 2.0 / (a + b))),
        }
    }
}

/// Adds the force-like derivative by A to a gradient in coordinates.
pub fn add_linear(out: &mut Vec12, by_linear: DMat3) {
    let by = Affine { linear: by_linear, position: DVec3::ZERO }.to_array();
    (0..12).for_each(|i| out[i] += by[i]);
}

fn add_mode(out: &mut Mat12, value: f64, mode: &DMat3) {
    let e = Affine { linear: *mode, position: DVec3::ZERO }.to_array();
    out.add_outer(value, &e, &e);
}

fn squared(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum()
}

/// A = U diag(σ) Vᵀ with rotations U, V and σ positive except perhaps the first.
fn signed_svd(a: DMat3) -> (DMat3, DVec3, DMat3) {
    let (_, v) = symmetric_eigen(a.transpose() * a);
    // Columns of A V are orthogonal; those of the larger singular values have a sure direction.
    let av = a * v;
    let (s2, s1) = (av.z_axis.length(), av.y_axis.length());
    let (u2, u1) = (av.z_axis / s2, av.y_axis / s1);
    let u0 = u1.cross(u2);
    (DMat3::from_cols(u0, u1, u2), DVec3::new(u0.dot(av.x_axis), s1, s2), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_linear(k: f64) -> DMat3 {
        let turn = DMat3::from_quat(drystone_model::DQuat::from_scaled_axis(DVec3::new(0.3, -1.1, 0.7) * k));
        let stretch = DMat3::from_cols(
            DVec3::new(1.1, 0.05 * k, -0.02),
            DVec3::new(0.05 * k, 0.9, 0.03),
            DVec3::new(-0.02, 0.03, 0.98),
        );
        turn * stretch
    }

    fn moved(linear: DMat3, i: usize, h: f64) -> DMat3 {
        let mut q = Affine { linear, position: DVec3::ZERO }.to_array();
        q[i] += h;
        Affine::from_array(&q).linear
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let h = 1e-6;
        for kind in [Rigidity::Orthogonality, Rigidity::Arap] {
            for linear in [some_linear(1.0), some_linear(0.3)] {
                let mut gradient = [0.0; 12];
                add_linear(&mut gradient, kind.gradient(linear, 2.0));
                for i in (0..12).filter(|i| i % 4 != 3) {
                    let energy = |h: f64| kind.value(moved(linear, i, h), 2.0);
                    assert!(((energy(h) - energy(-h)) / (2.0 * h) - gradient[i]).abs() < 1e-8, "{kind:?} {i}");
                }
            }
        }
    }

    #[test]
    fn hessians_are_those_of_finite_differences() {
        let h = 1e-6;
        for kind in [Rigidity::Orthogonality, Rigidity::Arap] {
            let linear = some_linear(0.8);
            let mut hessian = Mat12::ZERO;
            kind.add_hessian(&mut hessian, linear, 2.0, f64::NEG_INFINITY);
            for i in (0..12).filter(|i| i % 4 != 3) {
                let slope = |h: f64| {
                    let mut g = [0.0; 12];
                    add_linear(&mut g, kind.gradient(moved(linear, i, h), 2.0));
                    g
                };
                let (after, before) = (slope(h), slope(-h));
                for j in 0..12 {
                    let expected = (after[j] - before[j]) / (2.0 * h);
                    assert!((expected - hessian.0[i][j]).abs() < 1e-7, "{kind:?} {i} {j}");
                }
            }
        }
    }

    /// Under compression the exact Hessian is indefinite; the projected one differs by the negative part only.
    #[test]
    fn the_projection_cuts_off_negative_eigenvalues_alone() {
        let linear = some_linear(0.5) * 0.95;
        let (mut exact, mut cut) = (Mat12::ZERO, Mat12::ZERO);
        Rigidity::Orthogonality.add_hessian(&mut exact, linear, 1.0, f64::NEG_INFINITY);
        Rigidity::Orthogonality.add_hessian(&mut cut, linear, 1.0, 0.0);
        let mut negative = exact;
        negative.add_scaled(-1.0, &cut);
        let (mut least, mut dropped) = (f64::INFINITY, 0.0_f64);
        for k in 0..200 {
            let x: Vec12 = std::array::from_fn(|i| ((k * 13 + i * 7) as f64).sin());
            let form = |m: &Mat12| (0..12).map(|i| x[i] * m.mul_vec(&x)[i]).sum::<f64>();
            least = least.min(form(&cut));
            dropped = dropped.min(form(&negative));
            assert!(form(&negative) < 1e-12);
        }
        assert!(least > -1e-12 && dropped < -1e-3);
        // Nearest in the Frobenius norm: the cut and the dropped part are orthogonal.
        let product: f64 = (0..12).map(|i| (0..12).map(|j| cut.0[i][j] * negative.0[i][j]).sum::<f64>()).sum();
        assert!(product.abs() < 1e-10, "{product}");
    }

    #[test]
    fn turning_costs_nothing_and_both_potentials_are_equally_stiff_at_rest() {
        let turn = DMat3::from_quat(drystone_model::DQuat::from_scaled_axis(DVec3::new(0.4, 1.0, -2.0)));
        for kind in [Rigidity::Orthogonality, Rigidity::Arap] {
            assert!(kind.value(turn, 1.0) < 1e-28);
            let mut hessian = Mat12::ZERO;
            kind.add_hessian(&mut hessian, turn, 1.0, f64::NEG_INFINITY);
            let trace: f64 = (0..12).map(|i| hessian.0[i][i]).sum();
            assert!((trace - 6.0 * 8.0).abs() < 1e-12, "{kind:?}: {trace}");
        }
    }
}
