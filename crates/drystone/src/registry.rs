//! Solvers by name.

use drystone_abd::{Abd, AbdOptions};
use drystone_jacobi::{Jacobi, JacobiOptions};
use drystone_model::{Model, ModelBuilder, nearest};
use drystone_solve::{BadOption, Refusal, Solver, Unsupported};
use drystone_structured::{Structured, StructuredOptions};
use drystone_vbd::{Vbd, VbdOptions};
use thiserror::Error;

use crate::words;

/// A solver as the registry knows it.
#[derive(Clone, Copy)]
pub struct SolverEntry {
    /// The name users select it by.
    pub name: &'static str,
    /// What it is for, in one line.
    pub summary: &'static str,
    /// The option that limits its iterations; `None` for one that does not iterate on the step as a whole.
    pub iterations: Option<&'static str>,
    /// Whether its option `device` runs it on a GPU, in builds with the feature `gpu`.
    pub on_gpu: bool,
    declare: fn(&mut ModelBuilder),
    schema: fn() -> schemars::Schema,
    defaults: fn() -> serde_json::Value,
    make: fn(&Model, serde_json::Value) -> Result<Box<dyn Solver>, SolverError>,
}

/// Why a solver could not be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolverError {
    /// No solver has this name.
    #[error("there is no solver `{name}`{hint}; the solvers are: {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The name probably meant, as a question.
        hint: String,
        /// The names that exist.
        known: String,
    },
    /// The options cannot be read: one that is not there, or a value of the wrong kind.
    #[error("options of solver `{solver}`: {reason}")]
    BadOptions {
        /// The solver.
        solver: &'static str,
        /// What is wrong with them.
        reason: String,
    },
    /// An option is outside its range.
    #[error(transparent)]
    OutOfRange(#[from] BadOption),
    /// The solver refuses the model.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

impl From<Refusal> for SolverError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Option(fault) => fault.into(),
            Refusal::Model(fault) => fault.into(),
        }
    }
}

impl SolverEntry {
    /// What options the solver takes, as a JSON schema: the same names and ranges for files, the command and programs.
    pub fn schema(&self) -> schemars::Schema {
        (self.schema)()
    }

    /// Its options with their defaults, as an object.
    pub fn defaults(&self) -> serde_json::Value {
        (self.defaults)()
    }
}

/// The schema of options in one piece, so that those of several solvers can stand side by side.
fn schema_of<T: schemars::JsonSchema>() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>()
}

const SOLVERS: &[SolverEntry] = &[
    SolverEntry {
        name: "vbd",
        summary: "real-time: augmented block descent, stable at any stiffness and mass ratio",
        iterations: Some("iterations"),
        on_gpu: true,
        declare: Vbd::declare_attributes,
        schema: schema_of::<VbdOptions>,
        defaults: || serde_json::json!(VbdOptions::default()),
        make: |model, options| Ok(Box::new(Vbd::new(model, read_options("vbd", options)?)?)),
    },
    SolverEntry {
        name: "abd",
        summary: "guaranteed free of intersections: affine bodies, barrier contact, Newton's method",
        iterations: Some("max_iterations"),
        on_gpu: false,
        declare: |_| {},
        schema: schema_of::<AbdOptions>,
        defaults: || serde_json::json!(AbdOptions::default()),
        make: |model, options| Ok(Box::new(Abd::new(model, read_options("abd", options)?)?)),
    },
    SolverEntry {
        name: "structured",
        summary: "accurate mechanisms: trees in linear time, loops by Krylov iterations, projection, active-set contacts",
        iterations: None,
        on_gpu: false,
        declare: |_| {},
        schema: schema_of::<StructuredOptions>,
        defaults: || serde_json::json!(StructuredOptions::default()),
        make: |model, options| Ok(Box::new(Structured::new(model, read_options("structured", options)?)?)),
    },
    SolverEntry {
        name: "jacobi",
        summary: "massively parallel baseline: velocity-level block Jacobi on joints and contacts",
        iterations: Some("iterations"),
        on_gpu: true,
        declare: |_| {},
        schema: schema_of::<JacobiOptions>,
        defaults: || serde_json::json!(JacobiOptions::default()),
        make: |model, options| Ok(Box::new(Jacobi::new(model, read_options("jacobi", options)?)?)),
    },
];

/// Every solver of this build, the default first.
pub fn solvers() -> &'static [SolverEntry] {
    SOLVERS
}

/// An empty model that knows the attributes of every solver, so that they can be set by name.
///
/// ```
/// use drystone::prelude::*;
/// use drystone::model::{RodDef, RodMaterial};
/// let mut scene = drystone::new_model();
/// let points = (0..5).map(|k| DVec3::X * f64::from(k)).collect();
/// let rod = scene.add_rod(RodDef::new(points, 0.1, RodMaterial::default()));
/// for joint in rod.joints {
///     scene.set_attribute("vbd.dahl_eps_max", joint, 0.5);
///     scene.set_attribute("vbd.dahl_tau", joint, 0.1);
/// }
/// assert_eq!(scene.finalize()?.attributes.joint["vbd.dahl_tau"], [0.1; 3]);
/// # Ok::<(), drystone::model::ModelError>(())
/// ```
pub fn new_model() -> ModelBuilder {
    let mut scene = ModelBuilder::new();
    solvers().iter().for_each(|solver| (solver.declare)(&mut scene));
    scene
}

