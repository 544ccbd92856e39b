//! Joints to be added.

use std::collections::BTreeMap;

use drystone::geometry::Pose;
use drystone::model::{self, BodyId, DVec3, JointDef, JointKind, RodStiffness};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::convert::{axis, body_id, numbers, pose_of_seven, quaternion, vector};

/// A spring-damper that drives a coordinate towards a target:
/// effort = stiffness·(target − q) + damping·(target_velocity − q̇), at most `max_effort`.
#[pyclass(frozen, module = "drystone", get_all)]
#[derive(Clone)]
pub struct Drive {
    /// Target coordinate [m or rad].
    target: f64,
    /// Target rate [m/s or rad/s].
    target_velocity: f64,
    /// Stiffness [N/m or N·m/rad].
    stiffness: f64,
    /// Damping [N·s/m or N·m·s/rad].
    damping: f64,
    /// Largest magnitude of the effort [N or N·m].
    max_effort: f64,
}

#[pymethods]
impl Drive {
    /// A drive; all in SI units.
    #[new]
    #[pyo3(signature = (*, target=0.0, target_velocity=0.0, stiffness=0.0, damping=0.0, max_effort=f64::INFINITY))]
    fn new(target: f64, target_velocity: f64, stiffness: f64, damping: f64, max_effort: f64) -> Self {
        Self { target, target_velocity, stiffness, damping, max_effort }
    }

    fn __repr__(&self) -> String {
        let Self { target, target_velocity, stiffness, damping, max_effort } = self;
        format!(
            "Drive(target={target}, target_velocity={target_velocity}, stiffness={stiffness}, damping={damping}, \
             max_effort={max_effort})"
        )
    }
}

impl Drive {
    /// The same of the model.
    pub fn of_model(&self) -> model::Drive {
        let Self { target, target_velocity, stiffness, damping, max_effort } = *self;
        model::Drive { target, target_velocity, stiffness, damping, max_effort }
    }
}

/// A spring and damper beside the drive, which nothing caps and no control changes:
/// effort = stiffness·(rest − q) − damping·q̇.
#[pyclass(frozen, module = "drystone", get_all)]
#[derive(Clone)]
pub struct Spring {
    /// Coordinate at which it pulls nothing [m or rad].
    rest: f64,
    /// Stiffness [N/m or N·m/rad].
    stiffness: f64,
    /// Damping [N·s/m or N·m·s/rad].
    damping: f64,
}

#[pymethods]
impl Spring {
    /// A spring; all in SI units.
    #[new]
    #[pyo3(signature = (*, rest=0.0, stiffness=0.0, damping=0.0))]
    fn new(rest: f64, stiffness: f64, damping: f64) -> Self {
        Self { rest, stiffness, damping }
    }

    fn __repr__(&self) -> String {
        let Self { rest, stiffness, damping } = self;
        format!("Spring(rest={rest}, stiffness={stiffness}, damping={damping})")
    }
}

/// What a coordinate follows, as by gears: q = ratio · q of `axis` of `joint` + offset, or as far from it as `play` allows.
#[pyclass(frozen, module = "drystone", get_all)]
#[derive(Clone)]
pub struct Follow {
    /// The joint that leads, by id.
    joint: u32,
    /// Its axis.
    axis: String,
    /// Coordinate per coordinate of the leader [m or rad per m or rad].
    ratio: f64,
    /// Coordinate where that of the leader is zero [m or rad].
    offset: f64,
    /// How far below (not positive) and above (not negative) that it may be [m or rad].
    play: (f64, f64),
    /// Stiffness with which it follows, along its own coordinate [N/m or N·m/rad]; infinite where it follows exactly.
    stiffness: f64,
    /// Damping beside a stiffness [N·s/m or N·m·s/rad].
    damping: f64,
}

#[pymethods]
impl Follow {
    /// A coupling; all in SI units.
    #[new]
    #[pyo3(signature = (joint, axis, *, ratio=1.0, offset=0.0, play=(0.0, 0.0), stiffness=f64::INFINITY, damping=0.0))]
    fn new(
        joint: u32,
        axis: String,
        ratio: f64,
        offset: f64,
        play: (f64, f64),
        stiffness: f64,
        damping: f64,
    ) -> PyResult<Self> {
        crate::convert::axis(&axis)?;
        Ok(Self { joint, axis, ratio, offset, play, stiffness, damping })
    }

    fn __repr__(&self) -> String {
        let Self { joint, axis, ratio, offset, play, .. } = self;
        format!("Follow({joint}, {axis:?}, ratio={ratio}, offset={offset}, play={play:?})")
    }
}

