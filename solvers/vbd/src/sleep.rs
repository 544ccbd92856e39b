//! Islands at rest sleep: they are left out of the work until something disturbs them.
//!
//! An island falls asleep as a whole, once all its bodies have been slow for the sleep delay and something that does not move
//! supports it. It wakes as a whole: when a moving body touches it, when it loses a contact, when a force, a pose or a
//! velocity is set on one of its bodies, or when one of its joints is driven, breaks, is switched, or is made hard or soft.
//! A joint that is broken or switched off connects no island and wakes none. Sleeping bodies stand still like static ones,
//! and their contacts and joints keep their loads.

use drystone_kernels::double::math::Vec6;
use drystone_model::{BodyKind, Contacts, Control, DVec3, Model, ModelMap, Pose, State, Twist, WORLD};
use serde::{Deserialize, Serialize};

use super::Vbd;
use super::bodies::Bodies;
use super::islands::Islands;
use super::joint::Joints;

/// Speed below which a body may sleep, as a share of the speed that a fall gains in a step. Piles at rest stay below a
/// hundredth; a body that begins to fall has one.
const SLEEP_SPEED_RATIO: f64 = 0.05;
/// Speed of a touching body that wakes an island, in multiples of the speed of sleep, so that what settles on a sleeping
/// pile does not wake it again and again.
const WAKE_SPEED_RATIO: f64 = 4.0;
/// Time of rest before an island falls asleep \[s\].
const SLEEP_DELAY: f64 = 0.5;

/// Who sleeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sleep {
    /// How long each body has been slow \[s\].
    rest: Vec<f64>,
    /// The island each sleeping body fell asleep with.
    island: Vec<Option<u32>>,
    /// Pose in which each body fell asleep.
    sleep_pose: Vec<Pose>,
    /// Manifolds each body had when it fell asleep.
    contacts: Vec<u32>,
    /// Which joints were broken or switched off when last looked at.
    joint_off: Vec<bool>,
}

impl Sleep {
    /// Everybody awake.
    pub fn new(model: &Model) -> Self {
        let bodies = model.body_count();
        Self {
            rest: vec![0.0; bodies],
            island: vec![None; bodies],
            sleep_pose: vec![Pose::IDENTITY; bodies],
            contacts: vec![0; bodies],
            joint_off: vec![false; model.joint_count()],
        }
    }

    /// Who sleeps after an edit of the model: islands that it did not disturb.
    pub fn edited(&self, map: &ModelMap) -> Self {
        let mut next = Self {
            rest: map.body.carry(&self.rest, 0.0),
            island: map.body.carry(&self.island, None),
            sleep_pose: map.body.carry(&self.sleep_pose, Pose::IDENTITY),
            contacts: map.body.carry(&self.contacts, 0),
            joint_off: map.joint.carry(&self.joint_off, false),
        };
        (0..next.island.len()).filter(|&body| map.disturbed[body]).for_each(|body| next.forget(body));
        // An island is called by its first body; that may have moved, or gone.
        let mut first = vec![None; self.island.len()];
        for body in 0..next.island.len() {
            if let Some(island) = next.island[body] {
                next.island[body] = Some(*first[island as usize].get_or_insert(body as u32));
            }
        }
        next
    }

    /// Whether a body sleeps; the world does not.
    #[inline]
    pub fn asleep(&self, body: usize) -> bool {
        self.island.get(body).is_some_and(Option::is_some)
    }

    /// Number of bodies asleep.
    pub fn count(&self) -> u32 {
        self.island.iter().flatten().count() as u32
    }

    /// Whether this fits a model.
    pub fn fits(&self, model_bodies: usize, model_joints: usize) -> bool {
        [self.rest.len(), self.island.len(), self.sleep_pose.len(), self.contacts.len()] == [model_bodies; 4]
            && self.joint_off.len() == model_joints
    }

