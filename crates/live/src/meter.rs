//! Time that passes outside, and how many steps it asks for.

/// Real time given up beyond this, so that a slow machine falls behind once and not ever further \[s\].
const MOST_LAG: f64 = 0.1;
/// Time over which the rate is told \[s\].
const WINDOW: f64 = 0.5;

/// Follows real time that callers tell.
#[derive(Clone, Debug)]
pub struct Meter {
    /// Multiple of real time; 0 as fast as it can.
    pub speed: f64,
    lag: f64,
    passed: f64,
    taken: u32,
    rate: f64,
}

impl Default for Meter {
    fn default() -> Self {
        Self { speed: 1.0, lag: 0.0, passed: 0.0, taken: 0, rate: 0.0 }
    }
}

impl Meter {
    /// Real time passes \[s\] while playing at steps of `dt` simulated seconds.
    pub fn pass(&mut self, seconds: f64, dt: f64) {
        let step = if self.speed == 0.0 { 0.0 } else { dt / self.speed };
        self.lag = (self.lag + seconds).min(MOST_LAG.max(step));
        self.passed += seconds;
        if self.passed >= WINDOW {
            self.rate = f64::from(self.taken) / self.passed;
            (self.passed, self.taken) = (0.0, 0);
        }
    }

    /// Whether a step of `dt` simulated seconds is due.
    pub fn due(&self, dt: f64) -> bool {
        self.speed == 0.0 || self.lag * self.speed >= dt * (1.0 - 1e-9)
    }

    /// A step of `dt` simulated seconds was taken.
    pub fn took(&mut self, dt: f64) {
        self.taken += 1;
        self.lag = if self.speed == 0.0 { 0.0 } else { (self.lag - dt / self.speed).max(0.0) };
    }

    /// Nothing is owed any more.
    pub fn rest(&mut self) {
        (self.lag, self.passed, self.taken, self.rate) = (0.0, 0.0, 0, 0.0);
    }

    /// Real time until the next step is due \[s\].
    pub fn wait(&self, dt: f64) -> f64 {
        if self.speed == 0.0 { 0.0 } else { (dt / self.speed - self.lag).max(0.0) }
    }

    /// Steps per second reached.
    pub fn rate(&self) -> f64 {
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_in(meter: &mut Meter, seconds: f64, dt: f64) -> u32 {
        let mut steps = 0;
        for _ in 0..100 {
            meter.pass(seconds / 100.0, dt);
            while meter.due(dt) {
                meter.took(dt);
                steps += 1;
            }
        }
        steps
    }

    #[test]
    fn steps_keep_up_with_time() {
        let mut meter = Meter::default();
        assert_eq!(steps_in(&mut meter, 2.0, 0.01), 200);
        assert!((meter.rate() - 100.0).abs() < 1.0);
        meter.speed = 0.25;
        assert_eq!(steps_in(&mut meter, 2.0, 0.01), 50);
        meter.speed = 4.0;
        assert_eq!(steps_in(&mut meter, 2.0, 0.01), 800);
    }

    #[test]
    fn what_is_slower_than_time_falls_behind_once() {
        let mut meter = Meter::default();
        (0..100).for_each(|_| meter.pass(0.5, 0.01));
        let mut steps = 0;
        while meter.due(0.01) {
            meter.took(0.01);
            steps += 1;
        }
        assert_eq!(steps, 10, "a tenth of a second");
        meter.speed = 0.01;
        assert_eq!(steps_in(&mut meter, 4.0, 0.01), 4, "also where a step takes longer than what is given up");
    }
}
