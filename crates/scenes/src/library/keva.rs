//! A tower of planks.

use drystone::model::{BodyDef, DVec3, ModelBuilder};

use crate::check::stands;
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A tower of blocks, each a lattice of planks with a plank floor on top.
pub const KEVA: SceneEntry = SceneEntry {
    name: "keva",
    summary: "5,320 planks in a tower of five lattice blocks, each narrower than the one below",
    parameters: &[Parameter::count("stages", 5, 1, 5, "blocks on top of each other")],
    build: keva,
};

/// Half extents of a plank: thickness, height on edge, length \[m\].
const PLANK: DVec3 = DVec3::new(0.1, 0.5, 2.0);
/// Layers of the block that is so many planks wide.
const LAYERS: [usize; 6] = [0, 9, 13, 17, 21, 41];

fn keva(params: &Params) -> Result<Scene, SceneError> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    let mut floor = 0.0;
    let top = 5 - params.count("stages");
    for width in (top + 1..=5).rev() {
        floor = add_block(&mut scene, width, floor);
    }
    Scene::new(&scene, Settings::seconds(5.0), stands(0.25))
}

/// Adds a block `width` planks wide standing at height `floor`; returns the height of its top.
fn add_block(scene: &mut ModelBuilder, width: usize, floor: f64) -> f64 {
    let (layers, across) = (LAYERS[width], 3 * width + 1);
    let corner = -(width as f64) * PLANK.z;
    let spacing = 2.0 * (PLANK.z * width as f64 - PLANK.x) / (across - 1) as f64;
    for layer in 0..layers {
        let height = floor + PLANK.y * (2 * layer + 1) as f64;
        for end_to_end in 0..width {
            for side_by_side in 0..across {
                let long = corner + PLANK.z * (2 * end_to_end + 1) as f64;
                let short = corner + PLANK.x + spacing * side_by_side as f64;
                // Planks of even layers run along y, those of odd layers along x.
                let (place, half) = if layer % 2 == 0 {
                    (DVec3::new(short, long, height), DVec3::new(PLANK.x, PLANK.z, PLANK.y))
                } else {
                    (DVec3::new(long, short, height), DVec3::new(PLANK.z, PLANK.x, PLANK.y))
                };
                add_plank(scene, place, half);
            }
        }
    }
    add_floor(scene, width, floor + 2.0 * PLANK.y * layers as f64)
}

/// Closes a block with planks lying flat side by side.
fn add_floor(scene: &mut ModelBuilder, width: usize, height: f64) -> f64 {
    let half = DVec3::new(PLANK.z, PLANK.y, PLANK.x);
    let corner = -(width as f64) * PLANK.z;
    let rows = (width as f64 * PLANK.z / half.y).round() as usize;
    for column in 0..width {
        for row in 0..rows {
            let x = corner + half.x * (2 * column + 1) as f64;
            let y = corner + half.y * (2 * row + 1) as f64;
            add_plank(scene, DVec3::new(x, y, height + half.z), half);
        }
    }
    height + 2.0 * half.z
}

fn add_plank(scene: &mut ModelBuilder, place: DVec3, half: DVec3) {
    scene.add_body(BodyDef::dynamic("").at(place).cuboid(half));
}
