//! Whether surfaces cut through each other in a frame: every pair of triangles of shapes that may meet, with exact signs.

use drystone::Recording;
use drystone::geometry::bvh::Bvh;
use drystone::geometry::ccd::Ccd;
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

    /// Everything that passes through something else while all vertices go straight from the frame before to this one,
    /// by shapes. Bodies that turn do not go straight: what is found here is where they would have met if they did.
    pub fn passes(&self, frame: usize) -> Vec<Cut> {
        let (start, end) = (self.positions(frame - 1), self.positions(frame));
        let shape = |triangle: &[u32; 3]| self.recording.surface.shape[triangle[0] as usize] as usize;
        let bounds = |t: &[u32; 3]| Aabb::from_points(t.iter().flat_map(|&v| [start[v as usize], end[v as usize]]));
        let boxes: Vec<Aabb> = self.triangles.iter().map(bounds).collect();
        let mut found: Vec<[usize; 2]> = Vec::new();
        Bvh::build(&boxes).self_pairs(|a, b| {
            let [a, b] = [a, b].map(|i| &self.triangles[i as usize]);
            let shapes = [shape(a).min(shape(b)), shape(a).max(shape(b))];
            if self.scene.may_meet(shapes[0], shapes[1]) && meet(a, b, &start, &end) {
                found.push(shapes);
            }
        });
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

/// Share of its first gap that a pair must keep; nearer counts as touching.
const TOUCH: f64 = 1e-6;

/// Whether two triangles touch on the way: a corner of one meets the other, or two sides meet.
fn meet(a: &[u32; 3], b: &[u32; 3], start: &[DVec3], end: &[DVec3]) -> bool {
    let ccd = Ccd { boldness: 1.0 - TOUCH, ..Ccd::default() };
    let at = |vertices: [u32; 4], x: &[DVec3]| vertices.map(|v| x[v as usize]);
    let corner = |v: u32, t: &[u32; 3]| {
        let stencil = [v, t[0], t[1], t[2]];
        ccd.point_triangle(at(stencil, start), at(stencil, end)).is_some()
    };
    let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let cross = |[p, q]: [u32; 2], [r, s]: [u32; 2]| {
        let stencil = [p, q, r, s];
        ccd.edge_edge(at(stencil, start), at(stencil, end)).is_some()
    };
    a.iter().any(|&v| corner(v, b))
        || b.iter().any(|&v| corner(v, a))
        || sides(a).iter().any(|&e| sides(b).iter().any(|&f| cross(e, f)))
}

fn is_plane(recording: &Recording, shape: usize) -> bool {
    recording.model.shape_geometry[shape] == Shape::HalfSpace
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::model::{BodyDef, ModelBuilder};

    /// A cube that is on one side of a wall in one frame and on the other in the next, or beside it in both.
    #[test]
    fn what_passes_between_frames_is_found() {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("cube").at(DVec3::X * -1.0).cuboid(DVec3::splat(0.1)));
        scene.add_body(BodyDef::fixed("wall").cuboid(DVec3::new(0.01, 1.0, 1.0)));
        let model = scene.finalize().unwrap();
        let recorded = |to: DVec3| {
            let mut recording = Recording::new(&model);
            for x in [DVec3::X * -1.0, to] {
                let mut state = model.state();
                state.body_affine = vec![[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]; 2];
                (0..3).for_each(|k| state.body_affine[0][4 * k + 3] = x[k]);
                recording.push(&state, &[]);
            }
            recording
        };
        for (to, passes) in [(DVec3::X, true), (DVec3::new(-1.0, 3.0, 0.0), false)] {
            let recording = recorded(to);
            let scene = Scene::new(&recording);
            let surfaces = Surfaces::new(&recording, &scene);
            assert!(surfaces.cuts(1).is_empty());
            assert_eq!(!surfaces.passes(1).is_empty(), passes, "{to}");
        }
    }
}
