//! The iterations of one solve on the device: point constraints and bounded rows of any kind, with the
//! relaxation and extrapolation of a schedule. Everything else of the step stays with the CPU solver, which
//! hands its equations over and takes velocities and multipliers back.

mod kernels;

use std::time::Instant;

use cubecl::prelude::*;
use drystone_device::{Buffer, Device, DeviceError, Gpu, Job, UNITS};

use super::equations::{Equations, SweepTimes, Sweeper, Turn, Turns, Unknowns};
use kernels::{sweep_bodies, sweep_points, sweep_rows};

/// A sweeper on a device.
pub fn sweeper(device: &Device) -> Box<dyn Sweeper> {
    struct Make;
    impl Job for Make {
        type Output = Box<dyn Sweeper>;
        fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output {
            Box::new(DeviceSweeper { gpu: gpu.clone() })
        }
    }
    device.run(Make)
}

struct DeviceSweeper<R: Runtime> {
    gpu: Gpu<R>,
}

impl<R: Runtime> Sweeper for DeviceSweeper<R> {
    fn device(&self) -> &str {
        self.gpu.name()
    }

    fn sweep(
        &mut self,
        equations: &Equations,
        unknowns: &mut Unknowns,
        turns: &Turns,
        times: &mut SweepTimes,
    ) -> Result<(), DeviceError> {
        let gpu = &self.gpu;
        let start = Instant::now();
        let sweep = Sweep::new(gpu, equations, unknowns);
        gpu.sync()?;
        times.upload += start.elapsed().as_secs_f64();
        let each = times.each_kernel;
        timed(gpu, each, &mut times.bodies, || sweep.bodies(gpu))?;
        for turn in &turns.turn {
            timed(gpu, each, &mut times.constraints, || sweep.constraints(gpu, *turn, turns.nesterov))?;
            timed(gpu, each, &mut times.bodies, || sweep.bodies(gpu))?;
        }
        gpu.sync()?;
        let start = Instant::now();
        sweep.read(gpu, unknowns)?;
        times.download += start.elapsed().as_secs_f64();
        Ok(())
    }
}

/// Launches kernels, and if they are to be measured waits for them.
fn timed<R: Runtime>(
    gpu: &Gpu<R>,
    measured: bool,
    seconds: &mut f64,
    launch: impl FnOnce(),
) -> Result<(), DeviceError> {
    if !measured {
        launch();
        return Ok(());
    }
    let start = Instant::now();
    launch();
    gpu.sync()?;
    *seconds += start.elapsed().as_secs_f64();
    Ok(())
}

/// Equations and unknowns on the device.
struct Sweep {
    bodies: usize,
    points: usize,
    rows: usize,
    body: Buffer<f32>,
    point_ends: Buffer<u32>,
    point: Buffer<f32>,
    row_ends: Buffer<u32>,
    row: Buffer<f32>,
    first: Buffer<u32>,
    entry: Buffer<u32>,
    velocity: Buffer<f32>,
    point_impulse: Impulses,
    row_impulse: Impulses,
}

/// Multipliers and what their extrapolation starts from.
struct Impulses {
    now: Buffer<f32>,
    before: Buffer<f32>,
}

impl Impulses {
    fn new<R: Runtime>(gpu: &Gpu<R>, words: &[f32]) -> Self {
        Self { now: Buffer::from_slice(gpu, words), before: Buffer::from_slice(gpu, words) }
    }
}

impl Sweep {
    fn new<R: Runtime>(gpu: &Gpu<R>, equations: &Equations, unknowns: &Unknowns) -> Self {
        let body = Buffer::from_slice(gpu, equations.body.words());
        Self {
            bodies: equations.body.len(),
            points: equations.point.len(),
            rows: equations.row.len(),
            velocity: Buffer::new(gpu, body.len() / super::equations::BODY_WORDS * 6),
            body,
            point_ends: Buffer::from_slice(gpu, equations.point_ends.words()),
            point: Buffer::from_slice(gpu, equations.point.words()),
            row_ends: Buffer::from_slice(gpu, equations.row_ends.words()),
            row: Buffer::from_slice(gpu, equations.row.words()),
            first: Buffer::from_slice(gpu, &equations.first),
            entry: Buffer::from_slice(gpu, &equations.entry),
            point_impulse: Impulses::new(gpu, unknowns.point.words()),
            row_impulse: Impulses::new(gpu, unknowns.row.words()),
        }
    }

    fn constraints<R: Runtime>(&self, gpu: &Gpu<R>, turn: Turn, nesterov: bool) {
        if self.points > 0 {
            sweep_points::launch::<R>(
                gpu.client(),
                gpu.cubes_for(self.points),
                CubeDim::new_1d(UNITS),
                self.point_ends.arg(),
                self.point.arg(),
                self.velocity.arg(),
                self.point_impulse.now.arg(),
                self.point_impulse.before.arg(),
                self.points as u32,
                turn.relaxation,
                turn.weight,
                nesterov,
            );
        }
        if self.rows > 0 {
            sweep_rows::launch::<R>(
                gpu.client(),
                gpu.cubes_for(self.rows),
                CubeDim::new_1d(UNITS),
                self.row_ends.arg(),
                self.row.arg(),
                self.velocity.arg(),
                self.row_impulse.now.arg(),
                self.row_impulse.before.arg(),
                self.rows as u32,
                turn.relaxation,
                turn.weight,
                nesterov,
            );
        }
    }

    fn bodies<R: Runtime>(&self, gpu: &Gpu<R>) {
        if self.bodies == 0 {
            return;
        }
        sweep_bodies::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.bodies),
            CubeDim::new_1d(UNITS),
            self.body.arg(),
            self.first.arg(),
            self.entry.arg(),
            self.point.arg(),
            self.point_impulse.now.arg(),
            self.row.arg(),
            self.row_impulse.now.arg(),
            self.velocity.arg(),
            self.bodies as u32,
        );
    }

    fn read<R: Runtime>(&self, gpu: &Gpu<R>, unknowns: &mut Unknowns) -> Result<(), DeviceError> {
        unknowns.velocity.set(self.bodies, self.velocity.read(gpu)?);
        unknowns.point.set(self.points, self.point_impulse.now.read(gpu)?);
        unknowns.row.set(self.rows, self.row_impulse.now.read(gpu)?);
        Ok(())
    }
}
