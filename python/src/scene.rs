//! Scenes of the library and scene files.

use std::path::PathBuf;
use std::sync::Arc;

use drystone_io::scene_file::KeyFrames;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};

use crate::convert;
use crate::error::OrRaise;
use crate::model::Model;
use crate::pool::Threads;
use crate::simulation::Simulation;

/// A scene with how it is meant to be run.
#[pyclass(frozen, module = "drystone")]
pub struct Scene {
    name: String,
    model: Arc<drystone::model::Model>,
    solver: String,
    options: Map<String, Value>,
    dt: f64,
    seconds: f64,
    motions: KeyFrames,
    notes: Vec<String>,
}

/// Simulated time of a scene file that does not say \[s\].
const FILE_SECONDS: f64 = 5.0;

/// A scene of the library (`scenes()` lists them) with parameters as keywords, or a scene file (.json5) by its path.
#[pyfunction]
#[pyo3(signature = (scene, **parameters))]
pub fn load_scene(scene: PathBuf, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Scene> {
    let name = scene.to_string_lossy().into_owned();
    let is_file = scene.extension().is_some() || scene.components().count() > 1;
    if is_file && drystone_scenes::find(&name).is_err() {
        if let Some((key, _)) = parameters.and_then(|given| given.iter().next()) {
            let text = format!("{key}: files have no parameters; change `{name}` itself");
            return Err(PyValueError::new_err(text));
        }
        return from_file(scene, name);
    }
    let mut settings = Vec::new();
    for (key, value) in parameters.into_iter().flatten() {
        let value = match convert::json(&value)? {
            Value::String(text) => text,
            other => other.to_string(),
        };
        settings.push(format!("{key}={value}"));
    }
    let made = drystone_scenes::make(&name, &settings).or_raise()?;
    Ok(Scene {
        name,
        model: Arc::new(made.model),
        solver: made.settings.solver().to_owned(),
        options: Map::new(),
        dt: made.settings.dt,
        seconds: made.settings.seconds,
        motions: KeyFrames::default(),
        notes: Vec::new(),
    })
}

fn from_file(path: PathBuf, name: String) -> PyResult<Scene> {
    let loaded = drystone_io::scene_file::load(&path).or_raise()?;
    let settings = loaded.settings;
    let solver = settings.solver.unwrap_or_else(|| drystone::DEFAULT_SOLVER.to_owned());
    let mut options: Map<String, Value> =
        settings.options.iter().map(|(key, value)| (key.clone(), value.into())).collect();
    if let Some(iterations) = settings.iterations {
        let entry = drystone::solvers().iter().find(|entry| entry.name == solver);
        let Some(key) = entry.and_then(|entry| entry.iterations) else {
            let text = format!("`{name}`: the solver `{solver}` has no number of iterations to set; leave it out");
            return Err(PyValueError::new_err(text));
        };
        options.insert(key.to_owned(), iterations.into());
    }
    Ok(Scene {
        name: loaded.name.unwrap_or(name),
        model: Arc::new(loaded.model),
        solver,
        options,
        dt: settings.dt.unwrap_or(drystone::DEFAULT_DT),
        seconds: settings.seconds.unwrap_or(FILE_SECONDS),
        motions: loaded.motions,
        notes: loaded.notes,
    })
}

#[pymethods]
impl Scene {
    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What there is.
    #[getter]
    fn model(&self) -> Model {
        Model(self.model.clone())
    }

    /// The solver it is meant for.
    #[getter]
    fn solver(&self) -> &str {
        &self.solver
    }

    /// Options of that solver.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::python(py, &Value::Object(self.options.clone()))
    }

    /// Its time step [s].
    #[getter]
    fn dt(&self) -> f64 {
        self.dt
    }

    /// Time to simulate [s].
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// What robot files it includes say and the model does not.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// A simulation of it, by its own solver, options and time step unless others are given. Key frames of the file move its
    /// targets.
    #[pyo3(signature = (solver=None, *, dt=None, threads=None, **options))]
    fn simulation(
        &self,
        solver: Option<&str>,
        dt: Option<f64>,
        threads: Option<usize>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Simulation> {
        // Options that a file has for its own solver are nothing to another.
        let own = solver.is_none_or(|solver| solver == self.solver);
        let mut chosen = if own { self.options.clone() } else { Map::new() };
        chosen.extend(convert::options(options)?);
        let threads = Threads::checked(threads)?;
        let (model, solver) = ((*self.model).clone(), solver.unwrap_or(&self.solver));
        let sim = Simulation::build(model, solver, dt.unwrap_or(self.dt), chosen)?;
        Ok(Simulation::with_motions(sim, threads, self.motions.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<Scene `{}`: {} bodies, solver {}>", self.name, self.model.body_count(), self.solver)
    }
}

/// Every scene of the library: a dict each with `name`, `summary` and `parameters`, the latter with their defaults.
#[pyfunction]
pub fn scenes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |scene: &drystone_scenes::SceneEntry| {
        let (dict, parameters) = (PyDict::new(py), PyDict::new(py));
        scene.parameters.iter().try_for_each(|parameter| parameters.set_item(parameter.name, parameter.default))?;
        dict.set_item("name", scene.name)?;
        dict.set_item("summary", scene.summary)?;
        dict.set_item("parameters", parameters)?;
        Ok(dict)
    };
    drystone_scenes::SCENES.iter().map(entry).collect()
}
