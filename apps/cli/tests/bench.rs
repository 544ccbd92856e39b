//! `drystone bench` as a user runs it.

mod tools;

use tools::{Folder, json, stderr, stdout};

#[test]
fn the_set_leaves_json_and_csv_that_diff_reads() {
    let folder = Folder::new();
    let measured = folder.drystone(&["bench", "stack:count=2", "--solver", "vbd", "--repeats", "2", "--out", "a.json"]);
    assert_eq!(measured.status.code(), Some(0), "{}", stderr(&measured));
    assert!(stdout(&measured).contains("`stack:count=2`") && stdout(&measured).contains("noise:"));
    let file: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("a.json")).unwrap()).unwrap();
    assert!(file["facts"]["rustc"].as_str().unwrap().contains("rustc"));
    assert!(file["rows"][0]["phases"]["iterate"].as_f64().unwrap() > 0.0 && file["rows"][0]["passed"] == true);
    assert_eq!(std::fs::read_to_string(folder.path("a.csv")).unwrap().lines().count(), 2);
    let same = folder.drystone(&["bench", "diff", "a.json", "a.json"]);
    assert_eq!(same.status.code(), Some(0), "{}", stderr(&same));
    assert!(stdout(&same).contains("1 cases in both: 0 slower, 0 faster"), "{}", stdout(&same));
    let shown = folder.drystone(&["bench", "--from", "a.json", "--json"]);
    assert_eq!(json(&shown), file);
}

#[test]
fn a_case_that_became_slower_fails_the_diff() {
    let folder = Folder::new();
    let measured = folder.drystone(&["bench", "stack:count=2", "--solver", "vbd", "--repeats", "1", "--out", "a.json"]);
    assert_eq!(measured.status.code(), Some(0), "{}", stderr(&measured));
    let mut file: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("a.json")).unwrap()).unwrap();
    file["rows"][0]["ms_min"] = (2.0 * file["rows"][0]["ms_min"].as_f64().unwrap()).into();
    folder.write("b.json", &file.to_string());
    let diff = folder.drystone(&["bench", "diff", "a.json", "b.json"]);
    assert_eq!(diff.status.code(), Some(1));
    assert!(stdout(&diff).contains("SLOWER"), "{}", stdout(&diff));
    let cases = json(&folder.drystone(&["bench", "diff", "a.json", "b.json", "--json"]));
    assert_eq!(cases[0]["change"], "slower", "{cases}");
    // Numbers read from JSON may be off by their last bit.
    assert!((cases[0]["ratio"].as_f64().unwrap() - 2.0).abs() < 1e-14, "{cases}");
}

#[test]
fn bad_input_is_named() {
    let folder = Folder::new();
    for (arguments, word) in [
        (vec!["bench", "pyramud"], "pyramid"),
        (vec!["bench", "diff", "none.json", "none.json"], "none.json"),
        (vec!["bench", "scaling", "--solver", "magic"], "magic"),
        (vec!["bench", "--peers", "pyramid"], "checkout"),
    ] {
        let refused = folder.drystone(&arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&refused).contains(word), "{}", stderr(&refused));
    }
}
