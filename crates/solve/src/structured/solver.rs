//! The solver as the engine sees it.

use drystone_collide::Collide;
use drystone_model::{BodyKind, Control, DVec3, JointId, Model, Pose, State, Twist};

use super::contact::PointMemory;
use super::laws::Law;
use super::mechanism::Mechanism;
use super::moreau::StepOutcome;
use super::options::{Integrator, Stabilization, StructuredOptions};
use crate::clock::Clock;
use crate::parts::SingularBlock;
use crate::parts::block6::spatial;
use crate::report::{Ending, Phase, Report};
use crate::solver::{SnapshotError, Solver, StepError, Unsupported};

/// The accurate solver for mechanisms.
#[derive(Debug)]
pub struct Structured {
    mechanism: Mechanism,
    /// Whether joints have springs, drives or rotors.
    elastic: bool,
    /// Hard stops that count in this step.
    listed: Vec<bool>,
}

impl Structured {
    /// A solver for a model.
    pub fn new(model: &Model, options: StructuredOptions) -> Result<Self, Unsupported> {
        Unsupported::particles("structured", model)?;
        let mechanism = Mechanism::new(model, options);
        let elastic = (0..model.joint_count())
            .any(|joint| mechanism.laws.of(joint).iter().any(|law| matches!(law.law, Law::Elastic { .. })));
        let listed = vec![false; mechanism.laws.bounded.len()];
        Ok(Self { mechanism, elastic, listed })
    }

    /// The mechanism as the last step left it.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Mean force and torque a joint exerted on its child in the last step, along its six axes in the
    /// parent joint frame \[N\], \[N·m\]; `None` before the first step or for a joint that does not exist.
    pub fn joint_force(&self, joint: JointId, dt: f64) -> Option<[f64; 6]> {
        self.mechanism.impulse.get(joint.index()).map(|impulse| impulse.map(|x| x / dt))
    }

    fn take_step(
        &mut self,
        model: &Model,
        control: &Control,
        collide: &Collide,
        h: f64,
    ) -> Result<StepOutcome, SingularBlock> {
        let Self { mechanism, elastic, listed } = self;
        let bounded = !mechanism.laws.bounded.is_empty() || mechanism.touches(&collide.contacts);
        let projecting = mechanism.is_projecting();
        let variational = mechanism.options.integrator == Integrator::Variational;
        match mechanism.options.integrator {
            _ if bounded => {}
            Integrator::Rk4 => return mechanism.rk4_step(model, control, h),
            Integrator::Variational if projecting && !*elastic => return mechanism.variational_step(model, control, h),
            _ if !projecting && (!variational || mechanism.options.stabilization != Stabilization::Projection) => {
                return mechanism.euler_step(model, control, h);
            }
            _ => {}
        }
        mechanism.moreau_step(model, control, &collide.contacts, listed, h)
    }

    fn failed(state: &State, error: SingularBlock) -> StepError {
        StepError::Failed { solver: "structured", time: state.time, reason: error.to_string() }
    }

    /// Gives kinematic bodies the velocity that takes them to their target.
    fn drive_kinematic(&mut self, model: &Model, state: &State, control: &Control, h: f64) {
        for index in 0..model.body_count() {
            if model.body_kind[index] != BodyKind::Kinematic || state.body_quarantined[index] {
                continue;
            }
            if let Some(goal) = control.body_target[index] {
                let body = &mut self.mechanism.bodies.body[index];
                let way = goal.transform_point(model.body_com[index]) - body.placement.com;
                let turn =
                    drystone_model::kinematics::rotation::log(goal.rotation * body.placement.rotation.conjugate());
                body.velocity = spatial(way / h, turn / h);
            }
        }
    }

    fn write(&self, model: &Model, state: &mut State, control: &Control) {
        self.mechanism.bodies.write(model, state);
        for index in 0..model.body_count() {
            if model.body_kind[index] != BodyKind::Kinematic || state.body_quarantined[index] {
                continue;
            }
            let body = &self.mechanism.bodies.body[index];
            let rotation = body.placement.rotation;
            let moved = Pose::from_parts(body.placement.com - rotation * model.body_com[index], rotation);
            state.body_q[index] = control.body_target[index].unwrap_or(moved);
            state.body_qd[index] = Twist { linear: body.linear(), angular: body.angular() };
        }
    }

    /// Breaks joints whose mean force in the step exceeds what they bear.
    fn break_joints(&self, model: &Model, state: &mut State, h: f64) -> Vec<u32> {
        let mut broken = Vec::new();
        for (joint, bears) in model.joint_break.iter().enumerate() {
            if *bears == [f64::INFINITY; 2] || !self.mechanism.active[joint] {
                continue;
            }
            let [x, y, z, a, b, c] = self.mechanism.impulse[joint].map(|impulse| impulse / h);
            if DVec3::new(x, y, z).length() > bears[0] || DVec3::new(a, b, c).length() > bears[1] {
                state.joint_intact[joint] = false;
                broken.push(joint as u32);
            }
        }
        broken
    }

    fn report(&self, model: &Model, state: &State, reached: &StepOutcome) -> Report {
        let mut report = Report::of_motion(model, state);
        report.iterations = reached.iterations;
        report.residual = reached.residual;
        report.ending = match (reached.converged, reached.stuck) {
            (true, _) => Ending::Converged,
            (false, true) => Ending::Stuck,
            (false, false) => Ending::Slow,
        };
        [report.max_joint_error, report.max_joint_angle_error] = self.mechanism.joint_errors();
        report.color_count = self.mechanism.tree_count() as u32;
        report.contact_count = self.mechanism.points.len();
        let overlaps = self.mechanism.points.iter().map(|point| -self.mechanism.point_gap(point));
        report.max_penetration = overlaps.fold(0.0, f64::max);
        report
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
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(StepError::BadTimeStep(dt));
        }
        let mut clock = Clock::new();
        self.mechanism.read(model, state, control);
        self.drive_kinematic(model, state, control, dt);
        self.mechanism.begin();
        clock.lap(Phase::Predict);
        collide.detect(model, state, dt);
        clock.lap(Phase::Contacts);
        let reached = self.take_step(model, control, collide, dt).map_err(|error| Self::failed(state, error))?;
        clock.lap(Phase::Iterate);
        self.write(model, state, control);
        state.time += dt;
        state.step_count += 1;
        model.update_joint_angles(state);
        let broken = self.break_joints(model, state, dt);
        clock.lap(Phase::Finish);
        let mut report = self.report(model, state, &reached);
        report.broken = broken;
        report.growth_count = collide.growth_count;
        clock.lap(Phase::Report);
        report.time = clock.laps;
        Ok(report)
    }

    fn snapshot(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.mechanism.memory).expect("plain numbers always serialise")
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let memory: Vec<PointMemory> = postcard::from_bytes(bytes).map_err(|error| SnapshotError(error.to_string()))?;
        self.mechanism.memory = memory;
        Ok(())
    }

    fn reset_world(&mut self, _model: &Model, world: u32) {
        self.mechanism
            .memory
            .iter_mut()
            .filter(|point| point.world == world)
            .for_each(|point| *point = PointMemory::default());
    }
}
