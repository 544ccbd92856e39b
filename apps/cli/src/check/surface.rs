//! The triangles of every shape, at rest and in a frame.

use std::sync::{Arc, OnceLock};

use drystone::Recording;
use drystone::geometry::bvh::Bvh;
use drystone::geometry::distance::triangle_triangle::{intersect, overlap};
use drystone::geometry::mesh::MeshTree;
use drystone::geometry::{Aabb, DVec3, TriMesh};
use drystone::model::WORLD;

use super::place::Place;

/// The surface of a shape in the frame of its body.
#[derive(Debug)]
pub struct ShapeSurface {
    /// Body of the shape, or [`WORLD`].
    pub body: u32,
    mesh: Arc<TriMesh>,
    tree: Bvh,
    solid: OnceLock<Option<MeshTree>>,
}

/// How deep two surfaces cut into each other \[m\], and in how many places.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cut {
    pub depth: f64,
    pub count: usize,
}

impl ShapeSurface {
    /// The surfaces of all shapes of a recording.
    pub fn of_all(recording: &Recording) -> Vec<Self> {
        let (surface, model) = (&recording.surface, &recording.model);
        let mut meshes = vec![TriMesh::default(); model.shape_count()];
        let mut number = vec![u32::MAX; surface.vertex.len()];
        for triangle in &surface.triangle {
            let mesh = &mut meshes[surface.shape[triangle[0] as usize] as usize];
            let corners = triangle.map(|vertex| {
                let known = &mut number[vertex as usize];
                if *known == u32::MAX {
                    *known = mesh.vertices.len() as u32;
                    mesh.vertices.push(surface.vertex[vertex as usize]);
                }
                *known
            });
            mesh.triangles.push(corners);
        }
        meshes.into_iter().zip(&model.shape_body).map(|(mesh, &body)| Self::new(mesh, body)).collect()
    }

    fn new(mesh: TriMesh, body: u32) -> Self {
        let tree = Bvh::build(&mesh.all_corners().map(Aabb::from_points).collect::<Vec<_>>());
        Self { body, mesh: Arc::new(mesh), tree, solid: OnceLock::new() }
    }

    /// Whether the recording holds no triangle of it.
    pub fn is_empty(&self) -> bool {
        self.mesh.triangles.is_empty()
    }

    /// Where its body is.
    pub fn place(&self, places: &[Place]) -> Place {
        if self.body == WORLD { Place::WORLD } else { places[self.body as usize] }
    }

    /// Its vertices in the world \[m\].
    pub fn vertices(&self, place: Place) -> impl Iterator<Item = DVec3> + '_ {
        self.mesh.vertices.iter().map(move |&v| place.point(v))
    }

    /// Corners of its triangles in the frame of the body \[m\].
    pub fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        self.mesh.all_corners()
    }

    /// Its box in the world \[m\].
    pub fn bounds(&self, place: Place) -> Aabb {
        Aabb::from_points(self.vertices(place))
    }

    /// Corners of the triangles that reach into a box of the world \[m\].
    pub fn within(&self, place: Place, region: &Aabb) -> Vec<[DVec3; 3]> {
        let mut numbers = Vec::new();
        self.tree.overlaps(&place.box_to_rest(region), |triangle| numbers.push(triangle));
        numbers.sort_unstable();
        let corners = numbers.iter().map(|&triangle| self.mesh.corners(triangle as usize).map(|v| place.point(v)));
        corners.filter(|corners| Aabb::from_points(*corners).overlaps(region)).collect()
    }

    /// How far a point of the world lies inside \[m\]; `None` outside, or if the surface is open. Bodies are nearly rigid:
    /// lengths are those of the body at rest.
    fn depth_of(&self, place: Place, point: DVec3) -> Option<f64> {
        self.distance_to(place, point).filter(|distance| *distance < 0.0).map(|distance| -distance)
    }

    /// Distance of a point of the world \[m\], negative inside; `None` if the surface is open.
    pub fn distance_to(&self, place: Place, point: DVec3) -> Option<f64> {
        let solid = self.solid.get_or_init(|| MeshTree::new(self.mesh.clone()).ok()).as_ref()?;
        Some(solid.project(place.to_rest(point)).0.distance)
    }
}

/// How two surfaces cut through each other: by triangles that share a point, exact signs deciding, or because one holds the
/// whole of the other.
pub fn cut(sides: [(&ShapeSurface, Place); 2], bounds: [Aabb; 2]) -> Option<Cut> {
    let region = bounds[0].intersection(bounds[1]);
    let [first, second] = sides.map(|(surface, place)| surface.within(place, &region));
    let tree = |corners: &[[DVec3; 3]]| Bvh::build(&corners.iter().map(|c| Aabb::from_points(*c)).collect::<Vec<_>>());
    let mut found = Cut::default();
    tree(&first).pairs_with(&tree(&second), |a, b| {
        let (a, b) = (first[a as usize], second[b as usize]);
        if intersect(a, b) {
            found.depth = found.depth.max(overlap(a, b));
            found.count += 1;
        }
    });
    if found.count > 0 {
        // Triangles that only touch may still bound solids that overlap: boxes with sides in one plane.
        let inside = [(&first, sides[1]), (&second, sides[0])].map(|(triangles, (other, place))| {
            let points =
                triangles.iter().flat_map(|&[a, b, c]| [a, b, c, 0.5 * (a + b), 0.5 * (b + c), (a + b + c) / 3.0]);
            points.filter_map(|point| other.depth_of(place, point)).fold(0.0, f64::max)
        });
        found.depth = found.depth.max(inside[0]).max(inside[1]);
        return Some(found);
    }
    let held = |outer: usize, inner: usize| {
        let (surface, place) = sides[inner];
        let point = surface.vertices(place).next().filter(|_| bounds[outer].contains(&bounds[inner]))?;
        let (surface, place) = sides[outer];
        Some(Cut { depth: surface.depth_of(place, point)?, count: 1 })
    };
    held(0, 1).or_else(|| held(1, 0))
}
