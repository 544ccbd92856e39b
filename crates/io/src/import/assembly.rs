//! Parts in a tree to the bodies of a model: what is welded to another is fused with it.

use std::collections::BTreeMap;

use drystone_model::{
    Axis, BodyDef, BodyId, BodyKind, Drag, Entity, Follow, JointDef, JointId, JointKind, MassProperties, Model,
    ModelBuilder, Pose, ShapeDef, ShapeId,
};

use super::fault::{Log, Place};
use super::robot::{Coordinate, Frame, RobotJoint};

/// How a part moves against its parent.
#[derive(Clone, Debug)]
pub(super) enum Motion {
    /// Not at all.
    Welded,
    /// By a joint at a pose in the part's own frame; names, coordinates and limits of the joints of the file.
    Jointed { def: Box<JointDef>, at: Pose, coordinates: Vec<RobotJoint> },
    /// Freely: the joint's name.
    Free(String),
    /// By the user.
    Kinematic,
}

/// A link or a body of the file.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) place: Place,
    /// What it hangs from; the world if none. Parents come first.
    pub(super) parent: Option<usize>,
    /// Pose in the frame of the parent, where all coordinates of the model are zero.
    pub(super) pose: Pose,
    pub(super) motion: Motion,
    /// Mass in the frame of the part.
    pub(super) mass: MassProperties,
    /// Share of gravity that pulls it.
    pub(super) gravity_scale: f64,
    /// What resists its motion, in the frame of the part.
    pub(super) drag: Vec<Drag>,
    pub(super) shapes: Vec<(ShapeDef, Place)>,
    /// Named places in the frame of the part.
    pub(super) frames: Vec<(String, Pose)>,
}

/// Where parts went.
pub(super) struct Assembly {
    pub(super) builder: ModelBuilder,
    /// The body of every part and the pose of the part in it.
    pub(super) owner: Vec<(BodyId, Pose)>,
    /// Where every part is at the start.
    pub(super) pose: Vec<Pose>,
    /// The shapes of every part.
    pub(super) shapes: Vec<Vec<ShapeId>>,
    pub(super) frames: Vec<Frame>,
    pub(super) joints: Vec<RobotJoint>,
    /// The joint of every part that has one.
    pub(super) joint_of: Vec<Option<JointId>>,
    bodies_at: Vec<Place>,
    shapes_at: Vec<Place>,
    pub(super) joints_at: Vec<Place>,
}

/// Puts the parts together. Bodies without mass are refused by the model, at their places.
pub(super) fn assemble(parts: &[Part], log: &mut Log) -> Assembly {
    let mut assembly = Assembly {
        builder: drystone::new_model(),
        owner: Vec::new(),
        pose: Vec::new(),
        shapes: vec![Vec::new(); parts.len()],
        frames: Vec::new(),
        joints: Vec::new(),
        joint_of: vec![None; parts.len()],
        bodies_at: Vec::new(),
        shapes_at: Vec::new(),
        joints_at: Vec::new(),
    };
    let bodies = assembly.place_parts(parts);
    let masses = assembly.masses(parts, bodies.len());
    assembly.check_gravity(parts, log);
    for (body, &part) in bodies.iter().enumerate() {
        let drag = assembly.drag(parts, BodyId(body as u32));
        assembly.add_body(&parts[part], part, masses[body], drag);
    }
    for (index, part) in parts.iter().enumerate() {
        assembly.add_belongings(part, index);
    }
    for &part in &bodies {
        assembly.add_joint(&parts[part], part);
    }
    assembly
}

