//! The command from outside: exit codes, messages, files.

mod tools;

use tools::{Folder, json, stderr, stdout};

#[test]
fn the_library_is_listed_and_described() {
    let folder = Folder::new();
    let list = folder.drystone(&["scenes"]);
    assert_eq!(list.status.code(), Some(0));
    let text = String::from_utf8_lossy(&list.stdout).into_owned();
    for name in ["pyramid", "necklace", "rows=20"] {
        assert!(text.contains(name), "{text}");
    }
    let one = folder.drystone(&["scenes", "mass-ratio"]);
    assert!(String::from_utf8_lossy(&one.stdout).contains("--set ratio=1000"));
    let all = json(&folder.drystone(&["scenes", "--json"]));
    assert!(all.as_array().unwrap().len() >= 25);
}

#[test]
fn a_run_writes_its_files_and_its_recording_bears_it_out() {
    let folder = Folder::new();
    let files = ["a.npz", "a.glb", "a.usda", "a.png"];
    let export: Vec<&str> = files[1..].iter().flat_map(|file| ["--export", file]).collect();
    let mut command = vec!["run", "pyramid", "--set", "rows=4", "--steps", "30"];
    command.extend(["--record", "a.npz", "--report", "a.json", "--checkpoint", "a.ckpt", "--json"]);
    command.extend(export);
    let run = folder.drystone(&command);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let summary = json(&run);
    assert_eq!(summary["steps"], 30);
    // Half a second shows nothing of a claim about ten.
    assert!(summary["verdict"].is_null());
    assert!(summary["not_judged"].as_str().unwrap().starts_with("0.5 s of "), "{}", summary["not_judged"]);
    assert_eq!(folder.names(), ["a.ckpt", "a.glb", "a.json", "a.npz", "a.png", "a.usda"]);
    let check = folder.drystone(&["check", "a.npz", "--against", "a.json", "--json"]);
    assert_eq!(check.status.code(), Some(0), "{}", stderr(&check));
    let agreement = json(&check)["agreement"].as_array().unwrap().clone();
    assert_eq!(agreement.len(), 4);
    assert!(agreement.iter().all(|figure| figure["agrees"] == true), "{agreement:?}");
}

#[test]
fn joints_in_motion_are_borne_out_too() {
    let folder = Folder::new();
    let run = ["run", "chain", "--set", "links=8", "--steps", "60", "--record", "c.npz", "--report", "c.json", "-q"];
    let run = folder.drystone(&run);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    assert!(run.stdout.is_empty(), "quiet means quiet");
    assert_eq!(folder.drystone(&["check", "c.npz", "--against", "c.json"]).status.code(), Some(0));
    // A report of another run must not pass for this one.
    let other = ["run", "chain", "--set", "links=7", "--steps", "60", "--report", "other.json", "-q"];
    assert_eq!(folder.drystone(&other).status.code(), Some(0));
    assert_eq!(folder.drystone(&["check", "c.npz", "--against", "other.json"]).status.code(), Some(1));
}

#[test]
fn a_claim_that_fails_is_exit_code_one() {
    let folder = Folder::new();
    // One iteration of the baseline solver holds nothing up.
    let run = folder.drystone(&["run", "stack", "--solver", "jacobi", "--iterations", "1"]);
    assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
    assert!(stdout(&run).contains("FAILS"), "{}", stdout(&run));
}

#[test]
fn steps_that_leave_joints_open_are_told_with_their_names_and_a_way_out() {
    let folder = Folder::new();
    let chain = ["run", "chain", "--set", "links=12", "--steps", "20", "--report", "r.json"];
    let run = folder.drystone(&[&chain[..], &["--solver", "jacobi", "--iterations", "1"]].concat());
    let said = stdout(&run);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path("r.json")).unwrap()).unwrap();
    let (totals, series) = (&report["totals"], &report["series"]);
    let steps = totals["unconverged_steps"].as_u64().unwrap();
    assert!(steps > 0, "{totals}");
    let told = series["unconverged"].as_array().unwrap().iter().filter(|step| **step == true).count();
    assert_eq!(told as u64, steps, "totals and series tell the same");
    assert!(series["open_joints"].as_array().unwrap().iter().any(|count| count.as_u64() > Some(0)));
    let names = totals["open_joint_names"].as_array().unwrap();
    assert!(!names.is_empty() && names.len() <= totals["open_joints"].as_u64().unwrap() as usize);
    // The table breaks lines where the terminal ends.
    for word in [&format!("{steps} of 20 steps"), names[0].as_str().unwrap(), "--iterations", "--dt", "--solver"] {
        assert!(said.contains(word), "{word} in {said}");
    }
    // A run that converges has nothing to say.
    let run = folder.drystone(&chain);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    assert!(!stdout(&run).contains("not converged"), "{}", stdout(&run));
}

