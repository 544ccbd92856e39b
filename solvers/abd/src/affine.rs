//! Affine placements: twelve coordinates per body, the rows of the 3×4 matrix (A | p).
//!
//! A point at x̄ from the centre of mass of the resting body is at A x̄ + p: linear in the coordinates, with
//! the constant arm (x̄, 1) in each row. Coordinate 4 r + c is row r, column c.

use drystone_model::{DMat3, DQuat, DVec3};

use drystone_solve::linalg::matrix::Mat;

/// Coordinates, a step or a gradient of one body.
pub type Vec12 = [f64; 12];
/// A block of the system.
pub type Mat12 = Mat<f64, 12, 12>;
/// A rest point and 1, perhaps with a sign: what a row of coordinates is multiplied by.
pub type Arm = [f64; 4];

/// Where a body is: the point x̄ of the rest shape (from its centre of mass) is at `linear · x̄ + position`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// A: a rotation, but for what forces stretch.
    pub linear: DMat3,
    /// The centre of mass \[m\].
    pub position: DVec3,
}

impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Affine {
    pub const IDENTITY: Self = Self { linear: DMat3::IDENTITY, position: DVec3::ZERO };

    /// Rigid, with the centre of mass at `position`.
    pub fn rigid(position: DVec3, rotation: DQuat) -> Self {
        Self { linear: DMat3::from_quat(rotation), position }
    }

    /// The coordinates.
    pub fn to_array(self) -> Vec12 {
        let (m, p) = (self.linear, self.position);
        std::array::from_fn(|i| if i % 4 == 3 { p[i / 4] } else { m.col(i % 4)[i / 4] })
    }

    pub fn from_array(q: &Vec12) -> Self {
        let column = |c: usize| DVec3::new(q[c], q[4 + c], q[8 + c]);
        Self { linear: DMat3::from_cols(column(0), column(1), column(2)), position: column(3) }
    }

    /// Where a point of the rest shape is.
    #[inline]
    pub fn point(&self, rest: DVec3) -> DVec3 {
        self.linear * rest + self.position
    }

    /// The rotation nearest to A.
    pub fn rotation(&self) -> DMat3 {
        polar_rotation(self.linear)
    }

    /// ‖A Aᵀ − 1‖: how far from rigid.
    pub fn distortion(&self) -> f64 {
        let e = self.linear * self.linear.transpose() - DMat3::IDENTITY;
        e.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// No point within `radius` of the centre is further from where another placement has it \[m\].
    pub fn farthest(&self, other: &Self, radius: f64) -> f64 {
        let turned = (self.linear - other.linear).to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        (self.position - other.position).length() + radius * turned
    }

    /// A part of the straight way of all points to another placement.
    pub fn towards(&self, to: &Self, part: f64) -> Self {
        Self {
            linear: self.linear + (to.linear - self.linear) * part,
            position: self.position + part * (to.position - self.position),
        }
    }

    /// `share` of a step: translated and stretched along it, turned by its rotation. To first order the sum; but
    /// a turn by any angle stretches nothing, which a sum would.
    pub fn stepped(&self, step: &Turn, share: f64) -> Self {
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(share * step.rotation));
        let stretch = DMat3::IDENTITY + step.stretch * share;
        Self { linear: turn * (stretch * self.linear), position: self.position + share * step.translation }
    }
}

/// A step of a body taken apart: δA A⁻¹ is a rotation and a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    pub translation: DVec3,
    /// Rotation vector \[rad\].
    pub rotation: DVec3,
    /// Symmetric part.
    pub stretch: DMat3,
}

impl Turn {
    /// Takes the step δq of a body at `at` apart.
    pub fn new(at: &Affine, step: &Vec12) -> Self {
        let delta = Affine::from_array(step);
        let x = delta.linear * at.linear.inverse();
        let axial = DVec3::new(x.y_axis.z - x.z_axis.y, x.z_axis.x - x.x_axis.z, x.x_axis.y - x.y_axis.x);
        Self { translation: delta.position, rotation: 0.5 * axial, stretch: 0.5 * (x + x.transpose()) }
    }

    /// No point within `radius` of the centre moves further \[m\].
    pub fn travel_bound(&self, radius: f64) -> f64 {
        let stretch = self.stretch.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        self.translation.length() + radius * (self.rotation.length() + stretch)
    }
}

/// The arm of a rest point, times a sign.
#[inline]
pub fn arm(sign: f64, rest: DVec3) -> Arm {
    [sign * rest.x, sign * rest.y, sign * rest.z, sign]
}

