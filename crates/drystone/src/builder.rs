//! Choosing how a scene is simulated.

use drystone_collide::{Collide, CollideOptions};
use drystone_model::Model;
use drystone_solve::{Report, Solver, StepError};
use thiserror::Error;

use crate::events::EventLog;
use crate::forces::Forces;
use crate::ids::Ids;
use crate::query::QueryCache;
use crate::registry::{SolverError, make_solver};
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

enum SolverChoice {
    Named(String),
    Made(Box<dyn Solver>),
}

/// What a [`Simulation`] is built from; every setting has a default.
#[must_use = "a builder does nothing until `build` is called"]
pub struct SimulationBuilder {
    model: Model,
    solver: SolverChoice,
    options: serde_json::Map<String, serde_json::Value>,
    dt: f64,
    threads: Option<usize>,
    collide: CollideOptions,
}

impl SimulationBuilder {
    pub(crate) fn new(model: Model) -> Self {
        Self {
            model,
            solver: SolverChoice::Named(DEFAULT_SOLVER.to_owned()),
            options: serde_json::Map::new(),
            dt: DEFAULT_DT,
            threads: None,
            collide: CollideOptions::default(),
        }
    }

    /// Chooses a solver by name; see [`crate::solvers`].
    pub fn solver(mut self, name: &str) -> Self {
        self.solver = SolverChoice::Named(name.to_owned());
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
        self.solver = SolverChoice::Made(solver);
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
        let solver = match self.solver {
            SolverChoice::Named(name) => make_solver(&name, &self.model, self.options.into())?,
            SolverChoice::Made(solver) if self.options.is_empty() => solver,
            SolverChoice::Made(solver) => {
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
            contacts: Vec::new(),
            untold: None,
            report: Report::default(),
            bad: Vec::new(),
            phase_total: Vec::new(),
            query: QueryCache::default(),
            sensors: Sensors::default(),
            model: self.model,
        })
    }
}

fn make_pool(count: usize) -> Result<rayon::ThreadPool, BuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.map_err(|error| BuildError::Threads { count, reason: error.to_string() })
}
