//! Joints and their drives.

use drystone_model::{Axis, AxisMode, BodyId, DQuat, DVec3, Drive, JointDef, JointId, JointKind, Limit, Pose};

use super::super::actuation::{Action, Actuator, Dynamics};
use super::super::fault::{Log, Place};
use super::super::reach::Reach;
use super::layer::Spec;
use super::scene::{Scene, Units};

/// A joint of the file: two ends, each a body of the scene or the world, with a frame in it.
pub(super) struct FileJoint {
    pub(super) path: String,
    pub(super) place: Place,
    pub(super) ends: [(Option<usize>, Pose); 2],
    pub(super) def: JointDef,
    pub(super) actuators: Vec<Actuator>,
    /// 1, or −1 after its ends were swapped.
    pub(super) sign: f64,
    /// Whether the file keeps it out of trees.
    pub(super) closes_loop: bool,
    /// How far the axis of a ball joint may tilt towards the two that follow it \[rad\]; infinite for no bound.
    pub(super) cone: Option<[f64; 2]>,
}

/// The kinds of joints there are.
pub(super) const KINDS: [&str; 6] = [
    "PhysicsJoint",
    "PhysicsFixedJoint",
    "PhysicsRevoluteJoint",
    "PhysicsPrismaticJoint",
    "PhysicsSphericalJoint",
    "PhysicsDistanceJoint",
];
const GENERIC: [&str; 6] = ["transX", "transY", "transZ", "rotX", "rotY", "rotZ"];

pub(super) fn read(spec: &Spec, path: &str, scene: &Scene<'_>, log: &mut Log) -> Option<FileJoint> {
    let mut def = JointDef::new(kind(spec), BodyId::WORLD, BodyId::WORLD);
    let turn =
        if def.kind == JointKind::D6 { DQuat::IDENTITY } else { axis_turn(spec.token("physics:axis").unwrap_or("X")) };
    let ends = [end(spec, 0, turn, scene, log)?, end(spec, 1, turn, scene, log)?];
    if ends[0].0 == ends[1].0 {
        let what = if ends[0].0.is_none() { "the world to itself" } else { "a body to itself" };
        log.fault(spec.place, format!("{} ties {what}", spec.called()), "name two rigid bodies, or one and the world");
        return None;
    }
    let mut reader = Reader { spec, units: &scene.units, log };
    let cone = reader.cone(def.kind);
    reader.limits(&mut def);
    let actuators = reader.drives(&mut def);
    reader.strength(&mut def);
    def.enabled = spec.flag(log, "physics:jointEnabled").unwrap_or(true);
    def.collide = spec.flag(log, "physics:collisionEnabled").unwrap_or(false);
    let closes_loop = spec.flag(log, "physics:excludeFromArticulation").unwrap_or(false);
    Some(FileJoint { path: path.to_owned(), place: spec.place, ends, def, actuators, sign: 1.0, closes_loop, cone })
}

fn kind(spec: &Spec) -> JointKind {
    match spec.kind.as_str() {
        "PhysicsFixedJoint" => JointKind::Fixed,
        "PhysicsRevoluteJoint" => JointKind::Revolute,
        "PhysicsPrismaticJoint" => JointKind::Prismatic,
        "PhysicsSphericalJoint" => JointKind::Ball,
        "PhysicsDistanceJoint" => JointKind::Distance,
        _ => JointKind::D6,
    }
}

/// The turn that takes x, about which joints of the model turn, to an axis.
fn axis_turn(axis: &str) -> DQuat {
    match axis {
        "Y" => DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        "Z" => DQuat::from_xyzw(-0.5, -0.5, -0.5, 0.5),
        _ => DQuat::IDENTITY,
    }
}

/// The body at an end of a joint and the frame in it; positions are in the scaled space of the prim that is named.
fn end(spec: &Spec, side: usize, turn: DQuat, scene: &Scene<'_>, log: &mut Log) -> Option<(Option<usize>, Pose)> {
    let relation = format!("physics:body{side}");
    let at = spec.vector(log, &format!("physics:localPos{side}")).unwrap_or(DVec3::ZERO);
    let rotation = spec.rotation(log, &format!("physics:localRot{side}")).unwrap_or_default() * turn;
    let (map, body) = match spec.targets(&relation)[..] {
        [] => (scene.root, None),
        [target] => match scene.places.get(target) {
            Some(&found) => found,
            None => {
                let place = spec.properties[&relation].place;
                log.fault(place, format!("{}: there is no prim <{target}>", spec.called()), "name a rigid body");
                return None;
            }
        },
        [_, _, ..] => {
            let place = spec.properties[&relation].place;
            log.fault(place, format!("{}: `{relation}` names several prims", spec.called()), "name one");
            return None;
        }
    };
    let Some((pose, _)) = map.parts() else {
        log.fault(
            spec.place,
            format!("{}: what it holds is scaled to nothing or askew", spec.called()),
            "scale evenly",
        );
        return None;
    };
    let world = Pose::from_parts(map.point(at), (pose.rotation * rotation).normalize());
    Some((body, body.map_or(world, |body| scene.bodies[body].pose.inverse() * world)))
}

