//! The scalar the block algebra is written against.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// A floating-point number: `f32` or `f64`.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Distance from 1 to the next larger number.
    const EPSILON: Self;
    /// The nearest number of this precision.
    fn of(value: f64) -> Self;
    /// As double precision.
    fn to_f64(self) -> f64;
    /// Square root.
    fn sqrt(self) -> Self;
}

impl Real for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const EPSILON: Self = f64::EPSILON;

    fn of(value: f64) -> Self {
        value
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }

    fn to_f64(self) -> f64 {
        self
    }
}

impl Real for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const EPSILON: Self = f32::EPSILON;

    fn of(value: f64) -> Self {
        value as f32
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}
