//! A semicircular arch of wedge stones.

use drystone_kernels::elementary::{cos, sin};
use std::f64::consts::PI;

use drystone::geometry::ShapeError;
use drystone::model::{BodyDef, DVec3, ModelBuilder, Shape, ShapeDef};

use crate::check::stands;
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Equal wedges from one springing to the other, on two blocks, without mortar.
pub const ARCH: SceneEntry = SceneEntry {
    name: "arch",
    summary: "a dry-stone arch of equal wedges stands on two blocks",
    parameters: &[
        Parameter::count("stones", 25, 3, 301, "wedges"),
        Parameter::number("joint", 0.0, 0.0, 0.01, "width of the joints between stones halfway up these in metres"),
    ],
    build: arch,
};

const INNER: f64 = 4.0;
const OUTER: f64 = 5.0;
const HALF_DEPTH: f64 = 0.5;
/// Height of the centre of the arch \[m\].
const SPRINGING: f64 = 1.0;

fn arch(params: &Params) -> Result<Scene, SceneError> {
    let stones = params.count("stones");
    let mut scene = ModelBuilder::new();
    scene.ground();
    for (side, name) in [(1.0, "right"), (-1.0, "left")] {
        let place = DVec3::new(side * 0.5 * (INNER + OUTER), 0.0, 0.5 * SPRINGING);
        let half = DVec3::new(1.0, 1.0, 0.5 * SPRINGING);
        scene.add_body(BodyDef::fixed(format!("springer {name}")).at(place).cuboid(half));
    }
    for stone in 0..stones {
        let (joint, at) = (params.number("joint") / (INNER + OUTER), |stone: usize| PI * stone as f64 / stones as f64);
        let (corners, center) = wedge(at(stone) + joint, at(stone + 1) - joint);
        let shape = ShapeDef::new(prism(&corners)?);
        scene.add_body(BodyDef::dynamic(format!("stone {stone}")).at(center).shape(shape));
    }
    Scene::new(&scene, Settings::seconds(10.0).solvers(&["vbd", "abd"]), stands(0.25))
}

/// The face of a wedge between two angles, about its centroid, and that centroid in the world.
/// Corners: inner and outer at the first angle, outer and inner at the second.
fn wedge(start: f64, end: f64) -> ([[f64; 2]; 4], DVec3) {
    let at = |radius: f64, angle: f64| [radius * cos(angle), SPRINGING + radius * sin(angle)];
    let corners = [at(INNER, start), at(OUTER, start), at(OUTER, end), at(INNER, end)];
    let [x, z] = centroid(&corners);
    (corners.map(|corner| [corner[0] - x, corner[1] - z]), DVec3::new(x, 0.0, z))
}

/// Centroid of a polygon.
fn centroid(corners: &[[f64; 2]]) -> [f64; 2] {
    let (mut doubled_area, mut moment) = (0.0, [0.0; 2]);
    for (index, a) in corners.iter().enumerate() {
        let b = corners[(index + 1) % corners.len()];
        let cross = a[0] * b[1] - b[0] * a[1];
        doubled_area += cross;
        moment[0] += (a[0] + b[0]) * cross;
        moment[1] += (a[1] + b[1]) * cross;
    }
    moment.map(|component| component / (3.0 * doubled_area))
}

/// The face drawn out along y.
fn prism(face: &[[f64; 2]; 4]) -> Result<Shape, ShapeError> {
    let layer = |y: f64| face.iter().map(move |corner| DVec3::new(corner[0], y, corner[1]));
    Shape::hull(&layer(-HALF_DEPTH).chain(layer(HALF_DEPTH)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wedge_is_the_published_one() {
        let (corners, center) = wedge(0.0, PI / 25.0);
        // The first stone of the published scene.
        assert!((center - DVec3::new(4.500703584, 0.0, 1.283160268)).length() < 1e-9, "{center}");
        assert!((corners[0][0] + 0.500703584).abs() < 1e-9 && (corners[2][1] - 0.343505899).abs() < 1e-9);
        let mass = prism(&corners).unwrap().mass_properties(1000.0).unwrap();
        assert!((mass.mass - 563.999551).abs() < 1e-6 && mass.com.length() < 1e-12, "{mass:?}");
    }
}
