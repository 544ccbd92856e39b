//! All groups of a model, in one precision.

use drystone_kernels::double;
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
/// Energy below this many units of round-off of what bodies and impulses have is no gain.
const ENERGY_NOISE: f64 = 10.0;

/// A group with what its constraints are made from.
#[derive(Clone, Debug)]
struct Part {
    system: System,
    point: Vec<PointJoint>,
    /// Anchors of the point constraints from the centres of mass, body axes \[m\].
    anchor: Vec<[DVec3; 2]>,
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
    parts: Vec<Part>,
}

impl Engine for Passes {
    fn rebuild(&mut self, model: &Model, layout: &Layout) {
        let mut impulses = vec![[0.0; 3]; model.joint_count()];
        self.impulses(&mut impulses);
        let constants = (0..model.body_count()).into_par_iter().with_min_len(CHUNK);
        self.constants = constants.map(|body| Constants::new(&BodyConstants::of(model, body))).collect();
        self.parts = layout.group.par_iter().map(|group| Part::new(model, group)).collect();
        self.set_impulses(&impulses);
    }

    fn impulses(&self, out: &mut [[f64; 3]]) {
        for part in &self.parts {
            for (index, point) in part.point.iter().enumerate() {
                let p = vec3(&part.system.points[index / LANES].p, index % LANES);
                out[point.joint as usize] = widen(p).to_array();
            }
        }
    }

    fn set_impulses(&mut self, impulses: &[[f64; 3]]) {
        for part in &mut self.parts {
            for (index, point) in part.point.iter().enumerate() {
                let p = cast(DVec3::from_array(impulses[point.joint as usize]));
                set_vec3(&mut part.system.points[index / LANES].p, index % LANES, p);
            }
        }
    }

    fn prepare(&mut self, input: &StepInput) {
        let Self { constants, moving, parts } = self;
        moving.resize(input.bodies.len(), Moving::default());
        moving.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, moving)| {
            for (k, moving) in moving.iter_mut().enumerate() {
                let body = chunk * CHUNK + k;
                *moving = Moving::new(&input.bodies[body], &constants[body]);
            }
        });
        let moving: &[Moving] = moving;
        parts.par_iter_mut().enumerate().for_each(|(index, part)| part.prepare(input, moving, index));
    }

    fn solve(&mut self, input: &StepInput) -> Outcome {
        let parts = &mut self.parts;
        let outcomes: Vec<Outcome> = parts.par_iter_mut().map(|part| part.solve(input)).collect();
        outcomes.into_iter().fold(Outcome::default(), |all, each| Outcome {
            rate: if each.rate > all.rate || each.rate.is_nan() { each.rate } else { all.rate },
            diverging: all.diverging || each.diverging,
        })
    }

    fn trace(&mut self, input: &StepInput) -> Vec<f64> {
        let mut sums = vec![0.0; input.options.iterations as usize + 1];
        for part in &mut self.parts {
            part.system.points.iter_mut().for_each(|block| block.scale(input.warm_start as Real));
            part.system.update_velocities();
            sums[0] += part.system.residual().energy;
            for (turn, sum) in part.schedule.turns.iter().zip(&mut sums[1..]) {
                part.system.turn(turn, part.schedule.nesterov);
                *sum += part.system.residual().energy;
            }
        }
        sums.into_iter().map(f64::sqrt).collect()
    }

    fn velocity_changes(&self, layout: &Layout, out: &mut Vec<double::math::Vec6>) {
        out.resize(self.moving.len(), double::math::Vec6::default());
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (k, out) in out.iter_mut().enumerate() {
                let body = chunk * CHUNK + k;
                let solved = self.at(layout.place[body]);
                *out = widen6(solved.map_or(Vec6::default(), |solved| solved.sub(self.moving[body].free)));
            }
        });
    }

    fn row_impulses(&self, out: &mut [RowSpec]) {
        for part in &self.parts {
            for (place, row) in part.system.row_place.iter().zip(&part.system.rows) {
                out[place.row as usize].impulse = widen(row.p).to_array();
            }
        }
    }

    fn project(&mut self, input: &StepInput, gap: &(dyn Fn(u32) -> DVec3 + Sync), out: &mut Vec<double::math::Vec6>) {
        self.parts.par_iter_mut().for_each(|part| part.project(input, gap));
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
        let part = self.parts.get(place.group as usize)?;
        Some(at_slot(&part.system.velocity, place.slot as usize))
    }
}

