//! The double pendulum for a minute, by every integrator.

use drystone_plot::{Plot, Scale, Series};
use drystone_tests::runner::{scene, simulation};

use crate::{Outcome, write};

const SECONDS: f64 = 60.0;
/// Steps between points of the picture.
const EVERY: u64 = 200;

pub fn run() -> Outcome {
    let mut pendulum = scene("double-pendulum", &[]);
    pendulum.settings.dt = 1e-3;
    let mut series = Vec::new();
    println!("| integrator | largest energy error over 60 s | µs per step |\n|---|---|---|");
    for integrator in ["variational", "rk4", "euler"] {
        let mut sim = simulation(&pendulum, "structured").option("integrator", integrator).build()?;
        let start = pendulum.model.energy(sim.state());
        // Energy it has to turn over: from the start to both bars hanging down.
        let depth = |body: usize| pendulum.model.body_mass[body] * 9.81 * (0.5 + body as f64);
        let scale = depth(0) + depth(1);
        let (mut worst, mut points) = (0.0_f64, Vec::new());
        let clock = std::time::Instant::now();
        let steps = (SECONDS / 1e-3) as u64;
        for step in 1..=steps {
            sim.step()?;
            let report = sim.report();
            let error = ((report.kinetic_energy + report.potential_energy - start.total()) / scale).abs();
            worst = worst.max(error);
            if step.is_multiple_of(EVERY) {
                points.push([step as f64 * 1e-3, error.max(1e-16)]);
            }
        }
        let micros = clock.elapsed().as_secs_f64() / steps as f64 * 1e6;
        println!("| {integrator} | {:.2e} ({:.5} %) | {micros:.1} |", worst, 100.0 * worst);
        series.push(Series::line(format!("{integrator}: {worst:.0e}"), points));
    }
    let ends = vec![[0.0, 1e-4], [SECONDS, 1e-4]];
    series.push(Series::line("0.01 %", ends).dashed());
    let plot = Plot {
        title: "Double pendulum, steps of 1 ms: energy error over what it turns over".into(),
        x: Scale::linear("time [s]").between(0.0, SECONDS),
        y: Scale::log("relative energy error"),
        series,
    };
    write("structured-energy", &plot)
}
