//! Skins as meshes whose triangles stay while their vertices move: what animation formats want.

use drystone::geometry::{DVec3, TriMesh};

use super::particles::{compact, normals_of, tubes};
use super::{ShadedMesh, Skin, SkinKind};

/// A mesh that follows particles.
#[derive(Clone, Debug)]
pub struct DeformingMesh {
    kind: Kind,
    /// Whether it is seen from both sides.
    pub two_sided: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Particle of every vertex, and triangles between vertices.
    Surface(Vec<u32>, Vec<[u32; 3]>),
    /// Segments of a string, and its radius \[m\].
    String(Vec<[u32; 2]>, f64),
}

impl Skin {
    /// Its mesh; soft bodies have creases where they have them with particles at `start`. `None` for single particles, whose mesh
    /// never changes.
    pub fn deforming(&self, start: &[DVec3]) -> Option<DeformingMesh> {
        let (kind, two_sided) = match &self.kind {
            SkinKind::Sheet(triangles) => (Kind::smooth(triangles, start), true),
            SkinKind::Solid(triangles) => (Kind::creased(triangles, start), false),
            SkinKind::String(segments, radius) => (Kind::String(segments.clone(), *radius), false),
            SkinKind::Ball(..) => return None,
        };
        Some(DeformingMesh { kind, two_sided })
    }
}

impl Kind {
    /// One vertex per particle.
    fn smooth(triangles: &[[u32; 3]], start: &[DVec3]) -> Self {
        let (_, places) = compact(triangles, start);
        Self::following(triangles, places)
    }

    /// Vertices split at sharp edges.
    fn creased(triangles: &[[u32; 3]], start: &[DVec3]) -> Self {
        let (vertices, places) = compact(triangles, start);
        let shaded = ShadedMesh::new(&TriMesh { vertices, triangles: places });
        Self::following(triangles, shaded.triangles)
    }

    /// Vertices of `places` follow the particles of `triangles`, corner by corner.
    fn following(triangles: &[[u32; 3]], places: Vec<[u32; 3]>) -> Self {
        let count = places.as_flattened().iter().max().map_or(0, |&last| last as usize + 1);
        let mut particle = vec![0; count];
        for (&of, &at) in triangles.as_flattened().iter().zip(places.as_flattened()) {
            particle[at as usize] = of;
        }
        Self::Surface(particle, places)
    }
}

impl DeformingMesh {
    /// Vertices, normals and triangles with particles at `q`, world frame; the triangles are the same for all `q`.
    pub fn at(&self, q: &[DVec3]) -> ShadedMesh {
        match &self.kind {
            Kind::String(segments, radius) => tubes(segments, *radius, q),
            Kind::Surface(particle, triangles) => {
                let positions: Vec<DVec3> = particle.iter().map(|&particle| q[particle as usize]).collect();
                let normals = normals_of(&positions, triangles);
                let radius = positions.iter().map(|p| p.length()).fold(0.0, f64::max);
                ShadedMesh { positions, normals, triangles: triangles.clone(), radius }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use drystone::geometry::Pose;
    use drystone::model::{ElementMaterial, ModelBuilder, ParticleDef, SoftGrid};

    use super::super::skins;
    use super::*;

    #[test]
    fn triangles_stay_vertices_follow_and_corners_stay_sharp() {
        let mut builder = ModelBuilder::new();
        builder.add_soft_grid(&SoftGrid {
            pose: Pose::IDENTITY,
            cells: [2; 3],
            size: DVec3::splat(0.5),
            density: 10.0,
            radius: 0.0,
            material: ElementMaterial::solid(1e4, 0.3, 0.0),
        });
        let ends =
            [0.0, 0.5].map(|x| builder.add_particle(ParticleDef::new(DVec3::new(x, 3.0, 0.0), 0.1).radius(0.02)));
        builder.add_spring(ends[0], ends[1], 10.0, 0.0);
        let model = builder.finalize().unwrap();
        let meshes: Vec<DeformingMesh> =
            skins(&model).iter().map(|skin| skin.deforming(&model.particle_q).unwrap()).collect();
        let [cube, string] = [&meshes[0], &meshes[1]].map(|mesh| mesh.at(&model.particle_q));
        // Six faces of nine vertices each; all normals along an axis.
        assert_eq!(cube.positions.len(), 54);
        assert!(cube.normals.iter().all(|n| (n.abs().max_element() - 1.0).abs() < 1e-12));
        let moved: Vec<DVec3> = model.particle_q.iter().map(|q| DVec3::new(2.0 * q.x, q.y, q.z + 1.0)).collect();
        for (mesh, before) in meshes.iter().zip([cube, string]) {
            let after = mesh.at(&moved);
            assert_eq!(after.triangles, before.triangles);
            assert_eq!(after.positions.len(), before.positions.len());
        }
        // A string whose ends meet keeps its triangles too.
        let mut met = moved.clone();
        met[28] = met[27];
        let before = meshes[1].at(&moved);
        let after = meshes[1].at(&met);
        assert_eq!(after.triangles, before.triangles);
        assert!(after.positions.iter().chain(&after.normals).all(|v| v.is_finite()));
    }
}
