//! Joint rows: every locked axis, limit, drive, friction, armature and elastic constant is a spring
//! with a reference, a multiplier and bounds on its force.

use drystone_model::{AxisMode, Control, Follow, JointKind, Model};
use serde::{Deserialize, Serialize};

use super::control::JointMode;
use super::dahl;
use drystone_solve::joint::rod_constants;

/// Most that a hard row may give way under its force, as a share of the extent of its joint or of a radian: a ball 50,000 times
/// heavier than the links that hold it takes most of it.
const GIVES: f64 = 6.0e-4;

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowKind {
    /// A locked axis, hard or elastic.
    Locked,
    /// An elastic axis of a rod.
    Rod,
    /// Lower stop.
    Lower,
    /// Upper stop.
    Upper,
    /// Drive.
    Drive,
    /// Spring and damper beside the drive.
    Spring,
    /// Dry friction.
    Friction,
    /// Rotor inertia.
    Armature,
    /// Hysteresis of a rod in bending.
    Dahl,
    /// One of the two ends of a coupling between joints.
    Coupled,
    /// Largest rate upwards.
    Fastest,
    /// Largest rate downwards.
    FastestBack,
}

/// The other end of a coupling: the row holds its own coordinate at factor · coordinate there + offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partner {
    /// The other joint.
    pub joint: u32,
    /// The axis there.
    pub axis: u8,
    /// Own coordinate per coordinate there.
    pub factor: f64,
    /// Own coordinate where the other is zero \[m or rad\].
    pub offset: f64,
    /// Error that is left alone in this step, where it is too large to be closed at once \[m or rad\].
    pub kept: f64,
    /// Whether this is the end that follows.
    pub follows: bool,
    /// Stiffness and damping along its own coordinate where it follows by a spring; an infinite stiffness where it is held.
    pub spring: [f64; 2],
    /// The side it stops at, where the coupling has play: `Lower` keeps the coordinate from falling short.
    pub stop: Option<RowKind>,
}

impl Partner {
    /// Where the row's own coordinate belongs when the other is `there` \[m or rad\].
    pub fn reference(&self, there: f64) -> f64 {
        self.factor * there + self.offset + self.kept
    }

    /// What of a difference from there is an error: all of it, or what lies beyond a stop.
    pub fn past(&self, off: f64) -> f64 {
        match self.stop {
            Some(RowKind::Lower) => off.min(0.0),
            Some(_) => off.max(0.0),
            None => off,
        }
    }
}

/// One row of a joint along one of its coordinates q: force −f along q with
/// f = clamp(λ + k (q − reference), lower, upper), but for hysteresis, see [`super::dahl`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRow {
    /// Coordinate, 0 to 5.
    pub axis: u8,
    /// What it stands for.
    pub kind: RowKind,
    /// Whether the stiffness is numerical, that is, the constraint is hard.
    pub hard: bool,
    /// Stiffness \[N/m or N·m/rad\]; for hysteresis the rate 1/τ at which it follows \[1/rad\].
    pub k: f64,
    /// Coordinate at which the spring is at rest \[m or rad\].
    pub reference: f64,
    /// Multiplier \[N or N·m\].
    pub lambda: f64,
    /// Smallest force \[N or N·m\].
    pub lower: f64,
    /// Largest force \[N or N·m\].
    pub upper: f64,
    /// Force as last solved for \[N or N·m\].
    pub force: f64,
    /// Energy that it can give in the step \[J\].
    pub stored: f64,
    /// Force it would have if nothing moved \[N or N·m\].
    pub blocked: f64,
    /// Stiffness of the spring it stands for, infinite where hard \[N/m or N·m/rad\].
    pub stiffness: f64,
    /// Working stiffness that a swept row has grown to \[N/m or N·m/rad\].
    pub working: f64,
    /// Largest working stiffness \[N/m or N·m/rad\].
    pub most: f64,
    /// Coordinate at the start of the step \[m or rad\].
    pub start: f64,
    /// Damping relative to the stiffness, over the step \[1\]: the force has k · viscous · (q − start) besides.
    pub viscous: f64,
    /// Whether it is a stop that the motion at the start of the step reaches within two.
    pub near: bool,
    /// The other end, if it is one of a coupling.
    pub partner: Option<Partner>,
}

impl JointRow {
    /// Whether it is a stop.
    pub fn is_stop(&self) -> bool {
        matches!(self.kind, RowKind::Lower | RowKind::Upper)
    }

    /// Sets a rotor of some inertia that would come to `reference` by itself in a step worth `h` seconds.
    pub fn coast(&mut self, inertia: f64, h: f64, reference: f64) {
        (self.k, self.reference) = (inertia / (h * h), reference);
    }

