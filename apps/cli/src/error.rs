//! What ends a command early: always bad input, always exit code 2.

use std::fmt::Display;

use thiserror::Error;

/// A message that names the place and the way out.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }

    /// The message as the user sees it. One that begins with a place in a file already says that it
    /// is an error.
    pub fn shown(&self) -> String {
        let first = self.0.lines().next().unwrap_or_default();
        if first.contains(": error: ") { self.0.clone() } else { format!("error: {}", self.0) }
    }
}

/// Every library error becomes a failure with its own message.
macro_rules! failure_from {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new(error)
            }
        })*
    };
}

failure_from!(
    drystone::BuildError,
    drystone_device::DeviceError,
    drystone::CheckpointError,
    drystone::solve::StepError,
    drystone_io::atomic::WriteError,
    drystone_io::import::ImportError,
    drystone_io::recording::RecordingError,
    drystone_io::scene_file::SceneError,
    drystone_scenes::SceneError,
    serde_json::Error,
);
