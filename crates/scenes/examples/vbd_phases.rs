//! Milliseconds per step of `vbd` in each phase, at several numbers of threads, with the hash of where it ended.
//!
//! `cargo run --release -p drystone-scenes --example vbd_phases -- SCENE [threads=1,2,4] [iterations=5] [steps=120]
//! [PARAMETER=VALUE]…` prints lines of `scene,threads,phase,ms`. The first step, which finds the loads a scene rests on, is a
//! line of its own and in no other; `outside` is what the simulation does around the solver.

use std::time::Instant;

use drystone::Simulation;
use drystone::model::Model;
use drystone_scenes::make;

type Failure = Box<dyn std::error::Error>;

/// Steps of a scene on some threads, printed phase by phase.
fn run(name: &str, model: &Model, dt: f64, threads: usize, iterations: u32, steps: u64) -> Result<(), Failure> {
    let mut sim = Simulation::builder(model.clone())
        .solver("vbd")
        .option("iterations", iterations)
        .dt(dt)
        .threads(threads)
        .build()?;
    let print = |phase: &str, milliseconds: f64| println!("{name},{threads},{phase},{milliseconds:.5}");
    let start = Instant::now();
    sim.step()?;
    print("first", start.elapsed().as_secs_f64() * 1e3);
    let before = sim.phase_total().to_vec();
    let (start, mut deepest) = (Instant::now(), 0.0_f64);
    for _ in 1..steps {
        deepest = deepest.max(sim.step()?.max_penetration.unwrap_or(0.0));
    }
    let scale = 1e3 / steps.saturating_sub(1).max(1) as f64;
    let step = start.elapsed().as_secs_f64() * scale;
    print("step", step);
    let mut inside = 0.0;
    for (phase, total) in sim.phase_total() {
        let first = before.iter().find(|(known, _)| known == phase).map_or(0.0, |(_, seconds)| *seconds);
        let own = (total - first) * scale;
        inside += own;
        print(&format!("{phase:?}"), own);
    }
    print("outside", step - inside);
    println!("{name},{threads},deepest [mm],{:.4}", deepest * 1e3);
    println!("{name},{threads},hash,{:016x}", sim.state_hash());
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let scene = args.next().ok_or("which scene?")?;
    let (mut threads, mut iterations, mut steps) = (vec![1], 5, 120);
    let mut settings: Vec<String> = Vec::new();
    for arg in args {
        let (key, value) = arg.split_once('=').ok_or("arguments are key=value")?;
        match key {
            "threads" => threads = value.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "iterations" => iterations = value.parse()?,
            "steps" => steps = value.parse()?,
            _ => settings.push(arg),
        }
    }
    let made = make(&scene, &settings)?;
    let name = settings.iter().fold(scene, |name, setting| format!("{name}:{setting}"));
    for threads in threads {
        run(&name, &made.model, made.settings.dt, threads, iterations, steps)?;
    }
    Ok(())
}
