//! Particle by particle, where a linear step has turned elements too far to be trusted.
//!
//! A step that moves the ends of an edge across by a share s of its length stretches it by s²/2, which the matrix does not know. Where
//! that is too much, particles are put where their own forces balance, one after the other, with forces and blocks as they are there.

use drystone_geometry::{DMat3, DVec3};
use drystone_solve::parallel;

use crate::mesh::Mesh;

/// Share of an edge that its ends may move against each other by in a step that is trusted.
const TURNED: f64 = 0.03;
/// Rounds through the particles that are put right.
pub const ROUNDS: u32 = 2;

/// Particles that are put right after a step.
#[derive(Clone, Debug, Default)]
pub struct Relax {
    /// By colour, ascending; where each colour starts.
    rows: Vec<u32>,
    start: Vec<u32>,
    moved: Vec<DVec3>,
}

impl Relax {
    /// Chooses the particles whose edges the step turned far.
    pub fn choose(&mut self, mesh: &Mesh, step: &[DVec3]) {
        let Self { rows, start, .. } = self;
        let at = |row: usize| step.get(row).map_or(DVec3::ZERO, |step| *step);
        let turned = |row: usize| {
            let own = at(row);
            mesh.edges[row].iter().any(|&other| {
                let length = mesh.rest[row].distance_squared(mesh.rest[other as usize]);
                own.distance_squared(at(other as usize)) > TURNED * TURNED * length
            })
        };
        rows.clear();
        parallel::choose(step.len(), turned, rows);
        start.clear();
        start.extend(mesh.colors.iter().map(|&first| rows.partition_point(|&row| row < first) as u32));
    }

    /// Chooses all.
    pub fn choose_all(&mut self, mesh: &Mesh) {
        let Self { rows, start, .. } = self;
        rows.clear();
        rows.extend(0..mesh.free as u32);
        start.clone_from(&mesh.colors);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Puts every particle chosen where its forces balance, those of a colour at once; `local` tells what pushes a particle and how that
    /// grows against it.
    pub fn round(&mut self, x: &mut [DVec3], local: impl Fn(usize, &[DVec3]) -> (DVec3, DMat3) + Sync) {
        let Self { rows, start, moved } = self;
        for color in 0..start.len() - 1 {
            let rows = &rows[start[color] as usize..start[color + 1] as usize];
            moved.clear();
            moved.resize(rows.len(), DVec3::ZERO);
            let here = &*x;
            parallel::each(moved, |index, moved| {
                let (push, block) = local(rows[index] as usize, here);
                *moved = block.inverse() * push;
            });
            rows.iter().zip(moved.iter()).for_each(|(&row, moved)| x[row as usize] += *moved);
        }
    }
}
