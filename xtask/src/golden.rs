//! Golden hashes: compares the bits every solver ends with, in the builds of tests and of releases, or writes them anew.

use crate::process::{cargo, run};

/// Compares, or with `--write` rewrites `tests/golden/hashes.txt`; either way a release build must agree.
pub fn golden(arguments: &[String]) -> Result<(), String> {
    let write = match arguments {
        [] => false,
        [word] if word == "--write" => true,
        _ => return Err("`golden` takes `--write` only".into()),
    };
    let test = ["test", "--quiet", "--locked", "-p", "drystone-tests", "--test", "golden"];
    let mut first = cargo();
    if write {
        first.env("DRYSTONE_UPDATE", "1");
    }
    run(first.args(test))?;
    run(cargo().args(test).arg("--release"))
}
