//! Trees of 10 to 10,000 rods on hinges: writes each as MJCF with where it is after a twentieth of a second, and how near and how fast
//! `structured` comes to that. `cargo xtask trees` runs it and then MuJoCo on the same files.

use std::path::{Path, PathBuf};

use drystone::Simulation;
use drystone::model::{BodyDef, BodyId, DMat3, DVec3, JointDef, MassProperties, Model, ModelBuilder, WORLD};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Simulated time \[s\].
const SECONDS: f64 = 0.05;
/// Most work of one measurement, in bodies times steps.
const MOST_WORK: usize = 4_000_000;

fn main() -> Outcome<()> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: tree_times FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    [10, 100, 1_000, 10_000].into_iter().try_for_each(|bodies| measure(&folder, bodies))
}

fn measure(folder: &Path, bodies: usize) -> Outcome<()> {
    let model = tree(bodies)?;
    std::fs::write(folder.join(format!("{bodies}.xml")), drystone_io::mjcf::export_mjcf(&model)?)?;
    let (exact, _) = run(&model, "rk4", 320)?;
    let mut ours = Vec::new();
    for steps in [5, 10, 20, 40, 80, 160].into_iter().filter(|steps| steps * bodies <= MOST_WORK) {
        for integrator in ["variational", "rk4"] {
            let (end, seconds) = run(&model, integrator, steps)?;
            let error = end.iter().zip(&exact).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
            ours.push(json!({ "integrator": integrator, "steps": steps, "seconds": seconds, "error": error }));
        }
    }
    let centre: serde_json::Map<String, Value> =
        model.body_name.iter().zip(&exact).map(|(name, at)| (name.clone(), json!(at.to_array()))).collect();
    let told = json!({ "bodies": bodies, "simulated": SECONDS, "ours": ours, "exact": centre });
    std::fs::write(folder.join(format!("{bodies}.json")), serde_json::to_string(&told)?)?;
    println!("tree of {bodies} bodies done");
    Ok(())
}

/// Where the centres of mass are at the end, and processor time per step \[s\], the least of a few runs.
fn run(model: &Model, integrator: &str, steps: usize) -> Outcome<(Vec<DVec3>, f64)> {
    let (mut best, mut end) = (f64::INFINITY, Vec::new());
    let repeats = (20_000 / (steps * model.body_count()).max(1)).clamp(1, 20) + 1;
    for _ in 0..repeats {
        let dt = SECONDS / steps as f64;
        let mut sim = Simulation::builder(model.clone())
            .solver("structured")
            .option("integrator", integrator)
            .option("tolerance", 1e-8)
            .option("velocity_tolerance", 1e-8)
            .threads(1)
            .dt(dt)
            .build()?;
        // The first step also prepares what the others go on from.
        sim.step()?;
        let begun = processor_time();
        sim.run(steps as u64 - 1, |_| ())?;
        best = best.min((processor_time() - begun) / (steps - 1) as f64);
        let state = sim.state();
        end = (0..model.body_count()).map(|body| state.body_q[body].transform_point(model.body_com[body])).collect();
    }
    Ok((end, best))
}

/// Time all threads of this program have run \[s\].
fn processor_time() -> f64 {
    let of_thread = |folder: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(folder.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    let threads = std::fs::read_dir("/proc/self/task").ok();
    threads.map_or(f64::NAN, |threads| threads.flatten().filter_map(of_thread).sum::<f64>() * 1e-9)
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
