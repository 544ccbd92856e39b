//! The parts every solver shares: graphs of bodies (adjacency, colours, forests), block algebra,
//! linear-time tree elimination and Krylov iterations. No part knows a solver. Only [`joint`] reads the
//! model; the others speak of indices, blocks and vectors.
//!
//! All graph parts take constraints as `[body, body]` pairs and a slice `moves` that says which
//! bodies are unknowns. An end that is the world (or any index beyond `moves`), static or kinematic
//! is not an unknown and makes no edge.

pub mod adjacency;
pub mod bicg;
pub mod block6;
pub mod block_ldl;
pub mod bounded;
pub mod cholesky;
pub mod coarse;
mod color_order;
pub mod coloring;
pub mod csr;
pub mod elimination;
pub mod forest;
pub mod fronts;
pub mod geometric_stiffness;
pub mod joint;
pub mod krylov;
pub mod ldl;
pub mod matrix;
pub mod minres;
pub mod real;
pub mod saddle_solve;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tree_layout;
pub mod tree_solve;
pub mod twisted;
pub mod two_step;

pub use adjacency::{Adjacency, Incidence};
pub use bicg::bicg;
pub use block_ldl::BlockLdl;
pub use cholesky::Cholesky;
pub use coarse::Multilevel;
pub use coloring::{ColorOrder, Coloring};
pub use csr::Csr;
pub use elimination::Elimination;
pub use forest::Forest;
pub use fronts::Fronts;
pub use geometric_stiffness::{geometric_stiffness, geometric_stiffness_psd};
pub use krylov::{Ending, Outcome, Stop, Workspace, cg};
pub use ldl::{Ldl, NotPositiveDefinite};
pub use matrix::{Mat, Mat3, Mat6, Vec6};
pub use minres::minres;
pub use real::Real;
pub use saddle_solve::{SaddleBlocks, SaddleSolver};
pub use tree_layout::{SingularBlock, TreeSlot};
pub use tree_solve::{TreeBlocks, TreeSolver};

/// Whether `body` is an unknown: it exists and moves. The world index lies beyond the slice.
pub(crate) fn is_unknown(moves: &[bool], body: u32) -> bool {
    moves.get(body as usize).copied().unwrap_or(false)
}

/// Whether a constraint couples two different unknowns.
pub(crate) fn couples(moves: &[bool], edge: [u32; 2]) -> bool {
    edge[0] != edge[1] && is_unknown(moves, edge[0]) && is_unknown(moves, edge[1])
}
