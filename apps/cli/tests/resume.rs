//! The same bits for any number of threads, and after being killed or stopped and resumed.

mod tools;

use std::time::{Duration, Instant};

use drystone::Checkpoint;
use tools::{Folder, json, stderr};

const STEPS: &str = "400";
const RUN: [&str; 6] = ["run", "pile", "--set", "count=30", "--steps", STEPS];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN, more].concat()
}

/// The hash of the final state; the claim may or may not hold.
fn final_hash(folder: &Folder, more: &[&str]) -> String {
    let output = folder.drystone(&with(&[more, &["--json"]].concat()));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
    json(&output)["state_hash"].as_str().unwrap().to_owned()
}

#[test]
fn threads_do_not_change_a_bit() {
    let folder = Folder::new();
    let hashes = ["1", "2", "4"].map(|threads| final_hash(&folder, &["--threads", threads]));
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

fn wait_for_checkpoint(folder: &Folder) {
    let start = Instant::now();
    while !folder.path("c").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint appeared");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn steps_done(folder: &Folder) -> u64 {
    Checkpoint::read(&folder.path("c")).unwrap().state.step_count
}

#[test]
fn a_killed_run_resumes_to_the_same_bits() {
    let folder = Folder::new();
    let mut child = folder.start(&with(&["--checkpoint", "c", "--checkpoint-every", "25"]));
    wait_for_checkpoint(&folder);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(steps_done(&folder) < STEPS.parse().unwrap(), "it was killed too late to show anything");
    assert_eq!(final_hash(&folder, &["--resume", "c"]), final_hash(&folder, &[]));
}

#[test]
fn a_checkpoint_of_another_run_is_refused_by_what_differs() {
    let folder = Folder::new();
    let short = ["run", "stack", "--set", "count=2", "--steps", "2", "--checkpoint", "c", "-q"];
    assert_eq!(folder.drystone(&short).status.code(), Some(0));
    let others: [(&[&str], &str); 4] = [
        (&["run", "stack", "--set", "count=3", "--resume", "c"], "--set count=2"),
        (&["run", "wall", "--resume", "c"], "`stack --set count=2`"),
        (&["run", "stack", "--set", "count=2", "--dt", "0.1", "--resume", "c"], "--dt"),
        (&["run", "stack", "--set", "count=2", "--iterations", "3", "--resume", "c"], "solver options"),
    ];
    for (command, message) in others {
        let output = folder.drystone(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(stderr(&output).contains(message), "{command:?} says: {}", stderr(&output));
    }
}

/// A run of no steps must not pass for the finished one, nor write over what that left.
#[test]
fn resuming_past_the_end_is_refused_and_writes_nothing() {
    let folder = Folder::new();
    let run = ["run", "stack", "--set", "count=2", "--steps", "8"];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    assert_eq!(folder.drystone(&with(&["--checkpoint", "c", "--record", "a.npz", "-q"])).status.code(), Some(0));
    let recorded = std::fs::read(folder.path("a.npz")).unwrap();
    for steps in ["8", "5"] {
        let mut again = with(&["--resume", "c", "--record", "a.npz"]);
        again[5] = steps;
        let output = folder.drystone(&again);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("step 8") && stderr(&output).contains("--steps"), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read(folder.path("a.npz")).unwrap(), recorded);
}

/// Ctrl-C lets the step finish, writes the checkpoint and says how to go on: what it says works as it stands.
#[cfg(unix)]
#[test]
fn a_stopped_run_resumes_to_the_same_bits() {
    let folder = Folder::new();
    let options = ["--iterations", "6", "--option", "method=avbd", "--dt", "0.016"];
    let options = [&options[..], &["--checkpoint", "c", "--checkpoint-every", "25"]].concat();
    let child = folder.start(&with(&options));
    wait_for_checkpoint(&folder);
    let stopped = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(stopped.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(steps_done(&folder) < STEPS.parse().unwrap(), "it was stopped too late to show anything");
    let said = stderr(&output);
    let (_, command) = said.split_once("go on with: drystone ").unwrap_or_else(|| panic!("{said}"));
    let command: Vec<&str> = command.split_whitespace().chain(["--json"]).collect();
    let resumed = folder.drystone(&command);
    assert!(matches!(resumed.status.code(), Some(0 | 1)), "{}", stderr(&resumed));
    assert_eq!(json(&resumed)["state_hash"].as_str().unwrap(), final_hash(&folder, &options));
}
