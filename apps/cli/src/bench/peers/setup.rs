//! Getting the other engines: the Rust ones by Cargo, the rest from PyPI into an environment of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::family;
use crate::error::Failure;

/// Engines driven by Python, and what they are installed as.
const PACKAGES: [(&str, &[&str]); 3] = [
    ("mujoco", &["mujoco==4.0.0"]),
    ("newton", &["newton==1.7.0", "warp-lang==1.19.0"]),
    ("bullet", &["pybullet==3.2.7"]),
];
/// Engines in Rust, and what they are called in the lock file.
const CRATES: [(&str, &str); 2] = [("rapier", "rapier3d"), ("box3d", "boxddd")];

/// The engines that can be run.
pub struct Peers {
    /// The program that runs them.
    pub program: PathBuf,
    /// The interpreter with the packages.
    pub python: PathBuf,
    missing: BTreeMap<&'static str, String>,
    lock: String,
}

impl Peers {
    /// Builds and installs what is `wanted`.
    pub fn set_up(wanted: impl Fn(&str) -> bool) -> Result<Self, Failure> {
        let root = find_root()?;
        let program = build(&root)?;
        let environment = root.join("target/peers-venv");
        let python = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        let mut missing = BTreeMap::new();
        let engines: Vec<_> = PACKAGES.iter().filter(|(engine, _)| wanted(engine)).collect();
        if !engines.is_empty() {
            let made = make_environment(&environment, &python);
            for (engine, packages) in engines {
                if let Err(reason) = made.clone().and_then(|()| install(&python, packages)) {
                    missing.insert(*engine, reason);
                }
            }
        }
        let lock = std::fs::read_to_string(root.join("benches/peers/Cargo.lock")).unwrap_or_default();
        Ok(Self { program, python, missing, lock })
    }

    /// Why an engine cannot be run, if it cannot.
    pub fn refusal(&self, engine: &str) -> Option<String> {
        self.missing.get(family(engine)).cloned()
    }

    /// The version of an engine in the lock file.
    pub fn locked_version(&self, engine: &str) -> Option<String> {
        let package = CRATES.iter().find(|(name, _)| *name == family(engine))?.1;
        let (_, after) = self.lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
        Some(format!("{package} {}", after.split('"').next()?))
    }
}

/// The checkout the command is run in: the other engines are not part of an installed program.
fn find_root() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(|error| Failure::new(format!("no current folder: {error}")))?;
    let found = here.ancestors().find(|folder| folder.join("benches/peers/Cargo.toml").is_file());
    found.map(Path::to_path_buf).ok_or_else(|| {
        Failure::new("--peers builds other engines from `benches/peers`; run it in a checkout of Drystone's sources")
    })
}

fn build(root: &Path) -> Result<PathBuf, Failure> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target/peers"), PathBuf::from);
    eprintln!("building the engines in Rust (minutes, the first time)");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "--quiet", "--manifest-path"]);
    command.arg(root.join("benches/peers/Cargo.toml")).arg("--target-dir").arg(&target);
    let status = command.status().map_err(|error| Failure::new(format!("cargo did not start: {error}")))?;
    if !status.success() {
        return Err(Failure::new(
            "the engines in Rust did not build; Box3D needs a C compiler (Debian: `apt-get install gcc`)",
        ));
    }
    Ok(target.join("release").join(if cfg!(windows) { "peers.exe" } else { "peers" }))
}

fn make_environment(folder: &Path, python: &Path) -> Result<(), String> {
    if python.exists() {
        return Ok(());
    }
    eprintln!("making a Python environment in {}", folder.display());
    let made = quietly(Command::new("python3").args(["-m", "venv"]).arg(folder));
    made.map_err(|reason| {
        format!("no Python environment ({reason}); install Python 3.10 or newer (Debian: `python3-venv`)")
    })
}

fn install(python: &Path, packages: &[&str]) -> Result<(), String> {
    eprintln!("installing {}", packages.join(" "));
    let installed = quietly(Command::new(python).args(["-m", "pip", "install", "--quiet"]).args(packages));
    installed.map_err(|reason| format!("{} could not be installed: {reason}", packages.join(" ")))
}

/// Runs a command to its end; its last line if it fails.
fn quietly(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message").to_owned())
}
