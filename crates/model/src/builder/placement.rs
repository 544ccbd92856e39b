//! Initial poses and velocities from initial joint coordinates and rates.

use super::{JointDef, ModelBuilder};
use crate::error::{Entity, Faults};
use crate::joint::AxisMode;
use crate::model::{Model, WORLD};
use crate::state::State;

impl ModelBuilder {
    /// Places the bodies beyond every joint that has initial coordinates, and sets moving those
    /// beyond every joint that has initial rates; what hangs from them goes along rigidly. Sets
    /// `Model::joint_angle`. The model has passed its checks.
    pub(super) fn place_by_joints(&self, model: &mut Model, faults: &mut Faults) {
        model.joint_angle = self.joints.iter().map(|record| record.angle).collect();
        let mut state = model.state();
        self.check_initial(model, faults);
        if faults.is_empty() {
            self.place_moved(model, &mut state);
            self.set_moved_moving(model, &mut state);
        }
        for (joint, record) in self.joints.iter().enumerate() {
            if let Some([.., x, y, z]) = record.def.coordinates {
                // Without negative zeros, which would not come back from poses.
                state.joint_angle[joint] = [x, y, z].map(|angle| angle + 0.0);
            }
        }
        model.update_joint_angles(&mut state);
        model.joint_angle = state.joint_angle;
        model.body_q = state.body_q;
        model.body_qd = state.body_qd;
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

    fn set_moved_moving(&self, model: &Model, state: &mut State) {
        let mut moving = vec![false; model.body_count()];
        for step in model.joint_tree().order {
            let joint = step.joint as usize;
            let given = self.joints[joint].def.rates;
            if given.is_some() || (step.from != WORLD && moving[step.from as usize]) {
                let coordinates = model.joint_coordinates(state, joint);
                model.set_moving(&step, &coordinates, &given.unwrap_or([0.0; 6]), state);
                moving[step.to as usize] = true;
            }
        }
    }

    fn check_initial(&self, model: &Model, faults: &mut Faults) {
        let mut places = vec![false; model.joint_count()];
        model.joint_tree().order.iter().for_each(|step| places[step.joint as usize] = true);
        for (joint, record) in self.joints.iter().enumerate() {
            faults.about(Entity::Joint, joint, &model.joint_name[joint]);
            let def = &record.def;
            for (field, values) in [("coordinates", def.coordinates), ("rates", def.rates)] {
                if let Some(values) = values {
                    check_values(def, field, &values, places[joint], faults);
                }
            }
        }
    }
}

fn check_values(def: &JointDef, field: &'static str, values: &[f64; 6], places: bool, faults: &mut Faults) {
    if !values.iter().all(|value| value.is_finite()) {
        faults.add(field, "an initial value is not finite", "give metres, radians and seconds");
    }
    if (0..6).any(|axis| def.axis[axis] == AxisMode::Locked && values[axis] != 0.0) {
        faults.add(field, "a locked axis has an initial value", "give zero, or free the axis");
    }
    if !places {
        let problem = "the joint closes a loop or holds bodies that do not move, so it places no body";
        faults.add(field, problem, "leave it out; it follows from the other joints");
    }
}
