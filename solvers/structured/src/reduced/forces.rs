//! What the joints exerted in a step: what the bodies gained that nothing else gave them, summed from the leaves to the roots.

use drystone_model::{Axis, AxisMode, DMat3, DQuat, DVec3, Model};
use drystone_solve::forces::JointWrench;
use drystone_solve::linalg::block6::split;

use super::hung::{Hung, NONE, Turning};
use super::read::Placed;
use super::{Kept, Reduced};

impl Reduced {
    /// Impulses of all joints in the last step \[N·s\], \[N·m·s\]: exact for forces, to second order in the step for torques, whose
    /// levers turn within it. Efforts of the user are not among them.
    pub fn impulses(&self, model: &Model) -> Vec<JointWrench> {
        let mut out = vec![JointWrench::default(); model.joint_count()];
        if self.begun.body_q.is_empty() {
            return out;
        }
        let mut gained: Vec<[DVec3; 2]> = (0..model.body_count()).map(|body| self.gained(model, body)).collect();
        for hung in self.layout.hung.iter().rev().filter(|hung| hung.joint != NONE) {
            let [force, torque] = gained[hung.to as usize];
            let [from, to] = [hung.from, hung.to].map(|body| self.mean_centre(model, body));
            let at_parent = torque + (to - from).cross(force);
            if let Some(from) = gained.get_mut(hung.from as usize) {
                *from = [from[0] + force, from[1] + at_parent];
            }
            let [effort, turning, lever] = self.effort(model, hung);
            let child = [force - effort, torque - turning - lever.cross(effort)];
            let parent = at_parent - turning - (to + lever - from).cross(effort);
            out[hung.joint as usize] = if hung.sign > 0.0 {
                JointWrench { force: child[0], torque: [-parent, child[1]] }
            } else {
                JointWrench { force: -child[0], torque: [child[1], -parent] }
            };
        }
        out
    }

    /// Momentum that a body gained and neither weight nor user gave it.
    fn gained(&self, model: &Model, body: usize) -> [DVec3; 2] {
        let momentum = |kept: &Kept| {
            let inertia = DMat3::from_quat(kept.body_q[body].rotation);
            let spin = inertia * (model.body_inertia[body] * (inertia.transpose() * kept.body_qd[body].angular));
            [model.body_mass[body] * kept.body_qd[body].linear, spin]
        };
        let ([before, spin_before], [after, spin_after]) = (momentum(&self.begun), momentum(&self.ended));
        let (force, torque) = self.begun_force.get(body).copied().unwrap_or_default();
        let weight = model.body_mass[body] * model.body_gravity(body);
        [after - before - self.duration * (weight + force), spin_after - spin_before - self.duration * torque]
    }

    fn mean_centre(&self, model: &Model, body: u32) -> DVec3 {
        let at = |kept: &Kept| Placed::of(model, &kept.body_q, &kept.body_qd, body, false).centre;
        0.5 * (at(&self.begun) + at(&self.ended))
    }

    /// Impulse and angular impulse on the body by efforts of the user, and the lever of the joint on it; means over the step.
    fn effort(&self, model: &Model, hung: &Hung) -> [DVec3; 3] {
        let Some(effort) = self.begun_effort.get(hung.joint as usize).filter(|effort| **effort != [0.0; 6]) else {
            return [DVec3::ZERO; 3];
        };
        let mut sum = [DVec3::ZERO; 3];
        for kept in [&self.begun, &self.ended] {
            let [from, to] =
                [hung.from, hung.to].map(|body| Placed::of(model, &kept.body_q, &kept.body_qd, body, false));
            let (force, torque) = split(effort);
            let frame = from.turn * hung.frame[0].rotation;
            let child = to.turn * hung.frame[1].rotation;
            let turning = match hung.turning {
                Turning::Two([one, two]) => cardan_torque(3 - one - two, frame, child, torque),
                _ => frame * torque,
            };
            let half = 0.5 * hung.sign * self.duration;
            sum[0] += half * (frame * force);
            sum[1] += half * turning;
            sum[2] += 0.5 * (to.turn * hung.frame[1].translation);
        }
        sum
    }

    /// Impulse of a joint along its axes \[N·s\], \[N·m·s\].
    pub fn along_axes(&self, model: &Model, joint: usize) -> [f64; 6] {
        let wrench = self.impulses(model)[joint];
        let place = |body: u32| Placed::of(model, &self.ended.body_q, &self.ended.body_qd, body, false);
        let (parent, child) = (place(model.joint_parent[joint]), place(model.joint_child[joint]));
        let origin = model.joint_frame_child[joint].translation - model.body_com[model.joint_child[joint] as usize];
        let back = (parent.turn * model.joint_frame_parent[joint].rotation).conjugate();
        let force = back * wrench.force;
        let torque = back * (wrench.torque[1] - (child.turn * origin).cross(wrench.force));
        let all = [force.x, force.y, force.z, torque.x, torque.y, torque.z];
        // Along an axis that is free there is nothing but springs, drives and rotors.
        let pulls = |axis: Axis| {
            let (drive, spring) = (model.joint_drive[joint][axis as usize], model.joint_spring[joint][axis as usize]);
            model.joint_axis[joint][axis as usize] == AxisMode::Locked
                || drive.acts()
                || spring.acts()
                || model.joint_armature[joint][axis as usize] > 0.0
        };
        Axis::ALL.map(|axis| if pulls(axis) { all[axis as usize] } else { 0.0 })
    }
}

/// The torque that does the work of efforts along the angles of a Cardan joint with one locked, and none along the others: these angles turn
/// about axes that are not perpendicular to each other.
fn cardan_torque(locked: usize, parent: DQuat, child: DQuat, effort: DVec3) -> DVec3 {
    let (first, last) = (parent * DVec3::X, child * DVec3::Z);
    let second = match locked {
        0 => parent * DVec3::Y,
        1 => last.cross(first),
        _ => child * DVec3::Y,
    };
    DMat3::from_cols(first, second, last).inverse().transpose() * effort
}
