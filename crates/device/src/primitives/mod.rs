//! Parallel building blocks, each with a CPU twin in the tests.
//!
//! None assumes a size of the hardware's lockstep groups, floating-point atomics or an order in which
//! workgroups run, so that they work on every device; sums of floats are taken in a fixed order.

mod color;
mod compact;
mod copy;
mod histogram;
mod reduce;
mod scan;
mod segmented;
mod sort;
mod tile;

pub use color::Coloring;
pub use compact::Compaction;
pub use copy::copy;
pub(crate) use copy::copy_bits;
pub use histogram::histogram;
pub use reduce::{Fold, Reduction};
pub use scan::Scan;
pub use segmented::segmented_sum;
pub use sort::RadixSort;
