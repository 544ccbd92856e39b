//! Putting one world of many back to its start.

use drystone_model::{Control, DVec3, Model, State, WORLD};

/// Puts bodies, particles, joints and standing requests of a world back to what the model says, and looks at nothing else.
/// Other worlds and the time stay as they are.
pub(crate) fn reset_world(model: &Model, state: &mut State, control: &mut Control, world: u32) {
    for body in (0..model.body_count()).filter(|&body| model.body_world[body] == world) {
        state.body_q[body] = model.body_q[body];
        state.body_qd[body] = model.body_qd[body];
        state.body_quarantined[body] = false;
        control.body_f[body] = (DVec3::ZERO, DVec3::ZERO);
        control.body_target[body] = None;
    }
    for particle in (0..model.particle_count()).filter(|&particle| model.particle_world[particle] == world) {
        state.particle_q[particle] = model.particle_q[particle];
        state.particle_qd[particle] = model.particle_qd[particle];
        control.particle_f[particle] = DVec3::ZERO;
        control.particle_target[particle] = None;
    }
    if let (Some(now), Some(&wind)) = (control.world_wind.get_mut(world as usize), model.world_wind.get(world as usize))
    {
        *now = wind;
    }
    for joint in (0..model.joint_count()).filter(|&joint| joint_world(model, joint) == world) {
        let drives = &model.joint_drive[joint];
        state.joint_angle[joint] = model.joint_angle[joint];
        state.joint_intact[joint] = true;
        control.joint_f[joint] = [0.0; 6];
        control.joint_target[joint] = drives.each_ref().map(|drive| drive.target);
        control.joint_target_velocity[joint] = drives.each_ref().map(|drive| drive.target_velocity);
        control.joint_enabled[joint] = model.joint_enabled[joint];
    }
}

fn joint_world(model: &Model, joint: usize) -> u32 {
    let child = model.joint_child[joint];
    let body = if child == WORLD { model.joint_parent[joint] } else { child };
    model.body_world.get(body as usize).copied().unwrap_or(WORLD)
}
