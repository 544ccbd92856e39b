//! Taking bodies out of a simulation when their numbers stop being finite, so that the rest goes on.

use drystone_model::{Control, Pose, State, Twist};
use glamx::{DQuat, DVec3};

/// Bodies not yet quarantined whose pose or velocity, or the force asked for on them, is not finite.
/// These are the sources: taking them out before a step keeps their neighbours clean.
pub(crate) fn find_bad_input(state: &State, control: &Control, found: &mut Vec<u32>) {
    find(state, found, |body| {
        let force_ok = control.body_f.get(body).is_none_or(|(force, torque)| force.is_finite() && torque.is_finite());
        let target_ok = control.body_target.get(body).is_none_or(|target| target.is_none_or(|q| pose_is_finite(&q)));
        force_ok && target_ok && body_is_finite(state, body)
    });
}

/// Bodies not yet quarantined whose pose or velocity is not finite.
pub(crate) fn find_bad_state(state: &State, found: &mut Vec<u32>) {
    find(state, found, |body| body_is_finite(state, body));
}

fn find(state: &State, found: &mut Vec<u32>, is_good: impl Fn(usize) -> bool) {
    found.clear();
    let out = |body: usize| state.body_quarantined.get(body).copied().unwrap_or(false);
    found.extend((0..state.body_q.len()).filter(|&body| !out(body) && !is_good(body)).map(|body| body as u32));
}

fn body_is_finite(state: &State, body: usize) -> bool {
    let Twist { linear, angular } = state.body_qd[body];
    pose_is_finite(&state.body_q[body]) & is_finite(linear) & is_finite(angular)
}

fn pose_is_finite(pose: &Pose) -> bool {
    is_finite(pose.translation) & (pose.rotation * 0.0 == DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0))
}

/// Nothing times a number is nothing, unless it is none: three products are quicker than three comparisons.
fn is_finite(v: DVec3) -> bool {
    v * 0.0 == DVec3::ZERO
}

/// Flags a body and stops it. The pose stays if it is finite and otherwise goes back to `last`, the
/// most recent finite one.
pub(crate) fn freeze(state: &mut State, control: &mut Control, body: u32, last: &Pose) {
    let body = body as usize;
    state.body_quarantined[body] = true;
    if !pose_is_finite(&state.body_q[body]) {
        state.body_q[body] = *last;
    }
    state.body_qd[body] = Twist::default();
    if let Some(force) = control.body_f.get_mut(body) {
        *force = (DVec3::ZERO, DVec3::ZERO);
    }
    if let Some(target) = control.body_target.get_mut(body) {
        *target = None;
    }
}

/// Holds every quarantined body where it was before the step, whatever the solver did with it.
pub(crate) fn hold(state: &mut State, before: &State) {
    for body in 0..state.body_q.len() {
        if before.body_quarantined[body] {
            state.body_q[body] = before.body_q[body];
            state.body_qd[body] = Twist::default();
            state.body_quarantined[body] = true;
        }
    }
}
