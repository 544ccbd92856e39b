//! Mass, centre of mass and inertia.

use drystone_kernels::elementary::hypot;
use std::iter::Sum;
use std::ops::Add;

use glamx::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::Pose;

/// Mass, centre of mass and inertia tensor of a body or a shape.
///
/// ```
/// use drystone_geometry::{DVec3, MassProperties, Pose, Shape};
///
/// // A dumbbell: two balls of 1 kg, two metres apart.
/// let ball = Shape::sphere(0.1)?.mass_properties(1.0)?.scaled_to_mass(1.0);
/// let left = ball.transformed(&Pose::from_translation(-DVec3::X));
/// let right = ball.transformed(&Pose::from_translation(DVec3::X));
/// let dumbbell: MassProperties = [left, right].into_iter().sum();
/// assert_eq!((dumbbell.mass, dumbbell.com), (2.0, DVec3::ZERO));
/// assert!((dumbbell.inertia.y_axis.y - (2.0 + 2.0 * 0.4 * 0.01)).abs() < 1e-14);
/// # Ok::<(), drystone_geometry::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the frame the properties were asked for \[m\].
    pub com: DVec3,
    /// Inertia tensor about the centre of mass, in the axes of that frame \[kg·m²\].
    pub inertia: DMat3,
}

impl Default for MassProperties {
    fn default() -> Self {
        Self::ZERO
    }
}

impl MassProperties {
    /// No mass at all: the neutral element of the sum.
    pub const ZERO: Self = Self { mass: 0.0, com: DVec3::ZERO, inertia: DMat3::ZERO };

    /// Mass \[kg\] centred on the origin, with the axes of the frame as principal axes and `moments` about them \[kg·m²\].
    pub fn centered(mass: f64, moments: DVec3) -> Self {
        Self { mass, com: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }
    }

    /// From the integrals of density over a solid: `mass = ∫ρ` \[kg\], `first = ∫ρ x` \[kg·m\] and
    /// `second = ∫ρ x xᵀ` \[kg·m²\], all about the origin of the frame.
    pub fn from_moments(mass: f64, first: DVec3, second: DMat3) -> Self {
        let com = first / mass;
        let second = second - outer(first, com);
        Self { mass, com, inertia: inertia_of_second_moment(second) }
    }

    /// `∫ρ (x−com)(x−com)ᵀ` \[kg·m²\]: what affine bodies use in place of the inertia tensor.
    pub fn second_moment(&self) -> DMat3 {
        let trace = self.inertia.diagonal().element_sum();
        DMat3::from_diagonal(DVec3::splat(0.5 * trace)) - self.inertia
    }

    /// The same matter seen from the frame in which the old frame sits at `pose`.
    pub fn transformed(&self, pose: &Pose) -> Self {
        let rotation = DMat3::from_quat(pose.rotation);
        Self {
            mass: self.mass,
            com: pose.transform_point(self.com),
            inertia: symmetrized(rotation * self.inertia * rotation.transpose()),
        }
    }

    /// The same shape of matter with another total mass \[kg\].
    pub fn scaled_to_mass(&self, mass: f64) -> Self {
        Self { mass, com: self.com, inertia: self.inertia * (mass / self.mass) }
    }

    /// Inertia tensor about `point` instead of the centre of mass \[kg·m²\] (parallel axis theorem).
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia + self.mass * steiner(self.com - point)
    }

    /// Principal moments in ascending order \[kg·m²\] and the rotation whose columns are their axes:
    /// `inertia = R diag(moments) Rᵀ`.
    pub fn principal_axes(&self) -> (DVec3, DQuat) {
        let (moments, axes) = symmetric_eigen(self.inertia);
        (moments, DQuat::from_mat3(&axes).normalize())
    }

    /// True if matter can have these properties: positive finite mass, finite centre, symmetric inertia whose
    /// principal moments are not negative and obey the triangle inequality (to a few rounding errors).
    pub fn is_physical(&self) -> bool {
        let finite = self.mass.is_finite() && self.com.is_finite() && self.inertia.is_finite();
        if !finite || self.mass <= 0.0 {
            return false;
        }
        let asymmetry = self.inertia - self.inertia.transpose();
        let (m, _) = symmetric_eigen(symmetrized(self.inertia));
        let tolerance = 1e-9 * m.z.abs();
        asymmetry.abs().to_cols_array().iter().all(|x| *x <= tolerance)
            && m.x >= -tolerance
            && m.x + m.y >= m.z - tolerance
    }
}

impl Add for MassProperties {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return Self::ZERO;
        }
        let apart = other.com - self.com;
        let share = other.mass / mass;
        Self {
            mass,
            com: self.com + share * apart,
            inertia: self.inertia + other.inertia + (self.mass * share) * steiner(apart),
        }
    }
}

impl Sum for MassProperties {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::ZERO, Add::add)
    }
}

/// Inertia tensor of a unit point mass at `r`: `|r|² 1 − r rᵀ`.
fn steiner(r: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r, r)
}

/// Inertia tensor from the second moment `∫ρ x xᵀ`: `tr(S) 1 − S`.
fn inertia_of_second_moment(second: DMat3) -> DMat3 {
    let trace = second.diagonal().element_sum();
    symmetrized(DMat3::from_diagonal(DVec3::splat(trace)) - second)
}

/// The matrix `a bᵀ`.
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

fn symmetrized(m: DMat3) -> DMat3 {
    0.5 * (m + m.transpose())
}

/// Eigenvalues in ascending order and a right-handed matrix of eigenvectors (columns) of a symmetric matrix,
/// by cyclic Jacobi rotations: slower than closed forms, but good to the last digits for any spectrum.
pub fn symmetric_eigen(matrix: DMat3) -> (DVec3, DMat3) {
    let mut a = matrix.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    for _sweep in 0..30 {
        let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        if off <= f64::MIN_POSITIVE || !off.is_finite() {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            jacobi_rotate(&mut a, &mut v, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    let column = |i: usize| DVec3::from_array(v[order[i]]);
    let moments = DVec3::new(a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]);
    let axes = DMat3::from_cols(column(0), column(1), column(0).cross(column(1)));
    (moments, axes)
}

/// One Jacobi rotation that clears `a[p][q]`; eigenvectors are the rows of `v`.
fn jacobi_rotate(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + hypot(theta, 1.0));
    let c = 1.0 / hypot(t, 1.0);
    let s = t * c;
    let apq = a[p][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    let r = 3 - p - q;
    let (arp, arq) = (a[r][p], a[r][q]);
    a[r][p] = c * arp - s * arq;
    a[p][r] = a[r][p];
    a[r][q] = s * arp + c * arq;
    a[q][r] = a[r][q];
    for k in 0..3 {
        let (vp, vq) = (v[p][k], v[q][k]);
        v[p][k] = c * vp - s * vq;
        v[q][k] = s * vp + c * vq;
    }
}