struct Reader<'a, 'b> {
    spec: &'a Spec,
    units: &'a Units,
    log: &'b mut Log,
}

impl Reader<'_, '_> {
    fn refuse(&mut self, why: &str, help: &str) {
        self.log.fault(self.spec.place, format!("{}: {why}", self.spec.called()), help);
    }

    /// Units of a coordinate: metres or radians for one of the file's.
    fn unit(&self, axis: Axis) -> f64 {
        if (axis as usize) < 3 { self.units.length } else { 1f64.to_radians() }
    }

    fn limits(&mut self, def: &mut JointDef) {
        match def.kind {
            JointKind::Revolute => self.range(def, Axis::AngX, ["physics:lowerLimit", "physics:upperLimit"]),
            JointKind::Prismatic => self.range(def, Axis::LinX, ["physics:lowerLimit", "physics:upperLimit"]),
            JointKind::Distance => {
                let mut bound = |name: &str| self.spec.bound(self.log, name).filter(|&bound| bound >= 0.0);
                let (low, high) = (bound("physics:minDistance"), bound("physics:maxDistance"));
                def.distance = [
                    low.map_or(0.0, |low| low * self.units.length),
                    high.map_or(f64::INFINITY, |high| high * self.units.length),
                ];
            }
            JointKind::D6 => self.generic_limits(def),
            _ => {}
        }
    }

    /// The angles of the cone that a ball joint keeps within.
    fn cone(&mut self, kind: JointKind) -> Option<[f64; 2]> {
        let names = ["physics:coneAngle0Limit", "physics:coneAngle1Limit"];
        let mut bound = |name: &str| self.spec.bound(self.log, name).filter(|angle| (0.0..180.0).contains(angle));
        match names.map(&mut bound) {
            _ if kind != JointKind::Ball => None,
            [None, None] => None,
            angles if angles.contains(&Some(0.0)) => {
                let help = "give more than zero, or use a PhysicsJoint with limits of rotX, rotY and rotZ";
                self.refuse("a cone without an angle leaves a hinge in place of a ball joint", help);
                None
            }
            angles => Some(angles.map(|angle| angle.map_or(f64::INFINITY, f64::to_radians))),
        }
    }

    fn generic_limits(&mut self, def: &mut JointDef) {
        for (axis, name) in Axis::ALL.into_iter().zip(GENERIC) {
            def.axis[axis as usize] = AxisMode::Free;
            if self.spec.wears(&format!("PhysicsLimitAPI:{name}")) {
                let names = [format!("limit:{name}:physics:low"), format!("limit:{name}:physics:high")];
                self.range(def, axis, [&names[0], &names[1]]);
            }
        }
        if self.spec.wears("PhysicsLimitAPI:distance") {
            self.refuse("a distance beside other axes cannot be said", "use a PhysicsDistanceJoint");
        }
        if def.axis.iter().all(|axis| *axis == AxisMode::Locked) {
            def.kind = JointKind::Fixed;
        }
    }

    /// A lower bound above the upper one holds the axis.
    fn range(&mut self, def: &mut JointDef, axis: Axis, [low, high]: [&str; 2]) {
        let unit = self.unit(axis);
        let lower = self.spec.bound(self.log, low).unwrap_or(f64::NEG_INFINITY) * unit;
        let upper = self.spec.bound(self.log, high).unwrap_or(f64::INFINITY) * unit;
        if lower > upper {
            def.axis[axis as usize] = AxisMode::Locked;
            if def.kind != JointKind::D6 {
                def.kind = JointKind::Fixed;
            }
            return;
        }
        def.limit[axis as usize] = Limit { lower, upper, ..Limit::default() };
    }