impl Part {
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
        let (point, anchor, system) = (&self.point, &self.anchor, &self.system);
        let per_block = (point.par_chunks(LANES), anchor.par_chunks(LANES));
        let blocks_in_pieces = blocks.par_iter_mut().zip(per_block).with_min_len(64);
        blocks_in_pieces.for_each(|(block, (points, anchors))| {
            for (lane, (point, anchor)) in points.iter().zip(anchors).enumerate() {
                prepare_point(block, lane, point, anchor, system, input, moving, split);
            }
        });
        self.system.points = blocks;
    }

    /// The iterations, held to what they must do whatever the options: the residual falls, and the objective ends no higher
    /// than without any impulses. That bounds the energy, as the objective is the change of it (see [`Residual`]). Nesterov's
    /// sequence, and friction that follows the normal impulses of the iteration, may break the second; a multiple of the
    /// impulses never does.
    fn solve(&mut self, input: &StepInput) -> Outcome {
        let system = &mut self.system;
        system.points.iter_mut().for_each(|block| block.scale(input.warm_start as Real));
        system.update_velocities();
        let mut start = system.residual();
        if exceeds(start.objective, 0.0) {
            // Remembered impulses that add energy are those of another state, such as before a blow.
            shorten(system, &start);
            start = system.residual();
        }
        let (unit, scale) = (f64::from(Real::EPSILON), system.free_energy() + start.scale);
        let (gain, noise) = (ENERGY_NOISE * unit * scale, (NOISE * unit).powi(2) * scale);
        system.iterate(&self.schedule, input.device);
        let mut end = system.residual();
        let allowed = if self.bounded { BOUNDED_GROWTH } else { 1.0 + ROUND_OFF };
        let converging = end.energy <= allowed * start.energy.max(noise);
        if !converging {
            end = self.solve_safely(input);
        }
        if exceeds(end.objective, gain) {
            shorten(&mut self.system, &end);
            end = self.system.residual();
        }
        Outcome { rate: end.largest.sqrt(), diverging: !converging }
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
        let share = input.options.correction;
        let Self { system, point, schedule, bounded, condition, saved, .. } = self;
        saved.clear();
        saved.extend(system.points.iter().map(|block| block.p));
        let zero = [[0.0; LANES]; 3];
        system.points.par_iter_mut().zip(point.par_chunks(LANES)).with_min_len(64).for_each(|(block, points)| {
            (block.p, block.previous) = (zero, zero);
            for (lane, point) in points.iter().enumerate() {
                set_vec3(&mut block.bias, lane, cast(gap(point.joint) * share));
            }
        });
        for (row, place) in system.rows.iter_mut().zip(&system.row_place) {
            row.aim_at_positions(&input.rows[place.row as usize], share);
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

/// Whether a value is above its limit, or not a number.
fn exceeds(value: f64, limit: f64) -> bool {
    value.is_nan() || value > limit
}

/// Scales the impulses to where the objective is smallest along them: it is a parabola through zero.
fn shorten(system: &mut System, at: &Residual) {
    let curvature = 2.0 * (at.objective - at.linear);
    let share = -at.linear / curvature;
    if share > 0.0 && share.is_finite() {
        system.scale_impulses(share.min(1.0) as Real);
    } else {
        system.drop_impulses();
    }
}

/// Levers, inverse block and bias of one point constraint.
fn prepare_point(
    block: &mut PointBlock,
    lane: usize,
    point: &PointJoint,
    anchor: &[DVec3; 2],
    system: &System,
    input: &StepInput,
    moving: &[Moving],
    split: bool,
) {
    let fixed = system.fixed() as u32;
    let mut delassus = Sym3::default();
    let mut bias = Vec3::default();
    for end in 0..2 {
        let body = moving.get(point.body[end] as usize);
        let lever = body.map_or(cast(anchor[end]), |body| body.orientation.rotate(cast(anchor[end])));
        set_vec3(&mut block.lever[end], lane, lever);
        if point.slot[end] == fixed {
            let velocity = body.map_or(Vec3::default(), |body| body.free.at(lever));
            bias = bias.add_scaled(velocity, if end == 0 { -1.0 } else { 1.0 });
        } else {
            let body = system.end(point.slot[end], split);
            let share = point_mobility(body.inverse_mass, body.inverse_inertia, lever);
            delassus = delassus.add(share.scale(body.split));
        }
    }
    if input.options.stabilization == Stabilization::Bias {
        let error = point_gap(input.bodies, point.body, anchor) * (input.options.correction / input.h);
        bias = bias.add(cast(error));
    }
    set_sym3(&mut block.inverse, lane, inverse_block(delassus));
    set_vec3(&mut block.bias, lane, bias);
}

/// Offset from the parent's anchor to the child's, world frame \[m\].
fn point_gap(bodies: &[Body], body: [u32; 2], anchor: &[DVec3; 2]) -> DVec3 {
    let place = [0, 1].map(|end| {
        let at = body_or_world(bodies, body[end]);
        at.centre + at.rotation * anchor[end]
    });
    place[1] - place[0]
}

fn widen3(v: Vec3) -> double::math::Vec3 {
    double::math::Vec3 { x: f64::from(v.x), y: f64::from(v.y), z: f64::from(v.z) }
}

fn widen6(v: Vec6) -> double::math::Vec6 {
    double::math::Vec6 { l: widen3(v.l), a: widen3(v.a) }
}
