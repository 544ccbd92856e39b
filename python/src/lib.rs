//! The native half of the Python package `drystone`: the library of `crates/drystone` behind classes and NumPy arrays.
//!
//! Arrays are made once, filled after every step and handed out read-only; arrays of controls are writable and read at the
//! start of a step. Every class may be used from several threads: a step lets other threads of Python run. Work in parallel
//! runs on pools of this module, one set per process, because the threads of a pool do not survive a fork.

mod arrays;
mod batch;
mod bodies;
mod builder;
mod command;
mod contacts;
mod convert;
mod driven;
mod error;
mod geometry;
mod joints;
mod model;
mod pool;
mod query;
mod recording;
mod report;
mod requests;
mod robot;
mod scene;
mod setters;
mod shared;
mod simulation;
mod state;

use pyo3::prelude::*;

/// The native half of `drystone`.
#[pymodule]
fn _drystone(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("WORLD", convert::WORLD_ID)?;
    error::register(module)?;
    module.add_class::<geometry::Geometry>()?;
    module.add_class::<geometry::Shape>()?;
    module.add_class::<bodies::Body>()?;
    module.add_class::<joints::Joint>()?;
    module.add_class::<joints::Drive>()?;
    module.add_class::<joints::Spring>()?;
    module.add_class::<joints::Follow>()?;
    module.add_class::<bodies::Drag>()?;
    module.add_class::<joints::Limit>()?;
    module.add_class::<builder::ModelBuilder>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<state::State>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<report::Report>()?;
    module.add_class::<contacts::Contacts>()?;
    module.add_class::<recording::Recording>()?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<robot::Robot>()?;
    module.add_function(wrap_pyfunction!(scene::scenes, module)?)?;
    module.add_function(wrap_pyfunction!(scene::load_scene, module)?)?;
    module.add_function(wrap_pyfunction!(robot::load_robot, module)?)?;
    module.add_function(wrap_pyfunction!(report::solvers, module)?)?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    Ok(())
}
