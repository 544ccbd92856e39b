//! The page of the viewer: installed by npm from the lock file, built by esbuild, and held to the committed bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{find_program, root, run};
use crate::setup::install;

/// Where the committed page stands.
pub const KEPT: &str = "web/dist";
/// Files of the page.
pub const FILES: [&str; 5] = ["index.html", "app.js", "app.css", "worker.js", "LICENCES"];

/// Builds the page again and compares it with the committed one; `--write` replaces that.
pub fn bundle(arguments: &[String]) -> Result<(), String> {
    let write = match arguments {
        [] => false,
        [word] if word == "--write" => true,
        _ => return Err("`bundle` takes `--write` only".into()),
    };
    let kept = root().join(KEPT);
    let built = if write { kept.clone() } else { root().join("target/web") };
    build(&built)?;
    let mut size = 0;
    for name in FILES {
        let [new, old] = [&built, &kept].map(|folder| fs::read(folder.join(name)));
        let new = new.map_err(|error| format!("{name} was not built: {error}"))?;
        if old.ok().as_ref() != Some(&new) {
            return Err(format!(
                "{KEPT}/{name} is not what the sources make; `cargo xtask bundle --write` replaces it, then commit it"
            ));
        }
        size += new.len();
    }
    println!("xtask: {KEPT} is what the sources make, {} kB", size / 1000);
    Ok(())
}

/// Builds the page into a folder.
pub fn build(folder: &Path) -> Result<(), String> {
    install_packages()?;
    run(Command::new(node()?).current_dir(root().join("web")).arg("build.mjs").arg(folder))
}

/// The packages of the lock file, if they are not there as it says.
pub fn install_packages() -> Result<(), String> {
    let web = root().join("web");
    let [wanted, there] = [web.join("package-lock.json"), web.join("node_modules/.from-lock")].map(fs::read);
    let wanted = wanted.map_err(|error| format!("web/package-lock.json: {error}"))?;
    if there.is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    let npm = have("npm", &["nodejs", "npm"])?;
    // Scripts of packages are not needed here, so they do not run.
    run(Command::new(npm).current_dir(&web).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    fs::write(web.join("node_modules/.from-lock"), wanted).map_err(|error| format!("web/node_modules: {error}"))
}

/// The Node that runs the tools.
pub fn node() -> Result<PathBuf, String> {
    // Old systems call it otherwise.
    find_program("nodejs").map_or_else(|| have("node", &["nodejs"]), Ok)
}

/// A program, installed by the system's packages where it is missing.
pub fn have(program: &str, packages: &[&str]) -> Result<PathBuf, String> {
    if let Some(found) = find_program(program) {
        return Ok(found);
    }
    let installed = install(packages);
    find_program(program).ok_or_else(|| {
        let reason = installed.err().unwrap_or_else(|| "it is not on the search path".into());
        let packages = packages.join(" ");
        format!("`{program}` is needed and could not be installed: {reason}; Debian: `apt-get install {packages}`")
    })
}