    /// Wakes islands that the user changed since the step before. Returns whether there was any.
    pub fn wake_by_user(&mut self, model: &Model, state: &State, control: &Control, joints: &Joints) -> bool {
        let mut woken = false;
        for body in 0..model.body_count() {
            if self.island[body].is_none() {
                continue;
            }
            let (force, torque) = control.body_f[body];
            let pushed = force.length_squared() + torque.length_squared() > 0.0;
            let moved = state.body_qd[body] != Twist::default() || state.body_q[body] != self.sleep_pose[body];
            if pushed || moved {
                self.wake(body);
                woken = true;
            }
        }
        for joint in 0..joints.count() {
            let off = !control.joint_enabled[joint] || !state.joint_intact[joint];
            let switched = std::mem::replace(&mut self.joint_off[joint], off) != off;
            if switched || (!off && control.joint_f[joint] != [0.0; 6]) {
                joints.geometry[joint].body.into_iter().for_each(|body| self.wake(body));
                woken = true;
            }
        }
        woken
    }

    /// Wakes islands that a moving body touches, or that lost a contact. Returns whether any woke.
    pub fn wake_by_contact(&mut self, model: &Model, contacts: &Contacts, bodies: &Bodies, h: f64) -> bool {
        let before = self.count();
        let mut touching = vec![0u32; model.body_count()];
        for body in bodies_of(contacts) {
            touching[body] += 1;
        }
        for [sleeper, other] in pairs(contacts) {
            if self.wakes(model, bodies, other, h) {
                self.wake(sleeper);
            }
        }
        belted(contacts).for_each(|body| self.wake(body));
        for body in 0..model.body_count() {
            if self.asleep(body) && touching[body] < self.contacts[body] {
                self.wake(body);
            }
        }
        self.count() != before
    }

    /// Whether a body moves fast enough to wake what it touches; one that is led does however slowly.
    fn wakes(&self, model: &Model, bodies: &Bodies, body: usize, h: f64) -> bool {
        let speed = bodies.velocity[body].l.length_squared() + bodies.velocity[body].a.length_squared();
        let slow = match model.body_kind[body] {
            BodyKind::Dynamic => WAKE_SPEED_RATIO * sleep_speed(bodies, body, h),
            _ => 0.0,
        };
        !self.asleep(body) && speed > slow * slow
    }

    /// Counts the rest of every body and puts islands to sleep that have rested enough.
    pub fn fall_asleep(&mut self, model: &Model, state: &mut State, contacts: &Contacts, inputs: &SleepInputs) {
        let SleepInputs { bodies, islands, joints, h } = *inputs;
        let count = model.body_count();
        let mut may_sleep = vec![true; count];
        for joint in (0..joints.count()).filter(|&joint| joints.active[joint] && joints.driven(joint)) {
            for body in joints.geometry[joint].body.into_iter().filter(|&body| body < count) {
                may_sleep[islands.leader(body)] = false;
            }
        }
        for [body, other] in pairs(contacts) {
            if bodies.moves[body] && self.wakes(model, bodies, other, h) {
                may_sleep[islands.leader(body)] = false;
            }
        }
        for body in belted(contacts).filter(|&body| bodies.moves[body]) {
            may_sleep[islands.leader(body)] = false;
        }
        for body in (0..model.body_count()).filter(|&body| bodies.moves[body]) {
            let (speed, reach) = (state.body_qd[body], bodies.gyration_radius(body));
            let fastest = speed.linear.length() + reach * speed.angular.length();
            let slow = fastest < sleep_speed(bodies, body, h);
            self.rest[body] = if slow { self.rest[body] + h } else { 0.0 };
            may_sleep[islands.leader(body)] &= self.rest[body] >= SLEEP_DELAY && islands.supported(body);
        }
        for body in (0..model.body_count()).filter(|&body| bodies.moves[body]) {
            if may_sleep[islands.leader(body)] {
                self.island[body] = Some(islands.leader(body) as u32);
                self.sleep_pose[body] = state.body_q[body];
                self.contacts[body] = 0;
                state.body_qd[body] = Twist::default();
            }
        }
        self.count_contacts(contacts, bodies);
    }

    /// Notes the manifolds of those who have just fallen asleep.
    fn count_contacts(&mut self, contacts: &Contacts, bodies: &Bodies) {
        for body in bodies_of(contacts) {
            if bodies.moves[body] && self.asleep(body) {
                self.contacts[body] += 1;
            }
        }
    }

