//! Questions about a scene: rays, swept shapes, overlaps, nearest points.

use drystone::geometry::{DVec3, Ray};
use drystone::model::BodyId;
use drystone::{QueryFilter, SceneHit, SceneNearest};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{self, body_id, body_number, points, rows, vector};
use crate::error::OrRaise;
use crate::geometry::Geometry;
use crate::simulation::Simulation;

/// Which shapes a question is about, as given.
struct Asked {
    without: Vec<BodyId>,
    group: u32,
    mask: u32,
    world: Option<u32>,
    sensors: bool,
}

impl Asked {
    fn new(without: Vec<i64>, group: u32, mask: u32, world: Option<u32>, sensors: bool) -> PyResult<Self> {
        let without = without.into_iter().map(body_id).collect::<PyResult<Vec<_>>>()?;
        Ok(Self { without, group, mask, world, sensors })
    }

    fn filter(&self) -> QueryFilter<'_> {
        let filter = QueryFilter::new().groups(self.group, self.mask).without(&self.without).sensors(self.sensors);
        match self.world {
            Some(world) => filter.world(world),
            None => filter.all_worlds(),
        }
    }
}

#[pymethods]
impl Simulation {
    /// What a ray from `origin` [m] along `direction` meets first within `max_time` lengths of the direction: a dict of shape, body,
    /// time, point [m] and normal, or None. Not asked: the bodies in `without`, sensors unless `sensors` is set, shapes whose
    /// groups do not agree with `group` and `mask`, and worlds other than `world` (None asks all).
    #[pyo3(signature = (origin, direction, max_time=f64::INFINITY, *, without=vec![], group=u32::MAX, mask=u32::MAX, world=Some(0),
        sensors=false))]
    fn cast_ray<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        max_time: f64,
        without: Vec<i64>,
        group: u32,
        mask: u32,
        world: Option<u32>,
        sensors: bool,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let asked = Asked::new(without, group, mask, world, sensors)?;
        let ray = Ray::new(vector(Some(origin), "origin")?, vector(Some(direction), "direction")?);
        let hit = self.ask(py, |sim| sim.query().cast_ray(&ray, max_time, &asked.filter()).or_raise())?;
        hit.map(|hit| hit_dict(py, &hit)).transpose()
    }

    /// The same for many rays at once, a row each: times (infinite where nothing is met), shapes and bodies (−2 where nothing is
    /// met), points [m] and normals.
    #[pyo3(signature = (origins, directions, max_time=f64::INFINITY, *, without=vec![], group=u32::MAX, mask=u32::MAX,
        world=Some(0), sensors=false))]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        max_time: f64,
        without: Vec<i64>,
        group: u32,
        mask: u32,
        world: Option<u32>,
        sensors: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let asked = Asked::new(without, group, mask, world, sensors)?;
        let (origins, directions) = (points(origins, "origins")?, points(directions, "directions")?);
        if origins.len() != directions.len() {
            let (from, to) = (origins.len(), directions.len());
            return Err(PyValueError::new_err(format!("{from} origins and {to} directions: give as many of both")));
        }
        let rays: Vec<Ray> = origins.into_iter().zip(directions).map(|(from, to)| Ray::new(from, to)).collect();
        let workers = crate::pool::Threads(None).pool(py, rays.len())?;
        let hits = {
            let inner = self.inner.lock(py)?;
            let sim = &inner.sim;
            // Rays are many and each is short: they share the threads of the process.
            workers.run(|| sim.query().cast_rays(&rays, max_time, &asked.filter())).or_raise()?
        };
        hits_dict(py, &hits)
    }

    /// What a geometry at a pose, moved along `direction`, meets first: as `cast_ray` answers.
    #[pyo3(signature = (geometry, position, direction, max_time=f64::INFINITY, *, rotation=None, without=vec![], group=u32::MAX,
        mask=u32::MAX, world=Some(0), sensors=false))]
    fn cast_shape<'py>(
        &self,
        py: Python<'py>,
        geometry: PyRef<'py, Geometry>,
        position: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        max_time: f64,
        rotation: Option<&Bound<'py, PyAny>>,
        without: Vec<i64>,
        group: u32,
        mask: u32,
        world: Option<u32>,
        sensors: bool,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let asked = Asked::new(without, group, mask, world, sensors)?;
        let (pose, along) = (convert::pose(Some(position), rotation)?, vector(Some(direction), "direction")?);
        let shape = &geometry.0;
        let hit =
            self.ask(py, |sim| sim.query().cast_shape(shape, &pose, along, max_time, &asked.filter()).or_raise())?;
        hit.map(|hit| hit_dict(py, &hit)).transpose()
    }

    /// Ids of the shapes that overlap a geometry at a pose, ascending.
    #[pyo3(signature = (geometry, position, *, rotation=None, without=vec![], group=u32::MAX, mask=u32::MAX, world=Some(0),
        sensors=false))]
    fn overlaps(
        &self,
        py: Python<'_>,
        geometry: PyRef<'_, Geometry>,
        position: &Bound<'_, PyAny>,
        rotation: Option<&Bound<'_, PyAny>>,
        without: Vec<i64>,
        group: u32,
        mask: u32,
        world: Option<u32>,
        sensors: bool,
    ) -> PyResult<Vec<u32>> {
        let asked = Asked::new(without, group, mask, world, sensors)?;
        let (pose, shape) = (convert::pose(Some(position), rotation)?, &geometry.0);
        let found = self.ask(py, |sim| sim.query().overlaps(shape, &pose, &asked.filter()).or_raise())?;
        Ok(found.into_iter().map(|shape| shape.0).collect())
    }

    /// The surface point nearest to a point [m] within `max_distance` [m]: a dict of shape, body, point, normal and distance
    /// (negative inside), or None.
    #[pyo3(signature = (point, max_distance=f64::INFINITY, *, without=vec![], group=u32::MAX, mask=u32::MAX, world=Some(0),
        sensors=false))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        point: &Bound<'py, PyAny>,
        max_distance: f64,
        without: Vec<i64>,
        group: u32,
        mask: u32,
        world: Option<u32>,
        sensors: bool,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let asked = Asked::new(without, group, mask, world, sensors)?;
        let point = vector(Some(point), "point")?;
        let found = self.ask(py, |sim| sim.query().nearest(point, max_distance, &asked.filter()).or_raise())?;
        found.map(|found| nearest_dict(py, &found)).transpose()
    }
}

