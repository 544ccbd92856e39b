//! Cloth in the wind and soft bodies under load.

use drystone::geometry::Pose;
use drystone::model::{
    BendMaterial, BodyDef, ClothGrid, DQuat, DVec3, ElementMaterial, Model, ModelBuilder, ShapeDef, SoftGrid, State,
};

use crate::check::{Check, Figures};
use crate::measure::{crossings, fastest};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A flag.
pub const FLAG: SceneEntry = SceneEntry {
    name: "flag",
    summary: "a flag across the wind turns into it, flies and flutters",
    parameters: &[
        Parameter::count("cells", 24, 6, 128, "squares along its length"),
        Parameter::number("wind", 6.0, 0.0, 40.0, "speed of the wind in m/s"),
    ],
    build: flag,
};

const FLAG_LENGTH: f64 = 1.2;

fn flag(params: &Params) -> Result<Scene, SceneError> {
    let (cells, wind) = (params.count("cells"), params.number("wind"));
    let rows = (2 * cells / 3).max(1);
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::fixed("pole").at(DVec3::new(0.0, -0.03, 1.1)).shape(ShapeDef::capsule(0.02, 1.1)));
    // Its length lies along y and its height along z: across the wind, which comes along x.
    let turn =
        DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let ids = scene.add_cloth_grid(&ClothGrid {
        pose: Pose::from_parts(DVec3::new(0.0, 0.0, 1.3), turn),
        cells: [cells, rows],
        size: [FLAG_LENGTH / cells as f64, 0.8 / rows as f64],
        density: 0.1,
        radius: 0.006,
        membrane: ElementMaterial { mu: 400.0, lambda: 300.0, damping: 0.0 },
        bend: BendMaterial { stiffness: 2e-5, damping: 0.0 },
    });
    (0..=rows).for_each(|row| scene.pin(ids[row * (cells + 1)]));
    scene.air(&ids, 0.3, 0.6);
    scene.wind(DVec3::X * wind);
    let free = move |model: &Model, state: &State| {
        let rim = (0..=rows).map(|row| state.particle_q[row * (cells + 1) + cells]);
        // Far off where triangles cross, so that one figure tells both.
        rim.sum::<DVec3>().x / (rows + 1) as f64 - if crossings(model, state) > 0.0 { 1e3 } else { 0.0 }
    };
    let claim = "in the last second its free end stays downwind by more than 0.7 of its length and moves to and fro, and no triangle crosses \
                 another at any step";
    let check = Check::new(claim, move |run| {
        let trace = &run.measures.trace;
        let last = &trace[trace.len().saturating_sub(60)..];
        let least = last.iter().copied().fold(f64::INFINITY, f64::min);
        let most = last.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let crossed = trace.iter().filter(|x| **x < -500.0).count() as f64;
        Figures::new()
            .above("free end downwind by", least, 0.7 * FLAG_LENGTH, "m")
            .above("to and fro by", most - least, 2e-3, "m")
            .below("steps with triangles that cross", crossed, 0.5, "")
    });
    Scene::new(&scene, Settings::seconds(4.0), check.tracing(free))
}

/// A soft block between rigid ones.
pub const SOFT_STACK: SceneEntry = SceneEntry {
    name: "soft-stack",
    summary: "a block of rubber carries a box of a hundred times the mass of the one it stands on",
    parameters: &[Parameter::number("ratio", 100.0, 1.0, 1000.0, "mass of the upper box over that of the lower one")],
    build: soft_stack,
};

fn soft_stack(params: &Params) -> Result<Scene, SceneError> {
    let (ratio, cells, side) = (params.number("ratio"), 5, 0.4);
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("lower").at(DVec3::Z * 0.1).cuboid(DVec3::new(0.3, 0.3, 0.1)).mass(1.0));
    // As firm as it takes: the weight presses it by a fiftieth.
    let young = 50.0 * 9.81 * ratio.max(10.0) / (side * side);
    scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::new(-0.5 * side, -0.5 * side, 0.2)),
        cells: [cells; 3],
        size: DVec3::splat(side / cells as f64),
        density: 200.0,
        radius: 0.0,
        material: ElementMaterial::solid(young, 0.3, 0.005 * young),
    });
    let height = 0.2 + side + 0.1;
    scene.add_body(BodyDef::dynamic("upper").at(DVec3::Z * height).cuboid(DVec3::new(0.3, 0.3, 0.1)).mass(ratio));
    let pressed = 9.81 * ratio * side / (young * side * side);
    let claim = "the upper box comes to rest upright, pressed down by its weight as Young's modulus says (within 10 %: friction holds the faces)";
    let check = Check::new(claim, move |run| {
        let [lower, upper] = [0, 1].map(|body| run.state.body_q[body]);
        let tilt = (upper.rotation * DVec3::Z).angle_between(DVec3::Z);
        let sunk = height - upper.translation.z;
        let figures = Figures::new().near("pressed down by", sunk, pressed, 0.1, "m");
        let figures = figures.below("tilt", tilt, 0.01, "rad").below("speed", fastest(run.state), 0.02, "m/s");
        figures.near("height of the lower box", lower.translation.z, 0.1, 0.01, "m")
    });
    Scene::new(&scene, Settings::seconds(3.0), check)
}

/// A cantilever.
pub const BEAM: SceneEntry = SceneEntry {
    name: "beam",
    summary: "a beam of rubber held at one end sags under its weight as beam theory says",
    parameters: &[Parameter::count("cells", 6, 2, 16, "boxes of five tetrahedra across; eight times as many along")],
    build: beam,
};

fn beam(params: &Params) -> Result<Scene, SceneError> {
    let cells = params.count("cells");
    let (length, width, young, density) = (1.0, 0.125, 2e7, 1000.0);
    let mut scene = ModelBuilder::new();
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let ids = scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_parts(DVec3::new(0.0, 0.0, 1.0), turn),
        cells: [cells, cells, 8 * cells],
        size: DVec3::splat(width / cells as f64),
        density,
        radius: 0.0,
        material: ElementMaterial::solid(young, 0.0, 1e-3 * young),
    });
    let layer = (cells + 1) * (cells + 1);
    ids[..layer].iter().for_each(|&id| scene.pin(id));
    // Bent by ρgA L⁴ / 8EI, sheared by ρgA L² / 2κGA with κ = 5/6 and G = E/2.
    let (area, second) = (width * width, width * width * width * width / 12.0);
    let load = density * 9.81 * area;
    let sag = load * length * length * length * length / (8.0 * young * second)
        + load * length * length / (2.0 * (5.0 / 6.0) * 0.5 * young * area);
    let tip = ids.len() - layer;
    let claim = "its tip ends lower by what Timoshenko's beam says, up to 10 % less: tetrahedra with straight edges are too stiff by the square \
                 of their size";
    let check = Check::new(claim, move |run| {
        let drop = |k: usize| run.model.particle_q[k].z - run.state.particle_q[k].z;
        let mean = (tip..tip + layer).map(drop).sum::<f64>() / layer as f64;
        let figures =
            Figures::new().above("sag over theory", mean / sag, 0.9, "").below("and no more", mean / sag, 1.0, "");
        figures.below("speed", fastest(run.state), 0.02, "m/s")
    });
    Scene::new(&scene, Settings::seconds(3.0).solvers(&["vbd", "abd"]), check)
}
