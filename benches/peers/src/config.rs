//! Engines and their settings, by the names the tables show.

use std::path::Path;

use drystone_scenes::Scene;

use crate::drystone_engine;
use crate::engine::{Engine, Fault};
use crate::external::External;
use crate::rapier::Rapier;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of Drystone's solvers.
    Drystone(&'static str),
    /// Solver `jacobi` as published: one substep, no acceleration, no stabilisation.
    Baseline,
    Rapier,
    Box3d,
    /// An engine driven by Python.
    Python(&'static str),
}

/// Names of engines; `drystone` alone is its solver `vbd`.
const KINDS: [(&str, Kind); 10] = [
    ("drystone", Kind::Drystone("vbd")),
    ("structured", Kind::Drystone("structured")),
    ("abd", Kind::Drystone("abd")),
    ("jacobi", Kind::Drystone("jacobi")),
    ("baseline", Kind::Baseline),
    ("rapier", Kind::Rapier),
    ("box3d", Kind::Box3d),
    ("mujoco", Kind::Python("mujoco")),
    ("newton", Kind::Python("newton")),
    ("bullet", Kind::Python("bullet")),
];

/// An engine, how much work it is given, and on how many threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub kind: Kind,
    /// Substeps of a step, if not the engine's own choice.
    pub substeps: Option<u32>,
    /// Iterations of a (sub)step, if not the engine's own choice.
    pub iterations: Option<u32>,
    pub threads: usize,
}

impl Config {
    /// What is measured unless the user chooses.
    pub const DEFAULT: [&str; 5] = ["drystone-5it-1t", "drystone-10it-1t", "drystone-5it-2t", "rapier-1t", "box3d-1t"];

    /// The name in tables: engine, work, threads.
    pub fn name(&self) -> String {
        let engine = KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("?", |(name, _)| name);
        let work = match (self.substeps, self.iterations) {
            (Some(substeps), Some(iterations)) => format!("{substeps}x{iterations}-"),
            (Some(substeps), None) => format!("{substeps}sub-"),
            (None, Some(iterations)) => format!("{iterations}it-"),
            (None, None) => String::new(),
        };
        format!("{engine}-{work}{}t", self.threads)
    }

    /// Reads a name as [`Config::name`] writes it.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::read(text).ok_or_else(|| {
            let known: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            format!(
                "`{text}` is no engine; use one of {} with its work and threads, as in rapier-1t, rapier-16it-1t, \
                 mujoco-8sub-1t, newton-10x5-1t",
                known.join(", ")
            )
        })
    }

    fn read(text: &str) -> Option<Self> {
        let mut words = text.split('-');
        let name = words.next()?;
        let kind = KINDS.iter().find(|(known, _)| *known == name)?.1;
        let threads = words.next_back()?.strip_suffix('t')?.parse().ok().filter(|&threads| threads > 0)?;
        let (mut substeps, mut iterations) = (None, None);
        match words.next() {
            None => {}
            Some(work) => match (work.split_once('x'), work.strip_suffix("sub"), work.strip_suffix("it")) {
                (Some((outer, inner)), ..) => {
                    (substeps, iterations) = (Some(outer.parse().ok()?), Some(inner.parse().ok()?));
                }
                (_, Some(count), _) => substeps = Some(count.parse().ok()?),
                (_, _, Some(count)) => iterations = Some(count.parse().ok()?),
                _ => return None,
            },
        }
        words.next().is_none().then_some(Self { kind, substeps, iterations, threads })
    }

    /// Builds the engine with the scene in it; `python` runs those that need it.
    pub fn build(&self, scene: &Scene, python: &Path) -> Result<Box<dyn Engine>, Fault> {
        let (model, dt) = (&scene.model, scene.settings.dt);
        let has_cloth = matches!(self.kind, Kind::Drystone("vbd" | "abd") | Kind::Python("newton"));
        if model.particle_count() > 0 && !has_cloth {
            return Err("it has no cloth or soft bodies here".into());
        }
        Ok(match self.kind {
            Kind::Drystone(solver) => drystone_engine::solver(solver, self, model, dt)?,
            Kind::Baseline => drystone_engine::baseline(self, model, dt)?,
            Kind::Rapier => Box::new(Rapier::new(model, dt)?.iterations(self.iterations).threads(self.threads)?),
            #[cfg(feature = "box3d")]
            Kind::Box3d => {
                let work = self.substeps.or(self.iterations);
                Box::new(crate::box3d::Box3d::new(model, dt, work, self.threads as u32)?)
            }
            #[cfg(not(feature = "box3d"))]
            Kind::Box3d => return Err("this program was built without the feature `box3d`".into()),
            Kind::Python(engine) => Box::new(External::start(engine, self, scene, python)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["drystone-5it-1t", "rapier-2t", "mujoco-8sub-1t", "newton-10x5-1t", "jacobi-20it-16t"] {
            assert_eq!(Config::parse(name).unwrap().name(), name);
        }
        for name in ["rapier", "rapier-0t", "havok-1t", "newton-10y5-1t", "rapier-4it-2t-1t", ""] {
            assert!(Config::parse(name).is_err(), "{name}");
        }
    }
}
