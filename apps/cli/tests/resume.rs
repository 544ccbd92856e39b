//! The same bits for any number of threads, and after being killed or stopped and resumed.

mod tools;

use std::time::{Duration, Instant};

use drystone::Checkpoint;
use tools::{Folder, json, stderr};

const RUN: [&str; 4] = ["run", "pile", "--set", "count=30"];
/// Days of work: a run of so many steps ends because it is stopped.
const ENDLESS: &str = "100000000";
/// Steps taken after a run was stopped.
const MORE: u64 = 60;

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN, more].concat()
}

/// The hash of the state after so many steps; the claim may or may not hold.
fn hash_after(folder: &Folder, steps: u64, more: &[&str]) -> String {
    let steps = steps.to_string();
    let output = folder.drystone(&with(&[more, &["--steps", &steps, "--json"]].concat()));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
    json(&output)["state_hash"].as_str().unwrap().to_owned()
}

/// Steps in the checkpoint.
fn steps_done(folder: &Folder) -> u64 {
    let done = Checkpoint::read(&folder.path("c")).unwrap().state.step_count;
    assert!(done > 0, "a checkpoint of the start shows nothing");
    done
}

/// A run that went on from the checkpoint ends where one that was never stopped does.
fn resumes_to_the_same_bits(folder: &Folder) {
    let end = steps_done(folder) + MORE;
    assert_eq!(hash_after(folder, end, &["--resume", "c"]), hash_after(folder, end, &[]));
}

#[test]
fn threads_do_not_change_a_bit() {
    let folder = Folder::new();
    let hashes = ["1", "2", "4"].map(|threads| hash_after(&folder, 200, &["--threads", threads]));
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

#[test]
fn a_killed_run_resumes_to_the_same_bits() {
    let folder = Folder::new();
    let mut child = folder.start(&with(&["--steps", ENDLESS, "--checkpoint", "c", "--checkpoint-every", "25"]));
    wait_for_checkpoint(&folder);
    child.kill().unwrap();
    child.wait().unwrap();
    resumes_to_the_same_bits(&folder);
}

/// The recording of a run that was killed or had ended, and went on, is that of one run, byte for byte.
#[test]
fn a_resumed_recording_holds_all_frames() {
    let folder = Folder::new();
    let options = ["--checkpoint", "c", "--checkpoint-every", "25", "--record", "killed.npz", "--every", "5"];
    let mut child = folder.start(&with(&[&["--steps", ENDLESS], &options[..]].concat()));
    wait_for_checkpoint(&folder);
    child.kill().unwrap();
    child.wait().unwrap();
    let end = (steps_done(&folder) + MORE).to_string();
    let run = |steps: &str, more: &[&str]| {
        let output = folder.drystone(&with(&[&["--steps", steps, "--every", "5", "-q"], more].concat()));
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
    };
    run(&end, &["--record", "killed.npz", "--resume", "c"]);
    run(&end, &["--record", "whole.npz"]);
    run("30", &["--record", "ended.npz", "--checkpoint", "early"]);
    run(&end, &["--record", "ended.npz", "--resume", "early"]);
    let read = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(read("killed.npz") == read("whole.npz"), "killed and resumed");
    assert!(read("ended.npz") == read("whole.npz"), "ended and resumed");
    assert!(!folder.path(".killed.npz.frames").exists(), "frames are left behind");
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
    let child = folder.start(&with(&[&["--steps", ENDLESS], &options[..]].concat()));
    wait_for_checkpoint(&folder);
    let stopped = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(stopped.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let end = steps_done(&folder) + MORE;
    let said = stderr(&output);
    let (_, command) = said.split_once("go on with: drystone ").unwrap_or_else(|| panic!("{said}"));
    // Nothing but the end is changed: it would come in days.
    assert!(command.contains(ENDLESS), "{command}");
    let command = command.replace(ENDLESS, &end.to_string());
    let command: Vec<&str> = command.split_whitespace().chain(["--json"]).collect();
    let resumed = folder.drystone(&command);
    assert!(matches!(resumed.status.code(), Some(0 | 1)), "{}", stderr(&resumed));
    assert_eq!(json(&resumed)["state_hash"].as_str().unwrap(), hash_after(&folder, end, &options));
}
