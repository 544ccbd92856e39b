//! A spring between two particles.

use super::super::math::{Sym3, Vec3};
use super::super::{Real, TINY};
#[cfg(feature = "gpu")]
use cubecl::prelude::*;

/// A spring at its present ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(CubeType, CubeTypeMut))]
pub struct Spring {
    /// From the first end to the second, of unit length.
    pub direction: Vec3,
    /// Present length \[m\].
    pub length: Real,
    /// Present length less the length at rest \[m\].
    pub stretch: Real,
}

#[cfg_attr(feature = "gpu", cube)]
impl Spring {
    /// The spring of a rest length from `a` to `b` \[m\].
    #[inline(always)]
    pub fn new(a: Vec3, b: Vec3, rest: Real) -> Spring {
        let d = b.sub(a);
        let length = d.length();
        Spring { direction: d.scale(1.0 / (length + TINY)), length, stretch: length - rest }
    }

    /// Force on the first end under a `tension` \[N\]; the second end gets the opposite.
    #[inline(always)]
    pub fn force(self, tension: Real) -> Vec3 {
        self.direction.scale(tension)
    }

    /// Block of one end with itself for a stiffness along the spring \[N/m\] under a tension \[N\]; that between the ends is the
    /// opposite. A spring that pushes would fold sideways: that part is left out.
    #[inline(always)]
    pub fn block(self, stiffness: Real, tension: Real) -> Sym3 {
        let across = tension.max(0.0) / (self.length + TINY);
        Sym3::scaled_identity(across).add(Sym3::scaled_outer(self.direction, stiffness - across))
    }
}
