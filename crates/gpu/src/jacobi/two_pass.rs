//! Frames of any graph, everything in the device's main memory. In two passes an iteration is a launch
//! over the constraints and one over the bodies. In one pass it is a launch over the bodies, each of which
//! works out the new multipliers of its constraints for itself: twice the arithmetic, half the launches,
//! and the same numbers to the last bit.

use cubecl::prelude::*;
use drystone_device::{Buffer, DeviceError, Gpu, Phases, UNITS};
use drystone_kernels::single::jacobi::{
    FreeMotion, end_of_step, free_motion, inverse_block, multiplier_step, point_mobility, point_rate, velocity_step,
    wrench_on_child, wrench_on_parent,
};
use drystone_kernels::single::math::{Sym3, Vec3};
use drystone_kernels::single::rotation::{exp, world_inertia};

use super::memory::*;
use super::system::{IMMOVABLE, PointState, PointSystem, StepOptions};

/// A system on the device, of any shape.
#[derive(Debug)]
pub(super) struct TwoPass {
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
    body: Buffer<f32>,
    impulse: Buffer<f32>,
    /// Free velocity, free rotation, inverse inertia in the world frame.
    prepared_body: Buffer<f32>,
    /// Levers on both bodies, inverse block, bias.
    prepared_constraint: Buffer<f32>,
    velocity: Buffer<f32>,
    /// What a single pass writes while it reads `impulse` and `velocity`.
    next_impulse: Buffer<f32>,
    next_velocity: Buffer<f32>,
}

/// Words of a prepared body: free velocity, inverse inertia, free rotation.
const BODY_WORDS: u32 = 15;
/// Words of a prepared constraint: both levers, inverse block, bias.
const CONSTRAINT_WORDS: u32 = 15;

