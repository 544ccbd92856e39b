//! Tables, files, and the facts of the machine beside them.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::duel::Row;
use crate::engine::Fault;

/// Where, when under what load, and with what the numbers were made.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub command: String,
    pub load_before: String,
    pub load_after: String,
    pub versions: Vec<(String, String)>,
}

impl Machine {
    /// Looks around; the load afterwards is filled in later.
    pub fn look() -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
        let names = ["drystone", "rapier3d", "parry3d", "boxddd"];
        Self {
            cpu: model.trim_start_matches(['\t', ' ', ':']).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            command: std::env::args().skip(1).fold("peers".to_owned(), |line, word| line + " " + &word),
            load_before: load(),
            load_after: String::new(),
            versions: names.iter().map(|name| ((*name).to_owned(), locked_version(name).to_owned())).collect(),
        }
    }
}

/// Load averages over 1, 5 and 15 minutes.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

fn locked_version(package: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let after = lock.split_once(&format!("name = \"{package}\"\nversion = \"")).map_or("", |(_, rest)| rest);
    after.split('"').next().unwrap_or("")
}

/// Writes `stem.json` (machine and rows) and `stem.csv` (rows).
pub fn write(stem: &Path, machine: &Machine, rows: &[Row]) -> Result<(), Fault> {
    #[derive(Serialize)]
    struct File<'a> {
        machine: &'a Machine,
        rows: &'a [Row],
    }
    fs::write(stem.with_extension("json"), serde_json::to_string_pretty(&File { machine, rows })? + "\n")?;
    Ok(fs::write(stem.with_extension("csv"), csv(rows)?)?)
}

/// Columns are the fields of a row; those that are no numbers or names are left to the JSON.
fn csv(rows: &[Row]) -> Result<String, Fault> {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let serde_json::Value::Object(mut fields) = serde_json::to_value(row)? else { continue };
        fields.remove("measured");
        fields.remove("phases");
        if index == 0 {
            text += &(fields.keys().cloned().collect::<Vec<_>>().join(",") + "\n");
        }
        let cells: Vec<String> = fields.values().map(|value| value.to_string().trim_matches('"').to_owned()).collect();
        text += &(cells.join(",") + "\n");
    }
    Ok(text)
}

/// Prints a scene's rows as a Markdown table, so that it can be pasted.
pub fn print(rows: &[Row]) {
    let Some(first) = rows.first() else { return };
    println!("\n**{}** ({} bodies, {} joints, {} steps)\n", first.scene, first.bodies, first.joints, first.steps);
    println!(
        "| engine | cpu ms/step | late | wall median | wall min | penetration max / end mm | drift mm | joint gap mm | E gain | claim |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for row in rows {
        let claim = match row.passed {
            Some(true) => "pass",
            Some(false) => "FAIL",
            None => &row.measured,
        };
        println!(
            "| {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.2} / {:.2} | {:.2} | {:.3} | {:.1e} | {claim} |",
            row.engine,
            row.cpu_ms,
            row.cpu_ms_late,
            row.wall_ms,
            row.wall_ms_min,
            row.penetration_max * 1e3,
            row.penetration_end * 1e3,
            row.moved_end * 1e3,
            row.joint_gap_max * 1e3,
            row.energy_gain,
        );
    }
    for row in rows.iter().filter(|row| !row.phases.is_empty()) {
        let shares: Vec<String> = row.phases.iter().map(|(phase, share)| format!("{phase} {share} %")).collect();
        println!("\n{}: {}", row.engine, shares.join(", "));
    }
}
