//! All groups of a model, in one precision.

use drystone_kernels::double;
use drystone_kernels::elementary::powi;
use drystone_model::{DVec3, Model};
use rayon::prelude::*;

use super::super::bodies::{Body, BodyConstants, body_or_world};
use super::super::engine::{Engine, Outcome, StepInput};
use super::super::layout::{Group, Layout, Place, PointJoint, RowPlace};
use super::super::options::{Splitting, Stabilization};
use super::super::schedule::{Schedule, Spectrum};
use super::super::spec::RowSpec;
use super::Real;
use super::bodies::{Constants, Moving, cast, widen};
use super::kernels::jacobi::{inverse_block, point_mobility};
use super::kernels::math::{Sym3, Vec3, Vec6};
use super::lanes::{LANES, Lanes3, at_slot, set_sym3, set_vec3, vec3};
use super::points::{PointBlock, Residual};
use super::system::System;

/// Bodies per task.
const CHUNK: usize = 256;
/// Growth of the residual that is round-off, as a share.
const ROUND_OFF: f64 = 1.0e-2;
/// Growth of the residual that bounds may cause on the way: rows switch on and off.
const BOUNDED_GROWTH: f64 = 10.0;
/// Rates below this many units of round-off of the bodies' speeds are no residual.
const NOISE: f64 = 100.0;

/// Of the impulse of a constraint on its parent and on its child.
const SIGN: [f64; 2] = [-1.0, 1.0];

/// A group with what its constraints are made from.
#[derive(Clone, Debug)]
struct GroupEquations {
    system: System,
    point: Vec<PointJoint>,
    /// Anchors of the point constraints from the centres of mass, body axes \[m\].
    anchor: Vec<[DVec3; 2]>,
    /// Where their impulses act in this step, from the centres of mass, world axes \[m\].
    lever: Vec<[DVec3; 2]>,
    schedule: Schedule,
    /// Estimate of the ratio of the eigenvalues, from the shape of the graph.
    condition: f64,
    /// Whether any multiplier has bounds.
    bounded: bool,
    /// Multipliers of the point constraints while positions are projected.
    saved: Vec<Lanes3>,
}

/// The passes.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    constants: Vec<Constants>,
    moving: Vec<Moving>,
    groups: Vec<GroupEquations>,
}

impl Engine for Passes {
    fn rebuild(&mut self, model: &Model, layout: &Layout) {
        let mut impulses = vec![[0.0; 3]; model.joint_count()];
        self.impulses(&mut impulses);
        let constants = (0..model.body_count()).into_par_iter().with_min_len(CHUNK);
        self.constants = constants.map(|body| Constants::new(&BodyConstants::of(model, body))).collect();
        self.groups = layout.group.par_iter().map(|group| GroupEquations::new(model, group)).collect();
        self.set_impulses(&impulses);
    }

    fn impulses(&self, out: &mut [[f64; 3]]) {
        for equations in &self.groups {
            for (index, point) in equations.point.iter().enumerate() {
                let p = vec3(&equations.system.points[index / LANES].p, index % LANES);
                out[point.joint as usize] = widen(p).to_array();
            }
        }
    }

    fn set_impulses(&mut self, impulses: &[[f64; 3]]) {
        for equations in &mut self.groups {
            for (index, point) in equations.point.iter().enumerate() {
                let p = cast(DVec3::from_array(impulses[point.joint as usize]));
                set_vec3(&mut equations.system.points[index / LANES].p, index % LANES, p);
            }
        }
    }

