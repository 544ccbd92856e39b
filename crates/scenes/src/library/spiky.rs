//! Spiky bodies on a bed of spikes: sharp tips against sharp tips, edges across edges.

use drystone::geometry::{DVec3, TriMesh};
use drystone::model::{BodyDef, DQuat, ModelBuilder, ShapeDef};

use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::rng::Rng;
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Stars on spikes.
pub const SPIKES: SceneEntry = SceneEntry {
    name: "spikes",
    summary: "spiky stars fall on a bed of spikes and are caught by them",
    parameters: &[
        Parameter::count("count", 8, 1, 1000, "stars"),
        Parameter::count("detail", 0, 0, 6, "how often the faces of a star are split; every time makes four of one"),
        Parameter::count("seed", 1, 0, 1_000_000, "of how they are turned"),
    ],
    build: spikes,
};

/// Radius of the tips and of the feet of a star's spikes \[m\].
const TIP: f64 = 0.5;
const FOOT: f64 = 0.2;
/// Spikes of the bed along a side, and their distance \[m\].
const BED: usize = 8;
const SPACING: f64 = 0.3;

fn spikes(params: &Params) -> Result<Scene, SceneError> {
    let mut rng = Rng::new(params.count("seed") as u32);
    let mut scene = ModelBuilder::new();
    scene.ground();
    let mut bed = BodyDef::fixed("bed").at(DVec3::Z * 0.01);
    let middle = 0.5 * (BED - 1) as f64;
    for (i, j) in (0..BED).flat_map(|i| (0..BED).map(move |j| (i, j))) {
        let place = DVec3::new(i as f64 - middle, j as f64 - middle, 0.0) * SPACING;
        bed = bed.shape(ShapeDef::mesh(pyramid(0.4 * SPACING, 0.6)).at(place).friction(0.2));
    }
    scene.add_body(bed);
    let star = std::sync::Arc::new(star(params.count("detail")));
    for index in 0..params.count("count") {
        let (column, row, layer) = (index % 2, index / 2 % 2, index / 4);
        let place = DVec3::new(column as f64 - 0.5, row as f64 - 0.5, 1.2 + layer as f64) * 1.1;
        let turn = DVec3::new(rng.normal(), rng.normal(), rng.normal());
        let body = BodyDef::dynamic(format!("star {index}")).at(place).rotated(DQuat::from_scaled_axis(turn));
        scene.add_body(body.shape(ShapeDef::mesh(star.clone()).friction(0.2)));
    }
    let check = Check::new("the spikes catch the stars and nothing overlaps", |run| {
        let stars = 1..run.model.body_count();
        let fell = |body: usize| run.model.body_q[body].translation.z - run.state.body_q[body].translation.z;
        let least = stars.clone().map(fell).fold(f64::INFINITY, f64::min);
        let lowest = stars.map(|body| run.state.body_q[body].translation.z).fold(f64::INFINITY, f64::min);
        let figures = Figures::new().above("every star fell", least, 0.05, "m").above("lowest", lowest, FOOT, "m");
        figures.below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m")
    });
    Scene::new(&scene, Settings::seconds(1.0).hertz(100.0).solvers(&["abd"]), check)
}

/// A square pyramid on the ground, `half` wide to either side \[m\].
pub(super) fn pyramid(half: f64, height: f64) -> TriMesh {
    let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
    let mut vertices: Vec<DVec3> = corners.iter().map(|c| DVec3::new(c[0], c[1], 0.0)).collect();
    vertices.push(DVec3::Z * height);
    let triangles = vec![[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    TriMesh { vertices, triangles }
}

/// An octahedron with a spike on every corner and a foot in the middle of every face, its faces split `detail` times.
fn star(detail: usize) -> TriMesh {
    let tips = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z].map(|d| d * TIP);
    let mut vertices = tips.to_vec();
    let mut triangles = Vec::new();
    for signs in 0..8_u32 {
        let sign = |axis: u32| signs >> axis & 1;
        let corner = [sign(0), 2 + sign(1), 4 + sign(2)];
        let direction = corner.iter().map(|&k| tips[k as usize]).sum::<DVec3>().normalize();
        let foot = vertices.len() as u32;
        vertices.push(direction * FOOT);
        for k in 0..3 {
            let (a, b) = (corner[k], corner[(k + 1) % 3]);
            // Counter-clockwise from outside in every octant.
            triangles.push(if signs.count_ones() % 2 == 0 { [a, b, foot] } else { [b, a, foot] });
        }
    }
    let mut mesh = TriMesh { vertices, triangles };
    for _ in 0..detail {
        mesh = split(&mesh);
    }
    mesh
}

/// Every triangle cut into four at the middles of its sides.
fn split(mesh: &TriMesh) -> TriMesh {
    let mut vertices = mesh.vertices.clone();
    let edges = mesh.edges();
    let first = vertices.len() as u32;
    vertices.extend(edges.iter().map(|e| 0.5 * (mesh.vertices[e[0] as usize] + mesh.vertices[e[1] as usize])));
    let middle = |a: u32, b: u32| {
        let key = [a.min(b), a.max(b)];
        edges.binary_search(&key).map_or(0, |index| first + index as u32)
    };
    let parts = |&[a, b, c]: &[u32; 3]| {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    TriMesh { triangles: mesh.triangles.iter().flat_map(parts).collect(), vertices }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spikes_and_stars_are_closed_surfaces() {
        assert_eq!(pyramid(0.1, 0.5).check(), Ok(()));
        for detail in 0..3 {
            let star = star(detail);
            assert_eq!(star.check(), Ok(()));
            assert_eq!(star.triangles.len(), 24 << (2 * detail));
            assert!(drystone::geometry::Shape::mesh(star).unwrap().volume() > 0.0);
        }
    }
}
