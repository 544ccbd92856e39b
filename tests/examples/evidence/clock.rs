//! Time that a busy machine does not lengthen.

use std::time::Instant;

/// Time all threads of this program have run on a processor \[s\], which a busy machine does not lengthen as
/// it does the time on the wall; that one where the system keeps no account.
pub fn processor_time() -> f64 {
    let of_thread = |folder: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(folder.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    let threads = std::fs::read_dir("/proc/self/task").ok();
    let nanoseconds: Option<f64> = threads.and_then(|threads| threads.flatten().map(of_thread).sum());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |time| 1e-9 * time)
}

/// When the program began, for systems without accounts.
static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
