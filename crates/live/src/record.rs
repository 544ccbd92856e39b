//! A recording made on the way.

use drystone::Recording;

use crate::stage::Stage;

/// A recording and whether it goes on.
pub struct Record {
    /// What was recorded.
    pub recording: Recording,
    /// Whether steps are added.
    pub on: bool,
    most: usize,
}

impl Record {
    /// Begins at a stage, for at most so many bytes.
    pub fn new(stage: &Stage, most: usize) -> Self {
        let mut record = Self { recording: Recording::new(stage.sim.model()), on: true, most };
        record.append(stage);
        record
    }

    /// Adds a step. Returns why it ended, if it did.
    pub fn push(&mut self, stage: &Stage) -> Option<&'static str> {
        if !self.on {
            return None;
        }
        let (model, of) = (stage.sim.model(), &self.recording.model);
        let same = model.body_count() == of.body_count()
            && model.joint_count() == of.joint_count()
            && model.particle_count() == of.particle_count();
        let later = self.recording.time.last().is_none_or(|&last| stage.sim.time() > last);
        let why = match (same, later) {
            (false, _) => "the recording ended: it is of one scene, and the scene has changed",
            (_, false) => "the recording ended: the simulation went back",
            _ if self.bytes() > self.most => "the recording ended: it is as large as is allowed",
            _ => {
                self.append(stage);
                return None;
            }
        };
        self.on = false;
        Some(why)
    }

    fn append(&mut self, stage: &Stage) {
        let (model, state) = (stage.sim.model(), stage.sim.state());
        let gaps: Vec<f64> =
            (0..model.joint_count() as u32).map(|joint| model.joint_error(state, joint).linear).collect();
        self.recording.push(state, &gaps);
    }

    fn bytes(&self) -> usize {
        let of = &self.recording;
        104 * of.body_q.len() + 96 * of.body_affine.len() + 48 * of.particle_q.len() + 9 * of.joint_error.len()
    }
}
