//! Rays into a pile: Drystone's queries against Rapier's, on the same poses and the same rays, in one run.

use drystone::collide::{QueryFilter, SceneIndex, SceneQuery};
use drystone::geometry::Ray;
use drystone::model::{DVec3, Model, State};
use drystone_scenes::make;
use rapier3d::prelude as rapier;

use crate::clock::{Lap, Stopwatch};
use crate::engine::{Engine, Fault};
use crate::rapier::Rapier;

const DT: f64 = 1.0 / 60.0;

/// Lets a pile of `count` boxes fall for `steps` steps in Rapier, then casts `rays` rays into it, one by one on one thread,
/// and prints the least time of `repeats` runs. Both must meet the same bodies.
pub fn rays(count: usize, rays: usize, steps: usize, repeats: usize) -> Result<(), Fault> {
    let scene = make("pile", &[format!("count={count}")])?;
    let model = &scene.model;
    let mut rapier = Rapier::new(model, DT)?;
    for _ in 0..steps {
        rapier.step()?;
    }
    let mut state = model.state();
    rapier.read(&mut state)?;
    let all = into(&state, rays);
    let mut index = SceneIndex::new(model, &model.state());
    let (mut refit, mut ours, mut theirs) = (Lap::NEVER, Lap::NEVER, Lap::NEVER);
    let (mut met, mut met_by_rapier) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        index.update(model, &model.state());
        let watch = Stopwatch::start();
        index.update(model, &state);
        refit = refit.min(watch.lap());
        let query = SceneQuery::of(model, index.clone().into(), None);
        let watch = Stopwatch::start();
        let hits: Result<Vec<_>, _> =
            all.iter().map(|ray| query.cast_ray(ray, f64::INFINITY, &QueryFilter::new())).collect();
        ours = ours.min(watch.lap());
        met = hits?.into_iter().map(|hit| hit.map(|hit| (hit.body.0, hit.time))).collect();

        let pipeline = rapier.world.query_pipeline();
        let single: Vec<rapier::Ray> =
            all.iter().map(|ray| rapier::Ray::new(ray.origin.as_vec3(), ray.direction.as_vec3())).collect();
        let watch = Stopwatch::start();
        let hits: Vec<_> = single.iter().map(|ray| pipeline.cast_ray_and_get_normal(ray, f32::MAX, false)).collect();
        theirs = theirs.min(watch.lap());
        met_by_rapier = hits.iter().map(|hit| hit.as_ref().map(|(_, hit)| f64::from(hit.time_of_impact))).collect();
    }
    let hits = met.iter().flatten().count();
    let agree = |(ours, theirs): &(&Option<(u32, f64)>, &Option<f64>)| match (ours, theirs) {
        (Some((_, a)), Some(b)) => (a - b).abs() < 1e-3 * a.max(1.0),
        (None, None) => true,
        _ => false,
    };
    let same = met.iter().zip(&met_by_rapier).filter(agree).count();
    println!("{rays} rays into {count} boxes after {steps} steps: {hits} hit, {same} alike in both (f64 against f32)");
    println!("| | wall µs/ray | processor µs/ray |\n|---|---|---|");
    for (name, lap) in [("Drystone", ours), ("Rapier", theirs)] {
        println!("| {name} | {:.3} | {:.3} |", 1e3 * lap.wall / rays as f64, 1e3 * lap.cpu / rays as f64);
    }
    println!("ratio {:.2}; Drystone's refit {:.3} ms", ours.cpu / theirs.cpu, refit.cpu);
    index.update(model, &state);
    batches(model, &state, &index, rays, repeats)?;
    if (same as f64) < 0.99 * rays as f64 { Err("the engines meet different things".into()) } else { Ok(()) }
}

/// The batch form with one thread and more, turn by turn so that all meet the same machine: the least time by the clock on the
/// wall, and how many times faster than one thread. Hits must be the same bit for bit.
fn batches(model: &Model, state: &State, index: &SceneIndex, rays: usize, repeats: usize) -> Result<(), Fault> {
    let most = std::thread::available_parallelism()?.get();
    let pools: Result<Vec<_>, _> =
        (1..=most).map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build()).collect();
    let (pools, query) = (pools?, SceneQuery::of(model, index.clone().into(), None));
    println!("| batch of | threads | wall µs/ray | processor µs/ray | speed-up |\n|---|---|---|---|---|");
    for count in [rays, 100 * rays] {
        let all = into(state, count);
        let mut least = vec![Lap::NEVER; most];
        let mut first = None;
        for _ in 0..repeats {
            for (pool, least) in pools.iter().zip(&mut least) {
                let watch = Stopwatch::start();
                let hits = pool.install(|| query.cast_rays(&all, f64::INFINITY, &QueryFilter::new()))?;
                *least = least.min(watch.lap());
                let expected = first.get_or_insert_with(|| hits.clone());
                if *expected != hits {
                    return Err("hits depend on the number of threads".into());
                }
            }
        }
        for (threads, lap) in (1..).zip(&least) {
            let [wall, cpu] = [lap.wall, lap.cpu].map(|time| 1e3 * time / count as f64);
            println!("| {count} | {threads} | {wall:.3} | {cpu:.3} | {:.2} |", least[0].wall / lap.wall);
        }
    }
    Ok(())
}

/// Rays from a ring around the pile to points within, in all directions.
fn into(state: &State, count: usize) -> Vec<Ray> {
    let points = state.body_q.iter().map(|pose| pose.translation);
    let (low, high) = points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    let (middle, radius) = (0.5 * (low + high), (high - low).length());
    // Steps of irrational parts of a turn fill the ring and the pile evenly.
    let part = |k: usize, step: f64| (k as f64 * step).fract();
    let ray = |k: usize| {
        let (turn, up) = (std::f64::consts::TAU * part(k, 0.618_033_988_75), part(k, 0.414_213_562_37));
        let origin = middle + radius * DVec3::new(turn.cos(), turn.sin(), 0.2 + 0.8 * up);
        let inside = DVec3::new(part(k, 0.732_050_807_57), part(k, 0.236_067_977_5), part(k, 0.645_751_311_06));
        Ray::new(origin, (low + inside * (high - low) - origin).normalize())
    };
    (0..count).map(ray).collect()
}
