//! How far it is: a bar on a terminal, a line now and then elsewhere, nothing when asked.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::trial::Outcome;

/// Lines are this far apart where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(20);

/// Shows progress on standard error.
pub struct Progress {
    bar: Option<ProgressBar>,
    total: Option<usize>,
    state: Mutex<Counts>,
}

struct Counts {
    done: usize,
    faulty: usize,
    quiet: bool,
    last: Instant,
}

impl Progress {
    /// A display for so many runs.
    pub fn new(total: Option<usize>, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = total.map_or_else(ProgressBar::no_length, |total| ProgressBar::new(total as u64));
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} runs, {msg} {elapsed}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let state = Mutex::new(Counts { done: 0, faulty: 0, quiet, last: Instant::now() });
        Self { bar, total, state }
    }

    /// One more run.
    pub fn step(&self, outcome: &Outcome) {
        let Ok(mut counts) = self.state.lock() else { return };
        counts.done += 1;
        counts.faulty += usize::from(!outcome.faults.is_empty());
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} with faults", counts.faulty));
            bar.inc(1);
        } else if !counts.quiet && counts.last.elapsed() > LINE_INTERVAL {
            let of = self.total.map_or(String::new(), |total| format!(" of {total}"));
            eprintln!("{}{of} runs, {} with faults", counts.done, counts.faulty);
            counts.last = Instant::now();
        }
    }

    /// Clears the display.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