impl Follow {
    /// The same of the model.
    fn of_model(&self) -> PyResult<model::Follow> {
        let axis = axis(&self.axis)?;
        let joint = model::JointId(self.joint);
        let Self { ratio, offset, play, stiffness, damping, .. } = *self;
        Ok(model::Follow { joint, axis, ratio, offset, play: play.into(), stiffness, damping })
    }
}

/// Bounds of a coordinate [m or rad]; hard unless a stiffness [N/m or N·m/rad] is given.
#[pyclass(frozen, module = "drystone", get_all)]
#[derive(Clone)]
pub struct Limit {
    /// Smallest coordinate [m or rad].
    lower: f64,
    /// Largest coordinate [m or rad].
    upper: f64,
    /// Stiffness of the stop [N/m or N·m/rad]; infinite means hard.
    stiffness: f64,
    /// Damping of the stop [N·s/m or N·m·s/rad].
    damping: f64,
}

#[pymethods]
impl Limit {
    /// A limit.
    #[new]
    #[pyo3(signature = (lower=f64::NEG_INFINITY, upper=f64::INFINITY, *, stiffness=f64::INFINITY, damping=0.0))]
    fn new(lower: f64, upper: f64, stiffness: f64, damping: f64) -> Self {
        Self { lower, upper, stiffness, damping }
    }

    fn __repr__(&self) -> String {
        let Self { lower, upper, stiffness, damping } = self;
        format!("Limit({lower}, {upper}, stiffness={stiffness}, damping={damping})")
    }
}

/// A joint to be added.
#[pyclass(frozen, module = "drystone")]
#[derive(Clone)]
pub struct Joint(pub JointDef);

#[pymethods]
impl Joint {
    /// A joint of a `kind` (fixed, ball, revolute, prismatic, cylindrical, planar, universal, distance, d6, rod, free, cone) between
    /// two bodies by id; `WORLD` is the world.
    ///
    /// Its place: `anchor` [m] with `axis` (and `axis_child` of universal joints, or `rotation`, a quaternion x, y, z, w) in the
    /// world at the initial poses; `anchor` and `anchor_child` of distance joints; or `frame_parent` and `frame_child` in the
    /// frames of the bodies, seven numbers each. The main axis is x: a revolute joint turns about it (`ang_x`), a prismatic
    /// one slides along it (`lin_x`).
    ///
    /// By axis (`lin_x` … `ang_z`): `limits` (two numbers or a `Limit`), `drives`, `springs`, `follow`, `friction` (largest effort held [N or N·m]),
    /// `armature` [kg or kg·m²], `max_rate` [m/s or rad/s], `coordinates` [m or rad] and `rates` at the start. `free` names the free axes of a d6 joint.
    /// `stiffness` and `damping` of the locked translations and rotations make it soft; `break_at` is the force [N] and
    /// torque [N·m] that break it; `distance` the least and largest of a distance joint [m]; `rod` holds stretch, shear
    /// [N/m], bend, twist [N·m/rad] and two dampings; `collide` lets the two bodies touch each other.
    #[new]
    #[pyo3(signature = (kind, parent, child, *, name="", anchor=None, axis=None, axis_child=None, rotation=None,
        anchor_child=None, frame_parent=None, frame_child=None, free=None, limits=None, drives=None, springs=None, follow=None,
        friction=None, armature=None, max_rate=None, stiffness=None, damping=(0.0, 0.0), break_at=None, distance=None, rod=None, enabled=true,
        collide=None, coordinates=None, rates=None))]
    fn new(
        kind: &str,
        parent: i64,
        child: i64,
        name: &str,
        anchor: Option<&Bound<'_, PyAny>>,
        axis: Option<&Bound<'_, PyAny>>,
        axis_child: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
        anchor_child: Option<&Bound<'_, PyAny>>,
        frame_parent: Option<&Bound<'_, PyAny>>,
        frame_child: Option<&Bound<'_, PyAny>>,
        free: Option<Vec<String>>,
        limits: Option<BTreeMap<String, Bound<'_, PyAny>>>,
        drives: Option<BTreeMap<String, PyRef<'_, Drive>>>,
        springs: Option<BTreeMap<String, PyRef<'_, Spring>>>,
        follow: Option<BTreeMap<String, PyRef<'_, Follow>>>,
        friction: Option<BTreeMap<String, f64>>,
        armature: Option<BTreeMap<String, f64>>,
        max_rate: Option<BTreeMap<String, f64>>,
        stiffness: Option<(f64, f64)>,
        damping: (f64, f64),
        break_at: Option<(f64, f64)>,
        distance: Option<(f64, f64)>,
        rod: Option<[f64; 6]>,
        enabled: bool,
        collide: Option<bool>,
        coordinates: Option<BTreeMap<String, f64>>,
        rates: Option<BTreeMap<String, f64>>,
    ) -> PyResult<Self> {
        let place = Place { anchor, axis, axis_child, rotation, anchor_child, frame_parent, frame_child };
        let rod = rod.map(|[stretch, shear, bend, twist, damping_linear, damping_angular]| RodStiffness {
            stretch,
            shear,
            bend,
            twist,
            damping_linear,
            damping_angular,
        });
        let mut def =
            place.joint(joint_kind(kind)?, body_id(parent)?, body_id(child)?, rod)?.named(name).enabled(enabled);
        if let Some(free) = free {
            def.axis = [model::AxisMode::Locked; 6];
            let axes = free.iter().map(|name| crate::convert::axis(name)).collect::<PyResult<Vec<_>>>()?;
            def = def.free(&axes);
        }
        for (name, limit) in limits.iter().flatten() {
            def = def.soft_limit(crate::convert::axis(name)?, limit_of(limit)?);
        }
        for (name, drive) in drives.iter().flatten() {
            def = def.drive(crate::convert::axis(name)?, drive.of_model());
        }
        for (name, spring) in springs.iter().flatten() {
            let Spring { rest, stiffness, damping } = **spring;
            def = def.spring(crate::convert::axis(name)?, model::Spring { rest, stiffness, damping });
        }
        for (name, follow) in follow.iter().flatten() {
            def.follow[crate::convert::axis(name)? as usize] = Some(follow.of_model()?);
        }
        for (name, effort) in friction.iter().flatten() {
            def = def.friction(crate::convert::axis(name)?, *effort);
        }
        for (name, inertia) in armature.iter().flatten() {
            def = def.armature(crate::convert::axis(name)?, *inertia);
        }
        for (name, rate) in max_rate.iter().flatten() {
            def = def.max_rate(crate::convert::axis(name)?, *rate);
        }
        let hard = (f64::INFINITY, f64::INFINITY);
        def = def.soft(stiffness.unwrap_or(hard).into(), damping.into());
        let (force, torque) = break_at.unwrap_or(hard);
        def = def.break_at(force, torque);
        def.distance = distance.map_or(def.distance, Into::into);
        def.collide = collide.unwrap_or(def.collide);
        def.coordinates = by_axis(coordinates)?;
        def.rates = by_axis(rates)?;
        Ok(Self(def))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    fn __repr__(&self) -> String {
        format!("Joint({:?}, name={:?})", kind_name(self.0.kind), self.0.name)
    }
}

