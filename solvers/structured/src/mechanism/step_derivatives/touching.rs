//! The contacts of a step: which of them are open, stick or slide, and how their rows change with the two bodies.

use drystone_collide::{Collide, CollideOptions};
use drystone_kernels::elementary::hypot;
use drystone_model::{Contacts, Model, Pose, State};

use super::super::error::{ContactEdge, MechanismError};
use super::taken::WIDTH;
use crate::bodies::Body;
use crate::contact::{ContactPoint, PointMemory, TOUCHING};
use crate::loops::OuterRow;
use crate::system::ConstraintSystem;
use drystone_solve::joint::Placement;
use drystone_solve::linalg::matrix::{Vec6, dot};

/// Speed, as a share of the fastest motion, below which nothing is told from zero: forces are solved for far below it.
const NOTHING: f64 = 1.0e-7;
/// Share of its cone that friction may use up and still stick.
const WITHIN: f64 = 1.0 - 1.0e-6;
/// Distance from a gap at which a contact is treated otherwise \[m\].
const EDGE: f64 = 1.0e-12;
/// Change of a slope, in units of it, that is a kink and not curvature.
const KINK: f64 = 1.0e-2;

/// A row of a contact, or how it changes per unit of something.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactRow {
    pub(super) jacobian: [Vec6<f64>; 2],
    pub(super) target: f64,
    pub(super) compliance: f64,
}

/// A contact that slides: its friction opposes the slip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding {
    /// Direction of the slip along the two tangents.
    pub(super) direction: [f64; 2],
    /// Coefficient of friction.
    pub(super) friction: f64,
    /// Friction impulse per speed of slip \[kg\].
    pub(super) per_slip: f64,
}

/// A contact that pushes.
pub(super) struct Touch {
    /// Bodies, the world being the last index.
    pub(super) body: [usize; 2],
    /// Normal, then what resists slip, turning and rolling.
    pub(super) row: Vec<ContactRow>,
    pub(super) lambda: Vec<f64>,
    pub(super) sliding: Option<Sliding>,
    /// Changes of the rows per unit of the twelve displacements of both bodies; empty for what does not move.
    pub(super) by_place: Vec<Vec<ContactRow>>,
    point: usize,
    manifold: usize,
}

/// The first solve of a step with contacts, before the joints are closed at its end.
pub(super) struct Touching {
    /// Velocities of all bodies.
    pub(super) velocity: Vec<Vec6<f64>>,
    /// Impulses of the rows of every joint.
    pub(super) joint: Vec<Vec6<f64>>,
    pub(super) touch: Vec<Touch>,
}

/// What detects contacts: as a simulation does, with nothing remembered.
pub(super) fn detect(model: &Model, state: &State, h: f64) -> Collide {
    let mut collide = Collide::new(model, CollideOptions::default());
    collide.detect(model, state, h);
    collide
}

impl Touching {
    /// Reads the solve that `system` has just made, bodies at the start of the step.
    pub(super) fn new(
        model: &Model,
        state: &State,
        system: &ConstraintSystem,
        contacts: &Contacts,
        h: f64,
    ) -> Result<Self, MechanismError> {
        let refuse =
            |point: &ContactPoint, edge: ContactEdge| refusal(model, point.body.map(|body| body as usize), edge);
        let impacts = system.impacts(model, h);
        let strikes = |point: &&ContactPoint| impacts.iter().any(|impact| impact.row == point.row as usize);
        if let Some(point) = system.points.iter().find(strikes) {
            return Err(refuse(point, ContactEdge::Bounces));
        }
        let fastest = system.motion.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        let pulled = model.world_gravity.iter().map(|g| g.length() * h).fold(0.0, f64::max);
        let reader = Reader { system, contacts, nothing: NOTHING * (fastest + pulled) };
        let mut touch = Vec::new();
        for point in &system.points {
            touch.extend(reader.read(point).map_err(|edge| refuse(point, edge))?);
        }
        let mut own = Self { velocity: system.motion.clone(), joint: system.multiplier.clone(), touch };
        own.difference(model, state, system, contacts, h)?;
        Ok(own)
    }

