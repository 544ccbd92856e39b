//! Error against time: what the levels of work of `--budget` and `--tolerance` give and cost on four mechanisms.

use drystone::trade::{Level, Rung, Trial, Wish, choose};
use drystone_plot::{Plot, Scale, Series};
use drystone_scenes::Scene;
use drystone_tests::runner::{scene, simulation};

use crate::clock::processor_time;
use crate::{Outcome, write};

/// Steps of a trial, as the command takes.
const STEPS: u64 = 30;

pub fn run() -> Outcome {
    let mechanisms: [(&str, &[&str]); 4] =
        [("double-pendulum", &[]), ("four-bar", &[]), ("stewart-platform", &[]), ("chain-mail", &["size=8"])];
    let mut series = Vec::new();
    println!("| mechanism | pieces | joints to [m] | ms per step | error [m] |\n|---|---|---|---|---|");
    for (name, settings) in mechanisms {
        let scene = scene(name, settings);
        let Some(choice) = choose(Wish::Budget(f64::INFINITY), |level| trial(&scene, level))? else { continue };
        let best = frontier(&choice.tried);
        for Rung { level, seconds, error } in &best {
            let Level { pieces, tolerance } = level;
            println!("| `{name}` | {pieces} | {tolerance:.0e} | {:.3} | {error:.1e} |", 1e3 * seconds);
        }
        let points = best.iter().map(|rung| [1e3 * rung.seconds, rung.error]).collect();
        series.push(Series::line(name, points).marked());
    }
    let plot = Plot {
        title: "Error after 30 steps of 1/60 s against processor time per step".into(),
        x: Scale::log("time per step [ms]"),
        y: Scale::log("distance from twice the pieces, and joint gap [m]"),
        series,
    };
    write("structured-trade", &plot)
}

/// What is not beaten in both time and error, from the fastest on.
fn frontier(tried: &[Rung]) -> Vec<Rung> {
    let mut sorted = tried.to_vec();
    sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let mut least = f64::INFINITY;
    sorted.retain(|rung| {
        let better = rung.error < least;
        least = least.min(rung.error);
        better
    });
    sorted
}

fn trial(scene: &Scene, level: Level) -> Result<Option<Trial>, Box<dyn std::error::Error>> {
    let mut builder = simulation(scene, "structured").dt(1.0 / 60.0).threads(1);
    for (key, value) in level.options() {
        builder = builder.option(key, value);
    }
    let mut sim = builder.build()?;
    let (mut times, mut gap) = (Vec::new(), 0.0f64);
    for _ in 0..STEPS {
        let begun = processor_time();
        if sim.step().is_err() {
            return Ok(None);
        }
        times.push(processor_time() - begun);
        gap = gap.max(sim.report().max_joint_error.unwrap_or(0.0));
    }
    let (model, state) = (sim.model(), sim.state());
    let centre = |body: usize| state.body_q[body].transform_point(model.body_com[body]);
    Ok(Some(Trial::new(times, (0..model.body_count()).map(centre).collect(), gap)))
}
