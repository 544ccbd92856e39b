//! Thin shells: giving an open surface a thickness and a mass.

use drystone_kernels::elementary::atan2;
use glamx::{DMat3, DVec3};

use super::{MeshFault, TriMesh};
use crate::MassProperties;
use crate::mass::outer;

/// A sharp ridge moves its vertices out by at most this multiple of half the thickness.
const MAX_MITER: f64 = 2.0;

impl TriMesh {
    /// A closed shell of the given thickness \[m\] about an open (or closed) surface: two copies, half the thickness to
    /// either side, joined by walls along open edges. The surface may be flat; neighbours must agree in orientation.
    ///
    /// Sound as long as the thickness is small against the radii of curvature and the distance between sheets.
    ///
    /// ```
    /// use drystone_geometry::{DVec3, TriMesh};
    /// let card = TriMesh {
    ///     vertices: vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y],
    ///     triangles: vec![[0, 1, 2], [0, 2, 3]],
    /// };
    /// let solid = card.thickened(0.01)?;
    /// assert!((solid.mass_properties(700.0)?.mass - 7.0).abs() < 1e-12);
    /// # Ok::<(), drystone_geometry::MeshFault>(())
    /// ```
    pub fn thickened(&self, thickness: f64) -> Result<Self, MeshFault> {
        check_thickness(thickness)?;
        self.check_indices()?;
        let mesh = self.split_at_pinches()?.without_unused_vertices();
        let open = mesh.open_sides()?;
        let count = mesh.vertices.len() as u32;
        let offsets = mesh.miter_offsets();
        let moved = |sign: f64| {
            let offset = offsets.iter().map(move |o| sign * 0.5 * thickness * *o);
            mesh.vertices.iter().zip(offset).map(|(v, o)| *v + o)
        };
        let vertices: Vec<DVec3> = moved(1.0).chain(moved(-1.0)).collect();
        let back = mesh.triangles.iter().map(|&[a, b, c]| [a + count, c + count, b + count]);
        // A side a → b of the front is run b → a by its wall.
        let walls = open.iter().flat_map(|&[a, b]| [[b, a, a + count], [b, a + count, b + count]]);
        let triangles = mesh.triangles.iter().copied().chain(back).chain(walls).collect();
        let shell = Self { vertices, triangles };
        shell.check()?;
        Ok(shell)
    }

    /// Sides without a neighbour, in the direction of their triangle; refuses edges where neighbours disagree.
    fn open_sides(&self) -> Result<Vec<[u32; 2]>, MeshFault> {
        let mut open = Vec::new();
        for group in self.sides_by_edge().chunk_by(|a, b| a.edge == b.edge) {
            match group {
                [side] => open.push(if side.forward { side.edge } else { [side.edge[1], side.edge[0]] }),
                [a, b] if a.forward == b.forward => {
                    return Err(MeshFault::Winding { edge: a.edge, triangles: [a.triangle, b.triangle] });
                }
                [_, _] => {}
                more => return Err(MeshFault::NonManifoldEdge { edge: more[0].edge, count: more.len() }),
            }
        }
        Ok(open)
    }

    /// Where every vertex goes when all faces move out by one: along the mean normal, far enough for the faces.
    fn miter_offsets(&self) -> Vec<DVec3> {
        let normals = self.vertex_normals();
        let mut cosine = vec![(0.0, 0.0); self.vertices.len()];
        for (t, corners) in self.triangles.iter().enumerate() {
            let normal = self.normal(t);
            for k in 0..3 {
                let (v, weight) = (corners[k] as usize, self.corner_angle(t, k));
                cosine[v].0 += weight * normal.dot(normals[v]);
                cosine[v].1 += weight;
            }
        }
        let stretch = |(sum, weight): (f64, f64)| (weight / sum).clamp(1.0, MAX_MITER);
        normals.iter().zip(cosine).map(|(n, c)| stretch(c) * *n).collect()
    }

    /// Unit normals of all vertices: those of the triangles around, weighted by their angles.
    pub fn vertex_normals(&self) -> Vec<DVec3> {
        let mut normals = vec![DVec3::ZERO; self.vertices.len()];
        for (t, corners) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                normals[corners[k] as usize] += self.corner_angle(t, k) * self.normal(t);
            }
        }
        normals.iter().map(|n| n.normalize_or_zero()).collect()
    }

    /// The angle of a triangle at its corner k \[rad\].
    fn corner_angle(&self, triangle: usize, k: usize) -> f64 {
        let corners = self.corners(triangle);
        let (u, v) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
        atan2(u.cross(v).length(), u.dot(v))
    }

    /// Mass properties of the surface as a thin shell of uniform `density` \[kg/m³\] and `thickness` \[m\], centred on
    /// the triangles, without building the shell: exact for flat surfaces, overlaps at ridges counted twice.
    pub fn shell_mass_properties(&self, density: f64, thickness: f64) -> Result<MassProperties, MeshFault> {
        check_thickness(thickness)?;
        self.check_indices()?;
        let reference = self.bounds().center();
        let (mut mass, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in self.all_corners() {
            let [a, b, c] = corners.map(|p| p - reference);
            let area_vector = 0.5 * (b - a).cross(c - a);
            let (m, normal) = (density * thickness * area_vector.length(), area_vector.normalize_or_zero());
            let t = a + b + c;
            mass += m;
            first += m / 3.0 * t;
            second += m / 12.0 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(t, t));
            second += m * thickness * thickness / 12.0 * outer(normal, normal);
        }
        let about = MassProperties::from_moments(mass, first, second);
        Ok(MassProperties { com: reference + about.com, ..about })
    }
}

fn check_thickness(thickness: f64) -> Result<(), MeshFault> {
    if thickness > 0.0 && thickness.is_finite() { Ok(()) } else { Err(MeshFault::BadThickness(thickness)) }
}
