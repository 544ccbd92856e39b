//! What a step says about itself, and what solvers there are.

use drystone::solve;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert;

/// What a step said about itself. A figure that nobody measured is None, never zero.
#[pyclass(frozen, module = "drystone")]
pub struct Report(pub solve::Report);

#[pymethods]
impl Report {
    /// Iterations done.
    #[getter]
    fn iterations(&self) -> u32 {
        self.0.iterations
    }

    /// How the iterations ended, in a word.
    #[getter]
    fn ending(&self) -> String {
        format!("{:?}", self.0.ending).to_lowercase()
    }

    /// Whether the step says that its iterations did not come to their end.
    #[getter]
    fn is_unconverged(&self) -> bool {
        self.0.is_unconverged()
    }

    /// Largest move of the last iteration [m].
    #[getter]
    fn residual(&self) -> Option<f64> {
        self.0.residual
    }

    /// Number of contact points.
    #[getter]
    fn contact_count(&self) -> usize {
        self.0.contact_count
    }

    /// Deepest overlap of two bodies [m].
    #[getter]
    fn max_penetration(&self) -> Option<f64> {
        self.0.max_penetration
    }

    /// Smallest distance of two bodies [m].
    #[getter]
    fn min_distance(&self) -> Option<f64> {
        self.0.min_distance
    }

    /// Largest stretch of a spring, sheet or tetrahedron, as a share of its rest.
    #[getter]
    fn max_strain(&self) -> Option<f64> {
        self.0.max_strain
    }

    /// Mean stretch of all of these, shortening counted like lengthening.
    #[getter]
    fn mean_strain(&self) -> Option<f64> {
        self.0.mean_strain
    }

    /// Tetrahedra that are inside out.
    #[getter]
    fn inverted_count(&self) -> Option<u32> {
        self.0.inverted_count
    }

    /// Smallest distance of two parts of cloth, soft bodies and strings that were about to meet [m].
    #[getter]
    fn closest_approach(&self) -> Option<f64> {
        self.0.closest_approach
    }

    /// Energy stored in springs, sheets, folds and tetrahedra [J].
    #[getter]
    fn elastic_energy(&self) -> Option<f64> {
        self.0.elastic_energy
    }

    /// Largest gap of a joint [m].
    #[getter]
    fn max_joint_error(&self) -> Option<f64> {
        self.0.max_joint_error
    }

    /// Largest angular error of a joint [rad].
    #[getter]
    fn max_joint_angle_error(&self) -> Option<f64> {
        self.0.max_joint_angle_error
    }

    /// Kinetic energy [J].
    #[getter]
    fn kinetic_energy(&self) -> f64 {
        self.0.kinetic_energy
    }

    /// Potential energy in gravity, zero at the origin [J].
    #[getter]
    fn potential_energy(&self) -> f64 {
        self.0.potential_energy
    }

    /// Linear momentum [kg·m/s].
    #[getter]
    fn momentum(&self) -> [f64; 3] {
        self.0.momentum
    }

    /// Angular momentum about the origin [kg·m²/s].
    #[getter]
    fn angular_momentum(&self) -> [f64; 3] {
        self.0.angular_momentum
    }

    /// Bodies quarantined in this step because their state stopped being finite, by id.
    #[getter]
    fn quarantined(&self) -> Vec<u32> {
        self.0.quarantined.iter().map(|body| body.0).collect()
    }

    /// Joints that broke in this step, by id.
    #[getter]
    fn broken(&self) -> Vec<u32> {
        self.0.broken.iter().map(|joint| joint.0).collect()
    }

    /// Bodies asleep.
    #[getter]
    fn asleep(&self) -> u32 {
        self.0.asleep
    }

    fn __repr__(&self) -> String {
        let report = &self.0;
        format!("<Report: {} iterations, {} contacts>", report.iterations, report.contact_count)
    }
}

/// Every solver, the default first: a dict each with `name`, `summary` and `options`, the latter with their defaults.
#[pyfunction]
pub fn solvers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |solver: &drystone::SolverEntry| {
        let dict = PyDict::new(py);
        dict.set_item("name", solver.name)?;
        dict.set_item("summary", solver.summary)?;
        dict.set_item("options", convert::python(py, &solver.defaults())?)?;
        Ok(dict)
    };
    drystone::solvers().iter().map(entry).collect()
}