impl Assembly {
    /// Finds the body of every part; returns the part each body begins with.
    fn place_parts(&mut self, parts: &[Part]) -> Vec<usize> {
        let mut bodies = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let (body, offset) = part.parent.map_or((BodyId::WORLD, Pose::IDENTITY), |parent| self.owner[parent]);
            let above = part.parent.map_or(Pose::IDENTITY, |parent| self.pose[parent]);
            self.pose.push(above * part.pose);
            self.owner.push(match part.motion {
                Motion::Welded => (body, offset * part.pose),
                _ => {
                    bodies.push(index);
                    (BodyId(bodies.len() as u32 - 1), Pose::IDENTITY)
                }
            });
        }
        bodies
    }

    fn masses(&self, parts: &[Part], count: usize) -> Vec<MassProperties> {
        let mut masses = vec![MassProperties::ZERO; count];
        for (part, (body, pose)) in parts.iter().zip(&self.owner) {
            if let Some(mass) = masses.get_mut(body.built_index()).filter(|_| part.mass.mass > 0.0) {
                *mass = *mass + part.mass.transformed(pose);
            }
        }
        masses
    }

    /// What resists the motion of a body: what resists that of its parts.
    fn drag(&self, parts: &[Part], body: BodyId) -> Vec<Drag> {
        let own = parts.iter().zip(&self.owner).filter(|(_, (owner, _))| *owner == body);
        own.flat_map(|(part, (_, offset))| {
            part.drag.iter().map(move |drag| Drag { pose: *offset * drag.pose, ..*drag })
        })
        .collect()
    }

    /// Gravity pulls at the centre of mass of a whole body: parts fused into one must want the same share of it.
    fn check_gravity(&self, parts: &[Part], log: &mut Log) {
        let mut shares: BTreeMap<BodyId, f64> = BTreeMap::new();
        for (part, (body, _)) in parts.iter().zip(&self.owner) {
            if part.mass.mass > 0.0 && !body.is_world() {
                let share = *shares.entry(*body).or_insert(part.gravity_scale);
                if share != part.gravity_scale {
                    let message = format!("`{}` is welded to a body with another share of gravity", part.name);
                    log.fault(part.place, message, "give all parts of a body the same `gravcomp`");
                }
            }
        }
    }

    fn add_body(&mut self, part: &Part, index: usize, mass: MassProperties, drag: Vec<Drag>) {
        let mut def = match part.motion {
            Motion::Kinematic => BodyDef::kinematic(&part.name),
            _ => BodyDef::dynamic(&part.name),
        };
        if def.kind == BodyKind::Dynamic {
            def = def.mass_properties(mass).gravity_scale(part.gravity_scale);
            def.drag = drag;
        }
        self.builder.add_body(def.pose(self.pose[index]));
        self.bodies_at.push(part.place);
    }

    fn add_belongings(&mut self, part: &Part, index: usize) {
        let (body, offset) = self.owner[index];
        for (shape, place) in &part.shapes {
            let mut shape = shape.clone();
            shape.pose = offset * shape.pose;
            let id = self.builder.add_shape(body, shape);
            self.shapes[index].push(id);
            self.shapes_at.push(*place);
        }
        if matches!(part.motion, Motion::Welded) && !part.name.is_empty() {
            self.frames.push(Frame { name: part.name.clone(), body, pose: offset });
        }
        for (name, pose) in &part.frames {
            self.frames.push(Frame { name: name.clone(), body, pose: offset * *pose });
        }
    }

    fn add_joint(&mut self, part: &Part, index: usize) {
        let (child, _) = self.owner[index];
        let (parent, offset) = part.parent.map_or((BodyId::WORLD, Pose::IDENTITY), |parent| self.owner[parent]);
        match &part.motion {
            Motion::Welded | Motion::Kinematic => {}
            Motion::Free(name) => {
                let joint = self.attach(JointDef::new(JointKind::Free, BodyId::WORLD, child).named(name), part.place);
                let coordinate = Coordinate::Free;
                self.joint_of[index] = Some(joint);
                self.joints.push(RobotJoint { name: name.clone(), joint, coordinate, effort: None, velocity: None });
            }
            Motion::Jointed { def, at, coordinates } => {
                let mut def = def.as_ref().clone();
                (def.parent, def.child) = (parent, child);
                let joint = self.attach(def.frames(offset * part.pose * *at, *at), part.place);
                self.joint_of[index] = Some(joint);
                self.joints.extend(coordinates.iter().map(|own| RobotJoint { joint, ..own.clone() }));
            }
        }
    }

    /// Lets an axis follow another, and start where it belongs while the other is where it starts.
    pub(super) fn follow(&mut self, joint: JointId, axis: Axis, follow: Follow) {
        self.builder.change_joint(joint, |def| def.follow[axis as usize] = Some(follow));
    }

    /// Starts every axis that follows another where that asks for.
    pub(super) fn start_followers(&mut self) {
        let count = self.builder.joint_count();
        let mut start = vec![[0.0; 6]; count];
        // One that follows a follower is right after as many rounds as there are between it and what leads.
        for _ in 0..count {
            let before = start.clone();
            for (joint, own) in start.iter_mut().enumerate() {
                let Some(def) = self.builder.joint_def(JointId(joint as u32)) else { continue };
                for (value, follow) in own.iter_mut().zip(&def.follow) {
                    // What follows by a spring starts where the file draws it.
                    if let Some(Follow { joint, axis, ratio, offset, play: [below, above], .. }) =
                        follow.filter(|follow| !follow.is_soft())
                    {
                        let middle = ratio * before[joint.built_index()][axis as usize] + offset;
                        // With play it stays where the file draws it, as far as it may.
                        *value = 0f64.max(middle + below).min(middle + above);
                    }
                }
            }
            if start == before {
                break;
            }
        }
        for (joint, values) in start.into_iter().enumerate().filter(|(_, values)| *values != [0.0; 6]) {
            self.builder.change_joint(JointId(joint as u32), |def| def.coordinates = Some(values));
        }
    }

    /// Adds a joint written at a place.
    pub(super) fn attach(&mut self, def: JointDef, place: Place) -> JointId {
        self.joints_at.push(place);
        self.builder.add_joint(def)
    }

    /// The model, or every fault where it was written.
    pub(super) fn finalize(&self, log: &mut Log) -> Option<Model> {
        let error = match self.builder.finalize() {
            Ok(model) => return Some(model),
            Err(error) => error,
        };
        for fault in error.faults {
            let places = match fault.entity {
                Entity::Body => &self.bodies_at,
                Entity::Shape => &self.shapes_at,
                _ => &self.joints_at,
            };
            let place = places.get(fault.index).copied().unwrap_or_default();
            let message = format!("{} `{}`, {}: {}", fault.entity, fault.name, fault.field, fault.problem);
            log.fault(place, message, fault.remedy);
        }
        None
    }
}
