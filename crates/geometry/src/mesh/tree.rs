//! A mesh with a tree over its triangles, for fast queries.

use std::sync::Arc;

use glamx::DVec3;

use super::{MeshFault, TriMesh};
use crate::bvh::Bvh;
use crate::distance::point_triangle::{self, Region};
use crate::shape::Projection;
use crate::{Aabb, Ray, RayHit};

/// A closed mesh prepared for ray casts and nearest points: the same answers as [`crate::Shape::Mesh`], in
/// logarithmic time.
///
/// Inside and outside are told by the angle-weighted normals of the nearest face, edge or vertex, which is right for
/// every closed, outward oriented mesh.
#[derive(Clone, Debug)]
pub struct MeshTree {
    mesh: Arc<TriMesh>,
    tree: Bvh,
    /// Mean normals over the side k → k+1 of every triangle.
    side_normal: Vec<[DVec3; 3]>,
    vertex_normal: Vec<DVec3>,
}

impl MeshTree {
    /// Prepares a mesh; refuses one that does not bound a solid.
    pub fn new(mesh: Arc<TriMesh>) -> Result<Self, MeshFault> {
        mesh.check()?;
        let bounds: Vec<Aabb> = mesh.all_corners().map(Aabb::from_points).collect();
        let mut side_normal = vec![[DVec3::ZERO; 3]; mesh.triangles.len()];
        for pair in mesh.sides_by_edge().chunk_by(|a, b| a.edge == b.edge) {
            let sum: DVec3 = pair.iter().map(|side| mesh.normal(side.triangle)).sum();
            for side in pair {
                let start = if side.forward { side.edge[0] } else { side.edge[1] };
                let k = mesh.triangles[side.triangle].iter().position(|&v| v == start).unwrap_or(0);
                side_normal[side.triangle][k] = sum.normalize_or_zero();
            }
        }
        let vertex_normal = mesh.vertex_normals();
        Ok(Self { tree: Bvh::build(&bounds), mesh, side_normal, vertex_normal })
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<TriMesh> {
        &self.mesh
    }

    /// The tree over its triangles; item i is triangle i.
    pub fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The first crossing of the surface, inwards or outwards, and the triangle crossed.
    pub fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<(RayHit, u32)> {
        if !ray.is_valid() {
            return None;
        }
        let cross = |t: u32, limit: f64| {
            ray.cross_triangle(self.mesh.corners(t as usize)).filter(|time| (0.0..=limit).contains(time))
        };
        let (triangle, time) = self.tree.cast_ray(ray, max_time, cross)?;
        Some((RayHit { time, normal: self.mesh.normal(triangle as usize) }, triangle))
    }

    /// The nearest surface point to `point` \[m\] and its triangle.
    pub fn project(&self, point: DVec3) -> (Projection, u32) {
        let squared = |t: u32| {
            let corners = self.mesh.corners(t as usize);
            point_triangle::closest_point(point, corners).distance_squared(point)
        };
        let (triangle, squared) = self.tree.nearest(point, f64::INFINITY, squared).unwrap_or((0, 0.0));
        let corners = self.mesh.corners(triangle as usize);
        let (region, [wa, wb, wc]) = point_triangle::closest(point, corners);
        let nearest = wa * corners[0] + wb * corners[1] + wc * corners[2];
        let out = match region {
            Region::Face => self.mesh.normal(triangle as usize),
            Region::Edge(k) => self.side_normal[triangle as usize][k],
            Region::Vertex(k) => self.vertex_normal[self.mesh.triangles[triangle as usize][k] as usize],
        };
        let away = point - nearest;
        let side = if away.dot(out) < 0.0 { -1.0 } else { 1.0 };
        let normal = (side * away).try_normalize().unwrap_or(out);
        (Projection { point: nearest, normal, distance: side * squared.sqrt() }, triangle)
    }

    /// True if `point` lies inside the solid.
    pub fn contains(&self, point: DVec3) -> bool {
        self.tree.bounds().contains_point(point) && self.project(point).0.distance < 0.0
    }
}
