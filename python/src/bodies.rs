//! Bodies to be added.

use drystone::geometry::{DMat3, DQuat, DVec3, MassProperties, Pose};
use drystone::model::{self, BodyDef, BodyKind, MassSource, Twist};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{self, axis, numbers, vector};
use crate::geometry::shape_def;

/// A resistance at a point of a body, along and about axes that turn with it: −(linear + quadratic · |u|) · u for the velocity u of
/// the point along an axis, and for the angular velocity about it.
#[pyclass(frozen, module = "drystone", get_all)]
#[derive(Clone)]
pub struct Drag {
    /// Along three axes [N·s/m], then about them [N·m·s/rad].
    linear: [f64; 6],
    /// Along three axes [N·s²/m²], then about them [N·m·s²/rad²].
    quadratic: [f64; 6],
    /// The point and the axes in the frame of the body: position [m] and quaternion (x, y, z, w).
    pose: [f64; 7],
}

#[pymethods]
impl Drag {
    /// A resistance; `position` [m] and `rotation` (quaternion x, y, z, w) are in the frame of the body.
    #[new]
    #[pyo3(signature = (*, linear=[0.0; 6], quadratic=[0.0; 6], position=None, rotation=None))]
    fn new(
        linear: [f64; 6],
        quadratic: [f64; 6],
        position: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Pose { translation: at, rotation: turn } = convert::pose(position, rotation)?;
        Ok(Self { linear, quadratic, pose: [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w] })
    }

    fn __repr__(&self) -> String {
        format!("Drag(linear={:?}, quadratic={:?})", self.linear, self.quadratic)
    }
}

impl Drag {
    /// The same of the model.
    fn of_model(&self) -> model::Drag {
        let [x, y, z, a, b, c, w] = self.pose;
        let pose = Pose::from_parts(DVec3::new(x, y, z), DQuat::from_xyzw(a, b, c, w));
        model::Drag { pose, linear: self.linear, quadratic: self.quadratic }
    }
}

/// A body to be added.
#[pyclass(frozen, module = "drystone")]
#[derive(Clone)]
pub struct Body(pub BodyDef);

#[pymethods]
impl Body {
    /// A body called `name`, `body_<number>` if that is empty. `kind` is `dynamic` (moved by forces), `kinematic` (moved by the
    /// user) or `static`. `position` [m] and `rotation` (quaternion x, y, z, w) place its frame; `velocity` [m/s] is that of its
    /// centre of mass, `spin` its angular velocity [rad/s], both in the world frame. Its mass comes from the densities of its
    /// `shapes`; `mass` [kg] scales that, and with `inertia` (3 principal moments or a 3×3 tensor about the centre of mass, in
    /// body axes [kg·m²]) and `com` (centre of mass in the body frame [m]) nothing comes from the shapes. `damping` are
    /// the rates at which velocity and spin decay [1/s]; `gravity_scale` multiplies gravity [1]; `drag` holds what resists its motion; `lock` names axes of the world
    /// along and about which it does not move (`lin_x` … `ang_z`).
    #[new]
    #[pyo3(signature = (name="", shapes=vec![], *, kind="dynamic", position=None, rotation=None, velocity=None, spin=None,
        mass=None, inertia=None, com=None, damping=(0.0, 0.0), gravity_scale=1.0, lock=vec![], drag=vec![]))]
    fn new(
        name: &str,
        shapes: Vec<Bound<'_, PyAny>>,
        kind: &str,
        position: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
        velocity: Option<&Bound<'_, PyAny>>,
        spin: Option<&Bound<'_, PyAny>>,
        mass: Option<f64>,
        inertia: Option<&Bound<'_, PyAny>>,
        com: Option<&Bound<'_, PyAny>>,
        damping: (f64, f64),
        gravity_scale: f64,
        lock: Vec<String>,
        drag: Vec<PyRef<'_, Drag>>,
    ) -> PyResult<Self> {
        let mut def = match body_kind(kind)? {
            BodyKind::Dynamic => BodyDef::dynamic(name),
            BodyKind::Kinematic => BodyDef::kinematic(name),
            BodyKind::Static => BodyDef::fixed(name),
        };
        def.pose = convert::pose(position, rotation)?;
        def.velocity = Twist { linear: vector(velocity, "velocity")?, angular: vector(spin, "spin")? };
        def.mass = mass_source(mass, inertia, com)?;
        def.shapes = shapes.iter().map(shape_def).collect::<PyResult<_>>()?;
        def = def.damping(damping.0, damping.1).gravity_scale(gravity_scale);
        def.drag = drag.iter().map(|drag| drag.of_model()).collect();
        let axes = lock.iter().map(|name| axis(name)).collect::<PyResult<Vec<_>>>()?;
        Ok(Self(def.lock(&axes)))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    fn __repr__(&self) -> String {
        format!("Body({:?})", self.0.name)
    }
}

/// A kind by its name.
pub fn body_kind(name: &str) -> PyResult<BodyKind> {
    match name {
        "dynamic" => Ok(BodyKind::Dynamic),
        "kinematic" => Ok(BodyKind::Kinematic),
        "static" => Ok(BodyKind::Static),
        _ => Err(PyValueError::new_err(format!("kind must be dynamic, kinematic or static, got `{name}`"))),
    }
}

/// The name of a kind.
pub fn kind_name(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Static => "static",
    }
}

fn mass_source(
    mass: Option<f64>,
    inertia: Option<&Bound<'_, PyAny>>,
    com: Option<&Bound<'_, PyAny>>,
) -> PyResult<MassSource> {
    match (mass, inertia) {
        (Some(mass), Some(inertia)) => {
            let inertia = tensor(inertia)?;
            Ok(MassSource::Given(MassProperties { mass, com: vector(com, "com")?, inertia }))
        }
        (None, Some(_)) => {
            Err(PyValueError::new_err("inertia needs a mass: give `mass` too, or leave both to the shapes"))
        }
        (_, None) if com.is_some() => {
            Err(PyValueError::new_err("com needs mass and inertia: give them too, or leave all three to the shapes"))
        }
        (Some(mass), None) => Ok(MassSource::Total(mass)),
        (None, None) => Ok(MassSource::Density),
    }
}

/// A tensor from three moments or three rows.
fn tensor(value: &Bound<'_, PyAny>) -> PyResult<DMat3> {
    if let Ok(moments) = numbers::<3>(value, "inertia") {
        return Ok(DMat3::from_diagonal(moments.into()));
    }
    let flat = convert::values(value, "inertia", &[3, 3])?;
    let rows: [f64; 9] = flat.try_into().map_err(|_| PyValueError::new_err("inertia must be 3 moments or 3×3"))?;
    Ok(DMat3::from_cols_array(&rows).transpose())
}
