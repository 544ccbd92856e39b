//! The 6×6 block of a rigid body and the rows of its constraints. The Schur solution by two 3×3
//! factors lives with the kernels (`Block6::solve`), since the GPU runs it too; these blocks serve the
//! solvers that couple bodies.

use glamx::{DMat3, DVec3};

use super::matrix::{Mat6, Vec6};

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

/// Conversions from and to the kernels' types of one precision.
macro_rules! kernel_conversions {
    ($precision:ident, $real:ty) => {
        #[doc = concat!("Conversions from and to the kernels in `", stringify!($real), "`.")]
        pub mod $precision {
            use super::{Mat6, Vec6};
            use drystone_kernels::$precision::math::{Block6, Vec3, Vec6 as KernelVec6};

            impl From<Block6> for Mat6<$real> {
                fn from(block: Block6) -> Self {
                    let (l, a) = (block.ll, block.aa);
                    let [c0, c1, c2] = [block.al.r0, block.al.r1, block.al.r2];
                    Self([
                        [l.xx, l.xy, l.xz, c0.x, c1.x, c2.x],
                        [l.xy, l.yy, l.yz, c0.y, c1.y, c2.y],
                        [l.xz, l.yz, l.zz, c0.z, c1.z, c2.z],
                        [c0.x, c0.y, c0.z, a.xx, a.xy, a.xz],
                        [c1.x, c1.y, c1.z, a.xy, a.yy, a.yz],
                        [c2.x, c2.y, c2.z, a.xz, a.yz, a.zz],
                    ])
                }
            }

            /// The six numbers of a kernel's spatial vector.
            pub fn from_kernel(v: KernelVec6) -> Vec6<$real> {
                [v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z]
            }

            /// A kernel's spatial vector of six numbers.
            pub fn to_kernel([lx, ly, lz, ax, ay, az]: Vec6<$real>) -> KernelVec6 {
                KernelVec6 { l: Vec3 { x: lx, y: ly, z: lz }, a: Vec3 { x: ax, y: ay, z: az } }
            }
        }
    };
}

kernel_conversions!(single, f32);
kernel_conversions!(double, f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::ldl::Ldl;
    use crate::testing::{Dense, max_abs_difference};
    use drystone_kernels::double::math::{Block6, Mat3, Sym3, Vec3};
    use drystone_random::Random;

    fn vec3(random: &mut Random) -> DVec3 {
        DVec3::new(random.signed(), random.signed(), random.signed())
    }

    /// A body with a few contacts: mass block plus outer products of point rows.
    fn body(random: &mut Random) -> Block6 {
        let mut a = Mat6::rigid(3600.0, 2.0, DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.3)));
        for _ in 0..4 {
            let row = point_row(vec3(random).normalize(), vec3(random));
            a.add_outer(1e5, &row, &row);
        }
        let m = a.0;
        let symmetric = |o: usize| Sym3 {
            xx: m[o][o],
            xy: m[o][o + 1],
            xz: m[o][o + 2],
            yy: m[o + 1][o + 1],
            yz: m[o + 1][o + 2],
            zz: m[o + 2][o + 2],
        };
        let row = |i: usize| Vec3 { x: m[i][0], y: m[i][1], z: m[i][2] };
        let block = Block6 { ll: symmetric(0), al: Mat3 { r0: row(3), r1: row(4), r2: row(5) }, aa: symmetric(3) };
        assert!(max_abs_difference(Mat6::from(block).0.as_flattened(), a.0.as_flattened()) < 1e-9);
        block
    }

    #[test]
    fn point_rows_give_the_velocity_of_the_point() {
        let mut random = Random::new(1);
        let (v, omega, lever) = (vec3(&mut random), vec3(&mut random), vec3(&mut random));
        let velocity = point_rows(lever).map(|row| super::super::matrix::dot(&row, &spatial(v, omega)));
        assert!((DVec3::from(velocity) - (v + omega.cross(lever))).length() < 1e-15);
    }

    #[test]
    fn whole_factor_and_the_kernels_schur_solution_agree_with_dense_elimination() {
        let mut random = Random::new(2);
        for _ in 0..100 {
            let block = body(&mut random);
            let a = Mat6::from(block);
            let b: Vec6<f64> = std::array::from_fn(|_| random.signed());
            let mut dense = Dense::zero(6);
            dense.add_block(0, 0, &a.0);
            let expected = dense.solve(&b);
            let size = expected.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let by_schur = double::from_kernel(block.solve(double::to_kernel(b)));
            assert!(max_abs_difference(&by_schur, &expected) < 1e-11 * size);
            assert!(max_abs_difference(&Ldl::new(&a).unwrap().solve(&b), &expected) < 1e-11 * size);
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
}
