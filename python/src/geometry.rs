//! What bodies wear.

use std::path::PathBuf;
use std::sync::Arc;

use drystone::geometry::{self, Heightfield, Hull, TriMesh};
use drystone::model::{Material, ShapeDef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::convert::{self, points, vector};
use crate::error::OrRaise;

/// A collision geometry in its own frame; those with an axis have it along z and are centred on the origin.
#[pyclass(frozen, module = "drystone")]
#[derive(Clone)]
pub struct Geometry(pub geometry::Shape);

#[pymethods]
impl Geometry {
    /// A ball of this radius [m].
    #[staticmethod]
    fn sphere(radius: f64) -> PyResult<Self> {
        geometry::Shape::sphere(radius).or_raise().map(Self)
    }

    /// A box with these half extents [m].
    #[staticmethod]
    #[pyo3(name = "box")]
    fn cuboid(half: &Bound<'_, PyAny>) -> PyResult<Self> {
        geometry::Shape::cuboid(vector(Some(half), "half extents")?).or_raise().map(Self)
    }

    /// A capsule along z: radius and half height without the caps [m].
    #[staticmethod]
    fn capsule(radius: f64, half_height: f64) -> PyResult<Self> {
        geometry::Shape::capsule(radius, half_height).or_raise().map(Self)
    }

    /// A cylinder along z: radius and half height [m].
    #[staticmethod]
    fn cylinder(radius: f64, half_height: f64) -> PyResult<Self> {
        geometry::Shape::cylinder(radius, half_height).or_raise().map(Self)
    }

    /// A cone along z, apex up: radius and half height [m].
    #[staticmethod]
    fn cone(radius: f64, half_height: f64) -> PyResult<Self> {
        geometry::Shape::cone(radius, half_height).or_raise().map(Self)
    }

    /// An ellipsoid with these semi-axes [m].
    #[staticmethod]
    fn ellipsoid(radii: &Bound<'_, PyAny>) -> PyResult<Self> {
        geometry::Shape::ellipsoid(vector(Some(radii), "semi-axes")?).or_raise().map(Self)
    }

    /// The convex hull of points, one row each [m].
    #[staticmethod]
    fn hull(vertices: &Bound<'_, PyAny>) -> PyResult<Self> {
        let hull = Hull::from_points(&points(vertices, "vertices")?).or_raise()?;
        Ok(Self(geometry::Shape::Hull(Arc::new(hull))))
    }

    /// A closed mesh: vertices, one row each [m], and triangles of their numbers, counter-clockwise seen from outside.
    #[staticmethod]
    fn mesh(vertices: &Bound<'_, PyAny>, triangles: Vec<[u32; 3]>) -> PyResult<Self> {
        let mesh = TriMesh { vertices: points(vertices, "vertices")?, triangles };
        geometry::Shape::mesh(mesh).or_raise().map(Self)
    }

    /// The mesh of a file (.obj, .stl, .ply, .gltf, .glb), as its convex hull or, if it is closed, as it is.
    #[staticmethod]
    #[pyo3(signature = (path, *, hull=true, scale=1.0))]
    fn read(path: PathBuf, hull: bool, scale: f64) -> PyResult<Self> {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(PyValueError::new_err(format!("scale must be a positive number, got {scale}")));
        }
        let mut mesh = drystone_io::mesh::read(&path).or_raise()?.mesh;
        mesh.vertices.iter_mut().for_each(|vertex| *vertex *= scale);
        let shape = if hull { geometry::Shape::hull(&mesh.vertices) } else { geometry::Shape::mesh(mesh) };
        shape.or_raise().map(Self)
    }

    /// Terrain over the x-y plane, centred on the origin: `heights[row, column]` [m], spacing along x and y [m].
    #[staticmethod]
    fn heightfield(heights: Vec<Vec<f64>>, spacing: [f64; 2]) -> PyResult<Self> {
        let (rows, columns) = (heights.len(), heights.first().map_or(0, Vec::len));
        if heights.iter().any(|row| row.len() != columns) {
            return Err(PyValueError::new_err("rows of heights must be equally long"));
        }
        let field = Heightfield { columns, rows, spacing, heights: heights.concat() };
        geometry::Shape::heightfield(field).or_raise().map(Self)
    }

    /// The half-space z <= 0; for the world and bodies that stand.
    #[staticmethod]
    fn half_space() -> Self {
        Self(geometry::Shape::HalfSpace)
    }

    /// Volume [m³].
    #[getter]
    fn volume(&self) -> f64 {
        self.0.volume()
    }

    fn __repr__(&self) -> String {
        let name = match &self.0 {
            geometry::Shape::Sphere { radius } => format!("sphere({radius})"),
            geometry::Shape::Box { half } => format!("box(({}, {}, {}))", half.x, half.y, half.z),
            geometry::Shape::Capsule { radius, half_height } => format!("capsule({radius}, {half_height})"),
            geometry::Shape::Cylinder { radius, half_height } => format!("cylinder({radius}, {half_height})"),
            geometry::Shape::Cone { radius, half_height } => format!("cone({radius}, {half_height})"),
            geometry::Shape::Ellipsoid { radii } => format!("ellipsoid(({}, {}, {}))", radii.x, radii.y, radii.z),
            geometry::Shape::Hull(hull) => format!("hull(<{} vertices>)", hull.vertices.len()),
            geometry::Shape::HalfSpace => "half_space()".to_owned(),
            geometry::Shape::Heightfield(field) => format!("heightfield(<{} × {}>)", field.rows, field.columns),
            geometry::Shape::Mesh(mesh) => format!("mesh(<{} triangles>)", mesh.triangles.len()),
        };
        format!("Geometry.{name}")
    }
}

