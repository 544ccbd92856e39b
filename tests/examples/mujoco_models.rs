//! Writes the models compared with MuJoCo, and our accelerations of each, into a folder. `cargo xtask
//! mujoco` runs it and then MuJoCo on the same files.

use std::fs;
use std::path::PathBuf;

use drystone_tests::mujoco::{CASES, dense_accelerations, in_its_terms, model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: mujoco_models FOLDER")?);
    fs::create_dir_all(&folder)?;
    for case in CASES {
        let model = model(case);
        let state = model.state();
        fs::write(folder.join(case.0).with_extension("xml"), drystone_io::mjcf::export_mjcf(&model)?)?;
        let ours = in_its_terms(&model, &state, &dense_accelerations(&model, &state));
        fs::write(folder.join(case.0).with_extension("json"), serde_json::to_string_pretty(&ours)?)?;
    }
    Ok(())
}
