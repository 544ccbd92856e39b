//! What `drystone` writes, opened by NumPy, trimesh, OpenUSD, Pillow and a JSON schema validator and compared with the
//! recording.

use std::fs;
use std::process::Command;

use crate::process::{cargo, root, run};
use crate::python::environment;

/// What reads the files.
const PACKAGES: [&str; 6] = ["numpy", "pygltflib", "trimesh", "usd-core", "pillow", "jsonschema"];

/// Scenes with boxes, with joints and hulls, with rods, with cloth, and with a soft body.
const SCENES: [(&str, &[&str]); 5] = [
    ("pyramid", &["--set", "rows=4"]),
    ("ragdolls", &["--set", "count=1"]),
    ("cable", &["--set", "segments=12"]),
    ("cloth-sphere", &["--set", "cells=12"]),
    ("soft-cube", &["--set", "cells=3"]),
];

/// Writes every format of some scenes and checks them.
pub fn exports() -> Result<(), String> {
    let folder = root().join("target/exports");
    // Files of an earlier run must not stand in for those of this one.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let python = environment("exports-venv", &PACKAGES)?;
    for (scene, settings) in SCENES {
        let mut command = cargo();
        command.args(["run", "--release", "--quiet", "-p", "drystone-cli", "--", "run", scene]).args(settings);
        command
            .args(["--seconds", "1", "--size", "320x180", "--quiet", "--record"])
            .arg(folder.join(scene).with_extension("npz"))
            .arg("--report")
            .arg(folder.join(scene).with_extension("json"));
        for extension in ["glb", "usda", "png", "gif"] {
            command.arg("--export").arg(folder.join(scene).with_extension(extension));
        }
        if run(&mut command).is_err() {
            println!("xtask: in one second the scene has not shown its claim; its files are checked all the same");
        }
        let mut check = Command::new(&python);
        check.arg(root().join("tools/check_exports.py")).arg(&folder).arg(scene);
        run(check.arg(root().join("docs/report.schema.json")))?;
    }
    Ok(())
}