    fn prepare(&mut self, input: &StepInput) {
        let Self { constants, moving, groups } = self;
        moving.resize(input.bodies.len(), Moving::default());
        moving.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, moving)| {
            for (k, moving) in moving.iter_mut().enumerate() {
                let body = chunk * CHUNK + k;
                *moving = Moving::new(&input.bodies[body], &constants[body]);
            }
        });
        let moving: &[Moving] = moving;
        groups.par_iter_mut().enumerate().for_each(|(index, equations)| equations.prepare(input, moving, index));
    }

    fn solve(&mut self, input: &StepInput) -> Outcome {
        let groups = &mut self.groups;
        let outcomes: Vec<Outcome> = groups.par_iter_mut().map(|equations| equations.solve(input)).collect();
        outcomes.into_iter().fold(Outcome::default(), |all, each| Outcome {
            rate: if each.rate > all.rate || each.rate.is_nan() { each.rate } else { all.rate },
            diverging: all.diverging || each.diverging,
        })
    }

    fn trace(&mut self, input: &StepInput) -> Vec<f64> {
        let mut sums = vec![0.0; input.options.iterations as usize + 1];
        for equations in &mut self.groups {
            equations.system.points.iter_mut().for_each(|block| block.scale(input.warm_start as Real));
            equations.system.update_velocities();
            sums[0] += equations.system.residual().energy;
            for (turn, sum) in equations.schedule.turns.iter().zip(&mut sums[1..]) {
                equations.system.turn(turn, equations.schedule.nesterov);
                *sum += equations.system.residual().energy;
            }
        }
        sums.into_iter().map(f64::sqrt).collect()
    }

    fn row_impulses(&self, out: &mut [RowSpec]) {
        for equations in &self.groups {
            for (place, row) in equations.system.row_place.iter().zip(&equations.system.rows) {
                out[place.row as usize].impulse = widen(row.p).to_array();
            }
        }
    }

    fn wrenches(&self, layout: &Layout, rows: &[RowSpec], out: &mut Vec<double::math::Vec6>) {
        out.resize(self.moving.len(), double::math::Vec6::default());
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (k, out) in out.iter_mut().enumerate() {
                let place = layout.place[chunk * CHUNK + k];
                let equations = self.groups.get(place.group as usize);
                *out = equations.map_or_else(Default::default, |equations| equations.wrench(place.slot as usize, rows));
            }
        });
    }

    fn point_work(&self, out: &mut Vec<([u32; 2], f64)>) {
        out.clear();
        for equations in &self.groups {
            for (index, point) in equations.point.iter().enumerate() {
                let (block, lane) = (&equations.system.points[index / LANES], index % LANES);
                let bias = vec3(&block.bias, lane);
                if bias != Vec3::default() {
                    out.push((point.body, widen(vec3(&block.p, lane)).dot(widen(bias))));
                }
            }
        }
    }

    fn scale_points(&mut self, scale: &dyn Fn([u32; 2]) -> f64) {
        for equations in &mut self.groups {
            for (index, point) in equations.point.iter().enumerate() {
                let (block, lane) = (&mut equations.system.points[index / LANES], index % LANES);
                let scale = scale(point.body) as Real;
                let p = if scale > 0.0 { vec3(&block.p, lane).scale(scale) } else { Vec3::default() };
                set_vec3(&mut block.p, lane, p);
            }
        }
    }

    fn project(&mut self, input: &StepInput, gap: &(dyn Fn(u32) -> DVec3 + Sync), out: &mut Vec<double::math::Vec6>) {
        self.groups.par_iter_mut().for_each(|equations| equations.project(input, gap));
        out.resize(self.moving.len(), double::math::Vec6::default());
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (k, out) in out.iter_mut().enumerate() {
                *out = widen6(self.at(input.layout.place[chunk * CHUNK + k]).unwrap_or_default());
            }
        });
    }
}

impl Passes {
    /// Velocity of the current iterate of a body that moves.
    fn at(&self, place: Place) -> Option<Vec6> {
        let equations = self.groups.get(place.group as usize)?;
        Some(at_slot(&equations.system.velocity, place.slot as usize))
    }
}

impl GroupEquations {
    fn new(model: &Model, group: &Group) -> Self {
        // The world has its frame at its centre.
        let centre = |body: u32| model.body_com.get(body as usize).copied().unwrap_or(DVec3::ZERO);
        let anchors = group.point.iter().map(|point| {
            let joint = point.joint as usize;
            let frames = [model.joint_frame_parent[joint].translation, model.joint_frame_child[joint].translation];
            [0, 1].map(|end| frames[end] - centre(point.body[end]))
        });
        Self {
            system: System::new(group),
            point: group.point.clone(),
            anchor: anchors.collect(),
            lever: vec![[DVec3::ZERO; 2]; group.point.len()],
            schedule: Schedule::default(),
            condition: group.condition(),
            bounded: false,
            saved: Vec::new(),
        }
    }

