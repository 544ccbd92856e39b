//! Time per phase.

use std::time::Instant;

use cubecl::prelude::*;

use crate::choice::DeviceError;
use crate::gpu::Gpu;

/// Seconds spent on the device in each named phase. Off unless asked for, because a measured phase
/// has to wait for the device at both ends.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    on: bool,
    seconds: Vec<(&'static str, f64)>,
}

impl Phases {
    /// A clock that measures.
    pub fn measuring() -> Self {
        Self { on: true, seconds: Vec::new() }
    }

    /// Whether phases are measured.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Runs `work`, which launches kernels, and adds the time until the device is done to `phase`.
    pub fn measure<R: Runtime, T>(
        &mut self,
        gpu: &Gpu<R>,
        phase: &'static str,
        work: impl FnOnce() -> T,
    ) -> Result<T, DeviceError> {
        if !self.on {
            return Ok(work());
        }
        gpu.sync()?;
        let start = Instant::now();
        let result = work();
        gpu.sync()?;
        let spent = start.elapsed().as_secs_f64();
        match self.seconds.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, total)) => *total += spent,
            None => self.seconds.push((phase, spent)),
        }
        Ok(result)
    }

    /// Phases in the order in which they first ran, with the seconds spent in each.
    pub fn seconds(&self) -> &[(&'static str, f64)] {
        &self.seconds
    }
}
