//! What every engine has in common: it is built from a model, steps, and says where its bodies are.

use std::error::Error;

use drystone::model::State;

use crate::clock::Lap;

/// Why something could not be measured.
pub type Fault = Box<dyn Error + Send + Sync>;

/// An engine with a scene in it.
pub trait Engine {
    /// Advances by one time step.
    fn step(&mut self) -> Result<(), Fault>;

    /// Writes poses and velocities of all bodies into `state`.
    fn read(&self, state: &mut State) -> Result<(), Fault>;

    /// What the last step took, for engines in another process, which have to look at the clock themselves.
    fn lap(&self) -> Option<Lap> {
        None
    }

    /// Its version, for engines that are not in the lock file.
    fn version(&self) -> Option<String> {
        None
    }

    /// Seconds by phase since the start, by the clock on the wall, for engines that say.
    fn phases(&self) -> Vec<(String, f64)> {
        Vec::new()
    }
}
