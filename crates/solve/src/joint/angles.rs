//! Angles of the joints after a step.

use drystone_model::{Model, State};

use crate::parallel;

/// As [`Model::update_joint_angles`], on all threads.
pub fn update_angles(model: &Model, state: &mut State) {
    let State { body_q, joint_angle, .. } = state;
    parallel::each(joint_angle, |joint, angle| *angle = model.next_joint_angle(body_q, joint, *angle));
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_model::{BodyDef, BodyId, DQuat, DVec3, JointDef, ModelBuilder};

    #[test]
    fn joint_by_joint_or_all_at_once_is_the_same() {
        let mut scene = ModelBuilder::new();
        for k in 0..700 {
            let at = DVec3::new(f64::from(k), 0.0, 0.0);
            let body = scene.add_body(BodyDef::dynamic(format!("bar {k}")).at(at).cuboid(DVec3::splat(0.1)));
            scene.add_joint(JointDef::revolute(BodyId::WORLD, body, at, DVec3::Z));
        }
        let model = scene.finalize().unwrap();
        let mut one_by_one = model.state();
        for (k, pose) in one_by_one.body_q.iter_mut().enumerate() {
            pose.rotation = DQuat::from_rotation_z(0.004 * k as f64);
        }
        let mut at_once = one_by_one.clone();
        model.update_joint_angles(&mut one_by_one);
        update_angles(&model, &mut at_once);
        assert_eq!(one_by_one.joint_angle, at_once.joint_angle);
        assert!(one_by_one.joint_angle[699].iter().any(|angle| angle.abs() > 2.0));
    }
}
