//! Prints the JSON schema of scene files.
fn main() {
    println!("{}", drystone_io::scene_file::schema());
}
