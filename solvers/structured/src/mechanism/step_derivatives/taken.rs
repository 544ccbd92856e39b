//! A step that was taken, and how the rows of its joints change with their bodies.

use drystone_collide::Collide;
use drystone_model::{Control, Model, State};

use super::super::error::{ContactEdge, MechanismError};
use super::touching::{Touching, detect, refusal};
use crate::axis_laws::{Bounded, Law};
use crate::block::{JointBlock, JointView};
use crate::bodies::Body;
use crate::moreau::StepOutcome;
use crate::turns::SecondLook;
use crate::{ConstraintSystem, Level, StructuredOptions};
use drystone_solve::linalg::matrix::Vec6;

/// Half the width of a difference \[rad\], and in sizes of the joint.
pub(super) const WIDTH: f64 = 1e-5;
/// Joint error of the step that derivatives are of \[m\].
const TOLERANCE: f64 = 1e-13;
/// What joints are open by at the start of a step with contacts may be left up to this at least \[m\]: closing them would take back
/// overlaps that the solver leaves alone.
const LEFT_OPEN: f64 = 1e-10;
/// Error of contacts in the step \[m/s\], and that of friction relative to the fastest row.
const CONTACT_SPEED: f64 = 1e-10;
const FRICTION_PASSES: u32 = 200;

/// A step and what it went through.
pub(super) struct TakenStep<'a> {
    pub(super) model: &'a Model,
    pub(super) control: &'a Control,
    pub(super) system: ConstraintSystem,
    pub(super) h: f64,
    /// Level of the rows of the first kick, and the durations of both kicks \[s\].
    pub(super) level: Level,
    pub(super) kicks: [f64; 2],
    /// Velocities between the kicks.
    pub(super) between: Vec<Vec6<f64>>,
    /// Impulses of the rows of the first kick by axis, and of those of the second by row.
    pub(super) first: Vec<[f64; 6]>,
    pub(super) second: Vec<Vec6<f64>>,
    /// Its contacts, where there are any.
    pub(super) touching: Option<Touching>,
}

impl<'a> TakenStep<'a> {
    pub(super) fn new(model: &'a Model, state: &State, control: &'a Control, h: f64) -> Result<Self, MechanismError> {
        let options = StructuredOptions {
            tolerance: TOLERANCE,
            velocity_tolerance: TOLERANCE,
            friction_tolerance: CONTACT_SPEED,
            friction_passes: FRICTION_PASSES,
            ..StructuredOptions::default()
        };
        let mut system = ConstraintSystem::new(model, options);
        let acts = |bounded: &Bounded| !matches!(bounded, Bounded::Stop { .. });
        let refuse = |joint: usize| MechanismError::NotSmooth { joint: model.joint_name[joint].clone() };
        if let Some(law) = system.laws.bounded.iter().find(|law| acts(&law.kind)) {
            return Err(refuse(law.joint as usize));
        }
        if let Some(coupling) = system.laws.couplings.first() {
            let [(joint, _), _] = coupling.end;
            return Err(MechanismError::Coupled { joint: model.joint_name[joint as usize].clone() });
        }
        system.read(model, state, control);
        system.drive_kinematic(model, state, control, h);
        system.begin(0);
        let elastic = (0..model.joint_count())
            .any(|joint| system.laws.of(joint).iter().any(|law| matches!(law.law, Law::Elastic { .. })));
        let collide = detect(model, state, h);
        let touches = system.touches(&collide.contacts);
        let implicit = elastic || !system.laws.bounded.is_empty() || touches;
        let mut listed = vec![false; system.laws.bounded.len()];
        let mut touching = None;
        if touches {
            touching = Some(touching_step(model, state, control, &mut system, &collide, &mut listed, h)?);
        } else if implicit {
            system.moreau_step(model, control, &collide.contacts, &mut listed, h)?;
        } else {
            system.variational_step(model, control, h)?;
        }
        if let Some(index) = listed.iter().position(|listed| *listed) {
            return Err(refuse(system.laws.bounded[index].joint as usize));
        }
        let swing = system.swing(control, h);
        if swing > crate::substeps::RESOLVED {
            return Err(MechanismError::TooLong { dt: h, swing });
        }
        let second: Vec<Vec6<f64>> = system.multiplier.clone();
        let first = (0..model.joint_count())
            .map(|joint| {
                let last = system.blocks[joint].along_axes(&second[joint]);
                std::array::from_fn(|axis| system.impulse[joint][axis] - last[axis])
            })
            .collect();
        let level = if implicit { Level::Step { h } } else { Level::Projection };
        let kicks = if implicit { [h, 0.0] } else { [0.5 * h; 2] };
        let between = system.half.clone();
        Ok(Self { model, control, system, h, level, kicks, between, first, second, touching })
    }