#[test]
fn a_run_shorter_than_its_claim_is_not_judged() {
    let folder = Folder::new();
    for (length, said) in [(["--seconds", "0.5"], "not judged: 0.5 s of"), (["--steps", "0"], "not judged: 0 s of")] {
        let run = folder.drystone(&[&["run", "stack", "--set", "count=2"], &length[..]].concat());
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        assert!(stdout(&run).contains(said) && !stdout(&run).contains("holds"), "{}", stdout(&run));
    }
}

#[test]
fn a_scene_file_without_anything_in_it_is_refused() {
    let folder = Folder::new();
    for text in ["{}", "{ shapes: [{ geometry: 'half_space' }] }"] {
        folder.write("empty.json5", text);
        let run = folder.drystone(&["run", "empty.json5"]);
        assert_eq!(run.status.code(), Some(2), "{}", stdout(&run));
        assert!(stderr(&run).contains("nothing that could move"), "{}", stderr(&run));
    }
}

#[test]
fn a_scene_file_runs_and_a_slip_in_it_is_shown_in_place() {
    let folder = Folder::new();
    let text = r#"{
    // A ball above the ground.
    settings: { dt: 0.01, seconds: 0.2, iterations: 4 },
    shapes: [{ geometry: "half_space" }],
    bodies: [{ name: "ball", position: [0, 0, 1], shapes: [{ geometry: { sphere: { radius: 0.1 } } }] }],
}"#;
    folder.write("ball.json5", text);
    let run = folder.drystone(&["run", "ball.json5", "--json"]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let summary = json(&run);
    assert_eq!((summary["steps"].as_u64(), summary["options"]["iterations"].as_u64()), (Some(20), Some(4)));
    folder.write("slip.json5", &text.replace("radius", "radus"));
    let slip = folder.drystone(&["run", "slip.json5"]);
    assert_eq!(slip.status.code(), Some(2));
    assert!(stderr(&slip).starts_with("slip.json5:5:"), "{}", stderr(&slip));
    assert!(stderr(&slip).contains("did you mean `radius`?"), "{}", stderr(&slip));
}

/// The fingers close, then the palm rises, and friction takes the box along.
#[test]
fn a_gripper_closes_then_lifts() {
    let folder = Folder::new();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/gripper.json5");
    let box_height = |seconds: &str, scene: &str| {
        let run = folder.drystone(&["run", scene, "--seconds", seconds, "--checkpoint", "c", "-q"]);
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        drystone::Checkpoint::read(&folder.path("c")).unwrap().state.body_q[3].translation.z
    };
    assert!((box_height("0.9", scene) - 0.03).abs() < 1e-3, "it lifts before it has closed");
    let lifted = box_height("3", scene);
    assert!((lifted - 0.23).abs() < 0.01, "the box is at {lifted} m");
    // Fingers that stay open lift nothing.
    let text = std::fs::read_to_string(scene).unwrap();
    folder.write("open.json5", &text.replace("target: 0.03", "target: 0.01"));
    assert!((box_height("3", "open.json5") - 0.03).abs() < 1e-3);
}

