//! Edges at which the surface really bends.

use glamx::DVec3;

use super::TriMesh;

/// Two triangles lie in one plane if none of their corners is further from it than this share of their size: what
/// rounding leaves of coordinates that were turned and moved once.
const FLAT: f64 = 1e-14;

impl TriMesh {
    /// The [edges](TriMesh::edges) without those that merely cut a flat face into triangles.
    ///
    /// Two polyhedra first touch with a corner on a face or with two edges of faces. An affine motion keeps faces flat, so the lines
    /// that cut them never matter.
    ///
    /// ```
    /// use drystone_geometry::{DVec3, Shape, Tessellation};
    /// let cube = Shape::Box { half: DVec3::splat(0.5) }.to_mesh(&Tessellation::default());
    /// assert_eq!((cube.edges().len(), cube.creases().len()), (18, 12));
    /// ```
    pub fn creases(&self) -> Vec<[u32; 2]> {
        let side = |t: &[u32; 3], k: usize| ([t[k], t[(k + 1) % 3]], t[(k + 2) % 3]);
        let undirected = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let sides = self.triangles.iter().flat_map(|t| (0..3).map(move |k| side(t, k)));
        let mut sides: Vec<([u32; 2], u32)> = sides.map(|(edge, tip)| (undirected(edge), tip)).collect();
        sides.sort_unstable();
        let bends = |sides: &&[([u32; 2], u32)]| match sides {
            [(edge, first), (_, second)] => !self.is_flat(*edge, [*first, *second]),
            _ => true,
        };
        sides.chunk_by(|a, b| a.0 == b.0).filter(bends).map(|sides| sides[0].0).collect()
    }

    /// Whether the triangles from an edge to two tips on either side lie in one plane.
    fn is_flat(&self, edge: [u32; 2], tips: [u32; 2]) -> bool {
        let at = |v: u32| self.vertices[v as usize];
        let (origin, along) = (at(edge[0]), at(edge[1]) - at(edge[0]));
        let [first, second] = tips.map(|v| at(v) - origin);
        let normal = along.cross(first);
        let size = along.abs().max(first.abs()).max(second.abs()).max_element() + origin.abs().max_element();
        // A sheet folded back on itself lies in one plane too, but its tips are on the same side.
        let opposite = normal.dot(along.cross(second)) < 0.0;
        opposite && normal != DVec3::ZERO && normal.normalize().dot(second).abs() <= FLAT * size
    }
}

#[cfg(test)]
mod tests {
    use glamx::DQuat;

    use super::*;
    use crate::{Shape, Tessellation};

    #[test]
    fn flat_faces_are_whole_however_they_are_turned() {
        let detail = Tessellation { segments: 12, ..Tessellation::default() };
        let mut tube = Shape::Cylinder { radius: 0.3, half_height: 0.7 }.to_mesh(&detail);
        let count = tube.creases().len();
        // Twelve sides and two caps: three edges for every side.
        assert_eq!(count, 36);
        let turn = DQuat::from_rotation_x(0.3) * DQuat::from_rotation_z(1.1);
        tube.vertices.iter_mut().for_each(|v| *v = turn * *v + DVec3::new(3.0, -2.0, 1.0));
        assert_eq!(tube.creases().len(), count);
    }

    #[test]
    fn folds_and_slight_bends_stay() {
        let (square, folded) = ([DVec3::ZERO, DVec3::X, DVec3::ONE.with_z(0.0), DVec3::Y], [[0, 1, 2], [0, 2, 3]]);
        let mut mesh = TriMesh { vertices: square.to_vec(), triangles: folded.to_vec() };
        assert_eq!(mesh.creases(), [[0, 1], [0, 3], [1, 2], [2, 3]]);
        mesh.vertices[3].z = 1e-12;
        assert_eq!(mesh.creases().len(), 5);
        // Both triangles on one side of their common edge.
        mesh.vertices[3] = DVec3::new(0.9, 0.1, 0.0);
        assert_eq!(mesh.creases().len(), 5);
    }
}