    /// How the rows change with the bodies, by differences of what collision detection finds.
    fn difference(
        &mut self,
        model: &Model,
        state: &State,
        system: &ConstraintSystem,
        contacts: &Contacts,
        h: f64,
    ) -> Result<(), MechanismError> {
        let mut probe = Probe { system: system.clone(), base: contacts, h };
        for body in 0..system.bodies.count() {
            if !system.bodies.moves[body] || !self.touch.iter().any(|touch| touch.body.contains(&body)) {
                continue;
            }
            let start = system.bodies.body[body];
            let inertia = start.inertia;
            let reach = ((inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z) / (3.0 * start.mass)).sqrt();
            for input in 0..6 {
                let width = if input < 3 { WIDTH * reach } else { WIDTH };
                let moved = [width, -width].map(|by| Moved::new(model, state, body, start, input, by, h));
                for touch in self.touch.iter_mut().filter(|touch| touch.body.contains(&body)) {
                    let side = usize::from(touch.body[0] != body);
                    let rows = probe.change(touch, &moved, width, reach);
                    touch.by_place[6 * side + input] = rows.map_err(|edge| refusal(model, touch.body, edge))?;
                }
            }
            probe.system.bodies.body[body] = start;
        }
        Ok(())
    }
}

pub(super) fn refusal(model: &Model, body: [usize; 2], edge: ContactEdge) -> MechanismError {
    let name = |body: usize| model.body_name.get(body).cloned().unwrap_or_else(|| "the world".into());
    MechanismError::Contact { bodies: body.map(name), edge }
}

/// Tells how contacts hold.
struct Reader<'a> {
    system: &'a ConstraintSystem,
    contacts: &'a Contacts,
    /// Speed that counts as none \[m/s\].
    nothing: f64,
}

impl Reader<'_> {
    /// A contact that pushes, none for one that is open.
    fn read(&self, point: &ContactPoint) -> Result<Option<Touch>, ContactEdge> {
        let Self { system, nothing, .. } = *self;
        let first = point.row as usize;
        let rows = &system.outer.rows[first..first + 1 + point.friction_rows as usize];
        let lambda = &system.outer.lambda[first..first + rows.len()];
        let slack = |k: usize| rows[k].rate(&system.motion) - rows[k].target + rows[k].compliance * lambda[k];
        if lambda[0] * self.weight(&rows[0]) <= nothing {
            return if slack(0) > nothing { Ok(None) } else { Err(ContactEdge::JustTouches) };
        }
        self.check_gap(point)?;
        let mut sliding = None;
        if rows.len() > 1 {
            let friction = point.coefficient[usize::from(point.sliding)];
            let (slip, pull) = (hypot(slack(1), slack(2)), hypot(lambda[1], lambda[2]));
            if slip > nothing {
                let direction = [slack(1) / slip, slack(2) / slip];
                sliding = Some(Sliding { direction, friction, per_slip: friction * lambda[0] / slip });
            } else if pull >= WITHIN * friction * lambda[0] {
                return Err(ContactEdge::Cone);
            }
        }
        if (3..rows.len()).any(|k| lambda[k].abs() >= WITHIN * lambda[0]) {
            return Err(ContactEdge::Spins);
        }
        let manifold = self.contacts.point_start.partition_point(|&start| start <= point.index) - 1;
        Ok(Some(Touch {
            body: point.body.map(|body| body as usize),
            row: rows.iter().map(ContactRow::of).collect(),
            lambda: lambda.to_vec(),
            sliding,
            by_place: vec![Vec::new(); 12],
            point: point.index as usize,
            manifold,
        }))
    }

    /// Motion along a row by a unit impulse of its own \[1/kg\].
    fn weight(&self, row: &OuterRow) -> f64 {
        let of = |side: usize| {
            let body = &self.system.bodies.body[row.body[side] as usize];
            dot(&row.jacobian[side], &body.respond_or_rest(&row.jacobian[side]))
        };
        of(0) + of(1) + row.compliance
    }

    /// Refuses gaps at which a contact begins to be closed or damped.
    fn check_gap(&self, point: &ContactPoint) -> Result<(), ContactEdge> {
        let gap = self.contacts.point_gap[point.index as usize];
        let edge = if point.soft { 0.0 } else { TOUCHING * self.system.options.contact_tolerance };
        if (gap - edge).abs() < EDGE { Err(ContactEdge::JustTouches) } else { Ok(()) }
    }
}

impl ContactRow {
    fn of(row: &OuterRow) -> Self {
        Self { jacobian: row.jacobian, target: row.target, compliance: row.compliance }
    }
}

/// A body moved a little along one of its six displacements, and the contacts found there.
struct Moved {
    index: usize,
    body: Body,
    contacts: Contacts,
}

