//! What the solver remembers between steps, as bytes.

use drystone_kernels::double::math::{Vec3, Vec6};
use serde::{Deserialize, Serialize};

use super::Vbd;
use super::contact_cache::CachedPoint;
use super::joint::{JointMode, NetMemory};
use super::particles::Particles;
use super::sleep::Sleep;
use drystone_soft::SoftMemory;
use drystone_solve::forces::ForceLedger;
use drystone_solve::solver::SnapshotError;
use drystone_solve::two_step::StepBefore;

/// Everything a resumed run needs to go on bit for bit.
#[derive(Serialize, Deserialize)]
pub struct Snapshot {
    started: Vec<bool>,
    last_acceleration: Vec<[f64; 6]>,
    left_velocity: Vec<[f64; 6]>,
    before: Vec<Option<StepBefore>>,
    jumped: Vec<bool>,
    contact_cache: Vec<CachedPoint>,
    /// Multiplier, last force and working stiffness of every row.
    joint_rows: Vec<[f64; 3]>,
    joint_mode: Vec<[JointMode; 2]>,
    /// Which joints acted: one that seems to have come makes the steps before void.
    joint_active: Vec<bool>,
    nets: Vec<NetMemory>,
    sleep: Sleep,
    particles: Option<SoftMemory>,
}

impl Snapshot {
    /// The memory of a solver.
    pub fn of(solver: &Vbd) -> Self {
        Self {
            started: solver.started.clone(),
            last_acceleration: arrays(&solver.bodies.last_acceleration),
            left_velocity: arrays(&solver.bodies.left_velocity),
            before: solver.before.clone(),
            jumped: solver.jumped.clone(),
            contact_cache: solver.contact_cache.clone(),
            joint_rows: solver.joints.rows.iter().map(|row| [row.lambda, row.force, row.working]).collect(),
            joint_mode: solver.joints.mode.clone(),
            joint_active: solver.joints.active.clone(),
            nets: solver.joint_islands.memories(),
            sleep: solver.sleep.clone(),
            particles: solver.particles.as_ref().map(Particles::memory),
        }
    }

    /// Into a solver of the same model.
    pub fn put_back(self, solver: &mut Vbd) -> Result<(), SnapshotError> {
        let (bodies, rows) = (solver.bodies.last_acceleration.len(), solver.joints.rows.len());
        if self.last_acceleration.len() != bodies
            || self.left_velocity.len() != bodies
            || self.before.len() != solver.before.len()
            || self.jumped.len() != solver.jumped.len()
            || self.started.len() != solver.started.len()
            || self.joint_rows.len() != rows
            || self.joint_mode.len() != solver.joints.count()
            || self.joint_active.len() != solver.joints.count()
            || !self.sleep.fits(solver.before.len(), solver.joints.count())
        {
            return Err(SnapshotError(format!(
                "it holds {} bodies and {} joint rows, the model has {bodies} and {rows}",
                self.last_acceleration.len(),
                self.joint_rows.len()
            )));
        }
        match (&mut solver.particles, self.particles) {
            (Some(particles), Some(memory)) => particles.put_back(memory)?,
            (None, None) => (),
            _ => {
                return Err(SnapshotError(
                    "one of the checkpoint and the model has particles, the other has none".into(),
                ));
            }
        }
        solver.started = self.started;
        solver.bodies.last_acceleration = self.last_acceleration.iter().map(vector).collect();
        solver.bodies.left_velocity = self.left_velocity.iter().map(vector).collect();
        solver.before = self.before;
        solver.jumped = self.jumped;
        solver.contact_cache = self.contact_cache;
        for (row, [lambda, force, working]) in solver.joints.rows.iter_mut().zip(self.joint_rows) {
            (row.lambda, row.force, row.working) = (lambda, force, working);
        }
        solver.joints.mode = self.joint_mode;
        solver.joints.active = self.joint_active;
        solver.sleep = self.sleep;
        // The joint islands are found again at the next step.
        solver.joint_islands.restore(self.nets);
        solver.joints_changed = true;
        // What was told belongs to another step.
        solver.ledger = ForceLedger::default();
        solver.told_later = None;
        solver.account.forget();
        Ok(())
    }
}

fn arrays(vectors: &[Vec6]) -> Vec<[f64; 6]> {
    vectors.iter().map(|v| super::joint::array(*v)).collect()
}

fn vector(v: &[f64; 6]) -> Vec6 {
    Vec6 { l: Vec3::new(v[0], v[1], v[2]), a: Vec3::new(v[3], v[4], v[5]) }
}