/// Where a joint is, as given.
struct Place<'a, 'py> {
    anchor: Option<&'a Bound<'py, PyAny>>,
    axis: Option<&'a Bound<'py, PyAny>>,
    axis_child: Option<&'a Bound<'py, PyAny>>,
    rotation: Option<&'a Bound<'py, PyAny>>,
    anchor_child: Option<&'a Bound<'py, PyAny>>,
    frame_parent: Option<&'a Bound<'py, PyAny>>,
    frame_child: Option<&'a Bound<'py, PyAny>>,
}

impl Place<'_, '_> {
    fn joint(&self, kind: JointKind, parent: BodyId, child: BodyId, rod: Option<RodStiffness>) -> PyResult<JointDef> {
        let takes_axis =
            matches!(kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar);
        let two_axes = kind == JointKind::Universal;
        self.refuse(self.axis.is_some() && !(takes_axis || two_axes || kind == JointKind::Rod), "axis", kind)?;
        self.refuse(self.axis_child.is_some() && !two_axes, "axis_child", kind)?;
        self.refuse(self.anchor_child.is_some() && kind != JointKind::Distance, "anchor_child", kind)?;
        self.refuse(rod.is_some() != (kind == JointKind::Rod), "rod", kind)?;
        let mut def = JointDef::new(kind, parent, child);
        def.rod = rod;
        if self.frame_parent.is_some() || self.frame_child.is_some() {
            let others = [self.anchor, self.axis, self.axis_child, self.rotation, self.anchor_child];
            if others.iter().any(Option::is_some) {
                return Err(PyValueError::new_err("give frames in the bodies, or a place in the world, not both"));
            }
            let frame = |value: Option<&Bound<'_, PyAny>>, what| {
                value.map_or(Ok(Pose::IDENTITY), |value| pose_of_seven(value, what))
            };
            return Ok(def.frames(frame(self.frame_parent, "frame_parent")?, frame(self.frame_child, "frame_child")?));
        }
        let anchor = vector(self.anchor, "anchor")?;
        let axis = |value: Option<&Bound<'_, PyAny>>, what: &str| match value {
            Some(value) => Ok(DVec3::from_array(numbers(value, what)?)),
            None => Err(PyValueError::new_err(format!("a {} joint needs `{what}`", kind_name(kind)))),
        };
        if let Some(rotation) = self.rotation {
            if self.axis.is_some() || self.axis_child.is_some() {
                return Err(PyValueError::new_err("give an axis or a rotation of the joint frame, not both"));
            }
            def.frames = model::JointFrames::Common(Pose::from_parts(anchor, quaternion(rotation)?));
            return Ok(def);
        }
        let from = match kind {
            JointKind::Revolute => JointDef::revolute(parent, child, anchor, axis(self.axis, "axis")?),
            JointKind::Prismatic => JointDef::prismatic(parent, child, anchor, axis(self.axis, "axis")?),
            JointKind::Cylindrical => JointDef::cylindrical(parent, child, anchor, axis(self.axis, "axis")?),
            JointKind::Planar => JointDef::planar(parent, child, anchor, axis(self.axis, "axis")?),
            JointKind::Universal => {
                let (first, second) = (axis(self.axis, "axis")?, axis(self.axis_child, "axis_child")?);
                JointDef::universal(parent, child, anchor, first, second)
            }
            JointKind::Distance => {
                let other = DVec3::from_array(match self.anchor_child {
                    Some(value) => numbers(value, "anchor_child")?,
                    None => return Err(PyValueError::new_err("a distance joint needs `anchor` and `anchor_child`")),
                });
                JointDef::distance(parent, child, anchor, other, def.distance)
            }
            JointKind::Rod => match def.rod {
                Some(stiffness) => JointDef::rod(parent, child, anchor, axis(self.axis, "axis")?, stiffness),
                None => return Err(PyValueError::new_err("a rod joint needs `rod`")),
            },
            JointKind::Fixed | JointKind::Ball | JointKind::D6 | JointKind::Cone => {
                let mut welded = JointDef::fixed(parent, child, anchor);
                (welded.kind, welded.axis, welded.collide) = (kind, def.axis, def.collide);
                welded
            }
            JointKind::Free => def,
        };
        Ok(from)
    }

    fn refuse(&self, given: bool, what: &str, kind: JointKind) -> PyResult<()> {
        if !given {
            return Ok(());
        }
        let kind = kind_name(kind);
        Err(PyValueError::new_err(if what == "rod" {
            format!("`rod` is for rod joints, and they need it; this one is {kind}")
        } else {
            format!("a {kind} joint has no `{what}`; leave it out")
        }))
    }
}

