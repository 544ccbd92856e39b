//! The scene as queries see it: where every shape is, and a tree of boxes over those that have one.

use drystone_geometry::bvh::Bvh;
use drystone_geometry::mesh::MeshTree;
use drystone_geometry::{Aabb, Pose, Projection, Ray, RayHit};
use drystone_model::{Model, State, WORLD};
use rayon::prelude::*;

use crate::CHUNK;
use crate::narrow::Solid;
use crate::placement::Placement;
use crate::shapes::{ShapeTable, is_unbounded};

/// A refitted tree is built anew once rays would visit this many times as much of it as when it was built.
const WORN: f64 = 1.5;

/// Boxes are larger than shapes by this share of their coordinates, so that rounding in a shape's own answer never
/// puts it outside its box.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A scene at a state, kept from state to state: only what moved is placed anew, and the tree is refitted.
/// Answers never depend on how it got there.
#[derive(Clone, Debug)]
pub struct SceneIndex {
    pub(super) table: ShapeTable,
    pub(super) slot: Vec<Slot>,
    pub(super) boxes: Vec<Aabb>,
    pub(super) tree: Bvh,
    unbounded: Vec<u32>,
    pub(super) sensors: Vec<u32>,
    cost_when_built: f64,
}

/// A shape in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub pose: Pose,
    pub at: Placement,
    /// False for shapes of quarantined bodies, and for those that are nowhere.
    pub present: bool,
}

impl SceneIndex {
    /// Places all shapes of a model.
    pub fn new(model: &Model, state: &State) -> Self {
        let nowhere = Slot { pose: Pose::IDENTITY, at: Placement::IDENTITY, present: false };
        let unbounded = |shape: &u32| is_unbounded(&model.shape_geometry[*shape as usize]);
        let mut index = Self {
            table: ShapeTable::new(model),
            slot: vec![nowhere; model.shape_count()],
            boxes: vec![Aabb::EMPTY; model.shape_count()],
            tree: Bvh::default(),
            unbounded: (0..model.shape_count() as u32).filter(unbounded).collect(),
            sensors: (0..model.shape_count() as u32).filter(|&shape| !model.is_solid(shape as usize)).collect(),
            cost_when_built: 0.0,
        };
        index.place(model, state);
        index.rebuild();
        index
    }

    /// Follows the bodies of the model it was made of to another state.
    pub fn update(&mut self, model: &Model, state: &State) {
        if !self.place(model, state) {
            return;
        }
        self.tree.refit(&self.boxes);
        if self.tree.cost() > WORN * self.cost_when_built {
            self.rebuild();
        }
    }

    /// Whether every shape is where `state` has it.
    pub fn is_at(&self, model: &Model, state: &State) -> bool {
        self.slot.len() == model.shape_count()
            && (0..self.slot.len()).all(|shape| {
                let (pose, present) = pose_of(model, state, shape);
                present == self.slot[shape].present && (!present || pose == self.slot[shape].pose)
            })
    }

    fn rebuild(&mut self) {
        self.tree.rebuild(&self.boxes);
        self.cost_when_built = self.tree.cost();
    }

    /// Moves the shapes; says whether any did.
    fn place(&mut self, model: &Model, state: &State) -> bool {
        let Self { slot, boxes, .. } = self;
        let chunks = slot.par_chunks_mut(CHUNK).zip(boxes.par_chunks_mut(CHUNK)).enumerate();
        let moved = chunks.map(|(chunk, (slots, boxes))| {
            let mut moved = false;
            for (k, (slot, bounds)) in slots.iter_mut().zip(boxes).enumerate() {
                let shape = chunk * CHUNK + k;
                let (pose, present) = pose_of(model, state, shape);
                if (pose, present) == (slot.pose, slot.present) {
                    continue;
                }
                moved = true;
                *slot = Slot { pose, at: Placement::new(&pose), present };
                let geometry = &model.shape_geometry[shape];
                *bounds = if present && !is_unbounded(geometry) { loose(geometry.aabb(&pose)) } else { Aabb::EMPTY };
            }
            moved
        });
        moved.reduce(|| false, |a, b| a | b)
    }

    /// Whether a shape is in the tree.
    #[inline]
    pub(super) fn in_tree(&self, shape: u32) -> bool {
        self.slot[shape as usize].present && self.table.radius[shape as usize].is_finite()
    }

    /// Half-spaces and terrain that are there.
    pub(super) fn unbounded(&self) -> impl Iterator<Item = u32> + '_ {
        self.unbounded.iter().copied().filter(|&shape| self.slot[shape as usize].present)
    }

    pub(super) fn solid<'a>(&'a self, model: &'a Model, shape: usize) -> Solid<'a> {
        Solid { shape: &model.shape_geometry[shape], mesh: self.table.mesh[shape].as_deref(), at: &self.slot[shape].at }
    }

    /// A closed mesh has a tree to ask; everything else answers for itself.
    fn mesh_tree(&self, shape: usize) -> Option<&MeshTree> {
        self.table.mesh[shape].as_ref().and_then(|table| table.solid())
    }

    pub(super) fn cast_at(&self, model: &Model, shape: u32, ray: &Ray, limit: f64) -> Option<RayHit> {
        let pose = &self.slot[shape as usize].pose;
        match self.mesh_tree(shape as usize) {
            Some(tree) => {
                let (hit, _) = tree.cast_ray(&ray.into_frame(pose), limit)?;
                Some(RayHit { normal: pose.transform_vector(hit.normal), ..hit })
            }
            None => model.shape_geometry[shape as usize].cast_ray(pose, ray, limit),
        }
    }

    pub(super) fn project_on(&self, model: &Model, shape: u32, point: glamx::DVec3) -> Projection {
        let pose = &self.slot[shape as usize].pose;
        match self.mesh_tree(shape as usize) {
            Some(tree) => {
                let (local, _) = tree.project(pose.inverse_transform_point(point));
                let (point, normal) = (pose.transform_point(local.point), pose.transform_vector(local.normal));
                Projection { point, normal, ..local }
            }
            None => model.shape_geometry[shape as usize].project(pose, point),
        }
    }
}

fn pose_of(model: &Model, state: &State, shape: usize) -> (Pose, bool) {
    let (body, local) = (model.shape_body[shape], &model.shape_pose[shape]);
    if body == WORLD {
        return (*local, local.is_finite());
    }
    let pose = state.body_q[body as usize] * *local;
    (pose, pose.is_finite() && !state.body_quarantined.get(body as usize).copied().unwrap_or(false))
}

fn loose(bounds: Aabb) -> Aabb {
    bounds.inflated(ROUNDING * bounds.min.abs().max(bounds.max.abs()).max_element())
}
