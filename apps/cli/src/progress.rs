//! How far a run is: a bar on a terminal, a line now and then elsewhere, nothing when asked.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Lines are this far apart where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows progress on standard error, so that standard output stays clean.
pub enum Progress {
    /// A bar that redraws itself.
    Bar(ProgressBar),
    /// Plain lines.
    Lines {
        /// Steps in all.
        total: u64,
        /// When the last line was printed.
        last: Instant,
    },
    /// Nothing.
    Silent,
}

impl Progress {
    /// A display for `total` steps of which `done` are behind.
    pub fn new(name: &str, done: u64, total: u64, quiet: bool) -> Self {
        if quiet {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { total, last: Instant::now() };
        }
        let bar = ProgressBar::new(total).with_message(name.to_owned()).with_position(done);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} steps {per_sec} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        Self::Bar(bar)
    }

    /// One more step.
    pub fn step(&mut self, done: u64) {
        match self {
            Self::Bar(bar) => bar.set_position(done),
            Self::Lines { total, last } if last.elapsed() >= LINE_INTERVAL => {
                eprintln!("step {done} of {total}");
                *last = Instant::now();
            }
            Self::Lines { .. } | Self::Silent => {}
        }
    }

    /// Clears the display.
    pub fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
