//! Bodies in the precision of the passes.

use drystone_kernels::double;
use glamx::{DQuat, DVec3};

use super::super::bodies::{Body, BodyConstants};
use super::Real;
use super::kernels::math::{Quat, Sym3, Vec3, Vec6};
use super::kernels::rotation::world_inertia;

/// What of a body never changes.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    inverse_mass: Real,
    inverse: Sym3,
}

impl Constants {
    /// In the precision of the passes.
    pub fn new(body: &BodyConstants) -> Self {
        Self { inverse_mass: body.inverse_mass as Real, inverse: cast_sym3(body.inverse_inertia) }
    }
}

/// A body in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moving {
    /// Velocity without constraints; that of the user for what does not move.
    pub free: Vec6,
    /// Inverse mass, zero for what does not move \[1/kg\].
    pub inverse_mass: Real,
    /// Inverse inertia at the start, world frame \[1/(kg·m²)\].
    pub inverse_inertia: Sym3,
}

impl Moving {
    /// A body as the passes see it.
    pub fn new(body: &Body, constants: &Constants) -> Self {
        let orientation = cast_quat(body.rotation);
        let free = Vec6 { l: narrow(body.free.l), a: narrow(body.free.a) };
        if !body.moves {
            return Self { free, ..Self::default() };
        }
        let inverse_inertia = world_inertia(orientation, constants.inverse);
        Self { free, inverse_mass: constants.inverse_mass, inverse_inertia }
    }
}

/// A vector in the precision of the passes.
#[inline(always)]
pub fn cast(v: DVec3) -> Vec3 {
    Vec3 { x: v.x as Real, y: v.y as Real, z: v.z as Real }
}

/// A vector in double precision.
#[inline(always)]
pub fn widen(v: Vec3) -> DVec3 {
    DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

fn narrow(v: double::math::Vec3) -> Vec3 {
    Vec3 { x: v.x as Real, y: v.y as Real, z: v.z as Real }
}

fn cast_quat(q: DQuat) -> Quat {
    Quat { x: q.x as Real, y: q.y as Real, z: q.z as Real, w: q.w as Real }
}

fn cast_sym3(m: double::math::Sym3) -> Sym3 {
    Sym3 { xx: m.xx as Real, xy: m.xy as Real, xz: m.xz as Real, yy: m.yy as Real, yz: m.yz as Real, zz: m.zz as Real }
}
