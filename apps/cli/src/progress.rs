//! How far a run is: a bar on a terminal, a line now and then elsewhere, nothing when asked.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Lines are this far apart where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows progress on standard error, so that standard output stays clean.
pub enum Progress {
    /// A bar that redraws itself.
    Bar {
        /// The bar.
        bar: ProgressBar,
        /// What is run.
        name: String,
        /// Bodies in the scene.
        bodies: usize,
    },
    /// Plain lines.
    Lines {
        /// Steps in all.
        total: u64,
        /// Bodies in the scene.
        bodies: usize,
        /// Steps done when the last line was printed.
        before: u64,
        /// When the last line was printed.
        last: Instant,
    },
    /// Nothing.
    Silent,
}

impl Progress {
    /// A display for `total` steps of a scene of `bodies`, of which `done` are behind.
    pub fn new(name: &str, done: u64, total: u64, bodies: usize, quiet: bool) -> Self {
        if quiet {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { total, bodies, before: done, last: Instant::now() };
        }
        let bar = ProgressBar::new(total).with_message(name.to_owned()).with_position(done);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} steps {per_sec} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        Self::Bar { bar, name: name.to_owned(), bodies }
    }

    /// A display for the pictures of a film.
    pub fn film(name: &str, quiet: bool) -> ProgressBar {
        let hidden = quiet || !std::io::stderr().is_terminal();
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(0) }.with_message(name.to_owned());
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} pictures {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar
    }

    /// One more step.
    pub fn step(&mut self, done: u64) {
        match self {
            Self::Bar { bar, name, bodies } => {
                bar.set_position(done);
                bar.set_message(format!("{name} {}", rate(bar.per_sec() * *bodies as f64)));
            }
            Self::Lines { total, bodies, before, last } if last.elapsed() >= LINE_INTERVAL => {
                let steps = (done - *before) as f64 / last.elapsed().as_secs_f64();
                eprintln!("step {done} of {total}, {steps:.1} steps/s, {}", rate(steps * *bodies as f64));
                (*before, *last) = (done, Instant::now());
            }
            Self::Lines { .. } | Self::Silent => {}
        }
    }

    /// Clears the display.
    pub fn finish(&self) {
        if let Self::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

/// How far joints are from closed: a bar over the powers of ten, or a line now and then.
pub struct Closing {
    bar: Option<ProgressBar>,
    tolerance: f64,
    first: f64,
    last: Option<Instant>,
}

impl Closing {
    /// A display for joints that shall be closed to `tolerance` metres.
    pub fn new(tolerance: f64, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (!quiet && terminal).then(|| {
            let style = ProgressStyle::with_template("{wide_bar} {msg} {elapsed}");
            ProgressBar::new(1000).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let last = (!quiet && !terminal).then(Instant::now);
        Self { bar, tolerance, first: 0.0, last }
    }

    /// One more step.
    pub fn step(&mut self, attempt: u32, step: u32, error: f64) {
        self.first = if step == 0 { error } else { self.first };
        let message = || format!("attempt {attempt}, step {step}: largest joint error {error:.1e} m");
        if let Some(bar) = &self.bar {
            let share = (self.first / error).ln() / (self.first / self.tolerance).ln();
            bar.set_position((1000.0 * share).clamp(0.0, 1000.0) as u64);
            bar.set_message(message());
        }
        if self.last.is_some_and(|last| last.elapsed() >= LINE_INTERVAL) {
            eprintln!("{}", message());
            self.last = Some(Instant::now());
        }
    }

    /// Clears the display.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Bodies stepped per second, in a unit that keeps the number short.
fn rate(bodies: f64) -> String {
    let (scale, unit) = match bodies {
        b if b >= 1e9 => (1e9, "G"),
        b if b >= 1e6 => (1e6, "M"),
        b if b >= 1e3 => (1e3, "k"),
        _ => (1.0, ""),
    };
    format!("{:.1} {unit}bodies/s", bodies / scale)
}

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn rates_are_short_at_any_size() {
        assert_eq!(rate(12.0), "12.0 bodies/s");
        assert_eq!(rate(3.4e3), "3.4 kbodies/s");
        assert_eq!(rate(1.25e9), "1.2 Gbodies/s");
    }
}
