//! A scene on whichever device there is, as the solver sees it.

use cubecl::prelude::*;
use drystone_device::{Device, DeviceError, Gpu, Job};
use drystone_model::{BodyKind, DVec3, Model, State};
use drystone_solve::forces::ContactForce;
use drystone_solve::parallel;

use super::engine::Resident;
use super::transfer::{Changes, body_state};
use crate::resident::{Change, Figures, Memory, Scene};

/// Room for pairs at first, beyond twice those that the CPU found.
const SPARE_PAIRS: usize = 1024;

/// A scene for a model on a device.
pub fn scene(device: &Device, model: &Model) -> Box<dyn Scene> {
    struct Open<'a>(&'a Model);
    impl Job for Open<'_> {
        type Output = Box<dyn Scene>;
        fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output {
            Box::new(Resident::new(gpu, self.0, SPARE_PAIRS))
        }
    }
    device.run(Open(model))
}

impl<R: Runtime> Scene for Resident<R> {
    fn device(&self) -> &str {
        self.name()
    }

    fn begin(
        &mut self,
        model: &Model,
        state: &State,
        memory: &Memory,
        pairs: usize,
        margin: f32,
    ) -> Result<(), DeviceError> {
        self.set_margin(margin);
        self.reserve(2 * pairs + SPARE_PAIRS)?;
        self.take_over(model, state, memory)
    }

    fn change(&mut self, model: &Model, state: &State, changes: &[Change]) {
        let mut words = Changes::default();
        changes.iter().for_each(|change| words.add(model, state, change.body, change.jolted));
        self.patch(&words);
    }

    fn set_forces(&mut self, forces: &[f32]) {
        Self::set_forces(self, forces);
    }

    fn steps(&mut self, count: u32, h: f32, sweeps: u32) -> Result<(), DeviceError> {
        Self::steps(self, count, h, sweeps)
    }

    fn profile(&mut self, count: u32, h: f32, sweeps: u32) -> Result<Vec<(&'static str, f64)>, DeviceError> {
        Self::profile(self, count, h, sweeps)
    }

    fn figures(&mut self) -> Result<Figures, DeviceError> {
        Self::figures(self)
    }

    fn impulses(&mut self, h: f64) -> Result<Vec<ContactForce>, DeviceError> {
        Self::impulses(self, h)
    }

    fn read(&mut self, model: &Model, state: &mut State) -> Result<(), DeviceError> {
        self.look_at_motion(|motion, cell| {
            parallel::each2(&mut state.body_q, &mut state.body_qd, |body, pose, twist| {
                if model.body_kind[body] != BodyKind::Static {
                    (*pose, *twist) = body_state(model, body, motion, cell);
                }
            });
        })
    }

    fn memory(&mut self) -> Result<Memory, DeviceError> {
        Self::memory(self)
    }

    fn remember(&mut self, memory: &Memory, state: &State) -> Result<(), String> {
        if !self.fits(memory) {
            return Err("it was taken of another model".into());
        }
        self.put_back(memory).map_err(|error| error.to_string())?;
        let (low, high) = extent(state);
        self.set_extent(low, high);
        Ok(())
    }
}

impl<R: Runtime> Resident<R> {
    /// Goes on from a state, with what contacts remember.
    pub fn take_over(&mut self, model: &Model, state: &State, memory: &Memory) -> Result<(), DeviceError> {
        self.put_back(memory)?;
        let (low, high) = extent(state);
        self.set_extent(low, high);
        let moving = |body: &usize| model.body_kind[*body] != BodyKind::Static;
        let all: Vec<Change> =
            (0..model.body_count()).filter(moving).map(|body| Change { body, jolted: false }).collect();
        self.change(model, state, &all);
        self.wait()
    }
}

/// Corners of the box around the places of all bodies \[m\].
fn extent(state: &State) -> ([f32; 3], [f32; 3]) {
    let places = || state.body_q.iter().map(|pose| pose.translation);
    let low = places().reduce(DVec3::min).unwrap_or_default();
    let high = places().reduce(DVec3::max).unwrap_or_default();
    (low.to_array().map(|x| x as f32), high.to_array().map(|x| x as f32))
}
