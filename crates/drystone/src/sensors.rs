//! Sensors: what overlaps them, and what began or ended.

use drystone_model::ShapeId;

use crate::Simulation;
use crate::events::{Event, SensorEvent};

/// A sensor and a shape that overlaps it.
type Pair = (ShapeId, ShapeId);

/// What overlapped the sensors at the end of the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sensors {
    sensed: Vec<Pair>,
}

impl Sensors {
    /// Pairs of sensor and shape, sorted.
    pub fn sensed(&self) -> &[Pair] {
        &self.sensed
    }

    /// Puts back what [`Sensors::sensed`] gave.
    pub fn restore(&mut self, sensed: Vec<Pair>) {
        self.sensed = sensed;
    }

    /// Takes over what is sensed now and notes what is only in one of the two sorted lists, in their order.
    pub fn follow(&mut self, now: Vec<Pair>, events: &mut Vec<Event>) {
        let before = std::mem::replace(&mut self.sensed, now);
        let (mut new, mut old) = (self.sensed.iter().peekable(), before.iter().peekable());
        loop {
            let event = match (new.peek(), old.peek()) {
                (None, None) => return,
                (Some(a), Some(b)) if a == b => {
                    new.next();
                    old.next();
                    continue;
                }
                (Some(&&(sensor, shape)), other) if other.is_none_or(|b| (sensor, shape) < **b) => {
                    new.next();
                    SensorEvent::Begin { sensor, shape }
                }
                (_, Some(&&(sensor, shape))) => {
                    old.next();
                    SensorEvent::End { sensor, shape }
                }
                (Some(_), None) => unreachable!("a pair is less than none"),
            };
            events.push(Event::Sensor(event));
        }
    }
}

impl Simulation {
    /// The shapes that overlapped a sensor at the end of the last step, ascending; none for a shape that is no sensor.
    ///
    /// ```
    /// use drystone::SensorEvent;
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// let gate = scene.add_shape(WORLD, ShapeDef::cuboid(DVec3::new(1.0, 1.0, 0.1)).sensor());
    /// scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 2.0).sphere(0.25));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// let mut passes = Vec::new();
    /// for _ in 0..60 {
    ///     sim.step()?;
    ///     for event in sim.events() {
    ///         match event {
    ///             Event::Sensor(SensorEvent::Begin { sensor, .. }) if *sensor == gate => passes.push(("in", sim.time())),
    ///             Event::Sensor(SensorEvent::End { .. }) => passes.push(("out", sim.time())),
    ///             _ => {}
    ///         }
    ///     }
    ///     assert_eq!(sim.sensed(gate).count(), passes.len() % 2);
    /// }
    /// let after = |fall: f64| (2.0 * fall / 9.81).sqrt(); // it falls through, for the gate is no obstacle
    /// assert!(passes[0].0 == "in" && (passes[0].1 - after(2.0 - 0.35)).abs() < 2.0 * sim.dt());
    /// assert!(passes[1].0 == "out" && (passes[1].1 - after(2.0 + 0.35)).abs() < 2.0 * sim.dt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sensed(&self, sensor: ShapeId) -> impl Iterator<Item = ShapeId> + '_ {
        let all = self.sensors.sensed();
        let first = all.partition_point(|pair| pair.0 < sensor);
        all[first..].iter().take_while(move |pair| pair.0 == sensor).map(|pair| pair.1)
    }

    pub(crate) fn note_sensors(&mut self) {
        if self.model.shape_sensor.contains(&true) {
            let now = self.query().sensed();
            self.sensors.follow(now, &mut self.log.events);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_one_list_only_began_or_ended() {
        let pair = |a: u32, b: u32| (ShapeId(a), ShapeId(b));
        let begin = |a, b| Event::Sensor(SensorEvent::Begin { sensor: ShapeId(a), shape: ShapeId(b) });
        let end = |a, b| Event::Sensor(SensorEvent::End { sensor: ShapeId(a), shape: ShapeId(b) });
        let (mut sensors, mut events) = (Sensors::default(), Vec::new());
        sensors.follow(vec![pair(1, 0), pair(1, 5), pair(4, 2)], &mut events);
        assert_eq!(events, [begin(1, 0), begin(1, 5), begin(4, 2)]);
        events.clear();
        sensors.follow(vec![pair(0, 3), pair(1, 5), pair(4, 7)], &mut events);
        assert_eq!(events, [begin(0, 3), end(1, 0), end(4, 2), begin(4, 7)]);
        events.clear();
        sensors.follow(vec![], &mut events);
        assert_eq!(events, [end(0, 3), end(1, 5), end(4, 7)]);
    }
}
