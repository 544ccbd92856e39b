//! Frames of any graph, everything in the device's main memory. In two passes an iteration is a launch
//! over the constraints and one over the bodies. In one pass it is a launch over the bodies, each of which
//! works out the new multipliers of its constraints for itself: twice the arithmetic, half the launches,
//! and the same numbers to the last bit.

mod finish;
mod iterate;
mod prepare;

use cubecl::prelude::*;
use drystone_device::{Buffer, DeviceError, Gpu, Phases, UNITS};

use super::equations::IMMOVABLE;
use super::system::{PointState, PointSystem, StepOptions};
use super::transfer::{InOrder, StateBuffers};
use finish::integrate;
use iterate::{update_both, update_multipliers, update_velocities};
use prepare::{prepare_bodies, prepare_constraints};

/// A system on the device, of any shape.
#[derive(Debug)]
pub(super) struct Passes {
    one_pass: bool,
    bodies: usize,
    constraints: usize,
    round: bool,
    kinds: Buffer<f32>,
    anchors: Buffer<f32>,
    body_kind: Buffer<u32>,
    /// First bodies, second bodies, anchors on the first, anchors on the second.
    topology: Buffer<u32>,
    /// Where the entries of each body start.
    first_entry: Buffer<u32>,
    /// Constraint · 2 + 1 if the body is its second.
    entry: Buffer<u32>,
    state: StateBuffers,
    /// Free velocity, inverse inertia in the world frame, free rotation.
    prepared_body: Buffer<f32>,
    /// Levers on both bodies, inverse block, bias.
    prepared_constraint: Buffer<f32>,
    velocity: Buffer<f32>,
    /// What a single pass writes while it reads impulses and velocities.
    next_impulse: Buffer<f32>,
    next_velocity: Buffer<f32>,
}

/// Words of a prepared body: velocity before constraints, inverse inertia.
const BODY_WORDS: usize = 12;
/// Words of a prepared constraint: both levers, inverse block, bias.
const CONSTRAINT_WORDS: usize = 15;

impl Passes {
    pub fn new<R: Runtime>(gpu: &Gpu<R>, system: &PointSystem, one_pass: bool) -> Self {
        let (bodies, constraints) = (system.body_count(), system.constraint_count());
        let (first_entry, entry) = connectivity(system);
        let lists = [&system.parent, &system.child, &system.parent_anchor, &system.child_anchor];
        let topology: Vec<u32> = lists.into_iter().flatten().copied().collect();
        Self {
            one_pass,
            bodies,
            constraints,
            round: system.is_round(),
            kinds: Buffer::from_slice(gpu, &system.kind_words()),
            anchors: Buffer::from_slice(gpu, &system.anchor_words()),
            body_kind: Buffer::from_slice(gpu, &system.body_kind),
            topology: Buffer::from_slice(gpu, &topology),
            first_entry: Buffer::from_slice(gpu, &first_entry),
            entry: Buffer::from_slice(gpu, &entry),
            state: StateBuffers::new(gpu, bodies, constraints),
            prepared_body: Buffer::new(gpu, bodies * BODY_WORDS),
            prepared_constraint: Buffer::new(gpu, constraints * CONSTRAINT_WORDS),
            velocity: Buffer::new(gpu, bodies * 6),
            next_impulse: Buffer::new(gpu, if one_pass { constraints * 3 } else { 0 }),
            next_velocity: Buffer::new(gpu, if one_pass { bodies * 6 } else { 0 }),
        }
    }

    /// Whether an iteration is one launch.
    pub fn is_one(&self) -> bool {
        self.one_pass
    }

    /// Takes `state` to the device.
    pub fn upload<R: Runtime>(&mut self, gpu: &Gpu<R>, state: &PointState) {
        self.state.upload(gpu, state, &InOrder);
    }

    /// Brings the device's state back into `state`, which has the right sizes.
    pub fn download<R: Runtime>(&self, gpu: &Gpu<R>, state: &mut PointState) -> Result<(), DeviceError> {
        self.state.download(gpu, state, &InOrder)
    }

    /// Takes one step.
    pub fn frame<R: Runtime>(
        &mut self,
        gpu: &Gpu<R>,
        options: &StepOptions,
        phases: &mut Phases,
    ) -> Result<(), DeviceError> {
        if self.bodies == 0 {
            return Ok(());
        }
        phases.measure(gpu, "prepare", || {
            self.prepare_bodies(gpu, options);
            self.prepare_constraints(gpu, options);
            self.velocity_pass(gpu);
        })?;
        phases.measure(gpu, "iterate", || (0..options.iterations).for_each(|_| self.iteration(gpu, options)))?;
        phases.measure(gpu, "integrate", || self.integrate(gpu, options))
    }