impl TwoPass {
    pub fn new<R: Runtime>(gpu: &Gpu<R>, system: &PointSystem, one_pass: bool) -> Self {
        let (bodies, constraints) = (system.body_count(), system.constraint_count());
        let (first_entry, entry) = connectivity(system);
        let lists = [&system.parent, &system.child, &system.parent_anchor, &system.child_anchor];
        let topology: Vec<u32> = lists.into_iter().flatten().copied().collect();
        let kinds: Vec<f32> = system.kind.iter().flat_map(|kind| kind.words()).collect();
        let anchors: Vec<f32> = system.anchor.iter().flat_map(|a| [a.x, a.y, a.z]).collect();
        Self {
            one_pass,
            bodies,
            constraints,
            round: system.is_round(),
            kinds: Buffer::from_slice(gpu, &kinds),
            anchors: Buffer::from_slice(gpu, &anchors),
            body_kind: Buffer::from_slice(gpu, &system.body_kind),
            topology: Buffer::from_slice(gpu, &topology),
            first_entry: Buffer::from_slice(gpu, &first_entry),
            entry: Buffer::from_slice(gpu, &entry),
            body: Buffer::new(gpu, bodies * PointState::BODY_WORDS),
            impulse: Buffer::new(gpu, constraints * 3),
            prepared_body: Buffer::new(gpu, bodies * BODY_WORDS as usize),
            prepared_constraint: Buffer::new(gpu, constraints * CONSTRAINT_WORDS as usize),
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
        let mut words = vec![0.0; self.bodies * PointState::BODY_WORDS];
        for body in 0..self.bodies {
            for (component, word) in state.body_words(body).into_iter().enumerate() {
                words[component * self.bodies + body] = word;
            }
        }
        self.body.upload(gpu, &words);
        let parts = [|p: &Vec3| p.x, |p: &Vec3| p.y, |p: &Vec3| p.z];
        let words: Vec<f32> = parts.into_iter().flat_map(|part| state.impulse.iter().map(part)).collect();
        self.impulse.upload(gpu, &words);
    }

    /// Brings the device's state back into `state`, which has the right sizes.
    pub fn download<R: Runtime>(&self, gpu: &Gpu<R>, state: &mut PointState) -> Result<(), DeviceError> {
        let words = self.body.read(gpu)?;
        for body in 0..self.bodies {
            state.set_body(body, |component| words[component * self.bodies + body]);
        }
        let words = self.impulse.read(gpu)?;
        for (constraint, p) in state.impulse.iter_mut().enumerate() {
            let word = |component| words[component * self.constraints + constraint];
            *p = Vec3 { x: word(0), y: word(1), z: word(2) };
        }
        Ok(())
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
            self.prepare(gpu, options);
            self.velocity_pass(gpu);
        })?;
        phases.measure(gpu, "iterate", || {
            for _ in 0..options.iterations {
                if self.one_pass {
                    self.single_pass(gpu, options);
                } else {
                    self.multiplier_pass(gpu, options);
                    self.velocity_pass(gpu);
                }
            }
        })?;
        phases.measure(gpu, "integrate", || {
            integrate::launch::<R>(
                gpu.client(),
                gpu.cubes_for(self.bodies),
                CubeDim::new_1d(UNITS),
                self.kinds.arg(),
                self.body_kind.arg(),
                self.prepared_body.arg(),
                self.velocity.arg(),
                self.body.arg(),
                self.bodies as u32,
                options.dt,
                self.round,
            );
        })
    }

    fn prepare<R: Runtime>(&self, gpu: &Gpu<R>, options: &StepOptions) {
        let dim = CubeDim::new_1d(UNITS);
        prepare_bodies::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.bodies),
            dim,
            self.kinds.arg(),
            self.body_kind.arg(),
            self.body.arg(),
            self.prepared_body.arg(),
            self.bodies as u32,
            options.dt,
            self.round,
        );
        if self.constraints == 0 {
            return;
        }
        prepare_constraints::launch::<R>(
            gpu.client(),
            gpu.cubes_for(self.constraints),
            dim,
            self.kinds.arg(),
            self.anchors.arg(),
            self.body_kind.arg(),
            self.topology.arg(),
            self.body.arg(),
            self.prepared_body.arg(),
            self.prepared_constraint.arg(),
            self.bodies as u32,
            self.constraints as u32,
            options.stabilization / options.dt,
        );
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
            self.impulse.arg(),
            self.bodies as u32,
            self.constraints as u32,
            options.relaxation,
            options.stabilization > 0.0,
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
            self.impulse.arg(),
            self.velocity.arg(),
            self.next_impulse.arg(),
            self.next_velocity.arg(),
            self.bodies as u32,
            self.constraints as u32,
            options.relaxation,
            options.stabilization > 0.0,
        );
        std::mem::swap(&mut self.impulse, &mut self.next_impulse);
        std::mem::swap(&mut self.velocity, &mut self.next_velocity);
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
            self.impulse.arg(),
            self.velocity.arg(),
            self.bodies as u32,
            self.constraints as u32,
        );
    }

    /// Bytes of memory that the iterations of a frame move if every word is fetched once per pass:
    /// over the constraints both ends, velocities, levers, block, bias and impulse in and out; over the
    /// bodies entries, impulses and levers of the constraints around, free velocity, inertia, velocity out.
    pub fn bytes_per_frame(&self, options: &StepOptions) -> usize {
        let bias = if options.stabilization > 0.0 { 3 } else { 0 };
        let multiplier = self.constraints * (2 + 6 + 6 + bias + 3 + 3) + self.bodies * 6;
        let velocity = self.bodies * (1 + 1 + 6 + 6 + 6) + self.entry.len() + self.constraints * (3 + 6);
        if self.one_pass {
            // What the second pass fetches again is at hand: impulses and levers.
            return 4 * options.iterations as usize * (multiplier + velocity - self.constraints * (3 + 6));
        }
        4 * options.iterations as usize * (multiplier + velocity)
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

#[cube(launch)]
fn prepare_bodies(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    body: &Array<f32>,
    prepared: &mut Array<f32>,
    bodies: u32,
    dt: f32,
    #[comptime] round: bool,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let kind = load_kind(kinds, body_kind[ABSOLUTE_POS]);
        let q = load_quat(body, i + 3u32 * bodies, bodies);
        let v = load_vec6(body, i + 7u32 * bodies, bodies);
        let mut free = FreeMotion { velocity: v, rotation: zero3() };
        if round {
            free.velocity.l = v.l.add_scaled(kind.gravity, dt);
        } else {
            free = free_motion(q, v, kind.gravity, zero3(), kind.inertia, kind.inverse_inertia, dt);
            store_vec3(prepared, i + 12u32 * bodies, bodies, free.rotation);
        }
        store_vec6(prepared, i, bodies, free.velocity);
        store_sym3(prepared, i + 6u32 * bodies, bodies, world_inertia(q, kind.inverse_inertia));
    }
}

