//! The commands that repeat a comparison.

use maud::{Markup, html};

use crate::compare::Comparison;
use crate::compare::contender::Contender;

/// The comparison itself, and every run by itself.
pub fn section(comparison: &Comparison) -> Markup {
    let runs = comparison.trials.iter().map(|trial| single(comparison, &trial.contender));
    html! {
        p { "This page:" }
        pre { (whole(comparison)) }
        p { "Each run by itself, with a recording that " code { "drystone check" } " reads:" }
        pre { (runs.collect::<Vec<_>>().join("\n")) }
        p class="soft" {
            "The same model, time step and number of steps for all, one run after the other on a machine that may have had \
             other work; times are wall-clock times. Motions repeat bit for bit on the same machine, times do not."
        }
    }
}

/// The words every command of this comparison shares.
fn scene(comparison: &Comparison) -> String {
    let job = &comparison.job;
    let mut words = vec![quoted(&job.name)];
    words.extend(job.set.iter().map(|set| format!("--set {}", quoted(set))));
    words.extend(comparison.options.source.dt.map(|dt| format!("--dt {dt}")));
    words.extend(comparison.options.source.threads.map(|threads| format!("--threads {threads}")));
    words.join(" ")
}

fn whole(comparison: &Comparison) -> String {
    let options = comparison.options;
    let solvers = comparison.trials.iter().map(|trial| trial.contender.label.as_str());
    let refused = comparison.refusals.iter().map(|refusal| refusal.label.as_str());
    let solvers = quoted(&solvers.chain(refused).collect::<Vec<_>>().join(","));
    let mut text = format!("drystone compare {} --solvers {solvers}", scene(comparison));
    text.push_str(&format!(" --steps {} --budget {}", comparison.job.steps, options.budget));
    text
}

fn single(comparison: &Comparison, contender: &Contender) -> String {
    let own = if contender.solver == comparison.job.solver { Some(&comparison.job.options) } else { None };
    let mut text = format!("drystone run {} --solver {}", scene(comparison), contender.solver);
    for (key, value) in contender.options.iter().filter(|(key, value)| own.and_then(|own| own.get(*key)) != Some(value))
    {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.push_str(&format!(" --option {}", quoted(&format!("{key}={value}"))));
    }
    let file: String = contender.label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    text.push_str(&format!(" --steps {} --record {file}.npz", comparison.job.steps));
    text
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,@:+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_reach_the_shell_whole() {
        assert_eq!(quoted("mu=0.5"), "mu=0.5");
        assert_eq!(quoted("my scene.json5"), "'my scene.json5'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
