//! The stage as bodies, colliders, groups and joints.

use std::collections::BTreeMap;

use drystone_model::{DMat3, DQuat, DVec3, Material, Pose, ShapeDef};

use super::super::ImportOptions;
use super::super::fault::{Log, Place};
use super::layer::{Spec, Specifier};
use super::transform::{self, Affine};
use super::value::{Field, Value};
use super::{joint, mass, shape};

/// What the numbers of a stage are in SI units.
pub(super) struct Units {
    pub(super) length: f64,
    pub(super) mass: f64,
}

impl Units {
    pub(super) fn density(&self) -> f64 {
        self.mass / (self.length * self.length * self.length)
    }

    pub(super) fn inertia(&self) -> f64 {
        self.mass * self.length * self.length
    }

    pub(super) fn force(&self) -> f64 {
        self.mass * self.length
    }

    pub(super) fn torque(&self) -> f64 {
        self.mass * self.length * self.length
    }
}

/// A collider in the frame of its body.
pub(super) struct Collider {
    pub(super) path: String,
    pub(super) place: Place,
    pub(super) shape: ShapeDef,
    pub(super) mass: Option<f64>,
    pub(super) density: Option<f64>,
    /// The articulation whose parts do not meet each other.
    pub(super) apart: Option<usize>,
}

/// A rigid body.
pub(super) struct Body<'a> {
    pub(super) path: String,
    pub(super) spec: &'a Spec,
    pub(super) map: Affine,
    pub(super) pose: Pose,
    /// Turn of what it stands in: its velocities are given there.
    pub(super) around: DQuat,
    pub(super) colliders: Vec<Collider>,
}

/// A collision group: members, and those it does not meet.
pub(super) struct Group<'a> {
    pub(super) path: String,
    pub(super) spec: &'a Spec,
}

/// Everything of a stage that moves or stands in the way.
pub(super) struct Scene<'a> {
    pub(super) units: Units,
    /// The stage in metres with z up.
    pub(super) root: Affine,
    pub(super) gravity: Option<DVec3>,
    pub(super) bodies: Vec<Body<'a>>,
    pub(super) standing: Vec<Collider>,
    pub(super) groups: Vec<Group<'a>>,
    pub(super) joints: Vec<(String, &'a Spec)>,
    /// Pairs of prims that do not collide.
    pub(super) filtered: Vec<(String, String)>,
    /// Every prim: its map to the world and the body it belongs to.
    pub(super) places: BTreeMap<String, (Affine, Option<usize>)>,
    materials: BTreeMap<String, &'a Spec>,
    articulations: usize,
}

/// Where the walk is.
#[derive(Clone)]
struct Above {
    path: String,
    map: Affine,
    body: Option<usize>,
    material: Option<String>,
    apart: Option<usize>,
}

impl<'a> Scene<'a> {
    pub(super) fn read(stage: &'a Spec, options: &ImportOptions, log: &mut Log) -> Self {
        let (units, root) = frame(stage, log);
        let mut scene = Self {
            units,
            root,
            gravity: None,
            bodies: Vec::new(),
            standing: Vec::new(),
            groups: Vec::new(),
            joints: Vec::new(),
            filtered: Vec::new(),
            places: BTreeMap::new(),
            materials: BTreeMap::new(),
            articulations: 0,
        };
        scene.index_materials(stage, "");
        let above = Above { path: String::new(), map: root, body: None, material: None, apart: None };
        stage.children.iter().for_each(|child| scene.walk(child, &above, options, log));
        scene
    }

    fn index_materials(&mut self, spec: &'a Spec, path: &str) {
        for child in &spec.children {
            let path = format!("{path}/{}", child.name);
            self.index_materials(child, &path);
            if child.wears("PhysicsMaterialAPI") {
                self.materials.insert(path, child);
            }
        }
    }

