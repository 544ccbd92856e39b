//! Where the frames of a run go.

use drystone::Recording;
use drystone::model::State;
use drystone_io::atomic::WriteError;
use drystone_io::recording::RecordingStream;

/// The frames of a run.
pub enum Frames {
    /// Nobody wants them.
    None,
    /// Into memory: short runs that are looked at when they end.
    Memory(Recording),
    /// To disk while the run goes.
    Disk(RecordingStream),
}

impl Frames {
    /// Whether states are wanted.
    pub fn wanted(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Keeps a state and the gap of every joint \[m\].
    pub fn push(&mut self, state: &State, joint_error: &[f64]) -> Result<(), WriteError> {
        match self {
            Self::None => {}
            Self::Memory(recording) => {
                recording.push(state, joint_error);
            }
            Self::Disk(stream) => {
                stream.push(state, joint_error)?;
            }
        }
        Ok(())
    }

    /// Makes what was kept so far survive the process.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        if let Self::Disk(stream) = self { stream.flush() } else { Ok(()) }
    }

    /// The frames in memory; empty if none were kept there.
    pub fn into_recording(self) -> Recording {
        if let Self::Memory(recording) = self { recording } else { Recording::default() }
    }
}
