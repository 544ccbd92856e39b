//! `drystone bench scaling`: how time and memory grow with bodies, contacts and threads.

use std::path::Path;

use drystone_io::atomic::atomic_write;
use drystone_plot::{Plot, Scale, Series, exponent};

use super::measure_all;
use super::options::ScalingOptions;
use super::record::Row;
use super::set::Case;
use super::table::{markdown, short};
use crate::Outcome;
use crate::error::Failure;
use crate::print;

/// A scene that grows.
struct Family {
    solver: &'static str,
    /// Scene and parameter.
    scene: &'static str,
    sizes: &'static [u32],
}

const fn family(solver: &'static str, scene: &'static str, sizes: &'static [u32]) -> Family {
    Family { solver, scene, sizes }
}

/// One with contacts and one with joints for every solver that has both; contacts are there from the first step.
const FAMILIES: [Family; 8] = [
    family("vbd", "pyramid:rows=", &[10, 14, 20, 28, 40, 56, 80, 112]),
    family("vbd", "joint-grid:size=", &[10, 20, 40, 80, 160]),
    family("jacobi", "pyramid:rows=", &[10, 14, 20, 28, 40, 56, 80]),
    family("jacobi", "necklace:chains=", &[25, 50, 100, 200, 400, 800]),
    family("structured", "random-tree:bodies=", &[30, 100, 300, 1000, 3000]),
    family("structured", "chain-mail:size=", &[4, 6, 8, 12, 16, 24]),
    family("abd", "domino:count=", &[8, 15, 30, 60, 120]),
    family("abd", "stack:count=", &[5, 10, 20, 40]),
];

impl Family {
    fn name(&self) -> String {
        format!("{} {}", self.solver, self.scene.split(':').next().unwrap_or(self.scene))
    }

    fn case(&self, size: u32, threads: usize) -> Case {
        Case { scene: format!("{}{size}", self.scene), solver: self.solver.into(), threads, gpu: false }
    }

    fn holds(&self, row: &Row) -> bool {
        row.solver == self.solver && row.scene.starts_with(self.scene)
    }
}

/// Measures and draws.
pub fn scaling(options: &ScalingOptions) -> Result<Outcome, Failure> {
    let families: Vec<&Family> = FAMILIES.iter().filter(|family| wanted(family, &options.solver)).collect();
    if families.is_empty() {
        let known = "vbd, jacobi, structured and abd";
        return Err(Failure::new(format!("--solver {}: there are {known}", options.solver.join(","))));
    }
    let all = options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let cases = cases(&families, all);
    let file = measure_all(&cases, (options.repeats, options.budget), options.quiet, options.out.as_deref())?;
    print::line(fits(&families, &file.rows));
    print::line(threads(&families, &file.rows));
    if let Some(path) = &options.out {
        draw(path, &families, &file.rows)?;
    }
    Ok(if file.rows.len() < cases.len() { Outcome::ClaimFailed } else { Outcome::Good })
}

fn wanted(family: &Family, solvers: &[String]) -> bool {
    solvers.is_empty() || solvers.iter().any(|solver| solver == family.solver)
}

/// Every size on one thread; a size in the upper half on two, four, … and all threads.
fn cases(families: &[&Family], all: usize) -> Vec<Case> {
    let mut counts: Vec<usize> = (1..).map(|power| 1 << power).take_while(|&count| count < all).collect();
    counts.extend((all > 1).then_some(all));
    let mut cases = Vec::new();
    for family in families {
        cases.extend(family.sizes.iter().map(|&size| family.case(size, 1)));
        let large = family.sizes[family.sizes.len() - 2];
        cases.extend(counts.iter().map(|&threads| family.case(large, threads)));
    }
    cases
}

/// The rows of a family on one thread.
fn alone<'a>(family: &Family, rows: &'a [Row]) -> Vec<&'a Row> {
    rows.iter().filter(|row| family.holds(row) && row.threads == 1).collect()
}

/// A line of a plot, from what two functions read off the rows.
fn points(rows: &[&Row], x: impl Fn(&Row) -> f64, y: impl Fn(&Row) -> f64) -> Vec<[f64; 2]> {
    rows.iter().map(|row| [x(row), y(row)]).filter(|point| point.iter().all(|x| *x > 0.0)).collect()
}

/// Exponent over the upper half of the sizes, where the leading power rules.
fn slope(points: &[[f64; 2]]) -> String {
    if points.len() < 3 { "–".into() } else { format!("{:.2}", exponent(&points[(points.len() - 1) / 2..])) }
}

