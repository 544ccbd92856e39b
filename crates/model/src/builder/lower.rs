//! From the builder's records to the arrays of the model.

use super::{ModelBuilder, mass};
use crate::error::{Entity, Faults};
use crate::model::{BodyKind, Model};

/// The given name, or one made of the noun and the index.
fn name_or(name: &str, noun: &str, index: usize) -> String {
    if name.is_empty() { format!("{noun}_{index}") } else { name.to_owned() }
}

impl ModelBuilder {
    pub(super) fn lower(&self, faults: &mut Faults) -> Model {
        let mut model = self.deformable.clone();
        model.world_gravity.clone_from(&self.world_gravity);
        model.world_wind.clone_from(&self.world_wind);
        model.particle_filter.sort_unstable();
        model.particle_filter.dedup();
        self.lower_bodies(&mut model, faults);
        self.lower_shapes(&mut model);
        self.lower_joints(&mut model);
        model.shape_filter = self.lower_filters();
        model.attributes = self.attributes.lower(&model, faults);
        model
    }

    fn lower_bodies(&self, model: &mut Model, faults: &mut Faults) {
        let mut scales = mass::Scales::default();
        for (index, record) in self.bodies.iter().enumerate() {
            let def = &record.def;
            let name = name_or(&def.name, "body", index);
            let shapes = record.shapes.iter().map(|shape| &self.shapes[shape.built_index()].def);
            let mass = scales.body(def, shapes).unwrap_or_else(|reason| {
                // What a dynamic body may not wear, or wears broken, is reported about the shape.
                if def.kind != BodyKind::Dynamic {
                    faults.about(Entity::Body, index, &name);
                    faults.add("mass", reason.to_string(), "give all mass properties, or none");
                }
                mass::PLACEHOLDER
            });
            model.body_name.push(name);
            model.body_kind.push(def.kind);
            model.body_world.push(record.world);
            model.body_mass.push(mass.mass);
            model.body_com.push(mass.com);
            model.body_inertia.push(mass.inertia);
            model.body_q.push(def.pose);
            model.body_qd.push(def.velocity);
            model.body_damping.push(def.damping);
            model.body_gravity_scale.push(def.gravity_scale);
            model.body_drag.push(def.drag.clone());
        }
    }

    fn lower_shapes(&self, model: &mut Model) {
        for (index, record) in self.shapes.iter().enumerate() {
            let def = &record.def;
            model.shape_name.push(name_or(&def.name, "shape", index));
            model.shape_geometry.push(def.geometry.clone());
            model.shape_body.push(record.body.0);
            model.shape_world.push(record.world);
            model.shape_pose.push(def.pose);
            model.shape_material.push(def.material);
            model.shape_margin.push(def.margin);
            model.shape_group.push(def.group);
            model.shape_mask.push(def.mask);
            model.shape_sensor.push(def.sensor);
            model.shape_surface_velocity.push(def.surface_velocity);
        }
    }

    fn lower_joints(&self, model: &mut Model) {
        for (index, record) in self.joints.iter().enumerate() {
            let def = &record.def;
            model.joint_name.push(name_or(&def.name, "joint", index));
            model.joint_kind.push(def.kind);
            model.joint_parent.push(def.parent.0);
            model.joint_child.push(def.child.0);
            model.joint_frame_parent.push(record.frame_parent);
            model.joint_frame_child.push(record.frame_child);
            model.joint_axis.push(def.axis);
            model.joint_limit.push(def.limit);
            model.joint_drive.push(def.drive);
            model.joint_spring.push(def.spring);
            model.joint_follow.push(def.follow);
            model.joint_friction.push(def.friction);
            model.joint_armature.push(def.armature);
            model.joint_max_rate.push(def.max_rate);
            model.joint_stiffness.push(def.stiffness);
            model.joint_damping.push(def.damping);
            model.joint_break.push(def.break_at);
            model.joint_distance.push(def.distance);
            model.joint_rod.push(def.rod);
            model.joint_enabled.push(def.enabled);
        }
    }

    /// Explicit pairs, and those of directly jointed bodies. Joints to the world filter nothing: a
    /// pendulum hung from the world still hits the ground.
    fn lower_filters(&self) -> Vec<(u32, u32)> {
        let mut pairs = self.filters.clone();
        for joint in
            self.joints.iter().map(|record| &record.def).filter(|joint| !joint.collide && joint.parent != joint.child)
        {
            pairs.extend(self.shape_pairs(joint.parent, joint.child));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}
