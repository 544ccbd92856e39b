//! Nets of interlocked links: only contact holds them together.

use drystone_kernels::elementary::{cos, sin};
use std::f64::consts::TAU;

use drystone::geometry::{DVec3, Shape, TriMesh};
use drystone::model::{BodyDef, BodyKind, DQuat, ModelBuilder, ShapeDef};

use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A net of chain links in a fixed rim.
pub const CHAIN_NET: SceneEntry = SceneEntry {
    name: "chain-net",
    summary: "a net of interlocked links sags in its fixed rim and no link comes loose",
    parameters: &[
        Parameter::count("size", 4, 3, 97, "links along a side; 8 has 144, 97 has 27,645"),
        Parameter::flag("ball", false, "a steel ball falls into the net; the published size is 16"),
    ],
    build: chain_net,
};

/// Radius of the bow at either end of a link's centre line \[m\].
const BOW: f64 = 0.4;
/// Length of the straight part \[m\].
const STRAIGHT: f64 = 0.5;
/// Radius of the tube \[m\].
const TUBE: f64 = 0.1;
/// Distance of neighbouring nodes along and across \[m\].
const PITCH: [f64; 2] = [1.65, 1.6];

fn chain_net(params: &Params) -> Result<Scene, SceneError> {
    let size = params.count("size");
    let shape = Shape::mesh(link())?;
    let mut scene = ModelBuilder::new();
    let last = size - 1;
    let rim = |i: usize, j: usize| i == 0 || j == 0 || i == last || j == last;
    let mut add = |kind: fn(String) -> BodyDef, name: String, x: f64, z: f64, degrees: [f64; 3]| {
        let [rx, ry, rz] = degrees.map(f64::to_radians);
        let turn = DQuat::from_rotation_z(rz) * DQuat::from_rotation_y(ry) * DQuat::from_rotation_x(rx);
        // The recipe has y up.
        let up = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let place = up * DVec3::new(x, 0.0, z);
        let body = kind(name).at(place).rotated(up * turn).shape(ShapeDef::new(shape.clone()));
        scene.add_body(body.density(7680.0).friction(0.0));
    };
    for i in 0..size {
        for j in 0..size {
            let (x, z) = (PITCH[0] * i as f64, PITCH[1] * j as f64);
            let corner = (i == 0 || i == last) && (j == 0 || j == last);
            if !corner {
                let kind: fn(String) -> BodyDef = if rim(i, j) { BodyDef::fixed } else { BodyDef::dynamic };
                add(kind, format!("node {i} {j}"), x, z, [90.0, 90.0, 0.0]);
            }
            if i < last && j > 0 && j < last {
                add(BodyDef::dynamic, format!("along {i} {j}"), x + 0.5 * PITCH[0], z, [0.0, 0.0, 90.0]);
            }
            if j < last && i > 0 && i < last {
                add(BodyDef::dynamic, format!("across {i} {j}"), x, z + 0.5 * PITCH[1], [90.0, 0.0, 90.0]);
            }
        }
    }
    if params.flag("ball") {
        // The published place and size for 16 links, scaled.
        let unit = size as f64 / 16.0;
        let ball = BodyDef::dynamic("ball").at(DVec3::new(8.0, -8.0, 20.0) * unit).sphere(6.0 * unit);
        scene.add_body(ball.density(7680.0).friction(0.0));
        let settings = Settings::seconds(3.0).hertz(100.0).solvers(&["abd"]);
        return Scene::new(&scene, settings, caught(size as f64));
    }
    let limit = 0.5 * size as f64;
    let check = Check::new(format!("the net moves, and no link falls by more than {limit} m"), move |run| {
        let dynamic = (0..run.model.body_count()).filter(|&body| run.model.body_kind[body] == BodyKind::Dynamic);
        let fall = |body: usize| run.model.body_q[body].translation.z - run.state.body_q[body].translation.z;
        let lowest = dynamic.map(fall).fold(f64::NEG_INFINITY, f64::max);
        let figures = Figures::new().below("fell", lowest, limit, "m").above("fell", lowest, 0.01, "m");
        figures.below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m")
    });
    Scene::new(&scene, Settings::seconds(2.0).hertz(100.0).solvers(&["abd"]), check)
}

/// The claim of a net that something falls into.
fn caught(depth: f64) -> Check {
    Check::new("the net catches the ball and no link tears", move |run| {
        let ball = run.model.body_count() - 1;
        let lowest = run.state.body_q.iter().map(|pose| pose.translation.z).fold(f64::INFINITY, f64::min);
        let figures = Figures::new().above("lowest body", lowest, -depth, "m");
        let fell = run.model.body_q[ball].translation.z - run.state.body_q[ball].translation.z;
        let figures = figures.above("the ball fell", fell, 0.5 * depth, "m");
        figures.below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m")
    })
}

/// A tube swept along a stadium in the xy plane, long in y: 22 × 10 vertices.
pub(super) fn link() -> TriMesh {
    const AROUND: usize = 10;
    const HALF: usize = 11;
    let mut vertices = Vec::new();
    for station in 0..2 * HALF {
        let (end, step) = (station / HALF, station % HALF);
        let angle = TAU / 2.0 * (step as f64 / (HALF - 1) as f64 + end as f64);
        let out = DVec3::new(cos(angle), sin(angle), 0.0);
        let middle = DVec3::Y * (0.5 * STRAIGHT * if end == 0 { 1.0 } else { -1.0 });
        for side in 0..AROUND {
            let turn = TAU * side as f64 / AROUND as f64;
            vertices.push(middle + out * (BOW + TUBE * cos(turn)) + DVec3::Z * (TUBE * sin(turn)));
        }
    }
    let at = |station: usize, side: usize| ((station % (2 * HALF)) * AROUND + side % AROUND) as u32;
    let mut triangles = Vec::new();
    for station in 0..2 * HALF {
        for side in 0..AROUND {
            let [a, b] = [at(station, side), at(station + 1, side)];
            let [c, d] = [at(station + 1, side + 1), at(station, side + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh { vertices, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_a_closed_surface_of_the_published_size() {
        let mesh = link();
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (220, 440));
        assert_eq!(mesh.check(), Ok(()));
        let extent = mesh.bounds().extent();
        assert!((extent - DVec3::new(1.0, 1.5, 0.1902)).abs().max_element() < 1e-4, "{extent}");
    }

    #[test]
    fn nets_have_the_published_number_of_links() {
        for (size, links) in [("size=8", 144), ("size=16", 672)] {
            let scene = CHAIN_NET.make(&[size]).unwrap();
            assert_eq!(scene.model.body_count(), links);
        }
    }
}
