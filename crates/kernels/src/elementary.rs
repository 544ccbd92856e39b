//! Elementary functions with the same bits on every machine.
//!
//! The standard library leaves them to the system's C library, or to the compiler where an argument is known: both round the
//! last bit as they like, and a step of a simulation carries it on. Here they are those of the `libm` crate, which are plain
//! arithmetic. Everything that a state depends on takes them from here; `clippy.toml` refuses the others.
//!
//! `sqrt`, `abs`, `floor` and their like are exact by IEEE 754 and stay methods.

/// Natural logarithm.
pub use libm::log as ln;
/// Natural logarithm of one more than the argument.
pub use libm::log1p as ln_1p;
/// Sine and cosine.
pub use libm::sincos as sin_cos;
pub use libm::{acos, asin, atan, atan2, cbrt, cos, cosh, exp, hypot, log2, log10, pow, sin, sinh, tan};

/// `x` to a whole power, by squaring.
///
/// The standard library's leaves the order of the products open.
#[inline]
pub fn powi(x: f64, power: i32) -> f64 {
    let (mut result, mut square, mut left) = (1.0, x, power.unsigned_abs());
    loop {
        if left & 1 == 1 {
            result *= square;
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        square *= square;
    }
    if power < 0 { 1.0 / result } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within one unit in the last place of the true values.
    #[test]
    fn the_functions_are_what_their_names_say() {
        let near = |got: f64, expected: f64| {
            assert!((got - expected).abs() <= f64::EPSILON * expected.abs(), "{got} {expected}")
        };
        near(sin(0.5), 0.479_425_538_604_203);
        near(cos(0.5), 0.877_582_561_890_372_8);
        near(tan(0.5), 0.546_302_489_843_790_5);
        near(asin(0.5), std::f64::consts::FRAC_PI_6);
        near(acos(0.5), std::f64::consts::FRAC_PI_3);
        near(atan(0.5), 0.463_647_609_000_806_1);
        near(atan2(0.5, -1.0), 2.677_945_044_588_987);
        near(sinh(0.5), 0.521_095_305_493_747_4);
        near(cosh(0.5), 1.127_625_965_206_380_7);
        near(exp(0.5), 1.648_721_270_700_128_2);
        near(ln(0.5), -std::f64::consts::LN_2);
        near(ln_1p(0.5), 0.405_465_108_108_164_4);
        near(log2(8.0), 3.0);
        near(log10(1000.0), 3.0);
        near(cbrt(2.0), 1.259_921_049_894_873_2);
        near(pow(2.0, 0.5), std::f64::consts::SQRT_2);
        near(hypot(3.0, -4.0), 5.0);
        assert_eq!(sin_cos(0.5), (sin(0.5), cos(0.5)));
    }

    #[test]
    fn whole_powers_are_products() {
        let x = 1.000_000_1_f64;
        assert_eq!(powi(x, 0), 1.0);
        assert_eq!(powi(x, 1), x);
        assert_eq!(powi(x, 2), x * x);
        assert_eq!(powi(x, 3), x * (x * x));
        assert_eq!(powi(x, 5), x * ((x * x) * (x * x)));
        assert_eq!(powi(x, -3), 1.0 / (x * (x * x)));
        assert_eq!(powi(2.0, -1022), f64::MIN_POSITIVE);
        assert_eq!(powi(2.0, i32::MIN), 0.0);
    }

    /// The C library of the system would end with other bits. Which ones does not matter; that they are the same everywhere does.
    #[test]
    fn the_bits_are_the_same_on_every_machine() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for k in 1..4000 {
            let x = f64::from(k) * 0.003_7;
            let small = x / 15.0;
            let (s, c) = sin_cos(x);
            for y in [s, c, sin(x), tan(x), atan2(x, 3.0), exp(-x), ln(x), pow(x, 0.3), cbrt(x), hypot(x, 1.7)] {
                hash = (hash ^ y.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
            }
            for y in [asin(small), acos(small), atan(x), sinh(small), cosh(small), ln_1p(-small), log2(x), log10(x)] {
                hash = (hash ^ y.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        assert_eq!(format!("{hash:016x}"), "17238098d950510e");
    }
}
