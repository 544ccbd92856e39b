//! The state of a system on the device, and its way there and back.

use cubecl::prelude::*;
use drystone_device::{Buffer, DeviceError, Gpu};
use drystone_kernels::single::math::Vec3;

use super::system::PointState;

/// Bodies and impulses on the device, component-major.
#[derive(Debug)]
pub(super) struct StateBuffers {
    /// Position, orientation, velocity of every place for a body.
    pub body: Buffer<f32>,
    /// Impulse of every place for a constraint.
    pub impulse: Buffer<f32>,
    body_places: usize,
    constraint_places: usize,
}

/// Where bodies and constraints are kept.
pub(super) trait Places {
    /// Place of a body.
    fn of_body(&self, body: usize) -> usize;
    /// Place of a constraint.
    fn of_constraint(&self, constraint: usize) -> usize;
}

/// Everything in its order.
pub(super) struct InOrder;

impl Places for InOrder {
    fn of_body(&self, body: usize) -> usize {
        body
    }

    fn of_constraint(&self, constraint: usize) -> usize {
        constraint
    }
}

impl StateBuffers {
    pub fn new<R: Runtime>(gpu: &Gpu<R>, body_places: usize, constraint_places: usize) -> Self {
        let body = Buffer::new(gpu, body_places * PointState::BODY_WORDS);
        Self { body, impulse: Buffer::new(gpu, constraint_places * 3), body_places, constraint_places }
    }

    /// Takes `state` to the device.
    pub fn upload<R: Runtime>(&mut self, gpu: &Gpu<R>, state: &PointState, places: &impl Places) {
        let mut words = vec![0.0; self.body_places * PointState::BODY_WORDS];
        for body in 0..state.position.len() {
            let place = places.of_body(body);
            for (component, word) in state.body_words(body).into_iter().enumerate() {
                words[component * self.body_places + place] = word;
            }
        }
        self.body.upload(gpu, &words);
        let mut words = vec![0.0; self.constraint_places * 3];
        for (constraint, p) in state.impulse.iter().enumerate() {
            let place = places.of_constraint(constraint);
            for (component, word) in [p.x, p.y, p.z].into_iter().enumerate() {
                words[component * self.constraint_places + place] = word;
            }
        }
        self.impulse.upload(gpu, &words);
    }

    /// Brings the device's state back into `state`, which has the right sizes.
    pub fn download<R: Runtime>(
        &self,
        gpu: &Gpu<R>,
        state: &mut PointState,
        places: &impl Places,
    ) -> Result<(), DeviceError> {
        let words = self.body.read(gpu)?;
        for body in 0..state.position.len() {
            let place = places.of_body(body);
            state.set_body(body, |component| words[component * self.body_places + place]);
        }
        let words = self.impulse.read(gpu)?;
        for (constraint, p) in state.impulse.iter_mut().enumerate() {
            let place = places.of_constraint(constraint);
            let word = |component| words[component * self.constraint_places + place];
            *p = Vec3 { x: word(0), y: word(1), z: word(2) };
        }
        Ok(())
    }
}
