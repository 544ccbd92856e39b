//! The solver as the engine sees it.

use drystone_collide::Collide;
use drystone_model::{BodyKind, Control, DQuat, DVec3, JointId, Model, ModelMap, Pose, State, Twist};

use super::axis_laws::Law;
use super::chain::Chains;
use super::contact::PointMemory;
use super::moreau::StepOutcome;
use super::options::{Integrator, Method, Stabilization, StructuredOptions};
use super::reduced::Reduced;
use super::substeps::{Piece, PieceMemory, StepStart};
use super::system::ConstraintSystem;
use super::turns::SecondLook;
use crate::linalg::SingularBlock;
use drystone_solve::clock::Clock;
use drystone_solve::floating::{FloatingGroups, Which};
use drystone_solve::forces::{ContactForce, JointForce, JointWrench, Untold};
use drystone_solve::joint::{JointGeometry, Placement};
use drystone_solve::linalg::block6::{spatial, split};
use drystone_solve::linalg::matrix::Vec6;
use drystone_solve::report::{Ending, Phase, Report};
use drystone_solve::solver::{Refusal, SnapshotError, Solver, StepError, Unsupported, from_bytes, to_bytes};

/// Who took a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The mechanism in general.
    General,
    /// Chains of ball joints.
    Chains,
    /// Trees in the coordinates of their joints.
    Reduced,
}

/// The accurate solver for mechanisms.
#[derive(Debug)]
pub struct Structured {
    options: StructuredOptions,
    /// Made when first needed: models of nothing but chains or trees do without.
    pub(super) mechanism: Option<Box<ConstraintSystem>>,
    chains: Option<Chains>,
    reduced: Option<Box<Reduced>>,
    /// Who took the last piece.
    pub(super) way: Way,
    /// Whether this step is for the mechanism in general, as one of its pieces is.
    pub(super) in_general: bool,
    /// Whether joints have springs, drives or rotors.
    elastic: bool,
    /// Hard stops that count in this step.
    listed: Vec<bool>,
    /// Length of the last step \[s\]; zero before the first.
    last_dt: f64,
    /// Contact forces for a mechanism that is not made yet.
    memory: Vec<PointMemory>,
    pub(super) piece: PieceMemory,
    /// The state at the start of a step that is cut.
    pub(super) start: StepStart,
    /// The state at the start of a piece that is not the first.
    pub(super) piece_start: StepStart,
    pub(super) second_look: SecondLook,
    pub(super) floating: FloatingGroups,
}

impl Structured {
    /// A solver for a model.
    pub fn new(model: &Model, options: StructuredOptions) -> Result<Self, Refusal> {
        options.check()?;
        Unsupported::particles("structured", model)?;
        let exact = options.stabilization == Stabilization::Projection
            && !matches!(options.method, Method::FullDense | Method::FullIterative);
        let (chains, reduced) = match options.integrator {
            Integrator::Variational if exact => (Chains::new(model), None),
            Integrator::Rk4 if exact => (None, Reduced::new(model).map(Box::new)),
            _ => (None, None),
        };
        let mut solver = Self {
            options,
            mechanism: None,
            chains,
            reduced,
            way: Way::General,
            in_general: false,
            elastic: false,
            listed: Vec::new(),
            last_dt: 0.0,
            memory: Vec::new(),
            piece: PieceMemory::default(),
            start: StepStart::default(),
            piece_start: StepStart::default(),
            second_look: SecondLook::default(),
            floating: FloatingGroups::default(),
        };
        if solver.chains.is_none() && solver.reduced.is_none() {
            solver.make_mechanism(model);
        }
        Ok(solver)
    }

    fn make_mechanism(&mut self, model: &Model) {
        if self.mechanism.is_some() {
            return;
        }
        let mut mechanism = ConstraintSystem::new(model, self.options.clone());
        self.elastic = (0..model.joint_count())
            .any(|joint| mechanism.laws.of(joint).iter().any(|law| matches!(law.law, Law::Elastic { .. })))
            || mechanism.laws.couplings.iter().any(|coupling| coupling.spring.is_some());
        self.listed = vec![false; mechanism.laws.bounded.len()];
        mechanism.memory = std::mem::take(&mut self.memory);
        self.mechanism = Some(Box::new(mechanism));
    }

