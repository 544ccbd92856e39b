//! Putting a scene together.

use drystone::model::{self, BodyId};
use pyo3::prelude::*;

use crate::bodies::Body;
use crate::convert::{body_id, joint_id, pose, shape_id, vector};
use crate::error::OrRaise;
use crate::geometry::shape_def;
use crate::joints::Joint;
use crate::model::Model;
use crate::shared::Shared;

/// Collects bodies, shapes and joints, then checks them all at once. SI units, z up.
#[pyclass(frozen, module = "drystone")]
pub struct ModelBuilder(Shared<model::ModelBuilder>);

#[pymethods]
impl ModelBuilder {
    /// An empty scene with one world under `gravity` [m/s²], (0, 0, −9.81) unless given; with `model`, a scene that begins as that
    /// one.
    #[new]
    #[pyo3(signature = (model=None, *, gravity=None))]
    fn new(model: Option<PyRef<'_, Model>>, gravity: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut scene = drystone::new_model();
        if let Some(model) = model {
            scene = scene.reopen(&model.0);
        }
        if gravity.is_some() {
            scene.gravity(vector(gravity, "gravity")?);
        }
        Ok(Self(Shared::new(scene)))
    }

    /// Adds a body with its shapes; returns its id.
    fn add_body(&self, py: Python<'_>, body: PyRef<'_, Body>) -> PyResult<u32> {
        Ok(self.0.lock(py)?.add_body(body.0.clone()).0)
    }

    /// Adds a shape (or a plain geometry) to a body, or to the world; returns its id.
    fn add_shape(&self, py: Python<'_>, body: i64, shape: &Bound<'_, PyAny>) -> PyResult<u32> {
        let (body, def) = (body_id(body)?, shape_def(shape)?);
        Ok(self.0.lock(py)?.add_shape(body, def).0)
    }

    /// Adds a joint; returns its id. A place in the world is fixed to the bodies where they are now.
    fn add_joint(&self, py: Python<'_>, joint: PyRef<'_, Joint>) -> PyResult<u32> {
        Ok(self.0.lock(py)?.add_joint(joint.0.clone()).0)
    }

    /// Adds the solid half-space z <= 0; returns the id of its shape.
    fn ground(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.lock(py)?.ground().0)
    }

    /// Keeps two bodies from touching each other, with the shapes they wear by now.
    fn filter_bodies(&self, py: Python<'_>, first: i64, second: i64) -> PyResult<()> {
        let (first, second) = (body_id(first)?, body_id(second)?);
        self.0.lock(py)?.filter_bodies(first, second);
        Ok(())
    }

    /// Keeps two shapes from touching each other.
    fn filter_shapes(&self, py: Python<'_>, first: i64, second: i64) -> PyResult<()> {
        let (first, second) = (shape_id(first)?, shape_id(second)?);
        self.0.lock(py)?.filter_shapes(first, second);
        Ok(())
    }

    /// Sets an attribute of a solver by `solver.name`, such as `vbd.dahl_tau`, on a body, a shape or a joint.
    #[pyo3(signature = (name, value, *, body=None, shape=None, joint=None))]
    fn set_attribute(
        &self,
        py: Python<'_>,
        name: &str,
        value: f64,
        body: Option<i64>,
        shape: Option<i64>,
        joint: Option<i64>,
    ) -> PyResult<()> {
        let mut scene = self.0.lock(py)?;
        match (body, shape, joint) {
            (Some(body), None, None) => scene.set_attribute(name, body_id(body)?, value),
            (None, Some(shape), None) => scene.set_attribute(name, shape_id(shape)?, value),
            (None, None, Some(joint)) => scene.set_attribute(name, joint_id(joint)?, value),
            _ => {
                let text = "an attribute is of one thing: give one of `body`, `shape` and `joint`";
                return Err(pyo3::exceptions::PyValueError::new_err(text));
            }
        };
        Ok(())
    }

    /// Begins a new world with its own gravity [m/s²]; what is added next lives in it. Worlds never meet. Returns its number.
    #[pyo3(signature = (gravity=None))]
    fn begin_world(&self, py: Python<'_>, gravity: Option<&Bound<'_, PyAny>>) -> PyResult<u32> {
        let gravity = gravity.map(|value| vector(Some(value), "gravity")).transpose()?;
        Ok(self.0.lock(py)?.begin_world(gravity.unwrap_or(model::builder::GRAVITY)).0)
    }

    /// Adds `count` copies of a model, each in worlds of its own, the copies `offset` apart [m]. Names begin with `world_<n>/`.
    #[pyo3(signature = (model, count, offset=None))]
    fn replicate(
        &self,
        py: Python<'_>,
        model: PyRef<'_, Model>,
        count: usize,
        offset: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let scene = drystone::new_model().reopen(&model.0);
        let offset = vector(offset, "offset")?;
        self.0.lock(py)?.replicate(&scene, count, offset);
        Ok(())
    }

    /// Adds a copy of a model to the world at hand, moved to `position` [m] and turned by `rotation` (x, y, z, w); its names get
    /// the prefix. Returns the id of the first of its bodies, which are numbered on from there.
    #[pyo3(signature = (model, prefix, *, position=None, rotation=None))]
    fn append(
        &self,
        py: Python<'_>,
        model: PyRef<'_, Model>,
        prefix: &str,
        position: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u32> {
        let scene = drystone::new_model().reopen(&model.0);
        let at = pose(position, rotation)?;
        let BodyId(first) = self.0.lock(py)?.append(&scene, at, prefix);
        Ok(first)
    }

    /// Checks everything and makes the model; a `ModelError` lists every fault.
    fn finalize(&self, py: Python<'_>) -> PyResult<Model> {
        Ok(Model::new(self.0.lock(py)?.finalize().or_raise()?))
    }
}
