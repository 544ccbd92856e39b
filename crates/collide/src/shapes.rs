//! What the pipeline knows about every shape once and for all.

use std::sync::Arc;

use drystone_geometry::{DVec3, Shape};
use drystone_model::{BodyKind, Model, WORLD};

use crate::narrow::poly::{Edge, hull_edges};
use crate::placement::Placement;

/// Facts about the shapes of a model that do not change from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShapeTable {
    /// Pose in the frame of the body.
    pub local: Vec<Placement>,
    /// Radius of a ball about the origin of the shape that holds it \[m\]; infinite where unbounded.
    pub radius: Vec<f64>,
    /// Smallest width \[m\]; infinite where unbounded. The yardstick of every tolerance.
    pub thickness: Vec<f64>,
    /// Whether the shape's body is moved by forces.
    pub dynamic: Vec<bool>,
    /// Edges of hulls.
    pub edges: Vec<Arc<[Edge]>>,
}

impl ShapeTable {
    pub fn new(model: &Model) -> Self {
        let none: Arc<[Edge]> = Arc::from([]);
        let mut table = Self::default();
        for (shape, geometry) in model.shape_geometry.iter().enumerate() {
            let body = model.shape_body[shape];
            table.local.push(Placement::new(&model.shape_pose[shape]));
            table.radius.push(bounding_radius(geometry));
            table.thickness.push(thickness(geometry));
            table.dynamic.push(body != WORLD && model.body_kind[body as usize] == BodyKind::Dynamic);
            table.edges.push(match geometry {
                Shape::Hull(hull) => Arc::from(hull_edges(hull)),
                _ => none.clone(),
            });
        }
        table
    }
}

fn farthest(points: impl Iterator<Item = DVec3>) -> f64 {
    points.fold(0.0_f64, |most, p| most.max(p.length_squared())).sqrt()
}

fn bounding_radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Box { half } => half.length(),
        Shape::Capsule { radius, half_height } => radius + half_height,
        Shape::Cylinder { radius, half_height } | Shape::Cone { radius, half_height } => radius.hypot(*half_height),
        Shape::Ellipsoid { radii } => radii.max_element(),
        Shape::Hull(hull) => farthest(hull.vertices.iter().copied()),
        Shape::Mesh(mesh) => farthest(mesh.vertices.iter().copied()),
        Shape::HalfSpace | Shape::Heightfield(_) => f64::INFINITY,
    }
}

fn thickness(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => 2.0 * radius,
        Shape::Box { half } => 2.0 * half.min_element(),
        Shape::Cylinder { radius, half_height } | Shape::Cone { radius, half_height } => 2.0 * radius.min(*half_height),
        Shape::Ellipsoid { radii } => 2.0 * radii.min_element(),
        Shape::Hull(hull) => hull_width(&hull.vertices, &hull.face_normal),
        Shape::Mesh(mesh) => {
            let (min, max) = extent(&mesh.vertices);
            (max - min).min_element()
        }
        Shape::HalfSpace | Shape::Heightfield(_) => f64::INFINITY,
    }
}

fn extent(points: &[DVec3]) -> (DVec3, DVec3) {
    points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)))
}

/// Smallest width of a polyhedron across its faces.
fn hull_width(vertices: &[DVec3], normals: &[DVec3]) -> f64 {
    normals.iter().fold(f64::INFINITY, |least, normal| {
        let (low, high) = vertices.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            let d = normal.dot(*v);
            (low.min(d), high.max(d))
        });
        least.min(high - low)
    })
}