/// Cloth goes to a file with all its elements and is judged from it.
#[test]
fn a_recording_of_cloth_is_checked() {
    let folder = Folder::new();
    let run =
        ["run", "cloth-stack", "--set", "count=2", "--seconds", "0.2", "--record", "c.npz", "--report", "c.json", "-q"];
    assert_eq!(folder.drystone(&run).status.code(), Some(0));
    let check = folder.drystone(&["check", "c.npz", "--against", "c.json"]);
    assert_eq!(check.status.code(), Some(0), "{}{}", stdout(&check), stderr(&check));
    for told in ["450 particles", "crossings", "none in 13 frames", "stretch", "agrees with the report"] {
        assert!(stdout(&check).contains(told), "{told}: {}", stdout(&check));
    }
    let strict = folder.drystone(&["check", "c.npz", "--max-overlap", "0", "--json"]);
    let found = json(&strict);
    assert_eq!(found["particles"]["crossings"].as_array().unwrap().len(), 13);
    // The sheets have landed: their balls reach into the ground by a little, and that is found where none is allowed.
    assert_eq!(strict.status.code(), Some(1));
    assert!(found["particles"]["first_inside"]["depth"].as_f64().unwrap() > 0.0);
}

#[test]
fn shells_can_complete_the_options() {
    for shell in ["bash", "zsh", "fish"] {
        let output = Folder::new().drystone(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("checkpoint-every"), "{shell}");
    }
}

#[test]
fn the_schema_is_json() {
    let schema = json(&Folder::new().drystone(&["schema"]));
    assert!(schema["properties"]["bodies"].is_object());
}

