//! What a session begins with.

use std::sync::Arc;

use drystone::model::{Control, Model};
use drystone::{Simulation, SolverChoice};
use drystone_picture::raster::View;
use serde_json::{Map, Value};

use crate::answer::Refusal;

/// Sets the targets of a step from its time and length \[s\], where a scene moves by itself.
pub type Motion = Arc<dyn Fn(f64, f64, &mut Control) + Send + Sync>;

/// Where a scene comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The library of scenes.
    Library,
    /// A file.
    File,
    /// A recording.
    Recording,
}

impl Source {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::File => "file",
            Self::Recording => "recording",
        }
    }
}

/// A scene with all choices made.
#[derive(Clone)]
pub struct Start {
    /// Its name, or its file.
    pub name: String,
    /// The parameters given.
    pub parameters: Map<String, Value>,
    /// Where it comes from.
    pub source: Source,
    /// What there is.
    pub model: Model,
    /// Solver and options.
    pub solver: SolverChoice,
    /// Time step \[s\].
    pub dt: f64,
    /// Where to look from.
    pub view: View,
    /// What moves by itself.
    pub motion: Option<Motion>,
    /// Number of threads; that of the process if none.
    pub threads: Option<usize>,
}

impl Start {
    /// A scene of the library.
    pub fn library(name: &str, parameters: &Map<String, Value>) -> Result<Self, Refusal> {
        let settings: Vec<String> = parameters.iter().map(|(key, value)| format!("{key}={}", word(value))).collect();
        let scene = drystone_scenes::make(name, &settings).map_err(Refusal::bad)?;
        Ok(Self {
            name: name.to_owned(),
            parameters: parameters.clone(),
            source: Source::Library,
            model: scene.model,
            solver: scene.settings.solver().into(),
            dt: scene.settings.dt,
            view: View::default(),
            motion: None,
            threads: None,
        })
    }

    /// A simulation under a solver, at the beginning.
    pub fn simulation(&self, solver: &SolverChoice) -> Result<Simulation, Refusal> {
        let mut builder = Simulation::builder(self.model.clone()).solver(solver.clone()).dt(self.dt);
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        builder.build().map_err(Refusal::conflict)
    }
}

/// A value as parameters of scenes are written.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A solver by name with options.
pub fn choice(name: &str, options: &Map<String, Value>) -> SolverChoice {
    let mut choice = SolverChoice::from(name);
    options.iter().for_each(|(key, value)| choice.set(key, value.clone()));
    choice
}

/// The solver a simulation runs under.
pub fn choice_of(sim: &Simulation) -> SolverChoice {
    let none = Map::new();
    choice(sim.solver().name(), sim.options().unwrap_or(&none))
}
