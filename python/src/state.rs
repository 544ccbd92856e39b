//! Where everything is.

use drystone::model;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{pose_of_row, pose_row, rows, twist_of_row, twist_row, values};
use crate::shared::Shared;

/// Where everything is at a moment: a copy, to be kept, changed and set. Arrays are copies too: assign them to change the state.
#[pyclass(frozen, module = "drystone")]
pub struct State(Shared<model::State>);

impl State {
    /// A state of Python.
    pub fn new(state: model::State) -> Self {
        Self(Shared::new(state))
    }

    /// The state.
    pub fn to_model(&self, py: Python<'_>) -> PyResult<model::State> {
        Ok(self.0.lock(py)?.clone())
    }
}

#[pymethods]
impl State {
    /// Simulated time [s].
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.0.lock(py)?.time)
    }

    /// Steps taken.
    #[getter]
    fn step_count(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.0.lock(py)?.step_count)
    }

    /// Pose of every body frame, world frame: position [m] and quaternion (x, y, z, w); shape (bodies, 7).
    #[getter]
    fn body_q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.lock(py)?.body_q.iter().map(pose_row))
    }

    #[setter]
    fn set_body_q(&self, py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.0.lock(py)?;
        let flat = values(array, "body_q", &[state.body_q.len(), 7])?;
        let poses: Vec<_> = flat.chunks_exact(7).map(pose_of_row).collect();
        if let Some(bad) = poses.iter().position(|pose| (pose.rotation.length() - 1.0).abs() >= 1e-6) {
            return Err(PyValueError::new_err(format!("body_q[{bad}] has no unit quaternion (x, y, z, w)")));
        }
        state.body_q = poses;
        Ok(())
    }

    /// Velocity of every centre of mass [m/s] and angular velocity [rad/s], world frame; shape (bodies, 6).
    #[getter]
    fn body_qd<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.lock(py)?.body_qd.iter().map(twist_row))
    }

    #[setter]
    fn set_body_qd(&self, py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.0.lock(py)?;
        let flat = values(array, "body_qd", &[state.body_qd.len(), 6])?;
        state.body_qd = flat.chunks_exact(6).map(twist_of_row).collect();
        Ok(())
    }

    /// Unwrapped angle of every rotational axis of every joint [rad]; shape (joints, 3).
    #[getter]
    fn joint_angle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.lock(py)?.joint_angle.iter().copied())
    }

    /// Whether every joint has not broken.
    #[getter]
    fn joint_intact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_slice(py, &self.0.lock(py)?.joint_intact))
    }

    /// Whether every body was taken out because its state stopped being finite.
    #[getter]
    fn body_quarantined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_slice(py, &self.0.lock(py)?.body_quarantined))
    }

    /// A number that is the same if, up to chance, every bit of the state is.
    fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.0.lock(py)?.hash())
    }

    /// A copy of its own.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self::new(self.to_model(py)?))
    }
}
