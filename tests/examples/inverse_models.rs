//! Writes the trees that other engines are asked about, and the questions, into a folder. `cargo xtask inverse` runs it and
//! then the engines on the same files.

use std::fs;
use std::path::PathBuf;

use drystone_tests::inverse::{TREES, question, tree};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: inverse_models FOLDER")?);
    fs::create_dir_all(&folder)?;
    for &(seed, bodies) in TREES {
        let model = tree(seed, bodies);
        let path = folder.join(format!("tree-{seed}"));
        fs::write(path.with_extension("xml"), drystone_io::mjcf::export_mjcf(&model)?)?;
        fs::write(path.with_extension("json"), serde_json::to_string_pretty(&question(&model))?)?;
    }
    Ok(())
}
