//! What every engine has in common: it is built from a model, steps, and says where its bodies are.

use std::error::Error;

use drystone::Simulation;
use drystone::model::{Model, State};
use drystone::jacobi::{Jacobi, JacobiOptions};

use crate::rapier::Rapier;

/// Why something could not be measured.
pub type Fault = Box<dyn Error + Send + Sync>;

/// An engine with a scene in it.
pub trait Engine {
    /// Advances by one time step.
    fn step(&mut self) -> Result<(), Fault>;

    /// Writes poses and velocities of all bodies into `state`.
    fn read(&self, state: &mut State) -> Result<(), Fault>;

    /// Seconds by phase since the start, by the clock on the wall, for engines that say.
    fn phases(&self) -> Vec<(String, f64)> {
        Vec::new()
    }
}

/// An engine and its settings, by the name the tables show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    /// Solver `vbd` with so many iterations on so many threads.
    Drystone { iterations: u32, threads: usize },
    /// Solver `jacobi` with so many iterations per substep on so many threads.
    Jacobi { iterations: u32, threads: usize },
    /// Solver `jacobi` as published: one substep, no acceleration, no stabilisation.
    Baseline { iterations: u32, threads: usize },
    /// Rapier with so many solver iterations (its default is 4), one thread.
    Rapier { iterations: usize },
    /// Box3D with so many substeps (its default is 4), one thread.
    Box3d { substeps: i32 },
}

impl Config {
    /// What is measured unless the user chooses.
    pub const DEFAULT: &[Self] = &[
        Self::Drystone { iterations: 5, threads: 1 },
        Self::Drystone { iterations: 10, threads: 1 },
        Self::Drystone { iterations: 10, threads: 2 },
        Self::Rapier { iterations: 4 },
        Self::Box3d { substeps: 4 },
    ];

    /// The name in tables: engine, iterations, threads.
    pub fn name(self) -> String {
        match self {
            Self::Drystone { iterations, threads } => format!("drystone-{iterations}it-{threads}t"),
            Self::Jacobi { iterations, threads } => format!("jacobi-{iterations}it-{threads}t"),
            Self::Baseline { iterations, threads } => format!("baseline-{iterations}it-{threads}t"),
            Self::Rapier { iterations: 4 } => "rapier-1t".to_owned(),
            Self::Rapier { iterations } => format!("rapier-{iterations}it-1t"),
            Self::Box3d { substeps: 4 } => "box3d-1t".to_owned(),
            Self::Box3d { substeps } => format!("box3d-{substeps}it-1t"),
        }
    }

    /// Reads a name as [`Config::name`] writes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::read(text).ok_or_else(|| {
            let known = "rapier-1t, rapier-16it-1t, box3d-1t, box3d-16it-1t, drystone-5it-1t, jacobi-10it-1t, baseline-20it-1t";
            format!("`{text}` is no engine; use {known}")
        })
    }

    fn read(text: &str) -> Option<Self> {
        let (engine, rest) = text.strip_suffix('t')?.split_once('-')?;
        let (work, threads) = rest.split_once("it-").unwrap_or(("4", rest));
        let threads: usize = threads.parse().ok()?;
        match (engine, threads) {
            ("drystone", _) => Some(Self::Drystone { iterations: work.parse().ok()?, threads }),
            ("jacobi", _) => Some(Self::Jacobi { iterations: work.parse().ok()?, threads }),
            ("baseline", _) => Some(Self::Baseline { iterations: work.parse().ok()?, threads }),
            ("rapier", 1) => Some(Self::Rapier { iterations: work.parse().ok()? }),
            ("box3d", 1) => Some(Self::Box3d { substeps: work.parse().ok()? }),
            _ => None,
        }
    }

    /// Builds the engine with the model in it.
    pub fn build(self, model: &Model, dt: f64) -> Result<Box<dyn Engine>, Fault> {
        Ok(match self {
            Self::Drystone { iterations, threads } => {
                let builder = Simulation::builder(model.clone()).solver("vbd").option("iterations", iterations);
                Box::new(Drystone(builder.dt(dt).threads(threads).build()?))
            }
            Self::Jacobi { iterations, threads } => {
                let builder = Simulation::builder(model.clone()).solver("jacobi").option("iterations", iterations);
                Box::new(Drystone(builder.dt(dt).threads(threads).build()?))
            }
            Self::Baseline { iterations, threads } => {
                let options = JacobiOptions { iterations, ..JacobiOptions::baseline() };
                let solver = Box::new(Jacobi::new(model, options)?);
                let builder = Simulation::builder(model.clone()).with_solver(solver);
                Box::new(Drystone(builder.dt(dt).threads(threads).build()?))
            }
            Self::Rapier { iterations } => Box::new(Rapier::new(model, dt)?.iterations(iterations)),
            #[cfg(feature = "box3d")]
            Self::Box3d { substeps } => Box::new(crate::box3d::Box3d::new(model, dt, substeps)?),
            #[cfg(not(feature = "box3d"))]
            Self::Box3d { .. } => return Err("this program was built without the feature `box3d`".into()),
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

    fn phases(&self) -> Vec<(String, f64)> {
        self.0.phase_total().iter().map(|(phase, seconds)| (format!("{phase:?}"), *seconds)).collect()
    }
}
