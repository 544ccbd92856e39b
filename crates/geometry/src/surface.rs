//! Triangle surfaces of shapes, for drawing, for recordings and for solvers that work on meshes.

use std::f64::consts::{PI, TAU};

use glamx::DVec3;

use crate::hull::Hull;
use crate::mesh::TriMesh;
use crate::shape::{Heightfield, Shape};

/// How finely [`surface`] follows curved shapes, and how far it follows unbounded ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Segments of a full circle; at least three.
    pub segments: usize,
    /// Half the width of the square that stands for a half-space \[m\].
    pub extent: f64,
}

impl Default for Detail {
    fn default() -> Self {
        Self { segments: 24, extent: 100.0 }
    }
}

/// The boundary of a shape as triangles, in the frame of the shape. Vertices lie exactly on the
/// surface, so curved shapes are inscribed. Closed for every bounded solid; a half-space becomes a
/// square and a heightfield its upper side.
pub fn surface(shape: &Shape, detail: &Detail) -> TriMesh {
    let segments = detail.segments.max(3);
    match shape {
        Shape::Sphere { radius } => ellipsoid(DVec3::splat(*radius), segments),
        Shape::Ellipsoid { radii } => ellipsoid(*radii, segments),
        Shape::Box { half } => cuboid(*half),
        Shape::Capsule { radius, half_height } => lathe(&capsule_profile(*radius, *half_height, segments), segments),
        Shape::Cylinder { radius: r, half_height: h } => lathe(&[(0.0, -h), (*r, -h), (*r, *h), (0.0, *h)], segments),
        Shape::Cone { radius: r, half_height: h } => lathe(&[(0.0, -h), (*r, -h), (0.0, *h)], segments),
        Shape::Hull(hull) => hull_surface(hull),
        Shape::HalfSpace => square(detail.extent),
        Shape::Heightfield(field) => heightfield(field),
        Shape::Mesh(mesh) => mesh.as_ref().clone(),
    }
}

fn cuboid(half: DVec3) -> TriMesh {
    let vertices = (0..8).map(|i| half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4))).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriMesh { vertices, triangles }
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}

