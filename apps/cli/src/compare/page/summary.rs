//! What was compared, the table, and who refused.

use drystone_plot::escaped;

use crate::compare::Comparison;
use crate::compare::conclusion::sentence;
use crate::compare::table::{Row, digits, length_or_none};
use crate::compare::trial::End;
use crate::report::Machine;

/// What stands below the title: the scene, the machine, and the legend that holds for the whole page.
pub fn lead(comparison: &Comparison) -> String {
    let job = &comparison.job;
    let mut out = format!("<p class=\"conclusion\"><b>{}</b></p>\n", escaped(&sentence(comparison)));
    if let Ok(entry) = drystone_scenes::find(&job.name) {
        out.push_str(&format!("<p>{}.</p>\n", escaped(&capital(entry.summary))));
    }
    if let Some(check) = &job.check {
        out.push_str(&format!("<p class=\"soft\">Claim: {}.</p>\n", escaped(&check.claim)));
    }
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
    out.push_str(&format!("<p class=\"soft\">{}</p>\n<div class=\"legend\">\n", escaped(&facts)));
    for (color, trial) in comparison.trials.iter().enumerate() {
        let label = escaped(&trial.contender.label);
        out.push_str(&format!(
            "<button type=\"button\" aria-pressed=\"true\" data-color=\"{color}\" title=\"show or hide\">\
             <i class=\"key c{color}\"></i>{label}</button>\n"
        ));
    }
    out.push_str("</div>\n");
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The table, remarks and refusals.
pub fn figures(comparison: &Comparison) -> String {
    let rows: Vec<Row> = comparison.trials.iter().map(Row::of).collect();
    let columns = columns(comparison, &rows);
    let mut out = String::from("<div class=\"scroll\"><table>\n<thead><tr><th>solver</th>");
    for Column { head, sub, .. } in &columns {
        let sub = if sub.is_empty() { String::new() } else { format!("<small>{sub}</small>") };
        out.push_str(&format!("<th>{head}{sub}</th>"));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (index, row) in rows.iter().enumerate() {
        out.push_str(&format!("<tr><td><i class=\"key c{index}\"></i> {}</td>", escaped(&row.label)));
        for column in &columns {
            let [class, text] = &column.cells[index];
            let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
            out.push_str(&format!("<td{class}>{}</td>", escaped(text)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out + &remarks(comparison)
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

fn remarks(comparison: &Comparison) -> String {
    let mut items = Vec::new();
    for (color, trial) in comparison.trials.iter().enumerate() {
        let label = escaped(&trial.contender.label);
        let mut notes = vec![trial.remark()];
        notes.extend(trial.verdict.as_ref().filter(|verdict| !verdict.passed).map(|verdict| verdict.measured.clone()));
        let notes: Vec<String> = notes.iter().filter(|note| !note.is_empty()).map(|note| escaped(note)).collect();
        if !notes.is_empty() {
            items.push(format!(
                "<li class=\"c{color}\" style=\"border-color:var(--c)\"><b>{label}</b> {}</li>",
                notes.join("; ")
            ));
        }
    }
    for refusal in &comparison.refusals {
        let [label, reason, remedy] = [&refusal.label, &refusal.reason, &refusal.remedy].map(|text| escaped(text));
        items.push(format!("<li><b>{label}</b> does not take this scene: {reason}. What would work: {remedy}.</li>"));
    }
    match items.is_empty() {
        true => String::new(),
        false => format!("<ul class=\"refused\">\n{}\n</ul>\n", items.join("\n")),
    }
}
