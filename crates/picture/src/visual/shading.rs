//! Normals for shading: smooth over gentle bends, split at sharp edges.

use drystone::geometry::{DVec3, TriMesh};

/// Faces meeting at more than this angle get an edge: cosine of 35°, between the facets of a round
/// shape (9°) and the corner of a hexagonal prism (60°).
const CREASE_COSINE: f64 = 0.819;

/// Triangles with a normal per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShadedMesh {
    /// Vertex positions \[m\].
    pub positions: Vec<DVec3>,
    /// Unit normal of every vertex.
    pub normals: Vec<DVec3>,
    /// Vertex indices of every triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Distance of the farthest vertex from the origin \[m\].
    pub radius: f64,
}

impl ShadedMesh {
    /// Gives a mesh normals. Each corner averages the normals of the faces around its vertex that
    /// bend little from its own, weighted by area; equal corners share a vertex.
    pub fn new(mesh: &TriMesh) -> Self {
        let areas: Vec<DVec3> = mesh.triangles.iter().map(|t| area(mesh, t)).collect();
        let units: Vec<DVec3> = areas.iter().map(|a| a.normalize_or_zero()).collect();
        let around = faces_around(mesh);
        let mut shaded = Self::default();
        // For every vertex of the mesh, the vertices already made from it.
        let mut made: Vec<Vec<u32>> = vec![Vec::new(); mesh.vertices.len()];
        for (face, corners) in mesh.triangles.iter().enumerate() {
            let triangle = corners.map(|corner| {
                let bent_little =
                    around[corner as usize].iter().filter(|&&f| units[f].dot(units[face]) > CREASE_COSINE);
                let normal = bent_little.map(|&f| areas[f]).sum::<DVec3>().normalize_or(units[face]);
                shaded.vertex(mesh.vertices[corner as usize], normal, &mut made[corner as usize])
            });
            shaded.triangles.push(triangle);
        }
        shaded.radius = shaded.positions.iter().map(|p| p.length()).fold(0.0, f64::max);
        shaded
    }

    fn vertex(&mut self, position: DVec3, normal: DVec3, made: &mut Vec<u32>) -> u32 {
        let same = |&&i: &&u32| self.normals[i as usize].dot(normal) > 1.0 - 1e-9;
        if let Some(&index) = made.iter().find(same) {
            return index;
        }
        let index = self.positions.len() as u32;
        self.positions.push(position);
        self.normals.push(normal);
        made.push(index);
        index
    }
}

/// Normal of a triangle, as long as twice its area.
fn area(mesh: &TriMesh, triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize]);
    (b - a).cross(c - a)
}

fn faces_around(mesh: &TriMesh) -> Vec<Vec<usize>> {
    let mut around = vec![Vec::new(); mesh.vertices.len()];
    for (face, corners) in mesh.triangles.iter().enumerate() {
        for &corner in corners {
            around[corner as usize].push(face);
        }
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::geometry::{Shape, Tessellation};

    fn shaded(shape: Shape) -> ShadedMesh {
        ShadedMesh::new(&shape.to_mesh(&Tessellation { segments: 40, ..Tessellation::default() }))
    }

    #[test]
    fn a_box_is_flat() {
        let mesh = shaded(Shape::Box { half: DVec3::new(1.0, 2.0, 3.0) });
        assert_eq!(mesh.positions.len(), 24);
        assert!(mesh.normals.iter().all(|n| n.abs().max_element() > 1.0 - 1e-12));
    }

    #[test]
    fn a_sphere_is_smooth() {
        let mesh = shaded(Shape::Sphere { radius: 2.0 });
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            assert!(normal.dot(*position / 2.0) > 0.999, "{position} {normal}");
        }
        assert_eq!(mesh.positions.len(), 40 * 19 + 2);
    }

    #[test]
    fn a_cylinder_is_smooth_around_and_sharp_at_the_rim() {
        let mesh = shaded(Shape::Cylinder { radius: 1.0, half_height: 1.0 });
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            let flat = normal.z.abs() > 1.0 - 1e-12;
            let round = normal.z.abs() < 1e-12 && normal.dot(*position) > 0.999;
            assert!(flat || round, "{position} {normal}");
        }
        let flat = mesh.normals.iter().filter(|normal| normal.z.abs() > 0.5).count();
        // Two caps with a middle and a rim of their own, two rims of the side.
        assert_eq!((flat, mesh.normals.len()), (2 * 41, 2 * 41 + 2 * 40));
    }
}
