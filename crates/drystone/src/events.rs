//! What happened in a step.

use drystone_model::State;
use drystone_model::contacts::{ContactEvent, Contacts};
use serde::{Deserialize, Serialize};

/// Something that happened in the last step. Indices are those of the model.
///
/// ```
/// use drystone::model::ContactEvent;
/// use drystone::prelude::*;
/// let mut scene = ModelBuilder::new();
/// let ground = scene.ground();
/// scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 0.2).sphere(0.1));
/// let mut sim = Simulation::new(scene.finalize()?)?;
/// let mut landed = None;
/// while landed.is_none() && sim.time() < 1.0 {
///     sim.step()?;
///     let touches = |event: &Event| matches!(event, Event::Contact(ContactEvent::Begin { shape0, .. }) if *shape0 == ground.0);
///     landed = sim.events().iter().any(touches).then_some(sim.time());
/// }
/// let fall = (2.0_f64 * 0.1 / 9.81).sqrt();
/// assert!((landed.unwrap() - fall).abs() < 2.0 * sim.dt()); // contacts are those of the start of a step
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Two shapes began or ceased to touch.
    Contact(ContactEvent),
    /// A joint carried more than it can and broke.
    JointBroken {
        /// The joint.
        joint: u32,
    },
    /// A body's state stopped being finite; it is frozen at its last finite pose.
    BodyQuarantined {
        /// The body.
        body: u32,
    },
}

/// Collects the events of every step; keeps its buffers from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog {
    /// Events of the last step: contacts by shape pair, then joints, then bodies, each in order.
    pub events: Vec<Event>,
    touching: Vec<(u32, u32)>,
    touching_before: Vec<(u32, u32)>,
}

impl EventLog {
    /// Starts the log of a new step.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Compares what touches with what touched in the step before. A pair touches when a gap is at most
    /// the smaller `reach` of its shapes \[m\]: speculative points further apart do not count.
    pub fn contacts(&mut self, contacts: &Contacts, reach: &[f64]) {
        std::mem::swap(&mut self.touching, &mut self.touching_before);
        self.touching.clear();
        for manifold in 0..contacts.manifold_count() {
            let (shape0, shape1) = (contacts.manifold_shape0[manifold], contacts.manifold_shape1[manifold]);
            let limit = reach[shape0 as usize].min(reach[shape1 as usize]);
            if contacts.points(manifold).any(|point| contacts.point_gap[point] <= limit) {
                self.touching.push((shape0, shape1));
            }
        }
        self.touching.sort_unstable();
        self.touching.dedup();
        self.merge();
    }

    /// Walks both sorted lists at once; what is only in one of them began or ended.
    fn merge(&mut self) {
        let (mut new, mut old) = (self.touching.iter().peekable(), self.touching_before.iter().peekable());
        loop {
            let event = match (new.peek(), old.peek()) {
                (None, None) => break,
                (Some(a), Some(b)) if a == b => {
                    new.next();
                    old.next();
                    continue;
                }
                (Some(&&(shape0, shape1)), other) if other.is_none_or(|b| (shape0, shape1) < **b) => {
                    new.next();
                    ContactEvent::Begin { shape0, shape1 }
                }
                (_, Some(&&(shape0, shape1))) => {
                    old.next();
                    ContactEvent::End { shape0, shape1 }
                }
                (Some(_), None) => break,
            };
            self.events.push(Event::Contact(event));
        }
    }

    /// Notes joints that are intact no longer.
    pub fn joints(&mut self, before: &State, after: &State) {
        let pairs = before.joint_intact.iter().zip(&after.joint_intact).enumerate();
        let broken = pairs.filter(|(_, (was, is))| **was && !**is);
        self.events.extend(broken.map(|(joint, _)| Event::JointBroken { joint: joint as u32 }));
    }

    /// Notes bodies that were taken out.
    pub fn quarantined(&mut self, bodies: &[u32]) {
        self.events.extend(bodies.iter().map(|&body| Event::BodyQuarantined { body }));
    }

    /// The pairs in touch, for a checkpoint.
    pub fn touching(&self) -> &[(u32, u32)] {
        &self.touching
    }

    /// Puts back what [`EventLog::touching`] gave.
    pub fn restore(&mut self, touching: Vec<(u32, u32)>) {
        self.events.clear();
        self.touching = touching;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touching(pairs: &[(u32, u32, f64)]) -> Contacts {
        let mut contacts = Contacts { point_start: vec![0], ..Contacts::default() };
        for &(shape0, shape1, gap) in pairs {
            contacts.manifold_shape0.push(shape0);
            contacts.manifold_shape1.push(shape1);
            contacts.point_gap.push(gap);
            contacts.point_start.push(contacts.point_gap.len() as u32);
        }
        contacts
    }

    #[test]
    fn begin_persist_and_end_follow_the_gap() {
        let mut log = EventLog::default();
        log.contacts(&touching(&[(0, 1, 0.0), (0, 2, 0.5)]), &[1e-3; 4]);
        assert_eq!(log.events, [Event::Contact(ContactEvent::Begin { shape0: 0, shape1: 1 })]);
        log.clear();
        log.contacts(&touching(&[(0, 1, 0.0), (0, 2, -1e-4), (1, 3, 0.0)]), &[1e-3; 4]);
        let begun = [(0, 2), (1, 3)].map(|(shape0, shape1)| Event::Contact(ContactEvent::Begin { shape0, shape1 }));
        assert_eq!(log.events, begun);
        log.clear();
        log.contacts(&touching(&[(0, 2, 0.0)]), &[1e-3; 4]);
        let ended = [(0, 1), (1, 3)].map(|(shape0, shape1)| Event::Contact(ContactEvent::End { shape0, shape1 }));
        assert_eq!(log.events, ended);
    }

    #[test]
    fn a_joint_breaks_once() {
        let before = State { joint_intact: vec![true, true, false], ..State::default() };
        let after = State { joint_intact: vec![true, false, false], ..State::default() };
        let mut log = EventLog::default();
        log.joints(&before, &after);
        assert_eq!(log.events, [Event::JointBroken { joint: 1 }]);
    }
}
