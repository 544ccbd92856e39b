//! Robots from files of other programs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use drystone_io::import::{
    self, Base, Coordinate, ImportOptions, Imported, InertiaFaults, MeshUse, MimicJoints, Speeds,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{axis_name, body_number, pose_row, values};
use crate::error::OrRaise;
use crate::model::Model;
use crate::simulation::Simulation;
use crate::state::State;

/// A robot as read from a URDF or MJCF file: its model, and beside it what a model does not hold.
#[pyclass(frozen, module = "drystone")]
pub struct Robot {
    pub(crate) robot: Arc<Imported>,
    model: Arc<drystone::model::Model>,
}

/// Reads a robot file (.urdf, .xml). `base` says of a URDF whether its first link is `fixed` or `free`. `inertia="repair"` mends
/// tensors no mass has, `meshes="exact"` collides closed meshes as they are and not as hulls, `mimic="free"` lets joints that
/// follow others move by themselves, `speeds="hold"` holds joints to their largest speeds, `packages` says where `package://NAME/` is, `ground` adds a floor at z = 0.
#[pyfunction]
#[pyo3(signature = (path, *, base=None, inertia="refuse", meshes="hull", mimic="follow", speeds="tell", packages=None, ground=false))]
pub fn load_robot(
    path: PathBuf,
    base: Option<&str>,
    inertia: &str,
    meshes: &str,
    mimic: &str,
    speeds: &str,
    packages: Option<BTreeMap<String, PathBuf>>,
    ground: bool,
) -> PyResult<Robot> {
    let pick = |what: &str, given: &str, [one, other]: [&str; 2]| -> PyResult<bool> {
        if given == one || given == other {
            return Ok(given == other);
        }
        Err(PyValueError::new_err(format!("{what} must be `{one}` or `{other}`, got `{given}`")))
    };
    let base = base.map(|base| pick("base", base, ["fixed", "free"])).transpose()?;
    let options = ImportOptions {
        base: base.map(|free| if free { Base::Free } else { Base::Fixed }),
        inertia: if pick("inertia", inertia, ["refuse", "repair"])? {
            InertiaFaults::Repair
        } else {
            InertiaFaults::Refuse
        },
        meshes: if pick("meshes", meshes, ["hull", "exact"])? { MeshUse::Exact } else { MeshUse::Hull },
        mimic: if pick("mimic", mimic, ["follow", "free"])? { MimicJoints::Free } else { MimicJoints::Follow },
        speeds: if pick("speeds", speeds, ["tell", "hold"])? { Speeds::Hold } else { Speeds::Tell },
        packages: packages.unwrap_or_default(),
    };
    let mut robot = import::read(&path, &options).or_raise()?;
    if ground {
        robot.add_ground().or_raise()?;
    }
    let model = Arc::new(robot.model.clone());
    Ok(Robot { robot: Arc::new(robot), model })
}