    fn drives(&mut self, def: &mut JointDef) -> Vec<Actuator> {
        let mut actuators = Vec::new();
        let names: Vec<String> = self
            .spec
            .schemas()
            .iter()
            .filter_map(|schema| schema.strip_prefix("PhysicsDriveAPI:"))
            .map(str::to_owned)
            .collect();
        for name in &names {
            let axis = match (def.kind, name.as_str()) {
                (JointKind::Revolute, "angular" | "rotX") => Axis::AngX,
                (JointKind::Prismatic, "linear" | "transX") => Axis::LinX,
                (JointKind::Fixed, _) => continue,
                (JointKind::D6, name) if GENERIC.contains(&name) => {
                    Axis::ALL[GENERIC.iter().position(|known| *known == name).unwrap_or(0)]
                }
                _ => {
                    self.refuse(
                        &format!("it has no axis `{name}` to drive"),
                        "use `angular` for hinges, `linear` for sliders, `transX` to `rotZ` for a PhysicsJoint",
                    );
                    continue;
                }
            };
            if def.axis[axis as usize] == AxisMode::Free {
                actuators.extend(self.drive(def, axis, name));
            }
        }
        if let Some((name, field)) = self.spec.properties.iter().find(|(name, _)| undeclared_drive(name, &names)) {
            let message = format!(
                "`{}` of joints without `PhysicsDriveAPI` is not a drive",
                name.split(':').next_back().unwrap_or(name)
            );
            self.log.note(field.place, message);
        }
        actuators
    }

    fn drive(&mut self, def: &mut JointDef, axis: Axis, name: &str) -> Option<Actuator> {
        let attribute = |what: &str| format!("drive:{name}:physics:{what}");
        let mut number = |what: &str| self.spec.number(self.log, &attribute(what)).unwrap_or(0.0);
        let (stiffness, damping) = (number("stiffness"), number("damping"));
        let (target, rate) = (number("targetPosition"), number("targetVelocity"));
        let most = self.spec.bound(self.log, &attribute("maxForce")).unwrap_or(f64::INFINITY);
        let acts = stiffness != 0.0 || damping != 0.0;
        if acts && self.spec.token(&attribute("type")) == Some("acceleration") {
            self.refuse(
                "a drive of type `acceleration` cannot be said",
                "use `force` and gains times the inertia it moves",
            );
            return None;
        }
        let unit = self.unit(axis);
        let effort = if (axis as usize) < 3 { self.units.force() } else { self.units.torque() };
        let gain = effort / unit;
        let drive = Drive {
            target: target * unit,
            target_velocity: rate * unit,
            stiffness: stiffness * gain,
            damping: damping * gain,
            max_effort: most * effort,
        };
        def.drive[axis as usize] = drive;
        let action = match (stiffness > 0.0, damping > 0.0) {
            (true, _) => Action::Target { scale: unit, offset: 0.0 },
            (false, true) => Action::TargetVelocity { scale: unit },
            (false, false) => Action::Effort { gain: effort, range: [-drive.max_effort, drive.max_effort], gear: 1.0 },
        };
        let name = format!("{}/{name}", self.spec.name);
        Some(Actuator {
            name,
            reach: Reach::Axes { joint: JointId(0), axis, further: Vec::new() },
            control_range: None,
            action,
            dynamics: Dynamics::Direct,
        })
    }

    fn strength(&mut self, def: &mut JointDef) {
        let mut bound = |name: &str| self.spec.bound(self.log, name).unwrap_or(f64::INFINITY);
        let (force, torque) = (bound("physics:breakForce"), bound("physics:breakTorque"));
        def.break_at = [force * self.units.force(), torque * self.units.torque()];
    }
}

/// Whether an attribute is the gain of a drive that no schema declares.
fn undeclared_drive(attribute: &str, declared: &[String]) -> bool {
    let mut parts = attribute.split(':');
    let gain = attribute.ends_with(":physics:stiffness") || attribute.ends_with(":physics:damping");
    gain && parts.next() == Some("drive")
        && parts.next().is_some_and(|name| !declared.iter().any(|known| known == name))
}

impl FileJoint {
    /// Swaps the ends: coordinates change their sign. `Err` where there are several, which then mean something else.
    pub(super) fn swap(&mut self) -> Result<(), ()> {
        let free = |axis: &&Axis| self.def.axis[**axis as usize] == AxisMode::Free;
        let axes: Vec<Axis> = Axis::ALL.iter().filter(free).copied().collect();
        let bare = self.def.kind == JointKind::Ball || self.def.kind == JointKind::Distance;
        if axes.len() > 1 && !bare {
            return Err(());
        }
        self.ends.swap(0, 1);
        self.sign = -self.sign;
        for axis in axes {
            let index = axis as usize;
            let Limit { lower, upper, .. } = self.def.limit[index];
            (self.def.limit[index].lower, self.def.limit[index].upper) = (-upper, -lower);
            let drive = &mut self.def.drive[index];
            (drive.target, drive.target_velocity) = (0.0 - drive.target, 0.0 - drive.target_velocity);
        }
        for actuator in &mut self.actuators {
            match &mut actuator.action {
                Action::Target { scale, .. } | Action::TargetVelocity { scale } => *scale = -*scale,
                Action::Effort { gear, .. } | Action::Servo { gear, .. } => *gear = -*gear,
            }
        }
        Ok(())
    }
}
