//! A recording as shapes to be placed, and which of them may meet.

use std::collections::HashSet;

use drystone::Recording;
use drystone::geometry::{DVec3, Pose, Shape};
use drystone::model::{BodyKind, Model, WORLD};

use super::convex::Convex;

/// The shapes of a recording.
pub struct Scene<'a> {
    model: &'a Model,
    convex: Vec<Option<Convex>>,
    filter: HashSet<(u32, u32)>,
}

impl<'a> Scene<'a> {
    /// The shapes of a recording, in their own frames.
    pub fn new(recording: &'a Recording) -> Self {
        let model = &recording.model;
        let mut triangles: Vec<Vec<[DVec3; 3]>> = vec![Vec::new(); model.shape_count()];
        let surface = &recording.surface;
        for triangle in &surface.triangle {
            let shape = surface.shape[triangle[0] as usize] as usize;
            // The recorded surface is in the frame of the body; shapes have their own.
            let to_shape = model.shape_pose[shape].inverse();
            triangles[shape].push(triangle.map(|vertex| to_shape.transform_point(surface.vertex[vertex as usize])));
        }
        let convex: Vec<Option<Convex>> =
            model.shape_geometry.iter().zip(&triangles).map(|(shape, surface)| Convex::of(shape, surface)).collect();
        Self { model, convex, filter: model.shape_filter.iter().copied().collect() }
    }

    /// The exact form of a shape, if it is convex and bounded.
    pub fn convex(&self, shape: usize) -> Option<&Convex> {
        self.convex[shape].as_ref()
    }

    /// Whether a shape is a half-space.
    pub fn is_plane(&self, shape: usize) -> bool {
        self.model.shape_geometry[shape] == Shape::HalfSpace
    }

    /// All half-spaces.
    pub fn planes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.model.shape_count()).filter(|&shape| self.is_plane(shape))
    }

    /// Where a shape is at these body poses.
    pub fn shape_pose(&self, shape: usize, poses: &[Pose]) -> Pose {
        match self.model.shape_body[shape] {
            WORLD => self.model.shape_pose[shape],
            body => poses[body as usize] * self.model.shape_pose[shape],
        }
    }

    /// Whether two shapes may ever touch: groups that agree, no filter (those of jointed bodies are among them), no sensor, and
    /// one of them moved by forces.
    pub fn may_meet(&self, a: usize, b: usize) -> bool {
        let model = self.model;
        let moves = |shape: usize| match model.shape_body[shape] {
            WORLD => false,
            body => model.body_kind[body as usize] == BodyKind::Dynamic,
        };
        let agree = |a: usize, b: usize| model.shape_group[a] & model.shape_mask[b] != 0;
        a != b
            && model.is_solid(a)
            && model.is_solid(b)
            && model.shape_body[a] != model.shape_body[b]
            && (moves(a) || moves(b))
            && model.shape_world[a] == model.shape_world[b]
            && agree(a, b)
            && agree(b, a)
            && !self.filter.contains(&(a.min(b) as u32, a.max(b) as u32))
    }
}
