//! Phase `bounds`: where every shape is and how far it can get within the step.

use drystone_geometry::{Aabb, DVec3, Pose, Shape};
use drystone_model::{Model, State, WORLD};
use drystone_parallel::Shared;
use rayon::prelude::*;

use crate::CHUNK;
use crate::placement::Placement;
use crate::shapes::ShapeTable;

/// A shape in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moving {
    pub at: Placement,
    /// Velocity of the body's centre of mass \[m/s\].
    pub velocity: DVec3,
    /// How far a point of the shape can move on top of `velocity` times the step: by turning and
    /// by gravity \[m\].
    pub stray: f64,
    /// The part of that from turning \[m\].
    pub turning: f64,
    /// Skin around the surface \[m\].
    pub skin: f64,
    /// Smallest width of the shape \[m\].
    pub thickness: f64,
    /// Share of the contact margin, skin and stray: how far the box reaches beyond the shape \[m\].
    pub inflation: f64,
    /// What it can sweep, inflated by its share of the contact margin.
    pub bounds: Aabb,
    /// Whether all of this was the same in the detection before.
    pub still: bool,
}

impl Moving {
    /// A shape that is not there.
    const ABSENT: Self = Self {
        at: Placement::IDENTITY,
        velocity: DVec3::ZERO,
        stray: 0.0,
        turning: 0.0,
        skin: 0.0,
        thickness: 0.0,
        inflation: 0.0,
        bounds: Aabb::EMPTY,
        still: false,
    };
}

/// Fills `moving` with every shape's placement and swept box. What it holds of the detection before is compared if that was for a
/// step of the same length.
pub(crate) fn bounds(
    model: &Model,
    state: &State,
    table: &ShapeTable,
    margin: f64,
    dt: f64,
    same_dt: bool,
    moving: &mut Vec<Moving>,
) {
    moving.resize(model.shape_count(), Moving::ABSENT);
    moving.par_chunks_mut(CHUNK).shared(1).enumerate().for_each(|(chunk, slots)| {
        for (i, slot) in slots.iter_mut().enumerate() {
            let now = shape_bounds(model, state, table, margin, dt, chunk * CHUNK + i).unwrap_or(Moving::ABSENT);
            let still = same_dt && *slot == Moving { still: slot.still, ..now };
            *slot = Moving { still, ..now };
        }
    });
}

/// `None` for shapes of bodies that are out of the simulation or not finite.
fn shape_bounds(
    model: &Model,
    state: &State,
    table: &ShapeTable,
    margin: f64,
    dt: f64,
    shape: usize,
) -> Option<Moving> {
    let body = model.shape_body[shape];
    let (at, velocity, turning, fallen) = if body == WORLD {
        (table.local[shape], DVec3::ZERO, 0.0, 0.0)
    } else {
        let body = body as usize;
        if state.body_quarantined.get(body).copied().unwrap_or(false) {
            return None;
        }
        let frame = Placement::new(&state.body_q[body]);
        let local = &table.local[shape];
        let at = Placement { rotation: frame.rotation * local.rotation, position: frame.point(local.position) };
        let twist = &state.body_qd[body];
        let arm = (local.position - model.body_com[body]).length() + table.radius[shape];
        // A still body of infinite extent must not stray by 0 · ∞.
        let turning = twist.angular.length() * dt;
        let turned = if turning > 0.0 { turning * arm } else { 0.0 };
        let fallen = if table.dynamic[shape] { dt * dt * model.body_gravity(body).length() } else { 0.0 };
        (at, twist.linear, turned, fallen)
    };
    let stray = turning + fallen;
    let tight = extent(model, state, shape, &at);
    let (skin, thickness) = (model.shape_margin[shape], table.thickness[shape]);
    let inflation = stray + 0.5 * margin + skin;
    let inflate = DVec3::splat(inflation);
    let sweep = velocity * dt;
    // Unbounded shapes have no box to sweep: they reach further instead.
    let inflation = if table.radius[shape].is_finite() { inflation } else { inflation + sweep.length() };
    let bounds =
        Aabb { min: tight.min - inflate + sweep.min(DVec3::ZERO), max: tight.max + inflate + sweep.max(DVec3::ZERO) };
    let sane = at.position.is_finite() && at.rotation.is_finite() && velocity.is_finite() && !stray.is_nan();
    sane.then_some(Moving { at, velocity, stray, turning, skin, thickness, inflation, bounds, still: false })
}

/// Tight box around a placed shape.
fn extent(model: &Model, state: &State, shape: usize, at: &Placement) -> Aabb {
    match &model.shape_geometry[shape] {
        Shape::Sphere { radius } => Aabb::from_center_half(at.position, DVec3::splat(*radius)),
        Shape::Box { half } => Aabb::from_center_half(at.position, at.rotation.abs() * *half),
        // What is solid below has no bottom and no top to hide under.
        Shape::HalfSpace => Aabb::ALL,
        Shape::Heightfield(_) => Aabb::ALL,
        geometry => {
            let body = model.shape_body[shape];
            let frame = if body == WORLD { Pose::identity() } else { state.body_q[body as usize] };
            geometry.aabb(&(frame * model.shape_pose[shape]))
        }
    }
}