    /// The mechanism as the last step left it; none while a model of nothing but chains or trees is stepped
    /// without it.
    pub fn mechanism(&self) -> Option<&ConstraintSystem> {
        self.mechanism.as_deref()
    }

    /// Mean force and torque a joint exerted on its child in the last step of `dt` seconds, along its six
    /// axes in the parent joint frame \[N\], \[N·m\]; `None` before the first step or for a joint that does
    /// not exist.
    pub fn joint_force(&self, model: &Model, joint: JointId, dt: f64) -> Option<[f64; 6]> {
        if joint.built_index() >= model.joint_count() {
            return None;
        }
        match (self.way, &self.chains, &self.reduced) {
            (Way::Chains, Some(chains), _) => {
                let [x, y, z] = (chains.impulse(model, joint.built_index()) / dt).to_array();
                return Some([x, y, z, 0.0, 0.0, 0.0]);
            }
            (Way::Reduced, _, Some(reduced)) => {
                return Some(reduced.along_axes(model, joint.built_index()).map(|impulse| impulse / dt));
            }
            _ => {}
        }
        let impulse = self.mechanism()?.step_impulse(joint.built_index())?;
        Some(impulse.map(|x| x / dt))
    }

    /// What the user chose.
    pub(super) fn options(&self) -> &StructuredOptions {
        &self.options
    }

    /// Brings the joint angles of the state up to date, unless nobody reads them.
    pub(super) fn update_angles(&self, model: &Model, state: &mut State) {
        if self.way != Way::Chains || self.options.ball_angles {
            drystone_solve::joint::update_angles(model, state);
        }
    }

    /// Takes a piece of a step, leaving the state as it is; returns what was reached and the largest gap left, if the
    /// chains took it.
    pub(super) fn take(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        collide: &Collide,
        piece: &Piece,
    ) -> Result<(StepOutcome, Option<f64>), StepError> {
        let begun = piece.index > 0 && self.way == Way::General && self.reduced.is_some();
        self.way = Way::General;
        if !begun && !self.in_general && collide.contacts.manifold_count() == 0 {
            if let Some((reached, gap)) = self.take_by_chains(state, control, piece) {
                self.way = Way::Chains;
                return Ok((reached, Some(gap)));
            }
            let Self { reduced, options, .. } = self;
            let reduced = reduced.as_mut().and_then(|reduced| reduced.take(model, state, control, options, piece));
            if let Some(reached) = reduced {
                self.way = Way::Reduced;
                return Ok((reached, None));
            }
        }
        self.take_in_general(model, state, control, collide, piece).map(|reached| (reached, None))
    }

    /// Notes the momenta of the bodies before the first piece that may lose some. The others keep them by themselves.
    pub(super) fn note_momenta(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        piece: &Piece,
        reached: &StepOutcome,
    ) {
        let touches = self.mechanism.as_ref().is_some_and(|mechanism| !mechanism.points.is_empty());
        if self.way == Way::General && !self.floating.has_begun() && (touches || !reached.converged || reached.moved) {
            self.floating.begin(model, state, control, piece.left());
        }
    }

    /// Keeps what the piece that was put down did.
    pub(super) fn accept_piece(&mut self) {
        if let (Way::General, Some(mechanism)) = (self.way, &mut self.mechanism) {
            mechanism.accept();
        }
    }

    /// Forgets what the last piece did.
    pub(super) fn discard_piece(&mut self) {
        if let (Way::General, Some(mechanism)) = (self.way, &mut self.mechanism) {
            mechanism.discard();
        }
    }