    fn prepare(&mut self, input: &StepInput, moving: &[Moving], index: usize) {
        self.system.load(moving);
        let group = &input.layout.group[index];
        let contacts = input.rows[input.joint_rows..].iter().enumerate().filter_map(|(k, spec)| {
            let (group, slot) = input.layout.slots(spec.body)?;
            (group == index).then_some(RowPlace { row: (input.joint_rows + k) as u32, slot })
        });
        if input.rows.len() > input.joint_rows || self.system.row_place.len() != group.row.len() {
            self.system.place_rows(&group.row, contacts);
        }
        let split = input.options.splitting == Splitting::Mass;
        self.system.set_rows(input.rows, split);
        self.prepare_points(input, moving, split);
        let bound = if split { 1.0 } else { self.system.degree_bound() };
        self.bounded = self.system.row_place.iter().any(|place| input.rows[place.row as usize].bounded());
        let spectrum = Spectrum { bound, condition: self.condition, bounded: self.bounded };
        self.schedule.set(input.options, input.options.iterations, &spectrum);
    }

    fn prepare_points(&mut self, input: &StepInput, moving: &[Moving], split: bool) {
        let mut blocks = std::mem::take(&mut self.system.points);
        let Self { point, anchor, lever, system, .. } = self;
        let per_block = (point.par_chunks(LANES), anchor.par_chunks(LANES), lever.par_chunks_mut(LANES));
        let blocks_in_pieces = blocks.par_iter_mut().zip(per_block).with_min_len(64);
        blocks_in_pieces.for_each(|(block, (points, anchors, levers))| {
            for (lane, (point, anchor)) in points.iter().zip(anchors).enumerate() {
                levers[lane] = prepare_point(block, lane, point, anchor, system, input, moving, split);
            }
        });
        self.system.points = blocks;
    }

    /// The iterations, held to what they must do whatever the options: the residual falls.
    fn solve(&mut self, input: &StepInput) -> Outcome {
        let system = &mut self.system;
        system.points.iter_mut().for_each(|block| block.scale(input.warm_start as Real));
        system.update_velocities();
        let start = system.residual();
        let noise = powi(NOISE * f64::from(Real::EPSILON), 2) * (system.free_energy() + start.scale);
        system.iterate(&self.schedule, input.device);
        let mut end = system.residual();
        let allowed = if self.bounded { BOUNDED_GROWTH } else { 1.0 + ROUND_OFF };
        let converging = end.energy <= allowed * start.energy.max(noise);
        if !converging {
            end = self.solve_safely(input);
        }
        Outcome { rate: end.largest.sqrt(), diverging: !converging }
    }

    /// Sum of the impulses on the body in a slot.
    fn wrench(&self, slot: usize, rows: &[RowSpec]) -> double::math::Vec6 {
        let system = &self.system;
        let [of_points, of_rows] = system.constraints_of(slot);
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for &code in of_points {
            let (index, end) = ((code >> 1) as usize, (code & 1) as usize);
            let p = widen(vec3(&system.points[index / LANES].p, index % LANES)) * SIGN[end];
            linear += p;
            angular += self.lever[index][end].cross(p);
        }
        for &code in of_rows {
            let (row, end) = (&rows[system.row_place[(code >> 1) as usize].row as usize], (code & 1) as usize);
            for k in 0..row.count {
                linear += row.linear[k] * (row.impulse[k] * SIGN[end]);
                angular += row.angular[end][k] * row.impulse[k];
            }
        }
        double::math::Vec6 { l: wide(linear), a: wide(angular) }
    }

