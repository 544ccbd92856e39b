//! The random numbers of NumPy's `default_rng(seed)`: seed sequence, PCG64 and the ziggurat for
//! normal deviates, so that scenes published as NumPy scripts come out to the last digit.

use drystone::model::DQuat;
use drystone_kernels::elementary::{exp, ln, ln_1p};

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// A generator equal to `numpy.random.default_rng(seed)`.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u128,
    increment: u128,
    ziggurat: Ziggurat,
}

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u32) -> Self {
        let [a, b, c, d] = seed_words(seed);
        let start = u128::from(a) << 64 | u128::from(b);
        let increment = ((u128::from(c) << 64 | u128::from(d)) << 1) | 1;
        let mut rng = Self { state: 0, increment, ziggurat: Ziggurat::new() };
        rng.advance();
        rng.state = rng.state.wrapping_add(start);
        rng.advance();
        rng
    }

    fn advance(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    fn next_u64(&mut self) -> u64 {
        self.advance();
        let (high, low) = ((self.state >> 64) as u64, self.state as u64);
        (high ^ low).rotate_right((high >> 58) as u32)
    }

    /// A number in `0 ≤ x < 1`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number in `low ≤ x < high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// One of several things, each as likely as the others.
    ///
    /// # Panics
    /// If there are none.
    pub fn choice<T: Copy>(&mut self, things: &[T]) -> T {
        things[((self.unit() * things.len() as f64) as usize).min(things.len() - 1)]
    }

    /// A rotation, none likelier than another.
    pub fn turn(&mut self) -> DQuat {
        DQuat::from_array(std::array::from_fn(|_| self.normal())).normalize()
    }

    /// A normal deviate of mean 0 and deviation 1.
    pub fn normal(&mut self) -> f64 {
        loop {
            let bits = self.next_u64();
            let strip = (bits & 0xff) as usize;
            let rest = bits >> 8;
            let magnitude = (rest >> 1) & 0x000f_ffff_ffff_ffff;
            let x = magnitude as f64 * self.ziggurat.width[strip];
            let signed = if rest & 1 == 1 { -x } else { x };
            if magnitude < self.ziggurat.inside[strip] {
                return signed;
            }
            if strip == 0 {
                let tail = self.tail();
                return if (magnitude >> 8) & 1 == 1 { -tail } else { tail };
            }
            let (low, high) = (self.ziggurat.density[strip], self.ziggurat.density[strip - 1]);
            if (high - low) * self.unit() + low < exp(-0.5 * x * x) {
                return signed;
            }
        }
    }

    /// A deviate beyond the last strip.
    fn tail(&mut self) -> f64 {
        loop {
            let x = -(1.0 / LAST_STRIP) * ln_1p(-self.unit());
            let y = -ln_1p(-self.unit());
            if y + y > x * x {
                return LAST_STRIP + x;
            }
        }
    }
}

/// Where the last of 256 strips of equal area under exp(−x²/2) ends.
const LAST_STRIP: f64 = 3.654_152_885_361_009;
/// Area of a strip: `r·exp(−r²/2) + ∫ᵣ^∞ exp(−x²/2) dx` at that r.
const STRIP_AREA: f64 = 0.004_928_673_233_974_658;

#[derive(Clone, Debug)]
struct Ziggurat {
    /// Below this many 2⁻⁵²ths of its width a strip lies wholly under the curve.
    inside: Vec<u64>,
    /// Width of every strip, divided by 2⁵².
    width: Vec<f64>,
    /// Density at the end of every strip.
    density: Vec<f64>,
}

