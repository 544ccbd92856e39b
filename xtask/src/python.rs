//! Python for the checks that hold this project against others' software.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{find_program, root, run};

/// The interpreter of a virtual environment of this name in `target`, with these packages installed.
pub fn environment(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let folder = root().join("target").join(name);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        let base = ["python3", "python"].into_iter().find_map(find_program);
        let base = base.ok_or("Python is needed here; install Python 3.10 or newer (Debian: `python3-venv`)")?;
        run(Command::new(base).args(["-m", "venv"]).arg(&folder))?;
    }
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    Ok(python)
}
