//! Editing a scene while it runs: a batch of changes, checked as a whole, done or refused as a whole.
//!
//! The model is turned back into definitions at the poses of now, changed, and finalized once; what was there before is
//! carried over by an index map. The cost is that of a model and does not depend on the number of changes.

mod apply;
mod marks;
mod particles;
mod scene;

use drystone_model::ModelError;
use drystone_solve::Refusal;
use thiserror::Error;

pub use scene::SceneEdit;

use crate::ids::RequestError;
use crate::simulation::Simulation;

/// Why an edit was refused. Nothing has changed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EditError {
    /// One of the changes makes no sense.
    #[error("the edit is refused: {0}")]
    Request(#[from] RequestError),
    /// The scene would not be sound.
    #[error("the edit is refused: {0}")]
    Model(#[from] ModelError),
    /// The solver cannot honour the scene it would lead to.
    #[error("the edit is refused: {0}")]
    Solver(#[from] Refusal),
}

impl Simulation {
    /// Changes the scene: all that `change` asks for, or nothing if any of it is refused.
    ///
    /// What stays goes on as if nothing had happened: contacts, loads, joint multipliers and sleep are kept, and ids stay
    /// valid. Groups of bodies that touch or are tied to what was removed or changed wake. Under `vbd` a stack beside
    /// the edit does not move by a bit, unless the edit brings in a thinner shape, by which the number of substeps is chosen. The
    /// other solvers share decisions between all bodies of a scene (how often a step is cut, how far a Newton step goes).
    ///
    /// New bodies in a world that is under way start without loads, like something that falls onto a pile. `reset_world` puts
    /// old bodies back to where they began and new ones to where they were added. Recordings are of one model: begin a new one.
    ///
    /// ```
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// scene.ground();
    /// let lower = scene.add_body(BodyDef::dynamic("lower").at(DVec3::Z * 0.5).cuboid(DVec3::splat(0.5)));
    /// let upper = scene.add_body(BodyDef::dynamic("upper").at(DVec3::Z * 1.5).cuboid(DVec3::splat(0.5)));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.run(10, |_| ())?;
    ///
    /// let ball = sim.edit(|scene| {
    ///     scene.remove_body(lower)?;
    ///     scene.add_body(BodyDef::dynamic("ball").at(DVec3::X * 3.0 + DVec3::Z).sphere(0.2))
    /// })?;
    /// sim.run(60, |_| ())?;
    /// assert!((sim.pose(upper)?.translation.z - 0.5).abs() < 0.01); // it fell by one crate
    /// assert!((sim.pose(ball)?.translation.z - 0.2).abs() < 0.01);
    /// assert_eq!(sim.pose(lower).unwrap_err().to_string(), "body #0 was removed from the scene");
    ///
    /// let refused = sim.edit(|scene| {
    ///     scene.remove_body(ball)?;
    ///     scene.change_body(upper, |body| body.mass = drystone::model::MassSource::Total(-1.0))
    /// });
    /// assert!(refused.unwrap_err().to_string().contains("body `upper`"));
    /// assert!(sim.pose(ball).is_ok()); // the other half of the batch was not done either
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit<T>(
        &mut self,
        change: impl FnOnce(&mut SceneEdit<'_>) -> Result<T, RequestError>,
    ) -> Result<T, EditError> {
        let mut scene = SceneEdit::new(self);
        let answer = change(&mut scene)?;
        if let Some(edit) = scene.finish()? {
            self.apply_edit(edit)?;
        }
        Ok(answer)
    }
}
