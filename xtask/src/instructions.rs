//! Instructions of the hot kernels, counted by Valgrind: the same number every time, however busy the machine, so that a
//! slow-down cannot hide in noise. They are the same on other machines too: Valgrind shows programs the same
//! processor on every machine with AVX2, and what the C library does is left out.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
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
        return compare(&counts, &text, processor());
    }
    let mut text = format!("# for {} by {}; `cargo xtask instructions --write`\n", processor(), compiler()?);
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
        "drystone-cli",
        "--example",
        "instructions",
    ]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release/examples/instructions"))
}

fn names(program: &Path) -> Result<Vec<String>, String> {
    let output = Command::new(program).output().map_err(|error| format!("the cases did not start: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// The instructions one case takes in this project's own code: what the C library does differs from system to system.
fn count(program: &Path, name: &str) -> Result<u64, String> {
    let profile = program.with_file_name(format!("instructions-{name}.out"));
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*count_this*"]);
    command.arg(format!("--callgrind-out-file={}", profile.display())).arg(program).arg(name);
    let output = command.output().map_err(|error| format!("valgrind did not start: {error}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("`{name}` failed under valgrind: {}", words.lines().last().unwrap_or_default()));
    }
    let text = fs::read_to_string(&profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    let file = program.file_name().unwrap_or_default().to_string_lossy();
    let count = own_instructions(&text, &file);
    if count > 0 { Ok(count) } else { Err(format!("valgrind counted nothing in `{name}`")) }
}

/// Sums a profile over the functions of one object file. Numbers stand for names after their first use: `ob=(3) name`,
/// then `ob=(3)`. The line after `calls=` is what the callee took, which is told again where the callee is.
fn own_instructions(profile: &str, file: &str) -> u64 {
    let (mut own, mut ours, mut called, mut sum) = ("", false, false, 0);
    for line in profile.lines() {
        if let Some((key @ ("ob" | "cob"), object)) = line.split_once('=') {
            let (number, path) = object.split_once(' ').unwrap_or((object, ""));
            if path.rsplit('/').next() == Some(file) {
                own = number;
            }
            ours = if key == "ob" { number == own } else { ours };
        } else if line.starts_with("calls=") {
            called = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let cost = line.split_whitespace().nth(1).and_then(|cost| cost.parse::<u64>().ok());
            sum += if ours && !called { cost.unwrap_or(0) } else { 0 };
            called = false;
        }
    }
    sum
}

fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").output().map_err(|error| format!("rustc: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The processors whose counts can be compared: kernels take another path without AVX2, with other instructions.
fn processor() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "x86_64 with AVX2";
    }
    std::env::consts::ARCH
}

fn compare(counts: &[(u64, String)], baseline: &str, processor: &str) -> Result<(), String> {
    if !baseline.starts_with(&format!("# for {processor} by ")) {
        println!("xtask: nothing compared: this machine is {processor}, the first line of {BASELINE} names another");
        counts.iter().for_each(|(count, name)| println!("{name:<20} {count:>14}"));
        return Ok(());
    }
    let before = |name: &str| {
        baseline
            .lines()
            .find_map(|line| line.split_once(' ').filter(|(known, _)| *known == name)?.1.parse::<u64>().ok())
    };
    let mut failed = Vec::new();
    println!("{:<20} {:>14} {:>14} {:>8}", "case", "before", "now", "change");
    for (now, name) in counts {
        let Some(before) = before(name) else {
            failed.push(format!("{name} has no baseline"));
            continue;
        };
        let change = *now as f64 / before as f64 - 1.0;
        println!("{name:<20} {before:>14} {now:>14} {:>+7.1} %", 100.0 * change);
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
    use super::{compare, own_instructions};

    #[test]
    fn only_own_code_is_counted_and_callees_are_counted_once() {
        let profile = "events: Ir\n\nob=(1) /build/cases\nfl=(1) a.rs\nfn=(1) count_this\n10 100\n+2 20\n\
                       cob=(2) /lib/libc.so.6\ncfn=(2) memcpy\ncalls=3 0\n+1 5000\n* 7\n\n\
                       ob=(2)\nfn=(2)\n0 5000\n\nob=(1)\nfn=(3) inner\n-4 1000\n\nsummary: 6127\n";
        assert_eq!(own_instructions(profile, "cases"), 1127);
        assert_eq!(own_instructions(profile, "libc.so.6"), 5000);
        assert_eq!(own_instructions(profile, "other"), 0);
    }

    #[test]
    fn more_than_five_percent_more_fails() {
        let baseline = "# for a processor by some compiler\na 1000\nb 2000\n";
        let compare = |counts: &[(u64, String)], baseline| compare(counts, baseline, "a processor");
        let counts = |a, b| [(a, "a".to_owned()), (b, "b".to_owned())];
        assert!(compare(&counts(1049, 1000), baseline).is_ok());
        assert!(compare(&counts(1051, 2000), baseline).unwrap_err().contains("a takes 5.1 % more"));
        assert!(compare(&[(1, "c".to_owned())], baseline).unwrap_err().contains("c has no baseline"));
        // Counts of another processor say nothing.
        assert!(super::compare(&counts(9999, 9999), baseline, "another").is_ok());
    }
}
