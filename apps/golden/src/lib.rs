//! The very bits every solver ends with on a dozen small scenes, one row each: `solver scene hash`.
//!
//! `tests/golden/hashes.txt` keeps them. A test compares them with the builds for tests and releases (`cargo xtask golden`), and
//! `cargo xtask wasm` with those of the same program compiled to WebAssembly.

use drystone::{Simulation, solvers};
use drystone_scenes::{RandomScene, Scene, make};

/// Scenes of the library with their settings and steps; those a solver refuses are left out for it.
const LIBRARY: [(&str, &[&str], u64); 9] = [
    ("pyramid", &["rows=4"], 20),
    ("pile", &["count=12"], 40),
    ("card-house", &["levels=1"], 20),
    ("sliding-box", &[], 20),
    ("newton-cradle", &[], 30),
    ("chain", &["links=6"], 30),
    ("necklace", &["chains=2", "beads=6"], 20),
    ("four-bar", &[], 30),
    ("gyroscope", &[], 20),
];
/// Random scenes: with joints, bouncing, in free space.
const RANDOM: [u32; 3] = [3, 8, 11];
const RANDOM_STEPS: u64 = 20;
/// How many scenes there are for every solver.
pub const SCENES: usize = LIBRARY.len() + RANDOM.len();

/// A scene, what it is called in a row, and how long it runs.
struct Case {
    name: String,
    scene: Scene,
    steps: u64,
}

/// Runs every solver on every scene it takes, in a fixed order, and tells each row as it is made. Without a number of threads
/// the pool of the process does the work.
///
/// # Panics
/// If a scene cannot be made or a step fails.
pub fn run(threads: Option<usize>, mut tell: impl FnMut(&str)) {
    let cases = cases();
    for solver in solvers() {
        for Case { name, scene, steps } in &cases {
            if drystone::make_solver(solver.name, &scene.model, serde_json::Value::Null).is_ok() {
                tell(&format!("{} {name} {:016x}", solver.name, hash_after(scene, solver.name, threads, *steps)));
            }
        }
    }
}

fn cases() -> Vec<Case> {
    let library = LIBRARY.iter().map(|(name, settings, steps)| {
        let scene = make(name, settings).unwrap_or_else(|error| panic!("{error}"));
        Case { name: [&[*name], *settings].concat().join(" "), scene, steps: *steps }
    });
    let random = RANDOM.iter().map(|&seed| {
        let random = RandomScene { count: 8, crowded: false, ..RandomScene::of_seed(seed) };
        let model = random.build().unwrap_or_else(|error| panic!("{error}")).finalize();
        let any = make("pyramid", &[] as &[&str]).unwrap_or_else(|error| panic!("{error}"));
        let scene = Scene { model: model.unwrap_or_else(|error| panic!("{error}")), ..any };
        Case { name: format!("random {seed}"), scene, steps: RANDOM_STEPS }
    });
    library.chain(random).collect()
}

fn hash_after(scene: &Scene, solver: &str, threads: Option<usize>, steps: u64) -> u64 {
    let mut builder = Simulation::builder(scene.model.clone()).solver(solver).dt(scene.settings.dt);
    if let Some(count) = threads {
        builder = builder.threads(count);
    }
    let mut sim = builder.build().unwrap_or_else(|error| panic!("{error}"));
    sim.run(steps, |_| ()).unwrap_or_else(|error| panic!("{error}"));
    sim.state_hash()
}
