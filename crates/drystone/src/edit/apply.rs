//! Going on with an edited scene.

use std::sync::Arc;

use drystone_model::{BodyKind, DVec3, Model, ModelMap, Twist};
use drystone_solve::Refusal;

use crate::ids::Ids;
use crate::query::QueryCache;
use crate::simulation::{Simulation, copy_state};

/// An edit that has passed all checks of the model.
pub(crate) struct Edit {
    /// The model it leads to, with what is now as its initial state.
    pub model: Model,
    pub ids: Ids,
    pub map: ModelMap,
}

impl Simulation {
    /// The model with what is now as its initial state: poses, velocities, angles, drive targets and switches.
    pub(crate) fn model_now(&self) -> Model {
        let mut model = Model::clone(&self.model);
        model.body_q.clone_from(&self.state.body_q);
        model.body_qd.clone_from(&self.state.body_qd);
        model.particle_q.clone_from(&self.state.particle_q);
        model.particle_qd.clone_from(&self.state.particle_qd);
        model.joint_angle.clone_from(&self.state.joint_angle);
        model.joint_enabled.clone_from(&self.control.joint_enabled);
        for (joint, drives) in model.joint_drive.iter_mut().enumerate() {
            for (axis, drive) in drives.iter_mut().enumerate() {
                drive.target = self.control.joint_target[joint][axis];
                drive.target_velocity = self.control.joint_target_velocity[joint][axis];
            }
        }
        model
    }

    /// Makes the edited scene the one that is simulated. Refused, nothing has changed.
    pub(crate) fn apply_edit(&mut self, edit: Edit) -> Result<(), Refusal> {
        let Edit { mut model, ids, mut map } = edit;
        let (collide, point) = self.collide.edited(&model, &map);
        map.point = point;
        let solver = self.solver.edited(&model, &map)?;
        self.keep_told();
        self.carry_state(&model, &map);
        self.keep_beginnings(&mut model, &map);
        self.forces.edited(&map);
        self.base.get_or_insert_with(|| std::mem::take(&mut self.model));
        (self.model, self.ids, self.solver, self.collide) = (Arc::new(model), ids, solver, collide);
        self.query = QueryCache::default();
        self.name_for_hook();
        copy_state(&mut self.before, &self.state);
        self.told.edited(&map, &self.ids);
        Ok(())
    }

    /// State and control of what stayed, in the order of now.
    fn carry_state(&mut self, model: &Model, map: &ModelMap) {
        let mut state = model.state();
        (state.time, state.step_count) = (self.state.time, self.state.step_count);
        map.joint.carry_over(&self.state.joint_intact, &mut state.joint_intact);
        map.body.carry_over(&self.state.body_quarantined, &mut state.body_quarantined);
        if !self.state.body_affine.is_empty() {
            state.body_affine = state.body_q.iter().map(crate::recording::affine_rows).collect();
            map.body.carry_over(&self.state.body_affine, &mut state.body_affine);
        }
        let mut control = model.control();
        map.body.carry_over(&self.control.body_f, &mut control.body_f);
        map.body.carry_over(&self.control.body_target, &mut control.body_target);
        map.joint.carry_over(&self.control.joint_f, &mut control.joint_f);
        map.particle.carry_over(&self.control.particle_f, &mut control.particle_f);
        map.particle.carry_over(&self.control.particle_target, &mut control.particle_target);
        // Worlds stay in their order; those that came have their own wind.
        for (now, &wind) in control.world_wind.iter_mut().zip(&self.control.world_wind) {
            *now = wind;
        }
        for (body, &kind) in model.body_kind.iter().enumerate() {
            if kind != BodyKind::Kinematic {
                control.body_target[body] = None;
            }
            if kind != BodyKind::Dynamic {
                control.body_f[body] = (DVec3::ZERO, DVec3::ZERO);
            }
        }
        (self.state, self.control) = (state, control);
    }

    /// What stayed keeps its beginning, for a reset of its world.
    fn keep_beginnings(&self, model: &mut Model, map: &ModelMap) {
        map.body.carry_over(&self.model.body_q, &mut model.body_q);
        map.body.carry_over(&self.model.body_qd, &mut model.body_qd);
        for (twist, kind) in model.body_qd.iter_mut().zip(&model.body_kind) {
            if *kind == BodyKind::Static {
                *twist = Twist::default();
            }
        }
        map.particle.carry_over(&self.model.particle_q, &mut model.particle_q);
        map.particle.carry_over(&self.model.particle_qd, &mut model.particle_qd);
        map.joint.carry_over(&self.model.joint_angle, &mut model.joint_angle);
        for joint in 0..model.joint_count() {
            if let Some(before) = map.loaded_joint(joint) {
                model.joint_drive[joint] = self.model.joint_drive[before];
                model.joint_enabled[joint] = self.model.joint_enabled[before];
            }
        }
    }
}