    /// Writes what [`Structured::take`] came to into the state.
    pub(super) fn put_down(&mut self, model: &Model, state: &mut State, control: &Control, piece: &Piece) {
        match (self.way, &mut self.chains, &mut self.reduced, &mut self.mechanism) {
            (Way::Chains, Some(chains), ..) => chains.finish(state, control, piece.h),
            (Way::Reduced, _, Some(reduced), _) => reduced.finish(model, state),
            (Way::General, .., Some(mechanism)) => mechanism.write(model, state, control, piece.is_last()),
            _ => {}
        }
    }

    /// The chains of a model that has nothing else, if that serves.
    fn take_by_chains(&mut self, state: &State, control: &Control, piece: &Piece) -> Option<(StepOutcome, f64)> {
        let chains = self.chains.as_mut()?;
        if chains.serves(state, control) { chains.take(state, control, &self.options, piece) } else { None }
    }

    /// The mechanism in general.
    fn take_in_general(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        collide: &Collide,
        piece: &Piece,
    ) -> Result<StepOutcome, StepError> {
        self.make_mechanism(model);
        let Self { mechanism: Some(mechanism), elastic, listed, .. } = self else { return Ok(StepOutcome::new()) };
        let h = piece.h;
        mechanism.read(model, state, control);
        mechanism.drive_kinematic(model, state, control, piece.left());
        mechanism.begin(piece.index);
        let contacts = &collide.contacts;
        let bounded = !mechanism.laws.bounded.is_empty() || mechanism.touches(contacts);
        let projecting = mechanism.is_projecting();
        let reached = match mechanism.options.integrator {
            _ if bounded => mechanism.moreau_step(model, control, contacts, listed, h),
            Integrator::Rk4 => mechanism.rk4_step(model, control, h),
            _ if !projecting => mechanism.euler_step(model, control, h),
            Integrator::Variational if !*elastic => mechanism.variational_step(model, control, h),
            _ => mechanism.moreau_step(model, control, contacts, listed, h),
        };
        let mut reached = reached.map_err(|error| Self::failed(state, error))?;
        // What is there for comparison takes the step as it is.
        reached.swing = if projecting { mechanism.swing(control, h) } else { 0.0 };
        Ok(reached)
    }

    fn failed(state: &State, error: SingularBlock) -> StepError {
        StepError::Failed { solver: "structured", time: state.time, reason: error.to_string() }
    }

    /// Breaks joints whose mean force in the step exceeds what they bear.
    fn break_joints(&self, model: &Model, state: &mut State, h: f64) -> Vec<u32> {
        let mut broken = Vec::new();
        let Some(mechanism) = self.mechanism() else { return broken };
        for (joint, bears) in model.joint_break.iter().enumerate() {
            if *bears == [f64::INFINITY; 2] || !mechanism.active[joint] {
                continue;
            }
            let Some(impulse) = mechanism.step_impulse(joint) else { continue };
            let [x, y, z, a, b, c] = impulse.map(|impulse| impulse / h);
            if DVec3::new(x, y, z).length() > bears[0] || DVec3::new(a, b, c).length() > bears[1] {
                state.joint_intact[joint] = false;
                broken.push(joint as u32);
            }
        }
        broken
    }

    fn report(&self, model: &Model, state: &State, reached: &StepOutcome, gap: Option<f64>) -> Report {
        let mut report = match self.chains.as_ref().filter(|_| self.way == Way::Chains) {
            Some(chains) => {
                // Counted by the sweep that wrote the state.
                let motion = chains.motion();
                Report {
                    kinetic_energy: motion.kinetic,
                    potential_energy: motion.potential,
                    momentum: motion.linear.to_array(),
                    angular_momentum: motion.angular.to_array(),
                    ..Report::default()
                }
            }
            None => Report::of_motion(model, state),
        };
        report.iterations = reached.iterations;
        report.residual = Some(reached.residual);
        report.ending = match (reached.converged, reached.stuck) {
            (true, _) => Ending::Converged,
            (false, true) => Ending::Stuck,
            (false, false) => Ending::Slow,
        };
        if let Some(gap) = gap {
            // Chains hang by ball joints, which hold no angle, and are taken only while nothing is in touch.
            (report.max_joint_error, report.max_joint_angle_error) = (Some(gap), Some(0.0));
            report.max_penetration = Some(0.0);
            report.color_count = self.chains.as_ref().map(|chains| chains.count() as u32);
        } else if let Some(reduced) = self.reduced.as_ref().filter(|_| self.way == Way::Reduced) {
            // Taken only while nothing is in touch.
            [report.max_joint_error, report.max_joint_angle_error] = reduced.gaps().map(Some);
            report.max_penetration = Some(0.0);
            report.color_count = Some(reduced.count() as u32);
        } else if let Some(mechanism) = self.mechanism() {
            [report.max_joint_error, report.max_joint_angle_error] = mechanism.joint_errors().map(Some);
            report.color_count = Some(mechanism.tree_count() as u32);
            report.contact_count = mechanism.points.len();
            let overlaps = mechanism.points.iter().map(|point| -mechanism.point_gap(point));
            report.max_penetration = Some(overlaps.fold(0.0, f64::max));
        }
        report
    }
}

