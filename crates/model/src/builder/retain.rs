//! Changing and removing what was added before.

use super::{AttributeTarget, BodyDef, JointDef, JointFrames, ModelBuilder, ShapeDef};
use crate::id::{BodyId, JointId, ShapeId, WorldId};
use crate::joint::Follow;
use crate::map::IndexMap;
use drystone_geometry::DVec3;

impl ModelBuilder {
    /// Number of bodies added so far.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Number of shapes added so far.
    pub fn shape_count(&self) -> usize {
        self.shapes.len()
    }

    /// Number of joints added so far.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// Number of worlds.
    pub fn world_count(&self) -> usize {
        self.world_gravity.len()
    }

    /// What a body was added as, to be changed; its shapes are apart, see [`ModelBuilder::body_shapes`].
    pub fn body_mut(&mut self, body: BodyId) -> Option<&mut BodyDef> {
        self.bodies.get_mut(body.built_index()).map(|record| &mut record.def)
    }

    /// What a shape was added as, to be changed.
    pub fn shape_mut(&mut self, shape: ShapeId) -> Option<&mut ShapeDef> {
        self.shapes.get_mut(shape.built_index()).map(|record| &mut record.def)
    }

    /// The body that wears a shape, or the world.
    pub fn shape_body(&self, shape: ShapeId) -> Option<BodyId> {
        self.shapes.get(shape.built_index()).map(|record| record.body)
    }

    /// What a joint was added as.
    pub fn joint_def(&self, joint: JointId) -> Option<&JointDef> {
        self.joints.get(joint.built_index()).map(|record| &record.def)
    }

    /// Changes a joint; frames that are given in world coordinates are fixed to the bodies where these are now. Returns
    /// whether there is such a joint.
    pub fn change_joint(&mut self, joint: JointId, change: impl FnOnce(&mut JointDef)) -> bool {
        let Some(record) = self.joints.get(joint.built_index()) else { return false };
        let mut def = record.def.clone();
        def.frames = JointFrames::Local(record.frame_parent, record.frame_child);
        change(&mut def);
        let record = self.joint_record(def);
        let angle = self.joints[joint.built_index()].angle;
        self.joints[joint.built_index()] = super::joints::JointRecord { angle, ..record };
        true
    }

    /// The world that what is added next lives in.
    pub fn enter_world(&mut self, world: WorldId) {
        if world.built_index() < self.world_gravity.len() {
            self.world = world.0;
        }
    }

    /// Gravity of a world, to be changed \[m/s²\].
    pub fn gravity_mut(&mut self, world: WorldId) -> Option<&mut DVec3> {
        self.world_gravity.get_mut(world.built_index())
    }

    /// Lets two shapes collide that were kept apart by name. Returns whether they were.
    pub fn unfilter_shapes(&mut self, a: ShapeId, b: ShapeId) -> bool {
        let pair = (a.0.min(b.0), a.0.max(b.0));
        let count = self.filters.len();
        self.filters.retain(|&other| other != pair);
        self.filters.len() < count
    }

    /// Drops what is not kept; what stays keeps its order and moves up. Shapes and joints of bodies that go must go too.
    pub fn retain(&mut self, bodies: &[bool], shapes: &[bool], joints: &[bool]) {
        let [body, shape, joint] = [bodies, shapes, joints].map(|kept| IndexMap::new(kept, 0));
        let moved_body = |id: BodyId| match body.now(id.built_index()) {
            Some(now) => BodyId(now as u32),
            None => id,
        };
        keep(&mut self.bodies, bodies);
        keep(&mut self.shapes, shapes);
        keep(&mut self.joints, joints);
        for record in &mut self.bodies {
            let worn = record.shapes.iter().filter_map(|worn| shape.now(worn.built_index()));
            record.shapes = worn.map(|now| ShapeId(now as u32)).collect();
        }
        self.shapes.iter_mut().for_each(|record| record.body = moved_body(record.body));
        for record in &mut self.joints {
            (record.def.parent, record.def.child) = (moved_body(record.def.parent), moved_body(record.def.child));
            // What followed a joint that goes moves by itself.
            for slot in &mut record.def.follow {
                *slot = slot.and_then(|follow| {
                    let now = joint.now(follow.joint.built_index())?;
                    Some(Follow { joint: JointId(now as u32), ..follow })
                });
            }
        }
        self.retain_attached_bodies(&body);
        let moved_pair = |&(a, b): &(u32, u32)| Some((shape.now(a as usize)? as u32, shape.now(b as usize)? as u32));
        self.filters = self.filters.iter().filter_map(moved_pair).collect();
        let moved = |target: AttributeTarget| {
            Some(match target {
                AttributeTarget::Body(id) => AttributeTarget::Body(BodyId(body.now(id.built_index())? as u32)),
                AttributeTarget::Shape(id) => AttributeTarget::Shape(ShapeId(shape.now(id.built_index())? as u32)),
                AttributeTarget::Joint(id) => AttributeTarget::Joint(JointId(joint.now(id.built_index())? as u32)),
            })
        };
        let set = std::mem::take(&mut self.attributes.set).into_iter();
        self.attributes.set = set.filter_map(|(name, target, value)| Some((name, moved(target)?, value))).collect();
    }
}

/// Drops what is not kept.
pub(super) fn keep<T>(records: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    records.retain(|_| kept.next().copied().unwrap_or(true));
}
