//! Cubes poured into a pit.

use drystone::model::{BodyDef, BodyKind, DQuat, DVec3, ModelBuilder};

use crate::check::{Check, Figures, Run};
use crate::params::{Parameter, Params};
use crate::rng::Rng;
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Cubes in twenty loose layers fall into a walled pit.
pub const PILE: SceneEntry = SceneEntry {
    name: "pile",
    summary: "jittered cubes fall into a pit and come to rest in a heap",
    parameters: &[Parameter::count("count", 2000, 1, 4_000_000, "cubes; 2000 and 8000 are the benchmark sizes")],
    build: pile,
};

const LAYERS: usize = 20;
const PITCH: f64 = 1.5;
const WALL_HEIGHT: f64 = 40.0;

fn pile(params: &Params) -> Result<Scene, SceneError> {
    let count = params.count("count");
    let across = (count as f64 / LAYERS as f64).sqrt().ceil() as usize;
    let inner = 0.5 * PITCH * across as f64;
    let mut scene = ModelBuilder::new();
    scene.ground();
    add_pit(&mut scene, inner);
    let mut rng = Rng::new(12345);
    for index in 0..count {
        let (layer, rest) = (index / (across * across), index % (across * across));
        let middle = (across - 1) as f64 / 2.0;
        let x = (rest % across) as f64 - middle;
        let y = (rest / across) as f64 - middle;
        let jitter = DVec3::from_array(std::array::from_fn(|_| rng.uniform(-0.1, 0.1)));
        let place = DVec3::new(PITCH * x, PITCH * y, 1.0 + PITCH * layer as f64) + jitter;
        let axis = DVec3::from_array(std::array::from_fn(|_| rng.normal()));
        let turn = DQuat::from_axis_angle(axis.normalize(), rng.uniform(0.0, 0.2));
        let cube = BodyDef::dynamic(format!("cube {index}")).at(place).rotated(turn);
        scene.add_body(cube.cuboid(DVec3::splat(0.5)));
    }
    let check = Check::new("cubes fall, none escapes, overlap at the end below 0.1 m", move |run| {
        let figures = Figures::new().above("moved", run.measures.max_moved, 0.1, "m").below(
            "penetration at the end",
            run.measures.end_penetration,
            0.1,
            "m",
        );
        figures.require(&format!("{} cubes escaped", escaped(run, inner)), escaped(run, inner) == 0)
    });
    Scene::new(&scene, Settings::seconds(5.0), check)
}

/// Four walls one metre thick around a square of half width `inner` \[m\].
fn add_pit(scene: &mut ModelBuilder, inner: f64) {
    for (index, name) in ["east", "west", "north", "south"].into_iter().enumerate() {
        let (sign, along_x) = (1.0 - 2.0 * (index % 2) as f64, index < 2);
        let (thick, long, high) = (0.5, inner + 1.0, 0.5 * WALL_HEIGHT);
        let out = sign * (inner + thick);
        let (half, place) = if along_x {
            (DVec3::new(thick, long, high), DVec3::new(out, 0.0, high))
        } else {
            (DVec3::new(long, thick, high), DVec3::new(0.0, out, high))
        };
        scene.add_body(BodyDef::fixed(format!("wall {name}")).at(place).cuboid(half));
    }
}

/// Cubes whose centre is outside the pit or below the ground.
fn escaped(run: &Run, inner: f64) -> usize {
    let dynamic = (0..run.model.body_count()).filter(|&body| run.model.body_kind[body] == BodyKind::Dynamic);
    let outside = dynamic.filter(|&body| {
        let place = run.state.body_q[body].translation;
        !(place.x.abs() < inner && place.y.abs() < inner && place.z > 0.0)
    });
    outside.count()
}
