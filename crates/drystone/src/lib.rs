//! Drystone: a physics engine for rigid and nearly rigid bodies in contact.
//!
//! Build a model, choose a solver, step:
//!
//! ```
//! use drystone::prelude::*;
//!
//! let mut scene = ModelBuilder::new();
//! scene.ground();
//! for level in 0..5 {
//!     let height = 0.5 + f64::from(level);
//!     scene.add_body(BodyDef::dynamic(format!("box {level}")).at(DVec3::Z * height).cuboid(DVec3::splat(0.5)));
//! }
//! let mut sim = Simulation::builder(scene.finalize()?).solver("vbd").option("iterations", 10).dt(1.0 / 60.0).build()?;
//! for _ in 0..60 {
//!     sim.step()?;
//! }
//! assert!((sim.state().body_q[4].translation.z - 4.5).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What a step did is in [`Simulation::report`] and [`Simulation::events`]; a run is kept in a
//! [`Recording`] or a [`Checkpoint`]. Data are in SI units; see [`model`] for frames and layout.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod advance;
pub mod atomic;
pub mod batch;
pub mod builder;
pub mod checkpoint;
pub mod choice;
pub mod edit;
pub mod events;
mod forces;
mod hooks;
pub mod ids;
mod quarantine;
mod query;
pub mod recording;
pub mod registry;
mod requests;
mod reset;
mod resume;
mod sensors;
pub mod setters;
pub mod simulation;
mod together;
mod told;
pub mod trade;
pub mod words;

pub use advance::{Advance, Pace};
pub use batch::{Batch, WorldFailure};
pub use builder::{BuildError, DEFAULT_DT, DEFAULT_SOLVER, SimulationBuilder};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use choice::{SolverChange, SolverChoice};
pub use drystone_abd as abd;
pub use drystone_collide as collide;
pub use drystone_collide::{
    ContactHook, ContactPair, ContactPatch, PatchPoint, QueryError, QueryFilter, SceneContact, SceneHit, SceneNearest,
    SceneQuery,
};
pub use drystone_geometry as geometry;
pub use drystone_jacobi as jacobi;
pub use drystone_model as model;
pub use drystone_solve as solve;
pub use drystone_structured as structured;
pub use drystone_structured::mechanism;
pub use drystone_vbd as vbd;
pub use edit::{EditError, SceneEdit};
pub use events::{Event, SensorEvent};
pub use ids::RequestError;
pub use recording::Recording;
pub use registry::{SolverEntry, SolverError, make_solver, new_model, solvers};
pub use simulation::Simulation;

/// The example of the README, so that it is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct ReadmeExample;

/// The program of the tutorial, likewise.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/first-program.md")]
pub struct FirstProgram;

/// That of the page about changing scenes.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
pub struct LibraryExamples;

/// What most programs need.
pub mod prelude {
    pub use drystone_model::{
        Axis, BodyDef, BodyId, Drive, JointDef, JointId, Material, Model, ModelBuilder, ParticleId, ShapeDef, ShapeId,
        State, WORLD, WorldId,
    };
    pub use drystone_model::{DMat3, DQuat, DVec3, Pose};
    pub use drystone_solve::{Report, Solver};

    pub use crate::{Checkpoint, Event, Recording, Simulation};
}
