//! Elementary functions of `Real`: those of `libm` on the CPU, with the same bits on every machine, and the device's own in GPU
//! kernels.

use super::Real;
use super::libm;

/// Sine.
#[inline]
pub fn sin(x: Real) -> Real {
    libm::sin(x)
}

/// Cosine.
#[inline]
pub fn cos(x: Real) -> Real {
    libm::cos(x)
}

/// The angle of the point `(x, y)`.
#[inline]
pub fn atan2(y: Real, x: Real) -> Real {
    libm::atan2(y, x)
}

// `#[cube]` calls the module of a function's name where the CPU calls the function. The functions above hide those of the twin;
// its modules come through.
#[cfg(feature = "gpu")]
pub use device::*;

/// The twins of the functions above. Only what `#[cube]` makes of them is used.
#[cfg(feature = "gpu")]
#[allow(clippy::disallowed_methods)]
mod device {
    use super::Real;
    use cubecl::prelude::*;

    #[cube]
    pub fn sin(x: Real) -> Real {
        x.sin()
    }

    #[cube]
    pub fn cos(x: Real) -> Real {
        x.cos()
    }

    #[cube]
    pub fn atan2(y: Real, x: Real) -> Real {
        y.atan2(x)
    }
}