    /// Puts bodies to sleep where they are, as one island.
    pub fn lay_down(&mut self, state: &mut State, contacts: &Contacts, members: &[usize]) {
        let Some(&first) = members.first() else { return };
        for &body in members {
            self.island[body] = Some(first as u32);
            self.sleep_pose[body] = state.body_q[body];
            self.contacts[body] = 0;
            state.body_qd[body] = Twist::default();
        }
        for body in bodies_of(contacts) {
            if members.binary_search(&body).is_ok() {
                self.contacts[body] += 1;
            }
        }
    }

    /// Wakes the island of a body and forgets how long it has rested.
    pub fn forget(&mut self, body: usize) {
        self.wake(body);
        self.rest[body] = 0.0;
    }

    /// Wakes the island of a body.
    pub fn wake(&mut self, body: usize) {
        let Some(island) = self.island.get(body).copied().flatten() else { return };
        for other in 0..self.island.len() {
            if self.island[other] == Some(island) {
                self.island[other] = None;
                self.rest[other] = 0.0;
            }
        }
    }
}

impl Vbd {
    /// Puts a body to sleep with all that contacts and joints tie to it, whether or not it slept in the last step.
    pub(super) fn lay_down(&mut self, model: &Model, state: &mut State, contacts: &Contacts, body: usize) {
        let count = model.body_count();
        let alive = |body: usize| model.body_kind[body] == BodyKind::Dynamic && !state.body_quarantined[body];
        let moves: Vec<bool> = (0..count).map(alive).chain([false]).collect();
        let slot = |body: u32| if body == WORLD { count as u32 } else { body };
        let both = contacts.manifold_body0.iter().zip(&contacts.manifold_body1);
        let acting = (0..self.joints.count()).filter(|&joint| !self.sleep.joint_off[joint]);
        let tied = acting.map(|joint| self.joints.geometry[joint].body.map(|body| body as u32));
        let mut islands = Islands::default();
        islands.build(&moves, both.map(|(&a, &b)| [slot(a), slot(b)]), tied.chain(self.joints.coupled_bodies()));
        let leader = islands.leader(body);
        let members: Vec<usize> = (0..count).filter(|&other| moves[other] && islands.leader(other) == leader).collect();
        self.sleep.lay_down(state, contacts, &members);
        for body in members {
            self.bodies.last_acceleration[body] = Vec6::default();
            self.bodies.left_velocity[body] = Vec6::default();
        }
    }
}

/// What falling asleep depends on.
#[derive(Clone, Copy)]
pub struct SleepInputs<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// Their islands.
    pub islands: &'a Islands,
    /// All joints.
    pub joints: &'a Joints,
    /// Step \[s\].
    pub h: f64,
}

/// Speed below which a body is slow \[m/s\].
fn sleep_speed(bodies: &Bodies, body: usize, h: f64) -> f64 {
    SLEEP_SPEED_RATIO * bodies.acceleration[body].length() * h
}

/// The bodies of all manifolds.
fn bodies_of(contacts: &Contacts) -> impl Iterator<Item = usize> + '_ {
    let ends = contacts.manifold_body0.iter().chain(&contacts.manifold_body1);
    ends.filter(|&&body| body != WORLD).map(|&body| body as usize)
}

/// Bodies at conveyor belts.
fn belted(contacts: &Contacts) -> impl Iterator<Item = usize> + '_ {
    let running = (0..contacts.manifold_count()).filter(|&m| contacts.manifold_surface[m] != DVec3::ZERO);
    let ends = running.flat_map(|m| [contacts.manifold_body0[m], contacts.manifold_body1[m]]);
    ends.filter(|&body| body != WORLD).map(|body| body as usize)
}

/// Every body of a manifold with the other one, for manifolds of two bodies.
fn pairs(contacts: &Contacts) -> impl Iterator<Item = [usize; 2]> + '_ {
    let both = contacts.manifold_body0.iter().zip(&contacts.manifold_body1);
    both.filter(|&(&a, &b)| a != WORLD && b != WORLD)
        .map(|(&a, &b)| [a as usize, b as usize])
        .flat_map(|[a, b]| [[a, b], [b, a]])
}
