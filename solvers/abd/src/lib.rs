//! `abd`: affine bodies that never intersect. Every body has the twelve coordinates of an affine placement and a stiff
//! potential that keeps it rigid; a barrier keeps surfaces apart; a step is the minimum of one energy, found by
//! Newton's method along paths that continuous collision detection has found free. Equations and parameters:
//! `docs/abd.md`.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod active_set;
mod affine;
mod axis_energy;
mod barrier;
mod bodies;
mod candidate_pair;
mod candidates;
mod closing;
mod contact;
mod drift;
mod foresight;
mod friction;
mod islands;
mod joints;
mod line_search;
mod newton;
mod options;
mod pattern;
mod readout;
mod rigidity;
mod second_order;
mod separate;
mod soft;
mod start;
mod surface;
mod swept_motion;
mod system;
mod touch;

use drystone_collide::Collide;
use drystone_kernels::elementary::powi;
use drystone_model::{BodyKind, Control, DVec3, Model, ModelMap, State};

pub use options::{AbdOptions, Integrator};
pub use rigidity::Rigidity;

use affine::Affine;
use bodies::Bodies;
use drystone_solve::clock::Clock;
use drystone_solve::floating::{FloatingGroups, Which};
use drystone_solve::forces::{ContactForce, ForceLedger, JointForce, JointLoads, Untold};
use drystone_solve::joint::Wrench;
use drystone_solve::report::{Ending, Phase, Report};
use drystone_solve::solver::{Refusal, SnapshotError, Solver, StepError, Unsupported, from_bytes, to_bytes};
use joints::Joints;
use newton::{Newton, Outcome, Problem, Scale};
use pattern::Pattern;
use second_order::SecondOrder;
use soft::{Soft, SoftRecord, SoftSystem};
use surface::{Placed, Surface};

/// Largest share of the thinnest body that d̂ may be.
const THIN_SHARE: f64 = 0.02;

/// Largest share of the shortest edge between particles that d̂ may be.
const FINE_SHARE: f64 = 0.1;

/// Share of d̂ per step that counts as no velocity, unless told otherwise.
const STILL: f64 = 0.01;

/// Share of d̂ by which contacts slip before friction has its full size, unless told otherwise.
const STICK: f64 = 0.02;

/// Overlap, as a share of d̂, up to which bodies merely touch.
const TOUCHING: f64 = 0.01;

/// Gap, as a share of d̂, that touching bodies are given at the start.
const START_GAP: f64 = 0.97;

/// The solver.
#[derive(Debug)]
pub struct Abd {
    options: AbdOptions,
    bodies: Bodies,
    surface: Surface,
    newton: Newton,
    roughness: Vec<f64>,
    contact_distance: f64,
    wrench: Vec<Wrench>,
    second_order: SecondOrder,
    ledger: ForceLedger,
    loads: JointLoads,
    floating: FloatingGroups,
}

impl Abd {
    /// A solver for a model. Refuses intersecting starts and whatever it would have to ignore.
    pub fn new(model: &Model, options: AbdOptions) -> Result<Self, Refusal> {
        options.check()?;
        start::refuse(model)?;
        let surface = Surface::new(model, options.segments, options.min_separation);
        let bodies = Bodies::new(model, &options, &surface.radius);
        let roughness = model.shape_material.iter().map(|m| m.friction_dynamic.max(0.0).sqrt()).collect();
        let mut newton = Newton::new(Joints::new(model, &surface.radius));
        newton.soft = Soft::new(model, &surface, options.particle_friction, options.self_contact)?.map(Box::new);
        newton.system.soft = newton.soft.as_ref().map(|_| Box::new(SoftSystem::default()));
        if newton.soft.is_some() && options.separate {
            return Err(Refusal::from(Unsupported {
                solver: "abd",
                reason: "it is to move overlapping bodies apart, which does not look at the particles between them"
                    .into(),
                remedy: "let the scene start without overlaps and take the option `separate` out".into(),
            }));
        }
        let automatic = || automatic_contact_distance(model, &options, &surface, newton.soft.as_deref());
        let contact_distance = options.contact_distance.unwrap_or_else(automatic);
        let second_order = SecondOrder::new(model.body_count());
        let mut solver = Self {
            options,
            bodies,
            surface,
            newton,
            roughness,
            contact_distance,
            wrench: Vec::new(),
            second_order,
            ledger: ForceLedger::default(),
            loads: JointLoads::default(),
            floating: FloatingGroups::default(),
        };
        let settled = solver.settle(model, &mut model.state());
        settled.map_err(|found| Unsupported {
            solver: "abd",
            reason: format!("it starts with intersections: {found}"),
            remedy: match solver.newton.soft {
                None => "move these bodies apart, or let the option `separate` do it".into(),
                Some(_) => "leave a gap between them, wider than their margins and radii together".into(),
            },
        })?;
        Ok(solver)
    }

