//! `drystone bench diff`: two result files, and what of their difference is more than noise.

use serde::Serialize;

use super::options::DiffOptions;
use super::record::{self, BenchFile, Row};
use super::table::{markdown, short};
use crate::Outcome;
use crate::error::Failure;
use crate::print;

/// Differences below this are noise even where the repeats agreed: three repeats do not see everything.
const FLOOR: f64 = 0.03;

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Change {
    Slower,
    Faster,
    Noise,
}

/// Compares two files. A case that became slower, or lost its claim, fails the command.
pub fn diff(options: &DiffOptions) -> Result<Outcome, Failure> {
    let before: BenchFile<Row> = record::read(&options.before)?;
    let after: BenchFile<Row> = record::read(&options.after)?;
    let pairs = pairs(&before.rows, &after.rows);
    if options.json {
        let cases: Vec<Case> = pairs.iter().map(|(a, b)| Case::new(a, b)).collect();
        print::line(serde_json::to_string_pretty(&cases)?);
    } else {
        show(&before, &after, &pairs);
    }
    let worse = pairs.iter().any(|(a, b)| change(a, b) == Change::Slower || lost(a, b));
    Ok(if worse { Outcome::ClaimFailed } else { Outcome::Good })
}

/// A case of both files, for programs.
#[derive(Debug, Serialize)]
struct Case {
    scene: String,
    solver: String,
    backend: String,
    threads: usize,
    ms_before: f64,
    ms_after: f64,
    ratio: f64,
    noise: f64,
    change: Change,
    passed_before: Option<bool>,
    passed_after: Option<bool>,
}

impl Case {
    fn new(a: &Row, b: &Row) -> Self {
        let (scene, solver, backend, threads) = a.key();
        Self {
            scene,
            solver,
            backend,
            threads,
            ms_before: a.ms_min,
            ms_after: b.ms_min,
            ratio: b.ms_min / a.ms_min,
            noise: noise(a, b),
            change: change(a, b),
            passed_before: a.passed,
            passed_after: b.passed,
        }
    }
}

/// Prints what is more than noise, and a summary.
fn show(before: &BenchFile<Row>, after: &BenchFile<Row>, pairs: &[(Row, Row)]) {
    let (from, to) = (&before.facts, &after.facts);
    if from.machine.cpu != to.machine.cpu || from.machine.parallelism != to.machine.parallelism {
        let name = |machine: &crate::report::Machine| machine.cpu.clone().unwrap_or_else(|| "unknown".into());
        print::line(format!("different machines: {} and {}", name(&from.machine), name(&to.machine)));
    }
    let told: Vec<&(Row, Row)> =
        pairs.iter().filter(|(a, b)| change(a, b) != Change::Noise || a.passed != b.passed).collect();
    if !told.is_empty() {
        let head = ["scene", "solver", "threads", "ms before", "ms after", "ratio", "noise", "change", "claim"];
        print::line(markdown(&head, &told.iter().map(|(a, b)| cells(a, b)).collect::<Vec<_>>()));
    }
    print::line(summary(&before.rows, &after.rows, pairs));
}

fn pairs(before: &[Row], after: &[Row]) -> Vec<(Row, Row)> {
    let twin = |row: &Row| after.iter().find(|other| other.key() == row.key());
    before.iter().filter_map(|row| Some((row.clone(), twin(row)?.clone()))).collect()
}

/// The larger spread of the repeats of the two.
fn noise(a: &Row, b: &Row) -> f64 {
    a.spread.max(b.spread).max(FLOOR)
}

fn change(a: &Row, b: &Row) -> Change {
    let (ratio, noise) = (b.ms_min / a.ms_min, noise(a, b));
    match ratio {
        _ if ratio > 1.0 + noise => Change::Slower,
        _ if ratio * (1.0 + noise) < 1.0 => Change::Faster,
        _ => Change::Noise,
    }
}

fn lost(a: &Row, b: &Row) -> bool {
    a.passed == Some(true) && b.passed == Some(false)
}

fn cells(a: &Row, b: &Row) -> Vec<String> {
    let word = match change(a, b) {
        Change::Slower => "SLOWER",
        Change::Faster => "faster",
        Change::Noise => "within noise",
    };
    let claim = |row: &Row| super::table::claim(row.passed, &row.measured);
    let claims = if a.passed == b.passed { claim(a) } else { format!("{} → {}", claim(a), claim(b)) };
    vec![
        format!("`{}`", a.scene),
        a.solver.clone(),
        a.threads.to_string(),
        short(a.ms_min),
        short(b.ms_min),
        format!("{:.2}", b.ms_min / a.ms_min),
        format!("{:.0} %", 100.0 * noise(a, b)),
        word.into(),
        claims,
    ]
}

fn summary(before: &[Row], after: &[Row], pairs: &[(Row, Row)]) -> String {
    let count = |kind: Change| pairs.iter().filter(|(a, b)| change(a, b) == kind).count();
    let mean = (pairs.iter().map(|(a, b)| (b.ms_min / a.ms_min).ln()).sum::<f64>() / pairs.len().max(1) as f64).exp();
    format!(
        "{} cases in both: {} slower, {} faster, {} within the noise of their repeats (at least {:.0} %); \
         times are {mean:.3} of before on average; {} claims lost; {} cases only before, {} only after",
        pairs.len(),
        count(Change::Slower),
        count(Change::Faster),
        count(Change::Noise),
        100.0 * FLOOR,
        pairs.iter().filter(|(a, b)| lost(a, b)).count(),
        before.len() - pairs.len(),
        after.len() - pairs.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ms: f64, spread: f64) -> Row {
        let text = r#"{"scene":"wall","solver":"vbd","backend":"cpu","threads":1,"bodies":1,"joints":0,"contacts":0,
            "steps":1,"steps_asked":1,"ms_min":1,"ms_median":1,"spread":0,"memory":null,"phases":{},"penetration":0,
            "drift":0,"joint_gap":0,"energy_gain":0,"passed":true,"measured":""}"#;
        Row { ms_min: ms, spread, ..serde_json::from_str(text).unwrap() }
    }

    #[test]
    fn only_what_is_beyond_the_noise_is_flagged() {
        assert_eq!(change(&row(1.0, 0.0), &row(1.02, 0.0)), Change::Noise);
        assert_eq!(change(&row(1.0, 0.0), &row(1.10, 0.0)), Change::Slower);
        assert_eq!(change(&row(1.0, 0.15), &row(1.10, 0.0)), Change::Noise);
        assert_eq!(change(&row(1.0, 0.05), &row(0.80, 0.05)), Change::Faster);
        assert_eq!(pairs(&[row(1.0, 0.0)], &[Row { threads: 2, ..row(1.0, 0.0) }]).len(), 0);
    }
}
