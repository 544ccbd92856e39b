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
    /// Shapes that are neither convex nor half-spaces; overlaps with them are not measured.
    pub unmeasured: usize,
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
        let open = |index: &usize| convex[*index].is_none() && model.shape_geometry[*index] != Shape::HalfSpace;
        let unmeasured = (0..model.shape_count()).filter(open).count();
        Self { model, convex, filter: model.shape_filter.iter().copied().collect(), unmeasured }
    }

    /// Deepest overlap of any pair of shapes at these body poses \[m\].
    pub fn deepest_overlap(&self, poses: &[Pose]) -> f64 {
        let placed: Vec<Option<Convex>> = (0..self.model.shape_count())
            .map(|shape| self.convex[shape].as_ref().map(|convex| convex.placed(&self.shape_pose(shape, poses))))
            .collect();
        self.deepest_pair(&placed).max(self.deepest_below_planes(&placed, poses))
    }

    fn deepest_below_planes(&self, placed: &[Option<Convex>], poses: &[Pose]) -> f64 {
        let mut deepest = 0.0_f64;
        for plane in (0..placed.len()).filter(|&shape| self.model.shape_geometry[shape] == Shape::HalfSpace) {
            let pose = self.shape_pose(plane, poses);
            let normal = pose.rotation * DVec3::Z;
            for (shape, convex) in placed.iter().enumerate() {
                if let Some(convex) = convex.as_ref().filter(|_| self.may_meet(plane, shape)) {
                    deepest = deepest.max(convex.depth_below(pose.translation, normal));
                }
            }
        }
        deepest
    }

    /// Sweeps along x: only shapes whose boxes overlap are looked at.
    fn deepest_pair(&self, placed: &[Option<Convex>]) -> f64 {
        let mut boxes: Vec<(usize, [DVec3; 2])> =
            placed.iter().enumerate().filter_map(|(shape, convex)| Some((shape, convex.as_ref()?.bounds()))).collect();
        boxes.sort_by(|a, b| a.1[0].x.total_cmp(&b.1[0].x));
        let mut deepest = 0.0_f64;
        for (index, (shape, [low, high])) in boxes.iter().enumerate() {
            for (other, [other_low, other_high]) in &boxes[index + 1..] {
                if other_low.x > high.x {
                    break;
                }
                let apart = low.cmpgt(*other_high).any() || other_low.cmpgt(*high).any();
                if apart || !self.may_meet(*shape, *other) {
                    continue;
                }
                if let (Some(a), Some(b)) = (&placed[*shape], &placed[*other]) {
                    deepest = deepest.max(a.overlap(b));
                }
            }
        }
        deepest
    }

    /// Where a shape is at these body poses.
    pub fn shape_pose(&self, shape: usize, poses: &[Pose]) -> Pose {
        match self.model.shape_body[shape] {
            WORLD => self.model.shape_pose[shape],
            body => poses[body as usize] * self.model.shape_pose[shape],
        }
    }

    /// Whether two shapes may ever touch.
    pub fn may_meet(&self, a: usize, b: usize) -> bool {
        let model = self.model;
        let moves = |shape: usize| match model.shape_body[shape] {
            WORLD => false,
            body => model.body_kind[body as usize] == BodyKind::Dynamic,
        };
        let agree = |a: usize, b: usize| model.shape_group[a] & model.shape_mask[b] != 0;
        a != b
            && model.shape_body[a] != model.shape_body[b]
            && (moves(a) || moves(b))
            && model.shape_world[a] == model.shape_world[b]
            && agree(a, b)
            && agree(b, a)
            && !self.filter.contains(&(a.min(b) as u32, a.max(b) as u32))
    }
}