    /// Force and its derivative at coordinate `q`.
    #[inline]
    pub fn law(&self, q: f64) -> (f64, f64) {
        if self.kind == RowKind::Dahl {
            return dahl::law(self, q);
        }
        let trial = self.lambda + self.k * (q - self.reference) + self.k * self.viscous * (q - self.start);
        let force = trial.clamp(self.lower, self.upper);
        (force, if force == trial { self.k * (1.0 + self.viscous) } else { 0.0 })
    }

    /// Energy of its spring at coordinate `q` \[J\].
    fn energy(&self, q: f64) -> f64 {
        let (d, force) = (q - self.reference, self.law(q).0);
        if self.k > 0.0 { force * d - 0.5 * force * force / self.k } else { 0.0 }
    }

    /// How far a hard row gives way under its force, within what a joint of this size may \[m or rad\].
    pub fn give(&self, size: f64) -> f64 {
        let most = GIVES * size;
        ((self.force - self.lambda) / self.k).clamp(-most, most)
    }

    /// Whether the force is bounded.
    pub fn bounded(&self) -> bool {
        self.lower.is_finite() || self.upper.is_finite()
    }
}

/// The rows a joint needs, in axis order.
pub fn rows_of(model: &Model, joint: usize, out: &mut Vec<JointRow>) {
    if model.joint_kind[joint] == JointKind::Free {
        return;
    }
    if model.joint_kind[joint] == JointKind::Distance {
        out.push(row(0, RowKind::Lower));
        out.push(row(0, RowKind::Upper));
        driven_rows(model, joint, 0, out);
        return;
    }
    if model.joint_kind[joint] == JointKind::Cone {
        stop_rows(model, joint, 3, out);
        return;
    }
    for axis in 0..6 {
        if model.joint_rod[joint].is_some() {
            out.push(row(axis, RowKind::Rod));
            if dahl::wanted(model, joint, axis) {
                out.push(row(axis, RowKind::Dahl));
            }
        } else if model.joint_axis[joint][axis] == AxisMode::Locked {
            out.push(row(axis, RowKind::Locked));
        } else {
            free_axis_rows(model, joint, axis, out);
        }
    }
}

fn free_axis_rows(model: &Model, joint: usize, axis: usize, out: &mut Vec<JointRow>) {
    stop_rows(model, joint, axis, out);
    driven_rows(model, joint, axis, out);
    if let Some(follow) = &model.joint_follow[joint][axis] {
        let partner = |(bound, stop)| Partner {
            joint: follow.joint.0,
            axis: follow.axis as u8,
            factor: follow.ratio,
            offset: follow.offset + bound,
            kept: 0.0,
            follows: true,
            spring: [follow.stiffness, follow.damping],
            stop,
        };
        out.extend(sides(follow).map(|side| coupled(axis, partner(side))));
    }
}

fn stop_rows(model: &Model, joint: usize, axis: usize, out: &mut Vec<JointRow>) {
    let limit = model.axis_limit(joint, axis);
    let wanted = [(limit.lower.is_finite(), RowKind::Lower), (limit.upper.is_finite(), RowKind::Upper)];
    out.extend(wanted.iter().filter(|(wanted, _)| *wanted).map(|&(_, kind)| row(axis, kind)));
    if model.joint_max_rate[joint][axis].is_finite() {
        out.extend([RowKind::Fastest, RowKind::FastestBack].map(|kind| row(axis, kind)));
    }
}

/// The rows of what acts along an axis beside its stops.
fn driven_rows(model: &Model, joint: usize, axis: usize, out: &mut Vec<JointRow>) {
    let wanted = [
        (model.joint_drive[joint][axis].acts(), RowKind::Drive),
        (model.joint_spring[joint][axis].acts(), RowKind::Spring),
        (model.joint_friction[joint][axis] > 0.0, RowKind::Friction),
        (model.joint_armature[joint][axis] > 0.0, RowKind::Armature),
    ];
    out.extend(wanted.iter().filter(|(wanted, _)| *wanted).map(|&(_, kind)| row(axis, kind)));
}

/// What a coupling asks for: one place, or a stop at each bound of its play.
fn sides(follow: &Follow) -> impl Iterator<Item = (f64, Option<RowKind>)> {
    let [below, above] = follow.play;
    let rigid = follow.play == [0.0; 2];
    let all = [
        (rigid, 0.0, None),
        (!rigid && below.is_finite(), below, Some(RowKind::Lower)),
        (!rigid && above.is_finite(), above, Some(RowKind::Upper)),
    ];
    all.into_iter().filter(|(wanted, ..)| *wanted).map(|(_, bound, stop)| (bound, stop))
}

