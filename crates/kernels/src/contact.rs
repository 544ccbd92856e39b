//! Contact points in the frame of their manifold: first axis along the normal, the other two across.
//! There a row is a component, its stiffness a diagonal, and the points of a manifold share one
//! rotation into the world.

use super::Real;
use super::math::{Block6, Mat3, Sym3, Vec3, Vec6};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// What a contact point answers to a displacement, in the frame of its manifold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct ContactForce {
    /// Force on the second body \[N\]; the first component, never negative, is the normal one.
    pub force: Vec3,
    /// Share of the trial friction that fits the cone: 1 sticks, less slides.
    pub stick: Real,
}

/// Force of a contact point at constraint values `value` (gap, then slip) \[m\] with multipliers
/// `lambda` \[N\], penalties `rho_n`, `rho_t` \[N/m\] and friction coefficient `mu`.
///
/// Normal force `max(0, λ_n − ρ_n·gap)`; friction `λ_t − ρ_t·slip` scaled back onto the cone of the
/// *current* normal force.
#[inline(always)]
#[cfg_attr(feature = "gpu", cube)]
pub fn contact_force(value: Vec3, lambda: Vec3, rho_n: Real, rho_t: Real, mu: Real) -> ContactForce {
    let normal = (lambda.x - rho_n * value.x).max(0.0);
    let y = lambda.y - rho_t * value.y;
    let z = lambda.z - rho_t * value.z;
    let trial_squared = y * y + z * z;
    let cone = mu * normal;
    let mut stick = 1.0;
    if trial_squared > cone * cone {
        stick = cone / trial_squared.sqrt();
    }
    ContactForce { force: Vec3 { x: normal, y: y * stick, z: z * stick }, stick }
}

/// Wrench and stiffness of the points of a manifold on one of its bodies, in the manifold's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct ManifoldSum {
    /// Sum of forces.
    pub force: Vec3,
    /// Sum of torques about the centre of mass.
    pub torque: Vec3,
    /// Normal stiffness.
    pub a: Real,
    /// Tangential stiffness.
    pub b: Real,
    /// Tangential stiffness times lever.
    pub b_lever: Vec3,
    /// Normal stiffness times the second component of the lever.
    pub a_y: Real,
    /// Normal stiffness times the third component of the lever.
    pub a_z: Real,
    /// Angular block.
    pub angular: Sym3,
}

#[cfg_attr(feature = "gpu", cube)]
impl ManifoldSum {
    /// With a force `f` of stiffness diag(a, b, b) at lever `r` added.
    #[inline(always)]
    pub fn add(self, f: Vec3, r: Vec3, a: Real, b: Real) -> ManifoldSum {
        let bx = b * r.x;
        let by = b * r.y;
        let bz = b * r.z;
        let ay = a * r.y;
        let az = a * r.z;
        ManifoldSum {
            force: self.force.add(f),
            torque: self.torque.add(r.cross(f)),
            a: self.a + a,
            b: self.b + b,
            b_lever: Vec3 { x: self.b_lever.x + bx, y: self.b_lever.y + by, z: self.b_lever.z + bz },
            a_y: self.a_y + ay,
            a_z: self.a_z + az,
            angular: Sym3 {
                xx: self.angular.xx + by * r.y + bz * r.z,
                xy: self.angular.xy - bx * r.y,
                xz: self.angular.xz - bx * r.z,
                yy: self.angular.yy + az * r.z + bx * r.x,
                yz: self.angular.yz - ay * r.z,
                zz: self.angular.zz + ay * r.y + bx * r.x,
            },
        }
    }

    /// The wrench in world axes; `frame` has the axes of the manifold as rows.
    #[inline(always)]
    pub fn wrench(self, frame: Mat3) -> Vec6 {
        Vec6 { l: frame.mul_transposed(self.force), a: frame.mul_transposed(self.torque) }
    }

    /// The stiffness in world axes.
    #[inline(always)]
    pub fn stiffness(self, frame: Mat3) -> Block6 {
        // Σ [r]× diag(a, b, b), row by row.
        let coupling = Mat3 {
            r0: Vec3 { x: 0.0, y: -self.b_lever.z, z: self.b_lever.y },
            r1: Vec3 { x: self.a_z, y: 0.0, z: -self.b_lever.x },
            r2: Vec3 { x: -self.a_y, y: self.b_lever.x, z: 0.0 },
        };
        let half = Mat3 {
            r0: frame.mul_transposed(coupling.r0),
            r1: frame.mul_transposed(coupling.r1),
            r2: frame.mul_transposed(coupling.r2),
        };
        let n = frame.r0;
        let t = frame.r1;
        let u = frame.r2;
        let al = Mat3 {
            r0: half.r0.scale(n.x).add(half.r1.scale(t.x)).add(half.r2.scale(u.x)),
            r1: half.r0.scale(n.y).add(half.r1.scale(t.y)).add(half.r2.scale(u.y)),
            r2: half.r0.scale(n.z).add(half.r1.scale(t.z)).add(half.r2.scale(u.z)),
        };
        let columns = Mat3 {
            r0: Vec3 { x: n.x, y: t.x, z: u.x },
            r1: Vec3 { x: n.y, y: t.y, z: u.y },
            r2: Vec3 { x: n.z, y: t.z, z: u.z },
        };
        Block6 {
            ll: Sym3::scaled_identity(self.b).add(Sym3::scaled_outer(n, self.a - self.b)),
            al,
            aa: columns.congruence(self.angular),
        }
    }
}