fn square(extent: f64) -> TriMesh {
    let corner = |x: f64, y: f64| DVec3::new(x * extent, y * extent, 0.0);
    TriMesh {
        vertices: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

fn ellipsoid(radii: DVec3, segments: usize) -> TriMesh {
    let mut mesh = lathe(&capsule_profile(1.0, 0.0, segments), segments);
    for vertex in &mut mesh.vertices {
        *vertex *= radii;
    }
    mesh
}

/// Half a circle of radius `radius` in (distance from the axis, height), split at the equator and
/// pulled apart by `half_height`. Without a gap the equator appears once.
fn capsule_profile(radius: f64, half_height: f64, segments: usize) -> Vec<(f64, f64)> {
    let rings = segments.div_ceil(4).max(2);
    let point = |i: usize, shift: f64| {
        let angle = 0.5 * PI * (i as f64 / rings as f64 - 1.0);
        // The pole is put on the axis exactly: a sliver ring of radius 1e-17 would not close.
        let distance = if i == 0 || i == 2 * rings { 0.0 } else { radius * angle.cos() };
        (distance, radius * angle.sin() + shift)
    };
    let lower = (0..=rings).map(|i| point(i, -half_height));
    let first_upper = if half_height > 0.0 { rings } else { rings + 1 };
    let upper = (first_upper..=2 * rings).map(|i| point(i, half_height));
    lower.chain(upper).collect()
}

/// Turns a profile, given bottom to top as (distance from the axis, height), about Z. Points on the
/// axis become single poles.
fn lathe(profile: &[(f64, f64)], segments: usize) -> TriMesh {
    let mut mesh = TriMesh::default();
    let mut below: Option<Ring> = None;
    for &(distance, height) in profile {
        let ring = Ring { start: mesh.vertices.len() as u32, count: if distance == 0.0 { 1 } else { segments as u32 } };
        for i in 0..ring.count {
            let (sin, cos) = (TAU * f64::from(i) / segments as f64).sin_cos();
            mesh.vertices.push(DVec3::new(distance * cos, distance * sin, height));
        }
        if let Some(below) = below {
            below.join(&ring, segments as u32, &mut mesh.triangles);
        }
        below = Some(ring);
    }
    mesh
}

/// A circle of vertices, or a pole.
struct Ring {
    start: u32,
    count: u32,
}

impl Ring {
    fn vertex(&self, i: u32) -> u32 {
        self.start + i % self.count
    }

    /// The band between this ring and the one above it.
    fn join(&self, above: &Ring, segments: u32, triangles: &mut Vec<[u32; 3]>) {
        for i in 0..segments {
            let [a, b] = [self.vertex(i), self.vertex(i + 1)];
            let [d, c] = [above.vertex(i), above.vertex(i + 1)];
            if a != b {
                triangles.push([a, b, c]);
            }
            if c != d {
                triangles.push([a, c, d]);
            }
        }
    }
}

fn hull_surface(hull: &Hull) -> TriMesh {
    let mut triangles = Vec::new();
    for span in hull.face_start.windows(2) {
        let face = &hull.face_vertex[span[0] as usize..span[1] as usize];
        for i in 2..face.len() {
            triangles.push([face[0], face[i - 1], face[i]]);
        }
    }
    TriMesh { vertices: hull.vertices.clone(), triangles }
}

fn heightfield(field: &Heightfield) -> TriMesh {
    let (columns, rows) = (field.columns, field.rows);
    let centre = [0.5 * (columns.max(1) - 1) as f64, 0.5 * (rows.max(1) - 1) as f64];
    let mut mesh = TriMesh::default();
    for row in 0..rows {
        for column in 0..columns {
            mesh.vertices.push(DVec3::new(
                (column as f64 - centre[0]) * field.spacing[0],
                (row as f64 - centre[1]) * field.spacing[1],
                field.heights[row * columns + column],
            ));
        }
    }
    for row in 1..rows {
        for column in 1..columns {
            let c = (row * columns + column) as u32;
            let [b, d] = [c - columns as u32, c - 1];
            let a = b - 1;
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// Volume by the divergence theorem; positive only if triangles wind outwards.
    fn volume(mesh: &TriMesh) -> f64 {
        let corner = |i: u32| mesh.vertices[i as usize];
        mesh.triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
    }

    /// Every directed edge has its opposite exactly once: closed and consistently wound.
    fn is_closed(mesh: &TriMesh) -> bool {
        let mut balance: BTreeMap<(u32, u32), i32> = BTreeMap::new();
        for t in &mesh.triangles {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                *balance.entry((a, b)).or_default() += 1;
            }
        }
        balance.iter().all(|(&(a, b), &n)| n == 1 && balance.get(&(b, a)) == Some(&1))
    }

    fn solids() -> Vec<(Shape, f64)> {
        let (r, h) = (0.7, 1.3);
        vec![
            (Shape::Sphere { radius: r }, 4.0 / 3.0 * PI * r * r * r),
            (Shape::Box { half: DVec3::new(1.0, 2.0, 3.0) }, 48.0),
            (Shape::Capsule { radius: r, half_height: h }, PI * r * r * (2.0 * h + 4.0 / 3.0 * r)),
            (Shape::Cylinder { radius: r, half_height: h }, PI * r * r * 2.0 * h),
            (Shape::Cone { radius: r, half_height: h }, PI * r * r * 2.0 * h / 3.0),
            (Shape::Ellipsoid { radii: DVec3::new(1.0, 2.0, 0.5) }, 4.0 / 3.0 * PI),
        ]
    }

    #[test]
    fn solids_are_closed_and_their_volume_converges_quadratically() {
        for (shape, exact) in solids() {
            let error = |segments| {
                let mesh = surface(&shape, &Detail { segments, ..Detail::default() });
                assert!(is_closed(&mesh), "{shape:?} with {segments} segments");
                exact - volume(&mesh)
            };
            let (coarse, fine) = (error(32), error(64));
            assert!(coarse >= -1e-12 * exact && coarse < 0.02 * exact, "{shape:?}: {coarse}");
            if !matches!(shape, Shape::Box { .. }) {
                assert!((coarse / fine - 4.0).abs() < 0.1, "{shape:?}: {coarse} then {fine}");
            }
        }
    }

    #[test]
    fn a_hull_is_fanned_face_by_face() {
        let cube = cuboid(DVec3::ONE);
        let hull = Hull {
            vertices: cube.vertices.clone(),
            face_vertex: vec![0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5],
            face_start: (0..=6).map(|i| 4 * i).collect(),
            face_normal: vec![DVec3::NEG_Z, DVec3::Z, DVec3::NEG_Y, DVec3::Y, DVec3::NEG_X, DVec3::X],
            edges: Vec::new(),
        };
        let mesh = surface(&Shape::Hull(Arc::new(hull)), &Detail::default());
        assert!(is_closed(&mesh));
        assert!((volume(&mesh) - 8.0).abs() < 1e-12);
    }

    #[test]
    fn open_surfaces_face_up() {
        let field = Heightfield { columns: 4, rows: 3, spacing: [0.5, 2.0], heights: vec![0.25; 12] };
        let detail = Detail { segments: 8, extent: 3.0 };
        for (shape, area) in [(Shape::HalfSpace, 36.0), (Shape::Heightfield(Arc::new(field)), 1.5 * 4.0)] {
            let mesh = surface(&shape, &detail);
            let corner = |i: u32| mesh.vertices[i as usize];
            let up: f64 = mesh
                .triangles
                .iter()
                .map(|t| 0.5 * (corner(t[1]) - corner(t[0])).cross(corner(t[2]) - corner(t[0])).z)
                .sum();
            assert!((up - area).abs() < 1e-12, "{shape:?}: {up}");
        }
    }
}
