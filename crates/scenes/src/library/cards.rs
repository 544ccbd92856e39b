//! A house of cards.

use drystone::model::{BodyDef, DQuat, DVec3, ModelBuilder, Shape, ShapeDef, WORLD};
use drystone_kernels::elementary::{sin_cos, tan};

use crate::check::{Check, Figures, stands};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Cards leaning on each other, with flat cards as floors.
pub const CARD_HOUSE: SceneEntry = SceneEntry {
    name: "card-house",
    summary: "a house of cards stands by friction alone, and falls below the friction it needs",
    parameters: &[
        Parameter::count("levels", 5, 1, 30, "levels, as many card pairs in the lowest"),
        Parameter::number("mu", 0.6, 0.0, 2.0, "coefficient of friction; a lone pair needs tan 25° = 0.466"),
        Parameter::count(
            "boxes",
            0,
            0,
            10,
            "steel boxes that fall on it; the published scene has 10 levels and 2 boxes",
        ),
    ],
    build: card_house,
};

/// Half extents of a leaning card, upright \[m\].
const CARD: DVec3 = DVec3::new(0.01, 0.35, 0.5);
/// Half extents of a floor card \[m\].
const FLOOR: DVec3 = DVec3::new(0.445, 0.35, 0.01);
/// Angle from the vertical \[degrees\].
const LEAN: f64 = 25.0;
/// Distance of neighbouring pairs \[m\].
const PITCH: f64 = 0.9;

fn card_house(params: &Params) -> Result<Scene, SceneError> {
    let (levels, friction) = (params.count("levels"), params.number("mu"));
    let mut scene = ModelBuilder::new();
    let ground = ShapeDef::new(Shape::HalfSpace).friction(friction);
    scene.add_shape(WORLD, ground);
    let (sin, cos) = sin_cos(LEAN.to_radians());
    // A leaning card touches with its inner edges; these are its height and half its foot.
    let rise = 2.0 * (CARD.z * cos + CARD.x * sin);
    let foot = CARD.z * sin + CARD.x * cos;
    for level in 0..levels {
        let pairs = levels - level;
        let base = level as f64 * (rise + 2.0 * FLOOR.z);
        let apex = |pair: usize| (pair as f64 - (pairs - 1) as f64 / 2.0) * PITCH;
        for pair in 0..pairs {
            for (side, name) in [(-1.0, "left"), (1.0, "right")] {
                let card = BodyDef::dynamic(format!("card {level} {pair} {name}"));
                let place = DVec3::new(apex(pair) + side * foot, 0.0, base + 0.5 * rise);
                let turn = DQuat::from_rotation_y(-side * LEAN.to_radians());
                scene.add_body(card.at(place).rotated(turn).cuboid(CARD).friction(friction));
            }
        }
        for pair in 1..pairs {
            let place = DVec3::new(0.5 * (apex(pair - 1) + apex(pair)), 0.0, base + rise + FLOOR.z);
            let card = BodyDef::dynamic(format!("floor {level} {pair}")).at(place);
            scene.add_body(card.cuboid(FLOOR).friction(friction));
        }
    }
    let boxes = params.count("boxes");
    let roof = levels as f64 * (rise + 2.0 * FLOOR.z);
    for index in 0..boxes {
        let place = DVec3::new(0.2 + 0.1 * index as f64, 0.05, roof + 0.5 + 0.8 * index as f64);
        let body = BodyDef::dynamic(format!("box {index}")).at(place).cuboid(DVec3::splat(0.2));
        scene.add_body(body.density(7680.0).friction(friction));
    }
    if boxes > 0 {
        return Scene::new(&scene, Settings::seconds(2.0).hertz(100.0).solvers(&["abd"]), breaks());
    }
    let check = if friction >= tan(LEAN.to_radians()) { stands(0.25) } else { falls(0.25) };
    Scene::new(&scene, Settings::seconds(5.0).solvers(&["vbd", "abd"]), check)
}

/// The claim of a house that something falls on: it breaks, and not by overlapping.
fn breaks() -> Check {
    Check::new("the boxes break the house without overlapping a card", |run| {
        let figures = Figures::new().above("moved", run.measures.max_moved, 0.25, "m");
        figures.below("penetration", run.measures.max_penetration, f64::MIN_POSITIVE, "m")
    })
}

/// The claim of what must not stand.
pub(super) fn falls(limit: f64) -> Check {
    Check::new(format!("falls: some body moves more than {limit} m, and lies on what it fell on"), move |run| {
        let figures = Figures::new().above("moved", run.measures.max_moved, limit, "m");
        figures.below("penetration at the end", run.measures.end_penetration, 0.05, "m")
    })
}
