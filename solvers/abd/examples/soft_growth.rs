//! How the cost of a step grows with the elements: `soft_growth [cells …]` drops a block of so many cells a side on the ground, a box
//! upon it, for half a second at 100 Hz, and prints iterations and processor time.

use drystone_abd::{Abd, AbdOptions};
use drystone_collide::{Collide, CollideOptions};
use drystone_model::{BodyDef, DVec3, ElementMaterial, ModelBuilder, Pose, SoftGrid};
use drystone_solve::Solver;
use drystone_solve::report::Ending;

fn main() {
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let cells = if asked.is_empty() { vec![4, 6, 8] } else { asked };
    println!("cells  tetrahedra  iterations/step  processor ms/step  steps not converged");
    let mut before: Option<(f64, f64)> = None;
    for cells in cells {
        let mut scene = ModelBuilder::new();
        scene.gravity(DVec3::new(0.0, 0.0, -9.81));
        scene.ground();
        scene.add_soft_grid(&SoftGrid {
            pose: Pose::from_translation(DVec3::new(-0.15, -0.15, 0.02)),
            cells: [cells; 3],
            size: DVec3::splat(0.3 / cells as f64),
            density: 1000.0,
            radius: 0.0,
            material: ElementMaterial::solid(1e5, 0.3, 0.0),
        });
        scene.add_body(BodyDef::dynamic("box").at(DVec3::new(0.02, 0.0, 0.45)).cuboid(DVec3::splat(0.08)).mass(2.0));
        let model = scene.finalize().expect("a sound scene");
        let mut solver = Abd::new(&model, AbdOptions::default()).expect("nothing refused");
        let mut collide = Collide::new(&model, CollideOptions::default());
        let (mut state, control, steps) = (model.state(), model.control(), 50);
        let (mut iterations, mut unconverged) = (0, 0);
        let start = processor_seconds();
        for _ in 0..steps {
            let report = solver.step(&model, &mut state, &control, &mut collide, 0.01).expect("a step");
            iterations += report.iterations;
            unconverged += u32::from(report.ending != Ending::Converged);
        }
        let (time, elements) = ((processor_seconds() - start) / f64::from(steps), model.tet_particle.len() as f64);
        let exponent =
            before.map_or(String::new(), |(n, t)| format!("  exponent {:.2}", (time / t).ln() / (elements / n).ln()));
        let mean = f64::from(iterations) / f64::from(steps);
        println!("{cells:5}  {elements:10}  {mean:15.1}  {:17.1}  {unconverged:19}{exponent}", 1e3 * time);
        before = Some((elements, time));
    }
}

/// Processor time of this process so far, all threads together, to a hundredth of a second \[s\].
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
    // User and system time, in hundredths, are the twelfth and thirteenth behind the name.
    (ticks(11) + ticks(12)) / 100.0
}