#[cube(launch)]
fn prepare_constraints(
    kinds: &Array<f32>,
    anchors: &Array<f32>,
    body_kind: &Array<u32>,
    topology: &Array<u32>,
    body: &Array<f32>,
    prepared_body: &Array<f32>,
    prepared: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
    bias_rate: f32,
) {
    if ABSOLUTE_POS < constraints as usize {
        let i = ABSOLUTE_POS as u32;
        let parent = topology[ABSOLUTE_POS];
        let child = topology[(constraints + i) as usize];
        let anchor0 = load_anchor(anchors, topology[(2u32 * constraints + i) as usize]);
        let anchor1 = load_anchor(anchors, topology[(3u32 * constraints + i) as usize]);
        let r1 = load_quat(body, child + 3u32 * bodies, bodies).rotate(anchor1);
        let to = load_vec3(body, child, bodies).add(r1);
        let mut delassus = mobility(kinds, body_kind, prepared_body, child, r1, bodies);
        let mut r0 = zero3();
        let mut from = anchor0;
        if parent != IMMOVABLE {
            r0 = load_quat(body, parent + 3u32 * bodies, bodies).rotate(anchor0);
            from = load_vec3(body, parent, bodies).add(r0);
            delassus = delassus.add(mobility(kinds, body_kind, prepared_body, parent, r0, bodies));
        }
        store_vec3(prepared, i, constraints, r0);
        store_vec3(prepared, i + 3u32 * constraints, constraints, r1);
        store_sym3(prepared, i + 6u32 * constraints, constraints, inverse_block(delassus));
        store_vec3(prepared, i + 12u32 * constraints, constraints, to.sub(from).scale(bias_rate));
    }
}

#[cube]
fn mobility(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    prepared_body: &Array<f32>,
    body: u32,
    lever: Vec3,
    bodies: u32,
) -> Sym3 {
    let inverse_mass = kinds[(body_kind[body as usize] * KIND_WORDS) as usize];
    let inverse_inertia = load_sym3(prepared_body, body + 6u32 * bodies, bodies);
    point_mobility(inverse_mass, inverse_inertia, lever)
}

#[cube(launch)]
fn update_multipliers(
    topology: &Array<u32>,
    prepared: &Array<f32>,
    velocity: &Array<f32>,
    impulse: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
    relaxation: f32,
    #[comptime] stabilized: bool,
) {
    if ABSOLUTE_POS < constraints as usize {
        let i = ABSOLUTE_POS as u32;
        let parent = topology[ABSOLUTE_POS];
        let child = topology[(constraints + i) as usize];
        let r0 = load_vec3(prepared, i, constraints);
        let r1 = load_vec3(prepared, i + 3u32 * constraints, constraints);
        let inverse = load_sym3(prepared, i + 6u32 * constraints, constraints);
        let mut bias = zero3();
        if stabilized {
            bias = load_vec3(prepared, i + 12u32 * constraints, constraints);
        }
        let mut v0 = zero6();
        if parent != IMMOVABLE {
            v0 = load_vec6(velocity, parent, bodies);
        }
        let v1 = load_vec6(velocity, child, bodies);
        let p = load_vec3(impulse, i, constraints);
        let p = multiplier_step(p, inverse, point_rate(v0, v1, r0, r1), bias, relaxation);
        store_vec3(impulse, i, constraints, p);
    }
}

