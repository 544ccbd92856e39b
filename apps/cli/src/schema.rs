//! `drystone schema`: what scene files may say.

use crate::Outcome;
use crate::error::Failure;

/// Prints the schema.
pub fn print() -> Result<Outcome, Failure> {
    println!("{}", drystone_io::scene_file::schema());
    Ok(Outcome::Good)
}
