//! Pages that hold everything they show: style, script, plots and pictures in one HTML file that needs no network; and
//! documents with parts that a program writes.
#![forbid(unsafe_code)]

mod data;
mod film;
mod marks;
mod page;

pub use data::data_uri;
pub use film::{Film, films};
pub use marks::with_made_part;
pub use page::{Page, figure};
