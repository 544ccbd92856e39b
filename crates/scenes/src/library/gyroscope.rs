//! A T-handle spinning in weightlessness turns over and back.

use drystone::model::{BodyDef, DVec3, ModelBuilder, ShapeDef};

use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Spin about the middle axis of inertia.
pub const GYROSCOPE: SceneEntry = SceneEntry {
    name: "gyroscope",
    summary: "a T-handle spinning about its middle axis flips over and over in weightlessness",
    parameters: &[Parameter::number("spin", 10.0, 0.1, 100.0, "spin about the stem in rad/s")],
    build: gyroscope,
};

fn gyroscope(params: &Params) -> Result<Scene, SceneError> {
    let spin = params.number("spin");
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    // The bar makes the stem's axis the middle one: more inertia than about the bar, less than across.
    let bar = ShapeDef::cuboid(DVec3::new(0.5, 0.1, 0.1));
    let stem = ShapeDef::cuboid(DVec3::new(0.1, 0.1, 0.25)).at(DVec3::NEG_Z * 0.35);
    // A hair off the axis, or an exact solver would spin for ever.
    let start = DVec3::new(1e-3 * spin, 0.0, spin);
    scene.add_body(BodyDef::dynamic("handle").shape(bar).shape(stem).spin(start));
    let check = Check::new("flips at least twice; angular momentum within 0.1 %, energy within 0.5 %", |run| {
        let (before, after) = (run.model.momentum(&run.model.state()), run.model.momentum(run.state));
        let momentum = (after.angular - before.angular).length() / before.angular.length();
        let energy = (run.measures.end_energy / run.measures.start_energy - 1.0).abs();
        let flips = count_flips(&run.measures.trace);
        let figures = Figures::new().below("momentum change", momentum, 1e-3, "");
        figures.below("energy change", energy, 5e-3, "").above("flips", flips as f64, 1.5, "")
    });
    let check = check.tracing(|_, state| (state.body_q[0].rotation * DVec3::Z).z);
    Scene::new(&scene, Settings::seconds(100.0 / spin).hertz(24.0 * spin).solvers(&["vbd", "jacobi"]), check)
}

/// How often the stem went from pointing clearly one way to pointing clearly the other.
fn count_flips(trace: &[f64]) -> usize {
    let clear: Vec<bool> = trace.iter().filter(|up| up.abs() > 0.5).map(|up| *up > 0.0).collect();
    clear.windows(2).filter(|pair| pair[0] != pair[1]).count()
}
