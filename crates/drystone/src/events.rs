//! What happened in a step.

use drystone_model::contacts::ContactEvent;
use drystone_model::{BodyId, JointId, ShapeId, State};
use drystone_solve::Push;
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
}

impl EventLog {
    /// Starts the log of a new step.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Compares what touches with what touched in the step before: pairs of shapes with a point that pushed in the step, in ascending
    /// order. One meaning for every solver, whether it lets bodies overlap or keeps them apart.
    pub fn contacts(&mut self, pushes: &[Push]) {
        std::mem::swap(&mut self.touching, &mut self.touching_before);
        self.touching.clear();
        self.touching.extend(pushes.iter().map(pair));
        self.merge(pushes);
    }

    /// Walks both sorted lists at once; what is only in one of them began or ended.
    fn merge(&mut self, pushes: &[Push]) {
        let (mut new, mut old) = (pushes.iter().peekable(), self.touching_before.iter().peekable());
        loop {
            let event = match (new.peek(), old.peek()) {
                (None, None) => break,
                (Some(push), Some(b)) if pair(push) == **b => {
                    new.next();
                    old.next();
                    continue;
                }
                (Some(&push), other) if other.is_none_or(|b| pair(push) < **b) => {
                    new.next();
                    let [shape0, shape1] = push.shape;
                    ContactEvent::Begin { shape0, shape1, impulse: push.impulse.length() }
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

/// The shapes of a push as the pair of numbers it is sorted by.
fn pair(push: &Push) -> (u32, u32) {
    push.shape.map(|shape| shape.0).into()
}

#[cfg(test)]
mod tests {
    use glamx::DVec3;

    use super::*;

    /// Pairs of shapes with the impulses they exchanged along z.
    fn pushing(pairs: &[(u32, u32, f64)]) -> Vec<Push> {
        let push = |&(shape0, shape1, impulse): &(u32, u32, f64)| Push {
            shape: [shape0, shape1].map(ShapeId),
            impulse: DVec3::Z * impulse,
        };
        pairs.iter().map(push).collect()
    }

    fn begin(shape0: u32, shape1: u32, impulse: f64) -> Event {
        Event::Contact(ContactEvent::Begin { shape0: ShapeId(shape0), shape1: ShapeId(shape1), impulse })
    }

    #[test]
    fn begin_and_end_follow_the_force() {
        let mut log = EventLog::default();
        log.contacts(&pushing(&[(0, 1, 4.0)]));
        assert_eq!(log.events, [begin(0, 1, 4.0)]);
        log.clear();
        log.contacts(&pushing(&[(0, 1, 0.5), (0, 2, 0.5), (1, 3, 1.0)]));
        assert_eq!(log.events, [begin(0, 2, 0.5), begin(1, 3, 1.0)]);
        log.clear();
        log.contacts(&pushing(&[(0, 2, 0.5)]));
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
