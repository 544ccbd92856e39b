//! The hot kernels on small fixed cases, for counting their instructions: `cargo xtask instructions`.
//!
//! ```text
//! instructions          the names of the cases
//! instructions CASE     runs one; only what `count_this` calls is counted
//! ```

use std::hint::black_box;
use std::process::ExitCode;

use drystone::collide::{Collide, CollideOptions};
use drystone::model::{Model, State};
use drystone::{BuildError, Simulation};

type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Steps or passes that are counted.
const COUNTED: u32 = 3;
/// The cubes of a pile start 1.5 edges apart and a little turned; moved together like this they touch and overlap as in
/// a settled pile.
const SQUEEZE: f64 = 0.68;

/// Cases by name.
const CASES: [(&str, fn() -> Outcome); 10] = [
    ("collide-pile", || collide("pile:count=125", SQUEEZE)),
    ("collide-hulls", || collide("arch", 1.0)),
    ("vbd-contacts", || steps("wall:rows=8,columns=8", "vbd")),
    ("vbd-joints", || steps("chain", "vbd")),
    ("structured-tree", || steps("random-tree:bodies=100", "structured")),
    ("structured-loops", || steps("chain-mail:size=4", "structured")),
    ("structured-contacts", || steps("pyramid:rows=6", "structured")),
    ("jacobi-contacts", || steps("pyramid:rows=6", "jacobi")),
    ("jacobi-joints", || steps("necklace:chains=10", "jacobi")),
    ("abd-assembly", || steps("stack:count=3", "abd")),
];

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        CASES.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    let Some((_, run)) = CASES.iter().find(|(known, _)| *known == name) else {
        eprintln!("there is no case `{name}`; without a name they are listed");
        return ExitCode::from(2);
    };
    // Everything on one thread, so that what is counted is all there is.
    let done =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Into::into).and_then(|pool| pool.install(run));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// What is called from here is counted.
#[inline(never)]
fn count_this(mut work: impl FnMut() -> Outcome) -> Outcome {
    for _ in 0..COUNTED {
        black_box(work())?;
    }
    Ok(())
}

/// Collision detection: once before counting, so that matching has something to match.
fn collide(scene: &str, squeeze: f64) -> Outcome {
    let scene = drystone_scenes::parse(scene)?;
    let state = squeezed(&scene.model, squeeze);
    let mut collide = Collide::new(&scene.model, CollideOptions::default());
    collide.detect(&scene.model, &state, scene.settings.dt);
    count_this(|| {
        collide.detect(&scene.model, black_box(&state), scene.settings.dt);
        black_box(collide.contacts.point_count());
        Ok(())
    })
}

fn squeezed(model: &Model, factor: f64) -> State {
    let mut state = model.state();
    for pose in &mut state.body_q {
        pose.translation *= factor;
    }
    state
}

/// Whole steps, after one that is not counted.
fn steps(scene: &str, solver: &str) -> Outcome {
    let scene = drystone_scenes::parse(scene)?;
    let built: Result<Simulation, BuildError> =
        Simulation::builder(scene.model).solver(solver).dt(scene.settings.dt).build();
    let mut sim = built?;
    sim.step()?;
    count_this(|| {
        sim.step()?;
        Ok(())
    })
}