fn bodies(row: &Row) -> f64 {
    row.bodies as f64
}

fn memory(row: &Row) -> f64 {
    row.memory.unwrap_or(f64::NAN)
}

fn fits(families: &[&Family], rows: &[Row]) -> String {
    let head = [
        "solver, scene",
        "bodies",
        "ms/step at most",
        "time ~ bodies^",
        "time ~ contacts^",
        "memory ~ bodies^",
        "bytes per body",
    ];
    let line = |family: &&Family| {
        let rows = alone(family, rows);
        let last = *rows.last()?;
        Some(vec![
            family.name(),
            format!("{}–{}", rows[0].bodies, last.bodies),
            short(last.ms_min),
            slope(&points(&rows, bodies, |row| row.ms_min)),
            slope(&points(&rows, |row| row.contacts, |row| row.ms_min)),
            slope(&points(&rows, bodies, memory)),
            short(memory(last) / bodies(last)),
        ])
    };
    markdown(&head, &families.iter().filter_map(line).collect::<Vec<_>>())
}

/// Speed-up of a family by threads.
fn speed_up(family: &Family, rows: &[Row]) -> Vec<[f64; 2]> {
    let many = rows.iter().filter(|row| family.holds(row) && row.threads > 1);
    let Some(scene) = many.clone().next().map(|row| &row.scene) else { return Vec::new() };
    let Some(one) = rows.iter().find(|row| &row.scene == scene && family.holds(row) && row.threads == 1) else {
        return Vec::new();
    };
    let points = many.map(|row| [row.threads as f64, one.ms_min / row.ms_min]);
    std::iter::once([1.0, 1.0]).chain(points).collect()
}

fn threads(families: &[&Family], rows: &[Row]) -> String {
    let head = ["solver, scene", "speed-up by threads"];
    let cells = |family: &&Family| {
        let gains: Vec<String> = speed_up(family, rows).iter().map(|[n, gain]| format!("{n}: {gain:.2}×")).collect();
        vec![family.name(), gains.join(", ")]
    };
    markdown(&head, &families.iter().map(cells).collect::<Vec<_>>())
}

fn draw(path: &Path, families: &[&Family], rows: &[Row]) -> Result<(), Failure> {
    let plot = |name: &str, title: &str, x: Scale, y: Scale, line: &dyn Fn(&Family) -> Series| {
        let mut plot = Plot::new(title, x, y);
        plot.series.extend(families.iter().map(|family| line(family)).filter(|series| series.points.len() > 1));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = plot.svg();
        atomic_write(&path.with_file_name(format!("{stem}-{name}.svg")), |out| {
            std::io::Write::write_all(out, text.as_bytes())
        })
    };
    let fitted = |family: &Family, points: Vec<[f64; 2]>| {
        Series::line(format!("{}: {}", family.name(), slope(&points)), points).marked()
    };
    let time = Scale::log("time of a step [ms]");
    plot("time", "Time against bodies, with exponents", Scale::log("bodies"), time.clone(), &|family| {
        fitted(family, points(&alone(family, rows), bodies, |row| row.ms_min))
    })?;
    plot("contacts", "Time against contact points, with exponents", Scale::log("contact points"), time, &|family| {
        fitted(family, points(&alone(family, rows), |row| row.contacts, |row| row.ms_min))
    })?;
    let bytes = Scale::log("peak memory [bytes]");
    plot("memory", "Memory against bodies, with exponents", Scale::log("bodies"), bytes, &|family| {
        fitted(family, points(&alone(family, rows), bodies, memory))
    })?;
    plot("threads", "Speed-up by threads", Scale::linear("threads"), Scale::linear("times faster"), &|family| {
        Series::line(family.name(), speed_up(family, rows)).marked()
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_grows_and_every_size_is_a_scene() {
        for solver in drystone::solvers() {
            assert!(FAMILIES.iter().any(|family| family.solver == solver.name), "{}", solver.name);
        }
        for family in &FAMILIES {
            let case = family.case(family.sizes[0], 1);
            assert!(drystone_scenes::parse(&case.scene).is_ok(), "{}", case.scene);
        }
    }

    #[test]
    fn threads_double_up_to_all() {
        let counts: Vec<usize> = cases(&[&FAMILIES[0]], 6).iter().map(|case| case.threads).filter(|&t| t > 1).collect();
        assert_eq!(counts, [2, 4, 6]);
        assert!(cases(&[&FAMILIES[0]], 1).iter().all(|case| case.threads == 1));
    }
}