    fn prepare_bodies<R: Runtime>(&self, gpu: &Gpu<R>, options: &StepOptions) {
        prepare_bodies::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.bodies),
            CubeDim::new_1d(UNITS),
            self.kinds.arg(),
            self.body_kind.arg(),
            self.state.body.arg(),
            self.prepared_body.arg(),
            self.bodies as u32,
            options.dt,
        );
    }

    fn prepare_constraints<R: Runtime>(&self, gpu: &Gpu<R>, options: &StepOptions) {
        if self.constraints == 0 {
            return;
        }
        prepare_constraints::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.constraints),
            CubeDim::new_1d(UNITS),
            self.kinds.arg(),
            self.anchors.arg(),
            self.body_kind.arg(),
            self.topology.arg(),
            self.state.body.arg(),
            self.prepared_body.arg(),
            self.prepared_constraint.arg(),
            self.bodies as u32,
            self.constraints as u32,
            options.stabilization / options.dt,
        );
    }

    fn iteration<R: Runtime>(&mut self, gpu: &Gpu<R>, options: &StepOptions) {
        if self.one_pass {
            self.single_pass(gpu, options);
        } else {
            self.multiplier_pass(gpu, options);
            self.velocity_pass(gpu);
        }
    }

    fn multiplier_pass<R: Runtime>(&self, gpu: &Gpu<R>, options: &StepOptions) {
        if self.constraints == 0 {
            return;
        }
        update_multipliers::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.constraints),
            CubeDim::new_1d(UNITS),
            self.topology.arg(),
            self.prepared_constraint.arg(),
            self.velocity.arg(),
            self.state.impulse.arg(),
            self.bodies as u32,
            self.constraints as u32,
            options.relaxation,
            options.stabilization > 0.0,
        );
    }

    fn velocity_pass<R: Runtime>(&self, gpu: &Gpu<R>) {
        update_velocities::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.bodies),
            CubeDim::new_1d(UNITS),
            self.kinds.arg(),
            self.body_kind.arg(),
            self.first_entry.arg(),
            self.entry.arg(),
            self.prepared_body.arg(),
            self.prepared_constraint.arg(),
            self.state.impulse.arg(),
            self.velocity.arg(),
            self.bodies as u32,
            self.constraints as u32,
        );
    }

    fn single_pass<R: Runtime>(&mut self, gpu: &Gpu<R>, options: &StepOptions) {
        update_both::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.bodies),
            CubeDim::new_1d(UNITS),
            self.kinds.arg(),
            self.body_kind.arg(),
            self.topology.arg(),
            self.first_entry.arg(),
            self.entry.arg(),
            self.prepared_body.arg(),
            self.prepared_constraint.arg(),
            self.state.impulse.arg(),
            self.velocity.arg(),
            self.next_impulse.arg(),
            self.next_velocity.arg(),
            self.bodies as u32,
            self.constraints as u32,
            options.relaxation,
            options.stabilization > 0.0,
        );
        std::mem::swap(&mut self.state.impulse, &mut self.next_impulse);
        std::mem::swap(&mut self.velocity, &mut self.next_velocity);
    }

    fn integrate<R: Runtime>(&self, gpu: &Gpu<R>, options: &StepOptions) {
        integrate::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.bodies),
            CubeDim::new_1d(UNITS),
            self.kinds.arg(),
            self.body_kind.arg(),
            self.velocity.arg(),
            self.state.body.arg(),
            self.bodies as u32,
            options.dt,
            self.round,
        );
    }

    /// Bytes of memory that the iterations of a frame move if every word is fetched once per pass:
    /// over the constraints both ends, velocities, levers, block, bias and impulse in and out; over the
    /// bodies entries, impulses and levers of the constraints around, free velocity, inertia, velocity out.
    pub fn bytes_per_frame(&self, options: &StepOptions) -> usize {
        let bias = if options.stabilization > 0.0 { 3 } else { 0 };
        let multiplier = self.constraints * (2 + 6 + 6 + bias + 3 + 3) + self.bodies * 6;
        let velocity = self.bodies * (1 + 1 + 6 + 6 + 6) + self.entry.len() + self.constraints * (3 + 6);
        // In one pass what the second would fetch again is at hand: impulses and levers.
        let spared = if self.one_pass { self.constraints * (3 + 6) } else { 0 };
        4 * options.iterations as usize * (multiplier + velocity - spared)
    }
}

/// The constraints of every body: where each list starts, and the lists.
fn connectivity(system: &PointSystem) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; system.body_count() + 1];
    let ends = |constraint: usize| [system.parent[constraint], system.child[constraint]];
    for constraint in 0..system.constraint_count() {
        for body in ends(constraint).into_iter().filter(|&body| body != IMMOVABLE) {
            first[body as usize + 1] += 1;
        }
    }
    for body in 0..system.body_count() {
        first[body + 1] += first[body];
    }
    let mut next = first.clone();
    let mut entry = vec![0; first[system.body_count()] as usize];
    for constraint in 0..system.constraint_count() {
        for (side, body) in ends(constraint).into_iter().enumerate() {
            if body != IMMOVABLE {
                entry[next[body as usize] as usize] = (constraint * 2 + side) as u32;
                next[body as usize] += 1;
            }
        }
    }
    (first, entry)
}
