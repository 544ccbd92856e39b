//! The library in WebAssembly: the program of golden hashes built for browsers, run under Node, and held to the kept bits and to
//! those of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, root, run};
use crate::web::node;

/// What browsers run.
pub const TARGET: &str = "wasm32-unknown-unknown";
const LOADER: &str = "xtask/src/wasm.js";
const KEPT: &str = "tests/golden/hashes.txt";

/// Builds, runs and compares. `--release` takes the build that a page would serve.
pub fn wasm(arguments: &[String]) -> Result<(), String> {
    let profile = match arguments {
        [] => "dev",
        [word] if word == "--release" => "release",
        _ => return Err("`wasm` takes `--release` only".into()),
    };
    let node = node()?;
    have_target()?;
    let program = build(profile)?;
    let bytes = fs::read(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    let size = without_names(&bytes)
        .map(|kept| kept.len())
        .ok_or_else(|| format!("{}: not a module of WebAssembly", program.display()))?;
    let kept = fs::read_to_string(root().join(KEPT)).map_err(|error| format!("{KEPT}: {error}"))?;
    let native = output(cargo().args(["run", "--quiet", "--locked", "-p", "drystone-golden", "--profile", profile]))?;
    let wasm = output(Command::new(node).arg(root().join(LOADER)).arg(&program))?;
    let rows = compare(&wasm, &native, "this machine")?;
    compare(&wasm, &kept, KEPT)?;
    println!(
        "xtask: {rows} hashes under Node are those of this machine and of {KEPT}; {} kB of WebAssembly \
         without names and debug information",
        size / 1000
    );
    Ok(())
}

/// A module without its custom sections, which hold names and debug information and need not be served.
pub fn without_names(module: &[u8]) -> Option<Vec<u8>> {
    let mut kept = module.starts_with(b"\0asm").then(|| module.get(..8))??.to_vec();
    let mut rest = module.get(8..)?;
    while let Some((&kind, tail)) = rest.split_first() {
        let (length, digits) = unsigned(tail)?;
        let (section, after) = rest.split_at_checked(1 + digits + length)?;
        if kind != 0 {
            kept.extend(section);
        }
        rest = after;
    }
    Some(kept)
}

/// A number in groups of seven bits, the lowest first, and how many bytes it takes.
fn unsigned(bytes: &[u8]) -> Option<(usize, usize)> {
    let digits = 1 + bytes.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    let value = bytes[..digits].iter().rev().fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f));
    Some((value, digits))
}

/// The compiler's standard library for browsers.
pub fn have_target() -> Result<(), String> {
    let print = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = print.map_err(|error| format!("rustc: {error}"))?;
    if Path::new(String::from_utf8_lossy(&folder.stdout).trim()).is_dir() {
        return Ok(());
    }
    run(Command::new("rustup").args(["target", "add", TARGET]))
}

fn build(profile: &str) -> Result<PathBuf, String> {
    run(cargo().args([
        "build",
        "--quiet",
        "--locked",
        "-p",
        "drystone-golden",
        "--target",
        TARGET,
        "--profile",
        profile,
    ]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target.join(TARGET).join(folder).join("golden.wasm"))
}

/// What a program prints. Its words go into the error if it fails.
fn output(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|error| format!("{:?} did not start: {error}", command.get_program()))?;
    let words = String::from_utf8_lossy(&done.stdout).into_owned();
    if done.status.success() {
        return Ok(words);
    }
    Err(format!("{command:?} failed ({}):\n{words}{}", done.status, String::from_utf8_lossy(&done.stderr)))
}

/// The number of rows, if all are the same; comments of a kept file do not count.
fn compare(wasm: &str, other: &str, name: &str) -> Result<usize, String> {
    let rows =
        |text: &str| -> Vec<String> { text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect() };
    let (wasm, other) = (rows(wasm), rows(other));
    if wasm.is_empty() {
        return Err("the program said nothing under Node".into());
    }
    let only = |some: &[String], others: &[String], place: &str| -> Vec<String> {
        some.iter().filter(|row| !others.contains(row)).map(|row| format!("{place}: {row}")).collect()
    };
    let changed = [only(&wasm, &other, "Node"), only(&other, &wasm, name)].concat();
    if changed.is_empty() { Ok(wasm.len()) } else { Err(format!("bits differ:\n{}", changed.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custom_sections_are_not_served() {
        let head = *b"\0asm\x01\0\0\0";
        // 130 bytes of code, its length in two bytes; 3 of a name.
        let code = [&[10, 0x82, 0x01][..], &[7; 130]].concat();
        let name = [0, 3, 1, b'n', 9];
        let module = [&head[..], &name, &code, &name].concat();
        assert_eq!(without_names(&module), Some([&head[..], &code].concat()));
        assert_eq!(without_names(&head).as_deref(), Some(&head[..]));
        assert_eq!(without_names(b"MZ"), None);
        assert_eq!(without_names(&module[..20]), None, "cut short");
    }

    #[test]
    fn one_bit_or_one_row_is_a_difference() {
        assert_eq!(compare("vbd pile 1\nabd pile 2\n", "# kept\nvbd pile 1\nabd pile 2\n", "file"), Ok(2));
        assert_eq!(
            compare("vbd pile 1\n", "vbd pile 3\n", "file").unwrap_err(),
            "bits differ:\nNode: vbd pile 1\nfile: vbd pile 3"
        );
        assert!(compare("vbd pile 1\n", "vbd pile 1\nabd pile 2\n", "file").unwrap_err().ends_with("file: abd pile 2"));
        assert!(compare("vbd pile 1\nabd pile 2\n", "vbd pile 1\n", "file").unwrap_err().ends_with("Node: abd pile 2"));
        assert!(compare("", "", "file").is_err());
    }
}
