//! The same work in single precision: every operation rounds to `f32`, and what is stored is an `f32` in an `f64`.

use super::{F64x4, Lanes};
use crate::double::math::{Block6, Mat3, Sym3, Vec3, Vec6};
use crate::single::math as f32_math;

/// Four `f32`, one after the other: what a solver does on hardware without `f64`, to the bit.
#[derive(Clone, Copy, Debug)]
pub struct Single;

type F32x4 = [f32; 4];

#[inline(always)]
fn each(a: F32x4, b: F32x4, f: impl Fn(f32, f32) -> f32) -> F32x4 {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

impl Lanes for Single {
    type Vector = F32x4;
    const TINY: f64 = crate::single::TINY as f64;

    #[inline(always)]
    fn load(self, from: F64x4) -> F32x4 {
        from.map(|x| x as f32)
    }

    #[inline(always)]
    fn store(self, v: F32x4) -> F64x4 {
        v.map(f64::from)
    }

    #[inline(always)]
    fn splat(self, x: f64) -> F32x4 {
        [x as f32; 4]
    }

    #[inline(always)]
    fn add(self, a: F32x4, b: F32x4) -> F32x4 {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: F32x4, b: F32x4) -> F32x4 {
        each(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: F32x4, b: F32x4) -> F32x4 {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, a: F32x4, b: F32x4) -> F32x4 {
        each(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn sqrt(self, a: F32x4) -> F32x4 {
        a.map(f32::sqrt)
    }

    #[inline(always)]
    fn max(self, a: F32x4, b: F32x4) -> F32x4 {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, a: F32x4, b: F32x4) -> F32x4 {
        each(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn where_positive(self, x: F32x4, a: F32x4, b: F32x4) -> F32x4 {
        [0, 1, 2, 3].map(|i| if x[i] > 0.0 { a[i] } else { b[i] })
    }

    #[inline(always)]
    fn sum(self, [a, b, c, d]: F32x4) -> f64 {
        f64::from((a + b) + (c + d))
    }

    #[inline(always)]
    fn solve(self, block: Block6, force: Vec6) -> Vec6 {
        let block = f32_math::Block6 { ll: narrow_sym(block.ll), al: narrow_mat(block.al), aa: narrow_sym(block.aa) };
        widen6(block.solve(narrow6(force)))
    }

    #[inline(always)]
    fn round(self, v: Vec6) -> Vec6 {
        widen6(narrow6(v))
    }
}

#[inline(always)]
fn narrow(v: Vec3) -> f32_math::Vec3 {
    f32_math::Vec3 { x: v.x as f32, y: v.y as f32, z: v.z as f32 }
}

#[inline(always)]
fn narrow6(v: Vec6) -> f32_math::Vec6 {
    f32_math::Vec6 { l: narrow(v.l), a: narrow(v.a) }
}

#[inline(always)]
fn narrow_sym(m: Sym3) -> f32_math::Sym3 {
    f32_math::Sym3 {
        xx: m.xx as f32,
        xy: m.xy as f32,
        xz: m.xz as f32,
        yy: m.yy as f32,
        yz: m.yz as f32,
        zz: m.zz as f32,
    }
}

#[inline(always)]
fn narrow_mat(m: Mat3) -> f32_math::Mat3 {
    f32_math::Mat3 { r0: narrow(m.r0), r1: narrow(m.r1), r2: narrow(m.r2) }
}

#[inline(always)]
fn widen(v: f32_math::Vec3) -> Vec3 {
    Vec3 { x: f64::from(v.x), y: f64::from(v.y), z: f64::from(v.z) }
}

#[inline(always)]
fn widen6(v: f32_math::Vec6) -> Vec6 {
    Vec6 { l: widen(v.l), a: widen(v.a) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Simd4;

    #[test]
    fn every_operation_rounds() {
        let third = Simd4::splat(Single, 1.0) / Simd4::splat(Single, 3.0);
        assert_eq!(third.store(), [f64::from(1.0f32 / 3.0f32); 4]);
        assert_eq!((third * third).store(), [f64::from((1.0f32 / 3.0) * (1.0f32 / 3.0)); 4]);
        // 2²⁴ + 1 is no `f32`.
        assert_eq!((Simd4::splat(Single, 16_777_216.0) + Simd4::splat(Single, 1.0)).sum(), 4.0 * 16_777_216.0);
    }

    #[test]
    fn a_block_is_solved_to_single_precision_and_no_better() {
        let one = Sym3 { xx: 3.0, xy: 0.5, xz: 0.1, yy: 2.0, yz: -0.3, zz: 1.0 };
        let block = Block6 { ll: one, al: Mat3::default(), aa: one };
        let force = Vec6 { l: Vec3 { x: 1.0, y: 2.0, z: 3.0 }, a: Vec3 { x: -1.0, y: 0.3, z: 0.7 } };
        let (exact, rounded) = (block.solve(force), Single.solve(block, force));
        let error = exact.sub(rounded).dot(exact.sub(rounded)).sqrt() / exact.dot(exact).sqrt();
        assert!(error > 1e-10 && error < 1e-6, "{error}");
        assert_eq!(Single.round(rounded), rounded);
    }
}
