//! One case, measured in this process.

use std::collections::BTreeMap;
use std::time::Instant;

use drystone::Simulation;
use drystone_scenes::{Measures, Run, Scene};

use super::memory;
use super::options::OneOptions;
use super::record::Row;
use crate::error::Failure;
use crate::report::phase_name;

/// Steps at the start that are not timed: buffers grow, caches fill, the first contacts are found.
const WARM_UP: u64 = 10;

/// Measures a case.
pub fn measure(options: &OneOptions) -> Result<Row, Failure> {
    // One thread is this one: handing a step to another and waiting for it takes longer than a small scene.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1)).build();
    let pool = pool.map_err(|error| Failure::new(format!("cannot start {} threads: {error}", options.threads)))?;
    pool.install(|| measure_here(options))
}

fn measure_here(options: &OneOptions) -> Result<Row, Failure> {
    let before = memory::resident();
    let scene = drystone_scenes::parse(&options.scene)?;
    let mut steps = scene.settings.steps();
    let mut laps = Vec::new();
    for _ in 0..options.repeats.max(1) {
        let lap = Lap::run(&scene, options, steps)?;
        // The first run finds how many steps the budget holds; all others take as many.
        steps = lap.measures.steps;
        laps.push(lap);
    }
    let memory = memory::peak().zip(before).map(|(peak, before)| (peak - before).max(0.0));
    Ok(row(&scene, options, &laps, memory))
}

/// One run from the start.
struct Lap {
    /// Milliseconds of every timed step.
    steps: Vec<f64>,
    /// Milliseconds in every phase, over all timed steps.
    phases: BTreeMap<String, f64>,
    contacts: usize,
    measures: Measures,
    passed: bool,
    measured: String,
    /// The graphics card, in words.
    device: Option<String>,
}

impl Lap {
    fn run(scene: &Scene, options: &OneOptions, steps: u64) -> Result<Self, Failure> {
        let builder = Simulation::builder(scene.model.clone()).solver(&options.solver).dt(scene.settings.dt);
        let builder = match options.device {
            Some(device) => builder.option("device", device.to_string()),
            None => builder,
        };
        let mut sim = builder.build()?;
        let mut measures = Measures::new(&scene.model, scene.check.probe.as_ref());
        let (mut times, mut phases, mut contacts) = (Vec::new(), BTreeMap::new(), 0);
        let warm_up = WARM_UP.min(steps / 4);
        let begin = Instant::now();
        for step in 0..steps {
            let start = Instant::now();
            sim.step()?;
            let milliseconds = 1e3 * start.elapsed().as_secs_f64();
            measures.observe(sim.model(), sim.state(), sim.report(), scene.check.probe.as_ref());
            if step < warm_up {
                continue;
            }
            times.push(milliseconds);
            contacts += sim.report().contact_count;
            for (phase, seconds) in &sim.report().time {
                *phases.entry(phase_name(phase)).or_insert(0.0) += 1e3 * seconds;
            }
            if begin.elapsed().as_secs_f64() > options.budget {
                break;
            }
        }
        let run = Run { model: sim.model(), state: sim.state(), measures: &measures, dt: sim.dt() };
        let verdict = scene.check.judge(&run);
        let device = sim.solver().device_name();
        Ok(Self {
            steps: times,
            phases,
            contacts,
            measures,
            passed: verdict.passed,
            measured: verdict.measured,
            device,
        })
    }

    fn median(&self) -> f64 {
        median(self.steps.clone())
    }
}

/// The middle of some numbers; NaN if there are none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[middle],
        _ => 0.5 * (values[middle - 1] + values[middle]),
    }
}

fn row(scene: &Scene, options: &OneOptions, laps: &[Lap], memory: Option<f64>) -> Row {
    let medians: Vec<f64> = laps.iter().map(Lap::median).collect();
    let least = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let most = medians.iter().copied().fold(0.0, f64::max);
    let fastest = laps.iter().min_by(|a, b| a.median().total_cmp(&b.median())).unwrap_or(&laps[0]);
    let (measures, timed, asked) = (&fastest.measures, fastest.steps.len().max(1) as f64, scene.settings.steps());
    let done = measures.steps == asked;
    let short = format!("{} of {asked} steps in {} s", measures.steps, options.budget);
    Row {
        scene: options.scene.clone(),
        solver: options.solver.clone(),
        backend: if options.device.is_some() { "gpu" } else { "cpu" }.into(),
        device: fastest.device.clone(),
        threads: options.threads,
        bodies: scene.model.body_count(),
        joints: scene.model.joint_count(),
        contacts: fastest.contacts as f64 / timed,
        steps: measures.steps,
        steps_asked: asked,
        ms_min: least,
        ms_median: median(medians),
        spread: most / least - 1.0,
        memory,
        phases: fastest.phases.iter().map(|(phase, total)| (phase.clone(), total / timed)).collect(),
        penetration: measures.max_penetration.unwrap_or(f64::NAN),
        drift: measures.end_moved,
        joint_gap: measures.max_joint_error.unwrap_or(f64::NAN),
        energy_gain: measures.energy_gain(),
        passed: done.then_some(fastest.passed),
        measured: if done { fastest.measured.clone() } else { short },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(budget: f64) -> OneOptions {
        OneOptions { scene: "stack:count=3".into(), solver: "vbd".into(), threads: 1, repeats: 2, budget, device: None }
    }

    #[test]
    fn a_case_is_timed_by_phase_and_judged() {
        let row = measure(&options(60.0)).unwrap();
        assert_eq!((row.bodies, row.steps, row.passed), (3, row.steps_asked, Some(true)));
        assert!(row.ms_min > 0.0 && row.ms_median >= row.ms_min && row.spread >= 0.0);
        let phases: f64 = row.phases.values().sum();
        assert!(phases > 0.0 && row.contacts >= 12.0, "{row:?}");
    }

    #[test]
    fn a_run_out_of_budget_is_cut_short_and_not_judged() {
        let row = measure(&options(0.0)).unwrap();
        assert!(row.steps < row.steps_asked && row.passed.is_none() && row.measured.contains("of 600 steps"));
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(vec![]).is_nan());
    }
}
