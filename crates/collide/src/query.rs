//! Questions about a whole scene at a state: rays, nearest points, overlaps.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::mesh::MeshTree;
use drystone_geometry::{Aabb, DVec3, Pose, Projection, Ray, RayHit, Shape};
use drystone_model::{Model, State, WORLD};

use crate::narrow::manifold::{Anchors, Point};
use crate::narrow::{Found, NO_AXIS, Query, Scratch, Solid, collide_pair};
use crate::placement::Placement;
use crate::shapes::{ShapeTable, is_unbounded};

/// What a ray meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// The shape.
    pub shape: u32,
    /// Time along the ray, in units of its direction's length.
    pub time: f64,
    /// Where \[m\].
    pub point: DVec3,
    /// Outward unit normal of the surface there.
    pub normal: DVec3,
}

/// The surface point of a scene nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneNearest {
    /// The shape.
    pub shape: u32,
    /// The nearest point of its surface \[m\].
    pub point: DVec3,
    /// Outward unit normal there.
    pub normal: DVec3,
    /// Signed distance \[m\]; negative inside the shape.
    pub distance: f64,
}

/// A scene frozen at a state, ready for many questions. Shapes of quarantined bodies are not there.
#[derive(Debug)]
pub struct SceneQuery<'a> {
    model: &'a Model,
    table: ShapeTable,
    pose: Vec<Pose>,
    present: Vec<bool>,
    tree: Bvh,
    /// Shapes in the tree, by item.
    bounded: Vec<u32>,
    unbounded: Vec<u32>,
}

impl<'a> SceneQuery<'a> {
    /// Freezes a scene.
    pub fn new(model: &'a Model, state: &State) -> Self {
        let frame = |body: u32| if body == WORLD { Pose::identity() } else { state.body_q[body as usize] };
        let pose: Vec<Pose> =
            model.shape_body.iter().zip(&model.shape_pose).map(|(&body, local)| frame(body) * *local).collect();
        let present: Vec<bool> = (0..model.shape_count())
            .map(|shape| {
                let body = model.shape_body[shape] as usize;
                pose[shape].is_finite() && !state.body_quarantined.get(body).copied().unwrap_or(false)
            })
            .collect();
        let (unbounded, bounded): (Vec<u32>, Vec<u32>) = (0..model.shape_count() as u32)
            .filter(|&shape| present[shape as usize])
            .partition(|&shape| is_unbounded(&model.shape_geometry[shape as usize]));
        let boxes: Vec<Aabb> =
            bounded.iter().map(|&s| model.shape_geometry[s as usize].aabb(&pose[s as usize])).collect();
        Self { model, table: ShapeTable::new(model), tree: Bvh::build(&boxes), pose, present, bounded, unbounded }
    }

    /// The first surface a ray crosses before `max_time`, among the shapes of a world.
    pub fn cast_ray(&self, world: u32, ray: &Ray, max_time: f64) -> Option<SceneHit> {
        let cast = |shape: u32, limit: f64| {
            let s = shape as usize;
            (self.model.shape_world[s] == world).then(|| self.cast_shape(s, ray, limit)).flatten()
        };
        let in_tree = self
            .tree
            .cast_ray(ray, max_time, |item, limit| cast(self.bounded[item as usize], limit).map(|hit| hit.time));
        let mut best = in_tree.map(|(item, time)| (time, self.bounded[item as usize]));
        for &shape in &self.unbounded {
            let limit = best.map_or(max_time, |(time, _)| time);
            if let Some(hit) = cast(shape, limit)
                && best.is_none_or(|best| (hit.time, shape) < best)
            {
                best = Some((hit.time, shape));
            }
        }
        let (time, shape) = best?;
        let normal = cast(shape, time)?.normal;
        Some(SceneHit { shape, time, point: ray.at(time), normal })
    }

