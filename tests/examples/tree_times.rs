//! Trees of 10 to 10,000 rods on hinges: writes each as MJCF with where it is after a twentieth of a second, and how near and how fast
//! `structured` comes to that. `cargo xtask trees` runs it and then MuJoCo on the same files.

use std::path::{Path, PathBuf};

use drystone::Simulation;
use drystone::model::{BodyDef, BodyId, DMat3, DVec3, JointDef, MassProperties, Model, ModelBuilder, WORLD};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Simulated time \[s\].
const SECONDS: f64 = 0.05;
/// Most work of one measurement by `variational`, in bodies times steps.
const MOST_WORK: usize = 20_000;

fn main() -> Outcome<()> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: tree_times FOLDER [BODIES]…")?);
    let asked = std::env::args().skip(2).map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    let sizes = if asked.is_empty() { vec![10, 100, 1_000, 10_000] } else { asked };
    std::fs::create_dir_all(&folder)?;
    // Within a pool of one thread, which does everything and is the one whose time is counted.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let all = || sizes.into_iter().try_for_each(|bodies| measure(&folder, bodies));
    pool.install(|| all().map_err(|error| error.to_string()))?;
    Ok(())
}

fn measure(folder: &Path, bodies: usize) -> Outcome<()> {
    let model = tree(bodies)?;
    std::fs::write(folder.join(format!("{bodies}.xml")), drystone_io::mjcf::export_mjcf(&model)?)?;
    // Of fourth order in at least twice the steps: sixteen times nearer than what is measured against it.
    let (exact, _) = run(&model, "rk4", 640)?;
    let mut ours = Vec::new();
    for steps in [2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 160, 320] {
        // `variational` takes a hundred times the time of a step by joint coordinates.
        let affordable = steps * bodies <= MOST_WORK;
        for integrator in ["variational", "rk4"].into_iter().filter(|name| affordable || *name == "rk4") {
            let (end, seconds) = run(&model, integrator, steps)?;
            let error = end.iter().zip(&exact).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
            ours.push(json!({ "integrator": integrator, "steps": steps, "seconds": seconds, "error": error }));
        }
    }
    let centre: serde_json::Map<String, Value> =
        model.body_name.iter().zip(&exact).map(|(name, at)| (name.clone(), json!(at.to_array()))).collect();
    let told = json!({ "bodies": bodies, "simulated": SECONDS, "ours": ours, "exact": centre });
    std::fs::write(folder.join(format!("{bodies}.json")), serde_json::to_string(&told)?)?;
    Ok(())
}

/// Where the centres of mass are at the end, and processor time per step \[s\]: the mean of as many runs as take a fifth of a second, as
/// accounts of processor time are kept in slices of milliseconds. Short runs are timed many at once: asking for the time takes as
/// long as a step of ten bodies.
fn run(model: &Model, integrator: &str, steps: usize) -> Outcome<(Vec<DVec3>, f64)> {
    let together = (20_000 / (model.body_count() * steps)).clamp(1, 200);
    let (mut taken, mut spent) = (0, 0.0);
    loop {
        let mut all = (0..together).map(|_| started(model, integrator, steps)).collect::<Outcome<Vec<_>>>()?;
        let begun = processor_time();
        for sim in &mut all {
            sim.run(steps as u64 - 1, |_| ())?;
        }
        spent += processor_time() - begun;
        taken += together * (steps - 1);
        if spent > 0.2 || spent.is_nan() {
            let state = all[0].state();
            let centre = |body: usize| state.body_q[body].transform_point(model.body_com[body]);
            return Ok(((0..model.body_count()).map(centre).collect(), spent / taken as f64));
        }
    }
}

/// A simulation after its first step, which also prepares what the others go on from.
fn started(model: &Model, integrator: &str, steps: usize) -> Outcome<Simulation> {
    let mut sim = Simulation::builder(model.clone())
        .solver("structured")
        .option("integrator", integrator)
        .option("tolerance", 1e-8)
        .option("velocity_tolerance", 1e-8)
        .dt(SECONDS / steps as f64)
        .build()?;
    sim.step()?;
    Ok(sim)
}

/// Time this thread has run \[s\]; no number where the system keeps no account.
fn processor_time() -> f64 {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    ran.split_whitespace().next().and_then(|text| text.parse::<f64>().ok()).map_or(f64::NAN, |time| 1e-9 * time)
}

/// A tree of rods on hinges with two branches at the end of every rod, hung from the world and in motion.
fn tree(count: usize) -> Outcome<Model> {
    let mut scene = ModelBuilder::new();
    let inertia = DMat3::from_diagonal(DVec3::new(0.002, 0.002, 0.0004));
    let mut bodies: Vec<Rod> = Vec::with_capacity(count);
    for index in 0..count {
        let held = Rod { body: BodyId(WORLD), end: DVec3::ZERO, speed: DVec3::ZERO, spin: DVec3::ZERO };
        let parent = if index == 0 { held } else { bodies[(index - 1) / 2] };
        let side = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
        let along = DVec3::new(0.05 * side, 0.03, -0.2);
        let axis = if index.is_multiple_of(3) { DVec3::X } else { DVec3::Y };
        let spin = parent.spin + axis * (1.5 * side);
        let mass = MassProperties { mass: 0.5, com: DVec3::ZERO, inertia };
        let def = BodyDef::dynamic(format!("rod{index}")).at(parent.end + 0.5 * along).mass_properties(mass);
        let def = def.velocity(parent.speed + spin.cross(0.5 * along)).spin(spin);
        let body = scene.add_body(def);
        scene.add_joint(JointDef::revolute(parent.body, body, parent.end, axis));
        bodies.push(Rod { body, end: parent.end + along, speed: parent.speed + spin.cross(along), spin });
    }
    Ok(scene.finalize()?)
}

/// What hangs on the end of a rod must know.
#[derive(Clone, Copy)]
struct Rod {
    body: BodyId,
    /// Its far end \[m\].
    end: DVec3,
    /// Velocity of that \[m/s\].
    speed: DVec3,
    /// \[rad/s\].
    spin: DVec3,
}
