//! Which solver, with which options.

use drystone_abd::AbdOptions;
use drystone_collide::Collide;
use drystone_jacobi::JacobiOptions;
use drystone_model::Model;
use drystone_solve::{SnapshotError, Solver};
use drystone_structured::StructuredOptions;
use drystone_vbd::VbdOptions;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::hooks::refuse_hook;
use crate::registry::{SolverError, make_solver};
use crate::simulation::Simulation;

/// A solver by name with its options, from a name (`"vbd"`) or from options (`VbdOptions { … }`).
#[derive(Clone, Debug, PartialEq)]
pub struct SolverChoice {
    name: String,
    options: Map<String, Value>,
}

impl SolverChoice {
    /// Sets an option by name; `"avbd.alpha"` is `alpha` in the group `avbd`. What does not exist is refused when the
    /// solver is made.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        let mut group = &mut self.options;
        let mut path = key.split('.').peekable();
        while let Some(part) = path.next() {
            if path.peek().is_none() {
                group.insert(part.to_owned(), value.into());
                return;
            }
            let inner = group.entry(part).or_insert_with(|| Map::new().into());
            if !inner.is_object() {
                *inner = Map::new().into();
            }
            let Value::Object(next) = inner else { return };
            group = next;
        }
    }

    /// The same with an option set.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.set(key, value);
        self
    }

    /// Name of the solver.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that were set, as an object.
    pub fn options(&self) -> &Map<String, Value> {
        &self.options
    }

    /// The solver for a model.
    pub fn make(&self, model: &Model) -> Result<Box<dyn Solver>, SolverError> {
        make_solver(&self.name, model, Value::Object(self.options.clone()))
    }
}

impl From<&str> for SolverChoice {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), options: Map::new() }
    }
}

impl From<&String> for SolverChoice {
    fn from(name: &String) -> Self {
        name.as_str().into()
    }
}

macro_rules! from_options {
    ($($options:ty => $name:literal),+) => {$(
        impl From<$options> for SolverChoice {
            fn from(options: $options) -> Self {
                let mut choice = Self::from($name);
                // Options are plain structs of numbers and words: they always become an object.
                if let Ok(Value::Object(set)) = serde_json::to_value(options) {
                    choice.options = set;
                }
                choice
            }
        }
    )+};
}

from_options!(VbdOptions => "vbd", AbdOptions => "abd", StructuredOptions => "structured", JacobiOptions => "jacobi");

/// Why a solver could not be changed. The one at hand goes on.
#[derive(Debug, Error)]
pub enum SolverChange {
    /// The solver does not exist, does not take the options, or refuses the scene as it is now.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// What the solver remembers does not fit the options.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// It was made by hand, and nobody knows from what.
    #[error(
        "the options of solver `{0}`, which was made by hand, are not known; choose a solver by name or by options"
    )]
    MadeByHand(&'static str),
}

impl Simulation {
    /// The options of the solver that were set, as an object.
    pub fn options(&self) -> Result<&Map<String, Value>, SolverChange> {
        match &self.choice {
            Some(choice) => Ok(choice.options()),
            None => Err(SolverChange::MadeByHand(self.solver.name())),
        }
    }

    /// Goes on with another solver, by name or by options, from the state as it is. Invalidates what the solver before remembered:
    /// warm starts, sleep, contact matches. A solver that cannot run the scene as it stands refuses it: `abd` does where bodies
    /// overlap, unless its option `separate` is on, and where a contact hook is set, which it would not heed.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// use drystone::abd::AbdOptions;
    /// let mut scene = ModelBuilder::new();
    /// scene.ground();
    /// let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z).sphere(0.1));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.run(10, |_| ())?;
    /// let (pose, velocity) = (sim.pose(ball)?, sim.velocity(ball)?);
    /// sim.set_solver("abd")?;
    /// assert_eq!((sim.pose(ball)?, sim.velocity(ball)?), (pose, velocity));
    /// sim.set_solver(AbdOptions { separate: true, ..AbdOptions::default() })?;
    /// sim.run(60, |_| ())?;
    /// assert!(sim.pose(ball)?.translation.z > 0.1); // it lies, and touches nothing
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_solver(&mut self, solver: impl Into<SolverChoice>) -> Result<(), SolverChange> {
        let choice = solver.into();
        let solver = choice.make(&self.model_now())?;
        if self.collide.has_hook() {
            refuse_hook(solver.as_ref()).map_err(SolverError::from)?;
        }
        (self.solver, self.choice) = (solver, Some(choice));
        let mut collide = Collide::new(&self.model, self.collide.options());
        collide.take_hook_of(&self.collide);
        self.collide = collide;
        self.name_for_hook();
        if self.solver.name() != "abd" {
            self.state.body_affine.clear();
            self.before.body_affine.clear();
        }
        self.told.clear();
        Ok(())
    }

    /// Sets an option of the solver. Invalidates nothing: the solver goes on with what it remembers.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut sim = Simulation::new(ModelBuilder::new().finalize()?)?;
    /// sim.set_option("iterations", 20)?;
    /// sim.set_option("avbd.alpha", 0.9)?;
    /// assert!(sim.set_option("iterations", -1).unwrap_err().to_string().contains("`iterations`"));
    /// assert_eq!(sim.options()?["iterations"], 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_option(&mut self, key: &str, value: impl Into<Value>) -> Result<(), SolverChange> {
        let choice = self.choice.as_ref().ok_or(SolverChange::MadeByHand(self.solver.name()))?;
        let choice = choice.clone().with(key, value);
        let mut solver = choice.make(&self.model_now())?;
        solver.restore(&self.solver.snapshot())?;
        self.keep_told();
        (self.solver, self.choice) = (solver, Some(choice));
        Ok(())
    }
}
