//! Direct solution of a symmetric system over the joints of a graph of bodies, in single precision: a
//! preconditioner that is good for five digits.
//!
//! The matrix is H = diag(d) + Σ Wᵀ W with one W of six rows per body, whose columns are the rows of all
//! constraints at that body. (The dual equations of constraints J with masses A have this form, with
//! W = A^(−1/2) Jᵀ.) Its diagonal entries must be one. Constraints are eliminated supernode by supernode
//! in the order of [`Dissection`]; what a supernode couples is gathered in one dense matrix, its front, so
//! nearly all work is done in dense tiles. A cut through a lattice of n × n bodies passes n joints: 3 n
//! unknowns for ball joints, half of those of the bodies on either side, hence an eighth of the work of
//! eliminating bodies.

mod dissection;
mod front;
mod layout;
mod part;

use drystone_solve::parallel::Shared;
use layout::Layout;
use part::Part;
use rayon::prelude::*;

/// The columns of a constraint row in W at its two bodies.
pub type RowEnds = [[f32; 6]; 2];

/// Largest share of the work that one piece may have.
const PIECE: f64 = 1.0 / 12.0;
/// Rows of a graph that is worth cutting into pieces.
const LEAST_ROWS: usize = 2000;
/// Rows that a thread hands over at a time.
const CHUNK: usize = 4096;

/// A matrix over the joints of a graph, factored. Supernodes that cut off much are the last part; what they leave are pieces, which
/// threads take. Pieces depend on the graph alone, so that the result is the same for any number of threads.
#[derive(Clone, Debug, Default)]
pub struct Fronts {
    layout: Layout,
    /// The pieces, and what holds them together.
    parts: Vec<Part>,
    /// Part and place there of every row.
    home: Vec<[u32; 2]>,
}

impl Fronts {
    /// For `count` bodies; edge `e` joins two of them, or one to something held, by the constraint rows
    /// from `row_start[e]` to `row_start[e + 1]`.
    pub fn new(count: usize, edges: &[[u32; 2]], row_start: &[u32]) -> Self {
        let layout = Layout::new(count, edges, row_start);
        let last = layout.supernodes.len().saturating_sub(1);
        let limit = if layout.row_at.len() < LEAST_ROWS { f64::INFINITY } else { PIECE * layout.work_below(last) };
        let (mut parts, mut top) = (Vec::new(), Vec::new());
        divide(&layout, last, limit, &mut parts, &mut top);
        parts.push(Part::new(&layout, top));
        let mut home = vec![[0; 2]; layout.row_at.len()];
        for (part, number) in parts.iter().zip(0..) {
            part.rows(&layout, |row, place| home[row as usize] = [number, place]);
        }
        Self { layout, parts, home }
    }

    /// Factors the matrix.
    pub fn factor(&mut self, rows: &[RowEnds], diagonal: &[f32]) {
        let Self { layout, parts, .. } = self;
        let Some((top, pieces)) = parts.split_last_mut() else { return };
        pieces.par_iter_mut().shared(1).for_each(|piece| piece.factor(layout, rows, diagonal, &[]));
        top.factor(layout, rows, diagonal, pieces);
    }

    /// Solves H x = b; `x` holds b on entry.
    pub fn solve(&mut self, x: &mut [f64]) {
        let Self { layout, parts, home } = self;
        let Some((top, pieces)) = parts.split_last_mut() else { return };
        let b = &*x;
        pieces.par_iter_mut().shared(1).for_each(|piece| piece.forward(layout, b, &[]));
        top.forward(layout, b, pieces);
        top.backward(layout, None);
        let above = &*top;
        pieces.par_iter_mut().shared(1).for_each(|piece| piece.backward(layout, Some(above)));
        x.par_iter_mut().zip(home).shared(CHUNK).for_each(|(x, &mut [part, place])| {
            *x = f64::from(parts[part as usize].value(place));
        });
    }
}

