//! Cloth, soft bodies, strings and loose particles: meshes that change from frame to frame.

use drystone::geometry::{DVec3, Pose, Shape, Tessellation, TriMesh};
use drystone::model::{Model, WORLD};

use super::{Color, Part, ShadedMesh, Visual, palette};

/// Thickness of a string without one of its own, as a share of the mean length of its springs.
const STRING: f64 = 0.12;
/// Sides of a string, and segments of a ball.
const SIDES: usize = 8;

/// Particles that hang together, and how they look.
#[derive(Clone, Debug)]
pub struct Skin {
    /// What it shows.
    pub kind: SkinKind,
    /// Colour, sRGB from 0 to 1.
    pub color: Color,
}

/// What a skin shows, by indices of particles.
#[derive(Clone, Debug)]
pub enum SkinKind {
    /// A sheet, seen from both sides.
    Sheet(Vec<[u32; 3]>),
    /// The surface of a soft body.
    Solid(Vec<[u32; 3]>),
    /// Segments of a string, and its radius \[m\].
    String(Vec<[u32; 2]>, f64),
    /// A particle by itself, and its radius \[m\].
    Ball(u32, f64),
}

/// The skins of a model, by their first particles.
pub fn skins(model: &Model) -> Vec<Skin> {
    let count = model.particle_count();
    let mut leader: Vec<u32> = (0..count as u32).collect();
    model.spring_particle.iter().for_each(|ends| tie(&mut leader, ends));
    model.triangle_particle.iter().for_each(|corners| tie(&mut leader, corners));
    model.tet_particle.iter().for_each(|corners| tie(&mut leader, corners));
    let leader: Vec<u32> = (0..count as u32).map(|particle| find(&leader, particle)).collect();
    let mut covered = vec![false; count];
    let mut solid = vec![false; count];
    model.triangle_particle.iter().flatten().for_each(|&particle| covered[particle as usize] = true);
    model.tet_particle.iter().for_each(|corners| solid[leader[corners[0] as usize] as usize] = true);
    let mut triangles = vec![Vec::new(); count];
    let mut segments = vec![Vec::new(); count];
    for &corners in &model.triangle_particle {
        triangles[leader[corners[0] as usize] as usize].push(corners);
    }
    for &ends in &model.spring_particle {
        if !ends.iter().all(|&end| covered[end as usize]) {
            segments[leader[ends[0] as usize] as usize].push(ends);
        }
    }
    let mut skins = Vec::new();
    let mut add = |kind| {
        let color = palette::of_body((model.body_count() + skins.len()) as u32, 0);
        skins.push(Skin { kind, color });
    };
    for piece in 0..count {
        let faces = std::mem::take(&mut triangles[piece]);
        if !faces.is_empty() {
            add(if solid[piece] { SkinKind::Solid(faces) } else { SkinKind::Sheet(faces) });
        }
        let ends = std::mem::take(&mut segments[piece]);
        if !ends.is_empty() {
            let radius = string_radius(model, &ends);
            add(SkinKind::String(ends, radius));
        }
        let alone = leader[piece] as usize == piece && leader.iter().filter(|&&of| of as usize == piece).count() == 1;
        if alone && !covered[piece] && model.particle_radius[piece] > 0.0 {
            add(SkinKind::Ball(piece as u32, model.particle_radius[piece]));
        }
    }
    skins
}

fn string_radius(model: &Model, segments: &[[u32; 2]]) -> f64 {
    let own = segments.iter().map(|ends| model.particle_radius[ends[0] as usize]).fold(0.0, f64::max);
    let length = |&[a, b]: &[u32; 2]| model.particle_q[a as usize].distance(model.particle_q[b as usize]);
    let mean = segments.iter().map(length).sum::<f64>() / segments.len() as f64;
    if own > 0.0 { own } else { STRING * mean }
}

fn find(leader: &[u32], mut at: u32) -> u32 {
    while leader[at as usize] != at {
        at = leader[at as usize];
    }
    at
}

fn tie(leader: &mut [u32], corners: &[u32]) {
    for pair in corners.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|particle| find(leader, particle));
        let (first, second) = (a.min(b), a.max(b));
        leader[second as usize] = first;
        // Short ways for those who ask next.
        pair.iter().for_each(|&particle| leader[particle as usize] = first);
        leader[first as usize] = first;
    }
}

impl Skin {
    /// Its mesh with particles at `q`, about a place that it returns.
    pub fn mesh(&self, q: &[DVec3]) -> (ShadedMesh, DVec3) {
        let mut mesh = match &self.kind {
            SkinKind::Sheet(triangles) => two_sided(smooth(triangles, q)),
            SkinKind::Solid(triangles) => {
                let (vertices, triangles) = compact(triangles, q);
                ShadedMesh::new(&TriMesh { vertices, triangles })
            }
            SkinKind::String(segments, radius) => tubes(segments, *radius, q),
            SkinKind::Ball(particle, radius) => ball(q[*particle as usize], *radius),
        };
        let count = mesh.positions.len().max(1) as f64;
        let centre = mesh.positions.iter().sum::<DVec3>() / count;
        mesh.positions.iter_mut().for_each(|position| *position -= centre);
        mesh.radius = mesh.positions.iter().map(|p| p.length()).fold(0.0, f64::max);
        (mesh, centre)
    }
}

impl Visual {
    /// Adds skins with particles at `q`.
    pub fn add_skins(&mut self, skins: &[Skin], q: &[DVec3]) {
        for skin in skins {
            let (mesh, centre) = skin.mesh(q);
            let pose = Pose::from_translation(centre);
            self.parts.push(Part { mesh: self.meshes.len(), body: WORLD, pose, color: skin.color, ground: false });
            self.meshes.push(mesh);
        }
    }
}

