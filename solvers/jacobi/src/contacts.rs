//! Contacts as blocks of three rows: one along the normal, which only pushes, and two across, whose
//! impulse stays in the friction cone.

use drystone_kernels::elementary::hypot;
use drystone_model::contacts::UNMATCHED;
use drystone_model::{Contacts, DVec3, Material, Model};
use serde::{Deserialize, Serialize};

use super::bodies::{Body, body_or_world};
use super::joints::{RowStep, add_led_ends};
use super::options::Stabilization;
use super::spec::RowSpec;

/// Approaches slower than this multiple of the fall |g|h of a step do not bounce: a body that lies
/// still gains one such fall per step.
const SLOWEST_BOUNCE: f64 = 2.0;
/// Share of the cone up to which a point counts as sticking.
const STICKING: f64 = 1.0 - 1.0e-3;

/// What a contact point remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointMemory {
    /// Impulse on the second body, world frame \[N·s\].
    pub impulse: [f64; 3],
    /// Whether it stuck.
    pub stuck: bool,
}

/// A contact point in a step.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Bodies of the model, or the world.
    pub body: [u32; 2],
    /// Levers from the centres of mass, world frame \[m\].
    pub lever: [DVec3; 2],
    /// Normal from the first to the second body.
    pub normal: DVec3,
    /// Gap at the start of the step \[m\].
    pub gap: f64,
}

/// Rows of all contacts and what they remember.
#[derive(Clone, Debug, Default)]
pub struct ContactRows {
    /// Points of the step, in the order of the contacts.
    pub point: Vec<ContactPoint>,
    /// Memory of the points of the step before; of this one after [`ContactRows::remember`].
    pub memory: Vec<PointMemory>,
}

impl ContactRows {
    /// Appends the rows of all contacts.
    pub fn rows(&mut self, step: &RowStep, contacts: &Contacts, out: &mut Vec<RowSpec>) {
        self.point.clear();
        for manifold in 0..contacts.manifold_count() {
            let body = [contacts.manifold_body0[manifold], contacts.manifold_body1[manifold]];
            let ends = body.map(|body| body_or_world(step.bodies, body));
            let material = &contacts.manifold_material[manifold];
            let world = step.model.shape_world[contacts.manifold_shape0[manifold] as usize];
            let fall = step.h * step.model.world_gravity[world as usize].length();
            for index in contacts.points(manifold) {
                let place = 0.5 * (contacts.point_position0[index] + contacts.point_position1[index]);
                let point = ContactPoint {
                    body,
                    lever: [0, 1].map(|side: usize| place - ends[side].centre),
                    normal: contacts.manifold_normal[manifold],
                    gap: contacts.point_gap[index],
                };
                let before = match contacts.point_match[index] {
                    UNMATCHED => None,
                    matched => self.memory.get(matched as usize),
                };
                let mut row = row(step, &point, &ends, material, before, fall);
                let belt = contacts.manifold_surface[manifold];
                if belt != DVec3::ZERO {
                    (1..3).for_each(|k| row.bias[k] += belt.dot(row.linear[k]));
                }
                out.push(row);
                self.point.push(point);
            }
        }
    }

    /// Gaps now, for the projection.
    pub fn errors(&self, bodies: &[Body], start: &[Body], out: &mut [RowSpec]) {
        for (point, row) in self.point.iter().zip(out) {
            row.error = [self.gap_at(point, bodies, start), 0.0, 0.0];
        }
    }

    /// Gap of a point once its bodies have moved, to first order \[m\].
    pub fn gap_at(&self, point: &ContactPoint, bodies: &[Body], start: &[Body]) -> f64 {
        let moved = [0, 1].map(|side: usize| {
            let (now, then) = (body_or_world(bodies, point.body[side]), body_or_world(start, point.body[side]));
            let turned = now.rotation * (then.rotation.conjugate() * point.lever[side]);
            now.centre + turned - then.centre - point.lever[side]
        });
        point.gap + point.normal.dot(moved[1] - moved[0])
    }

    /// Takes over the multipliers of the rows of this step.
    pub fn remember(&mut self, rows: &[RowSpec]) {
        self.memory.clear();
        self.memory.extend(rows.iter().map(|row| {
            let [normal, along, across] = row.impulse;
            let impulse = row.linear[0] * normal + row.linear[1] * along + row.linear[2] * across;
            let stuck = normal > 0.0 && hypot(along, across) < STICKING * row.friction * normal;
            PointMemory { impulse: impulse.to_array(), stuck }
        }));
    }

    /// Forgets the points of a world.
    pub fn forget(&mut self, model: &Model, world: u32) {
        let lives = |body: u32| model.body_world.get(body as usize) == Some(&world);
        for (memory, point) in self.memory.iter_mut().zip(&self.point) {
            if point.body.into_iter().any(lives) {
                *memory = PointMemory::default();
            }
        }
    }
}

fn row(
    step: &RowStep,
    point: &ContactPoint,
    ends: &[Body; 2],
    material: &Material,
    before: Option<&PointMemory>,
    fall: f64,
) -> RowSpec {
    let normal = point.normal;
    let along = normal.any_orthonormal_vector();
    let linear = [normal, along, normal.cross(along)];
    let stuck = before.is_none_or(|before| before.stuck);
    let mut spec = RowSpec {
        body: point.body,
        count: 3,
        linear,
        angular: [linear.map(|d| -point.lever[0].cross(d)), linear.map(|d| point.lever[1].cross(d))],
        lower: [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY],
        friction: if stuck { material.friction_static } else { material.friction_dynamic },
        coupled: false,
        ..RowSpec::default()
    };
    let speed = normal.dot(velocity(&ends[1], point.lever[1]) - velocity(&ends[0], point.lever[0]));
    aim(&mut spec, step, point.gap, speed, material, fall);
    add_led_ends(&mut spec, ends);
    if let Some(before) = before {
        let impulse = DVec3::from_array(before.impulse) * step.warm_start;
        spec.impulse = linear.map(|d| d.dot(impulse));
        spec.impulse[0] = spec.impulse[0].max(0.0);
    }
    spec
}

/// What the normal row wants: to close no further than the gap, to bounce, to push an overlap apart.
fn aim(spec: &mut RowSpec, step: &RowStep, gap: f64, speed: f64, material: &Material, fall: f64) {
    if material.stiffness.is_finite() {
        let damping = if speed < 0.0 { material.damping } else { 0.0 };
        let resistance = step.h * material.stiffness + damping;
        spec.softness[0] = 1.0 / (step.h * resistance);
        spec.bias[0] = material.stiffness * gap / resistance;
        spec.projects = false;
        return;
    }
    let strikes = speed < -SLOWEST_BOUNCE * fall && gap + step.h * speed < 0.0;
    spec.bias[0] = if material.restitution > 0.0 && strikes {
        spec.bounce = material.restitution.min(1.0) * speed;
        spec.bounce
    } else if gap > 0.0 {
        gap / step.h
    } else if step.options.stabilization == Stabilization::Bias {
        step.options.correction * gap / step.h
    } else {
        0.0
    };
}

fn velocity(body: &Body, lever: DVec3) -> DVec3 {
    body.velocity.at(DVec3::ZERO, lever)
}
