//! Ever coarser twins of a system of particles, and one cycle through them (multigrid).

mod coarsen;
mod interpolate;
mod level;
mod transfer;

use drystone_geometry::DVec3;
use drystone_solve::linalg::cholesky::Cholesky;

use crate::matrix::Matrix;
use crate::mesh::Mesh;
use level::Level;
use transfer::Transfer;

/// Systems of so few nodes are solved at once.
const FEW: usize = 40;
/// Sweeps of a coarsest system that is larger: many separate pieces.
const SWEEPS_OF_MANY: usize = 4;

/// Levels from the coarser twin of the particles downward.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    /// The finest level shares its matrix with the caller.
    finest: Level,
    /// From a level to the next, which is coarser.
    transfers: Vec<Transfer>,
    coarse: Vec<(Matrix, Level)>,
    dense: Vec<f64>,
    direct: Option<Cholesky>,
    right: Vec<f64>,
}

impl Hierarchy {
    /// Levels for the rows of a matrix over the particles that move.
    pub fn new(mesh: &Mesh, matrix: &Matrix) -> Self {
        let mut hierarchy = Self { finest: Level::new(mesh.colors.clone()), ..Self::default() };
        let mut nodes = coarsen::Nodes::of(mesh);
        let mut rows = mesh.free;
        while rows > FEW {
            let at = hierarchy.coarse.last().map_or(matrix, |(matrix, _)| matrix);
            let Some((transfer, coarser)) = transfer::build(&nodes, at) else { break };
            rows = coarser.nodes.free;
            hierarchy.transfers.push(transfer);
            hierarchy.coarse.push((coarser.matrix, Level::new(coarser.colors)));
            nodes = coarser.nodes;
        }
        if rows <= FEW {
            hierarchy.direct = Some(Cholesky::default());
        }
        hierarchy
    }

    /// Takes a new matrix over.
    pub fn update(&mut self, matrix: &Matrix) {
        self.finest.update(matrix);
        for level in 0..self.coarse.len() {
            let (finer, coarser) = self.coarse.split_at_mut(level);
            let finer = finer.last().map_or(matrix, |(matrix, _)| matrix);
            let (matrix, level_of) = &mut coarser[0];
            self.transfers[level].galerkin(finer, matrix);
            level_of.update(matrix);
        }
        if let Some(direct) = &mut self.direct {
            let coarsest = self.coarse.last().map_or(matrix, |(matrix, _)| matrix);
            let n = 3 * coarsest.row_count();
            dense(coarsest, &mut self.dense);
            direct.factor(n, &self.dense);
            self.right.resize(n, 0.0);
        }
    }

    /// One cycle for `matrix · out = b` from nothing: a sweep forward, the coarser levels, a sweep backward.
    pub fn cycle(&mut self, matrix: &Matrix, b: &[DVec3], out: &mut Vec<DVec3>) {
        self.finest.b.clear();
        self.finest.b.extend_from_slice(b);
        self.descend(matrix, 0);
        out.clone_from(&self.finest.x);
    }

    fn descend(&mut self, finest: &Matrix, depth: usize) {
        if depth == self.transfers.len() {
            self.solve_coarsest(finest);
            return;
        }
        {
            let Self { finest: top, transfers, coarse, .. } = self;
            let (finer, coarser) = coarse.split_at_mut(depth);
            let (matrix, level) = match finer.last_mut() {
                Some((matrix, level)) => (&*matrix, level),
                None => (finest, top),
            };
            level.start();
            level.forward(matrix);
            level.residual(matrix);
            transfers[depth].restrict(&level.r, &mut coarser[0].1.b);
        }
        self.descend(finest, depth + 1);
        let Self { finest: top, transfers, coarse, .. } = self;
        let (finer, coarser) = coarse.split_at_mut(depth);
        let (matrix, level) = match finer.last_mut() {
            Some((matrix, level)) => (&*matrix, level),
            None => (finest, top),
        };
        transfers[depth].prolong(&coarser[0].1.x, &mut level.x);
        level.backward(matrix);
    }

    fn solve_coarsest(&mut self, finest: &Matrix) {
        let (matrix, level) = match self.coarse.last_mut() {
            Some((matrix, level)) => (&*matrix, level),
            None => (finest, &mut self.finest),
        };
        level.start();
        match &mut self.direct {
            Some(direct) => {
                for (three, b) in self.right.chunks_exact_mut(3).zip(&level.b) {
                    three.copy_from_slice(&b.to_array());
                }
                direct.solve(&mut self.right);
                for (x, three) in level.x.iter_mut().zip(self.right.chunks_exact(3)) {
                    *x = DVec3::from_slice(three);
                }
            }
            None => {
                for _ in 0..SWEEPS_OF_MANY {
                    level.forward(matrix);
                    level.backward(matrix);
                }
            }
        }
    }
}

/// All entries, row by row.
fn dense(matrix: &Matrix, out: &mut Vec<f64>) {
    let n = 3 * matrix.row_count();
    out.clear();
    out.resize(n * n, 0.0);
    for row in 0..matrix.row_count() {
        for entry in matrix.row(row) {
            let (column, block) = (matrix.column[entry] as usize, matrix.value[entry]);
            for i in 0..3 {
                for j in 0..3 {
                    out[(3 * row + i) * n + 3 * column + j] = block.col(j)[i];
                }
            }
        }
    }
}