/// The rows of what follows the axes of a joint, by joints in order.
pub fn leading_rows(followers: &[(usize, usize, Follow)], joint: usize, out: &mut Vec<JointRow>) {
    for &(follower, axis, follow) in followers.iter().filter(|(_, _, follow)| follow.joint.built_index() == joint) {
        let partner = |(bound, stop): (f64, Option<RowKind>)| Partner {
            joint: follower as u32,
            axis: axis as u8,
            factor: 1.0 / follow.ratio,
            offset: -(follow.offset + bound) / follow.ratio,
            kept: 0.0,
            follows: false,
            // The same energy seen from the other end.
            spring: [follow.stiffness, follow.damping].map(|constant| constant * follow.ratio * follow.ratio),
            // Where the leader moves the follower forwards, one falls short when the other goes too far.
            stop: stop.map(|stop| match (stop, follow.ratio > 0.0) {
                (RowKind::Lower, true) | (RowKind::Upper, false) => RowKind::Upper,
                _ => RowKind::Lower,
            }),
        };
        out.extend(sides(&follow).map(|side| coupled(follow.axis as usize, partner(side))));
    }
}

fn coupled(axis: usize, partner: Partner) -> JointRow {
    JointRow { partner: Some(partner), ..row(axis, RowKind::Coupled) }
}

fn row(axis: usize, kind: RowKind) -> JointRow {
    JointRow {
        axis: axis as u8,
        kind,
        hard: false,
        k: 0.0,
        reference: 0.0,
        lambda: 0.0,
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        force: 0.0,
        stored: 0.0,
        blocked: 0.0,
        stiffness: 0.0,
        working: 0.0,
        most: 0.0,
        start: 0.0,
        viscous: 0.0,
        near: false,
        partner: None,
    }
}

/// What a row needs to know about the step.
#[derive(Clone, Copy, Debug)]
pub struct RowStep {
    /// Step \[s\].
    pub h: f64,
    /// Coordinate at the start of the step \[m or rad\].
    pub start: f64,
    /// Coordinate of the other end of a coupling at the start of the step \[m or rad\].
    pub there: f64,
    /// Rate at the start of the step \[m/s or rad/s\].
    pub rate: f64,
    /// Stiffness of a hard row \[N/m or N·m/rad\].
    pub hard: f64,
    /// Share of inherited error that is left alone.
    pub keep: f64,
    /// Error beyond which the row is closed gradually \[m or rad\].
    pub open: f64,
    /// What the user chose for the locked translations and rotations.
    pub mode: [JointMode; 2],
    /// Whether damping scales with the stiffness a row works with, as in the published ramp.
    pub relative_damping: bool,
    /// Damping of the hard translations and rotations of the joint relative to their stiffness \[s\].
    pub hard_damping: [f64; 2],
}

/// Error of a coordinate that follows another beyond which it is closed gradually \[m or rad\].
const UNCOUPLED: f64 = 0.02;
/// Share of its error that an open row keeps in a step.
const OPEN_KEEP: f64 = 0.9;

impl JointRow {
    /// Sets the spring for a step.
    pub fn prepare(&mut self, model: &Model, control: &Control, joint: usize, step: &RowStep) {
        let axis = self.axis as usize;
        let angular = usize::from(axis >= 3);
        match self.kind {
            RowKind::Locked => {
                let modelled = (model.joint_stiffness[joint][angular], model.joint_damping[joint][angular]);
                let (stiffness, damping) = step.mode[angular].constants(modelled);
                self.hard = stiffness.is_infinite();
                self.elastic(stiffness, damping, 0.0, step);
            }
            RowKind::Rod => {
                let (stiffness, damping) = step.mode[angular].constants(rod_constants(model, joint, axis));
                self.hard = stiffness.is_infinite();
                self.elastic(stiffness, damping, 0.0, step);
            }
            RowKind::Dahl => dahl::prepare(self, model, joint, step),
            RowKind::Lower | RowKind::Upper => self.stop(model, joint, step),
            RowKind::Drive => self.drive(model, control, joint, step),
            RowKind::Spring => {
                let spring = model.joint_spring[joint][axis];
                self.elastic(spring.stiffness, spring.damping, spring.rest, step);
            }
            RowKind::Friction => {
                let effort = model.joint_friction[joint][axis];
                (self.k, self.reference, self.lower, self.upper) = (step.hard, step.start, -effort, effort);
            }
            RowKind::Coupled => self.couple(step),
            RowKind::Fastest | RowKind::FastestBack => {
                let way = step.h * model.joint_max_rate[joint][axis];
                let up = self.kind == RowKind::Fastest;
                (self.k, self.reference) = (step.hard, step.start + if up { way } else { -way });
                (self.lower, self.upper) = if up { (0.0, f64::INFINITY) } else { (f64::NEG_INFINITY, 0.0) };
            }
            RowKind::Armature => {
                self.coast(model.joint_armature[joint][axis], step.h, step.start + step.h * step.rate);
            }
        }
        let elastic = !self.hard && self.kind != RowKind::Dahl;
        if elastic {
            self.lambda = 0.0;
        }
        self.stored = if elastic { self.energy(step.start) } else { 0.0 };
        self.blocked = if elastic { self.law(step.start).0 } else { 0.0 };
    }

