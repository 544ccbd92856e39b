//! From a model back to definitions, so that a scene can be edited.

use std::collections::BTreeSet;

use drystone_geometry::MassProperties;

use super::bodies::{BodyDef, BodyRecord, MassSource};
use super::joints::{JointDef, JointFrames, JointRecord};
use super::shapes::{ShapeDef, ShapeRecord};
use super::{AttributeTarget, ModelBuilder};
use crate::error::Entity;
use crate::id::{BodyId, JointId, ShapeId};
use crate::model::Model;

impl ModelBuilder {
    /// An empty builder filled with the definitions of a model: finalized as it is, it gives the same model. Masses are
    /// those the model has, whatever they came from; a shape that is added later changes none.
    ///
    /// Attributes of new entities are what the builder declares for them, or zero.
    ///
    /// ```
    /// use drystone_model::{BodyDef, DVec3, ModelBuilder};
    /// let mut scene = ModelBuilder::new();
    /// scene.ground();
    /// scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z).sphere(0.5));
    /// let model = scene.finalize()?;
    /// let mut more = ModelBuilder::new().reopen(&model);
    /// assert_eq!(more.finalize()?, model);
    /// more.add_body(BodyDef::dynamic("second").at(DVec3::Z * 3.0).sphere(0.5));
    /// assert_eq!(more.finalize()?.body_count(), 2);
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn reopen(mut self, model: &Model) -> Self {
        self.world_gravity.clone_from(&model.world_gravity);
        self.world_wind.clone_from(&model.world_wind);
        self.world_wind.resize(model.world_count(), Default::default());
        self.world_begun = true;
        self.bodies = (0..model.body_count()).map(|body| body_record(model, body)).collect();
        self.shapes = (0..model.shape_count()).map(|shape| shape_record(model, shape)).collect();
        for (shape, &body) in model.shape_body.iter().enumerate() {
            if let Some(wearer) = self.bodies.get_mut(body as usize) {
                wearer.shapes.push(ShapeId(shape as u32));
            }
        }
        self.joints = (0..model.joint_count()).map(|joint| joint_record(model, joint)).collect();
        self.reopen_filters(model);
        self.reopen_attributes(model);
        self.deformable = elements(model);
        self
    }

    /// Pairs that a joint keeps apart are its own; the others were asked for.
    fn reopen_filters(&mut self, model: &Model) {
        let mut of_joints = BTreeSet::new();
        for joint in 0..self.joints.len() {
            let JointDef { parent, child, .. } = self.joints[joint].def;
            let pairs = if parent == child { Vec::new() } else { self.shape_pairs(parent, child) };
            let apart = |pair| model.shape_filter.binary_search(pair).is_ok();
            let collide = !pairs.iter().all(apart);
            self.joints[joint].def.collide = collide;
            if !collide {
                of_joints.extend(pairs);
            }
        }
        self.filters = model.shape_filter.iter().filter(|pair| !of_joints.contains(*pair)).copied().collect();
    }

    fn reopen_attributes(&mut self, model: &Model) {
        let Self { attributes, .. } = self;
        let maps = [
            (Entity::Body, &model.attributes.body),
            (Entity::Shape, &model.attributes.shape),
            (Entity::Joint, &model.attributes.joint),
        ];
        for (entity, name, values) in
            maps.iter().flat_map(|(entity, map)| map.iter().map(|(name, values)| (*entity, name, values)))
        {
            let key = (entity, name.clone());
            if !attributes.declared.contains_key(&key) {
                attributes.scene_default.insert(key, 0.0);
            }
            for (index, &value) in values.iter().enumerate() {
                let index = index as u32;
                let target = match entity {
                    Entity::Body => AttributeTarget::Body(BodyId(index)),
                    Entity::Shape => AttributeTarget::Shape(ShapeId(index)),
                    _ => AttributeTarget::Joint(JointId(index)),
                };
                attributes.set.push((name.clone(), target, value));
            }
        }
    }
}

