//! Initial poses from initial joint coordinates.

use super::ModelBuilder;
use crate::error::{Entity, Faults};
use crate::joint::AxisMode;
use crate::model::{Model, WORLD};
use crate::state::State;

impl ModelBuilder {
    /// Places the bodies beyond every joint that has initial coordinates; what hangs from them moves
    /// along rigidly. Sets `Model::joint_angle`. The model has passed its checks.
    pub(super) fn place_by_joints(&self, model: &mut Model, faults: &mut Faults) {
        model.joint_angle = vec![[0.0; 3]; model.joint_count()];
        let mut state = model.state();
        if self.joints.iter().any(|record| record.def.coordinates.is_some()) {
            self.check_initial_coordinates(model, faults);
            self.place_moved(model, &mut state);
            model.body_q.clone_from(&state.body_q);
        }
        for (joint, record) in self.joints.iter().enumerate() {
            if let Some([.., x, y, z]) = record.def.coordinates {
                state.joint_angle[joint] = [x, y, z];
            }
        }
        model.update_joint_angles(&mut state);
        model.joint_angle = state.joint_angle;
    }

    fn place_moved(&self, model: &Model, state: &mut State) {
        let before: Vec<[f64; 6]> = (0..model.joint_count()).map(|j| model.joint_coordinates(state, j)).collect();
        let mut moved = vec![false; model.body_count()];
        for step in model.joint_tree().order {
            let joint = step.joint as usize;
            let given = self.joints[joint].def.coordinates;
            if given.is_some() || (step.from != WORLD && moved[step.from as usize]) {
                model.place(&step, &given.unwrap_or(before[joint]), state);
                moved[step.to as usize] = true;
            }
        }
    }

    fn check_initial_coordinates(&self, model: &Model, faults: &mut Faults) {
        let mut places = vec![false; model.joint_count()];
        model.joint_tree().order.iter().for_each(|step| places[step.joint as usize] = true);
        for (joint, record) in self.joints.iter().enumerate() {
            let Some(coordinates) = record.def.coordinates else { continue };
            faults.about(Entity::Joint, joint, &model.joint_name[joint]);
            if !coordinates.iter().all(|value| value.is_finite()) {
                faults.add("coordinates", "an initial coordinate is not finite", "give metres and radians");
            }
            let locked = |axis: usize| record.def.axis[axis] == AxisMode::Locked;
            if (0..6).any(|axis| locked(axis) && coordinates[axis] != 0.0) {
                faults.add("coordinates", "a locked axis has an initial coordinate", "give zero, or free the axis");
            }
            if !places[joint] {
                let problem = "the joint closes a loop or holds bodies that do not move, so it places no body";
                faults.add("coordinates", problem, "leave its coordinates out; they follow from the other joints");
            }
        }
    }
}