impl ConstraintSystem {
    /// Gives kinematic bodies the velocity that takes them to their target in `h` seconds.
    pub(super) fn drive_kinematic(&mut self, model: &Model, state: &State, control: &Control, h: f64) {
        for index in 0..model.body_count() {
            if model.body_kind[index] != BodyKind::Kinematic || state.body_quarantined[index] {
                continue;
            }
            if let Some(goal) = control.body_target[index] {
                let body = &mut self.bodies.body[index];
                let way = goal.transform_point(model.body_com[index]) - body.placement.com;
                let turn =
                    drystone_model::kinematics::rotation::log(goal.rotation * body.placement.rotation.conjugate());
                body.velocity = spatial(way / h, turn / h);
            }
        }
    }

    /// Writes poses and velocities; kinematic bodies have `arrived` at the end of the step.
    fn write(&self, model: &Model, state: &mut State, control: &Control, arrived: bool) {
        self.bodies.write(model, state);
        for index in 0..model.body_count() {
            if model.body_kind[index] != BodyKind::Kinematic || state.body_quarantined[index] {
                continue;
            }
            let body = &self.bodies.body[index];
            let rotation = body.placement.rotation;
            let moved = Pose::from_parts(body.placement.com - rotation * model.body_com[index], rotation);
            state.body_q[index] = control.body_target[index].filter(|_| arrived).unwrap_or(moved);
            state.body_qd[index] = Twist { linear: body.linear(), angular: body.angular() };
        }
    }
}

