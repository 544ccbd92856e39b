//! Joints: rows along their coordinates, solved together in each joint island.

mod assembly;
mod block;
mod company;
mod control;
mod coupling;
mod dahl;
mod efforts;
mod four;
mod fronts;
mod island;
mod islands;
mod line_search;
mod net;
mod pace;
mod projection;
mod rows;
mod stiffness;
mod swept;

use std::mem::take;

use drystone_model::{AxisMode, BodyKind, Control, DVec3, Model, State};

pub use company::{Company, LANES, Part};
pub use control::{JointMode, JointModeError, JointSlot, NoSuchJoint};
pub use islands::{JointIslands, NetMemory};
pub use pace::Pace;
pub use rows::{JointRow, RowKind};
pub use swept::{Ramp, Swept};

use super::bodies::Bodies;
use drystone_solve::forces::JointWrench;
pub use drystone_solve::joint::{Axes, JointGeometry, Placement};
use drystone_solve::linalg::matrix::{Vec6, dot};
use drystone_solve::parallel;
use drystone_solve::two_step::StepBefore;
use rows::{RowStep, leading_rows, rows_of};

/// Stiffness of a hard row, as a multiple of its inverse Delassus number over h². A 25 t ball on links of half a
/// kilogram then opens its joints by a tenth of a millimetre.
///
/// In a net, whose rows also keep multipliers, it must outweigh inertia in the softest motion as well: with a share
/// κ of stiffness to inertia, a step multiplies that motion by z with (1 − 1/z)³ = −κ, which grows wherever κ < 1.
/// A net of n × n has κ of about 5 / n² times this number. (A thousandth of it threw 40 × 40 balls about, a hundredth
/// 320 × 320.)
const STIFFNESS: f64 = 1.0e7;

/// All joints of a model.
#[derive(Clone, Debug, Default)]
pub struct Joints {
    /// What never changes.
    pub geometry: Vec<JointGeometry>,
    /// Levers of the ends that move, and at least a radius of gyration \[m\].
    reach: Vec<f64>,
    /// What errors of the translations are measured by \[m\].
    pub extent: Vec<f64>,
    /// First row of every joint, and the number of rows.
    pub row_start: Vec<u32>,
    /// Rows of all joints.
    pub rows: Vec<JointRow>,
    /// Rows that are ends of couplings.
    coupled: Vec<u32>,
    /// Joints with a stop.
    limited: Vec<u32>,
    /// Joints with a rotor.
    armed: Vec<u32>,
    /// Joints that came to act, or ceased to, in this step.
    changed: Vec<u32>,
    /// Whether the joint acts in this step.
    pub active: Vec<bool>,
    /// Angles at the start of the step, for full turns \[rad\].
    pub hint: Vec<DVec3>,
    /// What the user chose for the locked translations and rotations.
    pub mode: Vec<[JointMode; 2]>,
}

impl Joints {
    /// Reads the joints of a model; `world` is the slot of the world. Swept joints have their translations along the axes of
    /// the world, as published: what they inherit does not turn with the parent.
    pub fn new(model: &Model, world: usize, swept: bool) -> Self {
        let mut joints = Self { row_start: vec![0], ..Self::default() };
        let followers = coupling::followers(model);
        for joint in 0..model.joint_count() {
            let first = joints.rows.len();
            rows_of(model, joint, &mut joints.rows);
            leading_rows(&followers, joint, &mut joints.rows);
            let turns = joints.rows[first..].iter().any(|row| row.axis >= 3);
            let mut geometry = JointGeometry::new(model, joint, world, turns);
            let held = model.joint_axis[joint][..3].iter().all(|&axis| axis == AxisMode::Locked);
            geometry.world_axes = swept && held && !geometry.distance && model.joint_rod[joint].is_none();
            let gyration = smaller_gyration(model, joint);
            let levers =
                (0..2).filter(|&side| moves(model, geometry.body[side])).map(|side| geometry.anchor[side].length());
            let reach = levers.sum::<f64>().max(gyration);
            joints.reach.push(reach);
            joints.extent.push(reach.min(LONG * gyration));
            joints.geometry.push(geometry);
            joints.row_start.push(joints.rows.len() as u32);
        }
        joints.coupled =
            (0..joints.rows.len() as u32).filter(|&row| joints.rows[row as usize].partner.is_some()).collect();
        let having = |of: fn(&JointRow) -> bool| {
            let with = |&joint: &u32| joints.rows(joint as usize).iter().any(of);
            (0..joints.count() as u32).filter(with).collect()
        };
        let stops = |row: &JointRow| row.is_stop() || row.partner.is_some_and(|partner| partner.stop.is_some());
        (joints.limited, joints.armed) = (having(stops), having(|row| row.kind == RowKind::Armature));
        joints.active = vec![false; joints.count()];
        joints.hint = vec![DVec3::ZERO; joints.count()];
        joints.mode = vec![[JointMode::AsModelled; 2]; joints.count()];
        joints
    }

