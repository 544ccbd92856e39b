//! What keeps joints closed: projection, Baumgarte's feedback, nothing; over the size of the step.

use drystone_plot::{Plot, Scale, Series};
use drystone_tests::runner::{scene, simulation};

use crate::{Outcome, write};

const SECONDS: f64 = 3.0;
/// Gap at which a linkage of 30 cm counts as broken \[m\].
const BROKEN: f64 = 0.1;

pub fn run() -> Outcome {
    let kinds: [(&str, &str, f64); 5] = [
        ("projection", "projection", 0.0),
        ("Baumgarte, 20 /s", "baumgarte", 20.0),
        ("Baumgarte, 100 /s", "baumgarte", 100.0),
        ("Baumgarte, 500 /s", "baumgarte", 500.0),
        ("none", "none", 0.0),
    ];
    let steps: Vec<f64> = (0..16).map(|k| 2e-4 * 10_f64.powf(f64::from(k) / 6.0)).collect();
    let mut series = Vec::new();
    println!("| stabilisation | largest gap at 1 ms [m] | largest stable step [s] |\n|---|---|---|");
    for (name, stabilization, frequency) in kinds {
        let gap = |dt: f64| largest_gap(stabilization, frequency, dt);
        let points: Vec<[f64; 2]> = steps.iter().map(|&dt| [dt, gap(dt).unwrap_or(f64::NAN)]).collect();
        let broken = points.iter().position(|p| p[1].is_nan()).unwrap_or(points.len());
        let stable = if broken > 0 { points[broken - 1][0] } else { f64::NAN };
        println!("| {name} | {:.1e} | {stable:.1e} |", gap(1e-3).unwrap_or(f64::NAN));
        let name = format!("{name}: to {stable:.0e} s");
        series.push(Series::line(name, points[..broken].to_vec()).marked());
    }
    let plot = Plot {
        title: "Four-bar, 3 s: largest joint gap; lines end where the linkage breaks".into(),
        x: Scale::log("time step [s]"),
        y: Scale::log("largest joint gap [m]"),
        series,
    };
    write("structured-stabilization", &plot)
}

/// Largest joint gap of a run; none if it flew apart.
fn largest_gap(stabilization: &str, frequency: f64, dt: f64) -> Option<f64> {
    let mut four_bar = scene("four-bar", &[]);
    four_bar.settings.dt = dt;
    let mut builder = simulation(&four_bar, "structured").option("integrator", "euler");
    builder = builder.option("stabilization", stabilization);
    if frequency > 0.0 {
        builder = builder.option("baumgarte_frequency", frequency);
    }
    let mut sim = builder.build().ok()?;
    // Rounding of the poses alone opens joints by this much.
    let mut worst: f64 = 1e-17;
    for _ in 0..(SECONDS / dt).round() as u64 {
        sim.step().ok()?;
        let gap = sim.report().max_joint_error?;
        if gap.is_nan() || gap >= BROKEN || !sim.report().quarantined.is_empty() {
            return None;
        }
        worst = worst.max(gap);
    }
    Some(worst)
}
