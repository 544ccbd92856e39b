//! `drystone compare`, `drystone gallery` and the schema of reports, from outside.

mod tools;

use tools::{Folder, json, stderr};

/// What every page has.
const SECTIONS: [&str; 7] = ["figures", "motion", "course", "time", "convergence", "agreement", "repeat"];

#[test]
fn a_comparison_is_one_page_that_needs_nothing_else() {
    let folder = Folder::new();
    let command =
        ["compare", "pyramid", "--set", "rows=2", "--steps", "6", "--solvers", "vbd@2,vbd@8,jacobi", "--json"];
    let output = folder.drystone(&command);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let summary = json(&output);
    let solvers: Vec<&str> =
        summary["runs"].as_array().unwrap().iter().map(|run| run["solver"].as_str().unwrap()).collect();
    assert_eq!(solvers, ["vbd@2", "vbd@8", "jacobi"]);
    assert!(summary["runs"].as_array().unwrap().iter().all(|run| run["steps"] == 6), "{summary}");
    assert_eq!(folder.names(), ["compare-pyramid.html"]);
    let page = std::fs::read_to_string(folder.path("compare-pyramid.html")).unwrap();
    for section in SECTIONS {
        assert!(page.contains(&format!("<section id=\"{section}\">")), "no section {section}");
    }
    for outside in ["http:", "https:", "src=\"/", "@import", "url("] {
        assert!(!page.contains(outside), "the page reaches outside: {outside}");
    }
    // The conclusion stands on top; a run this short is not judged.
    let top = page.split("<section").next().unwrap();
    assert!(top.contains("takes the least time") && top.contains("not judged: "), "{top}");
    let plots = page.matches("<svg class=\"plot\"").count();
    assert!(plots >= 12, "{plots} plots");
    assert_eq!(page.matches("<figure class=\"film\"").count(), 3);
    assert!(page.contains("drystone compare pyramid --set rows=2 --solvers vbd@2,vbd@8,jacobi --steps 6"));
    assert!(page.contains("drystone run pyramid --set rows=2 --solver vbd --option iterations=8 --steps 6"));
}

#[test]
fn who_refuses_a_scene_is_listed_with_the_reason() {
    let folder = Folder::new();
    folder.write(
        "soft.json5",
        r#"{ bodies: [{ name: "ball", shapes: [{ geometry: { sphere: { radius: 0.1 } } }] }], particles: [{ position: [0, 0, 1], mass: 1 }] }"#,
    );
    // Solvers of joints take no particles: each says so, and what would work.
    let output = folder.drystone(&["compare", "soft.json5", "--steps", "1", "--solvers", "structured,jacobi"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for solver in ["structured", "jacobi"] {
        assert!(stderr(&output).contains(&format!("{solver} refuses: ")), "{}", stderr(&output));
    }
    assert_eq!(folder.names(), ["soft.json5"]);
}

#[test]
fn a_run_that_takes_too_long_is_stopped_and_says_so() {
    let folder = Folder::new();
    let output =
        folder.drystone(&["compare", "stack", "--seconds", "1000", "--solvers", "vbd", "--budget", "0.3", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let run = &json(&output)["runs"][0];
    assert!(run["remark"].as_str().unwrap().contains("stopped after"), "{run}");
    assert!(run["claim_holds"].is_null(), "an unfinished run has shown nothing");
}

#[test]
fn the_gallery_takes_the_pictures_asked_for() {
    let folder = Folder::new();
    let output = folder.drystone(&["gallery", "pendulum", "stack", "--out", "pictures", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for name in ["pendulum", "stack"] {
        let picture = std::fs::read(folder.path("pictures").join(name).with_extension("png")).unwrap();
        assert!(picture.starts_with(b"\x89PNG"));
    }
}

#[test]
fn the_published_schema_of_reports_is_current_and_describes_them() {
    let folder = Folder::new();
    let printed = folder.drystone(&["schema", "report"]);
    let schema = json(&printed);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    let published = std::fs::read_to_string(path).unwrap_or_default();
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(published == printed, "write the output of `drystone schema report` to docs/report.schema.json");
    let run = folder.drystone(&["run", "stack", "--set", "count=2", "--steps", "3", "--report", "r.json", "-q"]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path("r.json")).unwrap()).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&report), keys(&schema["properties"]));
    assert_eq!(keys(&report["series"]), keys(&schema["$defs"]["Series"]["properties"]));
}