impl Ziggurat {
    fn new() -> Self {
        let scale = (1u64 << 52) as f64;
        let (mut inside, mut width, mut density) = (vec![0; 256], vec![0.0; 256], vec![1.0; 256]);
        let mut end = LAST_STRIP;
        density[255] = exp(-0.5 * end * end);
        width[255] = end / scale;
        inside[0] = (end * density[255] / STRIP_AREA * scale) as u64;
        width[0] = STRIP_AREA / density[255] / scale;
        for strip in (1..255).rev() {
            let x = (-2.0 * ln(STRIP_AREA / end + density[strip + 1])).sqrt();
            inside[strip + 1] = (x / end * scale) as u64;
            width[strip] = x / scale;
            density[strip] = exp(-0.5 * x * x);
            end = x;
        }
        inside[1] = 0;
        Self { inside, width, density }
    }
}

/// The four 64-bit words NumPy's `SeedSequence` makes of a small seed.
fn seed_words(seed: u32) -> [u64; 4] {
    let mut constant = 0x43b0_d7e5_u32;
    let mut hash = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(0x931e_8875);
        let value = value.wrapping_mul(constant);
        value ^ (value >> 16)
    };
    let mix = |x: u32, y: u32| {
        let mixed = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
        mixed ^ (mixed >> 16)
    };
    let mut pool = [seed, 0, 0, 0].map(&mut hash);
    for source in 0..4 {
        for target in (0..4).filter(|&target| target != source) {
            pool[target] = mix(pool[target], hash(pool[source]));
        }
    }
    let mut constant = 0x8b51_f9dd_u32;
    let mut word = |index: usize| {
        let value = pool[index % 4] ^ constant;
        constant = constant.wrapping_mul(0x58f3_8ded);
        let value = value.wrapping_mul(constant);
        u64::from(value ^ (value >> 16))
    };
    std::array::from_fn(|index| word(2 * index) | word(2 * index + 1) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.random.default_rng(12345).random(4)`, as its documentation prints it.
    #[test]
    fn uniform_numbers_are_those_of_numpy() {
        let mut rng = Rng::new(12345);
        for expected in [0.227_336_02, 0.316_758_34, 0.797_365_46, 0.676_254_67] {
            assert!((rng.unit() - expected).abs() < 5e-9);
        }
    }

    /// Each of three things comes up a third of the time, within four standard errors.
    #[test]
    fn choices_are_even() {
        let (mut rng, mut count) = (Rng::new(7), [0.0_f64; 3]);
        (0..9000).for_each(|_| count[rng.choice(&[0, 1, 2])] += 1.0);
        let deviation = (9000.0_f64 * 1.0 / 3.0 * 2.0 / 3.0).sqrt();
        assert!(count.iter().all(|count| (count - 3000.0).abs() < 4.0 * deviation), "{count:?}");
    }

    /// The strips tile the half plane under the curve: each has the same area.
    #[test]
    fn ziggurat_strips_have_equal_areas() {
        let ziggurat = Ziggurat::new();
        let scale = (1u64 << 52) as f64;
        for strip in 1..255 {
            let rise = ziggurat.density[strip] - ziggurat.density[strip + 1];
            let area = ziggurat.width[strip + 1] * scale * rise;
            assert!((area / STRIP_AREA - 1.0).abs() < 1e-9, "strip {strip}: {area}");
        }
        let first = ziggurat.width[1] * scale * (1.0 - ziggurat.density[1]);
        assert!((first / STRIP_AREA - 1.0).abs() < 1e-6, "the top strip closes the figure: {first}");
    }

    #[test]
    fn normal_deviates_have_the_moments_of_a_normal() {
        let mut rng = Rng::new(1);
        let count = 200_000;
        let sample: Vec<f64> = (0..count).map(|_| rng.normal()).collect();
        let moment = |power: i32| sample.iter().map(|x| x.powi(power)).sum::<f64>() / count as f64;
        // Four standard errors of each estimate.
        for (power, expected, deviation) in [(1, 0.0, 1.0), (2, 1.0, 2.0_f64.sqrt()), (4, 3.0, 96.0_f64.sqrt())] {
            let bound = 4.0 * deviation / f64::from(count).sqrt();
            assert!((moment(power) - expected).abs() < bound, "moment {power}: {}", moment(power));
        }
    }
}
