//! Tables, the plot, and the sentence that says who wins what.

use std::collections::BTreeMap;

use drystone_plot::{Plot, Scale, Series};

use super::family;
use super::row::PeerRow;
use crate::bench::table::{claim, gain, markdown, short};

/// What ratios are against.
const BASE: &str = "drystone-5it-1t";
/// What the table of ratios shows.
pub const RATIOS: &str = "Time of a step against Drystone's with five iterations on one thread; ~~struck out~~ where the claim failed, \
                          (in brackets) where the run was cut short and not judged.";

fn scenes(rows: &[PeerRow]) -> Vec<&str> {
    let mut scenes: Vec<&str> = Vec::new();
    for row in rows {
        if !scenes.contains(&row.scene.as_str()) {
            scenes.push(&row.scene);
        }
    }
    scenes
}

fn engines(rows: &[PeerRow]) -> Vec<&str> {
    let mut engines: Vec<&str> = Vec::new();
    for row in rows {
        if !engines.contains(&row.engine.as_str()) {
            engines.push(&row.engine);
        }
    }
    engines
}

/// Every figure.
pub fn tables(rows: &[PeerRow]) -> String {
    let head = [
        "scene",
        "engine",
        "cpu ms",
        "late ms",
        "wall ms",
        "penetration max / end mm",
        "drift mm",
        "joint gap mm",
        "E gain",
        "claim",
    ];
    let mut scene = "";
    let cells = rows.iter().map(|row| {
        let title = format!("`{}`, {} bodies, {} steps", row.scene, row.bodies, row.steps_asked);
        let first = std::mem::replace(&mut scene, &row.scene) != row.scene;
        line(row, if first { title } else { String::new() })
    });
    markdown(&head, &cells.collect::<Vec<_>>())
}

fn line(row: &PeerRow, title: String) -> Vec<String> {
    let nothing = || "–".to_owned();
    if let Some(reason) = &row.failure {
        let mut cells = vec![title, row.engine.clone()];
        cells.extend((0..7).map(|_| nothing()));
        cells.push(reason.clone());
        return cells;
    }
    let jointed = row.joints > 0;
    let overlap = format!("{} / {}", short(1e3 * row.penetration_max), short(1e3 * row.penetration_end));
    vec![
        title,
        row.engine.clone(),
        short(row.cpu_ms),
        short(row.cpu_ms_late),
        short(row.wall_ms),
        if jointed { nothing() } else { overlap },
        if jointed { nothing() } else { short(1e3 * row.moved_end) },
        if jointed { short(1e3 * row.joint_gap_max) } else { nothing() },
        gain(row.energy_gain),
        claim(row.passed, &row.measured),
    ]
}

fn find<'a>(rows: &'a [PeerRow], scene: &str, engine: &str) -> Option<&'a PeerRow> {
    rows.iter().find(|row| row.scene == scene && row.engine == engine && row.failure.is_none())
}

/// Time against Drystone's, by scene and engine; struck through where the claim failed.
pub fn ratios(rows: &[PeerRow]) -> String {
    let engines = engines(rows);
    let head: Vec<&str> = std::iter::once("time against drystone-5it-1t").chain(engines.iter().copied()).collect();
    let cell = |scene: &str, engine: &str| {
        let (Some(row), Some(base)) = (find(rows, scene, engine), find(rows, scene, BASE)) else { return "–".into() };
        let ratio = short(row.time() / base.time());
        match row.passed {
            Some(true) => ratio,
            Some(false) => format!("~~{ratio}~~"),
            None => format!("({ratio})"),
        }
    };
    let line = |scene: &&str| {
        let cells = engines.iter().map(|engine| cell(scene, engine));
        std::iter::once(format!("`{scene}`")).chain(cells).collect::<Vec<String>>()
    };
    markdown(&head, &scenes(rows).iter().map(line).collect::<Vec<_>>())
}

/// Times on one thread against Drystone's, a row of dots for every scene.
pub fn plot(rows: &[PeerRow]) -> Plot {
    let scenes = scenes(rows);
    let names = scenes.iter().map(|scene| (*scene).to_owned()).collect();
    let title = "Time of a step against Drystone's (5 iterations, one thread)";
    let mut plot = Plot::new(title, Scale::log("times Drystone's"), Scale::names(names));
    for engine in engines(rows).into_iter().filter(|engine| engine.ends_with("-1t")) {
        let points = scenes.iter().enumerate().filter_map(|(index, scene)| {
            let ratio = find(rows, scene, engine)?.time() / find(rows, scene, BASE)?.time();
            Some([ratio, index as f64])
        });
        let points: Vec<[f64; 2]> = points.collect();
        plot.series.push(Series::dots(claims(rows, engine), points));
    }
    plot
}

