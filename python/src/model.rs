//! What there is.

use std::path::PathBuf;
use std::sync::Arc;

use drystone::mechanism::JointSpace;
use drystone::model;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::bodies::kind_name;
use crate::convert::{body_number, rows};
use crate::error::OrRaise;
use crate::state::State;

/// A scene: bodies, shapes and joints, checked once and then immutable. Made by `ModelBuilder.finalize`, from files or from the
/// scenes of the library.
#[pyclass(frozen, module = "drystone")]
pub struct Model(pub Arc<model::Model>);

impl Model {
    /// A model of Python.
    pub fn new(model: model::Model) -> Self {
        Self(Arc::new(model))
    }
}

#[pymethods]
impl Model {
    /// Number of worlds.
    #[getter]
    fn world_count(&self) -> usize {
        self.0.world_count()
    }

    /// Number of bodies.
    #[getter]
    fn body_count(&self) -> usize {
        self.0.body_count()
    }

    /// Number of shapes.
    #[getter]
    fn shape_count(&self) -> usize {
        self.0.shape_count()
    }

    /// Number of joints.
    #[getter]
    fn joint_count(&self) -> usize {
        self.0.joint_count()
    }

    /// Number of particles.
    #[getter]
    fn particle_count(&self) -> usize {
        self.0.particle_count()
    }

    /// Names of the bodies.
    #[getter]
    fn body_names(&self) -> Vec<String> {
        self.0.body_name.clone()
    }

    /// Names of the shapes.
    #[getter]
    fn shape_names(&self) -> Vec<String> {
        self.0.shape_name.clone()
    }

    /// Names of the joints.
    #[getter]
    fn joint_names(&self) -> Vec<String> {
        self.0.joint_name.clone()
    }

