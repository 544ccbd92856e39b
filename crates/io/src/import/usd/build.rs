//! The scene as a model: bodies where they stand, joints along trees, loops behind them.

use std::collections::{BTreeMap, BTreeSet};

use drystone_model::{
    Axis, AxisMode, BodyDef, BodyId, DQuat, DVec3, Entity, JointDef, JointFrames, JointId, JointKind, Model,
    ModelBuilder, Pose, ShapeId,
};

use super::super::actuation::Actuator;
use super::super::fault::{Log, Place};
use super::super::reach::Reach;
use super::super::robot::{Coordinate, Frame, RobotJoint};
use super::joint::{self, FileJoint};
use super::mass;
use super::scene::{Body, Collider, Scene};

/// How far joints may be open in a file without a note \[m or rad\]: single precision leaves less.
const OPEN: f64 = 1e-4;

/// A stage as a model and what is beside it.
#[derive(Default)]
pub(super) struct Built {
    pub(super) model: Model,
    pub(super) frames: Vec<Frame>,
    pub(super) joints: Vec<RobotJoint>,
    pub(super) actuators: Vec<Actuator>,
}

/// Makes the model; `None`, with faults, where something is wrong.
pub(super) fn build(scene: &Scene<'_>, log: &mut Log) -> Option<Built> {
    let mut joints: Vec<FileJoint> =
        scene.joints.iter().filter_map(|(path, spec)| joint::read(spec, path, scene, log)).collect();
    let order = trees(scene.bodies.len(), &mut joints, log);
    let mut maker = Maker { builder: drystone::new_model(), places: Places::default(), shapes: Vec::new() };
    maker.builder.gravity(scene.gravity.unwrap_or(DVec3::NEG_Z * 9.81));
    let names = names(scene.bodies.iter().map(|body| body.path.as_str()));
    for (body, name) in scene.bodies.iter().zip(&names) {
        maker.add_body(body, name, scene, log);
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        body.colliders.iter().for_each(|collider| maker.add_shape(BodyId(index as u32), collider));
    }
    scene.standing.iter().for_each(|collider| maker.add_shape(BodyId::WORLD, collider));
    maker.keep_apart(scene);
    let mut built = Built { frames: frames(scene), ..Built::default() };
    maker.add_joints(&joints, &order, &names, &mut built);
    if !log.faults.is_empty() {
        return None;
    }
    built.model = maker.finalize(log)?;
    Some(built)
}

/// Names of prims by their last part, where that is theirs alone, or by their paths.
fn names<'a>(paths: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let last = |path: &'a str| path.rsplit('/').next().unwrap_or(path);
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    paths.clone().for_each(|path| *uses.entry(last(path)).or_default() += 1);
    let name = |path: &'a str| if uses[last(path)] == 1 { last(path) } else { &path[1..] };
    paths.map(|path| name(path).to_owned()).collect()
}

/// Prims inside bodies that are neither colliders nor joints, by name.
fn frames(scene: &Scene<'_>) -> Vec<Frame> {
    let own = |path: &str, body: usize| scene.bodies[body].path == path;
    let inside = scene.places.iter().filter_map(|(path, (map, body))| {
        let body = (*body)?;
        let (pose, _) = map.parts().filter(|_| !own(path, body))?;
        let name = path[1..].to_owned();
        Some(Frame { name, body: BodyId(body as u32), pose: scene.bodies[body].pose.inverse() * pose })
    });
    inside.collect()
}

/// What an entry of the order does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A joint of the file places a body.
    Tree(usize),
    /// A body floats.
    Float(usize),
    /// A joint of the file closes a loop.
    Loop(usize),
}

/// Orders joints so that parents come first, and turns round those that name the child first.
fn trees(bodies: usize, joints: &mut [FileJoint], log: &mut Log) -> Vec<Step> {
    let mut order = Vec::new();
    let mut placed = vec![false; bodies];
    let mut used = vec![false; joints.len()];
    spread(&mut order, &mut placed, &mut used, joints, log);
    for body in 0..bodies {
        // A body that is nobody's child begins a tree; where all are, the first does.
        let child = joints.iter().any(|joint| joint.def.enabled && !joint.closes_loop && joint.ends[1].0 == Some(body));
        if !placed[body] && !child {
            (placed[body], _) = (true, order.push(Step::Float(body)));
            spread(&mut order, &mut placed, &mut used, joints, log);
        }
    }
    for body in 0..bodies {
        if !placed[body] {
            (placed[body], _) = (true, order.push(Step::Float(body)));
            spread(&mut order, &mut placed, &mut used, joints, log);
        }
    }
    for (index, joint) in joints.iter_mut().enumerate().filter(|(index, _)| !used[*index]) {
        // The world is nobody's child.
        if joint.ends[1].0.is_none() {
            turn(joint, log);
        }
        order.push(Step::Loop(index));
    }
    order
}