fn limit_of(value: &Bound<'_, PyAny>) -> PyResult<model::Limit> {
    if let Ok(limit) = value.cast::<Limit>() {
        let Limit { lower, upper, stiffness, damping } = *limit.get();
        return Ok(model::Limit { lower, upper, stiffness, damping });
    }
    let [lower, upper] = numbers(value, "a limit")
        .map_err(|_| PyTypeError::new_err(format!("a limit must be two numbers or a Limit, got {value}")))?;
    Ok(model::Limit { lower, upper, ..model::Limit::default() })
}

fn by_axis(given: Option<BTreeMap<String, f64>>) -> PyResult<Option<[f64; 6]>> {
    let Some(given) = given else { return Ok(None) };
    let mut values = [0.0; 6];
    for (name, value) in given {
        values[axis(&name)? as usize] = value;
    }
    Ok(Some(values))
}

/// The name of a kind.
pub fn kind_name(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "fixed",
        JointKind::Ball => "ball",
        JointKind::Revolute => "revolute",
        JointKind::Prismatic => "prismatic",
        JointKind::Cylindrical => "cylindrical",
        JointKind::Planar => "planar",
        JointKind::Universal => "universal",
        JointKind::Distance => "distance",
        JointKind::D6 => "d6",
        JointKind::Rod => "rod",
        JointKind::Free => "free",
        JointKind::Cone => "cone",
    }
}

fn joint_kind(name: &str) -> PyResult<JointKind> {
    let known = JointKind::ALL.into_iter().find(|kind| kind_name(*kind) == name);
    known.ok_or_else(|| {
        let names = JointKind::ALL.map(kind_name).join(", ");
        PyValueError::new_err(format!("there is no joint `{name}`; kinds are {names}"))
    })
}
