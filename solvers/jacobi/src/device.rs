//! The iterations of a solve on a GPU.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::gpu::{Equations, SweepTimes, Sweeper, Turn, Turns, Unknowns, open_sweeper};
use drystone_device::{DeviceChoice, DeviceError};
use drystone_solve::clock::Clock;
use drystone_solve::report::Phase;

use super::schedule::Schedule;

/// Runs iterations on a device. A failure is kept until asked for: the passes go on with what they have, and the
/// step that is their owner is given up.
pub struct DeviceSweeper(Mutex<Work>);

struct Work {
    sweeper: Box<dyn Sweeper>,
    equations: Equations,
    unknowns: Unknowns,
    turns: Turns,
    times: SweepTimes,
    fault: Option<DeviceError>,
}

/// Equations that can be handed to a device.
pub trait Offload {
    /// Writes the equations and the multipliers at the start.
    fn hand_over(&self, equations: &mut Equations, unknowns: &mut Unknowns);

    /// Reads velocities and multipliers at the end.
    fn take_back(&mut self, unknowns: &Unknowns);
}

impl fmt::Debug for DeviceSweeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeviceSweeper").field(&self.work().sweeper.device()).finish()
    }
}

impl DeviceSweeper {
    /// A sweeper on the device asked for; `each_kernel` measures kernels one by one.
    pub fn open(choice: DeviceChoice, each_kernel: bool) -> Result<Self, DeviceError> {
        Ok(Self(Mutex::new(Work {
            sweeper: open_sweeper(choice)?,
            equations: Equations::default(),
            unknowns: Unknowns::default(),
            turns: Turns::default(),
            times: SweepTimes { each_kernel, ..SweepTimes::default() },
            fault: None,
        })))
    }

    /// The device in words.
    pub fn name(&self) -> String {
        self.work().sweeper.device().to_owned()
    }

    /// Runs the iterations of a schedule.
    pub fn sweep(&self, system: &mut impl Offload, schedule: &Schedule) {
        let mut work = self.work();
        let Work { sweeper, equations, unknowns, turns, times, fault } = &mut *work;
        system.hand_over(equations, unknowns);
        turns.nesterov = schedule.nesterov;
        turns.turn.clear();
        turns.turn.extend(
            schedule.turns.iter().map(|turn| Turn { relaxation: turn.relaxation as f32, weight: turn.weight as f32 }),
        );
        match sweeper.sweep(equations, unknowns, turns, times) {
            Ok(()) => system.take_back(unknowns),
            Err(error) => *fault = Some(error),
        }
    }

    /// What went wrong since the last call, if anything.
    pub fn take_fault(&self) -> Option<DeviceError> {
        self.work().fault.take()
    }

    /// Books the time of the sweeps since the last call on phases of their own; the clock has it under `booked`.
    pub fn book(&self, clock: &mut Clock, booked: Phase) {
        let mut work = self.work();
        let times = work.times;
        work.times = SweepTimes { each_kernel: times.each_kernel, ..SweepTimes::default() };
        let phases = [
            (Phase::Upload, times.upload),
            (Phase::ConstraintKernels, times.constraints),
            (Phase::BodyKernels, times.bodies),
            (Phase::Download, times.download),
        ];
        for (phase, seconds) in phases.into_iter().filter(|(_, seconds)| *seconds > 0.0) {
            clock.rebook(booked, phase, seconds);
        }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        // A panic elsewhere leaves plain numbers behind, which the next sweep writes anew.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