    /// Loads a state. Where someone has moved bodies, those that touch are eased apart (and those that overlap, if asked
    /// to); otherwise the intersections are returned in words. Particles are left where they are.
    fn settle(&mut self, model: &Model, state: &mut State) -> Result<(), String> {
        let moved = self.bodies.load(model, state);
        if moved {
            self.settle_bodies(model, state)?;
        }
        if !self.newton.soft.as_ref().is_some_and(|soft| moved || soft.were_moved(state)) {
            return Ok(());
        }
        let placed = self.placed(model, state);
        let Self { newton, surface, .. } = self;
        let Some(soft) = &mut newton.soft else { return Ok(()) };
        soft.place(state);
        let cut = soft.crossings(model, surface, &placed, state);
        cut.or_else(|| soft.too_near(model, surface, &placed)).map_or(Ok(()), Err)
    }

    fn settle_bodies(&mut self, model: &Model, state: &mut State) -> Result<(), String> {
        let (placed, touching) = (self.placed(model, state), TOUCHING * self.contact_distance);
        let found = start::intersections(model, &self.surface, &placed.x);
        match &found {
            // Surfaces that touch but for rounding would be held in place by the wall of the barrier.
            None if !start::touch(&self.surface, &placed.x, touching) => return Ok(()),
            Some(found) if !self.options.separate && separate::deepest_overlap(model, state) > touching => {
                return Err(found.clone());
            }
            _ => {}
        }
        let mut apart = state.clone();
        separate::separate(model, &mut apart, START_GAP * self.contact_distance + self.surface.max_margin);
        match self.intersections(model, &apart) {
            // A fit too tight to be eased, but sound as it is.
            Some(_) if found.is_none() => Ok(()),
            Some(left) => Err(left),
            None => {
                *state = apart;
                Ok(())
            }
        }
    }

    /// The distance below which surfaces push each other apart \[m\].
    pub fn contact_distance(&self) -> f64 {
        self.contact_distance
    }

    /// How far the least rigid body of the last step is from rigid, ‖A Aᵀ − 1‖.
    pub fn distortion(&self) -> f64 {
        self.bodies.q.iter().map(Affine::distortion).fold(0.0, f64::max)
    }

    /// Bodies that cut through each other in a state, in words.
    pub fn intersections(&mut self, model: &Model, state: &State) -> Option<String> {
        let placed = self.placed(model, state);
        let Self { newton, surface, .. } = self;
        let among_bodies = start::intersections(model, surface, &placed.x);
        let of_particles = newton.soft.as_mut().and_then(|soft| soft.crossings(model, surface, &placed, state));
        among_bodies.or(of_particles)
    }

    /// The surfaces in a state.
    fn placed(&mut self, model: &Model, state: &State) -> Placed {
        self.bodies.load(model, state);
        let mut placed = Placed::default();
        self.surface.place(&self.bodies.q, &mut placed);
        placed
    }

    /// Writes particles into the state; returns whether they act on bodies, which have their momentum from them then.
    fn store_particles(&mut self, model: &Model, state: &mut State, edge: f64) -> bool {
        let Newton { soft, start_x, here, .. } = &mut self.newton;
        let Some(soft) = soft else { return false };
        soft.store(state, [start_x, &here.x], edge);
        !soft.touched_bodies(&self.surface, model.body_count() as u32).is_empty()
    }

    fn scale(&self, h: f64) -> Scale {
        let tolerance = self.options.tolerance.map_or(STILL * self.contact_distance, |velocity| velocity * h);
        let edge = self.options.friction_velocity.map_or(STICK * self.contact_distance, |velocity| velocity * h);
        let stiffness = self.options.barrier_stiffness * powi(self.contact_distance / h, 2);
        Scale { h, contact_distance: self.contact_distance, stiffness, edge, tolerance }
    }

