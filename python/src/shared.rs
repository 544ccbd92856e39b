//! A value that several threads of Python may ask for.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::error::Error;

/// Waiting for it lets other threads run. In a forked child, what another thread was busy with at the fork stays busy for ever, and
/// says so.
pub struct Shared<T> {
    process: u32,
    value: Mutex<T>,
}

impl<T> Shared<T> {
    /// Of this process.
    pub fn new(value: T) -> Self {
        Self { process: std::process::id(), value: Mutex::new(value) }
    }

    /// Waits until nobody else has it. After a panic it is had as it was left.
    pub fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, T>> {
        match self.value.try_lock() {
            Ok(value) => return Ok(value),
            Err(TryLockError::Poisoned(value)) => return Ok(value.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        if self.process != std::process::id() {
            let text = "another thread was at work on this when the process forked; fork while nothing runs, or start \
                        processes by `spawn`";
            return Err(Error::new_err(text));
        }
        Ok(self.value.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner))
    }
}
