//! Changing the scene while it runs.

use drystone::model::{Material, WorldId};
use pyo3::prelude::*;

use crate::bodies::{Body, body_kind};
use crate::convert::{axis, body_id, joint_id, shape_id, vector};
use crate::error::OrRaise;
use crate::geometry::shape_def;
use crate::joints::{Drive, Joint};
use crate::simulation::Simulation;

#[pymethods]
impl Simulation {
    /// Changes the scene, all of it or nothing: removes joints, shapes and bodies by id (a body with its shapes and joints), then
    /// adds bodies and joints. Returns the ids of the bodies and of the joints that were added. What is not touched goes
    /// on as if nothing had happened. Costs as much as making the model once: put many changes into one edit.
    #[pyo3(signature = (*, remove_bodies=vec![], remove_joints=vec![], remove_shapes=vec![], add_bodies=vec![],
        add_joints=vec![]))]
    fn edit(
        &self,
        py: Python<'_>,
        remove_bodies: Vec<i64>,
        remove_joints: Vec<i64>,
        remove_shapes: Vec<i64>,
        add_bodies: Vec<PyRef<'_, Body>>,
        add_joints: Vec<PyRef<'_, Joint>>,
    ) -> PyResult<(Vec<u32>, Vec<u32>)> {
        let joints = remove_joints.into_iter().map(joint_id).collect::<PyResult<Vec<_>>>()?;
        let shapes = remove_shapes.into_iter().map(shape_id).collect::<PyResult<Vec<_>>>()?;
        let bodies = remove_bodies.into_iter().map(body_id).collect::<PyResult<Vec<_>>>()?;
        self.change(py, |sim| {
            sim.edit(|scene| {
                joints.into_iter().try_for_each(|joint| scene.remove_joint(joint))?;
                shapes.into_iter().try_for_each(|shape| scene.remove_shape(shape))?;
                bodies.into_iter().try_for_each(|body| scene.remove_body(body))?;
                let new: Result<Vec<u32>, _> =
                    add_bodies.iter().map(|body| scene.add_body(body.0.clone()).map(|id| id.0)).collect();
                let new = new?;
                let tied: Result<Vec<u32>, _> =
                    add_joints.iter().map(|joint| scene.add_joint(joint.0.clone()).map(|id| id.0)).collect();
                Ok((new, tied?))
            })
            .or_raise()
        })
    }

    /// Adds a body while the scene runs; returns its id.
    fn add_body(&self, py: Python<'_>, body: PyRef<'_, Body>) -> PyResult<u32> {
        self.change(py, |sim| sim.edit(|scene| scene.add_body(body.0.clone())).or_raise().map(|id| id.0))
    }

    /// Adds a joint while the scene runs; returns its id.
    fn add_joint(&self, py: Python<'_>, joint: PyRef<'_, Joint>) -> PyResult<u32> {
        self.change(py, |sim| sim.edit(|scene| scene.add_joint(joint.0.clone())).or_raise().map(|id| id.0))
    }

    /// Adds a shape to a body, or to the world; returns its id. The mass of the body stays.
    fn add_shape(&self, py: Python<'_>, body: i64, shape: &Bound<'_, PyAny>) -> PyResult<u32> {
        let (body, def) = (body_id(body)?, shape_def(shape)?);
        self.change(py, |sim| sim.edit(|scene| scene.add_shape(body, def)).or_raise().map(|id| id.0))
    }

    /// Removes a body with its shapes and joints.
    fn remove_body(&self, py: Python<'_>, body: i64) -> PyResult<()> {
        let body = body_id(body)?;
        self.change(py, |sim| sim.edit(|scene| scene.remove_body(body)).or_raise())
    }

    /// Removes a joint.
    fn remove_joint(&self, py: Python<'_>, joint: i64) -> PyResult<()> {
        let joint = joint_id(joint)?;
        self.change(py, |sim| sim.edit(|scene| scene.remove_joint(joint)).or_raise())
    }

    /// Sets the gravity of a world [m/s²].
    #[pyo3(signature = (gravity, world=0))]
    fn set_gravity(&self, py: Python<'_>, gravity: &Bound<'_, PyAny>, world: u32) -> PyResult<()> {
        let gravity = vector(Some(gravity), "gravity")?;
        self.change(py, |sim| sim.set_gravity(WorldId(world), gravity).or_raise())
    }

    /// Sets the mass of a body [kg]; its inertia grows by the same factor.
    fn set_mass(&self, py: Python<'_>, body: i64, mass: f64) -> PyResult<()> {
        let body = body_id(body)?;
        self.change(py, |sim| sim.set_mass(body, mass).or_raise())
    }

    /// Sets how a body moves: dynamic, kinematic or static.
    fn set_kind(&self, py: Python<'_>, body: i64, kind: &str) -> PyResult<()> {
        let (body, kind) = (body_id(body)?, body_kind(kind)?);
        self.change(py, |sim| sim.set_kind(body, kind).or_raise())
    }

    /// Sets the rates at which velocity and spin of a body decay [1/s].
    fn set_damping(&self, py: Python<'_>, body: i64, linear: f64, angular: f64) -> PyResult<()> {
        let body = body_id(body)?;
        self.change(py, |sim| sim.set_damping(body, linear, angular).or_raise())
    }

    /// Sets the multiple of gravity that pulls a body [1].
    fn set_gravity_scale(&self, py: Python<'_>, body: i64, scale: f64) -> PyResult<()> {
        let body = body_id(body)?;
        self.change(py, |sim| sim.set_gravity_scale(body, scale).or_raise())
    }

    /// Keeps a body from moving along and turning about axes of the world (`lin_x` … `ang_z`); none frees it.
    fn lock_axes(&self, py: Python<'_>, body: i64, axes: Vec<String>) -> PyResult<()> {
        let body = body_id(body)?;
        let axes = axes.iter().map(|name| axis(name)).collect::<PyResult<Vec<_>>>()?;
        self.change(py, |sim| sim.lock_axes(body, &axes).or_raise())
    }

    /// Sets the drive of a free axis of a joint.
    fn set_drive(&self, py: Python<'_>, joint: i64, axis: &str, drive: PyRef<'_, Drive>) -> PyResult<()> {
        let (joint, along) = (joint_id(joint)?, self::axis(axis)?);
        self.change(py, |sim| sim.set_drive(joint, along, drive.of_model()).or_raise())
    }

    /// Sets friction [1] and restitution [1] of a shape; what is not given stays.
    #[pyo3(signature = (shape, *, friction=None, restitution=None))]
    fn set_material(
        &self,
        py: Python<'_>,
        shape: i64,
        friction: Option<f64>,
        restitution: Option<f64>,
    ) -> PyResult<()> {
        let shape = shape_id(shape)?;
        self.change(py, |sim| {
            let mut material: Material = sim.model().shape_material[sim.shape_index(shape).or_raise()?];
            if let Some(friction) = friction {
                material.set_friction(friction);
            }
            material.restitution = restitution.unwrap_or(material.restitution);
            sim.set_material(shape, material).or_raise()
        })
    }

    /// Sets the groups a shape belongs to and those it meets, as bits.
    fn set_groups(&self, py: Python<'_>, shape: i64, group: u32, mask: u32) -> PyResult<()> {
        let shape = shape_id(shape)?;
        self.change(py, |sim| sim.set_groups(shape, group, mask).or_raise())
    }
}
