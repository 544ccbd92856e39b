//! What every body gained in a step, for forces told to explain it.

use drystone_kernels::double::rotation;
use drystone_model::{BodyId, DQuat, DVec3, Model, State, Twist};
use drystone_solve::balance::{Balanced, Due};
use drystone_solve::forces::ContactForce;
use drystone_solve::parallel;

use super::Vbd;
use super::bodies::Bodies;
use super::convert::{quat, to_dvec3, vec3};

/// Motion at both ends of the last step, and what outer forces did in it. Empty before the first step.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Its length \[s\].
    dt: f64,
    /// Orientations and velocities at its start and its end.
    rotation: [Vec<DQuat>; 2],
    twist: [Vec<Twist>; 2],
    /// Impulses of outer forces and torques \[N·s\], \[N·m·s\].
    outer: Vec<[DVec3; 2]>,
}

impl Account {
    /// Starts a step of `dt` seconds.
    pub fn begin(&mut self, state: &State, dt: f64) {
        self.dt = dt;
        self.note(0, state);
        self.outer.resize(state.body_q.len(), [DVec3::ZERO; 2]);
        parallel::each(&mut self.outer, |_, outer| *outer = [DVec3::ZERO; 2]);
    }

    /// Adds what outer forces did in a substep of `h` seconds.
    pub fn add(&mut self, bodies: &Bodies, h: f64) {
        parallel::each(&mut self.outer, |body, [force, torque]| {
            if bodies.moves[body] {
                *force += to_dvec3(bodies.acceleration[body].scale(h / bodies.inv_mass[body]));
                *torque += to_dvec3(bodies.torque[body].scale(h));
            }
        });
    }

    /// Ends the step.
    pub fn end(&mut self, state: &State) {
        self.note(1, state);
    }

    /// Forgets the step.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    fn note(&mut self, end: usize, state: &State) {
        let (rotation, twist) = (&mut self.rotation[end], &mut self.twist[end]);
        rotation.resize(state.body_q.len(), DQuat::IDENTITY);
        twist.resize(state.body_qd.len(), Twist::default());
        parallel::each2(rotation, twist, |body, rotation, twist| {
            (*rotation, *twist) = (state.body_q[body].rotation, state.body_qd[body]);
        });
    }

    /// What contacts and joints exerted on a body on average.
    fn due(&self, bodies: &Bodies, body: usize) -> Due {
        if !bodies.moves[body] {
            return Due { centre: bodies.com[body], ..Due::default() };
        }
        let (mass, inertia) = (1.0 / bodies.inv_mass[body], bodies.own_inertia[body][0]);
        let momentum = |end: usize| {
            let (turn, Twist { linear, angular }) = (quat(self.rotation[end][body]), self.twist[end][body]);
            [linear * mass, to_dvec3(rotation::world_inertia(turn, inertia).mul(vec3(angular)))]
        };
        let (start, end, outer) = (momentum(0), momentum(1), self.outer[body]);
        let [force, torque] = [0, 1].map(|part| (end[part] - start[part] - outer[part]) / self.dt);
        let trace = inertia.xx + inertia.yy + inertia.zz;
        Due { moves: true, centre: bodies.com[body], force, torque, inertia: trace }
    }
}

impl Vbd {
    /// Forces of the last step, of contacts as they were handed over, that explain the motion.
    pub(super) fn settled(
        &self,
        model: &Model,
        contacts: &[ContactForce],
        index: &dyn Fn(BodyId) -> u32,
    ) -> Option<Balanced> {
        let Self { account, bodies, joints, .. } = self;
        let count = model.body_count();
        if account.outer.len() != count {
            return None;
        }
        let due: Vec<Due> = (0..count).map(|body| account.due(bodies, body)).collect();
        let mut forces = Balanced { contacts: contacts.to_vec(), joints: Vec::new() };
        self.ledger.read_joints(model.joint_count(), &mut forces.joints);
        let ends = |joint: usize| joints.active[joint].then(|| joints.geometry[joint].body.map(|slot| slot as u32));
        let ends: Vec<Option<[u32; 2]>> = (0..joints.count()).map(ends).collect();
        forces.settle(&due, index, &ends);
        Some(forces)
    }
}
