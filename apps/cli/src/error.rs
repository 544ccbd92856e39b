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
    drystone::CheckpointError,
    drystone::solve::StepError,
    drystone_io::atomic::WriteError,
    drystone_io::recording::RecordingError,
    drystone_scenes::SceneError,
    serde_json::Error,
);