/// One iteration of a body and all constraints around it. Both ends of a constraint find the same new
/// multiplier; its second body, which always moves, stores it.
#[cube(launch)]
fn update_both(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    topology: &Array<u32>,
    first_entry: &Array<u32>,
    entry: &Array<u32>,
    prepared_body: &Array<f32>,
    prepared: &Array<f32>,
    impulse: &Array<f32>,
    velocity: &Array<f32>,
    next_impulse: &mut Array<f32>,
    next_velocity: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
    relaxation: f32,
    #[comptime] stabilized: bool,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let own = load_vec6(velocity, i, bodies);
        let mut wrench = zero6();
        for at in first_entry[ABSOLUTE_POS]..first_entry[ABSOLUTE_POS + 1] {
            let code = entry[at as usize];
            let constraint = code / 2u32;
            let second = code % 2u32 == 1u32;
            let r0 = load_vec3(prepared, constraint, constraints);
            let r1 = load_vec3(prepared, constraint + 3u32 * constraints, constraints);
            let inverse = load_sym3(prepared, constraint + 6u32 * constraints, constraints);
            let mut bias = zero3();
            if stabilized {
                bias = load_vec3(prepared, constraint + 12u32 * constraints, constraints);
            }
            let mut v0 = own;
            let mut v1 = own;
            if second {
                let parent = topology[constraint as usize];
                v0 = zero6();
                if parent != IMMOVABLE {
                    v0 = load_vec6(velocity, parent, bodies);
                }
            } else {
                v1 = load_vec6(velocity, topology[(constraints + constraint) as usize], bodies);
            }
            let p = load_vec3(impulse, constraint, constraints);
            let p = multiplier_step(p, inverse, point_rate(v0, v1, r0, r1), bias, relaxation);
            if second {
                store_vec3(next_impulse, constraint, constraints, p);
                wrench = wrench.add(wrench_on_child(p, r1));
            } else {
                wrench = wrench.add(wrench_on_parent(p, r0));
            }
        }
        let inverse_mass = kinds[(body_kind[ABSOLUTE_POS] * KIND_WORDS) as usize];
        let inverse_inertia = load_sym3(prepared_body, i + 6u32 * bodies, bodies);
        let free = load_vec6(prepared_body, i, bodies);
        store_vec6(next_velocity, i, bodies, velocity_step(free, wrench, inverse_mass, inverse_inertia));
    }
}

#[cube(launch)]
fn update_velocities(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    first_entry: &Array<u32>,
    entry: &Array<u32>,
    prepared_body: &Array<f32>,
    prepared_constraint: &Array<f32>,
    impulse: &Array<f32>,
    velocity: &mut Array<f32>,
    bodies: u32,
    constraints: u32,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let mut wrench = zero6();
        for at in first_entry[ABSOLUTE_POS]..first_entry[ABSOLUTE_POS + 1] {
            let code = entry[at as usize];
            let constraint = code / 2u32;
            let side = code % 2u32;
            let p = load_vec3(impulse, constraint, constraints);
            let lever = load_vec3(prepared_constraint, constraint + side * 3u32 * constraints, constraints);
            if side == 0u32 {
                wrench = wrench.add(wrench_on_parent(p, lever));
            } else {
                wrench = wrench.add(wrench_on_child(p, lever));
            }
        }
        let inverse_mass = kinds[(body_kind[ABSOLUTE_POS] * KIND_WORDS) as usize];
        let inverse_inertia = load_sym3(prepared_body, i + 6u32 * bodies, bodies);
        let free = load_vec6(prepared_body, i, bodies);
        store_vec6(velocity, i, bodies, velocity_step(free, wrench, inverse_mass, inverse_inertia));
    }
}

#[cube(launch)]
fn integrate(
    kinds: &Array<f32>,
    body_kind: &Array<u32>,
    prepared: &Array<f32>,
    velocity: &Array<f32>,
    body: &mut Array<f32>,
    bodies: u32,
    dt: f32,
    #[comptime] round: bool,
) {
    if ABSOLUTE_POS < bodies as usize {
        let i = ABSOLUTE_POS as u32;
        let x = load_vec3(body, i, bodies);
        let q = load_quat(body, i + 3u32 * bodies, bodies);
        let solved = load_vec6(velocity, i, bodies);
        if round {
            store_vec3(body, i, bodies, x.add_scaled(solved.l, dt));
            store_quat(body, i + 3u32 * bodies, bodies, exp(solved.a.scale(dt)).mul(q).normalize());
            store_vec6(body, i + 7u32 * bodies, bodies, solved);
        } else {
            let kind = load_kind(kinds, body_kind[ABSOLUTE_POS]);
            let free = FreeMotion {
                velocity: load_vec6(prepared, i, bodies),
                rotation: load_vec3(prepared, i + 12u32 * bodies, bodies),
            };
            let end = end_of_step(q, free, solved, kind.inertia, kind.inverse_inertia, dt);
            store_vec3(body, i, bodies, x.add(end.displacement));
            store_quat(body, i + 3u32 * bodies, bodies, end.orientation);
            store_vec6(body, i + 7u32 * bodies, bodies, end.velocity);
        }
    }
}
