//! Drystone's own solvers.

use drystone::jacobi::{Jacobi, JacobiOptions};
use drystone::model::{Model, State};
use drystone::{Simulation, SimulationBuilder};

use crate::config::Config;
use crate::engine::{Engine, Fault};

/// A solver by name.
pub fn solver(name: &str, config: &Config, model: &Model, dt: f64) -> Result<Box<dyn Engine>, Fault> {
    let mut builder = Simulation::builder(model.clone()).solver(name).dt(dt);
    if let Some(iterations) = config.iterations {
        builder = builder.option("iterations", iterations);
    }
    Ok(Box::new(Drystone(threaded(builder, config).build()?)))
}

/// Solver `jacobi` as published.
pub fn baseline(config: &Config, model: &Model, dt: f64) -> Result<Box<dyn Engine>, Fault> {
    let mut options = JacobiOptions::baseline();
    options.iterations = config.iterations.unwrap_or(options.iterations);
    let solver = Box::new(Jacobi::new(model, options)?);
    let builder = Simulation::builder(model.clone()).with_solver(solver).dt(dt);
    Ok(Box::new(Drystone(threaded(builder, config).build()?)))
}

/// One thread is the caller's own.
fn threaded(builder: SimulationBuilder, config: &Config) -> SimulationBuilder {
    if config.threads > 1 { builder.threads(config.threads) } else { builder }
}

struct Drystone(Simulation);

impl Engine for Drystone {
    fn step(&mut self) -> Result<(), Fault> {
        self.0.step()?;
        Ok(())
    }

    fn read(&self, state: &mut State) -> Result<(), Fault> {
        state.clone_from(self.0.state());
        Ok(())
    }

    fn phases(&self) -> Vec<(String, f64)> {
        self.0.phase_total().iter().map(|(phase, seconds)| (format!("{phase:?}"), *seconds)).collect()
    }
}
