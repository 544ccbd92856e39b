//! What the solver and a scene on a device say to each other. A build without devices has this much of it.

use drystone_device::{DeviceChoice, DeviceError};
use drystone_model::{Model, State};
use drystone_solve::forces::ContactForce;
use serde::{Deserialize, Serialize};

/// Figures of a step on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Deepest overlap after the step \[m\].
    pub max_penetration: f32,
    /// Contact points.
    pub contact_count: usize,
    /// Colours of the bodies.
    pub colors: u32,
    /// How often a list had to grow and a step was taken again for it, since the scene came to the device.
    pub growth: u32,
}

/// Everything that the next step depends on, in the words of the device (`gpu/layout.rs`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Offset, orientation and velocities of every body; empty where the state says it all.
    pub motion: Vec<f32>,
    /// Cell of every body; likewise.
    pub cell: Vec<i32>,
    /// Acceleration of every body over the last step.
    pub last: Vec<f32>,
    /// Bodies whose velocity was set from outside.
    pub jolted: Vec<u32>,
    /// Where the pairs of every shape start.
    pub start: Vec<u32>,
    /// Other shape, axis, number of points and names of them, of every pair.
    pub pair: Vec<u32>,
    /// Normal and places of the points of every pair.
    pub anchor: Vec<f32>,
    /// What the points of every pair bear.
    pub memory: Vec<f32>,
}

/// A body that somebody has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Its index.
    pub body: usize,
    /// Whether its contacts are to forget what they bore.
    pub jolted: bool,
}

/// A scene that lives on a device.
pub trait Scene: Send {
    /// The device in words.
    fn device(&self) -> &str;

    /// Takes over a scene from the CPU, which found so many pairs of shapes in it with a contact margin \[m\].
    fn begin(
        &mut self,
        model: &Model,
        state: &State,
        memory: &Memory,
        pairs: usize,
        margin: f32,
    ) -> Result<(), DeviceError>;

    /// Changes bodies to what they are in a state.
    fn change(&mut self, model: &Model, state: &State, changes: &[Change]);

    /// Sets forces and torques of the user, eight numbers a body and the world.
    fn set_forces(&mut self, forces: &[f32]);

    /// Takes so many steps of `h` seconds with so many sweeps each.
    fn steps(&mut self, count: u32, h: f32, sweeps: u32) -> Result<(), DeviceError>;

    /// The same with every phase measured by itself: seconds spent in them.
    fn profile(&mut self, count: u32, h: f32, sweeps: u32) -> Result<Vec<(&'static str, f64)>, DeviceError>;

    /// Figures of the last step.
    fn figures(&mut self) -> Result<Figures, DeviceError>;

    /// Impulses of all contact points in the last step of `h` seconds, in ascending order of their shapes.
    fn impulses(&mut self, h: f64) -> Result<Vec<ContactForce>, DeviceError>;

    /// Writes poses and velocities into a state.
    fn read(&mut self, model: &Model, state: &mut State) -> Result<(), DeviceError>;

    /// Everything that the next step depends on.
    fn memory(&mut self) -> Result<Memory, DeviceError>;

    /// Puts back what [`Scene::memory`] gave when the bodies were in a state, or says why it does not fit.
    fn remember(&mut self, memory: &Memory, state: &State) -> Result<(), String>;
}

/// Opens a device for a model.
#[cfg(any(feature = "cuda", feature = "vulkan"))]
pub fn open_scene(choice: DeviceChoice, model: &Model) -> Result<Box<dyn Scene>, DeviceError> {
    Ok(super::gpu::scene(&drystone_device::open(choice)?, model))
}

/// A build without devices says so.
#[cfg(not(any(feature = "cuda", feature = "vulkan")))]
pub fn open_scene(choice: DeviceChoice, _model: &Model) -> Result<Box<dyn Scene>, DeviceError> {
    Err(DeviceError::NotBuilt { choice, feature: "gpu" })
}

/// Refuses shapes that the device does not know: what it is, and what would work.
#[cfg(any(feature = "cuda", feature = "vulkan"))]
pub fn check_shapes(model: &Model) -> Result<(), (String, String)> {
    drystone_collide::gpu::check(model)
}

/// A build without devices gets no further than opening one.
#[cfg(not(any(feature = "cuda", feature = "vulkan")))]
pub fn check_shapes(_model: &Model) -> Result<(), (String, String)> {
    Ok(())
}
