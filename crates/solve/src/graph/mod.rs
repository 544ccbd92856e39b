//! Graphs of bodies: who is coupled to whom, in which order to sweep them in parallel, and in which order to eliminate them.
//!
//! All parts take constraints as `[body, body]` pairs and a slice `moves` that says which bodies are
//! unknowns. An end that is the world (or any index beyond `moves`), static or kinematic is not an
//! unknown and makes no edge.

pub mod adjacency;
mod color_order;
pub mod coloring;
pub mod csr;
pub mod elimination;
pub mod forest;
pub mod union;

/// Whether `body` is an unknown: it exists and moves. The world index lies beyond the slice.
pub(crate) fn is_unknown(moves: &[bool], body: u32) -> bool {
    moves.get(body as usize).copied().unwrap_or(false)
}

/// Whether a constraint couples two different unknowns.
pub(crate) fn couples(moves: &[bool], edge: [u32; 2]) -> bool {
    edge[0] != edge[1] && is_unknown(moves, edge[0]) && is_unknown(moves, edge[1])
}
