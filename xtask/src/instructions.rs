//! Instructions of the hot kernels, counted by Valgrind: steady to a fraction of a percent on any machine, however busy,
//! so that a slow-down cannot hide in noise.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::process::{cargo, find_program, root, run};
use crate::setup::install;

/// The counts changes are held against.
const BASELINE: &str = "benches/instructions.txt";
/// A case may take this much more before it counts as a regression.
const TOLERANCE: f64 = 0.05;

/// Counts, and compares with the baseline or, with `--write`, replaces it.
pub fn instructions(arguments: &[String]) -> Result<(), String> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--write") {
        return Err(format!("`instructions` takes `--write` only, not `{unknown}`"));
    }
    if find_program("valgrind").is_none() {
        install(&["valgrind"]).map_err(|reason| {
            format!("valgrind is needed and could not be installed: {reason}; Debian: `apt-get install valgrind`")
        })?;
    }
    let program = build()?;
    let counts = names(&program)?.into_iter().map(|name| Ok((count(&program, &name)?, name)));
    let counts: Vec<(u64, String)> = counts.collect::<Result<_, String>>()?;
    let path = root().join(BASELINE);
    if arguments.is_empty() {
        let text = fs::read_to_string(&path).map_err(|error| format!("{BASELINE}: {error}; make it with --write"))?;
        return compare(&counts, &text);
    }
    let mut text = format!("# instructions of {}; written by `cargo xtask instructions --write`\n", compiler()?);
    counts.iter().for_each(|(count, name)| _ = writeln!(text, "{name} {count}"));
    fs::write(&path, text).map_err(|error| format!("{BASELINE}: {error}"))
}

fn build() -> Result<PathBuf, String> {
    run(cargo().args([
        "build",
        "--release",
        "--locked",
        "--quiet",
        "-p",
        "drystone-tests",
        "--example",
        "instructions",
    ]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release/examples/instructions"))
}

fn names(program: &PathBuf) -> Result<Vec<String>, String> {
    let output = Command::new(program).output().map_err(|error| format!("the cases did not start: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// The instructions one case takes.
fn count(program: &PathBuf, name: &str) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    command.arg("--toggle-collect=*count_this*").arg(program).arg(name);
    let output = command.output().map_err(|error| format!("valgrind did not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("`{name}` failed under valgrind: {}", text.lines().last().unwrap_or_default()));
    }
    let collected = text.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    collected.filter(|&count| count > 0).ok_or_else(|| format!("valgrind counted nothing in `{name}`"))
}

fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").output().map_err(|error| format!("rustc: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn compare(counts: &[(u64, String)], baseline: &str) -> Result<(), String> {
    let before = |name: &str| {
        baseline
            .lines()
            .find_map(|line| line.split_once(' ').filter(|(known, _)| *known == name)?.1.parse::<u64>().ok())
    };
    let mut failed = Vec::new();
    println!("{:<18} {:>14} {:>14} {:>8}", "case", "before", "now", "change");
    for (now, name) in counts {
        let Some(before) = before(name) else {
            failed.push(format!("{name} has no baseline"));
            continue;
        };
        let change = *now as f64 / before as f64 - 1.0;
        println!("{name:<18} {before:>14} {now:>14} {:>+7.1} %", 100.0 * change);
        if change > TOLERANCE {
            failed.push(format!("{name} takes {:.1} % more instructions", 100.0 * change));
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} (at most {:.0} % is allowed). If the work is worth it, or the compiler is another than that of the first line of \
         {BASELINE}, write the new counts with `cargo xtask instructions --write` and say why in the commit",
        failed.join("; "),
        100.0 * TOLERANCE
    ))
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn more_than_five_percent_more_fails() {
        let baseline = "# instructions of some compiler\na 1000\nb 2000\n";
        let counts = |a, b| [(a, "a".to_owned()), (b, "b".to_owned())];
        assert!(compare(&counts(1049, 1000), baseline).is_ok());
        assert!(compare(&counts(1051, 2000), baseline).unwrap_err().contains("a takes 5.1 % more"));
        assert!(compare(&[(1, "c".to_owned())], baseline).unwrap_err().contains("c has no baseline"));
    }
}
