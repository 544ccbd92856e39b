//! Comparing recomputed figures with those of a report.

use std::path::Path;

use drystone::Recording;
use drystone::geometry::DVec3;
use serde::Serialize;

use super::Figures;
use crate::error::Failure;
use crate::report::{RunReport, Series};

/// Energies and momenta are sums in another order: they agree to rounding of their largest terms.
const ROUNDING: f64 = 1e-9;
/// Overlaps are measured differently (least shift against contact points): they agree in size.
const OVERLAP: f64 = 0.25;

/// One figure compared.
#[derive(Clone, Debug, Serialize)]
pub struct Agreement {
    /// What is compared.
    pub figure: &'static str,
    /// Largest difference found, on the scale of `bound`.
    pub difference: f64,
    /// Difference allowed.
    pub bound: f64,
    /// Whether it is within the bound.
    pub agrees: bool,
}

/// Reads a report file.
pub fn read(path: &Path) -> Result<RunReport, Failure> {
    let place = |error: &dyn std::fmt::Display| Failure::new(format!("--against {}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| place(&error))?;
    serde_json::from_str(&text)
        .map_err(|error| place(&format!("{error}; give a file written by `drystone run --report`")))
}

/// Compares frame by frame, at equal times.
pub fn compare(figures: &Figures, recording: &Recording, report: &RunReport) -> Result<Vec<Agreement>, Failure> {
    let series = &report.series;
    let pairs: Vec<(usize, usize)> = matching_times(&recording.time, &series.time);
    if pairs.is_empty() {
        return Err(Failure::new(
            "the report has no step at the time of any recorded frame; are they of the same run?",
        ));
    }
    let size = scene_size(recording);
    let mut found = vec![
        agreement("energy", energy_difference(figures, series, &pairs), ROUNDING),
        agreement("momentum", momentum_difference(figures, series, &pairs), ROUNDING),
        agreement("joint error / scene size", joint_difference(figures, series, &pairs) / size, ROUNDING),
    ];
    // A solver that measures no overlap says nothing that could be compared. Where cloth meets cloth it also counts layers that are
    // nearer than their radii, which are no overlap here.
    let layers = recording.model.particle_radius.iter().any(|radius| *radius > 0.0);
    if !layers && series.penetration.iter().any(Option::is_some) {
        found.push(agreement("penetration", overlap_difference(figures, series, &pairs, size), OVERLAP));
    }
    Ok(found)
}

fn agreement(figure: &'static str, difference: f64, bound: f64) -> Agreement {
    Agreement { figure, difference, bound, agrees: difference <= bound }
}

/// Indices of equal times in both lists; both ascend.
fn matching_times(frames: &[f64], steps: &[f64]) -> Vec<(usize, usize)> {
    let find = |time: &f64| steps.binary_search_by(|step| step.total_cmp(time)).ok();
    frames.iter().enumerate().filter_map(|(frame, time)| Some((frame, find(time)?))).collect()
}

fn energy_difference(figures: &Figures, series: &Series, pairs: &[(usize, usize)]) -> f64 {
    worst(pairs, |(frame, step)| {
        let is = &figures.frames[frame];
        let kinetic = (is.kinetic_energy - series.kinetic_energy[step]).abs();
        let potential = (is.potential_energy - series.potential_energy[step]).abs();
        kinetic.max(potential) / is.energy_scale.max(f64::MIN_POSITIVE)
    })
}

fn momentum_difference(figures: &Figures, series: &Series, pairs: &[(usize, usize)]) -> f64 {
    worst(pairs, |(frame, step)| {
        let is = &figures.frames[frame];
        let linear = (is.momentum - DVec3::from_array(series.momentum[step])).length();
        let angular = (is.angular_momentum - DVec3::from_array(series.angular_momentum[step])).length();
        let [linear_scale, angular_scale] = is.momentum_scale.map(|scale| scale.max(f64::MIN_POSITIVE));
        (linear / linear_scale).max(angular / angular_scale)
    })
}

fn joint_difference(figures: &Figures, series: &Series, pairs: &[(usize, usize)]) -> f64 {
    worst(pairs, |(frame, step)| {
        // What the report did not measure agrees with nothing.
        series.joint_error[step].map_or(f64::NAN, |said| (figures.frames[frame].joint_error - said).abs())
    })
}

/// Compares the deepest overlaps of the run, relative to the larger of both where that is more than
/// a ten-thousandth of the scene. Single frames may differ: a body that tumbles into another within a
/// step is overlapped at once but has no contact before the next.
fn overlap_difference(figures: &Figures, series: &Series, pairs: &[(usize, usize)], size: f64) -> f64 {
    let measured =
        pairs.iter().filter_map(|(frame, step)| Some((figures.overlap[*frame]?, series.penetration[*step]?)));
    let (is, said) = measured.fold((0.0, 0.0), |(is, said): (f64, f64), (a, b)| (is.max(a), said.max(b)));
    (is - said).abs() / is.max(said).max(1e-4 * size)
}

fn worst(pairs: &[(usize, usize)], difference: impl Fn((usize, usize)) -> f64) -> f64 {
    // NaN must not pass for agreement.
    pairs
        .iter()
        .map(|pair| difference(*pair))
        .fold(0.0, |most, value| if value.is_nan() { f64::INFINITY } else { most.max(value) })
}

/// Size of the largest body surface \[m\], the scale of lengths in a scene.
fn scene_size(recording: &Recording) -> f64 {
    let surface = &recording.surface;
    let dynamic = |vertex: &usize| surface.body[*vertex] != drystone::model::WORLD;
    let radii = (0..surface.vertex.len()).filter(dynamic).map(|vertex| surface.vertex[vertex].length());
    2.0 * radii.fold(0.0, f64::max).max(f64::MIN_POSITIVE)
}
