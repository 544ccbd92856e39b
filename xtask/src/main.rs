//! Set-up and test commands of the project.
fn main() {}