    /// Number of joints.
    pub fn count(&self) -> usize {
        self.geometry.len()
    }

    /// Rows of a joint.
    pub fn rows(&self, joint: usize) -> &[JointRow] {
        &self.rows[self.row_start[joint] as usize..self.row_start[joint + 1] as usize]
    }

    /// Rows of a joint, to change.
    pub fn rows_mut(&mut self, joint: usize) -> &mut [JointRow] {
        &mut self.rows[self.row_start[joint] as usize..self.row_start[joint + 1] as usize]
    }

    /// The joints that act in this step.
    pub fn acting(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(|&joint| self.active[joint])
    }

    /// Whether a joint has a drive.
    pub fn driven(&self, joint: usize) -> bool {
        self.rows(joint).iter().any(|row| row.kind == RowKind::Drive)
    }

    /// Which joints act now: enabled, unbroken, with an end that moves. True when that changed. A joint whose
    /// bodies fell asleep keeps its loads.
    ///
    /// A joint that comes or goes makes the velocities of its bodies jump, so that what they remember `before` is void.
    pub fn refresh_active(
        &mut self,
        state: &State,
        control: &Control,
        bodies: &Bodies,
        before: &mut [Option<StepBefore>],
    ) -> bool {
        let mut changed = take(&mut self.changed);
        changed.clear();
        let acts = |joint: usize| {
            let ends = self.geometry[joint].body;
            !self.rows(joint).is_empty()
                && control.joint_enabled[joint]
                && state.joint_intact[joint]
                && ends.iter().any(|&body| bodies.moves[body])
                && !ends.iter().any(|&body| body < state.body_quarantined.len() && state.body_quarantined[body])
        };
        parallel::choose(self.count(), |joint| acts(joint) != self.active[joint], &mut changed);
        for joint in changed.iter().map(|&joint| joint as usize) {
            let (acts, ends) = (!self.active[joint], self.geometry[joint].body);
            self.active[joint] = acts;
            for body in ends {
                before.get_mut(body).into_iter().for_each(|before| *before = None);
            }
            if !acts && !ends.iter().any(|&body| bodies.asleep[body]) {
                self.forget_joint(joint);
            }
        }
        self.changed = changed;
        !self.changed.is_empty()
    }

