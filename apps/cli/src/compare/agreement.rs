//! How far the motions of two solvers are apart.

use drystone::Recording;
use drystone::model::{BodyKind, DVec3, Model, Pose};

use super::trial::Trial;

/// Centres of mass of the moving bodies \[m\].
pub fn centers(model: &Model, poses: &[Pose]) -> Vec<DVec3> {
    let moving = (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic);
    moving.map(|body| poses[body].transform_point(model.body_com[body])).collect()
}

/// Root of the mean square distance of corresponding points \[m\].
pub fn rms_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (*a - *b).length_squared()).sum();
    (sum / a.len().max(1) as f64).sqrt()
}

/// Distance of two recordings of the same scene in every frame both have: time \[s\], root of the mean square
/// distance of the centres, largest distance \[m\].
pub fn distances(a: &Recording, b: &Recording) -> Vec<[f64; 3]> {
    let common = a.frame_count().min(b.frame_count());
    let at = |frame: usize| {
        let [a, b] = [a, b].map(|recording| centers(&recording.model, recording.poses(frame)));
        let farthest = a.iter().zip(&b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
        (rms_distance(&a, &b), farthest)
    };
    // Runs of one comparison keep the same steps, so that frames correspond.
    (0..common).map(|frame| (frame, at(frame))).map(|(frame, (rms, most))| [a.time[frame], rms, most]).collect()
}

/// The last time all of these runs reached \[s\], and how far each is from each then \[m\].
pub struct Matrix {
    /// Time compared at \[s\].
    pub time: f64,
    /// Root of the mean square distance, by pair \[m\].
    pub rms: Vec<Vec<f64>>,
}

impl Matrix {
    /// Compares every run with every other.
    pub fn new(trials: &[Trial]) -> Self {
        let frames = trials.iter().map(|trial| trial.recording.frame_count()).min().unwrap_or(0);
        let Some(frame) = frames.checked_sub(1) else { return Self { time: 0.0, rms: Vec::new() } };
        let places: Vec<Vec<DVec3>> =
            trials.iter().map(|trial| centers(&trial.recording.model, trial.recording.poses(frame))).collect();
        let rms = places.iter().map(|a| places.iter().map(|b| rms_distance(a, b)).collect()).collect();
        Self { time: trials[0].recording.time[frame], rms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_scenes::make;

    #[test]
    fn motions_apart_by_a_known_shift_are_that_far_apart() {
        let model = make("stack", &["count=3"]).unwrap().model;
        let [mut a, mut b] = [Recording::new(&model), Recording::new(&model)];
        let mut state = model.state();
        a.push(&state, &[]);
        a.push(&state, &[]);
        b.push(&state, &[]);
        // One of three bodies, by three metres: 3/√3 in the mean square.
        state.body_q[1].translation += DVec3::new(1.0, 2.0, 2.0);
        b.push(&state, &[]);
        b.push(&state, &[]);
        let found = distances(&a, &b);
        assert_eq!((found.len(), found[0]), (2, [0.0, 0.0, 0.0]));
        assert!((found[1][1] - 3.0_f64.sqrt()).abs() < 1e-12 && (found[1][2] - 3.0).abs() < 1e-12);
    }
}
