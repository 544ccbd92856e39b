//! What every solver says about its steps: the same phases, the same figures, nothing that nobody measured.

use std::time::Instant;

use drystone::prelude::*;
use drystone::solve::Phase;
use drystone_scenes::{Measures, Run, SCENES};

/// Jointed bars dropped on the ground: contacts and joints at once.
fn bars(rows: u32) -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for row in 0..rows {
        let mut last = None;
        for link in 0..3 {
            let place = DVec3::new(1.1 * f64::from(link), 0.6 * f64::from(row), 0.12);
            let bar = scene
                .add_body(BodyDef::dynamic(format!("bar {row} {link}")).at(place).cuboid(DVec3::new(0.5, 0.1, 0.1)));
            if let Some(last) = last {
                scene.add_joint(JointDef::ball(last, bar, place - DVec3::X * 0.55));
            }
            last = Some(bar);
        }
    }
    scene.finalize().unwrap()
}

fn sim(solver: &str, rows: u32) -> Simulation {
    Simulation::builder(bars(rows)).solver(solver).dt(1.0 / 120.0).build().unwrap()
}

/// The phases that the architecture page says a solver books.
fn documented(solver: &str) -> Vec<String> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/architecture.md")).unwrap();
    let row = page.lines().find(|line| line.starts_with(&format!("| `{solver}` | `"))).unwrap();
    let mut names: Vec<String> = row.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn every_solver_books_the_phases_the_documents_say_and_they_add_up() {
    for entry in drystone::solvers() {
        // Enough bodies that a step is long beside what a simulation does around it.
        let mut sim = sim(entry.name, 16);
        let (mut shares, mut seen) = (Vec::new(), Vec::<Phase>::new());
        for _ in 0..60 {
            let start = Instant::now();
            let report = sim.step().unwrap();
            let booked = report.time.iter().map(|lap| lap.1).sum::<f64>();
            seen.extend(report.time.iter().map(|lap| lap.0));
            assert!(report.time.iter().all(|lap| lap.1 >= 0.0), "{}: {:?}", entry.name, report.time);
            shares.push(booked / start.elapsed().as_secs_f64());
        }
        seen.sort_unstable();
        seen.dedup();
        let mut names: Vec<String> = seen.iter().map(|phase| format!("{phase:?}")).collect();
        names.sort();
        assert_eq!(names, documented(entry.name), "{}", entry.name);
        // Steps that were let run: on a busy machine most are interrupted on their way to the threads that take them, which
        // only ever lowers their share.
        shares.sort_by(f64::total_cmp);
        assert!(shares[59] <= 1.0 && shares[50] > 0.8, "{}: {shares:?}", entry.name);
    }
}

#[test]
fn every_solver_measures_overlap_joints_and_residual() {
    for entry in drystone::solvers() {
        let mut sim = sim(entry.name, 4);
        let mut nearest = None;
        for _ in 0..60 {
            let report = sim.step().unwrap();
            let figures =
                [report.residual, report.max_penetration, report.max_joint_error, report.max_joint_angle_error];
            assert!(
                figures.iter().all(|figure| figure.is_some_and(|value| value >= 0.0)),
                "{}: {report:?}",
                entry.name
            );
            assert!(report.max_penetration.unwrap() < 0.01, "{}: {report:?}", entry.name);
            nearest = report.min_distance.or(nearest);
            let by_pipeline = entry.name != "abd";
            assert_eq!((report.growth_count.is_some(), report.color_count.is_some()), (by_pipeline, by_pipeline));
        }
        assert_eq!(nearest.is_some(), entry.name == "abd", "{}", entry.name);
    }
}

/// Claims that nothing overlaps fail on the smallest overlap, and where nobody looked.
#[test]
fn every_claim_about_overlaps_can_fail() {
    let mut claims = 0;
    for entry in SCENES {
        let scene = entry.make::<&str>(&[]).unwrap();
        let state = scene.model.state();
        let verdict = |penetration: Option<f64>| {
            let measures = Measures {
                max_penetration: penetration,
                end_penetration: penetration,
                ..Measures::new(&scene.model, scene.check.probe.as_ref())
            };
            let run = Run { model: &scene.model, state: &state, measures: &measures, dt: scene.settings.dt };
            scene.check.judge(&run).failed
        };
        let fails = |penetration: Option<f64>| verdict(penetration).iter().any(|line| line.contains("penetration"));
        if !fails(None) {
            continue;
        }
        claims += 1;
        assert!(!fails(Some(0.0)), "{}", entry.name);
        assert!(fails(Some(if scene.settings.solver() == "abd" { 1e-12 } else { 0.1 })), "{}", entry.name);
    }
    assert!(claims >= 8, "{claims}");
}
