//! A cable hung between two points.

use drystone::model::{DVec3, JointDef, ModelBuilder, RodDef, RodMaterial, WORLD};
use drystone_kernels::elementary::{cosh, sinh};

use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A thin elastic rod finds the catenary.
pub const CABLE: SceneEntry = SceneEntry {
    name: "cable",
    summary: "a cable let go between two points comes to hang as a catenary",
    parameters: &[
        Parameter::count("segments", 48, 4, 400, "segments, an even number hangs evenly"),
        Parameter::number("length", 2.4, 2.05, 6.0, "length in m, over a span of 2 m"),
    ],
    build: cable,
};

const SPAN: f64 = 2.0;

fn cable(params: &Params) -> Result<Scene, SceneError> {
    let (segments, length) = (params.count("segments"), params.number("length"));
    let mut scene = ModelBuilder::new();
    // It starts as a V, pulled straight down at its middle.
    let depth = 0.5 * (length * length - SPAN * SPAN).sqrt();
    let point = |index: usize| {
        let along = 2.0 * index as f64 / segments as f64 - 1.0;
        DVec3::new(0.5 * SPAN * along, 0.0, -depth * (1.0 - along.abs()))
    };
    let points: Vec<DVec3> = (0..=segments).map(point).collect();
    // Thin and soft enough to bend freely (√(EI/T) is 4 cm), stiff enough not to stretch (0.1 %).
    let material = RodMaterial { young: 1e7, damping: 0.02, ..RodMaterial::default() };
    let rod = scene.add_rod(RodDef::new(points.clone(), 0.003, material).named("cable").straight_at_rest());
    if let (Some(&first), Some(&last)) = (rod.bodies.first(), rod.bodies.last()) {
        scene.add_joint(JointDef::ball(WORLD, first, points[0]));
        scene.add_joint(JointDef::ball(WORLD, last, points[segments]));
    }
    let sag = catenary_sag(SPAN, length);
    let check = Check::new("hangs within 1 % of its length of the catenary", move |run| {
        let lowest = run.state.body_q.iter().map(|pose| pose.translation.z).fold(f64::INFINITY, f64::min);
        Figures::new().below("sag off by", (-lowest - sag).abs(), 0.01 * length, "m")
    });
    Scene::new(&scene, Settings::seconds(10.0), check)
}

/// Depth of a hanging chain of some `length` over a `span` \[m\], by bisection on its parameter a:
/// length = 2a sinh(span/2a), sag = a (cosh(span/2a) − 1).
fn catenary_sag(span: f64, length: f64) -> f64 {
    let (mut low, mut high) = (1e-2 * span, 1e2 * span);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * sinh(0.5 * span / a) > length { low = a } else { high = a }
    }
    low * (cosh(0.5 * span / low) - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sag_solves_the_catenary() {
        // a = 1, span 2: length 2 sinh 1, sag cosh 1 − 1.
        let sag = catenary_sag(2.0, 2.0 * 1.0_f64.sinh());
        assert!((sag - (1.0_f64.cosh() - 1.0)).abs() < 1e-12, "{sag}");
    }
}
