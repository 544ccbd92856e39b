//! Whether surfaces cut through each other in a frame: every pair of triangles of shapes that may meet, with exact signs.

use drystone::Recording;
use drystone::geometry::bvh::Bvh;
use drystone::geometry::distance::triangle_triangle::intersect;
use drystone::geometry::{Aabb, DVec3, Shape};
use drystone::model::WORLD;

use super::scene::Scene;

/// An intersection: the shapes, and how many pairs of triangles (or sunk vertices) it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    pub shapes: [usize; 2],
    pub count: usize,
}

/// The surfaces of a recording of affine bodies.
pub struct Surfaces<'a> {
    recording: &'a Recording,
    scene: &'a Scene<'a>,
    /// Triangles of bounded shapes.
    triangles: Vec<[u32; 3]>,
}

impl<'a> Surfaces<'a> {
    pub fn new(recording: &'a Recording, scene: &'a Scene<'a>) -> Self {
        let surface = &recording.surface;
        let bounded = |triangle: &&[u32; 3]| !is_plane(recording, surface.shape[triangle[0] as usize] as usize);
        Self { recording, scene, triangles: surface.triangle.iter().filter(bounded).copied().collect() }
    }

    /// Everything that cuts through something else in a frame, by shapes.
    pub fn cuts(&self, frame: usize) -> Vec<Cut> {
        let x = self.positions(frame);
        let shape = |triangle: &[u32; 3]| self.recording.surface.shape[triangle[0] as usize] as usize;
        let corners = |triangle: &[u32; 3]| triangle.map(|v| x[v as usize]);
        let boxes: Vec<Aabb> = self.triangles.iter().map(|t| Aabb::from_points(corners(t))).collect();
        let mut found: Vec<[usize; 2]> = Vec::new();
        Bvh::build(&boxes).self_pairs(|a, b| {
            let [a, b] = [a, b].map(|i| &self.triangles[i as usize]);
            let shapes = [shape(a).min(shape(b)), shape(a).max(shape(b))];
            if self.scene.may_meet(shapes[0], shapes[1]) && intersect(corners(a), corners(b)) {
                found.push(shapes);
            }
        });
        self.add_sunk(frame, &x, &mut found);
        found.sort_unstable();
        found.chunk_by(|a, b| a == b).map(|same| Cut { shapes: same[0], count: same.len() }).collect()
    }

    /// Vertices on or below a half-space.
    fn add_sunk(&self, frame: usize, x: &[DVec3], found: &mut Vec<[usize; 2]>) {
        let (recording, surface) = (self.recording, &self.recording.surface);
        for plane in (0..recording.model.shape_count()).filter(|&shape| is_plane(recording, shape)) {
            let pose = self.scene.shape_pose(plane, recording.poses(frame));
            let normal = pose.rotation * DVec3::Z;
            for (vertex, &shape) in surface.shape.iter().enumerate() {
                let sunk = normal.dot(x[vertex] - pose.translation) <= 0.0;
                if sunk && self.scene.may_meet(plane, shape as usize) {
                    found.push([plane, shape as usize]);
                }
            }
        }
    }

    /// Where all vertices are in a frame \[m\].
    fn positions(&self, frame: usize) -> Vec<DVec3> {
        let (surface, rows) = (&self.recording.surface, self.recording.affine(frame));
        let place = |(v, &body): (&DVec3, &u32)| match body {
            WORLD => *v,
            body => {
                let q = &rows[body as usize];
                DVec3::from_array([0, 4, 8].map(|r| q[r] * v.x + q[r + 1] * v.y + q[r + 2] * v.z + q[r + 3]))
            }
        };
        surface.vertex.iter().zip(&surface.body).map(place).collect()
    }
}

fn is_plane(recording: &Recording, shape: usize) -> bool {
    recording.model.shape_geometry[shape] == Shape::HalfSpace
}
