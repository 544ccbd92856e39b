//! The iterations of one solve on the device: point constraints and bounded rows of any kind, with the
//! relaxation and extrapolation of a schedule. Everything else of the step stays with the CPU solver, which
//! hands its equations over and takes velocities and multipliers back.

use cubecl::prelude::*;
use drystone_device::{Buffer, Device, DeviceError, Gpu, Job, UNITS};
use drystone_kernels::single::jacobi::{
    accelerated, multiplier_step, point_rate, velocity_step, wrench_on_child, wrench_on_parent,
};
use drystone_kernels::single::math::{Mat3, Vec3, Vec6};
use drystone_kernels::single::rows::{RowBounds, RowJacobian, row_step, within_bounds};

use super::memory::*;
use super::system::IMMOVABLE;

/// The equations of a solve. Arrays are component-major: component `c` of item `i` is at `c · items + i`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equations<'a> {
    /// Number of bodies.
    pub bodies: usize,
    /// Inverse mass, inverse inertia (xx, xy, xz, yy, yz, zz), free velocity: [`Equations::BODY`] components.
    pub body: &'a [f32],
    /// First and second bodies of the point constraints, or [`IMMOVABLE`].
    pub point_ends: &'a [u32],
    /// Levers on the first and second body, inverse block, bias: [`Equations::POINT`] components.
    pub point: &'a [f32],
    /// First and second bodies of the blocks of rows, or [`IMMOVABLE`].
    pub row_ends: &'a [u32],
    /// Linear, first and second angular directions by rows, inverse block, softness, bias, lower and upper
    /// bounds, friction: [`Equations::ROW`] components.
    pub row: &'a [f32],
    /// Where the list of each body starts, and one past the last.
    pub first: &'a [u32],
    /// Lists of `4 · constraint + 2 if it is a block of rows + 1 if the body is its second`.
    pub entry: &'a [u32],
}

impl Equations<'_> {
    /// Components of a body.
    pub const BODY: usize = 13;
    /// Components of a point constraint.
    pub const POINT: usize = 15;
    /// Components of a block of rows.
    pub const ROW: usize = 46;
    /// Components of multipliers: the current ones and those extrapolation starts from.
    pub const IMPULSE: usize = 6;
    /// Components of a velocity.
    pub const VELOCITY: usize = 6;
}

/// What a solve changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unknowns {
    /// Velocities of the bodies.
    pub velocity: Vec<f32>,
    /// Multipliers of the point constraints.
    pub point: Vec<f32>,
    /// Multipliers of the rows.
    pub row: Vec<f32>,
}

/// One iteration: share of the step, and weight of the extrapolation behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Relaxation.
    pub relaxation: f32,
    /// Weight.
    pub weight: f32,
}

/// Something that runs iterations.
pub trait Sweeper: Send {
    /// Runs `turns` on the unknowns. With `nesterov`, extrapolation starts from the step before it was
    /// extrapolated instead of from the multipliers before the step.
    fn sweep(
        &mut self,
        equations: &Equations,
        unknowns: &mut Unknowns,
        turns: &[Turn],
        nesterov: bool,
    ) -> Result<(), DeviceError>;
}

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
    fn sweep(
        &mut self,
        equations: &Equations,
        unknowns: &mut Unknowns,
        turns: &[Turn],
        nesterov: bool,
    ) -> Result<(), DeviceError> {
        let gpu = &self.gpu;
        let sweep = Sweep::new(gpu, equations, unknowns);
        for turn in turns {
            sweep.constraints(gpu, *turn, nesterov);
            sweep.bodies(gpu);
        }
        unknowns.velocity = sweep.velocity.read(gpu)?;
        unknowns.point = sweep.point_impulse.read(gpu)?;
        unknowns.row = sweep.row_impulse.read(gpu)?;
        Ok(())
    }
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
    point_impulse: Buffer<f32>,
    row_impulse: Buffer<f32>,
}

impl Sweep {
    fn new<R: Runtime>(gpu: &Gpu<R>, equations: &Equations, unknowns: &Unknowns) -> Self {
        Self {
            bodies: equations.bodies,
            points: equations.point_ends.len() / 2,
            rows: equations.row_ends.len() / 2,
            body: Buffer::from_slice(gpu, equations.body),
            point_ends: Buffer::from_slice(gpu, equations.point_ends),
            point: Buffer::from_slice(gpu, equations.point),
            row_ends: Buffer::from_slice(gpu, equations.row_ends),
            row: Buffer::from_slice(gpu, equations.row),
            first: Buffer::from_slice(gpu, equations.first),
            entry: Buffer::from_slice(gpu, equations.entry),
            velocity: Buffer::from_slice(gpu, &unknowns.velocity),
            point_impulse: Buffer::from_slice(gpu, &unknowns.point),
            row_impulse: Buffer::from_slice(gpu, &unknowns.row),
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
                self.point_impulse.arg(),
                self.bodies as u32,
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
                self.row_impulse.arg(),
                self.bodies as u32,
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
            self.point_impulse.arg(),
            self.row.arg(),
            self.row_impulse.arg(),
            self.velocity.arg(),
            self.bodies as u32,
            self.points as u32,
            self.rows as u32,
        );
    }
}

#[cube]
fn velocity_of(velocity: &Array<f32>, body: u32, bodies: u32) -> Vec6 {
    let mut v = zero6();
    if body != IMMOVABLE {
        v = load_vec6(velocity, body, bodies);
    }
    v
}