fn place<'py>(py: Python<'py>, shape: u32, body: BodyId, point: DVec3, normal: DVec3) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("shape", shape)?;
    dict.set_item("body", body_number(body))?;
    dict.set_item("point", PyArray1::from_slice(py, &point.to_array()))?;
    dict.set_item("normal", PyArray1::from_slice(py, &normal.to_array()))?;
    Ok(dict)
}

fn hit_dict<'py>(py: Python<'py>, hit: &SceneHit) -> PyResult<Bound<'py, PyDict>> {
    let dict = place(py, hit.shape.0, hit.body, hit.point, hit.normal)?;
    dict.set_item("time", hit.time)?;
    Ok(dict)
}

fn nearest_dict<'py>(py: Python<'py>, found: &SceneNearest) -> PyResult<Bound<'py, PyDict>> {
    let dict = place(py, found.shape.0, found.body, found.point, found.normal)?;
    dict.set_item("distance", found.distance)?;
    Ok(dict)
}

/// What says that nothing was met.
const NOTHING: i64 = -2;

fn hits_dict<'py>(py: Python<'py>, hits: &[Option<SceneHit>]) -> PyResult<Bound<'py, PyDict>> {
    let of = |value: fn(&SceneHit) -> i64| {
        PyArray1::from_iter(py, hits.iter().map(|hit| hit.as_ref().map_or(NOTHING, value)))
    };
    let vectors = |value: fn(&SceneHit) -> DVec3| -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, hits.iter().map(|hit| hit.as_ref().map_or([f64::NAN; 3], |hit| value(hit).to_array())))
    };
    let dict = PyDict::new(py);
    let times = hits.iter().map(|hit| hit.as_ref().map_or(f64::INFINITY, |hit| hit.time));
    dict.set_item("time", PyArray1::from_iter(py, times))?;
    dict.set_item("shape", of(|hit| i64::from(hit.shape.0)))?;
    dict.set_item("body", of(|hit| body_number(hit.body)))?;
    dict.set_item("point", vectors(|hit| hit.point)?)?;
    dict.set_item("normal", vectors(|hit| hit.normal)?)?;
    Ok(dict)
}
