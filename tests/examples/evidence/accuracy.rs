//! Accuracy asked for, accuracy reached, and what it costs: chain mail with a loop at every mesh.

use drystone_plot::{Plot, Scale, Series};
use drystone_tests::runner::{scene, simulation};

use crate::clock::processor_time;
use crate::{Outcome, write};

const STEPS: u64 = 200;

pub fn run() -> Outcome {
    let mail = scene("chain-mail", &["size=8"]);
    let (mut reached, mut cost) = (Vec::new(), Vec::new());
    println!("| asked [m] | largest gap [m] | ms per step |\n|---|---|---|");
    for asked in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
        // Iterative throughout, so that what the accuracy costs shows.
        let mut sim = simulation(&mail, "structured")
            .option("method", "structured_iterative")
            .option("integrator", "euler")
            .option("tolerance", asked)
            .option("velocity_tolerance", asked)
            .build()?;
        let (mut worst, begun) = (0.0_f64, processor_time());
        sim.run(STEPS, |sim| worst = worst.max(sim.report().max_joint_error.unwrap_or(f64::NAN)))?;
        let millis = (processor_time() - begun) / STEPS as f64 * 1e3;
        println!("| {asked:.0e} | {worst:.1e} | {millis:.2} |");
        reached.push([asked, worst]);
        cost.push([asked, millis]);
    }
    let bound = reached.iter().map(|p| [p[0], p[0]]).collect();
    let plot = Plot {
        title: "Chain mail of 8 × 8 rings, 200 steps: accuracy asked for and reached".into(),
        x: Scale::log("largest joint gap asked for [m]"),
        y: Scale::log("largest gap [m], time per step [ms]"),
        series: vec![
            Series::line("gap reached [m]", reached).marked(),
            Series::line("asked for", bound).dashed(),
            Series::line("time per step [ms]", cost).marked(),
        ],
    };
    write("structured-accuracy", &plot)
}