/// Command lines that must end with exit code 2, and what the message must say.
const BAD: &[(&[&str], &str)] = &[
    (&[], "Usage"),
    (&["fly"], "unrecognized subcommand"),
    (&["run"], "required"),
    (&["run", "pyramyd"], "did you mean `pyramid`?"),
    (&["run", "nothing-like-it"], "drystone scenes"),
    (&["run", "missing.json5"], "missing.json5"),
    (&["run", "robot.sdf"], "reads robots (.urdf, .xml, .usda, .usdc) and scene files (.json5, .json)"),
    (&["run", "missing.urdf"], "missing.urdf: error: cannot read the file"),
    (&["run", "missing.usda"], "cannot read the file"),
    (&["run", "stack", "--base", "fixed"], "`stack` is no robot file"),
    (&["convert", "stack", "stack.blend"], "cannot write `.blend`"),
    (&["convert", "stack", "stack.json5", "--steps", "3"], "`--steps` changes nothing in `stack.json5`"),
    (&["convert", "stack", "stack.json5", "--seconds", "3"], "`--seconds` changes nothing"),
    (&["convert", "stack", "stack.json5", "--threads", "2"], "`--threads` changes nothing"),
    (&["convert", "stack", "stack.urdf", "--dt", "0.01"], "`--dt` changes nothing"),
    (&["run", "part.stl"], "geometry: { mesh"),
    (&["run", "stack", "--set", "count=0"], "from 1 to 1000"),
    (&["run", "stack", "--set", "count=many"], "whole number"),
    (&["run", "stack", "--set", "count"], "key=value"),
    (&["run", "stack", "--set", "cuont=3"], "did you mean `count`?"),
    (&["run", "incline", "--set", "mu=NaN"], "from 0 to 2"),
    (&["run", "stack", "--solver", "magic"], "vbd"),
    (&["run", "stack", "--backend", "gpu"], "--backend gpu"),
    (&["compare", "stack", "--backend", "gpu"], "--backend gpu"),
    (&["compare", "stack", "--backend", "gpu", "--solvers", "vbd"], "--backend gpu"),
    (&["bench", "stack", "--backend", "gpu"], "--backend gpu"),
    (&["bench", "stack", "--backend", "gpu", "--solver", "vbd"], "--backend gpu"),
    (&["bench", "stack", "--backend", "gpu", "--peers"], "--peers"),
    (&["run", "stack", "--backend", "gpu", "--device", "abacus"], "vulkan"),
    (&["run", "stack", "--backend", "abacus"], "possible values"),
    (&["run", "stack", "--dt", "0"], "positive"),
    (&["run", "stack", "--dt", "-1"], "positive"),
    (&["run", "stack", "--seconds", "-1"], "not negative"),
    (&["run", "stack", "--steps", "-1"], "invalid value '-1' for '--steps"),
    (&["run", "stack", "--iterations", "0"], "at least one iteration"),
    (&["run", "stack", "--option", "iterations=0"], "at least one iteration"),
    (&["run", "stack", "--option", "iterations=4", "--option", "iterations=5"], "given twice"),
    (&["run", "stack", "--set", "count=3", "--set", "count=4"], "given twice"),
    (&["run", "stack", "--dt", "soon"], "invalid"),
    (&["run", "stack", "--dt", "inf"], "positive"),
    (&["run", "stack", "--seconds", "nan"], "--seconds"),
    (&["run", "stack", "--seconds", "1e30"], "steps"),
    (&["run", "stack", "--steps", "10", "--seconds", "1"], "cannot be used with"),
    (&["run", "stack", "--threads", "0"], "--threads"),
    (&["run", "stack", "--every", "0"], "--every"),
    (&["run", "stack", "--option", "iterations"], "key=value"),
    (&["run", "four-bar", "--solver", "structured", "--iterations", "3"], "--iterations 3: the solver `structured`"),
    (&["run", "stack", "--solver", "vdb"], "did you mean `vbd`?"),
    (&["run", "stack", "--option", "substeps=many"], "`substeps` = \"many\": expected a whole number"),
    (&["run", "stack", "--option", "itertions=4"], "itertions"),
    (&["run", "stack", "--record", "out.txt"], ".npz"),
    (&["run", "stack", "--record", "no/such/folder/out.npz"], "no/such/folder"),
    (&["run", "stack", "--export", "out.mp4"], ".glb"),
    (&["run", "stack", "--report", "."], "folder"),
    (&["run", "stack", "--checkpoint-every", "5"], "--checkpoint"),
    (&["run", "stack", "--resume", "missing.ckpt"], "missing.ckpt"),
    (&["compare", "pyramyd"], "did you mean `pyramid`?"),
    (&["compare", "stack", "--solvers", "vdb"], "the solvers are"),
    (&["compare", "stack", "--solvers", "vbd,vbd"], "twice"),
    (&["compare", "stack", "--solvers", "vbd:itertions=3"], "itertions"),
    (&["compare", "stack", "--budget", "0"], "--budget"),
    (&["compare", "stack", "--out", "no/such/page.html"], "no/such"),
    (&["gallery", "pyramyd"], "did you mean `pyramid`?"),
    (&["schema", "picture"], "possible values"),
    (&["check", "missing.npz"], "missing.npz"),
    (&["run", "stack", "--checkpoint", "c", "--checkpoint-every", "0"], "--checkpoint-every"),
    (&["run", "stack", "--record", "a.npz", "--export", "a.npz"], "written twice"),
    (&["run", "stack", "--report", "a", "--checkpoint", "a"], "written twice"),
    (&["run", "stack", "--fps", "0"], "from 0.1 to 50"),
    (&["run", "stack", "--size", "1000000x1000000"], "from 16 to 4096"),
    (&["run", "stack", "--view", "30,100"], "degrees"),
    (&["run", "stack", "--view", "0,0", "--eye", "1,1,1"], "cannot be used with"),
    (&["run", "stack", "--look-at", "nan,0,0"], "metres"),
];

#[test]
fn bad_input_ends_with_exit_code_two_a_message_and_no_files() {
    let folder = Folder::new();
    for (command, message) in BAD {
        let output = folder.drystone(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{command:?} says: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{command:?}: {}", stderr(&output));
        assert!(folder.names().is_empty(), "{command:?} left {:?}", folder.names());
    }
}

#[test]
fn files_that_are_something_else_are_refused() {
    let folder = Folder::new();
    folder.write("x", "this is neither");
    let npz = folder.drystone(&["check", "x"]);
    let ckpt = folder.drystone(&["run", "stack", "--resume", "x"]);
    for output in [&npz, &ckpt] {
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(output).contains('x') && !stderr(output).contains("panicked"), "{}", stderr(output));
    }
    assert!(stderr(&ckpt).contains("not a Drystone checkpoint"), "{}", stderr(&ckpt));
}
