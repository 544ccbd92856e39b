//! What a recording looks like: shaded meshes, colours and placements, shared by the scene exporters
//! and the rasteriser.

mod anchors;
mod deforming;
mod palette;
mod particles;
mod shading;

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone::Recording;
use drystone::geometry::{DVec3, Pose, Shape, Tessellation};
use drystone::model::{BodyKind, Model, WORLD};

pub use anchors::{Anchor, anchors};
pub use deforming::DeformingMesh;
pub use palette::{Color, linear};
pub use particles::{Skin, SkinKind, skins, smooth};
pub use shading::ShadedMesh;

/// Segments of a full circle in pictures and exported scenes: round to the eye at full screen.
const SEGMENTS: usize = 40;
/// The same in scenes of more than [`MANY`] shapes, where each is small.
const SEGMENTS_OF_MANY: usize = 20;
/// See [`SEGMENTS_OF_MANY`].
const MANY: usize = 1000;
/// Resting bodies are shown whole if they reach no further than this many times as far as what moves.
const RESTING_REACH: f64 = 3.0;
/// Bounds of motion are taken from at most this many frames, spread evenly.
const FRAMES_LOOKED_AT: usize = 64;

/// Everything there is to draw.
#[derive(Clone, Debug, Default)]
pub struct Visual {
    /// Different meshes, shared by equal shapes.
    pub meshes: Vec<ShadedMesh>,
    /// One part per shape, in the order of the shapes.
    pub parts: Vec<Part>,
}

/// A mesh worn by a body.
#[derive(Clone, Debug)]
pub struct Part {
    /// Index into [`Visual::meshes`].
    pub mesh: usize,
    /// Body that wears it, or [`WORLD`].
    pub body: u32,
    /// Pose in the frame of the body \[m\].
    pub pose: Pose,
    /// Colour, sRGB from 0 to 1.
    pub color: Color,
    /// Whether it never moves and is so large that it is part of the surroundings.
    pub ground: bool,
}

impl Part {
    /// Where the part is when bodies are at `poses`.
    pub fn world_pose(&self, poses: &[Pose]) -> Pose {
        poses.get(self.body as usize).map_or(self.pose, |body| *body * self.pose)
    }
}

/// Position and size of what moves in a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Centre of the bounding box over all frames \[m\].
    pub centre: DVec3,
    /// Half the diagonal of that box \[m\]; positive.
    pub radius: f64,
}

impl Visual {
    /// The look of a recording, without sensors. Half-spaces become squares reaching `ground_factor` times the size of
    /// what moves.
    pub fn new(recording: &Recording, ground_factor: f64) -> Self {
        let model = &recording.model;
        let extent = Extent::of(recording);
        let segments = if model.shape_count() > MANY { SEGMENTS_OF_MANY } else { SEGMENTS };
        let detail = Tessellation { segments, extent: ground_factor * extent.radius };
        let mut visual = Self::default();
        let mut known = BTreeMap::new();
        for shape in (0..model.shape_count()).filter(|&shape| model.is_solid(shape)) {
            let geometry = &model.shape_geometry[shape];
            let mesh = *known.entry(identity(geometry)).or_insert_with(|| {
                visual.meshes.push(ShadedMesh::new(&geometry.to_mesh(&detail)));
                visual.meshes.len() - 1
            });
            visual.parts.push(part(model, shape, mesh, &extent));
        }
        visual
    }

    /// Adds a square of half-width `extent` metres at a pose, coloured as surroundings.
    pub(crate) fn add_ground(&mut self, pose: Pose, extent: f64) {
        let square = Shape::HalfSpace.to_mesh(&Tessellation { extent, ..Tessellation::default() });
        self.meshes.push(ShadedMesh::new(&square));
        let mesh = self.meshes.len() - 1;
        self.parts.push(Part { mesh, body: WORLD, pose, color: palette::GROUND, ground: true });
    }
}

fn part(model: &Model, shape: usize, mesh: usize, extent: &Extent) -> Part {
    let body = model.shape_body[shape];
    let kind = model.body_kind.get(body as usize).copied().unwrap_or(BodyKind::Static);
    let ground = kind == BodyKind::Static && model.shape_geometry[shape].bounding_radius() > 1.5 * extent.radius;
    let mut pose = model.shape_pose[shape];
    if matches!(model.shape_geometry[shape], Shape::HalfSpace) && body == WORLD {
        pose.translation += tangential(extent.centre - pose.translation, pose.rotation * DVec3::Z);
    }
    let color = match kind {
        _ if ground => palette::GROUND,
        BodyKind::Static => palette::STATIC,
        _ => palette::of_body(body, model.body_count()),
    };
    Part { mesh, body, pose, color, ground }
}

/// The part of a vector across a unit normal: moves a half-space along itself, below the scene.
fn tangential(vector: DVec3, normal: DVec3) -> DVec3 {
    vector - normal * normal.dot(vector)
}

/// Equal for shapes that can share a mesh: bits of the parameters, or the address of shared data.
fn identity(shape: &Shape) -> (u8, [u64; 3]) {
    let bits = |v: DVec3| v.to_array().map(f64::to_bits);
    match shape {
        Shape::Sphere { radius } => (0, bits(DVec3::splat(*radius))),
        Shape::Box { half } => (1, bits(*half)),
        Shape::Capsule { radius, half_height } => (2, bits(DVec3::new(*radius, *half_height, 0.0))),
        Shape::Cylinder { radius, half_height } => (3, bits(DVec3::new(*radius, *half_height, 0.0))),
        Shape::Cone { radius, half_height } => (4, bits(DVec3::new(*radius, *half_height, 0.0))),
        Shape::Ellipsoid { radii } => (5, bits(*radii)),
        Shape::HalfSpace => (6, [0; 3]),
        Shape::Hull(hull) => (7, [Arc::as_ptr(hull).addr() as u64, 0, 0]),
        Shape::Heightfield(field) => (8, [Arc::as_ptr(field).addr() as u64, 0, 0]),
        Shape::Mesh(mesh) => (9, [Arc::as_ptr(mesh).addr() as u64, 0, 0]),
    }
}

