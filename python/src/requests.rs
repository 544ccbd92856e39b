//! What is asked of single bodies and joints, by id.

use drystone::geometry::DVec3;
use drystone::model::Twist;
use pyo3::prelude::*;

use crate::contacts::Contacts;
use crate::convert::{self, axis, body_id, joint_id, numbers, pose_row, twist_row, vector};
use crate::error::OrRaise;
use crate::model::named;
use crate::simulation::Simulation;

#[pymethods]
impl Simulation {
    /// The id of the body with this name; a `KeyError` if there is none.
    fn body(&self, py: Python<'_>, name: &str) -> PyResult<u32> {
        self.ask(py, |sim| named("body", name, sim.body(name).map(|id| id.0), &sim.model().body_name))
    }

    /// The id of the shape with this name; a `KeyError` if there is none.
    fn shape(&self, py: Python<'_>, name: &str) -> PyResult<u32> {
        self.ask(py, |sim| named("shape", name, sim.shape(name).map(|id| id.0), &sim.model().shape_name))
    }

    /// The id of the joint with this name; a `KeyError` if there is none.
    fn joint(&self, py: Python<'_>, name: &str) -> PyResult<u32> {
        self.ask(py, |sim| named("joint", name, sim.joint(name).map(|id| id.0), &sim.model().joint_name))
    }

    /// Where a body is in the arrays now. Ids stay; a removal moves what comes after.
    fn body_index(&self, py: Python<'_>, body: i64) -> PyResult<usize> {
        self.ask(py, |sim| sim.body_index(body_id(body)?).or_raise())
    }

    /// Where a joint is in the arrays now.
    fn joint_index(&self, py: Python<'_>, joint: i64) -> PyResult<usize> {
        self.ask(py, |sim| sim.joint_index(joint_id(joint)?).or_raise())
    }

    /// Pose of a body: position [m] and quaternion (x, y, z, w), seven numbers.
    fn pose(&self, py: Python<'_>, body: i64) -> PyResult<[f64; 7]> {
        self.ask(py, |sim| Ok(pose_row(&sim.pose(body_id(body)?).or_raise()?)))
    }

    /// Velocity of a body: of its centre of mass [m/s], and angular [rad/s], six numbers.
    fn velocity(&self, py: Python<'_>, body: i64) -> PyResult<[f64; 6]> {
        self.ask(py, |sim| Ok(twist_row(&sim.velocity(body_id(body)?).or_raise()?)))
    }

    /// Pushes a body for the next step only, at its centre of mass or at a `point` of the world [m]; force in the world frame [N].
    #[pyo3(signature = (body, force, point=None))]
    fn apply_force(
        &self,
        py: Python<'_>,
        body: i64,
        force: &Bound<'_, PyAny>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (body, force) = (body_id(body)?, vector(Some(force), "force")?);
        let point = point.map(|value| vector(Some(value), "point")).transpose()?;
        self.change(py, |sim| match point {
            Some(point) => sim.apply_force_at(body, force, point).or_raise(),
            None => sim.apply_force(body, force).or_raise(),
        })
    }

    /// Turns a body for the next step only; torque in the world frame [N·m].
    fn apply_torque(&self, py: Python<'_>, body: i64, torque: &Bound<'_, PyAny>) -> PyResult<()> {
        let (body, torque) = (body_id(body)?, vector(Some(torque), "torque")?);
        self.change(py, |sim| sim.apply_torque(body, torque).or_raise())
    }

    /// Changes the momentum of a body at once, at its centre of mass or at a `point` of the world [m]; impulse in the world frame
    /// [N·s].
    #[pyo3(signature = (body, impulse, point=None))]
    fn apply_impulse(
        &self,
        py: Python<'_>,
        body: i64,
        impulse: &Bound<'_, PyAny>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (body, impulse) = (body_id(body)?, vector(Some(impulse), "impulse")?);
        let point = point.map(|value| vector(Some(value), "point")).transpose()?;
        self.change(py, |sim| match point {
            Some(point) => sim.apply_impulse_at(body, impulse, point).or_raise(),
            None => sim.apply_impulse(body, impulse).or_raise(),
        })
    }

    /// Changes the angular momentum of a body at once, world frame [N·m·s].
    fn apply_angular_impulse(&self, py: Python<'_>, body: i64, impulse: &Bound<'_, PyAny>) -> PyResult<()> {
        let (body, impulse) = (body_id(body)?, vector(Some(impulse), "impulse")?);
        self.change(py, |sim| sim.apply_angular_impulse(body, impulse).or_raise())
    }

    /// Puts a body elsewhere: position [m] and quaternion (x, y, z, w), as it is if not given. Its velocity stays.
    #[pyo3(signature = (body, position=None, rotation=None))]
    fn set_pose(
        &self,
        py: Python<'_>,
        body: i64,
        position: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let body = body_id(body)?;
        let position = position.map(|value| vector(Some(value), "position")).transpose()?;
        let rotation = rotation.map(convert::quaternion).transpose()?;
        self.change(py, |sim| {
            let mut pose = sim.pose(body).or_raise()?;
            pose.translation = position.unwrap_or(pose.translation);
            pose.rotation = rotation.unwrap_or(pose.rotation);
            sim.set_pose(body, pose).or_raise()
        })
    }

