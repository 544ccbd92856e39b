//! Seeded random numbers for tests: the same on every run and every machine. Scenes have a generator of their own
//! (`drystone_scenes::Rng`), whose numbers are NumPy's.
#![forbid(unsafe_code)]

use glamx::{DPose3 as Pose, DQuat, DVec3};

/// A generator.
pub struct Random(fastrand::Rng);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        let mut generator = fastrand::Rng::with_seed(seed);
        // Seeds that differ in a bit begin alike.
        generator.u64(..);
        Self(generator)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// Uniform in 0..count.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.usize(..count)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.f64()
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the cube from −size to size.
    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.range(-size, size), self.range(-size, size), self.range(-size, size))
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(1.0);
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// Any axis, any angle.
    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.range(0.0, std::f64::consts::TAU))
    }

    /// Any rotation, in the cube from −size to size.
    pub fn pose(&mut self, size: f64) -> Pose {
        Pose::from_parts(self.vector(size), self.rotation())
    }
}

/// Runs a check with the generators of the first `count` seeds, or of as many as the environment variable
/// `DRYSTONE_SEEDS` says, and fails if it fails with any, saying with which.
pub fn for_seeds(count: u64, check: impl Fn(&mut Random)) {
    let asked = std::env::var("DRYSTONE_SEEDS").ok();
    try_seeds(asked.map_or(count, |count| count.parse().expect("DRYSTONE_SEEDS is a number")), check);
}

fn try_seeds(count: u64, check: impl Fn(&mut Random)) {
    let fails = |seed: &u64| {
        let run = std::panic::AssertUnwindSafe(|| check(&mut Random::new(*seed)));
        std::panic::catch_unwind(run).is_err()
    };
    let failed: Vec<u64> = (0..count).filter(fails).collect();
    assert!(failed.is_empty(), "{} of {count} seeds failed: {failed:?}", failed.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that stand on these numbers must not stand on others tomorrow.
    #[test]
    fn numbers_stay_what_they_are() {
        let mut random = Random::new(1);
        assert_eq!(
            [(); 3].map(|()| random.bits()),
            [9_861_924_296_701_902_397, 4_420_488_659_902_023_302, 14_367_571_835_928_699_312]
        );
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let mut random = Random::new(2);
        let mut count = [0; 10];
        (0..10_000).for_each(|_| count[(random.unit() * 10.0) as usize] += 1);
        // Five standard deviations of a tenth of 10,000.
        assert!(count.iter().all(|&n: &i32| (n - 1000).abs() < 150), "{count:?}");
        let mean = (0..10_000).map(|_| random.direction()).sum::<DVec3>() / 10_000.0;
        assert!(mean.length() < 0.03, "{mean}");
    }

    #[test]
    fn neighbouring_seeds_begin_apart() {
        let first: Vec<f64> = (0..100).map(|seed| Random::new(seed).unit()).collect();
        let mean = first.iter().sum::<f64>() / 100.0;
        assert!((mean - 0.5).abs() < 0.15, "{mean}");
        let step = first.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>() / 99.0;
        assert!((step - 1.0 / 3.0).abs() < 0.15, "{step}");
    }

    #[test]
    fn every_seed_is_tried_and_those_that_fail_are_told() {
        let found = std::panic::catch_unwind(|| try_seeds(5, |random| assert!(random.below(2) == 0)));
        let failing: Vec<u64> = (0..5).filter(|&seed| Random::new(seed).below(2) == 1).collect();
        assert!((1..5).contains(&failing.len()));
        let message = *found.expect_err("some seeds fail").downcast::<String>().expect("a message");
        assert!(message.ends_with(&format!("{failing:?}")), "{message}");
        try_seeds(5, |random| assert!(random.unit() < 1.0));
    }
}
