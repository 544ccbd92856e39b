//! Elimination of the leading unknowns of one dense symmetric matrix, in single precision.

use drystone_kernels::lanes::{self, Lanes, Task};
use drystone_solve::parallel::Shared;
use rayon::prelude::*;

/// Columns that are eliminated before the rest is brought up to date in one go.
const PANEL: usize = 32;
/// Rows of a tile of the update.
const TILE: usize = 8;
/// Columns that share their accumulators.
const STRIP: usize = 4;
/// Products from which on threads share an update.
const PARALLEL: usize = 400_000;
/// Pivots below this share of the diagonal entry, which is one, are rounding: the row depends on those
/// before it and is left out.
const SMALLEST_PIVOT: f32 = 2.0e-6;

/// Eliminates the first `own` of `size` unknowns of a matrix given by the lower triangle of its columns.
/// They end up as columns of the Cholesky factor with the reciprocal of its diagonal, zero for rows left
/// out; the rest as the matrix that is left. `packed` is scratch.
pub fn eliminate(front: &mut [f32], size: usize, own: usize, packed: &mut Vec<f32>) {
    for first in (0..own).step_by(PANEL) {
        let end = (first + PANEL).min(own);
        lanes::run(Panel { front, size, first, end });
        pack(front, size, first, end, packed);
        update(front, size, end, end - first, packed);
    }
}

/// Columns that are eliminated one by one, compiled for wide registers where there are any.
struct Panel<'a> {
    front: &'a mut [f32],
    size: usize,
    first: usize,
    end: usize,
}

impl Task for Panel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        for k in self.first..self.end {
            eliminate_column(self.front, self.size, k, self.end);
        }
    }
}

/// Scales column `k` and takes it out of the columns up to `end`.
#[inline(always)]
fn eliminate_column(front: &mut [f32], size: usize, k: usize, end: usize) {
    let (done, rest) = front.split_at_mut((k + 1) * size);
    let column = &mut done[k * size..];
    let pivot = column[k];
    let inverse = if pivot > SMALLEST_PIVOT { 1.0 / pivot.sqrt() } else { 0.0 };
    column[k] = inverse;
    column[k + 1..].iter_mut().for_each(|entry| *entry *= inverse);
    for (j, target) in (k + 1..end).zip(rest.chunks_exact_mut(size)) {
        let share = column[j];
        target[j..].iter_mut().zip(&column[j..]).for_each(|(target, entry)| *target -= share * entry);
    }
}

/// Copies the rows below `end` of columns `first` to `end` in tiles: all columns of eight rows, then the
/// next eight, padded by zeros.
fn pack(front: &[f32], size: usize, first: usize, end: usize, packed: &mut Vec<f32>) {
    let (tiles, columns) = ((size - end).div_ceil(TILE), end - first);
    packed.clear();
    packed.resize(tiles * columns * TILE, 0.0);
    for k in 0..columns {
        let column = &front[(first + k) * size + end..(first + k + 1) * size];
        for (tile, rows) in column.chunks(TILE).enumerate() {
            let at = (tile * columns + k) * TILE;
            packed[at..at + rows.len()].copy_from_slice(rows);
        }
    }
}

/// Takes the packed columns out of the rest of the matrix, which starts at `end`. Threads take tiles of columns.
fn update(front: &mut [f32], size: usize, end: usize, columns: usize, packed: &[f32]) {
    let tiles = front[end * size..].par_chunks_mut(TILE * size);
    let few = (size - end) * (size - end) * columns < PARALLEL;
    tiles.shared(if few { usize::MAX } else { 1 }).enumerate().for_each(|(tile, front)| {
        lanes::run(Tile { front, size, end, columns, packed, tile });
    });
}

/// A tile of columns that the packed ones are taken out of.
struct Tile<'a> {
    front: &'a mut [f32],
    size: usize,
    end: usize,
    columns: usize,
    packed: &'a [f32],
    tile: usize,
}

