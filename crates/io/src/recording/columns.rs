//! The arrays of a recording that grow with its frames.

use drystone::Recording;
use drystone::model::Model;

use super::arrays::{poses, vectors};
use crate::npz::Data;

/// One array with a row per frame.
pub(super) struct Column {
    /// Name of the array.
    pub name: &'static str,
    /// Lengths of all dimensions but the first.
    row: fn(&Model) -> Vec<usize>,
    /// The values of all frames of a recording.
    pub values: fn(&Recording) -> Data,
}

impl Column {
    /// Lengths of all dimensions for so many frames.
    pub(super) fn shape(&self, model: &Model, frames: usize) -> Vec<usize> {
        [vec![frames], (self.row)(model)].concat()
    }

    /// Whether a recording has it: affine placements are optional, and files made elsewhere may lack velocities of particles.
    pub(super) fn is_in(&self, recording: &Recording) -> bool {
        match self.name {
            AFFINE => !recording.body_affine.is_empty(),
            PARTICLE_VELOCITY => recording.particle_qd.len() == recording.particle_q.len(),
            _ => true,
        }
    }
}

/// Name of an optional array.
pub(super) const AFFINE: &str = "body_affine";
/// See [`AFFINE`].
pub(super) const PARTICLE_VELOCITY: &str = "particle_qd";

/// All of them, in the order in which they are written.
pub(super) const COLUMNS: [Column; 8] = [
    Column { name: "time", row: |_| vec![], values: |r| Data::Float(r.time.clone()) },
    Column { name: "body_q", row: |m| vec![m.body_count(), 7], values: |r| Data::Float(poses(&r.body_q)) },
    Column {
        name: "body_qd",
        row: |m| vec![m.body_count(), 6],
        values: |r| Data::Float(vectors(r.body_qd.iter().flat_map(|t| [&t.linear, &t.angular]))),
    },
    Column {
        name: AFFINE,
        row: |m| vec![m.body_count(), 3, 4],
        values: |r| Data::Float(r.body_affine.as_flattened().to_vec()),
    },
    Column {
        name: "particle_q",
        row: |m| vec![m.particle_count(), 3],
        values: |r| Data::Float(vectors(&r.particle_q)),
    },
    Column {
        name: PARTICLE_VELOCITY,
        row: |m| vec![m.particle_count(), 3],
        values: |r| Data::Float(vectors(&r.particle_qd)),
    },
    Column { name: "joint_error", row: |m| vec![m.joint_count()], values: |r| Data::Float(r.joint_error.clone()) },
    Column { name: "joint_intact", row: |m| vec![m.joint_count()], values: |r| Data::Bool(r.joint_intact.clone()) },
];
