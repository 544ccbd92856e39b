//! Sweeps in single precision hold what they hold in double.

use drystone_model::ModelBuilder;
use drystone_solve::Precision;
use drystone_vbd::VbdOptions;

use crate::bench::Bench;
use crate::friction::{G, box_on_slope};
use crate::stacks::{drift, tower};

fn bench(scene: &ModelBuilder, precision: Precision) -> Bench {
    Bench::with(scene, 1.0 / 60.0, VbdOptions { precision, iterations: 5, ..VbdOptions::default() })
}

#[test]
fn towers_stand_in_either() {
    for masses in [[1.0; 10], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1000.0]] {
        let [single, double] = [Precision::Single, Precision::Double].map(|precision| {
            let mut bench = bench(&tower(&masses), precision);
            bench.run(5.0);
            drift(&bench)
        });
        eprintln!("top of {} kg: drift {single:.1e} m in single, {double:.1e} m in double precision", masses[9]);
        // A height of 5 m is known to 5·10⁻⁷ m in single precision, a displacement since the start of a step much better.
        assert!((single - double).abs() < 1e-7, "{single} {double}");
        assert!(single != double, "the option does nothing");
    }
}

#[test]
fn slopes_hold_and_let_go_at_the_same_angle() {
    let (mu, quarter) = (0.5f64, 0.25f64.to_radians());
    let slope = mu.atan() + quarter;
    let mut slides = bench(&box_on_slope(mu, slope), Precision::Single);
    slides.run(2.0);
    let (way, want) = (slides.pose(0).translation.x, G * (slope.sin() - mu * slope.cos()) * (2.0 + 1.0 / 60.0));
    assert!((way / want - 1.0).abs() < 0.01, "{way} instead of {want}");
    let mut holds = bench(&box_on_slope(mu, mu.atan() - quarter), Precision::Single);
    holds.run(0.5);
    let before = holds.pose(0).translation;
    holds.run(9.5);
    let creep = (holds.pose(0).translation - before).length();
    assert!(creep < 1e-6, "{creep}");
}
