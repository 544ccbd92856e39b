//! Boxes on boxes: pyramid, wall, stack, and light below heavy.

use drystone::model::{BodyDef, DVec3, ModelBuilder};
use drystone_kernels::elementary::{cbrt, pow};

use crate::check::{Check, Figures, stands};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

const CUBE: DVec3 = DVec3::splat(0.5);

/// A flat pyramid of cubes with small gaps between neighbours.
pub const PYRAMID: SceneEntry = SceneEntry {
    name: "pyramid",
    summary: "a flat pyramid of one-metre cubes stands on its base row",
    parameters: &[Parameter::count("rows", 20, 1, 1000, "rows, as many cubes in the lowest")],
    build: pyramid,
};

fn pyramid(params: &Params) -> Result<Scene, SceneError> {
    let rows = params.count("rows");
    let mut scene = ModelBuilder::new();
    scene.ground();
    for row in 0..rows {
        let count = rows - row;
        for column in 0..count {
            let x = (column as f64 - (count - 1) as f64 / 2.0) * 1.05;
            let cube = BodyDef::dynamic(format!("cube {row} {column}")).at(DVec3::new(x, 0.0, 0.5 + row as f64));
            scene.add_body(cube.cuboid(CUBE));
        }
    }
    Scene::new(&scene, Settings::seconds(5.0).solvers(&["vbd", "jacobi"]), stands(0.25))
}

/// The benchmark pyramid: cubes side by side, light, under a gravity of 10 m/s².
pub const LARGE_PYRAMID: SceneEntry = SceneEntry {
    name: "large-pyramid",
    summary: "5,050 touching cubes in a flat pyramid, a benchmark of contact throughput",
    parameters: &[Parameter::count("rows", 100, 1, 400, "rows, as many cubes in the lowest")],
    build: large_pyramid,
};

fn large_pyramid(params: &Params) -> Result<Scene, SceneError> {
    let rows = params.count("rows");
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::Z * -10.0);
    scene.ground();
    for row in 0..rows {
        for column in row..rows {
            let x = (row + 1) as f64 * 0.5 + (column - row) as f64 - 0.5 * rows as f64;
            let cube = BodyDef::dynamic(format!("cube {row} {column}")).at(DVec3::new(x, 0.0, 0.5 + row as f64));
            scene.add_body(cube.cuboid(CUBE).density(100.0));
        }
    }
    Scene::new(&scene, Settings::seconds(200.0 / 60.0), stands(0.25))
}

/// A wall of bricks whose rows are shifted against each other.
pub const WALL: SceneEntry = SceneEntry {
    name: "wall",
    summary: "a brick wall one brick thick stands",
    parameters: &[
        Parameter::count("rows", 20, 1, 500, "rows"),
        Parameter::count("columns", 20, 1, 500, "bricks in a row"),
    ],
    build: wall,
};

/// Half extents of a brick \[m\].
pub(super) const BRICK: DVec3 = DVec3::new(0.5, 0.25, 0.25);

fn wall(params: &Params) -> Result<Scene, SceneError> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    add_wall(&mut scene, params.count("rows"), params.count("columns"));
    Scene::new(&scene, Settings::seconds(5.0), stands(0.25))
}

/// Lays a wall along x, centred on the origin.
pub(super) fn add_wall(scene: &mut ModelBuilder, rows: usize, columns: usize) {
    for row in 0..rows {
        let shift = if row % 2 == 1 { 0.2 } else { -0.2 };
        for column in 0..columns {
            let x = (column as f64 - (columns - 1) as f64 / 2.0) * 1.02 + shift;
            let place = DVec3::new(x, 0.0, 0.25 + 0.5 * row as f64);
            scene.add_body(BodyDef::dynamic(format!("brick {row} {column}")).at(place).cuboid(BRICK));
        }
    }
}

/// Cubes on top of each other.
pub const STACK: SceneEntry = SceneEntry {
    name: "stack",
    summary: "one-metre cubes on top of each other neither sink nor wander",
    parameters: &[Parameter::count("count", 10, 1, 1000, "cubes")],
    build: stack,
};

fn stack(params: &Params) -> Result<Scene, SceneError> {
    let mut scene = ModelBuilder::new();
    scene.ground();
    add_stack(&mut scene, params.count("count"), DVec3::ZERO, DVec3::ZERO);
    let side = 2.0 * CUBE.z;
    let check = Check::new("overlap and drift stay below 0.5 % of a cube", move |run| {
        Figures::new().below("penetration", run.measures.max_penetration, 0.005 * side, "m").below(
            "moved",
            run.measures.max_moved,
            0.005 * side,
            "m",
        )
    });
    Scene::new(&scene, Settings::seconds(10.0).solvers(&["vbd", "jacobi", "abd"]), check)
}

/// Stacks cubes on the point `base`, moving with `velocity` \[m/s\].
pub(super) fn add_stack(scene: &mut ModelBuilder, count: usize, base: DVec3, velocity: DVec3) {
    for level in 0..count {
        let place = base + DVec3::Z * (0.5 + level as f64);
        scene.add_body(BodyDef::dynamic(format!("cube {level}")).at(place).velocity(velocity).cuboid(CUBE));
    }
}

/// Ten blocks on top of each other, the lightest at the bottom.
pub const MASS_RATIO: SceneEntry = SceneEntry {
    name: "mass-ratio",
    summary: "ten cubes, each heavier than all below it together: light below heavy",
    parameters: &[
        Parameter::number("ratio", 1000.0, 1.0, 1e9, "mass of the top block over that of the bottom one"),
        Parameter::flag("flat", false, "slabs a quarter as high, harder to topple"),
    ],
    build: mass_ratio,
};

fn mass_ratio(params: &Params) -> Result<Scene, SceneError> {
    const COUNT: usize = 10;
    let flat = params.flag("flat");
    // Slabs are wider by 4^(1/3) so that they weigh what the cubes do.
    let (base, flatness) = if flat { (0.2 * cbrt(4.0_f64), 0.25) } else { (0.2, 1.0) };
    let growth = cbrt(params.number("ratio"));
    let sides: Vec<f64> = (0..COUNT).map(|k| base * pow(growth, k as f64 / (COUNT - 1) as f64)).collect();
    let mut scene = ModelBuilder::new();
    scene.ground();
    let mut floor = 0.0;
    for (level, side) in sides.iter().enumerate() {
        let half = DVec3::new(0.5 * side, 0.5 * side, 0.5 * side * flatness);
        let place = DVec3::Z * (floor + half.z);
        scene.add_body(BodyDef::dynamic(format!("block {level}")).at(place).cuboid(half));
        floor += 2.0 * half.z;
    }
    let check = Check::new("every block stays within a tenth of its side, the top sinks less than 0.1 m", move |run| {
        let sideways = |level: usize| run.state.body_q[level].translation.truncate().length() / sides[level];
        let worst = (0..COUNT).map(sideways).fold(0.0, f64::max);
        let top = COUNT - 1;
        let sunk = run.model.body_q[top].translation.z - run.state.body_q[top].translation.z;
        Figures::new().below("sideways", worst, 0.1, "of a side").below("top sank", sunk, 0.1, "m")
    });
    Scene::new(&scene, Settings::seconds(10.0), check)
}
