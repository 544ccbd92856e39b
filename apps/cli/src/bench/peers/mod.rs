//! `drystone bench --peers`: the same scenes in other engines, each in a process of its own, one after the other, all
//! judged by the same evaluator.

mod readout;
mod row;
mod setup;

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use self::row::PeerRow;
use self::setup::Peers;
use super::Bar;
use super::options::SetOptions;
use super::record::{self, BenchFile, Facts};
use crate::Outcome;
use crate::error::Failure;

/// The section of a document with the peers.
const SECTION: &str = "peers";
/// Scenes, with the steps they are given where those are not their own: quality first, then throughput.
const SCENES: [(&str, Option<u64>); 20] = [
    ("pyramid", None),
    ("wall", None),
    ("mass-ratio", None),
    ("mass-ratio:flat=true", None),
    ("chain", None),
    ("card-house", None),
    ("incline:angle=26.5", None),
    ("incline:angle=26.75", None),
    ("arch", None),
    ("necklace", None),
    ("necklace:chains=2500", Some(120)),
    ("pile:count=2000", None),
    ("pile:count=8000", None),
    ("large-pyramid", None),
    ("joint-grid:size=40", None),
    ("keva:stages=2", Some(150)),
    ("cloth-hang", None),
    ("cloth-hang:cells=64", None),
    ("cloth-stack:count=3", None),
    ("soft-cube", None),
];
/// Engines of scenes of cloth and soft bodies: others have none, and a line of each that says so tells nothing.
const SOFT_ENGINES: [&str; 3] = ["drystone-1t", "newton-10x10-1t", "newton-4x10-1t"];
/// Engines of every scene, as they come; Newton needs its ten substeps to hold a stack.
const ENGINES: [&str; 7] =
    ["drystone-5it-1t", "drystone-10it-1t", "rapier-1t", "box3d-1t", "mujoco-1t", "newton-10x5-1t", "bullet-1t"];
/// Engines that also run on all threads, in scenes of so many bodies.
const THREADED: [&str; 4] = ["drystone-5it", "drystone-10it", "rapier", "box3d"];
const MANY: usize = 200;
/// Engines for strings of beads only.
const BEADS: [&str; 2] = ["jacobi", "baseline-20it"];
/// Scenes of so many bodies show throughput, for which fewer seconds are enough.
const THROUGHPUT: [(usize, f64); 2] = [(20_000, 8.0), (1_000, 20.0)];
/// Seconds beside the stepping in which an engine has to build its scene and be judged, and those for every body.
const GRACE: [f64; 2] = [30.0, 0.002];
/// Seconds an engine takes to get going where time is short, and those below which it is not worth starting one.
const STARTING: f64 = 10.0;
const LEAST: f64 = 2.0;
/// Share of the time left in which Newton has to compile its kernels for a scene, which it keeps for the next time.
const COMPILING: f64 = 0.3;
/// Scenes that need all of Newton's kernels the others need.
const KERNELS: [&str; 3] = ["pyramid:rows=2", "necklace:chains=1", "arch:stones=5"];
const SOFT_KERNELS: [&str; 2] = ["cloth-stack:count=1", "soft-cube:cells=1"];

/// Runs all engines over all scenes and reads out who wins what.
pub fn peers(options: &SetOptions) -> Result<Outcome, Failure> {
    options.files.check(SECTION)?;
    let file = match &options.files.from {
        Some(path) => record::read(path)?,
        None => measure(options)?,
    };
    let (tables, ratios, sentence) =
        (readout::tables(&file.rows), readout::ratios(&file.rows), readout::sentence(&file.rows));
    options.files.show(&file, &format!("{tables}\n\n{ratios}\n\n{sentence}"))?;
    options.files.plot(SECTION, &readout::plot(&file.rows))?;
    let picture = format!("![Times against Drystone's](images/{SECTION}.svg)");
    let text = format!("{}\n\n{tables}\n\n{}\n\n{ratios}\n\n{picture}\n\n{sentence}", file.facts, readout::RATIOS);
    options.files.section(SECTION, &text)?;
    Ok(Outcome::Good)
}