/// Makes pieces of what is small enough below a supernode; the others are the top.
fn divide(layout: &Layout, index: usize, limit: f64, pieces: &mut Vec<Part>, top: &mut Vec<u32>) {
    let Some(supernode) = layout.supernodes.get(index) else { return };
    if layout.work_below(index) <= limit {
        pieces.push(Part::new(layout, (layout.first_below(index)..=index).map(|index| index as u32).collect()));
        return;
    }
    for child in supernode.children {
        divide(layout, child as usize, limit, pieces, top);
    }
    top.push(index as u32);
}

#[cfg(test)]
mod tests {
    use super::dissection::NO_NODE;
    use super::*;
    use drystone_random::Random;
    use drystone_solve::testing::{Dense, grid, max_abs_difference};

    /// Random rows at every end, scaled to a unit diagonal, solved by fronts and densely.
    fn worst_error(count: usize, edges: &[[u32; 2]], random: &mut Random) -> f64 {
        let mut row_start = vec![0];
        edges.iter().for_each(|_| row_start.push(row_start[row_start.len() - 1] + 1 + random.below(4) as u32));
        let total = row_start[edges.len()] as usize;
        let mut w = vec![vec![0.0f64; 6 * count]; total];
        for (edge, ends) in edges.iter().enumerate() {
            for row in row_start[edge]..row_start[edge + 1] {
                for &end in ends.iter().filter(|&&end| end != NO_NODE) {
                    (0..6).for_each(|k| w[row as usize][6 * end as usize + k] = random.signed());
                }
                let size = w[row as usize].iter().map(|x| x * x).sum::<f64>().sqrt() / 0.8f64.sqrt();
                w[row as usize].iter_mut().for_each(|x| *x /= size);
            }
        }
        let edge_of = |row: usize| row_start.partition_point(|&start| start <= row as u32) - 1;
        let columns = |row: usize, end: u32| {
            let at = 6 * end as usize;
            if end == NO_NODE { [0.0; 6] } else { std::array::from_fn(|k| w[row][at + k] as f32) }
        };
        let rows: Vec<RowEnds> = (0..total).map(|row| edges[edge_of(row)].map(|end| columns(row, end))).collect();
        let mut dense = Dense::zero(total);
        for (i, j) in (0..total).flat_map(|i| (0..total).map(move |j| (i, j))) {
            let product: f64 = w[i].iter().zip(&w[j]).map(|(a, b)| a * b).sum();
            dense.entry[i * total + j] = product + if i == j { 0.2 } else { 0.0 };
        }
        let mut x: Vec<f64> = (0..total).map(|_| random.signed()).collect();
        let expected = dense.solve(&x);
        let mut fronts = Fronts::new(count, edges, &row_start);
        fronts.factor(&rows, &vec![0.2; total]);
        fronts.solve(&mut x);
        max_abs_difference(&x, &expected)
    }

    #[test]
    fn agrees_with_dense_elimination() {
        let mut random = Random::new(7);
        let chain: Vec<_> = (1..12).map(|i| [i, i - 1]).chain([[0, NO_NODE], [5, NO_NODE]]).collect();
        assert!(worst_error(12, &chain, &mut random) < 1e-4);
        let ring: Vec<_> = (0..30).map(|i| [i, (i + 1) % 30]).collect();
        assert!(worst_error(30, &ring, &mut random) < 1e-4);
        assert!(worst_error(64, &grid(8), &mut random) < 1e-4);
        for edge_count in [5, 15, 40, 80] {
            let mut node = || random.below(20) as u32;
            let edges: Vec<_> = (0..edge_count).map(|_| [node(), node()]).filter(|[a, b]| a != b).collect();
            assert!(worst_error(20, &edges, &mut random) < 1e-4);
        }
    }

    #[test]
    fn factoring_again_gives_the_same_and_allocates_nothing_more() {
        let edges = grid(6);
        let row_start: Vec<u32> = (0..=edges.len() as u32).collect();
        let rows = vec![[[0.3; 6], [-0.3; 6]]; edges.len()];
        let mut fronts = Fronts::new(36, &edges, &row_start);
        let mut solve = || {
            let mut x = vec![1.0; edges.len()];
            fronts.factor(&rows, &vec![0.1; edges.len()]);
            fronts.solve(&mut x);
            (x, fronts.parts.iter().map(Part::room).sum::<usize>())
        };
        assert_eq!(solve(), solve());
    }
}
