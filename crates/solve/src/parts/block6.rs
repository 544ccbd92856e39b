//! The 6×6 block of a rigid body: its 3×3 parts, and the Schur complement that solves it by two
//! 3×3 factorisations.

use glamx::{DMat3, DVec3};

use super::ldl::{Ldl, NotPositiveDefinite};
use super::matrix::{Mat, Mat3, Mat6, Vec6};
use super::real::Real;

/// A spatial vector from its linear and angular parts.
pub fn spatial(linear: DVec3, angular: DVec3) -> Vec6<f64> {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

/// The linear and angular parts of a spatial vector.
pub fn split(v: &Vec6<f64>) -> (DVec3, DVec3) {
    (DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5]))
}

/// The row of a constraint of direction `direction` at lever `lever` from the centre of mass: times
/// the velocity (v, ω) it gives the speed of the point along the direction.
pub fn point_row(direction: DVec3, lever: DVec3) -> Vec6<f64> {
    spatial(direction, lever.cross(direction))
}

/// The rows of a point at lever `lever`: times (v, ω) they give the velocity of the point, v + ω × r.
pub fn point_rows(lever: DVec3) -> [Vec6<f64>; 3] {
    [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| point_row(axis, lever))
}

impl Mat6<f64> {
    /// The block of a rigid body: `scale` times its mass \[kg\] and its inertia in world axes \[kg·m²\].
    pub fn rigid(scale: f64, mass: f64, inertia: DMat3) -> Self {
        Self::from_parts(DMat3::from_diagonal(DVec3::splat(scale * mass)), DMat3::ZERO, inertia * scale)
    }

    /// The symmetric block [linear, couplingᵀ; coupling, angular]; `coupling` has angular rows and
    /// linear columns.
    pub fn from_parts(linear: DMat3, coupling: DMat3, angular: DMat3) -> Self {
        Self::from_fn(|i, j| match (i < 3, j < 3) {
            (true, true) => linear.col(j)[i],
            (false, true) => coupling.col(j)[i - 3],
            (true, false) => coupling.col(i)[j - 3],
            (false, false) => angular.col(j - 3)[i - 3],
        })
    }

    /// Adds to the angular part.
    pub fn add_angular(&mut self, angular: DMat3) {
        for i in 0..3 {
            for j in 0..3 {
                self.0[i + 3][j + 3] += angular.col(j)[i];
            }
        }
    }
}

/// A 6×6 positive definite block factored as a 3×3 and the 3×3 Schur complement beside it. The same
/// answer as [`Ldl`] of the whole in two thirds of the work for the factor, since the coupling is
/// eliminated by columns; the parts keep their own units.
#[derive(Clone, Copy, Debug)]
pub struct SchurFactor<T> {
    linear: Ldl<T, 3>,
    /// A_ll⁻¹ A_la.
    gain: Mat3<T>,
    angular: Ldl<T, 3>,
}

impl<T: Real> SchurFactor<T> {
    /// Factors a positive definite block. Reads the lower triangle only.
    pub fn new(a: &Mat6<T>) -> Result<Self, NotPositiveDefinite> {
        let coupling = Mat3::from_fn(|i, j| a.0[j + 3][i]);
        let linear = Ldl::new(&Mat::from_fn(|i, j| a.0[i][j]))?;
        let gain = linear.solve_mat(&coupling);
        let mut complement = Mat3::from_fn(|i, j| a.0[i + 3][j + 3]);
        complement.add_scaled(-T::ONE, &coupling.transpose_mul(&gain));
        // The complement alone cannot tell a tiny pivot from the rounding of what was taken away
        // from it; the pivots of the whole block must be compared with the entries of the block.
        let angular = Ldl::against(&complement, [3, 4, 5].map(|i| a.0[i][i]))
            .map_err(|bad| NotPositiveDefinite { row: bad.row + 3, ..bad })?;
        Ok(Self { linear, gain, angular })
    }

    /// Solves A x = b.
    pub fn solve(&self, b: &Vec6<T>) -> Vec6<T> {
        let [l0, l1, l2, a0, a1, a2] = *b;
        let linear = [l0, l1, l2];
        let taken = self.gain.transpose_mul_vec(&linear);
        let angular = self.angular.solve(&[a0 - taken[0], a1 - taken[1], a2 - taken[2]]);
        let free = self.linear.solve(&linear);
        let pull = self.gain.mul_vec(&angular);
        [free[0] - pull[0], free[1] - pull[1], free[2] - pull[2], angular[0], angular[1], angular[2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::testing::{Dense, Random, max_abs_difference};

    fn vec3(random: &mut Random) -> DVec3 {
        DVec3::new(random.signed(), random.signed(), random.signed())
    }

    /// A body with a few contacts: mass block plus outer products of point rows.
    fn body(random: &mut Random) -> Mat6<f64> {
        let mut a = Mat6::rigid(3600.0, 2.0, DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.3)));
        for _ in 0..4 {
            let row = point_row(vec3(random).normalize(), vec3(random));
            a.add_outer(1e5, &row, &row);
        }
        a
    }

    #[test]
    fn point_rows_give_the_velocity_of_the_point() {
        let mut random = Random::new(1);
        let (v, omega, lever) = (vec3(&mut random), vec3(&mut random), vec3(&mut random));
        let velocity = point_rows(lever).map(|row| super::super::matrix::dot(&row, &spatial(v, omega)));
        assert!((DVec3::from(velocity) - (v + omega.cross(lever))).length() < 1e-15);
    }

    #[test]
    fn schur_and_whole_factor_agree_with_dense_elimination() {
        let mut random = Random::new(2);
        for _ in 0..100 {
            let a = body(&mut random);
            let b: Vec6<f64> = std::array::from_fn(|_| random.signed());
            let mut dense = Dense::zero(6);
            dense.add_block(0, 0, &a.0);
            let expected = dense.solve(&b);
            let size = expected.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(max_abs_difference(&SchurFactor::new(&a).unwrap().solve(&b), &expected) < 1e-12 * size);
            assert!(max_abs_difference(&Ldl::new(&a).unwrap().solve(&b), &expected) < 1e-12 * size);
        }
    }

    #[test]
    fn parts_land_where_they_belong() {
        let mut random = Random::new(3);
        let coupling = DMat3::from_cols(vec3(&mut random), vec3(&mut random), vec3(&mut random));
        let (linear, angular) = (DMat3::IDENTITY * 2.0, DMat3::IDENTITY * 5.0);
        let mut a = Mat6::from_parts(linear, coupling, angular);
        a.add_angular(DMat3::IDENTITY);
        let (v, omega) = (vec3(&mut random), vec3(&mut random));
        let (force, torque) = split(&a.mul_vec(&spatial(v, omega)));
        assert!((force - (linear * v + coupling.transpose() * omega)).length() < 1e-14);
        assert!((torque - (coupling * v + 6.0 * omega)).length() < 1e-14);
        assert_eq!(a, a.transpose());
    }

    #[test]
    fn schur_refuses_where_the_whole_factor_refuses() {
        // Three rows of one point leave the rotations about it free: rank three.
        let mut a = Mat6::<f64>::ZERO;
        point_rows(DVec3::new(0.3, -0.2, 0.9)).iter().for_each(|row| a.add_outer(7.0, row, row));
        assert_eq!(SchurFactor::new(&a).unwrap_err().row, Ldl::new(&a).unwrap_err().row);
        assert_eq!(Ldl::semidefinite(&a).rank(), 3);
    }
}
