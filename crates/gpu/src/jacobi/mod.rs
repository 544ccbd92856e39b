//! Block Jacobi.
//!
//! `PointEngine` (feature `engines`) keeps bodies joined at points on the device. Two ways of execution, chosen by the shape of the
//! system. *Fused*: every connected group of bodies fits a workgroup, stays with it through all iterations, and
//! a launch takes any number of frames. *Two passes*: any graph, with one launch over the constraints and one over
//! the bodies per iteration.
//!
//! A [`Sweeper`] runs the iterations of a solve of the CPU solver, whatever its joints and contacts.

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
