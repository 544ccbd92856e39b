//! Time on the wall, where there is a clock.

/// A moment. Where the standard library has no clock (`wasm32-unknown-unknown`, on which its own would panic) all moments are the
/// same, and everything takes no time.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    instant: std::time::Instant,
}

impl Moment {
    /// Now.
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    pub fn now() -> Self {
        Self { instant: std::time::Instant::now() }
    }

    /// Now.
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    pub fn now() -> Self {
        Self {}
    }

    /// Seconds since an earlier moment \[s\].
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    pub fn seconds_since(self, earlier: Self) -> f64 {
        self.instant.duration_since(earlier.instant).as_secs_f64()
    }

    /// Seconds since an earlier moment \[s\].
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    pub fn seconds_since(self, _earlier: Self) -> f64 {
        0.0
    }
}