    fn report(&mut self, model: &Model, state: &State, outcome: &Outcome) -> Report {
        let mut report = Report::of_motion(model, state);
        report.iterations = outcome.iterations;
        report.ending = outcome.ending;
        report.residual = Some(outcome.residual);
        report.contact_count = self.newton.contacts.len();
        let joints = (0..model.joint_count() as u32).filter(|&joint| state.joint_intact[joint as usize]);
        let largest = joints
            .map(|joint| model.joint_error(state, joint))
            .fold([0.0_f64; 2], |[gap, angle], error| [gap.max(error.linear), angle.max(error.angular)]);
        [report.max_joint_error, report.max_joint_angle_error] = largest.map(Some);
        report.max_penetration = Some(start::deepest_cut(&self.surface, &self.newton.here.x));
        report.min_distance = self.newton.contacts.iter().map(|c| c.distance).reduce(f64::min);
        let Newton { soft, here, .. } = &mut self.newton;
        if let Some(soft) = soft {
            soft.report(&self.bodies.q, &mut report);
            let crossed = soft.deepest(&self.surface, here);
            report.max_penetration = report.max_penetration.map(|deepest| deepest.max(crossed));
        }
        report
    }
}

impl Solver for Abd {
    fn name(&self) -> &'static str {
        "abd"
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        _collide: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError> {
        let mut clock = Clock::of_step(dt)?;
        let time = state.time;
        let failed = |reason: String| StepError::Failed { solver: "abd", time, reason };
        self.settle(model, state).map_err(|found| failed(format!("bodies intersect: {found}")))?;
        let scale = self.scale(dt);
        self.floating.begin(model, state, control, dt);
        self.wrench.clone_from(&control.body_f);
        self.newton.joints.add_efforts(model, state, control, &mut self.wrench);
        self.bodies.predict(model, state, control, &self.wrench, dt);
        if let Some(soft) = &mut self.newton.soft {
            soft.predict(model, state, control, &self.bodies.moves, dt);
        }
        self.newton.joints.aim(model, state, control, &self.bodies, scale.of_joints());
        clock.lap(Phase::Predict);
        let belt = belts(model, &self.bodies, &self.surface, dt);
        let Self { options, roughness, newton, bodies, surface, second_order, wrench, .. } = &mut *self;
        let problem = Problem { options, scale, roughness, belt: &belt };
        // What particles act on takes steps of first order, as they do.
        let second = options.integrator == Integrator::SecondOrder && newton.soft.is_none();
        second_order.begin(state, bodies, &newton.joints, second, dt);
        let outcome = loop {
            second_order.aim(model, bodies, wrench, dt);
            let welcome = |bodies: &Bodies, pairs: &[[u32; 2]]| !second_order.spoil(model, bodies, pairs);
            if let Some(outcome) = newton.solve(&problem, bodies, surface, &mut clock, welcome) {
                break outcome;
            }
            bodies.q.clone_from(&bodies.start);
            bodies.predict(model, state, control, wrench, dt);
        };
        if !self.bodies.q.iter().all(|q| q.linear.is_finite() && q.position.is_finite()) {
            return Err(failed("a placement is no longer finite".into()));
        }
        if self.newton.soft.as_ref().is_some_and(|soft| !soft.is_finite()) {
            return Err(failed("a particle is no longer at a finite place".into()));
        }
        let Self { options, roughness, newton, bodies, ledger, loads, .. } = &mut *self;
        let problem = Problem { options, scale, roughness, belt: &belt };
        ledger.begin(model.joint_count());
        newton.book_forces(&problem, bodies, ledger, loads);
        self.ledger.end(dt);
        self.bodies.store(model, state);
        let beside_particles = self.store_particles(model, state, scale.edge);
        let which = if outcome.ending == Ending::Converged { Which::Linked } else { Which::All };
        if !beside_particles {
            self.floating.restore(model, state, control, &self.ledger.contact, &[], which);
        }
        self.second_order.note(model, state, &self.bodies, &self.newton, dt);
        model.update_joint_angles(state);
        state.time += dt;
        state.step_count += 1;
        clock.lap(Phase::Finish);
        let mut report = self.report(model, state, &outcome);
        clock.lap(Phase::Report);
        report.time = clock.laps;
        Ok(report)
    }

    fn honours_hooks(&self) -> bool {
        false
    }

