//! The arrays of a batch as the user asks for them.

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use super::Batch;
use super::fill::{Extra, What};
use crate::arrays::Field;
use crate::error::OrRaise;

#[pymethods]
impl Batch {
    /// Pose of every body: position [m], quaternion (x, y, z, w); (worlds, bodies, 7), read-only.
    #[getter]
    fn body_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::BodyQ))
    }

    /// Velocity of every body [m/s], [rad/s]; (worlds, bodies, 6), read-only.
    #[getter]
    fn body_qd(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::BodyQd))
    }

    /// Coordinates of every joint by axis [m], [rad]; (worlds, joints, 6), read-only.
    #[getter]
    fn joint_q(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointQ))
    }

    /// Rates of the coordinates of every joint [m/s], [rad/s]; (worlds, joints, 6), read-only.
    #[getter]
    fn joint_qd(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointQd))
    }

    /// Standing force [N] and torque [N·m] on every body; (worlds, bodies, 6), writable.
    #[getter]
    fn body_f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::BodyF))
    }

    /// Effort along every axis of every joint [N], [N·m]; (worlds, joints, 6), writable.
    #[getter]
    fn joint_f(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointF))
    }

    /// Target of the drive of every axis [m], [rad]; (worlds, joints, 6), writable.
    #[getter]
    fn joint_target(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointTarget))
    }

    /// Target rate of the drive of every axis [m/s], [rad/s]; (worlds, joints, 6), writable.
    #[getter]
    fn joint_target_velocity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Field(Field::JointTargetVelocity))
    }

    /// Positions of the robot's joints as its file counts them; (worlds, positions), read-only.
    #[getter]
    fn qpos(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Robot(Extra::Qpos))
    }

    /// Velocities of the robot's joints as its file counts them; (worlds, velocities), read-only.
    #[getter]
    fn qvel(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Robot(Extra::Qvel))
    }

    /// Controls of the robot's actuators; (worlds, actuators), writable.
    #[getter]
    fn ctrl(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Robot(Extra::Ctrl))
    }

    /// What filters and integrators among the robot's actuators have made of their controls; (worlds, actuators), writable, zero
    /// where a control acts as it is.
    #[getter]
    fn act(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.array(py, What::Robot(Extra::Act))
    }

    /// Simulated time of every world [s].
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let inner = self.inner.lock(py)?;
        Ok(PyArray1::from_iter(py, (0..self.count).map(|world| inner.worlds.batch.world(world).time())))
    }

    /// Whether every world has bodies that were taken out because their state stopped being finite.
    #[getter]
    fn quarantined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inner = self.inner.lock(py)?;
        let bad = |world: usize| inner.worlds.batch.world(world).state().body_quarantined.contains(&true);
        Ok(PyArray1::from_iter(py, (0..self.count).map(bad)))
    }

    /// Force of the contacts of the last step on every body [N] and torque about its centre of mass [N·m]; (worlds, bodies, 6).
    fn contact_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let inner = self.inner.lock(py)?;
        let bodies = inner.worlds.batch.model().body_count();
        let mut flat = vec![0.0; self.count * bodies * 6];
        for world in 0..self.count {
            let sim = inner.worlds.batch.world(world);
            let rows = &mut flat[world * bodies * 6..(world + 1) * bodies * 6];
            for contact in sim.contacts().or_raise()? {
                for side in (0..2).filter(|&side| !contact.body[side].is_world()) {
                    let row = 6 * sim.body_index(contact.body[side]).or_raise()?;
                    let force = if side == 0 { -contact.force } else { contact.force };
                    let both = force.to_array().into_iter().chain(contact.torque[side].to_array());
                    rows[row..row + 6].iter_mut().zip(both).for_each(|(sum, part)| *sum += part);
                }
            }
        }
        PyArray1::from_vec(py, flat).reshape([self.count, bodies, 6])
    }
}