fn spread(order: &mut Vec<Step>, placed: &mut [bool], used: &mut [bool], joints: &mut [FileJoint], log: &mut Log) {
    let mut found = true;
    while std::mem::take(&mut found) {
        for (index, joint) in joints.iter_mut().enumerate() {
            let loose = joint.closes_loop || !joint.def.enabled || joint.def.kind.only_measures();
            let [first, second] = joint.ends.map(|(body, _)| body.is_none_or(|body| placed[body]));
            if used[index] || loose || first == second {
                continue;
            }
            if second {
                turn(joint, log);
            }
            if let Some(body) = joint.ends[1].0 {
                placed[body] = true;
            }
            used[index] = true;
            order.push(Step::Tree(index));
            found = true;
        }
    }
}

fn turn(joint: &mut FileJoint, log: &mut Log) {
    if joint.swap().is_err() {
        let message = format!("joint <{}> of several axes names the body it carries first", joint.path);
        log.fault(joint.place, message, "swap `body0` and `body1` with their frames, limits and targets");
    }
}

#[derive(Default)]
struct Places {
    bodies: Vec<Place>,
    shapes: Vec<Place>,
    joints: Vec<Place>,
}

struct Maker<'a> {
    builder: ModelBuilder,
    places: Places,
    shapes: Vec<(ShapeId, BodyId, &'a Collider)>,
}

impl<'a> Maker<'a> {
    fn add_body(&mut self, body: &Body<'_>, name: &str, scene: &Scene<'_>, log: &mut Log) {
        let spec = body.spec;
        let kinematic = spec.flag(log, "physics:kinematicEnabled") == Some(true);
        let mut def = if kinematic { BodyDef::kinematic(name) } else { BodyDef::dynamic(name) };
        if !kinematic {
            def = def.mass_properties(mass::of_body(body, &scene.units, log));
        }
        if spec.flag(log, "physxRigidBody:disableGravity") == Some(true) {
            def = def.gravity_scale(0.0);
        }
        let mut velocity = |name: &str| body.around * spec.vector(log, name).unwrap_or_default();
        let (linear, angular) = (velocity("physics:velocity"), velocity("physics:angularVelocity"));
        def = def.pose(body.pose).velocity(linear * scene.units.length).spin(angular * 1f64.to_radians());
        self.builder.add_body(def);
        self.places.bodies.push(spec.place);
    }

    fn add_shape(&mut self, body: BodyId, collider: &'a Collider) {
        let shape = collider.shape.clone().named(&collider.path[1..]);
        self.shapes.push((self.builder.add_shape(body, shape), body, collider));
        self.places.shapes.push(collider.place);
    }

