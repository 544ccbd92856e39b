//! What the pipeline knows about every shape once and for all.

use std::sync::Arc;

use drystone_geometry::{Aabb, DVec3, Pose, Shape, TriMesh};
use drystone_model::{BodyKind, Model, WORLD};

use crate::placement::Placement;
use crate::surface::MeshTable;

/// Facts about the shapes of a model that do not change from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShapeTable {
    /// Pose in the frame of the body.
    pub local: Vec<Placement>,
    /// Radius of a ball about the origin of the shape that holds it \[m\]; infinite where unbounded.
    pub radius: Vec<f64>,
    /// Box around the surface in the frame of the shape; everything for half-spaces.
    pub local_bounds: Vec<Aabb>,
    /// Smallest width \[m\]; infinite where unbounded. The yardstick of every tolerance.
    pub thickness: Vec<f64>,
    /// Whether the shape's body is moved by forces.
    pub dynamic: Vec<bool>,
    /// Whether the shape's body can move.
    moves: Vec<bool>,
    sensor: Vec<bool>,
    /// Velocity of the surface against the body, in the frame of the shape \[m/s\].
    pub surface_velocity: Vec<DVec3>,
    /// Whether any surface has one.
    pub belts: bool,
    body: Vec<u32>,
    world: Vec<u32>,
    group: Vec<u32>,
    mask: Vec<u32>,
    filter: Vec<(u32, u32)>,
    /// Triangles of meshes; shapes that share a mesh share its table.
    pub mesh: Vec<Option<Arc<MeshTable>>>,
}

impl ShapeTable {
    pub fn new(model: &Model) -> Self {
        let kind = |&body: &u32| if body == WORLD { BodyKind::Static } else { model.body_kind[body as usize] };
        let mut table = Self {
            local: model.shape_pose.iter().map(Placement::new).collect(),
            dynamic: model.shape_body.iter().map(|body| kind(body) == BodyKind::Dynamic).collect(),
            moves: model.shape_body.iter().map(|body| kind(body) != BodyKind::Static).collect(),
            sensor: model.shape_sensor.clone(),
            surface_velocity: (0..model.shape_count())
                .map(|s| model.shape_pose[s].inverse_transform_vector(model.shape_surface_velocity[s]))
                .collect(),
            belts: model.shape_surface_velocity.iter().any(|&velocity| velocity != DVec3::ZERO),
            body: model.shape_body.clone(),
            world: model.shape_world.clone(),
            group: model.shape_group.clone(),
            mask: model.shape_mask.clone(),
            filter: model.shape_filter.clone(),
            ..Self::default()
        };
        table.measure(&model.shape_geometry);
        table
    }

    /// Sizes of a single shape that belongs to no model.
    pub fn alone(shape: &Shape) -> Self {
        let mut table = Self::default();
        table.measure(std::slice::from_ref(shape));
        table
    }

    fn measure(&mut self, shapes: &[Shape]) {
        let mut known: Vec<(Arc<TriMesh>, Arc<MeshTable>)> = Vec::new();
        for shape in shapes {
            self.radius.push(if is_unbounded(shape) { f64::INFINITY } else { shape.bounding_radius() });
            self.local_bounds.push(match shape {
                Shape::HalfSpace => Aabb::ALL,
                _ => shape.aabb(&Pose::identity()),
            });
            self.thickness.push(shape.thickness());
            self.mesh.push(match shape {
                Shape::Mesh(mesh) => Some(shared_table(&mut known, mesh)),
                _ => None,
            });
        }
    }

    /// The world of a shape.
    pub fn world(&self, shape: usize) -> usize {
        self.world[shape] as usize
    }

    /// Whether two shapes may ever touch: same world, different bodies, one of them moved by forces, groups
    /// that agree, no filter, no sensor.
    pub fn may_touch(&self, a: usize, b: usize) -> bool {
        (self.dynamic[a] || self.dynamic[b]) && !self.sensor[a] && !self.sensor[b] && self.may_meet(a, b)
    }

    /// Whether sensor `a` tells of shape `b`: as if they could touch, but any body that can move will do. Sensors do not
    /// tell of each other.
    pub fn may_sense(&self, a: usize, b: usize) -> bool {
        (self.moves[a] || self.moves[b]) && self.sensor[a] && !self.sensor[b] && self.may_meet(a, b)
    }

    /// Whether a shape may meet any other: not if it is in no group, or looks for none.
    pub fn meets(&self, shape: usize) -> bool {
        self.group[shape] != 0 && self.mask[shape] != 0
    }

    fn may_meet(&self, a: usize, b: usize) -> bool {
        self.body[a] != self.body[b]
            && self.world[a] == self.world[b]
            && self.group[a] & self.mask[b] != 0
            && self.group[b] & self.mask[a] != 0
            && (self.filter.is_empty() || self.filter.binary_search(&(a.min(b) as u32, a.max(b) as u32)).is_err())
    }
}

/// Whether a shape has no box around it.
pub(crate) fn is_unbounded(shape: &Shape) -> bool {
    matches!(shape, Shape::HalfSpace | Shape::Heightfield(_))
}

fn shared_table(known: &mut Vec<(Arc<TriMesh>, Arc<MeshTable>)>, mesh: &Arc<TriMesh>) -> Arc<MeshTable> {
    if let Some((_, table)) = known.iter().find(|(other, _)| Arc::ptr_eq(other, mesh)) {
        return table.clone();
    }
    let table = Arc::new(MeshTable::new(mesh));
    known.push((mesh.clone(), table.clone()));
    table
}
