//! `drystone bench scaling`: how time and memory grow with bodies, contacts and threads.

use drystone_plot::{Plot, Scale, Series, exponent};

use super::measure_all;
use super::options::ScalingOptions;
use super::record::Row;
use super::set::Case;
use super::table::{markdown, short};
use crate::Outcome;
use crate::error::Failure;

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

/// With contacts and with joints for every solver that has both; contacts are there from the first step. As many as
/// there are colours to tell them apart.
const FAMILIES: [Family; 8] = [
    family("vbd", "pyramid:rows=", &[10, 14, 20, 28, 40, 56, 80, 112]),
    family("vbd", "joint-grid:size=", &[10, 20, 40, 80, 160]),
    family("jacobi", "pyramid:rows=", &[10, 14, 20, 28, 40, 56, 80]),
    family("jacobi", "necklace:chains=", &[25, 50, 100, 200, 400, 800]),
    family("structured", "random-tree:bodies=", &[30, 100, 300, 1000, 3000]),
    family("structured", "chain-mail:size=", &[4, 6, 8, 12, 16, 24]),
    family("structured", "pyramid:rows=", &[4, 6, 9, 13, 20, 28]),
    family("abd", "pyramid:rows=", &[3, 4, 6, 8, 12, 16, 24]),
];

impl Family {
    fn name(&self) -> String {
        format!("{} {}", self.solver, self.scene.split(':').next().unwrap_or(self.scene))
    }

    fn case(&self, size: u32, threads: usize) -> Case {
        Case { scene: format!("{}{size}", self.scene), solver: self.solver.into(), threads, device: None }
    }

    fn holds(&self, row: &Row) -> bool {
        row.solver == self.solver && row.scene.starts_with(self.scene)
    }
}

/// The section of a document with growth.
const SECTION: &str = "scaling";