    /// Sets the rows for a step of `h` seconds from the poses and velocities at its start; `ramp` where joints are
    /// swept. Multipliers keep a share of what they were.
    pub fn prepare(
        &mut self,
        model: &Model,
        state: &State,
        control: &Control,
        bodies: &Bodies,
        ramp: Option<&Ramp>,
        retention: f64,
        h: f64,
    ) {
        let Self { geometry, reach, row_start, rows, active, hint, mode, .. } = self;
        hint.iter_mut().zip(&state.joint_angle).for_each(|(hint, angle)| *hint = DVec3::from_array(*angle));
        parallel::by_row(row_start, rows, &|joint, rows| {
            if !active[joint] {
                return;
            }
            let ends = geometry[joint].body;
            let axes = geometry[joint].axes(ends.map(|body| bodies.placement[body]), hint[joint]);
            let velocity = ends.map(|body| bodies.velocity_array(body));
            let mut along = None;
            for row in rows {
                row.lambda *= retention;
                let jacobian = &axes.jacobian[row.axis as usize];
                // Rows come axis by axis, several to one.
                let (mut mobility, rate) = match along {
                    Some((axis, known)) if axis == row.axis => known,
                    _ => {
                        let mobility = bodies.mobility(ends[0], &jacobian[0]) + bodies.mobility(ends[1], &jacobian[1]);
                        (mobility, dot(&jacobian[0], &velocity[0]) + dot(&jacobian[1], &velocity[1]))
                    }
                };
                along = Some((row.axis, (mobility, rate)));
                let mut there = 0.0;
                if let Some(partner) = row.partner {
                    let other = partner.joint as usize;
                    let (value, beyond) = coupling::far_end(&geometry[other], bodies, hint[other], partner.axis);
                    there = value;
                    // A joint that does not act holds nothing, and is held by nothing.
                    mobility = if active[other] { mobility + partner.factor * partner.factor * beyond } else { 0.0 };
                }
                let delassus = if mobility > 0.0 { 1.0 / (h * h * mobility) } else { 0.0 };
                let step = RowStep {
                    h,
                    start: axes.value[row.axis as usize],
                    there,
                    rate,
                    hard: delassus * STIFFNESS,
                    keep: ramp.map_or(0.0, |ramp| ramp.alpha),
                    open: match ramp.is_some_and(Ramp::grows) {
                        true => f64::INFINITY,
                        false => OPEN * if row.axis < 3 { reach[joint] } else { 1.0 },
                    },
                    mode: mode[joint],
                    relative_damping: ramp.is_some_and(Ramp::grows),
                    hard_damping: ramp.map_or([0.0; 2], |_| stiffness::damping(model, joint)),
                };
                row.prepare(model, control, joint, &step);
                if let Some(ramp) = ramp {
                    ramp.begin(row, delassus, stiffness::largest(model, joint));
                }
            }
        });
    }

    /// The joints that act with a stop that is at work, or within reach of the motion at hand.
    pub fn stopped(&self) -> impl Iterator<Item = usize> + '_ {
        let stopped = |joint: usize| self.rows(joint).iter().any(|row| row.near || (row.is_stop() && row.force != 0.0));
        let limited = self.limited.iter().map(|&joint| joint as usize);
        limited.filter(move |&joint| self.active[joint] && stopped(joint))
    }

    /// Lets rotors of joints whose bodies take a second-order step do so as well.
    pub fn aim_armatures(&mut self, model: &Model, bodies: &Bodies, h: f64) {
        for place in 0..self.armed.len() {
            let joint = self.armed[place] as usize;
            if !self.active[joint] {
                continue;
            }
            let ends = self.geometry[joint].body;
            let moving = ends.into_iter().find(|&body| bodies.moves[body]);
            let Some(step) = moving.map(|body| bodies.step[body]).filter(|&step| step != h) else { continue };
            let led = |body: usize| if bodies.moves[body] { bodies.coasting[body] } else { bodies.target[body] };
            let coasting = ends.map(|body| array(led(body)));
            let axes = self.axes(joint, bodies);
            for row in self.rows_mut(joint).iter_mut().filter(|row| row.kind == RowKind::Armature) {
                let jacobian = &axes.jacobian[row.axis as usize];
                let ahead = dot(&jacobian[0], &coasting[0]) + dot(&jacobian[1], &coasting[1]);
                let inertia = model.joint_armature[joint][row.axis as usize];
                row.coast(inertia, step, axes.value[row.axis as usize] + ahead);
            }
        }
    }

    /// What a joint exerts by the forces of its rows, and the lever on its child.
    pub fn wrench(&self, joint: usize, axes: &Axes) -> (JointWrench, DVec3) {
        let rows = self.rows(joint).iter().map(|row| (row.force, &axes.jacobian[row.axis as usize]));
        (JointWrench::of_rows(rows), axes.lever[1])
    }

    /// Coordinates of a joint at the current iterate.
    pub fn axes(&self, joint: usize, bodies: &Bodies) -> Axes {
        let geometry = &self.geometry[joint];
        geometry.axes(geometry.body.map(|body| bodies.placement[body]), self.hint[joint])
    }

    /// How far the hard rows of a joint are from where they should be in this step, as a share of its extent or of a radian.
    /// What a row gives way under its force is no error of the solution.
    pub fn open(&self, joint: usize, value: &[f64; 6]) -> f64 {
        let extent = self.extent[joint];
        let error = |row: &JointRow| {
            let extent = if row.axis < 3 { extent } else { 1.0 };
            let off = value[row.axis as usize] - row.reference - row.give(extent);
            let off = match row.kind {
                RowKind::Lower => off.min(0.0),
                RowKind::Upper => off.max(0.0),
                _ => row.partner.map_or(off, |partner| partner.past(off)),
            };
            off.abs() / extent
        };
        self.rows(joint).iter().filter(|row| row.hard && row.k > 0.0).map(error).fold(0.0, f64::max)
    }

    /// Whether a hard row of a joint is further from where it belongs than in a joint that holds: because no motion
    /// closed it, or because it is still being drawn together.
    pub fn left_open(&self, joint: usize, value: &[f64; 6]) -> bool {
        let extent = self.extent[joint];
        let far = |row: &JointRow| {
            row.kind == RowKind::Locked
                && value[row.axis as usize].abs() > LEFT_OPEN * if row.axis < 3 { extent } else { 1.0 }
        };
        self.rows(joint).iter().any(|row| row.hard && far(row))
    }

    /// Error of the hard rows of a joint, translation and rotation \[m\], \[rad\].
    pub fn error(&self, joint: usize, value: &[f64; 6]) -> [f64; 2] {
        let mut square = [0.0; 2];
        for row in self.rows(joint).iter().filter(|row| row.hard) {
            let value = value[row.axis as usize];
            let error = match row.kind {
                RowKind::Lower => (row.reference - value).max(0.0),
                RowKind::Upper => (value - row.reference).max(0.0),
                RowKind::Coupled => row.partner.map_or(0.0, |partner| partner.past(value - row.reference)),
                _ => value,
            };
            square[usize::from(row.axis >= 3)] += error * error;
        }
        square.map(f64::sqrt)
    }

    /// Drops what is remembered of the joints with a chosen body.
    pub fn forget(&mut self, chosen: impl Fn(usize) -> bool) {
        for joint in 0..self.count() {
            if self.geometry[joint].body.into_iter().any(&chosen) {
                self.forget_joint(joint);
            }
        }
    }

    fn forget_joint(&mut self, joint: usize) {
        self.rows_mut(joint).iter_mut().for_each(|row| (row.lambda, row.force, row.working) = (0.0, 0.0, 0.0));
    }
}

