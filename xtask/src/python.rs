//! Python: for the checks that hold this project against others' software, and the tests of the Python package.

use std::path::{Path, PathBuf};
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

/// Packages the tests of the Python package need, beside itself.
const TEST_PACKAGES: [&str; 6] =
    ["numpy", "pytest>=8,<10", "mypy>=1.11,<3", "gymnasium>=1.0,<2", "matplotlib>=3.8,<4", "cma>=3.3,<5"];
/// For sweeps on a cluster and tables as Parquet, which are tested once.
const SWEEPS: [&str; 2] = ["ray==2.60.0", "pyarrow>=20,<27"];

/// Builds the Python package and tests it: with the oldest Python it supports and with the newest one found, if there are others
/// than the one at hand. A machine without Python is told so, and that is all.
pub fn test() -> Result<(), String> {
    let Some(base) = ["python3", "python"].into_iter().find_map(find_program).filter(is_recent) else {
        println!(
            "xtask: no Python from 3.10 on: the Python package is not tested (Debian: `apt-get install python3-venv`)"
        );
        return Ok(());
    };
    let python = environment("python-venv", &["maturin>=1.9,<2"])?;
    let wheels = root().join("target/wheels");
    let folder = root().join("python");
    let build = ["-m", "maturin", "build", "--release", "--quiet", "--out"];
    run(Command::new(&python).current_dir(&folder).args(build).arg(&wheels))?;
    let wheel = newest_wheel(&wheels)?;
    for (number, interpreter) in interpreters(base).into_iter().enumerate() {
        let folder = root().join("target").join(format!("python-test-venv-{number}"));
        test_with(&interpreter, &folder, &wheel, number == 0)?;
    }
    Ok(())
}

/// Installs the wheel into a fresh environment of a Python and runs the tests; with the first, types and sweeps on a cluster too.
fn test_with(interpreter: &Path, folder: &Path, wheel: &Path, first: bool) -> Result<(), String> {
    run(Command::new(interpreter).args(["-m", "venv", "--clear"]).arg(folder))?;
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(TEST_PACKAGES).arg(wheel))?;
    // Not from the folder of the sources, whose package has no native half.
    let mut tests = Command::new(&python);
    tests.current_dir(root()).args(["-m", "pytest", "-q", "python/tests"]);
    if first && run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(SWEEPS)).is_ok() {
        tests.env("DRYSTONE_TEST_RAY", "1");
    } else if first {
        println!(
            "xtask: Ray or pyarrow is not to be had for this Python: sweeps on a cluster and Parquet are not tested"
        );
    }
    run(&mut tests)?;
    if first {
        let sources = root().join("python");
        run(Command::new(&python).current_dir(&sources).args(["-m", "mypy"]))?;
        run(Command::new(&python).current_dir(root()).args(["-m", "mypy.stubtest", "drystone._drystone"]))?;
    }
    Ok(())
}

/// The Python at hand, the oldest that is supported and the newest there is, each once.
fn interpreters(base: PathBuf) -> Vec<PathBuf> {
    let version = |path: &Path| {
        let asked = Command::new(path).args(["-c", "import sys; print(*sys.version_info[:2])"]).output().ok()?;
        asked.status.success().then(|| String::from_utf8_lossy(&asked.stdout).trim().to_owned())
    };
    let named = |minor: u32| find_program(&format!("python3.{minor}")).filter(|path| version(path).is_some());
    let newest = (OLDEST + 1..40).rev().find_map(named);
    let mut all: Vec<PathBuf> = Vec::new();
    for candidate in [Some(base), named(OLDEST), newest].into_iter().flatten() {
        if !all.iter().any(|known| version(known) == version(&candidate)) {
            all.push(candidate);
        }
    }
    all
}

/// The oldest Python 3 that is supported.
const OLDEST: u32 = 10;

fn is_recent(python: &PathBuf) -> bool {
    let question = format!("import sys, venv; sys.exit(sys.version_info < (3, {OLDEST}))");
    crate::process::succeeds(Command::new(python).args(["-c", &question]))
}

fn newest_wheel(folder: &Path) -> Result<PathBuf, String> {
    let entries = folder.read_dir().map_err(|error| format!("`{}`: {error}", folder.display()))?;
    let wheels =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "whl"));
    let newest = wheels.max_by_key(|path| path.metadata().and_then(|about| about.modified()).ok());
    newest.ok_or_else(|| format!("maturin left no wheel in `{}`", folder.display()))
}