/// Adds the generalised force of a world force with an arm.
#[inline(always)]
pub fn add_force(out: &mut Vec12, force: DVec3, arm: &Arm) {
    for r in 0..3 {
        for c in 0..4 {
            out[4 * r + c] += force[r] * arm[c];
        }
    }
}

/// Adds the pull-back of a 3×3 block between a row arm and a column arm.
#[inline(always)]
pub fn add_block(out: &mut Mat12, block: &DMat3, row: &Arm, column: &Arm) {
    for r in 0..3 {
        for c in 0..4 {
            let target = &mut out.0[4 * r + c];
            for s in 0..3 {
                let value = block.col(s)[r] * row[c];
                for d in 0..4 {
                    target[4 * s + d] += value * column[d];
                }
            }
        }
    }
}

/// The matrix `a bᵀ`.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix of v ×.
pub fn cross_matrix(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// The rotation nearest to a matrix with positive determinant, by Newton's iteration R ← (R + R⁻ᵀ)/2, which
/// squares the error of near rotations.
pub fn polar_rotation(matrix: DMat3) -> DMat3 {
    let mut r = matrix;
    for _ in 0..40 {
        let next = 0.5 * (r + r.inverse().transpose());
        let change = (next - r).abs().to_cols_array().into_iter().fold(0.0, f64::max);
        r = next;
        if change < 1e-15 {
            break;
        }
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_affine() -> Affine {
        let linear =
            DMat3::from_cols(DVec3::new(0.9, 0.3, -0.2), DVec3::new(-0.25, 1.05, 0.1), DVec3::new(0.15, -0.2, 0.95));
        Affine { linear, position: DVec3::new(3.0, -1.0, 0.5) }
    }

    #[test]
    fn coordinates_times_arms_are_points() {
        let (body, rest) = (some_affine(), DVec3::new(0.3, -0.7, 1.1));
        let (q, arm) = (body.to_array(), arm(1.0, rest));
        let point = body.point(rest);
        for r in 0..3 {
            let sum: f64 = (0..4).map(|c| q[4 * r + c] * arm[c]).sum();
            assert!((sum - point[r]).abs() < 1e-15);
        }
        assert_eq!(Affine::from_array(&q), body);
    }

    #[test]
    fn forces_and_blocks_are_those_of_the_jacobian() {
        let (a, b) = (arm(1.0, DVec3::new(0.3, -0.7, 1.1)), arm(-1.0, DVec3::new(0.2, 0.5, -0.4)));
        let jacobian = |arm: &Arm| Mat::<f64, 3, 12>::from_fn(|r, i| if i / 4 == r { arm[i % 4] } else { 0.0 });
        let force = DVec3::new(1.0, 2.0, -3.0);
        let mut pulled = [0.0; 12];
        add_force(&mut pulled, force, &a);
        assert_eq!(pulled, jacobian(&a).transpose_mul_vec(&force.to_array()));
        let block = some_affine().linear;
        let mut out = Mat12::ZERO;
        add_block(&mut out, &block, &a, &b);
        let dense = Mat::<f64, 3, 3>::from_fn(|i, j| block.col(j)[i]);
        let expected = jacobian(&a).transpose_mul(&dense.mul(&jacobian(&b)));
        for i in 0..12 {
            for j in 0..12 {
                assert!((out.0[i][j] - expected.0[i][j]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn a_step_is_a_sum_to_first_order_and_turns_without_stretching() {
        let body = some_affine();
        let step: Vec12 = std::array::from_fn(|i| (i as f64 * 1.7).sin());
        let turn = Turn::new(&body, &step);
        let error = |h: f64| {
            let (moved, q) = (body.stepped(&turn, h).to_array(), body.to_array());
            (0..12).map(|i| (moved[i] - q[i] - h * step[i]).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(1e-3), error(1e-4));
        assert!(coarse < 1e-5 && fine < 0.011 * coarse, "{coarse:e} {fine:e}");
        let spin = Turn { translation: DVec3::ZERO, rotation: DVec3::new(1.0, -2.0, 0.5), stretch: DMat3::ZERO };
        let start = Affine::rigid(DVec3::ZERO, DQuat::from_rotation_x(0.3));
        assert!(start.stepped(&spin, 1.0).distortion() < 1e-14);
    }

    #[test]
    fn the_polar_rotation_is_orthogonal_and_leaves_a_symmetric_stretch() {
        let matrix = some_affine().linear;
        let r = polar_rotation(matrix);
        assert!((Affine { linear: r, position: DVec3::ZERO }).distortion() < 1e-14);
        let stretch = r.transpose() * matrix;
        assert!((stretch - stretch.transpose()).abs().to_cols_array().iter().all(|x| *x < 1e-14));
        assert!(r.determinant() > 0.0);
    }
}