/// Stores the extrapolated multipliers and what the next extrapolation starts from.
#[cube]
fn store_step(impulse: &mut Array<f32>, i: u32, items: u32, stepped: Vec3, weight: f32, #[comptime] nesterov: bool) {
    let p = load_vec3(impulse, i, items);
    let previous = load_vec3(impulse, i + 3u32 * items, items);
    store_vec3(impulse, i, items, accelerated(stepped, previous, weight));
    if nesterov {
        store_vec3(impulse, i + 3u32 * items, items, stepped);
    } else {
        store_vec3(impulse, i + 3u32 * items, items, p);
    }
}

#[cube(launch)]
fn sweep_points(
    ends: &Array<u32>,
    point: &Array<f32>,
    velocity: &Array<f32>,
    impulse: &mut Array<f32>,
    bodies: u32,
    points: u32,
    relaxation: f32,
    weight: f32,
    #[comptime] nesterov: bool,
) {
    if ABSOLUTE_POS < points as usize {
        let i = ABSOLUTE_POS as u32;
        let v0 = velocity_of(velocity, ends[ABSOLUTE_POS], bodies);
        let v1 = velocity_of(velocity, ends[(points + i) as usize], bodies);
        let r0 = load_vec3(point, i, points);
        let r1 = load_vec3(point, i + 3u32 * points, points);
        let inverse = load_sym3(point, i + 6u32 * points, points);
        let bias = load_vec3(point, i + 12u32 * points, points);
        let p = load_vec3(impulse, i, points);
        let stepped = multiplier_step(p, inverse, point_rate(v0, v1, r0, r1), bias, relaxation);
        store_step(impulse, i, points, stepped, weight, nesterov);
    }
}

#[cube]
fn load_mat3(from: &Array<f32>, first: u32, stride: u32) -> Mat3 {
    Mat3 {
        r0: load_vec3(from, first, stride),
        r1: load_vec3(from, first + 3u32 * stride, stride),
        r2: load_vec3(from, first + 6u32 * stride, stride),
    }
}

#[cube]
fn load_jacobian(row: &Array<f32>, i: u32, rows: u32) -> RowJacobian {
    RowJacobian {
        linear: load_mat3(row, i, rows),
        angular0: load_mat3(row, i + 9u32 * rows, rows),
        angular1: load_mat3(row, i + 18u32 * rows, rows),
    }
}

#[cube(launch)]
fn sweep_rows(
    ends: &Array<u32>,
    row: &Array<f32>,
    velocity: &Array<f32>,
    impulse: &mut Array<f32>,
    bodies: u32,
    rows: u32,
    relaxation: f32,
    weight: f32,
    #[comptime] nesterov: bool,
) {
    if ABSOLUTE_POS < rows as usize {
        let i = ABSOLUTE_POS as u32;
        let v0 = velocity_of(velocity, ends[ABSOLUTE_POS], bodies);
        let v1 = velocity_of(velocity, ends[(rows + i) as usize], bodies);
        let rate = load_jacobian(row, i, rows).rate(v0, v1);
        let inverse = load_sym3(row, i + 27u32 * rows, rows);
        let softness = load_vec3(row, i + 33u32 * rows, rows);
        let bias = load_vec3(row, i + 36u32 * rows, rows);
        let bounds = RowBounds {
            lower: load_vec3(row, i + 39u32 * rows, rows),
            upper: load_vec3(row, i + 42u32 * rows, rows),
            friction: row[(i + 45u32 * rows) as usize],
        };
        let p = load_vec3(impulse, i, rows);
        let stepped = within_bounds(row_step(p, inverse, rate, bias, softness, relaxation), bounds);
        store_step(impulse, i, rows, stepped, weight, nesterov);
    }
}

#[cube(launch)]
fn sweep_bodies(
    body: &Array<f32>,
    first: &Array<u32>,
    entry: &Array<u32>,
    point: &Array<f32>,
    point_impulse: &Array<f32>,
    row: &Array<f32>,
    row_impulse: &Array<f32>,
    velocity: &mut Array<f32>,
    bodies: u32,
    points: u32,
    rows: u32,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let mut wrench = zero6();
        for at in first[ABSOLUTE_POS]..first[ABSOLUTE_POS + 1] {
            let code = entry[at as usize];
            let constraint = code / 4u32;
            let second = code % 2u32 == 1u32;
            if (code / 2u32) % 2u32 == 0u32 {
                let p = load_vec3(point_impulse, constraint, points);
                if second {
                    let lever = load_vec3(point, constraint + 3u32 * points, points);
                    wrench = wrench.add(wrench_on_child(p, lever));
                } else {
                    let lever = load_vec3(point, constraint, points);
                    wrench = wrench.add(wrench_on_parent(p, lever));
                }
            } else {
                let p = load_vec3(row_impulse, constraint, rows);
                let jacobian = load_jacobian(row, constraint, rows);
                if second {
                    wrench = wrench.add(jacobian.wrench_on_child(p));
                } else {
                    wrench = wrench.add(jacobian.wrench_on_parent(p));
                }
            }
        }
        let inverse_inertia = load_sym3(body, i + bodies, bodies);
        let free = load_vec6(body, i + 7u32 * bodies, bodies);
        store_vec6(velocity, i, bodies, velocity_step(free, wrench, body[ABSOLUTE_POS], inverse_inertia));
    }
}