    /// The surface point nearest to `point` \[m\] within `max_distance` \[m\], among the shapes of a world. Inside a
    /// shape the signed distance is negative, and the deepest wins.
    pub fn nearest(&self, world: u32, point: DVec3, max_distance: f64) -> Option<SceneNearest> {
        let reach = Aabb::from_center_half(point, DVec3::splat(max_distance));
        let mut best: Option<SceneNearest> = None;
        let mut offer = |shape: u32| {
            let s = shape as usize;
            if self.model.shape_world[s] != world {
                return;
            }
            let found = self.project(s, point);
            let closer = |b: &SceneNearest| (found.distance, shape) < (b.distance, b.shape);
            if found.distance <= max_distance && best.as_ref().is_none_or(closer) {
                let (point, normal, distance) = (found.point, found.normal, found.distance);
                best = Some(SceneNearest { shape, point, normal, distance });
            }
        };
        self.tree.overlaps(&reach, |item| offer(self.bounded[item as usize]));
        self.unbounded.iter().for_each(|&shape| offer(shape));
        best
    }

    /// The shapes of a world that touch or overlap `shape` placed at `pose`, ascending. Half-spaces and terrain cannot
    /// be asked about, only met.
    pub fn overlaps(&self, world: u32, shape: &Shape, pose: &Pose) -> Vec<u32> {
        let mut found = Vec::new();
        if is_unbounded(shape) {
            return found;
        }
        let asked = ShapeTable::alone(shape);
        let mut scratch = Scratch::default();
        let mut test = |other: u32| {
            let o = other as usize;
            if self.model.shape_world[o] == world && self.touch(shape, pose, &asked, o, &mut scratch) {
                found.push(other);
            }
        };
        self.tree.overlaps(&shape.aabb(pose), |item| test(self.bounded[item as usize]));
        self.unbounded.iter().for_each(|&other| test(other));
        found.sort_unstable();
        found
    }

    /// A closed mesh has a tree to ask; everything else answers for itself.
    fn mesh_tree(&self, shape: usize) -> Option<&MeshTree> {
        self.table.mesh[shape].as_ref().and_then(|table| table.solid())
    }

    fn cast_shape(&self, shape: usize, ray: &Ray, limit: f64) -> Option<RayHit> {
        let pose = &self.pose[shape];
        match self.mesh_tree(shape) {
            Some(tree) => {
                let (hit, _) = tree.cast_ray(&ray.into_frame(pose), limit)?;
                Some(RayHit { normal: pose.transform_vector(hit.normal), ..hit })
            }
            None => self.model.shape_geometry[shape].cast_ray(pose, ray, limit),
        }
    }

    fn project(&self, shape: usize, point: DVec3) -> Projection {
        let pose = &self.pose[shape];
        match self.mesh_tree(shape) {
            Some(tree) => {
                let (local, _) = tree.project(pose.inverse_transform_point(point));
                let (point, normal) = (pose.transform_point(local.point), pose.transform_vector(local.normal));
                Projection { point, normal, ..local }
            }
            None => self.model.shape_geometry[shape].project(pose, point),
        }
    }

    fn touch(&self, shape: &Shape, pose: &Pose, asked: &ShapeTable, other: usize, scratch: &mut Scratch) -> bool {
        debug_assert!(self.present[other]);
        let (at, other_at) = (Placement::new(pose), Placement::new(&self.pose[other]));
        let first = Solid { shape, mesh: asked.mesh[0].as_deref(), at: &at };
        let second =
            Solid { shape: &self.model.shape_geometry[other], mesh: self.table.mesh[other].as_deref(), at: &other_at };
        let thickness = asked.thickness[0].min(self.table.thickness[other]);
        let mut query =
            Query { limit: 0.0, slack: 0.005 * thickness, axis: NO_AXIS, apart: false, anchors: Anchors::NONE };
        let mut touched = Touched(false);
        collide_pair(&first, &second, &mut query, scratch, &mut touched);
        touched.0
    }
}

/// Remembers only that there was a contact.
struct Touched(bool);

impl Found for Touched {
    fn manifold(&mut self, _: DVec3, _: [u32; 2], points: &mut [Point]) {
        self.0 |= !points.is_empty();
    }
}
