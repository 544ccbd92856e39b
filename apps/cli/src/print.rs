//! Printing results to standard output.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line. A reader that has seen enough and closed the pipe (`drystone scenes | head`) is no
/// fault, and the exit code still tells how the command went; `println!` would panic.
pub fn line(text: impl Display) {
    let _ = writeln!(io::stdout(), "{text}");
}
