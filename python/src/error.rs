//! Errors of the library as exceptions, with the same words.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    drystone,
    Error,
    PyException,
    "What Drystone refuses or cannot do; the text says where and the way out."
);
create_exception!(drystone, ModelError, Error, "A scene that is not sound; lists every fault.");
create_exception!(
    drystone,
    BuildError,
    Error,
    "A simulation that cannot be built: solver, options, time step or model."
);
create_exception!(drystone, StepError, Error, "A step that could not be taken. Nothing has moved.");
create_exception!(
    drystone,
    RequestError,
    Error,
    "A request about a body or joint that makes no sense. Nothing has changed."
);
create_exception!(drystone, EditError, Error, "An edit that was refused. Nothing has changed.");
create_exception!(drystone, CheckpointError, Error, "A checkpoint that cannot be read or does not fit.");
create_exception!(drystone, QueryError, Error, "A question that makes no sense.");
create_exception!(
    drystone,
    FileError,
    Error,
    "A file of a scene, a robot, a mesh or a recording that cannot be read or written."
);

/// Adds the exceptions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("ModelError", py.get_type::<ModelError>())?;
    module.add("BuildError", py.get_type::<BuildError>())?;
    module.add("StepError", py.get_type::<StepError>())?;
    module.add("RequestError", py.get_type::<RequestError>())?;
    module.add("EditError", py.get_type::<EditError>())?;
    module.add("CheckpointError", py.get_type::<CheckpointError>())?;
    module.add("QueryError", py.get_type::<QueryError>())?;
    module.add("FileError", py.get_type::<FileError>())
}

/// Turns errors of the library into exceptions.
pub trait OrRaise<T> {
    /// The value, or the exception of the error's family with its text.
    fn or_raise(self) -> PyResult<T>;
}

/// An error of the library that has an exception.
pub trait Raised {
    /// The exception.
    fn raised(&self) -> PyErr;
}

impl<T, E: Raised> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| error.raised())
    }
}

macro_rules! raised_as {
    ($($error:ty => $exception:ident),+ $(,)?) => {
        $(impl Raised for $error {
            fn raised(&self) -> PyErr {
                $exception::new_err(self.to_string())
            }
        })+
    };
}

raised_as!(
    drystone::model::ModelError => ModelError,
    drystone::geometry::ShapeError => ModelError,
    drystone::geometry::HullError => ModelError,
    drystone::model::CoordinateError => RequestError,
    drystone_io::import::ControlError => RequestError,
    drystone::mechanism::NotATree => RequestError,
    drystone::BuildError => BuildError,
    drystone::SolverChange => BuildError,
    drystone::solve::StepError => StepError,
    drystone::solve::Untold => RequestError,
    drystone::RequestError => RequestError,
    drystone::EditError => EditError,
    drystone::CheckpointError => CheckpointError,
    drystone::QueryError => QueryError,
    drystone_io::atomic::WriteError => FileError,
    drystone_io::import::ImportError => FileError,
    drystone_io::recording::RecordingError => FileError,
    drystone_io::scene_file::SceneError => FileError,
    drystone_io::mesh::MeshError => FileError,
    drystone_scenes::SceneError => Error,
);
