//! Inverse effective mass of the two bodies of a manifold at its points.

use drystone_kernels::double::math::{Sym3, Vec3};
use drystone_kernels::lanes::{Lanes, Simd4};

use super::bodies::Bodies;
use super::rows::Manifold;
use super::simd::SimdVec3;

/// Inverse effective masses at the points of a manifold, by its levers: along the normal, and the larger one across it \[1/kg\].
#[inline(always)]
pub fn inverse_masses<L: Lanes>(lanes: L, bodies: &Bodies, manifold: &Manifold) -> [Simd4<L>; 2] {
    let [n, t, b] = frame(manifold.normal);
    let (n, t, b) = (SimdVec3::splat(lanes, n), SimdVec3::splat(lanes, t), SimdVec3::splat(lanes, b));
    let lever = SimdVec3::load(lanes, &manifold.lever);
    let zero = Simd4::splat(lanes, 0.0);
    let (mut nn, mut tt, mut tb, mut bb) = (zero, zero, zero, zero);
    for (side, r) in [lever, lever.add(SimdVec3::splat(lanes, manifold.span))].into_iter().enumerate() {
        let slot = manifold.body[side] as usize;
        let (inverse, turn) = (Simd4::splat(lanes, bodies.inv_mass[slot]), &bodies.inv_inertia[slot]);
        let (rn, rt, rb) = (r.cross(n), r.cross(t), r.cross(b));
        let turned = mul(lanes, turn, rt);
        nn += inverse + mul(lanes, turn, rn).dot(rn);
        tt += inverse + turned.dot(rt);
        tb += turned.dot(rb);
        bb += inverse + mul(lanes, turn, rb).dot(rb);
    }
    let half = Simd4::splat(lanes, 0.5);
    let (mean, apart) = (half * (tt + bb), half * (tt - bb));
    [nn, mean + (apart * apart + tb * tb).sqrt()]
}

#[inline(always)]
fn mul<L: Lanes>(lanes: L, m: &Sym3, v: SimdVec3<L>) -> SimdVec3<L> {
    let (xx, xy, xz) = (Simd4::splat(lanes, m.xx), Simd4::splat(lanes, m.xy), Simd4::splat(lanes, m.xz));
    let (yy, yz, zz) = (Simd4::splat(lanes, m.yy), Simd4::splat(lanes, m.yz), Simd4::splat(lanes, m.zz));
    SimdVec3 { x: xx * v.x + xy * v.y + xz * v.z, y: xy * v.x + yy * v.y + yz * v.z, z: xz * v.x + yz * v.y + zz * v.z }
}

/// `n` and two unit vectors across it.
#[inline(always)]
fn frame(n: Vec3) -> [Vec3; 3] {
    let axis = if n.x.abs() < 0.6 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
    let t = n.cross(axis);
    let t = t.scale(1.0 / t.length());
    [n, t, n.cross(t)]
}
