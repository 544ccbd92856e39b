//! Taking checkpoints and going on from them.

use std::sync::Arc;

use drystone_collide::Collide;
use drystone_model::{IndexMap, Model, ModelMap};

use crate::checkpoint::{CHECKPOINT_VERSION, Checkpoint, CheckpointError, EditedModel};
use crate::ids::Ids;
use crate::query::QueryCache;
use crate::simulation::{Simulation, copy_state};

impl Simulation {
    /// Everything that changes during a run, to go on from later. Holds the model too if the scene has been edited.
    pub fn checkpoint(&self) -> Checkpoint {
        let edited = || EditedModel { model: Model::clone(&self.model), ids: self.ids.clone() };
        Checkpoint {
            version: CHECKPOINT_VERSION,
            model_hash: self.base_model().hash(),
            edited: self.base.as_ref().map(|_| edited()),
            solver: self.solver.name().to_owned(),
            dt: self.dt,
            state: self.state.clone(),
            before: self.before.body_q.clone(),
            pace: self.pace,
            control: self.control.clone(),
            solver_snapshot: self.solver.snapshot(),
            collide_snapshot: self.collide.snapshot(),
            touching: self.log.touching().to_vec(),
            sensed: self.sensors.sensed().to_vec(),
            extra: Vec::new(),
        }
    }

    /// Goes on from a checkpoint, bit for bit as the run that took it, its time step and its edits included: also back to
    /// before an edit. The simulation must have been built with the same model, solver and options. On error nothing has
    /// changed.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let model = || {
    ///     let mut scene = ModelBuilder::new();
    ///     scene.ground();
    ///     scene.add_body(BodyDef::dynamic("crate").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)));
    ///     scene.finalize()
    /// };
    /// let mut run = Simulation::new(model()?)?;
    /// let start = run.checkpoint();
    /// let ball = run.edit(|scene| scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 2.0).sphere(0.2)))?;
    /// run.run(10, |_| ())?;
    /// let later = run.checkpoint();
    ///
    /// run.resume(&start)?; // rewind
    /// assert!(run.pose(ball).is_err()); // not there yet
    /// let mut other = Simulation::new(model()?)?;
    /// other.resume(&later)?; // ball and all
    /// assert_eq!(other.pose(ball)?, later.state.body_q[1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        let expected = self.base_model().hash();
        if checkpoint.model_hash != expected {
            return Err(CheckpointError::OtherModel { found: checkpoint.model_hash, expected });
        }
        if checkpoint.solver != self.solver.name() {
            let (found, expected) = (checkpoint.solver.clone(), self.solver.name().to_owned());
            return Err(CheckpointError::OtherSolver { found, expected });
        }
        let scene = self.scene_of(checkpoint);
        match scene {
            Some((model, ids)) => self.resume_model(checkpoint, model, ids)?,
            None => {
                let collide_before = self.collide.clone();
                self.collide.restore(&checkpoint.collide_snapshot).map_err(|_| CheckpointError::Damaged)?;
                if let Err(error) = self.solver.restore(&checkpoint.solver_snapshot) {
                    self.collide = collide_before;
                    return Err(error.into());
                }
            }
        }
        self.dt = checkpoint.dt;
        copy_state(&mut self.state, &checkpoint.state);
        copy_state(&mut self.before, &checkpoint.state);
        self.before.body_q.clone_from(&checkpoint.before);
        self.pace = checkpoint.pace;
        self.control = checkpoint.control.clone();
        self.log.restore(checkpoint.touching.clone());
        self.sensors.restore(checkpoint.sensed.clone());
        self.query = QueryCache::default();
        self.told.clear();
        self.forces = Default::default();
        Ok(())
    }

    /// The model the simulation was built with.
    fn base_model(&self) -> &Model {
        self.base.as_deref().unwrap_or(&self.model)
    }

    /// The model and ids of a checkpoint, unless they are those at hand.
    fn scene_of(&self, checkpoint: &Checkpoint) -> Option<(Model, Ids)> {
        let (model, ids) = match &checkpoint.edited {
            Some(edited) => (&edited.model, edited.ids.clone()),
            None => (self.base_model(), Ids::new(self.base_model())),
        };
        (*model != *self.model || ids != self.ids).then(|| (model.clone(), ids))
    }

    /// Goes on with another model and all that was remembered of it.
    fn resume_model(&mut self, checkpoint: &Checkpoint, model: Model, ids: Ids) -> Result<(), CheckpointError> {
        let mut collide = Collide::new(&model, self.collide.options());
        collide.take_hook_of(&self.collide);
        collide.restore(&checkpoint.collide_snapshot).map_err(|_| CheckpointError::Damaged)?;
        let mut now = model.clone();
        now.body_q.clone_from(&checkpoint.state.body_q);
        now.body_qd.clone_from(&checkpoint.state.body_qd);
        now.particle_q.clone_from(&checkpoint.state.particle_q);
        now.particle_qd.clone_from(&checkpoint.state.particle_qd);
        now.joint_angle.clone_from(&checkpoint.state.joint_angle);
        let mut solver = self.solver.edited(&now, &nothing_stays(&self.model, &model))?;
        solver.restore(&checkpoint.solver_snapshot)?;
        self.base.get_or_insert_with(|| std::mem::take(&mut self.model));
        (self.model, self.ids, self.collide, self.solver) = (Arc::new(model), ids, collide, solver);
        self.name_for_hook();
        if checkpoint.edited.is_none() {
            self.base = None;
        }
        Ok(())
    }
}

/// The map of an edit that replaces everything.
fn nothing_stays(before: &Model, now: &Model) -> ModelMap {
    let fresh = |before: usize, now: usize| IndexMap::new(&vec![false; before], now);
    ModelMap {
        body: fresh(before.body_count(), now.body_count()),
        shape: fresh(before.shape_count(), now.shape_count()),
        joint: fresh(before.joint_count(), now.joint_count()),
        particle: fresh(before.particle_count(), now.particle_count()),
        disturbed: vec![true; now.body_count()],
        reshaped: vec![true; now.shape_count()],
        rejoined: vec![true; now.joint_count()],
        point: Vec::new(),
    }
}