    fn take_contacts(&mut self, out: &mut Vec<ContactForce>) -> Result<(), Untold> {
        self.ledger.take_contacts(out);
        Ok(())
    }

    fn read_joints(&self, model: &Model, _state: &State, out: &mut Vec<JointForce>) -> Result<(), Untold> {
        self.ledger.read_joints(model.joint_count(), out);
        Ok(())
    }

    fn snapshot(&self) -> Vec<u8> {
        let joints = self.newton.joints.memory();
        let SecondOrder { before, touched, .. } = &self.second_order;
        let particles = self.newton.soft.as_ref().zip(self.newton.system.soft.as_ref());
        let particles = particles.map(|(soft, system)| (&soft.record, &system.pattern));
        to_bytes(&(&self.newton.memory, joints, self.newton.system.pattern(), (before, touched), particles))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (memory, slip, pattern, before, particles) = from_bytes(bytes)?;
        let particles: Option<(SoftRecord, Pattern)> = particles;
        let Newton { soft, system, .. } = &mut self.newton;
        match (soft, &mut system.soft, particles) {
            (Some(soft), Some(system), Some((record, pattern))) => {
                soft.record = record;
                system.resume(pattern);
            }
            (None, None, None) => {}
            _ => return Err(SnapshotError("it holds other particles than the model".into())),
        }
        self.second_order.recall(before).map_err(SnapshotError)?;
        self.newton.joints.recall(slip).map_err(SnapshotError)?;
        self.newton.memory = memory;
        self.newton.system.resume(pattern);
        Ok(())
    }

    fn edited(&self, model: &Model, map: &ModelMap) -> Result<Box<dyn Solver>, Refusal> {
        let mut next = Self::new(model, self.options.clone())?;
        next.newton.memory = self.newton.memory.edited(map);
        next.newton.joints.carry_slip(&self.newton.joints, map);
        let before =
            |body| map.body.before(body).filter(|_| !map.disturbed[body]).and_then(|was| self.second_order.before[was]);
        next.second_order.before = (0..model.body_count()).map(before).collect();
        next.second_order.touched = map.body.carry(&self.second_order.touched, false);
        next.ledger = self.ledger.edited(map);
        next.loads = self.loads.edited(map);
        Ok(Box::new(next))
    }

    fn reset_world(&mut self, model: &Model, world: u32) {
        self.second_order.forget(|body| model.body_world[body] == world);
        self.newton.joints.forget(|slot| model.body_world.get(slot) == Some(&world));
        self.newton.memory.forget(|slot| model.body_world.get(slot as usize) == Some(&world));
    }
}

/// How far the surface of every shape goes in a step against its body, as that lies at its start \[m\]; empty if none does.
fn belts(model: &Model, bodies: &Bodies, surface: &Surface, dt: f64) -> Vec<DVec3> {
    let velocity = &model.shape_surface_velocity;
    if velocity.iter().all(|&velocity| velocity == DVec3::ZERO) {
        return Vec::new();
    }
    let slots = surface.shape_slot.iter().map(|&slot| &bodies.start[slot as usize].linear);
    slots.zip(velocity).map(|(linear, &velocity)| *linear * velocity * dt).collect()
}

/// d̂ from the sizes of the moving bodies and of what particles make up.
fn automatic_contact_distance(model: &Model, options: &AbdOptions, surface: &Surface, soft: Option<&Soft>) -> f64 {
    let dynamic = |body: usize| model.body_kind[body] == BodyKind::Dynamic;
    let mut sizes: Vec<f64> =
        (0..model.body_count()).filter(|&b| dynamic(b)).map(|b| 2.0 * surface.radius[b]).collect();
    sizes.extend(soft.iter().flat_map(|soft| soft.sizes()));
    let finest = soft.map_or(f64::INFINITY, |soft| FINE_SHARE * soft.shortest_edge());
    let mean = if sizes.is_empty() { 1.0 } else { sizes.iter().sum::<f64>() / sizes.len() as f64 };
    let solid = (0..model.shape_count()).filter(|&shape| model.is_solid(shape));
    let worn = solid.filter(|&shape| model.body_kind.get(model.shape_body[shape] as usize) == Some(&BodyKind::Dynamic));
    let thinnest = worn.map(|shape| model.shape_geometry[shape].thickness()).fold(f64::INFINITY, f64::min);
    (options.relative_distance * mean).min(THIN_SHARE * thinnest).min(finest)
}