impl Task for Tile<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { front, size, end, columns, packed, tile } = self;
        let length = columns * TILE;
        let own = &packed[tile * length..(tile + 1) * length];
        for strip in 0..TILE / STRIP {
            for (below, rows) in packed.chunks_exact(length).enumerate().skip(tile) {
                let product = product(own, rows, strip * STRIP);
                let row = end + below * TILE;
                let height = TILE.min(size - row);
                for (column, taken) in front.chunks_exact_mut(size).skip(strip * STRIP).zip(&product) {
                    let target = &mut column[row..row + height];
                    target.iter_mut().zip(taken).for_each(|(target, taken)| *target -= taken);
                }
            }
        }
    }
}

/// Eight rows times four.
#[inline(always)]
fn product(own: &[f32], rows: &[f32], offset: usize) -> [[f32; TILE]; STRIP] {
    let mut sum = [[0.0; TILE]; STRIP];
    for (own, rows) in own.as_chunks::<TILE>().0.iter().zip(rows.as_chunks::<TILE>().0) {
        for j in 0..STRIP {
            for i in 0..TILE {
                sum[j][i] += own[offset + j] * rows[i];
            }
        }
    }
    sum
}

/// Solves with the eliminated columns: `x` holds the right-hand side, with the part that goes on to the
/// rest at its end.
pub fn forward(factor: &[f32], own: usize, x: &mut [f32]) {
    lanes::run(Forward { factor, own, x });
}

struct Forward<'a> {
    factor: &'a [f32],
    own: usize,
    x: &'a mut [f32],
}

impl Task for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { factor, own, x } = self;
        for (k, column) in factor.chunks_exact(x.len().max(1)).enumerate().take(own) {
            let value = x[k] * column[k];
            x[k] = value;
            x[k + 1..].iter_mut().zip(&column[k + 1..]).for_each(|(x, entry)| *x -= value * entry);
        }
    }
}

/// Solves back: the end of `x` is known.
pub fn backward(factor: &[f32], own: usize, x: &mut [f32]) {
    lanes::run(Backward { factor, own, x });
}

struct Backward<'a> {
    factor: &'a [f32],
    own: usize,
    x: &'a mut [f32],
}

impl Task for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { factor, own, x } = self;
        let size = x.len();
        for k in (0..own).rev() {
            let column = &factor[k * size..(k + 1) * size];
            x[k] = (x[k] - dot(&column[k + 1..], &x[k + 1..])) * column[k];
        }
    }
}

/// In lanes of a fixed number, so that it is quick and always the same.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; TILE];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<TILE>(), b.as_chunks::<TILE>());
    for (a, b) in a.iter().zip(b) {
        for i in 0..TILE {
            lanes[i] += a[i] * b[i];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_random::Random;
    use drystone_solve::testing::Dense;

    #[test]
    fn what_is_left_is_the_schur_complement() {
        let mut random = Random::new(5);
        for (size, own) in [(1, 1), (7, 3), (50, 41), (75, 75), (100, 70)] {
            let mut dense = Dense::zero(size);
            let rows: Vec<Vec<f64>> = (0..size).map(|_| (0..size).map(|_| random.signed()).collect()).collect();
            for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
                let product: f64 = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
                let norms: f64 = [i, j].iter().map(|&k| rows[k].iter().map(|a| a * a).sum::<f64>().sqrt()).product();
                dense.entry[i * size + j] = 0.5 * product / norms + if i == j { 0.5 } else { 0.0 };
            }
            let mut front: Vec<f32> = dense.entry.iter().map(|&entry| entry as f32).collect();
            eliminate(&mut front, size, own, &mut Vec::new());
            let columns: Vec<Vec<f64>> = (own..size)
                .map(|j| {
                    let mut leading = Dense::zero(own);
                    (0..own).for_each(|i| {
                        leading.entry[i * own..][..own].copy_from_slice(&dense.entry[i * size..][..own]);
                    });
                    let right: Vec<f64> = (0..own).map(|i| dense.entry[i * size + j]).collect();
                    leading.solve(&right)
                })
                .collect();
            for (j, column) in (own..size).zip(&columns) {
                for i in j..size {
                    let taken: f64 = (0..own).map(|k| dense.entry[i * size + k] * column[k]).sum();
                    let expected = dense.entry[i * size + j] - taken;
                    assert!((f64::from(front[j * size + i]) - expected).abs() < 2e-5, "{size} {own}: ({i}, {j})");
                }
            }
        }
    }
}
