//! Planar linkages of one freedom: the four-bar and the six-bar.

use drystone::model::{Axis, DVec3, Drive, ModelBuilder, WORLD};
use drystone_kernels::elementary::atan2;

use super::planar::{Link, meet, pin, point, polar};
use crate::check::{Check, joint_figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A crank, a coupler and a rocker, swinging freely.
pub const FOUR_BAR: SceneEntry = SceneEntry {
    name: "four-bar",
    summary: "a crank, a coupler and a rocker swing freely as one closed loop",
    parameters: &[
        Parameter::number("angle", 60.0, 1.0, 179.0, "angle of the crank at the start in degrees"),
        Parameter::number("crank", 0.12, 0.01, 0.2, "length of the crank in m"),
    ],
    build: four_bar,
};

/// Lengths of coupler, rocker and frame \[m\]. With the crank they satisfy Grashof's condition: the
/// crank can go all the way round.
const COUPLER: f64 = 0.35;
const ROCKER: f64 = 0.25;
const FRAME: f64 = 0.30;
/// Half the width of a bar \[m\].
const HALF: f64 = 0.01;
/// Distance of neighbouring links along y \[m\].
const LAYER: f64 = 0.012;

fn four_bar(params: &Params) -> Result<Scene, SceneError> {
    let crank = params.number("crank");
    let [a, d] = [point(0.0, 0.0), point(FRAME, 0.0)];
    let b = polar(a, crank, params.number("angle").to_radians());
    let c = meet((b, COUPLER), (d, ROCKER));
    let mut scene = ModelBuilder::new();
    add_four_bar(&mut scene, [a, b, c, d]);
    let check = Check::new("joint gap below 1 nm at all times, energy gain below 0.1 % of the fall", |run| {
        joint_figures(run, 1e-9, 1e-3)
    });
    Scene::new(&scene, Settings::seconds(5.0).hertz(1000.0).solvers(&["structured", "vbd"]), check)
}

fn add_four_bar(scene: &mut ModelBuilder, [a, b, c, d]: [DVec3; 4]) {
    let mut link = |name: &str, points: &[DVec3], layer: f64| {
        Link { name: name.to_owned(), points, half: HALF, layer: layer * LAYER }.add(scene)
    };
    let crank = link("crank", &[a, b], 0.0);
    let coupler = link("coupler", &[b, c], 1.0);
    let rocker = link("rocker", &[c, d], 0.0);
    scene.add_joint(pin(WORLD, crank, a));
    scene.add_joint(pin(crank, coupler, b));
    scene.add_joint(pin(coupler, rocker, c));
    scene.add_joint(pin(WORLD, rocker, d));
}

/// Two four-bars in a row, the rocker of the first being the crank of the second (Watt's second
/// chain): a motor turns the crank evenly, the output swings to and fro.
pub const SIX_BAR: SceneEntry = SceneEntry {
    name: "six-bar",
    summary: "a motor turns the crank of a six-bar linkage and its output follows the geometry",
    parameters: &[Parameter::number("speed", 4.0, 0.1, 20.0, "speed of the crank in rad/s")],
    build: six_bar,
};

/// The pins of the six-bar when its crank is at an angle \[rad\].
struct SixBar {
    crank: f64,
}

impl SixBar {
    /// Frame pins of crank, ternary link and output \[m\].
    const FRAME: [[f64; 2]; 3] = [[0.0, 0.0], [0.30, 0.0], [0.62, -0.05]];
    const CRANK: f64 = 0.10;
    const COUPLER: f64 = 0.30;
    /// Arms of the ternary link, and how far the second is turned from the first \[m\], \[rad\].
    const ARMS: [f64; 2] = [0.22, 0.20];
    const TURN: f64 = -0.9;
    const SECOND: f64 = 0.30;
    const OUTPUT: f64 = 0.24;

    /// Frame pins, then crank pin, its far end on the ternary link, the second arm, the output pin.
    fn pins(&self) -> [DVec3; 7] {
        let [a, d, g] = Self::FRAME.map(|[x, z]| point(x, z));
        let b = polar(a, Self::CRANK, self.crank);
        let c = meet((b, Self::COUPLER), (d, Self::ARMS[0]));
        let arm = c - d;
        let e = polar(d, Self::ARMS[1], atan2(arm.z, arm.x) + Self::TURN);
        let f = meet((e, Self::SECOND), (g, Self::OUTPUT));
        [a, d, g, b, c, e, f]
    }

    /// Angle of the output link from x towards z \[rad\].
    fn output(&self) -> f64 {
        let [_, _, g, .., f] = self.pins();
        atan2(f.z - g.z, f.x - g.x)
    }
}

fn six_bar(params: &Params) -> Result<Scene, SceneError> {
    const START: f64 = 1.0;
    let speed = params.number("speed");
    let [a, d, g, b, c, e, f] = SixBar { crank: START }.pins();
    let mut scene = ModelBuilder::new();
    let mut link = |name: &str, points: &[DVec3], layer: f64| {
        Link { name: name.to_owned(), points, half: HALF, layer: layer * LAYER }.add(&mut scene)
    };
    let crank = link("crank", &[a, b], 0.0);
    let coupler = link("coupler", &[b, c], 1.0);
    let ternary = link("ternary", &[d, c, e], 0.0);
    let second = link("second coupler", &[e, f], 1.0);
    let output = link("output", &[f, g], 0.0);
    // About y a positive turn takes x to −z: the crank turns from x towards z by a negative one.
    let motor = Drive::velocity(-speed, MOTOR_GAIN);
    scene.add_joint(pin(WORLD, crank, a).drive(Axis::AngX, motor));
    for (parent, child, at) in [(crank, coupler, b), (coupler, ternary, c), (ternary, second, e), (second, output, f)] {
        scene.add_joint(pin(parent, child, at));
    }
    scene.add_joint(pin(WORLD, ternary, d));
    let output_joint = scene.add_joint(pin(WORLD, output, g));
    let start = SixBar { crank: START }.output();
    let check =
        Check::new("the output is where the geometry puts it, and the crank keeps its speed", move |run| {
            let turned = -run.state.joint_angle[0][0];
            let expected = SixBar { crank: START + turned }.output() - start;
            let is = -run.state.joint_angle[output_joint.built_index()][0];
            joint_figures(run, 1e-9, f64::INFINITY)
                .below("output off by", angle_between(is, expected), 1e-6, "rad")
                .near("crank turned", turned, speed * run.state.time, 0.02, "rad")
        });
    Scene::new(&scene, Settings::seconds(5.0).hertz(1000.0).solvers(&["structured", "vbd"]), check)
}

/// Gain of the motor \[N·m·s/rad\]: soft enough for an explicit step, stiff against the bars' weight.
const MOTOR_GAIN: f64 = 5.0;

/// Distance of two angles on the circle \[rad\].
fn angle_between(a: f64, b: f64) -> f64 {
    let apart = (a - b).rem_euclid(std::f64::consts::TAU);
    apart.min(std::f64::consts::TAU - apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The six-bar closes at every angle of its crank, with some room.
    #[test]
    fn the_crank_of_the_six_bar_goes_all_the_way_round() {
        for degree in 0..360 {
            let pins = SixBar { crank: f64::from(degree).to_radians() }.pins();
            assert!(pins.iter().all(|pin| pin.is_finite()), "no assembly at {degree}°");
            let [.., g, _, _, e, f] = pins;
            assert!(((e - f).length() - SixBar::SECOND).abs() < 1e-15);
            assert!(((g - f).length() - SixBar::OUTPUT).abs() < 1e-15);
        }
    }

    #[test]
    fn the_four_bar_meets_grashof() {
        for crank in [0.01, 0.12, 0.2] {
            let mut lengths = [crank, COUPLER, ROCKER, FRAME];
            lengths.sort_by(f64::total_cmp);
            assert!(lengths[0] + lengths[3] <= lengths[1] + lengths[2], "crank {crank}");
        }
    }
}