impl Solver for Structured {
    fn name(&self) -> &'static str {
        "structured"
    }

    fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        control: &Control,
        collide: &mut Collide,
        dt: f64,
    ) -> Result<Report, StepError> {
        let mut clock = Clock::of_step(dt)?;
        let gathered = self.last_dt == 0.0 && self.gather(model, state, control, dt)?;
        let (reached, gap) = self.step_in_pieces(model, state, control, collide, dt, &mut clock)?;
        state.time += dt;
        state.step_count += 1;
        self.last_dt = dt;
        if let (Some(mechanism), Way::General) = (&mut self.mechanism, self.way) {
            mechanism.ledger.end(dt);
            // What converges without contacts keeps momenta by itself, unless joints that were open were closed.
            let which = match (reached.converged, reached.moved || gathered) {
                (false, _) => Which::Unconverged,
                (true, true) => Which::Linked,
                (true, false) => Which::Touched,
            };
            self.floating.restore(model, state, control, &mechanism.ledger.contact, &mechanism.moved, which);
        }
        let broken = if self.way == Way::General { self.break_joints(model, state, dt) } else { Vec::new() };
        clock.lap(Phase::Finish);
        let mut report = self.report(model, state, &reached, gap);
        report.broken = broken.into_iter().map(JointId).collect();
        report.growth_count = Some(collide.take_growth());
        clock.lap(Phase::Report);
        report.time = clock.laps;
        Ok(report)
    }

    fn take_contacts(&mut self, out: &mut Vec<ContactForce>) -> Result<(), Untold> {
        out.clear();
        // Chains and trees are taken only while nothing is in touch.
        if let Some(mechanism) = self.mechanism().filter(|_| self.way == Way::General) {
            out.extend_from_slice(&mechanism.ledger.contact);
        }
        Ok(())
    }

    fn read_joints(&self, model: &Model, state: &State, out: &mut Vec<JointForce>) -> Result<(), Untold> {
        out.clear();
        out.resize(model.joint_count(), JointForce::default());
        let chained = self.way == Way::Chains;
        let reduced = self.reduced.as_ref().filter(|_| self.way == Way::Reduced);
        let wrenches = reduced.map(|reduced| reduced.impulses(model));
        for joint in (0..model.joint_count()).filter(|_| self.last_dt > 0.0) {
            let geometry = JointGeometry::new(model, joint, model.body_count(), true);
            let places =
                [model.joint_parent[joint], model.joint_child[joint]].map(|body| placement(model, state, body));
            let axes = geometry.axes(places, DVec3::from_array(state.joint_angle[joint]));
            let along = self.chains.as_ref().filter(|_| chained).map(|chains| chains.impulse(model, joint));
            let sides = self.mechanism().and_then(|mechanism| mechanism.wrench.get(joint));
            let impulse = match (along, &wrenches, sides) {
                (Some(along), ..) => JointWrench::at(axes.lever, axes.direction * along, DVec3::ZERO),
                (None, Some(wrenches), _) => wrenches[joint],
                (None, None, Some(sides)) => both_sides(sides, axes.lever),
                (None, None, None) => continue,
            };
            let mean = impulse.map(|impulse| impulse / self.last_dt);
            out[joint] = JointForce::of(places[1].com, axes.lever[1], &mean);
        }
        Ok(())
    }

    fn snapshot(&self) -> Vec<u8> {
        let memory = self.mechanism().map_or(&self.memory, |mechanism| &mechanism.memory);
        to_bytes(&(memory, self.piece, self.reduced.as_ref().map(|reduced| &reduced.fastest)))
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (memory, piece, fastest) = from_bytes(bytes)?;
        (*self.memory_mut(), self.piece) = (memory, piece);
        if let (Some(reduced), Some(fastest)) = (&mut self.reduced, fastest) {
            reduced.fastest = fastest;
        }
        Ok(())
    }

    fn edited(&self, model: &Model, map: &ModelMap) -> Result<Box<dyn Solver>, Refusal> {
        let mut next = Self::new(model, self.options.clone())?;
        let memory = self.mechanism().map_or(&self.memory, |mechanism| &mechanism.memory);
        *next.memory_mut() = map.carry_points(memory);
        next.piece = self.piece;
        Ok(Box::new(next))
    }

    fn reset_world(&mut self, _model: &Model, world: u32) {
        let memory = self.memory_mut().iter_mut();
        memory.filter(|point| point.world == world).for_each(|point| *point = PointMemory::default());
    }
}

/// A body as joints see it.
fn placement(model: &Model, state: &State, body: u32) -> Placement {
    match state.body_q.get(body as usize) {
        Some(pose) => Placement { com: pose.transform_point(model.body_com[body as usize]), rotation: pose.rotation },
        None => Placement { com: DVec3::ZERO, rotation: DQuat::IDENTITY },
    }
}

/// The impulse of a joint from those on parent and child about their centres of mass. A side that does not move has no rows: the
/// other one feels the opposite.
fn both_sides(sides: &[Vec6<f64>; 2], lever: [DVec3; 2]) -> JointWrench {
    let [(pull, parent), (force, child)] = sides.each_ref().map(split);
    match sides.map(|side| side == [0.0; 6]) {
        [_, true] => JointWrench::at(lever, -pull, lever[0].cross(pull) - parent),
        [true, false] => JointWrench::at(lever, force, child - lever[1].cross(force)),
        [false, false] => JointWrench { force, torque: [parent, child] },
    }
}

impl Structured {
    fn memory_mut(&mut self) -> &mut Vec<PointMemory> {
        match &mut self.mechanism {
            Some(mechanism) => &mut mechanism.memory,
            None => &mut self.memory,
        }
    }
}
