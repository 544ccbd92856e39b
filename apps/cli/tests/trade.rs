//! `drystone run --budget` and `--tolerance` from outside.

mod tools;

use tools::{Folder, json, stderr, stdout};

/// Steps twenty times as long as the scene's own.
const PENDULUM: [&str; 7] = ["run", "double-pendulum", "--solver", "structured", "--dt", "0.02", "--steps"];

#[test]
fn a_tolerance_is_reached_with_the_least_work_and_can_be_repeated_to_the_bit() {
    let folder = Folder::new();
    let run = |metres: &str| {
        let run = folder.drystone(&[&PENDULUM[..], &["20", "--tolerance", metres, "--json"]].concat());
        assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
        json(&run)
    };
    let (coarse, fine) = (run("1e-2"), run("1e-4"));
    for (report, asked) in [(&coarse, 1e-2), (&fine, 1e-4)] {
        let trade = &report["trade"];
        assert_eq!((&trade["met"], trade["tolerance"].as_f64()), (&true.into(), Some(asked)));
        assert!(trade["error"].as_f64().unwrap() <= asked, "{trade}");
        assert!(trade["budget"].is_null() && trade["steps_over_budget"].is_null());
        assert_eq!(report["options"]["min_pieces"], trade["min_pieces"]);
    }
    let pieces = |report: &serde_json::Value| report["trade"]["min_pieces"].as_u64().unwrap();
    assert!(pieces(&fine) > pieces(&coarse), "{} {}", coarse["trade"], fine["trade"]);
    let options: Vec<&str> = fine["trade"]["repeat"].as_str().unwrap().split(' ').collect();
    let again = folder.drystone(&[&PENDULUM[..], &["20", "--json"], &options].concat());
    assert_eq!(json(&again)["state_hash"], fine["state_hash"], "{}", stderr(&again));
}

#[test]
fn a_budget_is_kept_to_and_says_how_to_have_the_same_bits_again() {
    let folder = Folder::new();
    let run = folder.drystone(&[&PENDULUM[..], &["5", "--budget", "2s", "--report", "a.json"]].concat());
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let text = stdout(&run);
    assert!(text.contains("for the same bits again give") && text.contains("--option"), "{text}");
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("a.json")).unwrap()).unwrap();
    let trade = &report["trade"];
    assert_eq!((&trade["met"], trade["budget"].as_f64()), (&true.into(), Some(2.0)));
    assert_eq!(trade["steps_over_budget"], 0);
    // Two seconds are plenty: the work is more, and the error less, than what a nanosecond buys.
    let least = json(&folder.drystone(&[&PENDULUM[..], &["5", "--budget", "0.001us", "--json"]].concat()));
    assert!(trade["min_pieces"].as_u64() >= Some(8) && least["trade"]["met"] == false, "{trade} {least}");
    assert!(trade["error"].as_f64() < least["trade"]["error"].as_f64().map(|error| 0.1 * error), "{trade} {least}");
    // One nanosecond is not, and that is said.
    let short = folder.drystone(&[&PENDULUM[..], &["5", "--budget", "0.001us"]].concat());
    assert!(stdout(&short).contains("NOT REACHED"), "{}", stdout(&short));
}

#[test]
fn what_cannot_be_traded_is_refused_by_name() {
    let folder = Folder::new();
    let refused = |arguments: &[&str], words: &[&str]| {
        let run = folder.drystone(arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        words.iter().for_each(|word| assert!(stderr(&run).contains(word), "{arguments:?}: {}", stderr(&run)));
    };
    refused(&["run", "stack", "--solver", "vbd", "--budget", "8ms"], &["vbd", "--solver structured", "--iterations"]);
    refused(&["run", "stack", "--solver", "abd", "--tolerance", "1e-3"], &["abd", "--tolerance"]);
    refused(&[&PENDULUM[..], &["5", "--budget", "8"]].concat(), &["8ms"]);
    refused(&[&PENDULUM[..], &["5", "--tolerance", "0"]].concat(), &["positive"]);
    refused(&[&PENDULUM[..], &["5", "--tolerance", "1e-3", "--budget", "8ms"]].concat(), &["--budget", "--tolerance"]);
    refused(
        &[&PENDULUM[..], &["5", "--tolerance", "1e-3", "--option", "min_pieces=2"]].concat(),
        &["min_pieces", "leave one of them out"],
    );
}
