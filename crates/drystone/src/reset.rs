//! Putting one world of many back to its start.

use drystone_model::{Control, Model, State, WORLD};

/// Puts bodies, particles, joints and standing requests of a world back to what the model says.
/// Other worlds and the time stay as they are.
pub(crate) fn reset_world(model: &Model, state: &mut State, control: &mut Control, world: u32) {
    let fresh = model.state();
    let asked = model.control();
    for body in (0..model.body_count()).filter(|&body| model.body_world[body] == world) {
        state.body_q[body] = fresh.body_q[body];
        state.body_qd[body] = fresh.body_qd[body];
        state.body_quarantined[body] = false;
        control.body_f[body] = asked.body_f[body];
        control.body_target[body] = asked.body_target[body];
    }
    for particle in (0..model.particle_count()).filter(|&particle| model.particle_world[particle] == world) {
        state.particle_q[particle] = fresh.particle_q[particle];
        state.particle_qd[particle] = fresh.particle_qd[particle];
        control.particle_f[particle] = asked.particle_f[particle];
    }
    for joint in (0..model.joint_count()).filter(|&joint| joint_world(model, joint) == world) {
        state.joint_angle[joint] = fresh.joint_angle[joint];
        state.joint_intact[joint] = fresh.joint_intact[joint];
        control.joint_f[joint] = asked.joint_f[joint];
        control.joint_target[joint] = asked.joint_target[joint];
        control.joint_target_velocity[joint] = asked.joint_target_velocity[joint];
        control.joint_enabled[joint] = asked.joint_enabled[joint];
    }
}

fn joint_world(model: &Model, joint: usize) -> u32 {
    let child = model.joint_child[joint];
    let body = if child == WORLD { model.joint_parent[joint] } else { child };
    model.body_world.get(body as usize).copied().unwrap_or(WORLD)
}