/// A geometry with its place on a body, what it is made of and whom it meets.
#[pyclass(frozen, module = "drystone")]
#[derive(Clone)]
pub struct Shape(pub ShapeDef);

#[pymethods]
impl Shape {
    /// A shape of this geometry. `position` [m] and `rotation` (quaternion x, y, z, w) are in the frame of its body; `density`
    /// [kg/m³]; `friction` sets static and dynamic friction [1], `friction_dynamic` the latter alone; `restitution` [1];
    /// `stiffness` [N/m] and `damping` [N·s/m] of contacts (hard unless given); `friction_torsional`, `friction_rolling` as
    /// radii [m]; `margin` is a skin [m]; `group` and `mask` are bits: two shapes meet if either is in a group the other
    /// meets, and the other way round; a `sensor` only tells what overlaps it; `surface_velocity` [m/s] makes a belt of it.
    #[new]
    #[pyo3(signature = (geometry, *, name="", position=None, rotation=None, density=1000.0, friction=0.6,
        friction_dynamic=None, restitution=0.0, stiffness=f64::INFINITY, damping=0.0, friction_torsional=0.0,
        friction_rolling=0.0, margin=0.0, group=1, mask=u32::MAX, sensor=false, surface_velocity=None))]
    fn new(
        geometry: PyRef<'_, Geometry>,
        name: &str,
        position: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
        density: f64,
        friction: f64,
        friction_dynamic: Option<f64>,
        restitution: f64,
        stiffness: f64,
        damping: f64,
        friction_torsional: f64,
        friction_rolling: f64,
        margin: f64,
        group: u32,
        mask: u32,
        sensor: bool,
        surface_velocity: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let material = Material {
            density,
            friction_static: friction,
            friction_dynamic: friction_dynamic.unwrap_or(friction),
            restitution,
            stiffness,
            damping,
            friction_torsional,
            friction_rolling,
        };
        let mut def = ShapeDef::new(geometry.0.clone()).named(name).pose(convert::pose(position, rotation)?);
        def = def.material(material).margin(margin).groups(group, mask);
        def = def.surface_velocity(vector(surface_velocity, "surface_velocity")?);
        Ok(Self(if sensor { def.sensor() } else { def }))
    }

    /// Its geometry.
    #[getter]
    fn geometry(&self) -> Geometry {
        Geometry(self.0.geometry.clone())
    }

    fn __repr__(&self) -> String {
        format!("Shape({})", self.geometry().__repr__())
    }
}

/// A shape, or a geometry that becomes one with everything else as it is by itself.
pub fn shape_def(value: &Bound<'_, PyAny>) -> PyResult<ShapeDef> {
    if let Ok(shape) = value.cast::<Shape>() {
        return Ok(shape.get().0.clone());
    }
    match value.cast::<Geometry>() {
        Ok(geometry) => Ok(ShapeDef::new(geometry.get().0.clone())),
        Err(_) => Err(PyTypeError::new_err(format!("a shape must be a Shape or a Geometry, got {value}"))),
    }
}