    fn walk(&mut self, spec: &'a Spec, above: &Above, options: &ImportOptions, log: &mut Log) {
        if spec.specifier != Specifier::Def || spec.says_no("active") {
            return;
        }
        if let Some(what) = beyond(spec) {
            let help = "use rigid bodies; cloth and soft solids are given in scene files";
            log.fault(spec.place, format!("{}: {what} of USD are not read", spec.called()), help);
            return;
        }
        let mut here = above.clone();
        here.path = format!("{}/{}", above.path, spec.name);
        let (local, apart) = transform::local(spec, log);
        here.map = if apart { self.root.then(local) } else { above.map.then(local) };
        here.material = material_of(spec).or(here.material);
        if spec.wears("PhysicsArticulationRootAPI") && keeps_apart(spec, log) {
            self.articulations += 1;
            here.apart = Some(self.articulations);
        }
        if spec.wears("PhysicsRigidBodyAPI") {
            here.body = self.body(spec, &here, above, log);
        }
        self.places.insert(here.path.clone(), (here.map, here.body));
        let filtered = spec.targets("physics:filteredPairs").into_iter().map(str::to_owned);
        self.filtered.extend(filtered.map(|other| (here.path.clone(), other)));
        match spec.kind.as_str() {
            "PhysicsScene" => self.scene(spec, log),
            "PhysicsCollisionGroup" => self.groups.push(Group { path: here.path.clone(), spec }),
            kind if joint::KINDS.contains(&kind) => self.joints.push((here.path.clone(), spec)),
            _ => {}
        }
        if spec.wears("PhysicsCollisionAPI") && spec.flag(log, "physics:collisionEnabled") != Some(false) {
            self.collider(spec, &here, options, log);
        }
        note_others(spec, log);
        spec.children.iter().for_each(|child| self.walk(child, &here, options, log));
    }

    /// The first scene gives the gravity.
    fn scene(&mut self, spec: &Spec, log: &mut Log) {
        let up = self.root.linear * spec.vector(log, "physics:gravityDirection").unwrap_or(DVec3::ZERO);
        let direction = up.try_normalize().unwrap_or(DVec3::NEG_Z);
        let magnitude = spec.bound(log, "physics:gravityMagnitude").filter(|&magnitude| magnitude >= 0.0);
        let magnitude = magnitude.map_or(9.81, |magnitude| magnitude * self.units.length);
        if !magnitude.is_finite() {
            log.fault(spec.place, format!("{}: gravity is not finite", spec.called()), "give a number");
        } else if self.gravity.replace(direction * magnitude).is_some() {
            log.note(spec.place, "several physics scenes: the last one gives the gravity, and all bodies meet");
        }
    }

    fn body(&mut self, spec: &'a Spec, here: &Above, above: &Above, log: &mut Log) -> Option<usize> {
        if spec.flag(log, "physics:rigidBodyEnabled") == Some(false) {
            return None;
        }
        let [own, around] = [here.map, above.map].map(Affine::parts);
        let Some((pose, _)) = own else {
            let help = "scale along its own axes, and not to nothing";
            log.fault(spec.place, format!("{}: it is scaled to nothing or askew", spec.called()), help);
            return None;
        };
        if spec.flag(log, "physics:startsAsleep") == Some(true) {
            log.note(spec.place, "`physics:startsAsleep`: bodies start awake");
        }
        let around = around.map_or(pose.rotation, |(around, _)| around.rotation);
        let body = Body { path: here.path.clone(), spec, map: here.map, pose, around, colliders: Vec::new() };
        self.bodies.push(body);
        Some(self.bodies.len() - 1)
    }

    fn collider(&mut self, spec: &'a Spec, here: &Above, options: &ImportOptions, log: &mut Log) {
        let to_body = here.body.map_or(Pose::IDENTITY, |body| self.bodies[body].pose.inverse());
        let map = Affine::of(to_body).then(here.map);
        let Some(mut shape) = shape::read(spec, map, options, log) else { return };
        let bound = here.material.as_ref().and_then(|path| self.materials.get(path));
        let material = bound.map(|material| self.material(material, log));
        shape.material = material.unwrap_or_default();
        let (mass, density) = mass::given(spec, &self.units, log);
        // A body that is its own collider says its mass once.
        let own = here.body.is_some_and(|body| std::ptr::eq(self.bodies[body].spec, spec));
        let (mass, density) = if own { (None, None) } else { (mass, density) };
        let collider = Collider { path: here.path.clone(), place: spec.place, shape, mass, density, apart: here.apart };
        match here.body {
            Some(body) => self.bodies[body].colliders.push(collider),
            None => self.standing.push(collider),
        }
    }

