//! Block Jacobi on bodies joined at points.
//!
//! Two ways of execution, chosen by the shape of the system. *Fused*: every connected group of bodies
//! fits a workgroup, stays with it through all iterations, and a launch takes any number of frames.
//! *Two passes*: any graph, with one launch over the constraints and one over the bodies per iteration.

mod engine;
mod fused;
mod memory;
mod necklace;
mod pack;
mod reference;
mod run;
mod sweeps;
mod system;
mod two_pass;

pub use engine::{Execution, PointEngine};
pub use necklace::{grid, necklaces};
pub use reference::{largest_gap, reference_step};
pub use run::{BeadRecording, NecklaceRun, RunFigures};
pub use sweeps::{Equations, Sweeper, Turn, Unknowns, sweeper};
pub use system::{BodyKind, IMMOVABLE, PointState, PointSystem, StepOptions};
