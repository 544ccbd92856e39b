//! Inverse effective mass of the two bodies of a manifold at its points.

use drystone_kernels::double::math::{Sym3, Vec3};
use drystone_kernels::lanes::{F64x4, Lanes, Simd4, Task};

use super::bodies::Bodies;
use super::rows::Manifold;
use super::simd::SimdVec3;

/// Inverse effective masses at the points of a manifold: along the normal, and the larger one across it \[1/kg\].
pub struct InverseMasses<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// The manifold; its levers are read.
    pub manifold: &'a Manifold,
}

impl Task for InverseMasses<'_> {
    type Output = [F64x4; 2];

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [F64x4; 2] {
        let manifold = self.manifold;
        let [n, t, b] = frame(manifold.normal).map(|axis| SimdVec3::splat(lanes, axis));
        let lever = SimdVec3::load(lanes, &manifold.lever);
        let zero = Simd4::splat(lanes, 0.0);
        let (mut nn, mut tt, mut tb, mut bb) = (zero, zero, zero, zero);
        for (side, r) in [lever, lever.add(SimdVec3::splat(lanes, manifold.span))].into_iter().enumerate() {
            let slot = manifold.body[side] as usize;
            let inverse = Simd4::splat(lanes, self.bodies.inv_mass[slot]);
            let turn = |v| mul(lanes, &self.bodies.inv_inertia[slot], v);
            let (rn, rt, rb) = (r.cross(n), r.cross(t), r.cross(b));
            let turned = turn(rt);
            nn += inverse + turn(rn).dot(rn);
            tt += inverse + turned.dot(rt);
            tb += turned.dot(rb);
            bb += inverse + turn(rb).dot(rb);
        }
        let half = Simd4::splat(lanes, 0.5);
        let (mean, apart) = (half * (tt + bb), half * (tt - bb));
        [nn.store(), (mean + (apart * apart + tb * tb).sqrt()).store()]
    }
}

#[inline(always)]
fn mul<L: Lanes>(lanes: L, m: &Sym3, v: SimdVec3<L>) -> SimdVec3<L> {
    let entry = |x| Simd4::splat(lanes, x);
    let row = |x, y, z| entry(x) * v.x + entry(y) * v.y + entry(z) * v.z;
    SimdVec3 { x: row(m.xx, m.xy, m.xz), y: row(m.xy, m.yy, m.yz), z: row(m.xz, m.yz, m.zz) }
}

/// `n` and two unit vectors across it.
#[inline(always)]
fn frame(n: Vec3) -> [Vec3; 3] {
    let axis = if n.x.abs() < 0.6 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
    let t = n.cross(axis);
    let t = t.scale(1.0 / t.length());
    [n, t, n.cross(t)]
}
