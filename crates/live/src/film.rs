//! A recording that is played.

use std::sync::Arc;

use drystone::collide::SceneIndex;
use drystone::model::State;
use drystone::solve::Report;
use drystone::{Recording, SceneQuery};

use crate::moment::Moment;

/// A recording and where it stands.
pub struct Film {
    /// The recording.
    pub recording: Recording,
    at: usize,
    state: State,
    /// Tree of the shapes, once somebody has asked, and the frame it was brought to.
    index: Option<(Arc<SceneIndex>, usize)>,
}

impl Film {
    /// At its first frame. One without frames shows the scene as it begins.
    pub fn new(mut recording: Recording) -> Self {
        if recording.frame_count() == 0 {
            let (model, state) = (&recording.model, recording.model.state());
            let mut one = Recording::new(model);
            one.push(&state, &vec![0.0; model.joint_count()]);
            recording = one;
        }
        let state = recording.state(0);
        Self { recording, at: 0, state, index: None }
    }

    /// Number of the last frame.
    pub fn last(&self) -> u64 {
        self.recording.frame_count() as u64 - 1
    }

    /// The frame it stands at.
    pub fn at(&self) -> u64 {
        self.at as u64
    }

    /// Goes to a frame, the last if there are fewer.
    pub fn seek(&mut self, frame: u64) {
        self.at = frame.min(self.last()) as usize;
        self.state = self.recording.state(self.at);
    }

    /// Time from the frame it stands at to the next \[s\].
    pub fn dt(&self) -> f64 {
        let next = (self.at + 1).min(self.recording.frame_count() - 1);
        let dt = self.recording.time[next] - self.recording.time[self.at];
        if dt > 0.0 { dt } else { drystone::DEFAULT_DT }
    }

    /// The moment it stands at.
    pub fn moment(&self) -> Moment<'_> {
        let (model, state, step) = (&self.recording.model, &self.state, self.at());
        Moment { model, state, step, sim: None, frozen: None, held: None }
    }

    /// Asks about the frame it stands at. Shapes are placed once; from frame to frame only what moved.
    pub fn query(&mut self) -> SceneQuery<'_> {
        let Self { recording: Recording { model, .. }, state, at, index } = self;
        let (index, frame) = index.get_or_insert_with(|| (Arc::new(SceneIndex::new(model, state)), *at));
        if *frame != *at {
            // Nobody else holds it: a query borrows the film.
            Arc::make_mut(index).update(model, state);
            *frame = *at;
        }
        SceneQuery::of(model, index.clone(), None)
    }

    /// What the frame says.
    pub fn report(&self) -> Report {
        let gaps = self.recording.joint_errors(self.at).iter();
        let worst = gaps.copied().fold(0.0, f64::max);
        Report { max_joint_error: Some(worst), ..Report::of_motion(&self.recording.model, &self.state) }
    }
}

#[cfg(test)]
mod tests {
    use drystone::model::{BodyDef, DVec3, ModelBuilder};

    use super::*;

    #[test]
    fn it_goes_to_any_frame_and_stops_at_the_last() {
        let mut scene = ModelBuilder::new();
        scene.add_body(BodyDef::dynamic("ball").sphere(0.1));
        let model = scene.finalize().unwrap();
        let mut recording = Recording::new(&model);
        for step in 0..5 {
            let mut state = State { step_count: step, time: step as f64 * 0.5, ..model.state() };
            state.body_q[0].translation = DVec3::X * step as f64;
            recording.push(&state, &[]);
        }
        let mut film = Film::new(recording);
        assert_eq!((film.last(), film.dt()), (4, 0.5));
        film.seek(3);
        assert_eq!(film.moment().state.body_q[0].translation, DVec3::X * 3.0);
        film.seek(99);
        assert_eq!((film.at(), film.moment().state.time), (4, 2.0));
        assert_eq!(Film::new(Recording { model, ..Recording::default() }).last(), 0);
    }
}