    /// Sets the velocity of a body: `linear` of its centre of mass [m/s], `angular` [rad/s], world frame; as it is if not given.
    #[pyo3(signature = (body, linear=None, angular=None))]
    fn set_velocity(
        &self,
        py: Python<'_>,
        body: i64,
        linear: Option<&Bound<'_, PyAny>>,
        angular: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let body = body_id(body)?;
        let given = |value: Option<&Bound<'_, PyAny>>, what| -> PyResult<Option<DVec3>> {
            value.map(|value| Ok(DVec3::from_array(numbers(value, what)?))).transpose()
        };
        let (linear, angular) = (given(linear, "linear")?, given(angular, "angular")?);
        self.change(py, |sim| {
            let now = sim.velocity(body).or_raise()?;
            let velocity = Twist { linear: linear.unwrap_or(now.linear), angular: angular.unwrap_or(now.angular) };
            sim.set_velocity(body, velocity).or_raise()
        })
    }

    /// Where a kinematic body shall be at the end of the next step; without a position it follows its velocity.
    #[pyo3(signature = (body, position=None, rotation=None))]
    fn set_target(
        &self,
        py: Python<'_>,
        body: i64,
        position: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let body = body_id(body)?;
        let pose = if position.is_some() { Some(convert::pose(position, rotation)?) } else { None };
        self.change(py, |sim| sim.set_target(body, pose).or_raise())
    }

    /// Sets what the drive of an axis aims at [m or rad].
    fn set_drive_target(&self, py: Python<'_>, joint: i64, axis: &str, target: f64) -> PyResult<()> {
        let (joint, axis) = (joint_id(joint)?, convert::axis(axis)?);
        self.change(py, |sim| sim.set_drive_target(joint, axis, target).or_raise())
    }

    /// Sets the rate the drive of an axis aims at [m/s or rad/s].
    fn set_drive_velocity(&self, py: Python<'_>, joint: i64, axis: &str, velocity: f64) -> PyResult<()> {
        let (joint, axis) = (joint_id(joint)?, convert::axis(axis)?);
        self.change(py, |sim| sim.set_drive_velocity(joint, axis, velocity).or_raise())
    }

    /// Sets the effort along a free axis in every step from now on [N or N·m].
    #[pyo3(signature = (joint, axis, effort))]
    fn set_effort(&self, py: Python<'_>, joint: i64, axis: &str, effort: f64) -> PyResult<()> {
        let (joint, along) = (joint_id(joint)?, self::axis(axis)?);
        self.change(py, |sim| sim.set_effort(joint, along, effort).or_raise())
    }

    /// Switches a joint on or off.
    fn set_joint_enabled(&self, py: Python<'_>, joint: i64, enabled: bool) -> PyResult<()> {
        let joint = joint_id(joint)?;
        self.change(py, |sim| sim.set_joint_enabled(joint, enabled).or_raise())
    }

    /// Whether a body is left out of the work because it rests.
    fn is_asleep(&self, py: Python<'_>, body: i64) -> PyResult<bool> {
        self.ask(py, |sim| sim.is_asleep(body_id(body)?).or_raise())
    }

    /// Takes a body, and the group it sleeps with, back into the work.
    fn wake(&self, py: Python<'_>, body: i64) -> PyResult<()> {
        let body = body_id(body)?;
        self.change(py, |sim| sim.wake(body).or_raise())
    }

    /// Contact points of the last step and what they carried.
    fn contacts(&self, py: Python<'_>) -> PyResult<Contacts> {
        self.ask(py, |sim| Ok(Contacts(sim.contacts().or_raise()?.to_vec())))
    }

    /// Mean force on a body (or on `WORLD`) at all its contacts in the last step [N] and their torque about its centre of mass
    /// [N·m], world frame.
    fn contact_force(&self, py: Python<'_>, body: i64) -> PyResult<([f64; 3], [f64; 3])> {
        self.ask(py, |sim| {
            let (force, torque) = sim.contact_force(body_id(body)?).or_raise()?;
            Ok((force.to_array(), torque.to_array()))
        })
    }

    /// Mean force [N] and torque [N·m] about its centre of mass that cloth, soft bodies and strings exerted on every body in the last
    /// step, world axes, also on bodies that something else moves; (bodies, 6).
    fn particle_pushes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray2<f64>>> {
        let pushes = self.ask(py, |sim| sim.particle_pushes().or_raise())?;
        let row = |push: &drystone::solve::ParticlePush| twist_row(&Twist { linear: push.force, angular: push.torque });
        convert::rows(py, pushes.iter().map(row))
    }

    /// Mean force [N] and torque [N·m] that every joint exerted on its child in the last step, at the origin of the child's joint
    /// frame, world axes; (joints, 6).
    fn joint_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray2<f64>>> {
        let forces = self.ask(py, |sim| sim.joint_forces().or_raise())?;
        let row =
            |force: &drystone::solve::JointForce| twist_row(&Twist { linear: force.force, angular: force.torque });
        convert::rows(py, forces.iter().map(row))
    }
}
