//! Lists of numbers per row, packed in two arrays, rebuilt by counting sort without allocation once
//! the buffers have grown.

/// Compressed rows: row `i` holds `item[start[i]..start[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    start: Vec<u32>,
    item: Vec<u32>,
}

impl Default for Csr {
    fn default() -> Self {
        Self { start: vec![0], item: Vec::new() }
    }
}

impl Csr {
    /// Rebuilds from `(row, item)` entries, which are walked twice and must come out the same both
    /// times. Entries of a row keep the order in which they come. Rows must be below `row_count`.
    pub fn build<I>(&mut self, row_count: usize, entries: I)
    where
        I: Iterator<Item = (usize, u32)> + Clone,
    {
        // Counting two places further on leaves `start[row + 1]` free to serve as the write cursor
        // of the row, which ends up where the next row starts: no separate cursor array.
        self.start.clear();
        self.start.resize(row_count + 2, 0);
        // `for_each` rather than `for`: nested iterators then run as nested loops (3× faster).
        entries.clone().for_each(|(row, _)| self.start[row + 2] += 1);
        for row in 2..row_count + 2 {
            self.start[row] += self.start[row - 1];
        }
        self.item.clear();
        self.item.resize(self.start[row_count + 1] as usize, 0);
        entries.for_each(|(row, item)| {
            let cursor = &mut self.start[row + 1];
            self.item[*cursor as usize] = item;
            *cursor += 1;
        });
        self.start.truncate(row_count + 1);
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.start.len() - 1
    }

    /// Number of items in all rows.
    pub fn item_count(&self) -> usize {
        self.item.len()
    }

    /// The items of a row, in the order they came.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.item[self.start[row] as usize..self.start[row + 1] as usize]
    }

    /// All rows, first to last.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.start.windows(2).map(|ends| &self.item[ends[0] as usize..ends[1] as usize])
    }

    /// Where each row starts; one more entry than rows.
    pub fn starts(&self) -> &[u32] {
        &self.start
    }

    /// The items of all rows, one after the other.
    pub fn items(&self) -> &[u32] {
        &self.item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_order_of_entries() {
        let mut csr = Csr::default();
        csr.build(4, [(2, 7), (0, 1), (2, 3), (3, 9), (2, 5)].into_iter());
        assert_eq!(csr.rows().collect::<Vec<_>>(), [&[1][..], &[], &[7, 3, 5], &[9]]);
        assert_eq!((csr.row_count(), csr.item_count()), (4, 5));
        assert_eq!(csr.row(2), [7, 3, 5]);
    }

    #[test]
    fn rebuilding_forgets_and_does_not_allocate() {
        let mut csr = Csr::default();
        let entries: Vec<_> = (0..100).map(|i| (i % 10, i as u32)).collect();
        csr.build(10, entries.iter().copied());
        let buffers = (csr.start.as_ptr(), csr.item.as_ptr());
        csr.build(3, entries[..3].iter().copied());
        assert_eq!(csr.rows().collect::<Vec<_>>(), [[0], [1], [2]]);
        csr.build(10, entries.iter().copied());
        assert_eq!(buffers, (csr.start.as_ptr(), csr.item.as_ptr()));
    }

    #[test]
    fn no_rows_and_empty_rows() {
        let mut csr = Csr::default();
        assert_eq!(csr.row_count(), 0);
        csr.build(0, std::iter::empty());
        assert_eq!(csr.rows().count(), 0);
        csr.build(2, std::iter::empty());
        assert!(csr.row(0).is_empty() && csr.row(1).is_empty());
    }
}