/// Sets the engines up and measures them, all in the minutes there are.
fn measure(options: &SetOptions) -> Result<BenchFile<PeerRow>, Failure> {
    let end = Instant::now() + Duration::from_secs_f64(60.0 * options.minutes.max(0.0));
    let mut file = BenchFile { facts: Facts::here(), rows: Vec::new() };
    let cases = cases(options)?;
    let peers = Peers::set_up(|engine| cases.iter().any(|case| case.engine.starts_with(engine)))?;
    if peers.refusal("newton").is_none() && cases.iter().any(|case| family(&case.engine) == "newton") {
        let (cloth, rigid) = (cases.iter().any(|case| case.is_soft), cases.iter().any(|case| !case.is_soft));
        let rigid = KERNELS.iter().filter(|_| rigid);
        let scenes: Vec<&str> = rigid.chain(SOFT_KERNELS.iter().filter(|_| cloth)).copied().collect();
        warm_up(&peers, &scenes, end)?;
    }
    let bar = Bar::new(cases.len(), options.files.quiet);
    for (index, case) in cases.iter().enumerate() {
        let left = seconds_until(end);
        bar.show(&format!("{} in {} (at most {:.0} min left)", case.scene, case.engine, left / 60.0));
        let patience = patience(left, cases.len() - index);
        let limit = case.limit(options.limit).min((patience - STARTING).max(0.5 * patience));
        let row = match peers.refusal(&case.engine) {
            Some(reason) => PeerRow::failed(case, reason),
            None if patience < LEAST => PeerRow::failed(case, "no time was left".into()),
            None => run(&peers, case, limit, case.grace().min(patience - limit))?,
        };
        let version = row.version.clone().or_else(|| peers.locked_version(&case.engine));
        file.facts.engines.extend(version.map(|version| (family(&case.engine).to_owned(), version)));
        if let Some(reason) = &row.failure {
            bar.say(&format!("{} in {}: {reason}", case.scene, case.engine));
        }
        file.rows.push(row);
        if let Some(path) = &options.files.out {
            record::write(path, &file)?;
        }
    }
    bar.finish();
    Ok(file)
}

/// Seconds a case may take when so many seconds are left for so many cases: well above an even share, because most need
/// far less, but never so much that nothing is left for the others.
fn patience(left: f64, cases: usize) -> f64 {
    const SHARES: f64 = 5.0;
    left * SHARES / (cases as f64 + SHARES - 1.0)
}

fn seconds_until(end: Instant) -> f64 {
    end.saturating_duration_since(Instant::now()).as_secs_f64()
}

/// An engine with a scene to run.
pub struct Case {
    pub scene: String,
    pub engine: String,
    pub steps: Option<u64>,
    pub bodies: usize,
    /// Whether it has cloth or soft bodies.
    is_soft: bool,
}

impl Case {
    /// Seconds of stepping.
    fn limit(&self, most: f64) -> f64 {
        THROUGHPUT.iter().find(|(bodies, _)| self.bodies >= *bodies).map_or(most, |(_, limit)| most.min(*limit))
    }

    /// Seconds for building and judging.
    fn grace(&self) -> f64 {
        GRACE[0] + GRACE[1] * self.bodies as f64
    }
}

/// The engine's name without its settings.
fn family(engine: &str) -> &str {
    engine.split('-').next().unwrap_or(engine)
}

fn cases(options: &SetOptions) -> Result<Vec<Case>, Failure> {
    let named = options.scenes.iter().map(|scene| {
        let steps = SCENES.iter().find(|(known, _)| known == scene).and_then(|(_, steps)| *steps);
        (scene.as_str(), steps)
    });
    let scenes: Vec<(&str, Option<u64>)> = if options.scenes.is_empty() { SCENES.to_vec() } else { named.collect() };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut cases = Vec::new();
    for (scene, steps) in scenes {
        let model = drystone_scenes::parse(scene)?.model;
        let bodies = model.body_count();
        let is_soft = model.particle_count() > 0;
        let engines = match (options.engines.is_empty(), is_soft) {
            (false, _) => options.engines.clone(),
            (true, true) => SOFT_ENGINES.iter().map(|&name| name.to_owned()).collect(),
            (true, false) => usual(scene, bodies, all),
        };
        let case = |engine| Case { scene: scene.to_owned(), engine, steps, bodies, is_soft };
        cases.extend(engines.into_iter().map(case));
    }
    Ok(cases)
}

fn usual(scene: &str, bodies: usize, all: usize) -> Vec<String> {
    let mut engines: Vec<String> = ENGINES.iter().map(|&name| name.to_owned()).collect();
    if bodies >= MANY && all > 1 {
        engines.extend(THREADED.iter().map(|name| format!("{name}-{all}t")));
    }
    if scene.starts_with("necklace") {
        engines.extend(BEADS.iter().map(|name| format!("{name}-1t")));
        engines.extend((all > 1).then(|| format!("{}-{all}t", BEADS[0])));
    }
    engines
}

