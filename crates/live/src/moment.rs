//! A scene at a moment, of a simulation or of a recording.

use std::collections::BTreeMap;

use drystone::Simulation;
use drystone::model::{BodyId, DVec3, Model, State};
use drystone::solve::{ContactForce, Report};

use crate::stage::{Frozen, Stage};

/// What there is to tell of a moment.
pub struct Moment<'a> {
    /// The scene.
    pub model: &'a Model,
    /// Where everything is.
    pub state: &'a State,
    /// The number of the moment: steps, or frames of a recording.
    pub step: u64,
    /// The simulation, if it is one.
    pub sim: Option<&'a Simulation>,
    /// What the user has frozen.
    pub frozen: Option<&'a BTreeMap<u32, Frozen>>,
    /// Point held and where it is drawn \[m\].
    pub held: Option<[DVec3; 2]>,
}

impl<'a> Moment<'a> {
    /// Of a simulation now.
    pub fn of_stage(stage: &'a Stage) -> Self {
        let held = stage.hands.hold.and_then(|hold| Some([stage.held_point(&hold)?, hold.target]));
        Self {
            model: stage.sim.model(),
            state: stage.sim.state(),
            step: stage.step_count(),
            sim: Some(&stage.sim),
            frozen: Some(&stage.hands.frozen),
            held,
        }
    }

    /// The id of a body by its place in the arrays.
    pub fn body_id(&self, index: usize) -> BodyId {
        self.sim.map_or(BodyId(index as u32), |sim| sim.body_id(index))
    }

    /// Contacts of the step before; none where nobody can tell.
    pub fn contacts(&self) -> &'a [ContactForce] {
        self.sim.and_then(|sim| sim.contacts().ok()).unwrap_or(&[])
    }

    /// Where a body is in the arrays, as frames have it: −1 for the world.
    pub fn frame_index(&self, body: BodyId) -> i32 {
        if body.is_world() {
            return -1;
        }
        let index = self.sim.map_or(Some(body.built_index()), |sim| sim.body_index(body).ok());
        index.map_or(-1, |index| index as i32)
    }

    /// What was measured; of a moment before the first step what can be read off it.
    pub fn report(&self) -> Report {
        match self.sim {
            Some(sim) if self.step > 0 => sim.report().clone(),
            _ => Report::of_motion(self.model, self.state),
        }
    }
}
