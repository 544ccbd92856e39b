//! The equations of one solve as a solver hands them to a device, and what comes back. Plain data: it is here
//! in every build, so that a solver needs no second version of itself for builds without a GPU.

use drystone_device::{DeviceChoice, DeviceError};

use super::tiles::Tiles;

/// In place of a body: an end that does not move.
pub const IMMOVABLE: u32 = u32::MAX;

/// Words of a body: inverse mass, inverse inertia (xx, xy, xz, yy, yz, zz), free velocity.
pub const BODY_WORDS: usize = 13;
/// Words of a point constraint: levers on the first and second body, inverse block, bias.
pub const POINT_WORDS: usize = 15;
/// Words of a block of rows: linear, first and second angular directions by rows, inverse block, softness, bias,
/// lower and upper bounds, friction.
pub const ROW_WORDS: usize = 46;

/// The equations of a solve. Kept by its owner from one solve to the next, so that filling them allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Equations {
    /// Bodies that move.
    pub body: Tiles<f32, BODY_WORDS>,
    /// First and second bodies of the point constraints, or [`IMMOVABLE`].
    pub point_ends: Tiles<u32, 2>,
    /// Point constraints.
    pub point: Tiles<f32, POINT_WORDS>,
    /// First and second bodies of the blocks of rows, or [`IMMOVABLE`].
    pub row_ends: Tiles<u32, 2>,
    /// Blocks of rows.
    pub row: Tiles<f32, ROW_WORDS>,
    /// Where the list of each body starts, and one past the last.
    pub first: Vec<u32>,
    /// Lists of `4 · constraint + 2 if it is a block of rows + 1 if the body is its second`.
    pub entry: Vec<u32>,
}

/// What a solve changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unknowns {
    /// Velocities of the bodies at the end; what they are at the start follows from the multipliers.
    pub velocity: Tiles<f32, 6>,
    /// Multipliers of the point constraints.
    pub point: Tiles<f32, 3>,
    /// Multipliers of the rows.
    pub row: Tiles<f32, 3>,
}

/// One iteration: share of the step, and weight of the extrapolation behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Relaxation.
    pub relaxation: f32,
    /// Weight.
    pub weight: f32,
}

/// The iterations of a solve, which start from multipliers that have no history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turns {
    /// One by one.
    pub turn: Vec<Turn>,
    /// Whether extrapolation starts from the step before it was extrapolated instead of from the multipliers
    /// before the step.
    pub nesterov: bool,
}

/// Seconds that sweeps took, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SweepTimes {
    /// Whether kernels are measured one by one, for which the host waits after each of them.
    pub each_kernel: bool,
    /// Equations and multipliers to the device.
    pub upload: f64,
    /// Kernels over constraints, if they are measured one by one.
    pub constraints: f64,
    /// Kernels over bodies, if they are measured one by one.
    pub bodies: f64,
    /// Velocities and multipliers back to the host.
    pub download: f64,
}

/// Something that runs iterations.
pub trait Sweeper: Send {
    /// The device in words.
    fn device(&self) -> &str;

    /// Brings the velocities in line with the multipliers and runs `turns` on both.
    fn sweep(
        &mut self,
        equations: &Equations,
        unknowns: &mut Unknowns,
        turns: &Turns,
        times: &mut SweepTimes,
    ) -> Result<(), DeviceError>;
}

/// A sweeper on the device asked for.
#[cfg(feature = "engines")]
pub fn open_sweeper(choice: DeviceChoice) -> Result<Box<dyn Sweeper>, DeviceError> {
    Ok(super::sweeps::sweeper(&drystone_device::open(choice)?))
}

/// A build without devices says so.
#[cfg(not(feature = "engines"))]
pub fn open_sweeper(choice: DeviceChoice) -> Result<Box<dyn Sweeper>, DeviceError> {
    Err(DeviceError::NotBuilt { choice, feature: "gpu" })
}
