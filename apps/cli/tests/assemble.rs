//! `drystone assemble`: what it closes, what it says is open, what it writes.

mod tools;

use tools::{Folder, stderr};

/// A bar on two hooks, further apart than its eyes unless it is as long as asked for.
fn bar(eye: f64) -> String {
    format!(
        "{{ bodies: [{{ name: 'bar', position: [3, 2, 1], mass: 1, shapes: [{{ geometry: {{ sphere: {{ radius: 0.1 }} }} }}] }}],
           joints: [
             {{ name: 'left', kind: 'ball', child: 'bar', frame_parent: {{ position: [0, 0, 0] }}, frame_child: {{ position: [-{eye}, 0, 0] }} }},
             {{ name: 'right', kind: 'ball', child: 'bar', frame_parent: {{ position: [2, 0, 0] }}, frame_child: {{ position: [{eye}, 0, 0] }} }},
           ], settings: {{ solver: 'structured', seconds: 0.2, options: {{ tolerance: 1e-9 }} }} }}"
    )
}

#[test]
fn a_mechanism_is_closed_and_written_so_that_it_runs() {
    let folder = Folder::new();
    folder.write("bar.json5", &bar(1.0));
    let done = folder.drystone(&["assemble", "bar.json5", "--out", "closed.json5"]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(0), "{said}{}", stderr(&done));
    assert!(said.contains("closed: 2 joints") && said.contains("wrote closed.json5"), "{said}");
    let again = folder.drystone(&["assemble", "closed.json5", "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!((told["closed"].as_bool(), told["steps"].as_u64()), (Some(true), Some(0)), "{told}");
    let text = std::fs::read_to_string(folder.path("closed.json5")).unwrap();
    assert!(text.contains("structured") && text.contains("tolerance"), "settings of the file are kept: {text}");
    assert_eq!(folder.drystone(&["run", "closed.json5", "-q"]).status.code(), Some(0));
}

#[test]
fn joints_that_cannot_be_closed_are_named() {
    let folder = Folder::new();
    folder.write("bar.json5", &bar(0.5));
    let done = folder.drystone(&["assemble", "bar.json5", "--attempts", "3"]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(1), "{said}{}", stderr(&done));
    assert!(said.contains("open `left` by 5.000e-1 m") && said.contains("open `right` by 5.000e-1 m"), "{said}");
    let kept = folder.drystone(&["assemble", "bar.json5", "--keep", "bar", "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&kept.stdout).unwrap();
    assert_eq!((kept.status.code(), told["moved"].as_f64()), (Some(1), Some(0.0)), "{told}");
}

#[test]
fn a_scattered_lattice_of_the_library_is_closed() {
    let folder = Folder::new();
    let done = folder.drystone(&["assemble", "assembly", "--set", "size=3", "--set", "turn=180", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
}

#[test]
fn bad_input_says_what_to_do() {
    let folder = Folder::new();
    for (arguments, expected) in [
        (&["assemble", "four-bar", "--keep", "anvil"][..], "there is no such body"),
        (&["assemble", "four-bar", "--out", "out.glb"], "scene files are .json5"),
        (&["assemble", "four-bar", "--tolerance", "-1"], "positive"),
        (&["assemble", "four-bar", "--attempts", "0"], "at least 1"),
        (&["assemble", "four-bar", "--threads", "0"], "at least 1"),
    ] {
        let refused = folder.drystone(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&refused).contains(expected), "{arguments:?}: {}", stderr(&refused));
    }
}