    /// Kinds of the bodies: dynamic, kinematic or static.
    #[getter]
    fn body_kinds(&self) -> Vec<&'static str> {
        self.0.body_kind.iter().map(|kind| kind_name(*kind)).collect()
    }

    /// Kinds of the joints.
    #[getter]
    fn joint_kinds(&self) -> Vec<&'static str> {
        self.0.joint_kind.iter().map(|kind| crate::joints::kind_name(*kind)).collect()
    }

    /// Bodies of every joint, parent and child, −1 for the world; shape (joints, 2).
    #[getter]
    fn joint_bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let number = |body: &u32| body_number(model::BodyId(*body));
        let pairs = self.0.joint_parent.iter().zip(&self.0.joint_child);
        let flat: Vec<i64> = pairs.flat_map(|(parent, child)| [number(parent), number(child)]).collect();
        PyArray1::from_vec(py, flat).reshape([self.0.joint_count(), 2])
    }

    /// Body of every shape, −1 for the world.
    #[getter]
    fn shape_body<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.0.shape_body.iter().map(|body| body_number(model::BodyId(*body))))
    }

    /// Mass of every body [kg].
    #[getter]
    fn body_mass<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.body_mass)
    }

    /// Centre of mass of every body in its frame [m]; shape (bodies, 3).
    #[getter]
    fn body_com<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.body_com.iter().map(|com| com.to_array()))
    }

    /// Inertia tensor of every body about its centre of mass, body axes [kg·m²]; shape (bodies, 3, 3).
    #[getter]
    fn body_inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let flat: Vec<f64> = self.0.body_inertia.iter().flat_map(|tensor| tensor.transpose().to_cols_array()).collect();
        PyArray1::from_vec(py, flat).reshape([self.0.body_count(), 3, 3])
    }

    /// Gravity of every world [m/s²]; shape (worlds, 3).
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.world_gravity.iter().map(|gravity| gravity.to_array()))
    }

    /// The id of the body with this name; a `KeyError` if there is none.
    fn body(&self, name: &str) -> PyResult<u32> {
        named("body", name, self.0.body_named(name).map(|id| id.0), &self.0.body_name)
    }

    /// The id of the shape with this name; a `KeyError` if there is none.
    fn shape(&self, name: &str) -> PyResult<u32> {
        named("shape", name, self.0.shape_named(name).map(|id| id.0), &self.0.shape_name)
    }

    /// The id of the joint with this name; a `KeyError` if there is none.
    fn joint(&self, name: &str) -> PyResult<u32> {
        named("joint", name, self.0.joint_named(name).map(|id| id.0), &self.0.joint_name)
    }

    /// The state in which everything starts.
    fn state(&self) -> State {
        State::new(self.0.state())
    }

    /// Kinetic and potential energy [J] at a state, without the springs of joints.
    fn energy(&self, py: Python<'_>, state: PyRef<'_, State>) -> PyResult<(f64, f64)> {
        let energy = self.0.energy(&fitting(&self.0, state.to_model(py)?)?);
        Ok((energy.kinetic, energy.potential))
    }

    /// Linear momentum [kg·m/s] and angular momentum about the origin [kg·m²/s] at a state.
    fn momentum(&self, py: Python<'_>, state: PyRef<'_, State>) -> PyResult<([f64; 3], [f64; 3])> {
        let momentum = self.0.momentum(&fitting(&self.0, state.to_model(py)?)?);
        Ok((momentum.linear.to_array(), momentum.angular.to_array()))
    }

    /// Coordinates of every joint at a state, by axis: translations [m], rotations [rad]; shape (joints, 6).
    fn joint_coordinates<'py>(&self, py: Python<'py>, state: PyRef<'_, State>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let state = fitting(&self.0, state.to_model(py)?)?;
        rows(py, (0..self.0.joint_count()).map(|joint| self.0.joint_coordinates(&state, joint)))
    }

    /// Rates of the coordinates of every joint at a state [m/s], [rad/s]; shape (joints, 6).
    fn joint_rates<'py>(&self, py: Python<'py>, state: PyRef<'_, State>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let state = fitting(&self.0, state.to_model(py)?)?;
        rows(py, (0..self.0.joint_count()).map(|joint| self.0.joint_rates(&state, joint)))
    }

    /// The mass matrix of a model whose joints form trees, at a state [kg, kg·m, kg·m²], rotor inertias included; rows and columns
    /// are the free axes of the joints, parents first, and six per floating body.
    fn mass_matrix<'py>(&self, py: Python<'py>, state: PyRef<'_, State>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let state = fitting(&self.0, state.to_model(py)?)?;
        let matrix = JointSpace::new(&self.0).or_raise()?.mass_matrix(&state);
        let size = matrix.size();
        PyArray1::from_slice(py, matrix.values()).reshape([size, size])
    }

    /// Efforts along the free axes (as in `mass_matrix`) that give these accelerations at a state, [N] and [N·m]: weight, inertia
    /// and gyroscopic forces of a model whose joints form trees.
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        state: PyRef<'_, State>,
        accelerations: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let state = fitting(&self.0, state.to_model(py)?)?;
        let space = JointSpace::new(&self.0).or_raise()?;
        let given = crate::convert::values(accelerations, "accelerations", &[space.freedoms().len()])?;
        Ok(PyArray1::from_vec(py, space.inverse_dynamics(&state, &self.0.control(), &given)))
    }

    /// A number that is the same if, up to chance, the model is.
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    /// Writes the model as a scene file (.json5).
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = drystone_io::scene_file::export(&self.0, &name, drystone_io::scene_file::SceneSettings::default());
        let text = text.map_err(|fault| crate::error::FileError::new_err(fault.message))?;
        drystone_io::atomic::atomic_write(&path, |file| std::io::Write::write_all(file, text.as_bytes())).or_raise()
    }

    fn __repr__(&self) -> String {
        let model = &self.0;
        let (bodies, shapes, joints) = (model.body_count(), model.shape_count(), model.joint_count());
        format!("<Model: {bodies} bodies, {shapes} shapes, {joints} joints>")
    }
}

/// The state, if it has the sizes of the model.
pub fn fitting(model: &model::Model, state: model::State) -> PyResult<model::State> {
    let sizes = |state: &model::State| [state.body_q.len(), state.joint_angle.len(), state.particle_q.len()];
    let (given, own) = (sizes(&state), [model.body_count(), model.joint_count(), model.particle_count()]);
    if given == own {
        return Ok(state);
    }
    let text = format!("the state is of another model: it has {given:?} bodies, joints and particles, not {own:?}");
    Err(pyo3::exceptions::PyValueError::new_err(text))
}

/// The id found, or what to do about it.
pub fn named(what: &str, name: &str, found: Option<u32>, names: &[String]) -> PyResult<u32> {
    found.ok_or_else(|| {
        let near = model::nearest(name, names.iter().map(String::as_str));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        pyo3::exceptions::PyKeyError::new_err(format!("there is no {what} `{name}`{hint}"))
    })
}
