//! Symmetric 2×2 matrices: strain and stress of a sheet.

use super::super::{Real, TINY};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A symmetric 2×2 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Sym2 {
    /// Entry (0, 0).
    pub xx: Real,
    /// Entry (1, 1).
    pub yy: Real,
    /// Entry (0, 1).
    pub xy: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl Sym2 {
    /// `self + b · s`.
    #[inline(always)]
    pub fn add_scaled(self, b: Sym2, s: Real) -> Sym2 {
        Sym2 { xx: self.xx + b.xx * s, yy: self.yy + b.yy * s, xy: self.xy + b.xy * s }
    }

    /// `s · self`.
    #[inline(always)]
    pub fn scale(self, s: Real) -> Sym2 {
        Sym2 { xx: self.xx * s, yy: self.yy * s, xy: self.xy * s }
    }

    /// `aᵀ · self · b`.
    #[inline(always)]
    pub fn between(self, a0: Real, a1: Real, b0: Real, b1: Real) -> Real {
        a0 * (self.xx * b0 + self.xy * b1) + a1 * (self.xy * b0 + self.yy * b1)
    }

    /// Half the difference of the two eigenvalues.
    #[inline(always)]
    fn spread(self) -> Real {
        let half = 0.5 * (self.xx - self.yy);
        (half * half + self.xy * self.xy).sqrt()
    }

    /// The largest eigenvalue.
    #[inline(always)]
    pub fn largest(self) -> Real {
        0.5 * (self.xx + self.yy) + self.spread()
    }

    /// The largest magnitude of an eigenvalue.
    #[inline(always)]
    pub fn norm(self) -> Real {
        (0.5 * (self.xx + self.yy)).abs() + self.spread()
    }

    /// The nearest matrix without negative eigenvalues.
    #[inline(always)]
    pub fn positive_part(self) -> Sym2 {
        let mean = 0.5 * (self.xx + self.yy);
        let spread = self.spread();
        let high = (mean + spread).max(0.0);
        let low = (mean - spread).max(0.0);
        let kept = 0.5 * (high - low) / (spread + TINY);
        let middle = 0.5 * (high + low);
        Sym2 { xx: middle + kept * (self.xx - mean), yy: middle + kept * (self.yy - mean), xy: kept * self.xy }
    }
}
