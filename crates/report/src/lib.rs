//! Pages that hold everything they show: style, script, plots and pictures in one HTML file that needs no network.
#![forbid(unsafe_code)]

mod base64;
mod film;
mod page;

pub use base64::{base64, data_uri};
pub use film::{Film, films};
pub use page::{Page, figure};