/// Error, as a share of the extent of a joint or of a radian, from which on a report names it.
const LEFT_OPEN: f64 = 1.0e-3;
/// Radii of gyration of its smaller body that a joint extends over at most. A joint may lie far outside its bodies, which
/// then turn so easily that its rows are soft; nine metres between bodies of 0.3 m gave way by 6 mm in a blow.
const LONG: f64 = 4.0;
/// Error, as a share of the levers or of a radian, above which a joint counts as open: it was switched
/// on or moved by the user, and is closed in a few steps instead of one.
const OPEN: f64 = 0.01;

/// Whether a slot is a body that can move. The lever of one that cannot says nothing: that of the world is as long as a scene is
/// far from the origin.
fn moves(model: &Model, slot: usize) -> bool {
    model.body_kind.get(slot) == Some(&BodyKind::Dynamic)
}

/// Radius of gyration of the smaller of the bodies of a joint that can move \[m\].
fn smaller_gyration(model: &Model, joint: usize) -> f64 {
    let ends = [model.joint_parent[joint], model.joint_child[joint]];
    let moving = ends.into_iter().map(|body| body as usize).filter(|&body| moves(model, body));
    let radius = |body: usize| {
        let inertia = model.body_inertia[body];
        ((inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z) / (3.0 * model.body_mass[body])).sqrt()
    };
    moving.map(radius).fold(f64::INFINITY, f64::min)
}

/// A spatial vector as an array.
pub fn array(v: drystone_kernels::double::math::Vec6) -> Vec6<f64> {
    [v.l.x, v.l.y, v.l.z, v.a.x, v.a.y, v.a.z]
}

/// A spatial vector of the kernels.
fn to_kernel(v: &Vec6<f64>) -> drystone_kernels::double::math::Vec6 {
    let [lx, ly, lz, ax, ay, az] = *v;
    let vec = drystone_kernels::double::math::Vec3::new;
    drystone_kernels::double::math::Vec6 { l: vec(lx, ly, lz), a: vec(ax, ay, az) }
}