/// Makes a solver by name for a model. `options` is an object of the solver's own options as their
/// documentation names them (`{"iterations": 10}`), or null for the defaults.
pub fn make_solver(name: &str, model: &Model, options: serde_json::Value) -> Result<Box<dyn Solver>, SolverError> {
    match solvers().iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.make)(model, options),
        None => {
            let near = nearest(name, solvers().iter().map(|entry| entry.name));
            let hint = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
            Err(SolverError::Unknown { name: name.to_owned(), hint, known: known_solvers() })
        }
    }
}

fn known_solvers() -> String {
    solvers().iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

/// Reads the options of a solver; null means the defaults, unknown keys are errors if the type says so.
fn read_options<T>(solver: &'static str, options: serde_json::Value) -> Result<T, SolverError>
where
    T: serde::de::DeserializeOwned + Default,
{
    if options.is_null() {
        return Ok(T::default());
    }
    serde_json::from_value(options.clone()).map_err(|error| {
        let reason = bad_value::<T>(&options, &[]).unwrap_or_else(|| words::refusal(&error.to_string()));
        SolverError::BadOptions { solver, reason }
    })
}

/// Names the option whose value cannot be read, which the reader's own error does not: each is tried by itself, those
/// of a group (`avbd.alpha`) inside it.
fn bad_value<T: serde::de::DeserializeOwned>(options: &serde_json::Value, group: &[&str]) -> Option<String> {
    let alone = |key: &str, value: &serde_json::Value| {
        let path = group.iter().rev();
        path.fold(serde_json::json!({ key: value }), |inner, &outer| serde_json::json!({ outer: inner }))
    };
    options.as_object()?.iter().find_map(|(key, value)| {
        let error = serde_json::from_value::<T>(alone(key, value)).err()?;
        let path = [group, &[key]].concat();
        bad_value::<T>(value, &path).or_else(|| {
            let (reason, path) = (words::refusal(&error.to_string()), path.join("."));
            // An option that does not exist is named already.
            Some(if reason.contains(&format!("`{key}`")) { reason } else { format!("`{path}` = {value}: {reason}") })
        })
    })
}

#[cfg(test)]
mod tests {
    use drystone_model::ModelBuilder;
    use serde_json::json;

    use super::*;

    /// What runs on a GPU takes the option, and says what is missing where there is none.
    #[test]
    fn solvers_on_the_gpu_take_a_device() {
        let model = ModelBuilder::new().finalize().unwrap();
        for entry in solvers() {
            let made = make_solver(entry.name, &model, json!({"device": "vulkan"}));
            match made.err() {
                Some(SolverError::BadOptions { .. }) => assert!(!entry.on_gpu, "{}", entry.name),
                Some(error) => assert!(entry.on_gpu && error.to_string().contains("vulkan"), "{error}"),
                None => assert!(entry.on_gpu && cfg!(any(feature = "cuda", feature = "vulkan")), "{}", entry.name),
            }
        }
    }

    /// Names and defaults of the schema are those that are read.
    #[test]
    fn the_schema_of_a_solver_names_its_options_and_their_defaults() {
        for entry in solvers() {
            let (schema, defaults) = (entry.schema().to_value(), entry.defaults());
            let described = schema["properties"].as_object().unwrap();
            let names: Vec<&String> = described.keys().collect();
            let mut known: Vec<&String> = defaults.as_object().unwrap().keys().collect();
            known.sort();
            let mut sorted = names.clone();
            sorted.sort();
            assert_eq!(sorted, known, "{}", entry.name);
            for (name, property) in described {
                assert_eq!(property["default"], defaults[name], "{} {name}", entry.name);
                assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{} {name}", entry.name);
            }
            let model = ModelBuilder::new().finalize().unwrap();
            assert!(make_solver(entry.name, &model, defaults).is_ok(), "{}", entry.name);
        }
    }

    #[test]
    fn solvers_are_made_by_name_with_their_options() {
        let model = ModelBuilder::new().finalize().unwrap();
        for entry in solvers() {
            assert_eq!(make_solver(entry.name, &model, json!(null)).unwrap().name(), entry.name);
        }
        assert!(make_solver("vbd", &model, json!({"iterations": 3})).is_ok());
        let unknown = make_solver("vdb", &model, json!(null)).err().unwrap().to_string();
        assert!(unknown.contains("`vdb`") && unknown.contains("vbd"), "{unknown}");
        let option = make_solver("vbd", &model, json!({"iteration": 3})).err().unwrap().to_string();
        assert!(option.contains("`iteration`") && option.contains("iterations"), "{option}");
    }
}
