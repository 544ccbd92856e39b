//! Arrays of items of a few words each, laid out for both sides.

use rayon::prelude::*;

/// Items per tile: a cache line of the device per word.
pub const TILE: usize = 32;

/// Items of `N` words in tiles of [`TILE`]. Inside a tile all first words come first, then all second ones and so
/// on, so that neighbouring units of a device read neighbouring words; tiles follow each other, so that threads of
/// the host fill them side by side. The last tile is filled up with zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tiles<T, const N: usize> {
    words: Vec<T>,
    len: usize,
}

impl<T: Copy + Default + Send + Sync, const N: usize> Tiles<T, N> {
    /// Makes these `len` items, `item(i)` each.
    pub fn fill(&mut self, len: usize, item: impl Fn(usize) -> [T; N] + Sync) {
        self.len = len;
        self.words.resize(len.div_ceil(TILE) * N * TILE, T::default());
        // Sixteen tiles at least per task, so that small systems stay on one thread.
        let tiles = self.words.par_chunks_exact_mut(N * TILE).enumerate().with_min_len(16);
        tiles.for_each(|(tile, words)| {
            for unit in 0..TILE {
                let index = tile * TILE + unit;
                let values = if index < len { item(index) } else { [T::default(); N] };
                values.into_iter().enumerate().for_each(|(word, value)| words[word * TILE + unit] = value);
            }
        });
    }

    /// Item `index`.
    pub fn item(&self, index: usize) -> [T; N] {
        let first = index / TILE * (N * TILE) + index % TILE;
        std::array::from_fn(|word| self.words[first + word * TILE])
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All words in order.
    pub fn words(&self) -> &[T] {
        &self.words
    }

    /// Takes `len` items over as the device left them.
    #[cfg(feature = "engines")]
    pub(super) fn set(&mut self, len: usize, words: Vec<T>) {
        debug_assert_eq!(words.len(), len.div_ceil(TILE) * N * TILE);
        (self.len, self.words) = (len, words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_back_and_the_rest_of_a_tile_is_zero() {
        let mut tiles = Tiles::<u32, 3>::default();
        for len in [70, 0, 1, 32, 33] {
            tiles.fill(len, |i| [i as u32 + 1, 100 + i as u32, 200 + i as u32]);
            assert_eq!((tiles.len(), tiles.words().len()), (len, len.div_ceil(TILE) * 96));
            assert!((0..len).all(|i| tiles.item(i) == [i as u32 + 1, 100 + i as u32, 200 + i as u32]));
            let unused = tiles.words().iter().filter(|word| **word == 0).count();
            assert_eq!(unused, 3 * (len.next_multiple_of(TILE) - len), "{len} items");
        }
    }

    #[test]
    fn neighbours_lie_side_by_side() {
        let mut tiles = Tiles::<u32, 2>::default();
        tiles.fill(40, |i| [i as u32, 1000]);
        assert_eq!(tiles.words()[..3], [0, 1, 2]);
        assert_eq!(tiles.words()[TILE], 1000);
        assert_eq!(tiles.words()[2 * TILE], 32, "the second tile starts with its first item");
    }
}
