//! What happened in a step.

use drystone_model::contacts::ContactEvent;
use drystone_model::{BodyId, JointId, ShapeId, State};
use drystone_solve::ContactForce;
use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::ids::Ids;

/// Something that happened in the last step.
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
///     let touches = |event: &Event| matches!(event, Event::Contact(ContactEvent::Begin { shape0, .. }) if *shape0 == ground);
///     landed = sim.events().iter().any(touches).then_some(sim.time());
/// }
/// let fall = (2.0_f64 * 0.1 / 9.81).sqrt();
/// assert!((landed.unwrap() - fall).abs() < 2.0 * sim.dt()); // the step in which the ground first pushes
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Two shapes began or ceased to touch, that is, to push each other.
    Contact(ContactEvent),
    /// A shape began or ceased to overlap a sensor.
    Sensor(SensorEvent),
    /// A joint carried more than it can and broke.
    JointBroken {
        /// The joint.
        joint: JointId,
    },
    /// A body's state stopped being finite; it is frozen at its last finite pose.
    BodyQuarantined {
        /// The body.
        body: BodyId,
    },
}

/// A shape that began or ceased to overlap a sensor; see [`ShapeDef::sensor`](drystone_model::ShapeDef::sensor). Sensors
/// look at where things are at the end of a step, so that what passes through one within a step goes unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SensorEvent {
    /// The shape did not overlap the sensor at the end of the step before.
    Begin {
        /// The sensor.
        sensor: ShapeId,
        /// What overlaps it.
        shape: ShapeId,
    },
    /// The shape overlapped the sensor at the end of the step before and no longer does.
    End {
        /// The sensor.
        sensor: ShapeId,
        /// What overlapped it.
        shape: ShapeId,
    },
}

/// Collects the events of every step; keeps its buffers from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog {
    /// Events of the last step: contacts by shape pair, then joints, then bodies, each in order.
    pub events: Vec<Event>,
    /// Pairs of shapes, by id.
    touching: Vec<(u32, u32)>,
    touching_before: Vec<(u32, u32)>,
    /// Pairs of shapes with the impulse they exchanged \[N·s\].
    pushing: Vec<((u32, u32), DVec3)>,
}

impl EventLog {
    /// Starts the log of a new step.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Compares what touches with what touched in the step before: pairs of shapes with a point that pushed in the step of
    /// `dt` seconds. One meaning for every solver, whether it lets bodies overlap or keeps them apart.
    pub fn contacts(&mut self, contacts: &[ContactForce], dt: f64) {
        std::mem::swap(&mut self.touching, &mut self.touching_before);
        self.pushing.clear();
        let pushing = contacts.iter().filter(|contact| contact.force.dot(contact.normal) > 0.0);
        self.pushing.extend(pushing.map(|contact| (contact.key.shape.map(|shape| shape.0).into(), dt * contact.force)));
        self.pushing.sort_by_key(|(shapes, _)| *shapes);
        self.pushing.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        self.touching.clear();
        self.touching.extend(self.pushing.iter().map(|(shapes, _)| *shapes));
        self.merge();
    }

    /// Walks both sorted lists at once; what is only in one of them began or ended.
    fn merge(&mut self) {
        let (mut new, mut old) = (self.pushing.iter().peekable(), self.touching_before.iter().peekable());
        loop {
            let event = match (new.peek(), old.peek()) {
                (None, None) => break,
                (Some((a, _)), Some(b)) if a == *b => {
                    new.next();
                    old.next();
                    continue;
                }
                (Some(&&((shape0, shape1), impulse)), other) if other.is_none_or(|b| (shape0, shape1) < **b) => {
                    new.next();
                    let (shape0, shape1) = (ShapeId(shape0), ShapeId(shape1));
                    ContactEvent::Begin { shape0, shape1, impulse: impulse.length() }
                }
                (_, Some(&&(shape0, shape1))) => {
                    old.next();
                    ContactEvent::End { shape0: ShapeId(shape0), shape1: ShapeId(shape1) }
                }
                (Some(_), None) => break,
            };
            self.events.push(Event::Contact(event));
        }
    }

    /// Notes joints that are intact no longer.
    pub fn joints(&mut self, before: &State, after: &State, ids: &Ids) {
        let pairs = before.joint_intact.iter().zip(&after.joint_intact).enumerate();
        let broken = pairs.filter(|(_, (was, is))| **was && !**is);
        self.events.extend(broken.map(|(joint, _)| Event::JointBroken { joint: JointId(ids.joint.id(joint)) }));
    }

    /// Notes bodies that were taken out.
    pub fn quarantined(&mut self, bodies: &[BodyId]) {
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
    use drystone_solve::ContactKey;

    use super::*;

    /// Contact points along z, each with its shapes and the force that it carries.
    fn pushing(points: &[(u32, u32, f64)]) -> Vec<ContactForce> {
        let point = |&(shape0, shape1, force): &(u32, u32, f64)| {
            let key = ContactKey { shape: [shape0, shape1].map(ShapeId), feature: [0; 4] };
            let contact = ContactForce::new(key, [BodyId(0), BodyId(1)], [DVec3::ZERO; 2], DVec3::Z);
            ContactForce { force: DVec3::Z * force, ..contact }
        };
        points.iter().map(point).collect()
    }

    fn begin(shape0: u32, shape1: u32, impulse: f64) -> Event {
        Event::Contact(ContactEvent::Begin { shape0: ShapeId(shape0), shape1: ShapeId(shape1), impulse })
    }

    #[test]
    fn begin_and_end_follow_the_force() {
        let mut log = EventLog::default();
        log.contacts(&pushing(&[(0, 1, 6.0), (0, 2, 0.0), (0, 1, 2.0)]), 0.5);
        assert_eq!(log.events, [begin(0, 1, 4.0)]);
        log.clear();
        log.contacts(&pushing(&[(1, 3, 2.0), (0, 1, 1.0), (0, 2, 1.0)]), 0.5);
        assert_eq!(log.events, [begin(0, 2, 0.5), begin(1, 3, 1.0)]);
        log.clear();
        log.contacts(&pushing(&[(0, 2, 1.0), (0, 1, 0.0)]), 0.5);
        let end = |(shape0, shape1)| ContactEvent::End { shape0: ShapeId(shape0), shape1: ShapeId(shape1) };
        let ended = [(0, 1), (1, 3)].map(|shapes| Event::Contact(end(shapes)));
        assert_eq!(log.events, ended);
    }

    #[test]
    fn a_joint_breaks_once() {
        let before = State { joint_intact: vec![true, true, false], ..State::default() };
        let after = State { joint_intact: vec![true, false, false], ..State::default() };
        let mut log = EventLog::default();
        let model =
            drystone_model::Model { joint_kind: vec![drystone_model::JointKind::Ball; 3], ..Default::default() };
        log.joints(&before, &after, &Ids::new(&model));
        assert_eq!(log.events, [Event::JointBroken { joint: JointId(1) }]);
    }
}