fn body_record(model: &Model, body: usize) -> BodyRecord {
    let (mass, com, inertia) = (model.body_mass[body], model.body_com[body], model.body_inertia[body]);
    // Every field by name, here and below: one that is added later must not be lost in an edit.
    let def = BodyDef {
        name: model.body_name[body].clone(),
        kind: model.body_kind[body],
        pose: model.body_q[body],
        velocity: model.body_qd[body],
        mass: MassSource::Given(MassProperties { mass, com, inertia }),
        damping: model.body_damping.get(body).copied().unwrap_or_default(),
        gravity_scale: model.body_gravity_scale.get(body).copied().unwrap_or(1.0),
        drag: model.body_drag.get(body).cloned().unwrap_or_default(),
        shapes: Vec::new(),
        // The joint that locks them is in the model.
        locked: [false; 6],
    };
    BodyRecord { def, world: model.body_world[body], shapes: Vec::new() }
}

fn shape_record(model: &Model, shape: usize) -> ShapeRecord {
    let def = ShapeDef {
        name: model.shape_name[shape].clone(),
        geometry: model.shape_geometry[shape].clone(),
        pose: model.shape_pose[shape],
        material: model.shape_material[shape],
        margin: model.shape_margin[shape],
        group: model.shape_group[shape],
        mask: model.shape_mask[shape],
        sensor: model.shape_sensor[shape],
        surface_velocity: model.shape_surface_velocity[shape],
    };
    ShapeRecord { def, body: BodyId(model.shape_body[shape]), world: model.shape_world[shape] }
}

fn joint_record(model: &Model, joint: usize) -> JointRecord {
    let ends = [model.joint_parent[joint], model.joint_child[joint]].map(BodyId);
    let (frame_parent, frame_child) = (model.joint_frame_parent[joint], model.joint_frame_child[joint]);
    let def = JointDef {
        name: model.joint_name[joint].clone(),
        kind: model.joint_kind[joint],
        parent: ends[0],
        child: ends[1],
        frames: JointFrames::Local(frame_parent, frame_child),
        axis: model.joint_axis[joint],
        limit: model.joint_limit[joint],
        drive: model.joint_drive[joint],
        spring: model.joint_spring[joint],
        follow: model.joint_follow[joint],
        friction: model.joint_friction[joint],
        armature: model.joint_armature[joint],
        max_rate: model.joint_max_rate[joint],
        stiffness: model.joint_stiffness[joint],
        damping: model.joint_damping[joint],
        break_at: model.joint_break[joint],
        distance: model.joint_distance[joint],
        rod: model.joint_rod[joint],
        enabled: model.joint_enabled[joint],
        // Set by what is filtered.
        collide: true,
        // Bodies are where they are.
        coordinates: None,
        rates: None,
    };
    JointRecord { def, frame_parent, frame_child, angle: model.joint_angle[joint] }
}

/// The particles and elements of a model alone.
fn elements(model: &Model) -> Model {
    Model {
        particle_world: model.particle_world.clone(),
        particle_q: model.particle_q.clone(),
        particle_qd: model.particle_qd.clone(),
        particle_mass: model.particle_mass.clone(),
        particle_radius: model.particle_radius.clone(),
        particle_friction: model.particle_friction.clone(),
        particle_group: model.particle_group.clone(),
        particle_mask: model.particle_mask.clone(),
        particle_filter: model.particle_filter.clone(),
        spring_particle: model.spring_particle.clone(),
        spring_length: model.spring_length.clone(),
        spring_stiffness: model.spring_stiffness.clone(),
        spring_damping: model.spring_damping.clone(),
        triangle_particle: model.triangle_particle.clone(),
        triangle_rest: model.triangle_rest.clone(),
        triangle_area: model.triangle_area.clone(),
        triangle_material: model.triangle_material.clone(),
        triangle_air: model.triangle_air.clone(),
        edge_particle: model.edge_particle.clone(),
        edge_angle: model.edge_angle.clone(),
        edge_length: model.edge_length.clone(),
        edge_material: model.edge_material.clone(),
        tet_particle: model.tet_particle.clone(),
        tet_rest: model.tet_rest.clone(),
        tet_material: model.tet_material.clone(),
        attachment_particle: model.attachment_particle.clone(),
        attachment_other: model.attachment_other.clone(),
        attachment_body: model.attachment_body.clone(),
        attachment_point: model.attachment_point.clone(),
        attachment_stiffness: model.attachment_stiffness.clone(),
        ..Model::default()
    }
}
