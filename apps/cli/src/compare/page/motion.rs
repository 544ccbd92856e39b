//! Films of the runs, from the same place, at the same times.

use drystone_picture::raster::{Options, Renderer, View};
use drystone_picture::{Sheet, frames_at, png_bytes};
use drystone_report::{Film, data_uri, films};
use maud::{Markup, html};

use crate::compare::Comparison;
use crate::compare::trial::Trial;
use crate::error::Failure;

/// Size of a film \[px\].
const SIZE: [usize; 2] = [448, 252];
/// Pictures of a film, at most.
const MOST: usize = 60;
/// Pictures per second of simulated time, at most.
const FASTEST: f64 = 20.0;

/// The films.
pub fn section(comparison: &Comparison) -> Result<Markup, Failure> {
    let [width, height] = SIZE;
    let mut options = Options { width, height, supersample: 2, view: comparison.job.view };
    // One camera for all: the one that suits the run that got farthest, the scene's own solver first.
    let own = |trial: &&Trial| (trial.reached(), trial.contender.solver == comparison.job.solver);
    let best = comparison.trials.iter().filter(|trial| trial.end != crate::compare::trial::End::FlewApart);
    let best = best.max_by(|a, b| own(a).partial_cmp(&own(b)).unwrap_or(std::cmp::Ordering::Equal));
    if let Some(trial) = best.or(comparison.trials.first()) {
        let camera = *Renderer::new(&trial.recording, options).camera();
        let (eye, target) = (Some(camera.position), Some(camera.position + camera.forward));
        options.view = View { eye, target, ..options.view };
    }
    let end = comparison.trials.iter().map(Trial::reached).fold(0.0, f64::max);
    let rate = if end > 0.0 { FASTEST.min((MOST - 1) as f64 / end) } else { FASTEST };
    let each = comparison.trials.iter().enumerate().map(|(color, trial)| film(color, trial, options, rate));
    let all = each.collect::<Result<Vec<Film>, Failure>>()?;
    Ok(html! {
        p { "All runs from the same place and at the same time. A run that ended early stays at its last picture." }
        (films(&all))
    })
}

fn film(color: usize, trial: &Trial, options: Options, rate: f64) -> Result<Film, Failure> {
    let renderer = Renderer::new(&trial.recording, options);
    let frames = frames_at(&trial.recording.time, rate);
    let images = renderer.film(&frames, &|_, _| ());
    let sheet = Sheet::new(&images).map_err(Failure::new)?;
    let poster = match images.last() {
        Some(last) => png_bytes(last).map_err(Failure::new)?,
        None => Vec::new(),
    };
    Ok(Film {
        name: trial.contender.label.clone(),
        note: trial.short_remark(),
        color,
        poster: data_uri("image/png", &poster),
        sheet: data_uri("image/png", &sheet.png),
        size: [options.width, options.height],
        columns: sheet.columns,
        times: frames.iter().map(|&frame| trial.recording.time.get(frame).copied().unwrap_or(0.0)).collect(),
    })
}
