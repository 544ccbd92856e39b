//! How `jacobi` converges and drifts; makes the plots of `docs/jacobi-evidence.md`:
//! `cargo run -p drystone-jacobi --example jacobi_quality -- docs/images`
//!
//! Prints the figures behind the plots as tables.

mod graphs;

use std::error::Error;
use std::path::PathBuf;

use drystone_collide::{Collide, CollideOptions};
use drystone_jacobi::{Acceleration, Jacobi, JacobiOptions, Precision, Splitting, Stabilization};
use drystone_model::{Model, State};
use drystone_plot::{Plot, Scale, Series};
use drystone_solve::Solver;

const DT: f64 = 1.0 / 60.0;
const ITERATIONS: u32 = 100;
/// Most decades that are shown, from the largest value down.
const DECADES: f64 = 10.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    for (name, (model, state)) in [("chain", graphs::chain(40)), ("star", graphs::star(12)), ("grid", graphs::grid(20))]
    {
        let plot = convergence(name, &model, &state)?;
        std::fs::write(folder.join(format!("jacobi-{name}.svg")), plot.svg())?;
    }
    std::fs::write(folder.join("jacobi-drift.svg"), drift()?.svg())?;
    Ok(())
}

fn plot(title: String, across: &str, up: &str) -> Plot {
    Plot::new(title, Scale::linear(across), Scale::log(up).decades(DECADES))
}

/// The ways to iterate, by name.
fn methods() -> [(&'static str, JacobiOptions); 4] {
    let plain = JacobiOptions { iterations: ITERATIONS, precision: Precision::Double, ..JacobiOptions::baseline() };
    let relaxed = JacobiOptions { relaxation: None, ..plain.clone() };
    let split = JacobiOptions { splitting: Splitting::Mass, ..relaxed.clone() };
    let chebyshev = JacobiOptions { acceleration: Acceleration::Chebyshev, ..split.clone() };
    [("plain", plain), ("relaxed", relaxed), ("mass splitting", split), ("Chebyshev, mass splitting", chebyshev)]
}

/// Residual against iterations, as a share of the first.
fn convergence(name: &str, model: &Model, state: &State) -> Result<Plot, Box<dyn Error>> {
    let mut plot = plot(format!("{name}: residual against iterations"), "iteration", "residual");
    println!("\n{name}: residual as a share of the first\n{:28} {:>10} {:>10} {:>10}", "", "10", "30", "100");
    for (label, options) in methods() {
        let mut solver = Jacobi::new(model, options)?;
        let history = solver.residual_history(model, state, &model.control(), DT);
        let ratio = |k: usize| history[k] / history[0];
        println!("{label:28} {:10.2e} {:10.2e} {:10.2e}", ratio(10), ratio(30), ratio(100));
        // What diverges leaves the picture instead of flattening the rest.
        let points = (0..history.len()).map(|k| [k as f64, ratio(k)]).take_while(|point| point[1] < 10.0);
        plot.series.push(Series::line(label, points.collect()));
    }
    Ok(plot)
}

/// Largest joint gap of a string of forty beads of 5 cm radius that falls from the horizontal.
fn drift() -> Result<Plot, Box<dyn Error>> {
    let (model, _) = graphs::necklace(40);
    let baseline = JacobiOptions { splitting: Splitting::Mass, relaxation: None, ..JacobiOptions::baseline() };
    let accelerated = JacobiOptions { acceleration: Acceleration::Chebyshev, ..baseline.clone() };
    let with = |stabilization, substeps| JacobiOptions { stabilization, substeps, ..accelerated.clone() };
    let cases = [
        ("plain, no stabilisation", JacobiOptions::baseline()),
        ("no stabilisation", with(Stabilization::Off, 1)),
        ("bias", with(Stabilization::Bias, 1)),
        ("projection", with(Stabilization::Projection, 1)),
        ("no stabilisation, 16 substeps", with(Stabilization::Off, 16)),
        ("projection, 16 substeps", with(Stabilization::Projection, 16)),
    ];
    let mut plot = plot("largest joint gap of a falling necklace".into(), "time [s]", "gap [m]");
    println!("\nnecklace, 20 iterations: largest gap [m]\n{:30} {:>10} {:>10} {:>10}", "", "0.5 s", "1 s", "2 s");
    for (label, options) in cases {
        let gaps = gaps(&model, options, 120)?;
        println!("{label:30} {:10.2e} {:10.2e} {:10.2e}", gaps[29], gaps[59], gaps[119]);
        let points = gaps.iter().enumerate().map(|(k, &gap)| [(k + 1) as f64 * DT, gap]).collect();
        plot.series.push(Series::line(label, points));
    }
    Ok(plot)
}

fn gaps(model: &Model, options: JacobiOptions, steps: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut solver = Jacobi::new(model, options)?;
    let mut collide = Collide::new(model, CollideOptions::default());
    let (mut state, control) = (model.state(), model.control());
    (0..steps)
        .map(|_| Ok(solver.step(model, &mut state, &control, &mut collide, DT)?.max_joint_error.unwrap_or(f64::NAN)))
        .collect()
}