impl Extent {
    /// Bounds of everything that moves, or of everything bounded if nothing does.
    pub fn of(recording: &Recording) -> Self {
        let balls = moving_balls(recording);
        let (mut lower, mut upper) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &(centre, radius) in &balls {
            lower = lower.min(centre - radius);
            upper = upper.max(centre + radius);
        }
        let radius = 0.5 * (upper - lower).length();
        if !balls.is_empty() && radius.is_finite() && radius > 0.0 {
            Self { centre: 0.5 * (lower + upper), radius }
        } else {
            Self { centre: DVec3::ZERO, radius: 1.0 }
        }
    }
}

/// Bounding balls of moving shapes and particles in all frames (initial poses if there is none), or
/// of resting ones if nothing moves. Bodies thrown far beyond the others are left out.
pub fn moving_balls(recording: &Recording) -> Vec<(DVec3, f64)> {
    let model = &recording.model;
    let frames: Vec<&[Pose]> = match recording.frame_count() {
        0 => vec![&model.body_q],
        count => (0..count).step_by(count.div_ceil(FRAMES_LOOKED_AT)).map(|f| recording.poses(f)).collect(),
    };
    let mut balls = Vec::new();
    for shape in (0..model.shape_count()).filter(|&shape| !rests(model, shape)) {
        let (centre, radius) = bounding_ball(model, shape);
        let body = model.shape_body[shape] as usize;
        balls.extend(frames.iter().map(|poses| (poses[body] * centre, radius)));
    }
    let particles = recording.particle_q.iter().enumerate();
    balls.extend(particles.map(|(i, &q)| (q, model.particle_radius[i % model.particle_count()])));
    balls.retain(|(centre, radius)| centre.is_finite() && radius.is_finite());
    if balls.is_empty() {
        balls = resting_balls(model, |_| true);
    }
    without_strays(balls)
}

/// What should be in the picture: what moves, and what rests beside it if that is drawn and not much larger.
pub fn framed_balls(recording: &Recording, moving: &[(DVec3, f64)], drawn: &[bool]) -> Vec<(DVec3, f64)> {
    let count = moving.len().max(1) as f64;
    let middle = moving.iter().map(|ball| ball.0).sum::<DVec3>() / count;
    let reach = |(centre, radius): &(DVec3, f64)| (*centre - middle).length() + radius;
    let most = RESTING_REACH * moving.iter().map(reach).fold(0.0, f64::max);
    let resting = resting_balls(&recording.model, |shape| drawn.get(shape) != Some(&false));
    let beside = resting.into_iter().filter(|ball| reach(ball) <= most);
    moving.iter().copied().chain(beside).collect()
}

/// Bounding balls of some of what rests, but for what has no bounds.
fn resting_balls(model: &Model, wanted: impl Fn(usize) -> bool) -> Vec<(DVec3, f64)> {
    let resting = (0..model.shape_count()).filter(|&shape| rests(model, shape) && wanted(shape));
    let placed = resting.map(|shape| {
        let (centre, radius) = bounding_ball(model, shape);
        let body = model.body_q.get(model.shape_body[shape] as usize);
        (body.map_or(centre, |pose| *pose * centre), radius)
    });
    placed.filter(|(centre, radius)| centre.is_finite() && radius.is_finite()).collect()
}

fn rests(model: &Model, shape: usize) -> bool {
    let kind = model.body_kind.get(model.shape_body[shape] as usize);
    kind.is_none_or(|&kind| kind == BodyKind::Static)
}

/// A ball around a shape in the frame of its body: about the origin of the shape, or about the middle of its box where that
/// is smaller, as for meshes whose origin is at one end.
fn bounding_ball(model: &Model, shape: usize) -> (DVec3, f64) {
    let (geometry, pose) = (&model.shape_geometry[shape], model.shape_pose[shape]);
    let (bounds, radius) = (geometry.aabb(&Pose::IDENTITY), geometry.bounding_radius());
    match 0.5 * bounds.extent().length() {
        smaller if smaller < radius => (pose * bounds.center(), smaller),
        _ => (pose.translation, radius),
    }
}

/// Drops what lies more than three times as far from the median point as 98 % of all do: one stone
/// that rolled away must not shrink the scene to a dot.
fn without_strays(balls: Vec<(DVec3, f64)>) -> Vec<(DVec3, f64)> {
    let median = |pick: fn(&DVec3) -> f64| {
        let mut values: Vec<f64> = balls.iter().map(|(centre, _)| pick(centre)).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    let middle = DVec3::new(median(|v| v.x), median(|v| v.y), median(|v| v.z));
    let reach = |(centre, radius): &(DVec3, f64)| (*centre - middle).length() + radius;
    let mut reaches: Vec<f64> = balls.iter().map(reach).collect();
    reaches.sort_by(f64::total_cmp);
    let usual = reaches.get(reaches.len() * 98 / 100).copied().unwrap_or(0.0);
    balls.into_iter().filter(|ball| reach(ball) <= 3.0 * usual).collect()
}
