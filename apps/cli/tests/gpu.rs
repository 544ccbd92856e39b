//! Commands on the GPU, by the software driver where there is no card.

mod tools;

use serde_json::Value;
use tools::{Folder, json, stderr, stdout};

fn read(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.path(name)).unwrap()).unwrap()
}

#[test]
fn a_report_names_the_device() {
    let folder = Folder::new();
    let scene = ["run", "pyramid", "--set", "rows=2", "--steps", "6", "--solver", "vbd", "--report"];
    for (name, more, named) in [("cpu.json", &[][..], false), ("gpu.json", &["--backend", "gpu"][..], true)] {
        let output = folder.drystone(&[&scene[..], &[name], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(read(&folder, name)["device"].is_string(), named);
    }
}

#[test]
fn a_comparison_sets_the_gpu_beside_the_processor() {
    let folder = Folder::new();
    let scene = ["compare", "pyramid", "--set", "rows=2", "--steps", "6", "--json", "--backend", "gpu"];
    let output = folder.drystone(&[&scene[..], &["--device", "vulkan"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let runs = json(&output)["runs"].as_array().unwrap().clone();
    let mut told: Vec<_> =
        runs.iter().map(|run| (run["solver"].as_str().unwrap(), run["device"].is_string())).collect();
    told.sort_unstable();
    let all = [("jacobi", false), ("jacobi:device=vulkan", true), ("vbd", false), ("vbd:device=vulkan", true)];
    assert_eq!(told, all);
    let device = runs.iter().find_map(|run| run["device"].as_str()).unwrap();
    let page = std::fs::read_to_string(folder.path("compare-pyramid.html")).unwrap();
    assert!(page.contains(&format!("ran on {device}")));
    let refused = folder.drystone(&[&scene[..], &["--solvers", "vbd,abd"]].concat());
    assert!(stderr(&refused).contains("`abd` runs on the CPU only"), "{}", stderr(&refused));
}

#[test]
fn a_benchmark_names_the_device() {
    let folder = Folder::new();
    let scene = ["bench", "pyramid:rows=2", "--repeats", "1", "--budget", "2", "--backend", "gpu"];
    let output = folder.drystone(&[&scene[..], &["--solver", "vbd", "--out", "a.json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows = read(&folder, "a.json")["rows"].clone();
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["backend"]), (1, &Value::from("gpu")));
    let device = rows[0]["device"].as_str().unwrap();
    assert!(stdout(&output).contains(&format!("`(gpu)`: {device}")), "{}", stdout(&output));
}
