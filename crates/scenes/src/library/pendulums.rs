//! Swinging by the book: one pendulum, two, and a row of them.

use drystone_kernels::elementary::cos;
use std::f64::consts::PI;

use drystone::model::{BodyDef, BodyId, DQuat, DVec3, JointDef, ModelBuilder, ShapeDef, WORLD};

use super::chains::ghost;
use crate::check::{Check, joint_figures, swings};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

const GRAVITY: f64 = 9.81;

/// A ball on a weightless arm.
pub const PENDULUM: SceneEntry = SceneEntry {
    name: "pendulum",
    summary: "a pendulum swings with the period theory gives for its amplitude",
    parameters: &[Parameter::number("angle", 60.0, 1.0, 170.0, "amplitude in degrees")],
    build: pendulum,
};

fn pendulum(params: &Params) -> Result<Scene, SceneError> {
    const LENGTH: f64 = 1.0;
    const RADIUS: f64 = 0.1;
    let amplitude = params.number("angle").to_radians();
    let mut scene = ModelBuilder::new();
    // About +y a positive angle swings the hanging arm towards −x.
    let arm = DQuat::from_rotation_y(-amplitude) * (DVec3::NEG_Z * LENGTH);
    let bob = scene.add_body(BodyDef::dynamic("bob").at(arm).shape(ghost(ShapeDef::sphere(RADIUS))));
    scene.add_joint(JointDef::revolute(WORLD, bob, DVec3::ZERO, DVec3::Y));
    let squared_gyration = LENGTH * LENGTH + 0.4 * RADIUS * RADIUS;
    let period = swing_period(amplitude, squared_gyration / LENGTH);
    let check =
        Check::new("the period of the first swing is within 0.5 % of theory, and energy never rises", move |run| {
            let measured = first_period(&run.measures.trace, run.dt);
            joint_figures(run, 1e-3, 1e-3).near("period", measured, period, 0.005, "s")
        });
    let settings = Settings::seconds((2.0 * period).max(10.0)).hertz(240.0).solvers(&["vbd", "jacobi"]);
    Scene::new(&scene, settings, check.tracing(|_, state| state.body_q[0].translation.x))
}

/// Period of a pendulum of reduced `length` \[m\]: 2π√(l/g) over the arithmetic–geometric mean of 1
/// and cos(θ/2), which is the complete elliptic integral in another dress.
fn swing_period(amplitude: f64, length: f64) -> f64 {
    let (mut a, mut b) = (1.0, cos(0.5 * amplitude));
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    2.0 * PI * (length / GRAVITY).sqrt() / a
}

/// Four times the time from release to the first passage through zero \[s\]; NaN if there is none.
/// Only this quarter has the amplitude it was released at: an implicit step damps the later ones,
/// and the period follows the amplitude.
fn first_period(trace: &[f64], dt: f64) -> f64 {
    let passes = |step: &usize| trace[step - 1] * trace[*step] <= 0.0 && trace[step - 1] != trace[*step];
    let passage = (1..trace.len()).find(passes);
    passage.map_or(f64::NAN, |step| 4.0 * dt * (step as f64 - trace[step] / (trace[step] - trace[step - 1])))
}

/// Two bars, one hung from the other.
pub const DOUBLE_PENDULUM: SceneEntry = SceneEntry {
    name: "double-pendulum",
    summary: "two jointed bars swing chaotically without coming apart or gaining energy",
    parameters: &[],
    build: double_pendulum,
};

fn double_pendulum(_: &Params) -> Result<Scene, SceneError> {
    let half = DVec3::new(0.5, 0.05, 0.05);
    let mut scene = ModelBuilder::new();
    let mut parent = BodyId(WORLD);
    for (index, name) in ["upper", "lower"].into_iter().enumerate() {
        let near = DVec3::X * index as f64;
        let bar = BodyDef::dynamic(name).at(near + DVec3::X * half.x).shape(ghost(ShapeDef::cuboid(half)));
        let bar = scene.add_body(bar);
        scene.add_joint(JointDef::revolute(parent, bar, near, DVec3::Y));
        parent = bar;
    }
    let settings = Settings::seconds(10.0).hertz(240.0).solvers(&["vbd", "jacobi", "abd"]);
    Scene::new(&scene, settings, swings(1e-3, 1e-3))
}

/// Balls in a row, the first one lifted.
pub const NEWTON_CRADLE: SceneEntry = SceneEntry {
    name: "newton-cradle",
    summary: "a ball swings into a row of balls and the last one swings out",
    parameters: &[Parameter::count("balls", 5, 2, 20, "balls")],
    build: newton_cradle,
};

fn newton_cradle(params: &Params) -> Result<Scene, SceneError> {
    const RADIUS: f64 = 0.1;
    const LENGTH: f64 = 1.0;
    // A hair between the balls makes the impact a sequence of two-ball impacts, which has one answer.
    const PITCH: f64 = 2.0 * RADIUS * 1.001;
    let balls = params.count("balls");
    let lift = 30_f64.to_radians();
    let mut scene = ModelBuilder::new();
    for index in 0..balls {
        let pivot = DVec3::X * (PITCH * index as f64);
        let turn = DQuat::from_rotation_y(if index == 0 { lift } else { 0.0 });
        let ball = BodyDef::dynamic(format!("ball {index}")).at(pivot + turn * (DVec3::NEG_Z * LENGTH)).rotated(turn);
        let ball = scene.add_body(ball.sphere(RADIUS).friction(0.0).restitution(1.0));
        scene.add_joint(JointDef::revolute(WORLD, ball, pivot, DVec3::Y));
    }
    let height = LENGTH * (1.0 - cos(lift));
    let last = balls - 1;
    let check =
        Check::new("the last ball rises nearly as high as the first fell, and energy never rises", move |run| {
            let rise = run.measures.trace.iter().fold(f64::NEG_INFINITY, |most, &z| most.max(z)) + LENGTH;
            joint_figures(run, 1e-3, 0.01).above("rise of the last ball", rise, 0.9 * height, "m")
        });
    let check = check.tracing(move |_, state| state.body_q[last].translation.z);
    Scene::new(&scene, Settings::seconds(1.2).hertz(480.0), check)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_agree_with_the_tables() {
        let small = 2.0 * PI * (1.0 / GRAVITY).sqrt();
        // Ratios to the small-swing period, from tables of the complete elliptic integral.
        for (degrees, ratio) in [(0.0_f64, 1.0), (10.0, 1.0019072), (60.0, 1.0731820), (90.0, 1.1803406)] {
            let period = swing_period(degrees.to_radians(), 1.0);
            assert!((period / small - ratio).abs() < 1e-7, "{degrees}: {}", period / small);
        }
    }

    #[test]
    fn a_sampled_cosine_has_its_period() {
        let trace: Vec<f64> = (0..500).map(|step| (f64::from(step) * 0.01 * 2.0 * PI / 1.7).cos()).collect();
        assert!((first_period(&trace, 0.01) - 1.7).abs() < 1e-4);
        assert!(first_period(&trace[..40], 0.01).is_nan());
    }
}
