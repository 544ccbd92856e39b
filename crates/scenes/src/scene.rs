//! What a scene is.

use drystone::geometry::ShapeError;
use drystone::model::{Model, ModelBuilder, ModelError, nearest};
use thiserror::Error;

use crate::check::Check;
use crate::params::{ParamError, Parameter, Params};

/// How a scene is meant to be run unless the user says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The solvers that keep the scene's claim, by name; the first runs it unless told otherwise. Other
    /// solvers may run the scene too, without a promise.
    pub solvers: &'static [&'static str],
    /// Time step \[s\].
    pub dt: f64,
    /// Simulated time \[s\].
    pub seconds: f64,
}

impl Settings {
    /// The default solver for `seconds` at 60 steps per second.
    pub fn seconds(seconds: f64) -> Self {
        Self { solvers: &[drystone::DEFAULT_SOLVER], dt: 1.0 / 60.0, seconds }
    }

    /// Says which solvers keep the claim, the one to run it by first.
    pub fn solvers(mut self, solvers: &'static [&'static str]) -> Self {
        self.solvers = solvers;
        self
    }

    /// The solver that runs it unless told otherwise.
    pub fn solver(&self) -> &'static str {
        self.solvers.first().copied().unwrap_or(drystone::DEFAULT_SOLVER)
    }

    /// Sets the time step as steps per second.
    pub fn hertz(mut self, hertz: f64) -> Self {
        self.dt = 1.0 / hertz;
        self
    }

    /// Number of steps, to the nearest.
    pub fn steps(&self) -> u64 {
        (self.seconds / self.dt).round() as u64
    }
}

/// A scene ready to run.
pub struct Scene {
    /// What there is.
    pub model: Model,
    /// How to run it.
    pub settings: Settings,
    /// What it claims.
    pub check: Check,
}

impl Scene {
    /// Checks the model and puts the scene together.
    pub fn new(builder: &ModelBuilder, settings: Settings, check: Check) -> Result<Self, SceneError> {
        Ok(Self { model: builder.finalize()?, settings, check })
    }
}

/// A scene of the library.
#[derive(Clone, Copy)]
pub struct SceneEntry {
    /// The name users select it by.
    pub name: &'static str,
    /// What it shows, in one line.
    pub summary: &'static str,
    /// What can be set on it.
    pub parameters: &'static [Parameter],
    /// Makes it.
    pub build: fn(&Params) -> Result<Scene, SceneError>,
}

/// Why a scene could not be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SceneError {
    /// No scene has this name.
    #[error("there is no scene `{name}`{hint}; `drystone scenes` lists them all")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The name probably meant, as a question.
        hint: String,
    },
    /// A setting is refused.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The model is not sound.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A shape is not sound.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl SceneEntry {
    /// Its parameters at their defaults.
    pub fn params(&self) -> Params {
        Params::new(self.name, self.parameters)
    }

    /// Makes the scene with some parameters set, each as `key=value`.
    pub fn make<S: AsRef<str>>(&self, settings: &[S]) -> Result<Scene, SceneError> {
        let mut params = self.params();
        settings.iter().try_for_each(|text| params.set(text.as_ref()))?;
        (self.build)(&params)
    }
}

/// The scene with this name.
pub fn find(name: &str) -> Result<&'static SceneEntry, SceneError> {
    let scenes = crate::library::SCENES;
    scenes.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let guess = nearest(name, scenes.iter().map(|entry| entry.name));
        let hint = guess.map_or_else(String::new, |guess| format!(" (did you mean `{guess}`?)"));
        SceneError::Unknown { name: name.to_owned(), hint }
    })
}

/// Makes a scene written on one line: `name` or `name:key=value,key=value`.
///
/// ```
/// let scene = drystone_scenes::parse("wall:rows=2,columns=3")?;
/// assert_eq!(scene.model.body_count(), 6);
/// # Ok::<(), drystone_scenes::SceneError>(())
/// ```
pub fn parse(text: &str) -> Result<Scene, SceneError> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let settings: Vec<&str> = settings.split(',').filter(|setting| !setting.is_empty()).collect();
    make(name, &settings)
}

/// Makes a scene by name with some parameters set, each as `key=value`.
///
/// ```
/// let scene = drystone_scenes::make("pyramid", &["rows=5"])?;
/// assert_eq!(scene.model.body_count(), 15);
/// # Ok::<(), drystone_scenes::SceneError>(())
/// ```
pub fn make<S: AsRef<str>>(name: &str, settings: &[S]) -> Result<Scene, SceneError> {
    find(name)?.make(settings)
}