/// The particles that triangles use, and the triangles by their places among them.
pub(super) fn compact(triangles: &[[u32; 3]], q: &[DVec3]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let place = |particle: u32| used.partition_point(|&known| known < particle) as u32;
    (used.iter().map(|&particle| q[particle as usize]).collect(), triangles.iter().map(|t| t.map(place)).collect())
}

/// One normal per particle, the mean over the triangles around it by area.
pub fn smooth(triangles: &[[u32; 3]], q: &[DVec3]) -> ShadedMesh {
    let (positions, triangles) = compact(triangles, q);
    let normals = normals_of(&positions, &triangles);
    ShadedMesh { positions, normals, triangles, radius: 0.0 }
}

/// The mean normal of the triangles at every vertex, by area.
pub(super) fn normals_of(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        let area = (b - a).cross(c - a);
        corners.iter().for_each(|&corner| normals[corner as usize] += area);
    }
    normals.iter_mut().for_each(|normal| *normal = normal.normalize_or(DVec3::Z));
    normals
}

/// The same with its other side.
fn two_sided(mut mesh: ShadedMesh) -> ShadedMesh {
    let count = mesh.positions.len() as u32;
    mesh.positions.extend_from_within(..);
    let back: Vec<DVec3> = mesh.normals.iter().map(|normal| -*normal).collect();
    mesh.normals.extend(back);
    let turned: Vec<[u32; 3]> = mesh.triangles.iter().map(|&[a, b, c]| [a + count, c + count, b + count]).collect();
    mesh.triangles.extend(turned);
    mesh
}

/// Prisms along segments, round to the eye; segments without a length have them all the same.
pub(super) fn tubes(segments: &[[u32; 2]], radius: f64, q: &[DVec3]) -> ShadedMesh {
    let mut mesh = ShadedMesh::default();
    for &[a, b] in segments {
        let (from, to) = (q[a as usize], q[b as usize]);
        let along = (to - from).normalize_or(DVec3::Z);
        let across = along.any_orthonormal_vector();
        let other = along.cross(across);
        let first = mesh.positions.len() as u32;
        for side in 0..SIDES {
            let angle = std::f64::consts::TAU * side as f64 / SIDES as f64;
            let out = across * angle.cos() + other * angle.sin();
            for end in [from, to] {
                mesh.positions.push(end + radius * out);
                mesh.normals.push(out);
            }
        }
        let corner = |side: usize, end: u32| first + 2 * (side % SIDES) as u32 + end;
        for side in 0..SIDES {
            let [a, b, c, d] = [corner(side, 0), corner(side + 1, 0), corner(side + 1, 1), corner(side, 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

fn ball(centre: DVec3, radius: f64) -> ShadedMesh {
    let shape = Shape::Sphere { radius };
    let mut mesh = ShadedMesh::new(&shape.to_mesh(&Tessellation { segments: 2 * SIDES, ..Tessellation::default() }));
    mesh.positions.iter_mut().for_each(|position| *position += centre);
    mesh
}

#[cfg(test)]
mod tests {
    use drystone::model::{BendMaterial, ClothGrid, ElementMaterial, ModelBuilder, ParticleDef, SoftGrid};

    use super::*;

    #[test]
    fn sheets_have_two_sides_solids_one_and_strings_are_tubes() {
        let mut builder = ModelBuilder::new();
        builder.add_cloth_grid(&ClothGrid {
            pose: Pose::IDENTITY,
            cells: [2, 2],
            size: [0.1; 2],
            density: 0.2,
            radius: 0.0,
            membrane: ElementMaterial { mu: 1.0, lambda: 1.0, damping: 0.0 },
            bend: BendMaterial::default(),
        });
        builder.add_soft_grid(&SoftGrid {
            pose: Pose::from_translation(DVec3::X),
            cells: [1; 3],
            size: DVec3::splat(0.1),
            density: 10.0,
            radius: 0.0,
            material: ElementMaterial::solid(1e4, 0.3, 0.0),
        });
        let ends =
            [0.0, 0.5].map(|x| builder.add_particle(ParticleDef::new(DVec3::new(x, 3.0, 0.0), 0.1).radius(0.02)));
        builder.add_spring(ends[0], ends[1], 10.0, 0.0);
        builder.add_particle(ParticleDef::new(DVec3::Y * 5.0, 0.1).radius(0.05));
        let model = builder.finalize().unwrap();
        let skins = skins(&model);
        let triangles: Vec<usize> = skins.iter().map(|skin| skin.mesh(&model.particle_q).0.triangles.len()).collect();
        assert_eq!(triangles[..3], [16, 12, 2 * SIDES]);
        assert!(matches!(skins[3].kind, SkinKind::Ball(_, radius) if radius == 0.05));
        let (sheet, centre) = skins[0].mesh(&model.particle_q);
        assert!(centre.distance(DVec3::new(0.1, 0.1, 0.0)) < 1e-12);
        assert!(sheet.normals[..9].iter().all(|normal| *normal == DVec3::Z));
        assert!(sheet.normals[9..].iter().all(|normal| *normal == DVec3::NEG_Z));
        // The tube looks outwards.
        let (tube, _) = skins[2].mesh(&model.particle_q);
        for triangle in &tube.triangles {
            let [a, b, c] = triangle.map(|corner| tube.positions[corner as usize]);
            assert!((b - a).cross(c - a).dot(tube.normals[triangle[0] as usize]) > 0.0);
        }
    }
}