    /// A joint with its bodies as they are at the start or at the end, moved by small amounts.
    pub(super) fn block(&self, joint: usize, level: Level, bodies: [Body; 2], control: &Control) -> JointBlock {
        let view = self.system.view(joint, control);
        let mut block = JointBlock::default();
        JointView { body: [&bodies[0], &bodies[1]], ..view }.fill(level, &mut block);
        block
    }

    pub(super) fn ends(&self, joint: usize, bodies: &[Body]) -> [Body; 2] {
        self.system.geometry[joint].body.map(|body| bodies[body])
    }

    /// Changes of a joint's rows per unit of the twelve displacements of its bodies.
    pub(super) fn changes(&self, joint: usize, level: Level, bodies: &[Body]) -> Vec<JointBlock> {
        let ends = self.ends(joint, bodies);
        let size = self.system.blocks[joint].size;
        (0..12)
            .map(|input| {
                let width = if input % 6 < 3 { WIDTH * size } else { WIDTH };
                let at = |sign: f64| {
                    let mut moved = ends;
                    let mut by = [0.0; 6];
                    by[input % 6] = sign * width;
                    let body = &mut moved[input / 6];
                    body.displace(&by);
                    self.block(joint, level, moved, self.control)
                };
                difference(&at(1.0), &at(-1.0), 2.0 * width)
            })
            .collect()
    }

    /// Changes of the targets per unit of the twelve velocities of the bodies of a joint: they are linear.
    pub(super) fn changes_by_velocity(&self, joint: usize, level: Level, bodies: &[Body]) -> Vec<JointBlock> {
        let ends = self.ends(joint, bodies);
        let at = |input: usize, sign: f64| {
            let mut moved = ends;
            moved[input / 6].velocity[input % 6] += sign;
            self.block(joint, level, moved, self.control)
        };
        (0..12).map(|input| difference(&at(input, 1.0), &at(input, -1.0), 2.0)).collect()
    }

    /// Changes of a joint's rows per unit of something in the control, which they are linear in.
    pub(super) fn by_control(
        &self,
        joint: usize,
        level: Level,
        bodies: &[Body],
        change: impl Fn(&mut Control, f64),
    ) -> JointBlock {
        let at = |sign: f64| {
            let mut control = self.control.clone();
            change(&mut control, sign);
            self.block(joint, level, self.ends(joint, bodies), &control)
        };
        difference(&at(1.0), &at(-1.0), 2.0)
    }
}

/// A step with contacts, taken up to where they are known, read, and carried out.
fn touching_step(
    model: &Model,
    state: &State,
    control: &Control,
    system: &mut ConstraintSystem,
    collide: &Collide,
    listed: &mut [bool],
    h: f64,
) -> Result<Touching, MechanismError> {
    system.contact_accuracy = CONTACT_SPEED * h / system.options.contact_tolerance;
    system.evaluate(control, Level::Projection);
    system.leave_open = LEFT_OPEN.max(2.0 * system.row_errors()[0]);
    let mut reached = StepOutcome::new();
    system.find_impulses(model, control, &collide.contacts, listed, h, &mut reached)?;
    if !reached.converged {
        return Err(MechanismError::NotConverged {
            what: "the contact forces of the step",
            reached: reached.residual,
            asked: CONTACT_SPEED,
            steps: reached.iterations,
            remedy: "ask for shorter steps, or let fewer bodies touch",
        });
    }
    let touching = Touching::new(model, state, system, &collide.contacts, h)?;
    system.carry_out(model, control, &collide.contacts, h, &mut reached)?;
    let deepest = system.points.iter().min_by(|a, b| system.point_gap(a).total_cmp(&system.point_gap(b)));
    let bodies = deepest.map_or([0; 2], |point| point.body.map(|body| body as usize));
    if reached.lifted {
        return Err(refusal(model, bodies, ContactEdge::Overlaps));
    }
    let mut end = state.clone();
    system.bodies.write(model, &mut end);
    match SecondLook::default().refuse(model, &end, system, collide, h) {
        Some(_) => Err(refusal(model, bodies, ContactEdge::TurnsFar)),
        None => Ok(touching),
    }
}

fn difference(more: &JointBlock, less: &JointBlock, width: f64) -> JointBlock {
    let mut by = JointBlock { count: more.count, ..JointBlock::default() };
    for row in 0..more.count {
        by.target[row] = (more.target[row] - less.target[row]) / width;
        for side in 0..2 {
            by.jacobian[row][side] =
                std::array::from_fn(|k| (more.jacobian[row][side][k] - less.jacobian[row][side][k]) / width);
        }
    }
    for side in 0..2 {
        by.push[side] = std::array::from_fn(|k| (more.push[side][k] - less.push[side][k]) / width);
    }
    by
}