    /// Spring and damper towards `target` as one spring.
    fn elastic(&mut self, stiffness: f64, damping: f64, target: f64, step: &RowStep) {
        (self.start, self.viscous) = (step.start, 0.0);
        if stiffness.is_infinite() {
            self.viscous = step.hard_damping[usize::from(self.axis >= 3)] / step.h;
            let error = step.start - target;
            let keep = if error.abs() > step.open { step.keep.max(OPEN_KEEP) } else { step.keep };
            (self.k, self.reference, self.stiffness) = (step.hard, target + keep * error, f64::INFINITY);
            return;
        }
        let viscous = damping / step.h;
        if step.relative_damping && stiffness > 0.0 {
            (self.k, self.stiffness, self.reference) = (stiffness, stiffness, target);
            self.viscous = viscous / stiffness;
            return;
        }
        self.k = stiffness + viscous;
        self.stiffness = self.k;
        self.reference = if self.k > 0.0 { (stiffness * target + viscous * step.start) / self.k } else { target };
    }

    /// Holds the coordinate where the other end of the coupling asks for it.
    fn couple(&mut self, step: &RowStep) {
        let Some(partner) = &mut self.partner else { return };
        partner.kept = 0.0;
        let error = partner.past(step.start - partner.reference(step.there));
        // Both ends must keep the same error, so both ask for that of the end that follows.
        let [stiffness, damping] = partner.spring;
        if stiffness.is_finite() {
            // A damper asks for the error of the start; both as one spring.
            let viscous = damping / step.h;
            self.hard = false;
            (self.k, self.stiffness) = (stiffness + viscous, stiffness + viscous);
            partner.kept = if self.k > 0.0 { error * viscous / self.k } else { 0.0 };
            self.reference = partner.reference(step.there);
            return;
        }
        let followers = if partner.follows { error } else { error / partner.factor };
        partner.kept = if followers.abs() > UNCOUPLED { OPEN_KEEP * error } else { 0.0 };
        (self.hard, self.k, self.stiffness) = (true, step.hard, f64::INFINITY);
        self.reference = partner.reference(step.there);
        (self.lower, self.upper) = match partner.stop {
            Some(RowKind::Lower) => (f64::NEG_INFINITY, 0.0),
            Some(_) => (0.0, f64::INFINITY),
            None => (f64::NEG_INFINITY, f64::INFINITY),
        };
        self.near = partner.stop.is_some();
    }

    fn stop(&mut self, model: &Model, joint: usize, step: &RowStep) {
        let (bounds, stiffness, damping) = if model.joint_kind[joint] == JointKind::Distance {
            (model.joint_distance[joint], model.joint_stiffness[joint][0], model.joint_damping[joint][0])
        } else {
            let limit = model.axis_limit(joint, self.axis as usize);
            ([limit.lower, limit.upper], limit.stiffness, limit.damping)
        };
        let upper = self.kind == RowKind::Upper;
        let bound = bounds[usize::from(upper)];
        let arrival = step.start + 2.0 * step.h * step.rate;
        let beyond = if upper { step.start > bound } else { step.start < bound };
        self.hard = stiffness.is_infinite();
        let start = if beyond { step.start } else { bound };
        self.elastic(stiffness, if beyond { damping } else { 0.0 }, bound, &RowStep { start, ..*step });
        (self.lower, self.upper) = if upper { (0.0, f64::INFINITY) } else { (f64::NEG_INFINITY, 0.0) };
        let ahead = if upper { step.start.max(arrival) - bound } else { bound - arrival.min(step.start) };
        self.near = ahead >= 0.0;
        if bound.is_infinite() {
            (self.k, self.reference, self.start) = (0.0, 0.0, step.start);
        }
    }

    fn drive(&mut self, model: &Model, control: &Control, joint: usize, step: &RowStep) {
        let axis = self.axis as usize;
        let drive = model.joint_drive[joint][axis];
        let viscous = drive.damping / step.h;
        let advanced = step.start + step.h * control.joint_target_velocity[joint][axis];
        self.k = drive.stiffness + viscous;
        self.reference = (drive.stiffness * control.joint_target[joint][axis] + viscous * advanced) / self.k;
        (self.lower, self.upper) = (-drive.max_effort, drive.max_effort);
    }
}
