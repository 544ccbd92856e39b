//! Block Jacobi on the GPU. Nothing here knows a model, so that systems far larger than a model would fit in memory can run.
//! Kernels call the functions of `drystone-kernels` that the CPU calls.
//!
//! `PointEngine` (feature `engines`) keeps bodies joined at points on the device, steps them there, and gives their state back when
//! asked. It has two strategies, chosen by the shape of the system. *Fused*: every connected group of bodies fits a
//! workgroup, stays with it through all iterations, and a launch takes any number of frames. *Passes*: any graph, with one launch
//! over the bodies per iteration, or one over the constraints and one over the bodies.
//!
//! A [`Sweeper`] runs the iterations of a solve of the CPU solver, whatever its joints and contacts.
//!
//! Without the features `cuda` and `vulkan` only the data that the solver exchanges with a device is here, and opening
//! one says that this build has none.
// Kernels call only what `#[cube]` takes, and `is_multiple_of` is not among it.
#![allow(clippy::manual_is_multiple_of)]

#[cfg(feature = "engines")]
mod engine;
mod equations;
#[cfg(feature = "engines")]
mod fused;
#[cfg(feature = "engines")]
mod memory;
#[cfg(feature = "engines")]
mod motion;
#[cfg(feature = "engines")]
mod necklace;
#[cfg(feature = "engines")]
mod pack;
#[cfg(feature = "engines")]
mod passes;
#[cfg(feature = "engines")]
mod point;
#[cfg(feature = "engines")]
mod reference;
#[cfg(feature = "engines")]
mod run;
#[cfg(feature = "engines")]
mod sweeps;
#[cfg(feature = "engines")]
mod system;
mod tiles;
#[cfg(feature = "engines")]
mod transfer;

pub use equations::{
    BODY_WORDS, Equations, IMMOVABLE, POINT_WORDS, ROW_WORDS, SweepTimes, Sweeper, Turn, Turns, Unknowns, open_sweeper,
};
pub use tiles::{TILE, Tiles};
#[cfg(feature = "engines")]
pub use {
    engine::{Execution, PointEngine},
    necklace::{grid, necklaces},
    reference::{largest_gap, reference_step},
    run::{BeadRecording, NecklaceRun, RunFigures},
    sweeps::sweeper,
    system::{BodyKind, PointState, PointSystem, StepOptions},
};
