//! `drystone schema`: what scene files may say.

use crate::Outcome;
use crate::error::Failure;
use crate::print;

/// Prints the schema.
pub fn print() -> Result<Outcome, Failure> {
    print::line(drystone_io::scene_file::schema());
    Ok(Outcome::Good)
}
