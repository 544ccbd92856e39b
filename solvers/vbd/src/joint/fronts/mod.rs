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

use layout::{Layout, Supernode};

/// The columns of a constraint row in W at its two bodies.
pub type RowEnds = [[f32; 6]; 2];

/// A matrix over the joints of a graph, factored.
#[derive(Clone, Debug, Default)]
pub struct Fronts {
    layout: Layout,
    /// Columns of the factor, supernode by supernode.
    factor: Vec<f32>,
    front: Vec<f32>,
    /// What supernodes leave for the supernodes that cut them off: a stack.
    left: Vec<f32>,
    packed: Vec<f32>,
    x: Vec<f32>,
}

impl Fronts {
    /// For `count` bodies; edge `e` joins two of them, or one to something held, by the constraint rows
    /// from `row_start[e]` to `row_start[e + 1]`.
    pub fn new(count: usize, edges: &[[u32; 2]], row_start: &[u32]) -> Self {
        let layout = Layout::new(count, edges, row_start);
        Self {
            factor: vec![0.0; layout.factor_len],
            front: vec![0.0; layout.largest * layout.largest],
            left: Vec::with_capacity(layout.deepest),
            packed: Vec::new(),
            x: vec![0.0; layout.row_at.len()],
            layout,
        }
    }

    /// Factors the matrix.
    pub fn factor(&mut self, rows: &[RowEnds], diagonal: &[f32]) {
        self.left.clear();
        for index in 0..self.layout.supernodes.len() {
            let supernode = self.layout.supernodes[index];
            let size = supernode.size();
            self.front[..size * size].fill(0.0);
            self.gather(&supernode, rows, diagonal);
            for &child in supernode.children.iter().rev() {
                self.take_over(child, size);
            }
            front::eliminate(&mut self.front[..size * size], size, supernode.own as usize, &mut self.packed);
            self.hand_on(&supernode);
        }
    }

    /// Adds what bodies and diagonal bring to a supernode.
    fn gather(&mut self, supernode: &Supernode, rows: &[RowEnds], diagonal: &[f32]) {
        let (layout, size) = (&self.layout, supernode.size());
        for body in supernode.bodies() {
            let touches = layout.touches(body);
            for (k, a) in touches.iter().enumerate() {
                let own = &rows[a.row as usize][a.end as usize];
                for b in &touches[k..] {
                    let product: f32 = own.iter().zip(&rows[b.row as usize][b.end as usize]).map(|(a, b)| a * b).sum();
                    self.front[a.at as usize * size + b.at as usize] += product;
                }
            }
        }
        for k in 0..supernode.own as usize {
            self.front[k * size + k] += diagonal[layout.row_at[supernode.first as usize + k] as usize];
        }
    }

    /// Adds what a supernode left to the front of its parent, of `size` rows.
    fn take_over(&mut self, child: u32, size: usize) {
        let Some(supernode) = self.layout.supernodes.get(child as usize) else { return };
        let into = &self.layout.into_parent[supernode.boundary()];
        let count = into.len();
        let start = self.left.len() - count * count;
        for (j, column) in self.left[start..].chunks_exact(count.max(1)).enumerate() {
            let target = &mut self.front[into[j] as usize * size..][..size];
            into[j..].iter().zip(&column[j..]).for_each(|(&i, value)| target[i as usize] += value);
        }
        self.left.truncate(start);
    }

    /// Keeps the columns of the factor and leaves the rest to the parent.
    fn hand_on(&mut self, supernode: &Supernode) {
        let (size, own) = (supernode.size(), supernode.own as usize);
        self.factor[supernode.factor..supernode.factor + own * size].copy_from_slice(&self.front[..own * size]);
        for column in self.front[own * size..size * size].chunks_exact(size.max(1)) {
            self.left.extend_from_slice(&column[own..]);
        }
    }

    /// Solves H x = b; `x` holds b on entry.
    pub fn solve(&mut self, x: &mut [f64]) {
        let Self { layout, factor, front: local, x: placed, .. } = self;
        placed.iter_mut().zip(&layout.row_at).for_each(|(placed, &row)| *placed = x[row as usize] as f32);
        for supernode in &layout.supernodes {
            let (size, own, first) = (supernode.size(), supernode.own as usize, supernode.first as usize);
            let local = &mut local[..size];
            local[..own].copy_from_slice(&placed[first..first + own]);
            local[own..].fill(0.0);
            front::forward(&factor[supernode.factor..supernode.factor + own * size], own, local);
            placed[first..first + own].copy_from_slice(&local[..own]);
            let boundary = layout.boundary[supernode.boundary()].iter();
            boundary.zip(&local[own..]).for_each(|(&place, value)| placed[place as usize] += value);
        }
        for supernode in layout.supernodes.iter().rev() {
            let (size, own, first) = (supernode.size(), supernode.own as usize, supernode.first as usize);
            let local = &mut local[..size];
            local[..own].copy_from_slice(&placed[first..first + own]);
            let boundary = layout.boundary[supernode.boundary()].iter();
            local[own..].iter_mut().zip(boundary).for_each(|(local, &place)| *local = placed[place as usize]);
            front::backward(&factor[supernode.factor..supernode.factor + own * size], own, local);
            placed[first..first + own].copy_from_slice(&local[..own]);
        }
        placed.iter().zip(&layout.row_at).for_each(|(&placed, &row)| x[row as usize] = f64::from(placed));
    }
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
            (x, fronts.left.capacity())
        };
        assert_eq!(solve(), solve());
    }
}
