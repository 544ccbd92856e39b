//! Two clocks: the one on the wall, and the time this process spent on a processor, all threads together. On a
//! machine that does other things as well, only the second is a property of the program.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// A moment by both clocks.
pub struct Stopwatch {
    wall: Instant,
    cpu: f64,
}

/// Milliseconds between two moments.
#[derive(Clone, Copy, Debug)]
pub struct Lap {
    /// By the clock on the wall.
    pub wall: f64,
    /// On the processors.
    pub cpu: f64,
}

impl Lap {
    /// Both clocks stuck at infinity: what minima start from.
    pub const NEVER: Self = Self { wall: f64::INFINITY, cpu: f64::INFINITY };

    /// The smaller time by each clock.
    pub fn min(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }
}

impl Stopwatch {
    /// Now.
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu_milliseconds() }
    }

    /// Time since.
    pub fn lap(&self) -> Lap {
        Lap { cpu: cpu_milliseconds() - self.cpu, wall: self.wall.elapsed().as_secs_f64() * 1e3 }
    }
}

fn cpu_milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 * 1e-6
}

/// The middle of some numbers; NaN if there are none.
pub fn median(values: Vec<f64>) -> f64 {
    quantile(values, 0.5)
}

/// The number below which a `share` of some numbers lies; NaN if there are none.
pub fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN)
}