/// Measures and draws.
pub fn scaling(options: &ScalingOptions) -> Result<Outcome, Failure> {
    let families: Vec<&Family> = FAMILIES.iter().filter(|family| wanted(family, &options.solver)).collect();
    if families.is_empty() {
        let known = "vbd, jacobi, structured and abd";
        return Err(Failure::new(format!("--solver {}: there are {known}", options.solver.join(","))));
    }
    options.files.check(SECTION)?;
    let all = options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let cases = cases(&families, all);
    let file = measure_all(&cases, (options.repeats, options.budget), &options.files)?;
    let (growth, threads) = (fits(&families, &file.rows), by_threads(&families, &file.rows));
    options.files.show(&file, &format!("{growth}\n\n{threads}"))?;
    let mut pictures = Vec::new();
    for (name, plot) in plots(&families, &file.rows) {
        options.files.plot(&format!("{SECTION}-{name}"), &plot)?;
        pictures.push(format!("![{}](images/{SECTION}-{name}.svg)", plot.title));
    }
    let text = format!("{}\n\n{growth}\n\n{threads}\n\n{}", file.facts, pictures.join("\n"));
    options.files.section(SECTION, &text)?;
    let missing = options.files.from.is_none() && file.rows.len() < cases.len();
    Ok(if missing { Outcome::ClaimFailed } else { Outcome::Good })
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

/// Exponent over the upper half of the sizes, where the leading power rules; of two points the line through them.
fn slope(points: &[[f64; 2]]) -> String {
    if points.len() < 2 {
        return "–".into();
    }
    let rounded = (100.0 * exponent(&points[(points.len() - 1) / 2..])).round() / 100.0;
    // Adding zero turns −0 into 0.
    format!("{:.2}", rounded + 0.0)
}

fn bodies(row: &Row) -> f64 {
    row.bodies as f64
}

fn memory(row: &Row) -> f64 {
    row.memory.unwrap_or(f64::NAN)
}

fn contacts(row: &Row) -> f64 {
    row.contacts
}

fn time(row: &Row) -> f64 {
    row.ms_min
}

fn fits(families: &[&Family], rows: &[Row]) -> String {
    let head = [
        "solver, scene",
        "bodies",
        "contact points",
        "ms/step at most",
        "MB at most",
        "time ~ bodies^",
        "memory ~ bodies^",
        "time ~ contacts^",
        "memory ~ contacts^",
    ];
    let line = |family: &&Family| {
        let rows = alone(family, rows);
        let (first, last) = (*rows.first()?, *rows.last()?);
        Some(vec![
            family.name(),
            format!("{}–{}", first.bodies, last.bodies),
            if last.contacts > 0.0 { format!("{:.0}–{:.0}", first.contacts, last.contacts) } else { "–".into() },
            short(last.ms_min),
            short(1e-6 * memory(last)),
            slope(&points(&rows, bodies, time)),
            slope(&points(&rows, bodies, memory)),
            slope(&points(&rows, contacts, time)),
            slope(&points(&rows, contacts, memory)),
        ])
    };
    markdown(&head, &families.iter().filter_map(line).collect::<Vec<_>>())
}

/// What a figure becomes with threads, relative to one thread.
fn against_one(family: &Family, rows: &[Row], figure: impl Fn(&Row) -> f64) -> Vec<[f64; 2]> {
    let many = rows.iter().filter(|row| family.holds(row) && row.threads > 1);
    let Some(scene) = many.clone().next().map(|row| &row.scene) else { return Vec::new() };
    let Some(one) = rows.iter().find(|row| &row.scene == scene && family.holds(row) && row.threads == 1) else {
        return Vec::new();
    };
    let points = many.map(|row| [row.threads as f64, figure(row) / figure(one)]);
    std::iter::once([1.0, 1.0]).chain(points).filter(|point| point[1] > 0.0).collect()
}

fn by_threads(families: &[&Family], rows: &[Row]) -> String {
    let head = [
        "solver, scene",
        "time against one thread",
        "time ~ threads^",
        "memory against one thread",
        "memory ~ threads^",
    ];
    let shares = |points: &[[f64; 2]]| {
        let each: Vec<String> =
            points.iter().skip(1).map(|[threads, share]| format!("{threads}: {share:.2}")).collect();
        each.join(", ")
    };
    let cells = |family: &&Family| {
        let (time, memory) = (against_one(family, rows, time), against_one(family, rows, memory));
        let scene = rows.iter().find(|row| family.holds(row) && row.threads > 1)?.scene.clone();
        let name = format!("{} `{scene}`", family.solver);
        Some(vec![name, shares(&time), slope(&time), shares(&memory), slope(&memory)])
    };
    markdown(&head, &families.iter().filter_map(cells).collect::<Vec<_>>())
}

/// Every plot with its name.
fn plots(families: &[&Family], rows: &[Row]) -> Vec<(&'static str, Plot)> {
    let plot = |title: &str, x: Scale, y: Scale, line: &dyn Fn(&Family) -> Vec<[f64; 2]>| {
        let mut plot = Plot::new(title, x, y);
        for (index, family) in families.iter().enumerate() {
            let points = line(family);
            if points.len() > 1 {
                let name = format!("{}: {}", family.name(), slope(&points));
                plot.series.push(Series::line(name, points).marked().colored(index));
            }
        }
        plot
    };
    let against = |x: fn(&Row) -> f64, y: fn(&Row) -> f64| move |family: &Family| points(&alone(family, rows), x, y);
    let (number, milliseconds, bytes) =
        (Scale::log("bodies"), Scale::log("time of a step [ms]"), Scale::log("peak memory [bytes]"));
    let (touching, threads) = (Scale::log("contact points"), Scale::linear("threads"));
    vec![
        (
            "time",
            plot("Time against bodies, with exponents", number.clone(), milliseconds.clone(), &against(bodies, time)),
        ),
        ("memory", plot("Memory against bodies, with exponents", number, bytes.clone(), &against(bodies, memory))),
        (
            "contacts",
            plot(
                "Time against contact points, with exponents",
                touching.clone(),
                milliseconds,
                &against(contacts, time),
            ),
        ),
        (
            "contacts-memory",
            plot("Memory against contact points, with exponents", touching, bytes, &against(contacts, memory)),
        ),
        (
            "threads",
            plot(
                "Time against threads, with exponents",
                threads.clone(),
                Scale::linear("times that of one"),
                &|family| against_one(family, rows, time),
            ),
        ),
        (
            "threads-memory",
            plot("Memory against threads, with exponents", threads, Scale::linear("times that of one"), &|family| {
                against_one(family, rows, memory)
            }),
        ),
    ]
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
