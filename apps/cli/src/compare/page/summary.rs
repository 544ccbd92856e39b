//! What was compared, the table, and who refused.

use maud::{Markup, html};

use crate::compare::Comparison;
use crate::compare::conclusion::sentence;
use crate::compare::table::{Row, digits, length_or_none};
use crate::compare::trial::{End, Trial};
use crate::report::Machine;

/// What stands below the title: the scene, the machine, and the legend that holds for the whole page.
pub fn lead(comparison: &Comparison) -> Markup {
    let job = &comparison.job;
    let machine = Machine::here();
    let threads = comparison.options.source.threads.unwrap_or(machine.parallelism);
    let facts = format!(
        "{} bodies, {} joints; {} steps of {} ms. Drystone {} on {} ({} {}), {threads} threads.",
        job.model.body_count(),
        job.model.joint_count(),
        job.steps,
        digits(1e3 * job.dt),
        env!("CARGO_PKG_VERSION"),
        machine.cpu.as_deref().unwrap_or("an unnamed processor"),
        machine.os,
        machine.arch,
    );
    html! {
        p class="conclusion" { b { (sentence(comparison)) } }
        @if let Ok(entry) = drystone_scenes::find(&job.name) { p { (capital(entry.summary)) "." } }
        @if let Some(check) = &job.check { p class="soft" { "Claim: " (check.claim) "." } }
        p class="soft" { (facts) }
        div class="legend" {
            @for (color, trial) in comparison.trials.iter().enumerate() {
                button type="button" aria-pressed="true" data-color=(color) title="show or hide" {
                    i class={ "key c" (color) } {} (trial.contender.label)
                }
            }
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The table, remarks and refusals.
pub fn figures(comparison: &Comparison) -> Markup {
    let rows: Vec<Row> = comparison.trials.iter().map(Row::of).collect();
    let columns = columns(comparison, &rows);
    html! {
        div class="scroll" {
            table {
                thead {
                    tr {
                        th { "solver" }
                        @for Column { head, sub, .. } in &columns {
                            th { (head) @if !sub.is_empty() { small { (sub) } } }
                        }
                    }
                }
                tbody {
                    @for (index, row) in rows.iter().enumerate() {
                        tr {
                            td { i class={ "key c" (index) } {} " " (row.label) }
                            @for [class, text] in columns.iter().map(|column| &column.cells[index]) {
                                td class=[(!class.is_empty()).then_some(class)] { (text) }
                            }
                        }
                    }
                }
            }
        }
        (remarks(comparison))
    }
}

/// A column of the table; every cell has a class and a text.
struct Column {
    head: &'static str,
    sub: &'static str,
    cells: Vec<[String; 2]>,
}

/// The columns that say something about this scene.
fn columns(comparison: &Comparison, rows: &[Row]) -> Vec<Column> {
    let column = |head, sub, text: &dyn Fn(&Row) -> String| Column {
        head,
        sub,
        cells: rows.iter().map(|row| [String::new(), text(row)]).collect(),
    };
    // Overlaps are recomputed from the recording, the same way for all, wherever every shape can be.
    let deepest = match comparison.trials.iter().all(|trial| trial.unmeasured == 0) {
        true => "deepest, recomputed",
        false => "deepest, by its own account",
    };
    let mut columns = vec![
        column("simulated", "", &|row| format!("{:.2} s", row.reached)),
        column("energy", "at the end", &|row| format!("{} J", digits(row.energy[0]))),
        column("change", "since the start", &|row| format!("{} J", digits(row.energy[1]))),
        column("penetration", deepest, &|row| length_or_none(row.penetration)),
    ];
    if rows.iter().any(|row| row.min_distance.is_some()) {
        columns.push(column("distance", "smallest, by its own account", &|row| length_or_none(row.min_distance)));
    }
    if comparison.job.model.joint_count() > 0 {
        columns.push(column("joint gap", "largest, by its own account", &|row| length_or_none(row.joint_gap)));
    }
    columns.push(column("momentum", "size, at the end", &|row| format!("{} kg·m/s", digits(row.momentum))));
    columns.push(column("residual", "median, by its own account", &|row| length_or_none(row.residual)));
    columns.push(column("ms per step", "least", &|row| digits(row.milliseconds[0])));
    let mut median = column("ms per step", "median", &|row| digits(row.milliseconds[1]));
    // Being fast counts only for those who arrived.
    let arrived = |index: &usize| comparison.trials[*index].end == End::Finished;
    let time = |index: usize| rows[index].milliseconds[1];
    if let Some(best) = (0..rows.len()).filter(arrived).min_by(|&a, &b| time(a).total_cmp(&time(b))) {
        median.cells[best][0] = "best".to_owned();
    }
    columns.push(median);
    columns.push(column("× real time", "", &|row| digits(row.real_time)));
    let mut claim = column("claim", "", &|row| row.claim_word().to_owned());
    for (cell, row) in claim.cells.iter_mut().zip(rows) {
        cell[0] = row.claim.map_or("", |holds| if holds { "good" } else { "bad" }).to_owned();
    }
    if comparison.job.check.is_some() {
        columns.push(claim);
    }
    columns
}

/// What is to be said of a run, if anything.
fn remark(trial: &Trial) -> Option<String> {
    let failed = trial.verdict.as_ref().filter(|verdict| !verdict.passed).map(|verdict| verdict.measured.clone());
    let device = trial.device.as_ref().map(|device| format!("ran on {device}"));
    let notes: Vec<String> =
        [Some(trial.remark()), failed, device].into_iter().flatten().filter(|n| !n.is_empty()).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

fn remarks(comparison: &Comparison) -> Markup {
    let runs = comparison.trials.iter().enumerate();
    let told: Vec<_> =
        runs.filter_map(|(color, trial)| Some((color, &trial.contender.label, remark(trial)?))).collect();
    html! {
        @if !(told.is_empty() && comparison.refusals.is_empty()) {
            ul class="refused" {
                @for (color, label, notes) in &told {
                    li class={ "c" (color) } style="border-color:var(--c)" { b { (label) } " " (notes) }
                }
                @for refusal in &comparison.refusals {
                    li {
                        b { (refusal.label) } " does not take this scene: " (refusal.reason) ". What would work: "
                        (refusal.remedy) "."
                    }
                }
            }
        }
    }
}
