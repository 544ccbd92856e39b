//! The pictures of `docs/gallery.md`: one per scene, taken with the `drystone` command.

use std::fs;

use crate::process::{cargo, root, run};

/// Small enough for a page of many and a clone of few megabytes \[pixels\].
const SIZE: &str = "480x270";

/// A picture: the scene, and how it is run to show what it is about.
struct Shot {
    scene: &'static str,
    arguments: &'static [&'static str],
}

const fn shot(scene: &'static str, arguments: &'static [&'static str]) -> Shot {
    Shot { scene, arguments }
}

/// The last frame of each run is what is shown, so the times pick the telling moment.
const SHOTS: &[Shot] = &[
    shot("pyramid", &["--seconds", "1"]),
    shot("wall", &["--set", "rows=12", "--set", "columns=12", "--seconds", "1"]),
    shot("stack", &["--seconds", "1"]),
    shot("mass-ratio", &["--seconds", "1"]),
    shot("large-pyramid", &["--set", "rows=40", "--seconds", "0.2"]),
    shot("keva", &["--seconds", "0.1"]),
    shot("pile", &["--set", "count=500", "--seconds", "3"]),
    shot("card-house", &["--seconds", "1"]),
    shot("arch", &["--seconds", "1"]),
    shot("incline", &["--seconds", "1"]),
    shot("sliding-box", &["--seconds", "1"]),
    shot("sliding-row", &["--seconds", "0.1"]),
    shot("sliding-slabs", &["--seconds", "1"]),
    shot("overhang", &["--seconds", "1"]),
    shot("domino", &["--set", "count=16", "--seconds", "1.2"]),
    shot("thrown-stack", &["--seconds", "0.5"]),
    shot("chain", &["--seconds", "1"]),
    shot("necklace", &["--set", "chains=10", "--seconds", "1"]),
    shot("joint-grid", &["--set", "size=8", "--seconds", "1"]),
    shot("pendulum", &["--seconds", "0.5"]),
    shot("double-pendulum", &["--seconds", "0.7"]),
    shot("newton-cradle", &["--seconds", "0.6"]),
    shot("gyroscope", &["--seconds", "2.1"]),
    shot("cable", &["--seconds", "2"]),
    shot("gears", &["--seconds", "1"]),
    shot("bridge", &["--seconds", "2"]),
    shot("wrecking-ball", &["--seconds", "1.5"]),
    shot("chain-hits-stack", &["--seconds", "1.2"]),
    shot("ragdolls", &["--set", "count=2", "--seconds", "0.6"]),
    shot("tree", &["--seconds", "0.3"]),
    shot("random-tree", &["--seconds", "0.1"]),
    shot("humanoid", &["--seconds", "0.3"]),
    shot("four-bar", &["--seconds", "0.3"]),
    shot("six-bar", &["--seconds", "0.3"]),
    shot("klann-walker", &["--seconds", "0.3"]),
    shot("stewart-platform", &["--seconds", "0.3"]),
    shot("chain-mail", &["--set", "size=4", "--seconds", "0.3"]),
    shot("assembly", &["--seconds", "0.3"]),
    shot("tunnelling", &[]),
    shot("peg-in-hole", &["--seconds", "0.2"]),
    shot("turntable", &["--seconds", "1"]),
    shot("chain-net", &["--set", "size=3", "--seconds", "0.6"]),
];

/// Takes the pictures of all scenes or of those named.
pub fn gallery(names: &[String]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| SHOTS.iter().all(|shot| shot.scene != **name)) {
        return Err(format!("the gallery has no scene `{unknown}`; its scenes are listed in xtask/src/gallery.rs"));
    }
    let folder = root().join("docs/images");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    for shot in SHOTS.iter().filter(|shot| names.is_empty() || names.iter().any(|name| name == shot.scene)) {
        let picture = folder.join(shot.scene).with_extension("png");
        let mut command = cargo();
        command.args(["run", "--release", "--quiet", "-p", "drystone-cli", "--", "run", shot.scene]);
        // A cut-short run may not have shown its claim; the picture is wanted all the same.
        let done = run(command.args(shot.arguments).args(["--size", SIZE, "--quiet", "--export"]).arg(&picture));
        if let Err(message) = done {
            println!("xtask: {message}");
        }
    }
    Ok(())
}
