//! Choosing how a scene is simulated.

use std::sync::Arc;

use drystone_collide::{Collide, CollideOptions};
use drystone_model::Model;
use drystone_solve::{Report, Solver, StepError};
use thiserror::Error;

use crate::advance::Pace;
use crate::choice::SolverChoice;
use crate::events::EventLog;
use crate::forces::Forces;
use crate::ids::Ids;
use crate::query::QueryCache;
use crate::registry::SolverError;
use crate::sensors::Sensors;
use crate::simulation::Simulation;

/// The solver used unless another is chosen.
pub const DEFAULT_SOLVER: &str = "vbd";

/// The time step used unless another is chosen \[s\].
pub const DEFAULT_DT: f64 = 1.0 / 60.0;

/// Why a simulation could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The solver does not exist, does not take the options, or refuses the model.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Options were set by name for a solver that was made by hand and has its options already.
    #[error(
        "{options} cannot be set on a solver made by hand: set it where `{solver}` is made, or choose the solver by name"
    )]
    OptionsOfMadeSolver {
        /// The solver.
        solver: &'static str,
        /// The options, in words.
        options: String,
    },
    /// The time step is not a positive finite number.
    #[error(transparent)]
    TimeStep(#[from] StepError),
    /// The threads could not be started.
    #[error("cannot start {count} threads: {reason}")]
    Threads {
        /// How many were asked for.
        count: usize,
        /// What the system said.
        reason: String,
    },
}

enum Chosen {
    Named(SolverChoice),
    Made(Box<dyn Solver>),
}

/// What a [`Simulation`] is built from; every setting has a default.
#[must_use = "a builder does nothing until `build` is called"]
pub struct SimulationBuilder {
    model: Arc<Model>,
    solver: Chosen,
    options: serde_json::Map<String, serde_json::Value>,
    dt: f64,
    threads: Option<usize>,
    collide: CollideOptions,
}

impl SimulationBuilder {
    pub(crate) fn new(model: Arc<Model>) -> Self {
        Self {
            model,
            solver: Chosen::Named(DEFAULT_SOLVER.into()),
            options: serde_json::Map::new(),
            dt: DEFAULT_DT,
            threads: None,
            collide: CollideOptions::default(),
        }
    }

    /// Chooses a solver, by name (see [`crate::solvers`]) or by its options:
    ///
    /// ```
    /// use drystone::prelude::*;
    /// use drystone::vbd::VbdOptions;
    /// let model = ModelBuilder::new().finalize()?;
    /// let by_name = Simulation::builder(model.clone()).solver("vbd").option("iterations", 5).build()?;
    /// let typed = Simulation::builder(model).solver(VbdOptions { iterations: 5, ..VbdOptions::default() }).build()?;
    /// assert_eq!(by_name.options()?["iterations"], typed.options()?["iterations"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solver(mut self, solver: impl Into<SolverChoice>) -> Self {
        self.solver = Chosen::Named(solver.into());
        self
    }

    /// Sets an option of the solver chosen by name, before or after this, such as `("iterations", 10)`. With
    /// [`SimulationBuilder::with_solver`], whose solver already has its options, [`SimulationBuilder::build`] refuses it.
    pub fn option(mut self, key: &str, value: impl Into<serde_json::Value>) -> Self {
        self.options.insert(key.to_owned(), value.into());
        self
    }

    /// Uses a solver made by hand for this very model.
    pub fn with_solver(mut self, solver: Box<dyn Solver>) -> Self {
        self.solver = Chosen::Made(solver);
        self
    }

    /// Sets the time step \[s\].
    pub fn dt(mut self, dt: f64) -> Self {
        self.dt = dt;
        self
    }

    /// Sets the number of threads; without it the process-wide pool is used. Results are the same
    /// for any number.
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = Some(count);
        self
    }

    /// Sets how contacts are searched for.
    pub fn collide(mut self, options: CollideOptions) -> Self {
        self.collide = options;
        self
    }

    /// Builds the simulation at the initial state of the model.
    pub fn build(self) -> Result<Simulation, BuildError> {
        if !(self.dt.is_finite() && self.dt > 0.0) {
            return Err(StepError::BadTimeStep(self.dt).into());
        }
        let (solver, choice) = match self.solver {
            Chosen::Named(mut choice) => {
                self.options.into_iter().for_each(|(key, value)| choice.set(&key, value));
                (choice.make(&self.model)?, Some(choice))
            }
            Chosen::Made(solver) if self.options.is_empty() => (solver, None),
            Chosen::Made(solver) => {
                let names: Vec<String> = self.options.keys().map(|key| format!("`{key}`")).collect();
                let options = format!("option{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "));
                return Err(BuildError::OptionsOfMadeSolver { solver: solver.name(), options });
            }
        };
        let pool = self.threads.map(make_pool).transpose()?;
        let state = self.model.state();
        Ok(Simulation {
            ids: Ids::new(&self.model),
            base: None,
            control: self.model.control(),
            collide: Collide::new(&self.model, self.collide),
            before: state.clone(),
            state,
            solver,
            dt: self.dt,
            pool,
            forces: Forces::default(),
            log: EventLog::default(),
            told: Default::default(),
            report: Report::default(),
            bad: Vec::new(),
            phase_total: Vec::new(),
            query: QueryCache::default(),
            sensors: Sensors::default(),
            choice,
            pace: Pace::default(),
            model: self.model,
        })
    }
}

fn make_pool(count: usize) -> Result<rayon::ThreadPool, BuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.map_err(|error| BuildError::Threads { count, reason: error.to_string() })
}
