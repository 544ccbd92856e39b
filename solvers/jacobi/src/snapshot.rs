//! What the solver remembers between steps, as bytes.

use drystone_model::ModelMap;
use serde::{Deserialize, Serialize};

use super::Jacobi;
use super::contacts::PointMemory;
use drystone_solve::solver::SnapshotError;

/// Everything a resumed run needs to go on bit for bit.
#[derive(Serialize, Deserialize)]
pub struct Snapshot {
    whole: bool,
    last_step: f64,
    points: Vec<[f64; 3]>,
    rows: Vec<[f64; 3]>,
    contacts: Vec<PointMemory>,
    reserve: Vec<f64>,
}

impl Snapshot {
    /// The memory of a solver.
    pub fn of(solver: &Jacobi) -> Self {
        let mut points = vec![[0.0; 3]; solver.joint_count];
        solver.engine.impulses(&mut points);
        Self {
            whole: solver.whole,
            last_step: solver.last_step,
            points,
            rows: solver.joints.impulse.clone(),
            contacts: solver.contacts.memory.clone(),
            reserve: solver.accounts.reserve.clone(),
        }
    }

    /// What of it goes on after an edit that led from the model of one solver to that of another.
    pub fn edited(self, from: &Jacobi, to: &Jacobi, map: &ModelMap) -> Self {
        let points = (0..to.joint_count).map(|joint| map.loaded_joint(joint).map_or([0.0; 3], |was| self.points[was]));
        Self {
            points: points.collect(),
            rows: to.joints.carry_impulses(&from.joints, map),
            contacts: map.carry_points(&self.contacts),
            reserve: map.body.carry(&self.reserve, 0.0),
            ..self
        }
    }

    /// Into a solver of the same model.
    pub fn put_back(self, solver: &mut Jacobi) -> Result<(), SnapshotError> {
        let (joints, rows) = (solver.joint_count, solver.joints.impulse.len());
        if self.points.len() != joints || self.rows.len() != rows {
            return Err(SnapshotError(format!(
                "it holds {} joints and {} blocks of rows, the model has {joints} and {rows}",
                self.points.len(),
                self.rows.len()
            )));
        }
        let bodies = solver.accounts.reserve.len();
        if self.reserve.len() != bodies {
            let held = self.reserve.len();
            return Err(SnapshotError(format!("it holds {held} bodies, the model has {bodies}")));
        }
        solver.whole = self.whole || solver.device.is_some();
        solver.left.clear();
        solver.last_step = self.last_step;
        solver.joints.impulse = self.rows;
        solver.contacts.memory = self.contacts;
        solver.accounts.reserve = self.reserve;
        // The groups are found again at the next step, and the multipliers go there.
        solver.pending = Some(self.points);
        Ok(())
    }
}
