//! Loops that threads share, with the same result for any number of them, and the word by which a step stays with the thread that
//! calls it.
#![forbid(unsafe_code)]

mod alone;
mod loops;

pub use alone::{Shared, alone, is_alone, join, sort_unstable, width};
pub use loops::{PIECE, by_row, choose, each, each_piece, each2, largest, largest_of_pieces, of_pieces};