/// Who is best at something, scene by scene: families of engines with the number of scenes they win.
fn winners(
    rows: &[PeerRow],
    takes_part: impl Fn(&PeerRow) -> bool,
    figure: impl Fn(&PeerRow) -> f64,
) -> BTreeMap<&str, usize> {
    let mut wins = BTreeMap::new();
    for scene in scenes(rows) {
        let here = rows.iter().filter(|row| row.scene == scene && row.threads == 1 && row.failure.is_none());
        let best = here.filter(|row| takes_part(row) && figure(row).is_finite());
        if let Some(row) = best.min_by(|a, b| figure(a).total_cmp(&figure(b))) {
            *wins.entry(family(&row.engine)).or_insert(0) += 1;
        }
    }
    wins
}

fn listed(wins: &BTreeMap<&str, usize>) -> String {
    if wins.is_empty() {
        return "nobody".into();
    }
    let mut wins: Vec<(&&str, &usize)> = wins.iter().collect();
    wins.sort_by(|a, b| b.1.cmp(a.1));
    let all: usize = wins.iter().map(|(_, count)| **count).sum();
    let shown = wins.iter().map(|(engine, count)| format!("{engine} {count}")).collect::<Vec<_>>();
    format!("{} of {all}", shown.join(", "))
}

/// How many claims an engine kept, of those it was judged by.
fn claims(rows: &[PeerRow], engine: &str) -> String {
    let count = |kept: Option<bool>| rows.iter().filter(|row| row.engine == engine && row.passed == kept).count();
    let (kept, lost, open) = (count(Some(true)), count(Some(false)), count(None));
    let open = if open > 0 { format!(" ({open} unjudged)") } else { String::new() };
    format!("{engine} {kept} of {}{open}", kept + lost)
}

/// Who wins what.
pub fn sentence(rows: &[PeerRow]) -> String {
    let fastest = winners(rows, |_| true, PeerRow::time);
    let keeping = winners(rows, |row| row.passed == Some(true), PeerRow::time);
    let overlap = winners(rows, |row| row.joints == 0 && row.steps == row.steps_asked, |row| row.penetration_end);
    let gap = winners(rows, |row| row.joints > 0 && row.steps == row.steps_asked, |row| row.joint_gap_max);
    let claims = engines(rows).into_iter().map(|engine| claims(rows, engine));
    format!(
        "On one thread, counted by scenes. Fastest step, right or wrong: {}. Fastest of those that keep the scene's claim: {}. \
         Least overlap at the end: {}. Smallest joint gap: {}. Claims kept, of those judged: {}.",
        listed(&fastest),
        listed(&keeping),
        listed(&overlap),
        listed(&gap),
        claims.collect::<Vec<_>>().join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::super::Case;
    use super::*;

    fn row(engine: &str, ms: f64, passed: Option<bool>) -> PeerRow {
        let case = Case { scene: "wall".into(), engine: engine.into(), steps: None, bodies: 1, is_soft: false };
        PeerRow { cpu_ms: ms, passed, penetration_end: ms, failure: None, ..PeerRow::failed(&case, String::new()) }
    }

    #[test]
    fn the_fastest_is_told_from_the_fastest_that_is_right() {
        let rows = [
            row("drystone-5it-1t", 2.0, Some(true)),
            row("rapier-1t", 1.0, Some(false)),
            row("box3d-1t", 4.0, Some(true)),
            row("bullet-1t", f64::NAN, None),
        ];
        let text = sentence(&rows);
        assert!(
            text.contains("right or wrong: rapier 1 of 1. Fastest of those that keep the scene's claim: drystone 1")
        );
        assert!(text.contains("drystone-5it-1t 1 of 1") && text.contains("rapier-1t 0 of 1"), "{text}");
        let table = ratios(&rows);
        assert!(table.contains("~~0.500~~") && table.contains("2.00"), "{table}");
        assert!(text.contains("Smallest joint gap: nobody."), "{text}");
        assert_eq!(plot(&rows).series.len(), 4);
    }
}
