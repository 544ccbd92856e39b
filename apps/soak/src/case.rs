//! What is run: a random scene or a scene file.

use std::path::{Path, PathBuf};

use drystone::model::Model;
use drystone_io::scene_file;
use drystone_scenes::RandomScene;

/// A scene to be judged under several solvers.
pub struct Case {
    /// What tables call it.
    pub name: String,
    /// What there is.
    pub model: Model,
    /// Time step \[s\].
    pub dt: f64,
    /// Simulated time \[s\].
    pub seconds: f64,
    /// The words after `cargo xtask soak` that choose this scene again.
    pub repeat: String,
}

/// Where a case comes from; made into one only when it is its turn.
#[derive(Clone, Debug)]
pub enum Source {
    /// A random scene, with the words that changed its choices.
    Random(RandomScene, String),
    /// A scene file.
    File(PathBuf),
}

/// Simulated time unless the file or the user says otherwise \[s\].
pub const SECONDS: f64 = 3.0;

impl Source {
    /// Reads or makes the scene; `seconds` replaces what it says itself.
    pub fn case(&self, seconds: Option<f64>) -> Result<Case, String> {
        match self {
            Self::Random(random, words) => random_case(random, words, seconds),
            Self::File(path) => file_case(path, seconds),
        }
    }
}

fn random_case(random: &RandomScene, words: &str, seconds: Option<f64>) -> Result<Case, String> {
    let seed = random.seed;
    let made = random.build().map_err(|error| format!("seed {seed}: {error}"))?;
    let model = made.finalize().map_err(|error| format!("seed {seed}: {error}"))?;
    let repeat = format!("--seed {seed} --scenes 1{words}");
    Ok(Case { name: seed.to_string(), model, dt: random.dt, seconds: seconds.unwrap_or(SECONDS), repeat })
}

fn file_case(path: &Path, seconds: Option<f64>) -> Result<Case, String> {
    let scene = scene_file::load(path).map_err(|error| error.to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let seconds = seconds.or(scene.settings.seconds).unwrap_or(SECONDS);
    let dt = scene.settings.dt.unwrap_or(drystone::DEFAULT_DT);
    Ok(Case { name, model: scene.model, dt, seconds, repeat: path.display().to_string() })
}
