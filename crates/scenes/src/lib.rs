//! Every named scene, once: used by tests, benchmarks, the command and the documentation. A scene
//! is a function from parameters to a model, settings to run it with, and a check of its claim.
//!
//! All scenes are in SI units with Z up. Unless a scene says otherwise: gravity 9.81 m/s², density
//! 1000 kg/m³, friction 0.6, restitution 0, ground at z = 0, contacts starting at zero gap.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod check;
pub mod library;
pub mod measure;
pub mod observe;
pub mod params;
pub mod random;
pub mod rng;
pub mod scene;

pub use check::{Check, Figures, Run, Verdict};
pub use library::SCENES;
pub use observe::{Measures, Probe};
pub use params::{ParamError, Parameter, Params};
pub use random::RandomScene;
pub use scene::{Scene, SceneEntry, SceneError, Settings, find, make, parse};