/// Lets Newton compile its kernels, so that they are not in the figures.
fn warm_up(peers: &Peers, scenes: &[&str], end: Instant) -> Result<(), Failure> {
    eprintln!("letting Newton compile its kernels (minutes, the first time)");
    for &scene in scenes {
        let (scene, engine) = (scene.into(), "newton-10x5-1t".into());
        let case = Case { scene, engine, steps: Some(2), bodies: 1, is_soft: false };
        run(peers, &case, 1.0, COMPILING * seconds_until(end))?;
    }
    Ok(())
}

/// Runs a case for `limit` seconds at most, or to the end of patience.
fn run(peers: &Peers, case: &Case, limit: f64, grace: f64) -> Result<PeerRow, Failure> {
    let stem = std::env::temp_dir().join(format!("drystone-bench-{}", std::process::id()));
    let mut command = Command::new(&peers.program);
    command.arg(&case.scene).args(["--engines", &case.engine, "--limit", &limit.to_string()]);
    command.args(case.steps.map(|steps| format!("--steps={steps}")).iter().flat_map(|word| word.split('=')));
    command.arg("--python").arg(&peers.python).arg("--out").arg(&stem);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = child.map_err(|error| Failure::new(format!("{} did not start: {error}", peers.program.display())))?;
    let ended = wait(child, limit + grace);
    let file = stem.with_extension("json");
    let row = match ended {
        Ok(()) => read(&file).unwrap_or_else(|failure| PeerRow::failed(case, failure.0)),
        Err(reason) => PeerRow::failed(case, reason),
    };
    for extension in ["json", "csv"] {
        let _ = std::fs::remove_file(stem.with_extension(extension));
    }
    Ok(row)
}

fn read(path: &Path) -> Result<PeerRow, Failure> {
    #[derive(serde::Deserialize)]
    struct Rows {
        rows: Vec<PeerRow>,
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::new(format!("no result: {error}")))?;
    let rows: Rows = serde_json::from_str(&text)?;
    rows.rows.into_iter().next().ok_or_else(|| Failure::new("the engine left no figures"))
}

/// Waits for a process; says why it did not end well.
fn wait(mut child: Child, seconds: f64) -> Result<(), String> {
    let errors = child.stderr.take();
    let messages = std::thread::spawn(move || {
        let mut text = String::new();
        errors.map(|mut errors| errors.read_to_string(&mut text));
        text
    });
    let deadline = Instant::now() + Duration::from_secs_f64(seconds.max(0.0));
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_)) => break,
            Ok(None) if Instant::now() >= deadline => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("time-out after {seconds:.0} s"));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(error.to_string()),
        }
    }
    let text = messages.join().unwrap_or_default();
    Err(last_words(&text).to_owned())
}

/// The line that says what went wrong: of a traceback the one with the error, not what came of it.
fn last_words(text: &str) -> &str {
    let lines = || text.lines().rev().filter(|line| !line.trim().is_empty());
    let told = lines().find(|line| !line.starts_with("Error: \"") && !line.starts_with(' '));
    told.or_else(|| lines().next()).unwrap_or("it ended without a word").trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_scenes_also_run_on_all_threads_and_beads_by_jacobi() {
        assert!(usual("arch", 27, 2).iter().all(|engine| engine.ends_with("-1t")));
        assert!(usual("wall", 400, 2).contains(&"rapier-2t".to_owned()));
        assert!(usual("necklace", 4000, 4).contains(&"jacobi-4t".to_owned()));
    }

    #[test]
    fn the_time_of_all_cases_is_kept_even_if_every_one_takes_all_it_may() {
        let (mut left, all) = (1500.0, 140);
        for index in 0..all {
            assert!(patience(left, all - index) >= left / (all - index) as f64);
            left -= patience(left, all - index);
        }
        assert!((0.0..1.0).contains(&left), "{left}");
    }

    #[test]
    fn a_process_that_fails_or_hangs_is_reported() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stderr(Stdio::piped()).spawn().unwrap()
        };
        assert_eq!(wait(shell("exit 0"), 10.0), Ok(()));
        let failed = wait(shell("echo 'ValueError: no such shape' >&2; echo 'Error: \"see above\"' >&2; exit 1"), 10.0);
        assert_eq!(failed, Err("ValueError: no such shape".into()));
        assert!(wait(shell("exec sleep 30"), 0.1).unwrap_err().contains("time-out"));
    }
}
