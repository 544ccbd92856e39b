//! Four `f64` at once. [`run`] compiles a [`Task`] twice, for processors with AVX2 and for all others, and picks
//! at run time. Both do the same operations in the same order and never fuse a product with a sum, so
//! the results are the same to the bit on every machine.

mod block6;
mod single;
mod turns;
mod wide;

use std::ops::{Add, AddAssign, Div, Mul, Sub};

pub use block6::{FourBlock6, FourRows, FourVec6};
pub use single::Single;
pub use wide::{Vectors, Wide3, WideMatrix, WideSym, WideTurn};

use crate::double::math::{Block6, Vec6};

/// The numbers of four lanes in memory.
pub type F64x4 = [f64; 4];

/// Work to be done with four lanes.
pub trait Task {
    /// What it returns.
    type Output;

    /// Does the work. Must be `#[inline(always)]`, as all it calls.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Does a task with the widest arithmetic the processor has.
#[inline]
pub fn run<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = avx2::Avx2::try_new() {
        return token.run(task);
    }
    task.run(Plain)
}

/// Does a task in single precision.
#[inline]
pub fn run_single<T: Task>(task: T) -> T::Output {
    task.run(Single)
}

/// A way to compute with four numbers.
pub trait Lanes: Copy {
    /// Four numbers in a register.
    type Vector: Copy;
    /// What may be added to a divisor to keep it from being zero.
    const TINY: f64 = crate::double::TINY;
    /// From memory.
    fn load(self, from: F64x4) -> Self::Vector;
    /// To memory.
    fn store(self, v: Self::Vector) -> F64x4;
    /// The same number four times.
    fn splat(self, x: f64) -> Self::Vector;
    /// Sum.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Difference.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Product.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Quotient.
    fn div(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Square root.
    fn sqrt(self, a: Self::Vector) -> Self::Vector;
    /// The larger one; `b` if they do not compare.
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The smaller one; `b` if they do not compare.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a` where `x` is above zero, `b` elsewhere.
    fn where_positive(self, x: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Whether any of the four is above zero.
    #[inline(always)]
    fn any_positive(self, x: Self::Vector) -> bool {
        let [a, b, c, d] = self.store(x);
        a > 0.0 || b > 0.0 || c > 0.0 || d > 0.0
    }

    /// Sum of the four, pair by pair.
    #[inline(always)]
    fn sum(self, v: Self::Vector) -> f64 {
        let [a, b, c, d] = self.store(v);
        (a + b) + (c + d)
    }

    /// Sums of four vectors, one in each lane: what [`sum`](Self::sum) gives for each.
    #[inline(always)]
    fn sums(self, [a, b, c, d]: [Self::Vector; 4]) -> Self::Vector {
        self.load([self.sum(a), self.sum(b), self.sum(c), self.sum(d)])
    }

    /// Solves the block of a body in the precision of the lanes.
    #[inline(always)]
    fn solve(self, block: Block6, force: Vec6) -> Vec6 {
        block.solve(force)
    }

    /// A vector as this precision holds it.
    #[inline(always)]
    fn round(self, v: Vec6) -> Vec6 {
        v
    }
}

/// Four numbers with the operators of one.
#[derive(Clone, Copy)]
pub struct Simd4<L: Lanes> {
    lanes: L,
    v: L::Vector,
}

impl<L: Lanes> Simd4<L> {
    /// From memory.
    #[inline(always)]
    pub fn load(lanes: L, from: &F64x4) -> Self {
        Self { lanes, v: lanes.load(*from) }
    }

    /// The same number four times.
    #[inline(always)]
    pub fn splat(lanes: L, x: f64) -> Self {
        Self { lanes, v: lanes.splat(x) }
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self) -> F64x4 {
        self.lanes.store(self.v)
    }

    /// Sum of the four, pair by pair.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        self.lanes.sum(self.v)
    }

    /// Sums of four, one in each lane.
    #[inline(always)]
    pub fn sums([a, b, c, d]: [Self; 4]) -> Self {
        Self { v: a.lanes.sums([a.v, b.v, c.v, d.v]), ..a }
    }

    /// The way these are computed with.
    #[inline(always)]
    pub fn lanes(self) -> L {
        self.lanes
    }

    /// The same number four times, in lanes like these.
    #[inline(always)]
    pub fn like(self, x: f64) -> Self {
        Self::splat(self.lanes, x)
    }

    /// Square root.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self { v: self.lanes.sqrt(self.v), ..self }
    }

    /// The larger one.
    #[inline(always)]
    pub fn max(self, b: Self) -> Self {
        Self { v: self.lanes.max(self.v, b.v), ..self }
    }

    /// The smaller one.
    #[inline(always)]
    pub fn min(self, b: Self) -> Self {
        Self { v: self.lanes.min(self.v, b.v), ..self }
    }

    /// Whether any of the four is above zero.
    #[inline(always)]
    pub fn any_positive(self) -> bool {
        self.lanes.any_positive(self.v)
    }

    /// `a` where this is above zero, `b` elsewhere.
    #[inline(always)]
    pub fn where_positive(self, a: Self, b: Self) -> Self {
        Self { v: self.lanes.where_positive(self.v, a.v, b.v), ..self }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl<L: Lanes> $trait for Simd4<L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                Self { v: self.lanes.$method(self.v, b.v), ..self }
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl<L: Lanes> AddAssign for Simd4<L> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

/// One number after the other, for processors without wider arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

#[inline(always)]
fn each(a: F64x4, b: F64x4, f: impl Fn(f64, f64) -> f64) -> F64x4 {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

impl Lanes for Plain {
    type Vector = F64x4;

    #[inline(always)]
    fn load(self, from: F64x4) -> F64x4 {
        from
    }

    #[inline(always)]
    fn store(self, v: F64x4) -> F64x4 {
        v
    }

    #[inline(always)]
    fn splat(self, x: f64) -> F64x4 {
        [x; 4]
    }

    #[inline(always)]
    fn add(self, a: F64x4, b: F64x4) -> F64x4 {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: F64x4, b: F64x4) -> F64x4 {
        each(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: F64x4, b: F64x4) -> F64x4 {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, a: F64x4, b: F64x4) -> F64x4 {
        each(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn sqrt(self, a: F64x4) -> F64x4 {
        a.map(f64::sqrt)
    }

    #[inline(always)]
    fn max(self, a: F64x4, b: F64x4) -> F64x4 {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, a: F64x4, b: F64x4) -> F64x4 {
        each(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn where_positive(self, x: F64x4, a: F64x4, b: F64x4) -> F64x4 {
        [0, 1, 2, 3].map(|i| if x[i] > 0.0 { a[i] } else { b[i] })
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::__m256d;

    use pulp::x86::V3;

    use super::{F64x4, Lanes, Task};

    /// A processor with AVX2.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(V3);

    struct Call<T>(T, Avx2);

    impl<T: Task> pulp::NullaryFnOnce for Call<T> {
        type Output = T::Output;

        #[inline(always)]
        fn call(self) -> T::Output {
            self.0.run(self.1)
        }
    }

    impl Avx2 {
        #[inline]
        pub fn try_new() -> Option<Self> {
            V3::try_new().map(Self)
        }

        #[inline(always)]
        pub fn run<T: Task>(self, task: T) -> T::Output {
            self.0.vectorize(Call(task, self))
        }

        #[inline(always)]
        fn positive(self, x: __m256d) -> __m256d {
            const ABOVE: i32 = std::arch::x86_64::_CMP_GT_OQ;
            self.0.avx._mm256_cmp_pd::<ABOVE>(x, self.0.avx._mm256_setzero_pd())
        }
    }

    impl Lanes for Avx2 {
        type Vector = __m256d;

        #[inline(always)]
        fn load(self, from: F64x4) -> __m256d {
            pulp::cast(from)
        }

        #[inline(always)]
        fn store(self, v: __m256d) -> F64x4 {
            pulp::cast(v)
        }

        #[inline(always)]
        fn splat(self, x: f64) -> __m256d {
            self.0.avx._mm256_set1_pd(x)
        }

        #[inline(always)]
        fn add(self, a: __m256d, b: __m256d) -> __m256d {
            self.0.avx._mm256_add_pd(a, b)
        }

        #[inline(always)]
        fn sub(self, a: __m256d, b: __m256d) -> __m256d {
            self.0.avx._mm256_sub_pd(a, b)
        }

        #[inline(always)]
        fn mul(self, a: __m256d, b: __m256d) -> __m256d {
            self.0.avx._mm256_mul_pd(a, b)
        }

        #[inline(always)]
        fn div(self, a: __m256d, b: __m256d) -> __m256d {
            self.0.avx._mm256_div_pd(a, b)
        }

        #[inline(always)]
        fn sqrt(self, a: __m256d) -> __m256d {
            self.0.avx._mm256_sqrt_pd(a)
        }

        #[inline(always)]
        fn max(self, a: __m256d, b: __m256d) -> __m256d {
            self.0.avx._mm256_max_pd(a, b)
        }

        #[inline(always)]
        fn min(self, a: __m256d, b: __m256d) -> __m256d {
            self.0.avx._mm256_min_pd(a, b)
        }

        #[inline(always)]
        fn sums(self, [a, b, c, d]: [__m256d; 4]) -> __m256d {
            let avx = self.0.avx;
            // a₀+a₁, b₀+b₁, a₂+a₃, b₂+b₃; the same of c and d; then halves that belong together.
            let ab = avx._mm256_add_pd(avx._mm256_unpacklo_pd(a, b), avx._mm256_unpackhi_pd(a, b));
            let cd = avx._mm256_add_pd(avx._mm256_unpacklo_pd(c, d), avx._mm256_unpackhi_pd(c, d));
            let low = avx._mm256_permute2f128_pd::<0x20>(ab, cd);
            let high = avx._mm256_permute2f128_pd::<0x31>(ab, cd);
            avx._mm256_add_pd(low, high)
        }

        #[inline(always)]
        fn any_positive(self, x: __m256d) -> bool {
            self.0.avx._mm256_movemask_pd(self.positive(x)) != 0
        }

        #[inline(always)]
        fn where_positive(self, x: __m256d, a: __m256d, b: __m256d) -> __m256d {
            self.0.avx._mm256_blendv_pd(b, a, self.positive(x))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Everything([F64x4; 3]);

    impl Task for Everything {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Vec<u64> {
            let [a, b, c] = self.0.map(|x| Simd4::load(lanes, &x));
            let zero = Simd4::splat(lanes, 0.0);
            let mut sum = a * b + c;
            sum += a / b - c;
            let results = [
                sum,
                (a * a).sqrt(),
                a.max(b),
                a.min(b),
                a.where_positive(b, c),
                (a - b).max(zero),
                Simd4::sums([a, b, c, a]),
            ];
            let stored = results.iter().flat_map(|r| r.store().into_iter().chain([r.sum()])).map(f64::to_bits);
            stored.chain([a, b, (a - b).min(zero), zero].map(|x| u64::from(x.any_positive()))).collect()
        }
    }

    #[test]
    fn wide_and_plain_arithmetic_agree_to_the_bit() {
        let mut random = drystone_random::Random::new(1);
        let mut number = || random.signed() * 10f64.powi(random.below(37) as i32 - 18);
        for _ in 0..1000 {
            let numbers = [(); 3].map(|()| [(); 4].map(|()| number()));
            assert_eq!(run(Everything(numbers)), Everything(numbers).run(Plain));
        }
    }
}