    /// Groups that do not meet, pairs that do not, and articulations that do not meet themselves.
    fn keep_apart(&mut self, scene: &Scene<'_>) {
        let below = |path: &str, above: &str| {
            path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let member = |collider: &Collider, group: usize| {
            let includes = scene.groups[group].spec.targets("collection:colliders:includes");
            includes.into_iter().any(|path| below(&collider.path, path))
        };
        let groups: Vec<Vec<usize>> = self
            .shapes
            .iter()
            .map(|(_, _, collider)| (0..scene.groups.len()).filter(|&group| member(collider, group)).collect())
            .collect();
        let refuses: BTreeSet<(usize, usize)> = refused_groups(scene);
        for (place, (id, body, collider)) in self.shapes.iter().enumerate() {
            for (far, (other, far_body, against)) in self.shapes.iter().enumerate().skip(place + 1) {
                let grouped =
                    groups[place].iter().any(|&a| groups[far].iter().any(|&b| refuses.contains(&(a.min(b), a.max(b)))));
                let alike = collider.apart.is_some() && collider.apart == against.apart;
                let paired = scene.filtered.iter().any(|(a, b)| {
                    let meets = |one: &str, two: &str| below(&collider.path, one) && below(&against.path, two);
                    meets(a, b) || meets(b, a)
                });
                if body != far_body && (grouped || alike || paired) {
                    self.builder.filter_shapes(*id, *other);
                }
            }
        }
    }

    fn add_joints(&mut self, joints: &[FileJoint], order: &[Step], bodies: &[String], built: &mut Built) {
        let names = names(joints.iter().map(|joint| joint.path.as_str()));
        for step in order {
            let (index, tree) = match *step {
                Step::Float(body) => {
                    self.float(body, &bodies[body], built);
                    continue;
                }
                Step::Tree(index) => (index, true),
                Step::Loop(index) => (index, false),
            };
            let file = &joints[index];
            let [(parent, outer), (child, inner)] = file.ends;
            let mut def = file.def.clone().named(&names[index]).frames(outer, inner);
            (def.parent, def.child) = (id(parent), id(child));
            self.places.joints.push(file.place);
            let joint = self.builder.add_joint(def.clone());
            if let Some(angles) = file.cone {
                self.add_cone(&def, angles, file.place);
            }
            built.actuators.extend(file.actuators.iter().cloned().map(|mut own| {
                if let Reach::Axes { joint: at, .. } = &mut own.reach {
                    *at = joint;
                }
                own
            }));
            if tree {
                let entry = |coordinate| RobotJoint {
                    name: names[index].clone(),
                    joint,
                    coordinate,
                    effort: None,
                    velocity: None,
                };
                built.joints.extend(coordinates(&def, file.sign).into_iter().map(entry));
            }
        }
    }

    /// Keeps the axis of a ball joint within a cone. A round one is a distance, which every solver but one has: about as far out as
    /// its bodies reach, so that forces are about as large.
    fn add_cone(&mut self, ball: &JointDef, [angle, other]: [f64; 2], place: Place) {
        let JointFrames::Local(outer, inner) = ball.frames else { return };
        if angle != other {
            let cone = JointDef::elliptic_cone(ball.parent, ball.child, DQuat::IDENTITY, [angle, other]);
            let mut cone = cone.named(format!("{}/cone", ball.name)).frames(outer, inner).collide(ball.collide);
            cone.enabled = ball.enabled;
            self.places.joints.push(place);
            self.builder.add_joint(cone);
            return;
        }
        let reach = match outer.translation.length().max(inner.translation.length()) {
            0.0 => 1.0,
            reach => reach,
        };
        let tip = Pose::from_translation(DVec3::X * reach);
        let cone = JointDef::cone(ball.parent, ball.child, DVec3::ZERO, DVec3::X, angle, reach);
        let mut cone = cone.named(format!("{}/cone", ball.name)).frames(outer * tip, inner * tip).collide(ball.collide);
        cone.enabled = ball.enabled;
        self.places.joints.push(place);
        self.builder.add_joint(cone);
    }

    /// A body that nothing holds; kinematic ones are led.
    fn float(&mut self, body: usize, name: &str, built: &mut Built) {
        let id = BodyId(body as u32);
        if self.builder.body_mut(id).is_some_and(|def| def.kind != drystone_model::BodyKind::Dynamic) {
            return;
        }
        let name = format!("{name}/free");
        self.places.joints.push(self.places.bodies[body]);
        let joint = self.builder.add_joint(JointDef::free_floating(id).named(&name));
        built.joints.push(RobotJoint { name, joint, coordinate: Coordinate::Free, effort: None, velocity: None });
    }

    /// Closes the joints that place bodies, which files leave open by their digits, and makes the model.
    fn finalize(mut self, log: &mut Log) -> Option<Model> {
        let model = self.checked(log)?;
        let state = model.state();
        let mut open = 0.0f64;
        for step in model.joint_tree().order {
            let joint = step.joint as usize;
            let error = model.joint_error(&state, step.joint);
            open = open.max(error.linear).max(error.angular);
            if model.joint_kind[joint] == JointKind::Free || error.linear.max(error.angular) == 0.0 {
                continue;
            }
            let read = model.joint_coordinates(&state, joint);
            let kept = |axis: usize| if model.joint_axis[joint][axis] == AxisMode::Free { read[axis] } else { 0.0 };
            let coordinates = std::array::from_fn(kept);
            self.builder.change_joint(JointId(step.joint), |def| def.coordinates = Some(coordinates));
        }
        if open > OPEN {
            let place = self.places.joints.first().copied().unwrap_or_default();
            log.note(place, "bodies do not stand where their joints hold them: they are put there");
        }
        self.checked(log)
    }

    fn checked(&self, log: &mut Log) -> Option<Model> {
        let error = match self.builder.finalize() {
            Ok(model) => return Some(model),
            Err(error) => error,
        };
        for fault in error.faults {
            let places = match fault.entity {
                Entity::Body => &self.places.bodies,
                Entity::Shape => &self.places.shapes,
                _ => &self.places.joints,
            };
            let place = places.get(fault.index).copied().unwrap_or_default();
            let message = format!("{} `{}`, {}: {}", fault.entity, fault.name, fault.field, fault.problem);
            log.fault(place, message, fault.remedy);
        }
        None
    }
}

fn id(body: Option<usize>) -> BodyId {
    body.map_or(BodyId::WORLD, |body| BodyId(body as u32))
}

/// Pairs of groups, smaller first, of which one does not meet the other.
fn refused_groups(scene: &Scene<'_>) -> BTreeSet<(usize, usize)> {
    let mut refused = BTreeSet::new();
    for (index, group) in scene.groups.iter().enumerate() {
        let named = group.spec.targets("physics:filteredGroups");
        let inverted = group.spec.properties.get("physics:invertFilteredGroups");
        let inverted = inverted.and_then(|field| field.value()?.numbers()).is_some_and(|numbers| numbers == [1.0]);
        for (other, far) in scene.groups.iter().enumerate() {
            if named.contains(&far.path.as_str()) != inverted {
                refused.insert((index.min(other), index.max(other)));
            }
        }
    }
    refused
}

/// How the file's coordinates are those of a joint.
fn coordinates(def: &JointDef, sign: f64) -> Vec<Coordinate> {
    match def.kind {
        JointKind::Ball => vec![Coordinate::Ball],
        _ => {
            let free = Axis::ALL.into_iter().filter(|axis| def.axis[*axis as usize] == AxisMode::Free);
            free.map(|axis| Coordinate::Axis { axis, sign, reference: 0.0 }).collect()
        }
    }
}
