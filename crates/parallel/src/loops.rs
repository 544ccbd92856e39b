//! Loops whose turns do not depend on each other, in pieces that threads take. Every turn writes its own places only, so that
//! the result is the same for any number of threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::alone::{Shared, join};

/// Turns that one thread takes at a time. Shorter loops stay where they are: a thread is woken in some microseconds.
pub const PIECE: usize = 256;

/// Calls `work` with every index and its item.
pub fn each<A: Send>(a: &mut [A], work: impl Fn(usize, &mut A) + Sync) {
    pieces(a.len(), a.par_chunks_mut(PIECE), |start, a| {
        a.iter_mut().enumerate().for_each(|(i, a)| work(start + i, a));
    });
}

/// Calls `work` with pieces of a list, each with the index it starts at; never with an empty one.
pub fn each_piece<A: Send>(a: &mut [A], work: impl Fn(usize, &mut [A]) + Sync) {
    pieces(a.len(), a.par_chunks_mut(PIECE), work);
}

/// Calls `work` with every index and its items of two lists of the same length.
pub fn each2<A: Send, B: Send>(a: &mut [A], b: &mut [B], work: impl Fn(usize, &mut A, &mut B) + Sync) {
    let count = a.len().min(b.len());
    pieces(count, a.par_chunks_mut(PIECE).zip(b.par_chunks_mut(PIECE)), |start, (a, b)| {
        a.iter_mut().zip(b).enumerate().for_each(|(i, (a, b))| work(start + i, a, b));
    });
}

/// Calls `work` with every row of a list and its items: row `i` has those from `start[i]` up to `start[i + 1]`.
pub fn by_row<T: Send>(start: &[u32], items: &mut [T], work: &(impl Fn(usize, &mut [T]) + Sync)) {
    rows_from(0, start, items, work);
}

/// The rows from `first` on, in halves until a piece is left.
fn rows_from<T: Send>(first: usize, start: &[u32], items: &mut [T], work: &(impl Fn(usize, &mut [T]) + Sync)) {
    let rows = start.len().saturating_sub(1);
    if rows > PIECE {
        let half = rows / 2;
        let (left, right) = items.split_at_mut((start[half] - start[0]) as usize);
        join(|| rows_from(first, &start[..=half], left, work), || rows_from(first + half, &start[half..], right, work));
        return;
    }
    let mut rest = items;
    for row in 0..rows {
        let own;
        (own, rest) = rest.split_at_mut((start[row + 1] - start[row]) as usize);
        work(first + row, own);
    }
}

/// Largest of what `of` says of all indices below `count`, figure by figure, and no less than zero.
pub fn largest<const N: usize>(count: usize, of: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
    largest_of_pieces(count, |piece| piece.map(&of).fold([0.0; N], larger))
}

/// The same, of what `of` says of pieces of the indices.
pub fn largest_of_pieces<const N: usize>(count: usize, of: impl Fn(Range<usize>) -> [f64; N] + Sync) -> [f64; N] {
    let piece = |piece: usize| of(piece * PIECE..((piece + 1) * PIECE).min(count));
    match count.div_ceil(PIECE) {
        0 | 1 => piece(0),
        pieces => (0..pieces).into_par_iter().shared(1).map(piece).reduce(|| [0.0; N], larger),
    }
}

/// What `of` says of pieces of the indices below `count`, in their order: the pieces are the same for any number of threads.
pub fn of_pieces<T: Send>(count: usize, of: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let piece = |piece: usize| of(piece * PIECE..((piece + 1) * PIECE).min(count));
    match count.div_ceil(PIECE) {
        0 => Vec::new(),
        1 => vec![piece(0)],
        pieces => (0..pieces).into_par_iter().shared(1).map(piece).collect(),
    }
}

fn larger<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|k| a[k].max(b[k]))
}

/// Adds the indices below `count` that `is` says yes to, in order.
pub fn choose(count: usize, is: impl Fn(usize) -> bool + Sync, chosen: &mut Vec<u32>) {
    let is = |index: &u32| is(*index as usize);
    match count {
        0..=PIECE => chosen.extend((0..count as u32).filter(is)),
        _ => chosen.par_extend((0..count as u32).into_par_iter().shared(PIECE).filter(is)),
    }
}

/// Hands pieces to threads, each with the index it starts at.
fn pieces<I: IndexedParallelIterator>(count: usize, pieces: I, work: impl Fn(usize, I::Item) + Sync) {
    let min_len = if count <= PIECE { usize::MAX } else { 1 };
    pieces.shared(min_len).enumerate().for_each(|(piece, items)| work(piece * PIECE, items));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_get_their_own_items() {
        for rows in [0usize, 1, 300, 1000] {
            let start: Vec<u32> = (0..=rows as u32)
                .map(|row| row * (row % 3))
                .scan(0, |sum, n| {
                    *sum += n % 5;
                    Some(*sum)
                })
                .collect();
            let mut items = vec![usize::MAX; (start[rows] - start[0]) as usize];
            by_row(&start, &mut items, &|row, items| items.fill(row));
            let want = (0..rows).flat_map(|row| vec![row; (start[row + 1] - start[row]) as usize]);
            assert!(items.into_iter().eq(want));
        }
    }

    #[test]
    fn every_turn_is_taken_once_with_its_own_items() {
        for count in [0, 1, 255, 256, 257, 1000] {
            let (mut a, mut b) = (vec![0; count], vec![1; count]);
            each(&mut a, |i, a| *a += i);
            each2(&mut a, &mut b, |i, a, b| (*a, *b) = (*a + i, *b + 3 * i));
            assert!(a.iter().zip(&b).enumerate().all(|(i, (&a, &b))| a == 2 * i && b == 1 + 3 * i));
            let middle = count / 2;
            let peak = |i: usize| 7.0 - (i as f64 - middle as f64).abs();
            assert_eq!(largest(count, |i| [peak(i), -1.0]), [if count > 0 { 7.0 } else { 0.0 }, 0.0]);
            let mut chosen = vec![99];
            choose(count, |i| i % 7 == 3, &mut chosen);
            assert!(chosen.into_iter().eq([99].into_iter().chain((3..count as u32).step_by(7))));
        }
    }
}