    /// From no impulses, by steps so short that they cannot but converge.
    fn solve_safely(&mut self, input: &StepInput) -> Residual {
        let system = &mut self.system;
        system.drop_impulses();
        let split = input.options.splitting == Splitting::Mass;
        self.schedule.set_safe(input.options.iterations, if split { 1.0 } else { system.degree_bound() });
        system.iterate(&self.schedule, input.device);
        system.residual()
    }

    fn project(&mut self, input: &StepInput, gap: &(dyn Fn(u32) -> DVec3 + Sync)) {
        let correction = input.options.correction;
        let Self { system, point, schedule, bounded, condition, saved, .. } = self;
        saved.clear();
        saved.extend(system.points.iter().map(|block| block.p));
        let zero = [[0.0; LANES]; 3];
        system.points.par_iter_mut().zip(point.par_chunks(LANES)).with_min_len(64).for_each(|(block, points)| {
            (block.p, block.previous) = (zero, zero);
            for (lane, point) in points.iter().enumerate() {
                set_vec3(&mut block.bias, lane, cast(gap(point.joint) * correction));
            }
        });
        for (row, place) in system.rows.iter_mut().zip(&system.row_place) {
            row.aim_at_positions(&input.rows[place.row as usize], correction);
        }
        system.rest();
        system.update_velocities();
        let split = input.options.splitting == Splitting::Mass;
        let bound = if split { 1.0 } else { system.degree_bound() };
        let spectrum = Spectrum { bound, condition: *condition, bounded: *bounded };
        schedule.set(input.options, input.options.projection_iterations, &spectrum);
        system.iterate(schedule, input.device);
        system.points.iter_mut().zip(saved).for_each(|(block, saved)| block.p = *saved);
    }
}

/// Levers, inverse block and bias of one point constraint; returns the levers.
fn prepare_point(
    block: &mut PointBlock,
    lane: usize,
    point: &PointJoint,
    anchor: &[DVec3; 2],
    system: &System,
    input: &StepInput,
    moving: &[Moving],
    split: bool,
) -> [DVec3; 2] {
    let fixed = system.fixed() as u32;
    let mut delassus = Sym3::default();
    let mut bias = Vec3::default();
    let (arm, gap) = arms(input.bodies, point.body, anchor);
    // An impulse and its opposite at one point keep angular momentum, also where the joint stands open.
    let half = if point.slot.contains(&fixed) { DVec3::ZERO } else { 0.5 * gap };
    let levers = [arm[0] + half, arm[1] - half];
    for end in 0..2 {
        let lever = cast(levers[end]);
        set_vec3(&mut block.lever[end], lane, lever);
        if point.slot[end] == fixed {
            let velocity = moving.get(point.body[end] as usize).map_or(Vec3::default(), |body| body.free.at(lever));
            bias = bias.add_scaled(velocity, SIGN[end] as Real);
        } else {
            let body = system.end(point.slot[end], split);
            let mobility = point_mobility(body.inverse_mass, body.inverse_inertia, lever);
            delassus = delassus.add(mobility.scale(body.split));
        }
    }
    if input.options.stabilization == Stabilization::Bias {
        bias = bias.add(cast(gap * (input.options.correction / input.h)));
    }
    set_sym3(&mut block.inverse, lane, inverse_block(delassus));
    set_vec3(&mut block.bias, lane, bias);
    levers
}

/// From the centres of mass to the anchors, and from the parent's anchor to the child's, world axes \[m\].
fn arms(bodies: &[Body], body: [u32; 2], anchor: &[DVec3; 2]) -> ([DVec3; 2], DVec3) {
    let at = body.map(|body| body_or_world(bodies, body));
    let arm = [0, 1].map(|end: usize| at[end].rotation * anchor[end]);
    (arm, (at[1].centre - at[0].centre) + (arm[1] - arm[0]))
}

fn wide(v: DVec3) -> double::math::Vec3 {
    double::math::Vec3 { x: v.x, y: v.y, z: v.z }
}

fn widen3(v: Vec3) -> double::math::Vec3 {
    wide(widen(v))
}

fn widen6(v: Vec6) -> double::math::Vec6 {
    double::math::Vec6 { l: widen3(v.l), a: widen3(v.a) }
}
