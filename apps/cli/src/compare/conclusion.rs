//! What a comparison comes to, in a sentence.

use super::Comparison;
use super::table::{Row, digits};
use super::trial::{End, Trial};

/// Who kept the claim and at what price, who did not, and who did not get to the end.
pub fn sentence(comparison: &Comparison) -> String {
    let mut by_time: Vec<&Trial> = comparison.trials.iter().filter(|trial| trial.end == End::Finished).collect();
    by_time.sort_by(|a, b| median(a).total_cmp(&median(b)));
    let passed = |wanted: bool| move |trial: &&&Trial| trial.verdict.as_ref().is_some_and(|v| v.passed == wanted);
    let keeping: Vec<&Trial> = by_time.iter().filter(passed(true)).copied().collect();
    let failing: Vec<&Trial> = by_time.iter().filter(passed(false)).copied().collect();
    let judged = !(keeping.is_empty() && failing.is_empty());
    let mut parts = Vec::new();
    match (judged, keeping.as_slice(), by_time.as_slice()) {
        (true, [first, others @ ..], _) => {
            parts.push(format!("{} keeps the claim in the least time, {}", first.contender.label, price(first)));
            parts.extend(others.iter().map(|trial| format!("{} keeps it too, {}", name(trial), times(trial, first))));
        }
        (true, [], _) => parts.push("no solver keeps the claim".to_owned()),
        (false, _, [first, others @ ..]) => {
            parts.push(format!("{} takes the least time, {}", first.contender.label, price(first)));
            parts.extend(others.iter().map(|trial| format!("{} takes {}", name(trial), times(trial, first))));
        }
        (false, _, []) => parts.push("no solver got to the end".to_owned()),
    }
    if judged && !failing.is_empty() && !keeping.is_empty() {
        let labels: Vec<&str> = failing.iter().map(|trial| name(trial)).collect();
        parts.push(format!("{} {} it", labels.join(" and "), if labels.len() == 1 { "fails" } else { "fail" }));
    }
    let early = comparison.trials.iter().filter(|trial| trial.end != End::Finished);
    parts.extend(early.map(|trial| format!("{} {}", name(trial), trial.short_remark())));
    parts.extend(comparison.refusals.iter().map(|refusal| format!("{} does not take the scene", refusal.label)));
    let open = comparison.job.not_judged().map(|why| format!(" The claim was not judged: {why}."));
    format!("{}.{}", capital(&parts.join("; ")), open.unwrap_or_default())
}

fn name(trial: &Trial) -> &str {
    &trial.contender.label
}

/// Median time of a step \[ms\].
fn median(trial: &Trial) -> f64 {
    Row::of(trial).milliseconds[1]
}

fn price(trial: &Trial) -> String {
    format!("{} ms per step (median)", digits(median(trial)))
}

fn times(trial: &Trial, least: &Trial) -> String {
    format!("{} times as long", digits(median(trial) / median(least)))
}

/// A sentence begins with a capital, a name of a solver keeps its spelling.
fn capital(text: &str) -> String {
    match text.strip_prefix("no ") {
        Some(rest) => format!("No {rest}"),
        None => text.to_owned(),
    }
}
