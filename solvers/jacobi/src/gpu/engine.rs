//! A system that lives on the device.

use cubecl::prelude::*;
use drystone_device::{DeviceError, Gpu, Phases};

use super::fused::Fused;
use super::pack::Packing;
use super::passes::Passes;
use super::system::{PointState, PointSystem, StepOptions};

/// How steps are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// Groups stay with their workgroups; a launch takes whole frames.
    Fused,
    /// One launch per iteration, over the bodies.
    OnePass,
    /// Two launches per iteration, over the constraints and over the bodies.
    TwoPass,
}

/// Widest workgroup of the fused strategy. Wider ones would keep the device waiting at their barriers.
const MAX_WIDTH: u32 = 256;

/// Constraints from which on two passes over memory cost more than launches. Below, one pass saves half
/// of the launches.
const MANY: usize = 1 << 19;

/// A system of bodies joined at points that lives on the device. State moves between host and device
/// only by [`upload`](PointEngine::upload) and [`download`](PointEngine::download).
#[derive(Debug)]
pub struct PointEngine {
    strategy: Strategy,
}

#[derive(Debug)]
enum Strategy {
    Fused(Box<Fused>),
    Passes(Box<Passes>),
}

impl PointEngine {
    /// Puts a system on the device: fused if all its connected groups fit workgroups, otherwise in one
    /// pass or two by its size.
    pub fn new<R: Runtime>(gpu: &Gpu<R>, system: &PointSystem) -> Self {
        match Packing::new(system, MAX_WIDTH) {
            Some(packing) => Self { strategy: Strategy::Fused(Box::new(Fused::new(gpu, system, packing))) },
            None => Self::unpacked(gpu, system, system.constraint_count() < MANY),
        }
    }

    /// Puts a system on the device to be stepped in one pass or in two, whatever its groups.
    pub fn unpacked<R: Runtime>(gpu: &Gpu<R>, system: &PointSystem, one_pass: bool) -> Self {
        Self { strategy: Strategy::Passes(Box::new(Passes::new(gpu, system, one_pass))) }
    }

    /// The strategy that was chosen.
    pub fn execution(&self) -> Execution {
        match &self.strategy {
            Strategy::Fused(_) => Execution::Fused,
            Strategy::Passes(passes) if passes.is_one() => Execution::OnePass,
            Strategy::Passes(_) => Execution::TwoPass,
        }
    }

    /// Takes `state` to the device.
    pub fn upload<R: Runtime>(&mut self, gpu: &Gpu<R>, state: &PointState) {
        match &mut self.strategy {
            Strategy::Fused(fused) => fused.upload(gpu, state),
            Strategy::Passes(passes) => passes.upload(gpu, state),
        }
    }

    /// Waits for the device and brings its state back into `state`, which has the sizes of the system.
    pub fn download<R: Runtime>(&self, gpu: &Gpu<R>, state: &mut PointState) -> Result<(), DeviceError> {
        match &self.strategy {
            Strategy::Fused(fused) => fused.download(gpu, state),
            Strategy::Passes(passes) => passes.download(gpu, state),
        }
    }

    /// Takes `count` steps without waiting for them. With phases being measured it does wait.
    pub fn frames<R: Runtime>(
        &mut self,
        gpu: &Gpu<R>,
        options: &StepOptions,
        count: u32,
        phases: &mut Phases,
    ) -> Result<(), DeviceError> {
        match &mut self.strategy {
            Strategy::Fused(fused) => phases.measure(gpu, "frames", || fused.frames(gpu, options, count)),
            Strategy::Passes(passes) => {
                for _ in 0..count {
                    passes.frame(gpu, options, phases)?;
                }
                Ok(())
            }
        }
    }

    /// Bytes of device memory that a frame has to move at least, with every word fetched once per pass.
    pub fn bytes_per_frame(&self, options: &StepOptions) -> usize {
        match &self.strategy {
            Strategy::Fused(fused) => fused.bytes_per_frame(),
            Strategy::Passes(passes) => passes.bytes_per_frame(options),
        }
    }
}
