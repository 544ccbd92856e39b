//! A small JSON5 that remembers where everything stands: text to a tree with spans, tree to any type
//! serde knows, any type back to text. Every fault has a place, also those found after parsing.

mod de;
mod lost;
mod parse;
mod scan;
mod ser;
mod tree;

pub use lost::Lost;
pub use parse::{Parsed, parse};
pub use ser::to_text;
pub use tree::{Node, Step, Value};