    fn material(&self, spec: &Spec, log: &mut Log) -> Material {
        let mut number = |name: &str| spec.number(log, name).unwrap_or(0.0);
        let density = number("physics:density") * self.units.density();
        Material {
            friction_static: number("physics:staticFriction"),
            friction_dynamic: number("physics:dynamicFriction"),
            restitution: number("physics:restitution"),
            density: if density > 0.0 { density } else { Material::default().density },
            ..Material::default()
        }
    }
}

/// Units of the stage and the map to metres with z up.
fn frame(stage: &Spec, log: &mut Log) -> (Units, Affine) {
    let mut number = |name: &str, default: f64| {
        let field = stage.metadata.get(name);
        let number = field.and_then(Field::value).and_then(Value::numbers).and_then(|numbers| numbers.first().copied());
        let number = number.unwrap_or(default);
        if number > 0.0 && number.is_finite() {
            return number;
        }
        let place = field.map_or(stage.place, |field| field.place);
        log.fault(place, format!("`{name}` is not positive"), "give a number above zero");
        default
    };
    let units = Units { length: number("metersPerUnit", 0.01), mass: number("kilogramsPerUnit", 1.0) };
    let up = match stage.metadata.get("upAxis").and_then(Field::value) {
        Some(Value::Text(axis)) if axis == "Z" => DMat3::IDENTITY,
        // y becomes z, and z what y was, the other way.
        _ => DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y),
    };
    let linear = up * DMat3::from_diagonal(DVec3::splat(units.length));
    (units, Affine { linear, offset: DVec3::ZERO })
}

/// What a prim is that is no rigid body and yet moves.
fn beyond(spec: &Spec) -> Option<&'static str> {
    if spec.kind == "PointInstancer" {
        return Some("point instancers");
    }
    let soft = spec.schemas().iter().any(|schema| schema.contains("Deformable") || schema.contains("ParticleSystem"));
    (soft || spec.kind == "TetMesh").then_some("deformable bodies")
}

fn material_of(spec: &Spec) -> Option<String> {
    let bound = ["material:binding:physics", "material:binding"]
        .map(|name| spec.targets(name).first().map(|path| (*path).to_owned()));
    bound.into_iter().flatten().next()
}

/// Whether parts of an articulation do not meet each other; USD itself has no word for it.
fn keeps_apart(spec: &Spec, log: &mut Log) -> bool {
    let names = ["physxArticulation:enabledSelfCollisions", "newton:selfCollisionEnabled"];
    names.into_iter().any(|name| spec.flag(log, name) == Some(false))
}

/// Notes attributes of other programs at prims that move.
fn note_others(spec: &Spec, log: &mut Log) {
    const KNOWN: [&str; 11] = [
        "xformOp",
        "physics",
        "drive",
        "limit",
        "collection",
        "material",
        "primvars",
        "ui",
        "inputs",
        "outputs",
        "info",
    ];
    const READ: [&str; 3] =
        ["physxArticulation:enabledSelfCollisions", "newton:selfCollisionEnabled", "physxRigidBody:disableGravity"];
    let physical =
        spec.kind.starts_with("Physics") || spec.schemas().iter().any(|schema| schema.starts_with("Physics"));
    if !physical && !spec.kind.ends_with("Actuator") {
        return;
    }
    if spec.kind.ends_with("Actuator") {
        log.note(spec.place, format!("`{}` belongs to another program and is not read", spec.kind));
    }
    for (name, field) in &spec.properties {
        if let Some((space, _)) = name.split_once(':').filter(|(space, _)| !KNOWN.contains(space))
            && !READ.contains(&name.as_str())
        {
            log.note(field.place, format!("attributes `{space}:…` belong to another program and are not read"));
        }
    }
}