impl Moved {
    fn new(model: &Model, state: &State, index: usize, start: Body, input: usize, by: f64, h: f64) -> Self {
        let (mut body, mut displacement, mut there) = (start, [0.0; 6], state.clone());
        displacement[input] = by;
        body.displace(&displacement);
        let Placement { com, rotation } = body.placement;
        there.body_q[index] = Pose::from_parts(com - rotation * model.body_com[index], rotation);
        Self { index, body, contacts: detect(model, &there, h).contacts }
    }
}

/// Makes the rows of contacts of bodies that were moved a little.
struct Probe<'a> {
    system: ConstraintSystem,
    base: &'a Contacts,
    h: f64,
}

impl Probe<'_> {
    /// Changes of the rows of a contact per unit, from what was found on both sides.
    fn change(
        &mut self,
        touch: &Touch,
        moved: &[Moved; 2],
        width: f64,
        reach: f64,
    ) -> Result<Vec<ContactRow>, ContactEdge> {
        let mut sides = Vec::new();
        let mut gap = [0.0; 2];
        for (k, there) in moved.iter().enumerate() {
            let (manifold, point) = self.find(touch, &there.contacts).ok_or(ContactEdge::Features)?;
            gap[k] = there.contacts.point_gap[point];
            self.system.bodies.body[there.index] = there.body;
            sides.push(self.rows(touch, &there.contacts, manifold, point));
        }
        let here = self.base.point_gap[touch.point];
        if (gap[0] - 2.0 * here + gap[1]).abs() > KINK * WIDTH * reach {
            return Err(ContactEdge::Features);
        }
        let mut out = Vec::new();
        for (row, base) in touch.row.iter().enumerate() {
            let [more, less] = [&sides[0][row], &sides[1][row]];
            let jacobian = [0, 1]
                .map(|side| std::array::from_fn(|k| (more.jacobian[side][k] - less.jacobian[side][k]) / (2.0 * width)));
            for (side, k) in (0..12).map(|entry| (entry / 6, entry % 6)) {
                let bend = more.jacobian[side][k] - 2.0 * base.jacobian[side][k] + less.jacobian[side][k];
                if bend.abs() > KINK * WIDTH * if k < 3 { 1.0 } else { reach } {
                    return Err(ContactEdge::Features);
                }
            }
            let mut target = (more.target - less.target) / (2.0 * width);
            if row == 0 {
                target += self.by_gap(touch, here) * (gap[0] - gap[1]) / (2.0 * width);
            }
            out.push(ContactRow { jacobian, target, compliance: 0.0 });
        }
        Ok(out)
    }

    /// Change of what the normal row wants per metre of gap \[1/s\].
    fn by_gap(&self, touch: &Touch, gap: f64) -> f64 {
        let material = self.base.manifold_material[touch.manifold];
        if material.stiffness.is_finite() {
            return -self.h * material.stiffness * touch.row[0].compliance;
        }
        if gap < TOUCHING * self.system.options.contact_tolerance { 0.0 } else { -1.0 / self.h }
    }

    /// The same contact among others.
    fn find(&self, touch: &Touch, found: &Contacts) -> Option<(usize, usize)> {
        let (base, at) = (self.base, touch.manifold);
        let same = |other: usize| {
            found.manifold_shape0[other] == base.manifold_shape0[at]
                && found.manifold_shape1[other] == base.manifold_shape1[at]
                && found.manifold_sub[other] == base.manifold_sub[at]
        };
        let feature = base.point_feature[touch.point];
        (0..found.manifold_count()).filter(|&other| same(other)).find_map(|manifold| {
            let point = found.points(manifold).find(|&point| found.point_feature[point] == feature)?;
            Some((manifold, point))
        })
    }

    /// The rows of a contact with the gap it had, tangents following the normal.
    fn rows(&mut self, touch: &Touch, found: &Contacts, manifold: usize, point: usize) -> Vec<ContactRow> {
        let mut contacts = found.clone();
        contacts.point_gap[point] = self.base.point_gap[touch.point];
        let (side, sign) = if self.system.moves(touch.body[1] as u32) { (1, 1.0) } else { (0, -1.0) };
        let along = touch.row.get(1).map_or([0.0; 3], |row| std::array::from_fn(|k| sign * row.jacobian[side][k]));
        let before = PointMemory { friction: along, ..PointMemory::default() };
        self.system.points.clear();
        self.system.outer.rows.clear();
        self.system.outer.groups.clear();
        self.system.outer.lambda.clear();
        let body = touch.body.map(|body| body as u32);
        self.system.add_point(&contacts, manifold, point, body, &before, self.h);
        self.system.outer.rows.iter().map(ContactRow::of).collect()
    }
}