#[pymethods]
impl Robot {
    /// The name the file gives.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.robot.name.as_deref()
    }

    /// What there is.
    #[getter]
    fn model(&self) -> Model {
        Model(self.model.clone())
    }

    /// The time step the file asks for [s].
    #[getter]
    fn dt(&self) -> Option<f64> {
        self.robot.dt
    }

    /// What was read otherwise than written, or left out.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.robot.notes.iter().map(ToString::to_string).collect()
    }

    /// Places on bodies by name (sites, links fused into others): body (−1 for the world) and pose in its frame, seven numbers.
    #[getter]
    fn frames(&self) -> BTreeMap<String, (i64, [f64; 7])> {
        let entry = |frame: &import::Frame| (frame.name.clone(), (body_number(frame.body), pose_row(&frame.pose)));
        self.robot.frames.iter().map(entry).collect()
    }

    /// The file's joints in the order of its coordinates: a dict each with `name`, `joint` (id in the model), `kind` (axis, ball or
    /// free), how many numbers it has in a position and in a velocity, `axis`, `effort` and `velocity` limits.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entry = |joint: &import::RobotJoint| {
            let dict = PyDict::new(py);
            let [positions, velocities] = joint.coordinate.widths();
            let (kind, axis) = match joint.coordinate {
                Coordinate::Axis { axis, .. } => ("axis", Some(axis_name(axis))),
                Coordinate::Ball => ("ball", None),
                Coordinate::Free => ("free", None),
            };
            dict.set_item("name", &joint.name)?;
            dict.set_item("joint", joint.joint.0)?;
            dict.set_item("kind", kind)?;
            dict.set_item("axis", axis)?;
            dict.set_item("positions", positions)?;
            dict.set_item("velocities", velocities)?;
            dict.set_item("effort", joint.effort)?;
            dict.set_item("velocity", joint.velocity)?;
            Ok(dict)
        };
        self.robot.joints.iter().map(entry).collect()
    }

    /// What drives the joints, in the order of the file's controls: a dict each with `name`, `joint` and `axis`, None where
    /// it pulls a body or a tendon between sites, and `range`, the controls it takes, or None.
    #[getter]
    fn actuators<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entry = |actuator: &import::Actuator| {
            let dict = PyDict::new(py);
            dict.set_item("name", &actuator.name)?;
            dict.set_item("joint", actuator.reach.axis().map(|(joint, _)| joint.0))?;
            dict.set_item("axis", actuator.reach.axis().map(|(_, axis)| axis_name(axis)))?;
            dict.set_item("range", actuator.control_range.map(|[low, high]| (low, high)))?;
            Ok(dict)
        };
        self.robot.actuators.iter().map(entry).collect()
    }

    /// Key frames of the file by name: time [s], positions, velocities and controls where given.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entry = |key: &import::Key| {
            let dict = PyDict::new(py);
            dict.set_item("name", &key.name)?;
            dict.set_item("time", key.time)?;
            dict.set_item("positions", key.positions.clone())?;
            dict.set_item("velocities", key.velocities.clone())?;
            dict.set_item("controls", key.controls.clone())?;
            Ok(dict)
        };
        self.robot.keys.iter().map(entry).collect()
    }

    /// How many numbers a state of the file has: positions, velocities.
    #[getter]
    fn widths(&self) -> (usize, usize) {
        let [positions, velocities] = self.robot.widths();
        (positions, velocities)
    }

    /// The state in which the file's joints have these positions and velocities (zero if not given), in its own units and order.
    #[pyo3(signature = (positions, velocities=None))]
    fn state_at(&self, positions: &Bound<'_, PyAny>, velocities: Option<&Bound<'_, PyAny>>) -> PyResult<State> {
        let [q, v] = self.robot.widths();
        let positions = values(positions, "positions", &[q])?;
        let velocities = velocities.map_or_else(|| Ok(vec![0.0; v]), |given| values(given, "velocities", &[v]))?;
        Ok(State::new(self.robot.state_at(&positions, &velocities).or_raise()?))
    }

    /// Puts controls into effect in a simulation of this robot's model, in the order of the actuators. They stay until others are
    /// given; filters and integrators among the actuators are carried on by every step, and kept by its checkpoints.
    fn apply(&self, py: Python<'_>, sim: PyRef<'_, Simulation>, controls: &Bound<'_, PyAny>) -> PyResult<()> {
        let controls = values(controls, "controls", &[self.robot.actuators.len()])?;
        let (bodies, joints) = (self.model.body_count(), self.model.joint_count());
        let stateful = self.robot.needs_every_step();
        sim.change_control(py, |control| {
            if control.body_f.len() < bodies || control.joint_f.len() < joints {
                return Err(PyValueError::new_err("the simulation is not of this robot's model"));
            }
            if stateful { Ok(()) } else { self.robot.apply(&controls, control).or_raise() }
        })?;
        if stateful { sim.drive(py, &self.robot, &controls) } else { Ok(()) }
    }

    fn __repr__(&self) -> String {
        let robot = &self.robot;
        let name = robot.name.as_deref().unwrap_or("without a name");
        let (joints, actuators) = (robot.joints.len(), robot.actuators.len());
        format!("<Robot {name}: {} bodies, {joints} joints, {actuators} actuators>", robot.model.body_count())
    }
}
