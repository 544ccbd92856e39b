//! What every engine has in common: it is built from a model, steps, and says where its bodies are.

use std::error::Error;

use drystone::Simulation;
use drystone::model::{Model, State};

use crate::rapier::Rapier;

/// Why something could not be measured.
pub type Fault = Box<dyn Error + Send + Sync>;

/// An engine with a scene in it.
pub trait Engine {
    /// Advances by one time step.
    fn step(&mut self) -> Result<(), Fault>;

    /// Writes poses and velocities of all bodies into `state`.
    fn read(&self, state: &mut State) -> Result<(), Fault>;
}

/// An engine and its settings, by the name the tables show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    /// Solver `vbd` with so many iterations on so many threads.
    Drystone { iterations: u32, threads: usize },
    /// Rapier with its default settings, one thread.
    Rapier,
    /// Box3D with four substeps, one thread.
    Box3d,
}

impl Config {
    /// What is measured unless the user chooses.
    pub const DEFAULT: &[Self] = &[
        Self::Drystone { iterations: 5, threads: 1 },
        Self::Drystone { iterations: 10, threads: 1 },
        Self::Drystone { iterations: 10, threads: 2 },
        Self::Rapier,
        Self::Box3d,
    ];

    /// The name in tables: engine, iterations, threads.
    pub fn name(self) -> String {
        match self {
            Self::Drystone { iterations, threads } => format!("drystone-{iterations}it-{threads}t"),
            Self::Rapier => "rapier-1t".to_owned(),
            Self::Box3d => "box3d-1t".to_owned(),
        }
    }

    /// Reads a name as [`Config::name`] writes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let unknown = || format!("`{text}` is no engine; use rapier-1t, box3d-1t or drystone-5it-1t with any numbers");
        match text {
            "rapier-1t" | "rapier" => Ok(Self::Rapier),
            "box3d-1t" | "box3d" => Ok(Self::Box3d),
            _ => {
                let rest =
                    text.strip_prefix("drystone-").and_then(|rest| rest.strip_suffix('t')).ok_or_else(unknown)?;
                let (iterations, threads) = rest.split_once("it-").ok_or_else(unknown)?;
                let iterations = iterations.parse().map_err(|_| unknown())?;
                Ok(Self::Drystone { iterations, threads: threads.parse().map_err(|_| unknown())? })
            }
        }
    }

    /// Builds the engine with the model in it.
    pub fn build(self, model: &Model, dt: f64) -> Result<Box<dyn Engine>, Fault> {
        Ok(match self {
            Self::Drystone { iterations, threads } => {
                let builder = Simulation::builder(model.clone()).solver("vbd").option("iterations", iterations);
                Box::new(Drystone(builder.dt(dt).threads(threads).build()?))
            }
            Self::Rapier => Box::new(Rapier::new(model, dt)?),
            #[cfg(feature = "box3d")]
            Self::Box3d => Box::new(crate::box3d::Box3d::new(model, dt)?),
            #[cfg(not(feature = "box3d"))]
            Self::Box3d => return Err("this program was built without the feature `box3d`".into()),
        })
    }
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
}
