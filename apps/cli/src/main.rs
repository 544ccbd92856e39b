//! The `drystone` command.
fn main() {}
