//! Signs on two arms each, in the wind.

use drystone::model::{Axis, BodyDef, BodyId, DVec3, Drive, JointDef, ModelBuilder, ShapeDef};
use drystone_kernels::elementary::asin;

use super::chains::ghost;
use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::rng::Rng;
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A row of hanging signs.
pub const SIGNS: SceneEntry = SceneEntry {
    name: "signs",
    summary: "a hundred signs, each on two arms and so a closed loop, swing out in the wind and come to rest",
    parameters: &[
        Parameter::count("count", 100, 1, 10_000, "signs in rows of ten"),
        Parameter::number("wind", 1.0, 0.1, 1.5, "strength of the wind"),
        Parameter::count("seed", 1, 0, 1_000_000, "of the gusts"),
    ],
    build: signs,
};

/// Length and mass of an arm, and mass of a board \[m\], \[kg\].
const ARM: f64 = 0.5;
const ARM_MASS: f64 = 0.3;
const BOARD_MASS: f64 = 4.0;
/// Half extents of a board \[m\].
const BOARD: DVec3 = DVec3::new(0.4, 0.01, 0.25);
/// Distances between signs and between rows \[m\].
const ALONG: f64 = 1.2;
const BETWEEN: f64 = 2.0;
/// Drag of the wind on a sign, at either of its arms \[N·m·s/rad\].
const DRAG: f64 = 2.5;
/// Acceleration by weight \[m/s²\].
const GRAVITY: f64 = 9.81;

fn signs(params: &Params) -> Result<Scene, SceneError> {
    let (count, wind) = (params.count("count"), params.number("wind"));
    let mut rng = Rng::new(params.count("seed") as u32);
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::NEG_Z * GRAVITY);
    let mut expected = Vec::with_capacity(count);
    for index in 0..count {
        let beam = DVec3::new(ALONG * (index % 10) as f64, BETWEEN * (index / 10) as f64, 2.0);
        // Where the wind would turn the arms to, if nothing held them \[rad/s\].
        let gust = wind * rng.uniform(0.5, 1.5);
        let arm = add_sign(&mut scene, index, beam, gust);
        // Both arms together hold the weight of the board and half their own.
        let lean = asin(2.0 * DRAG * gust / ((BOARD_MASS + ARM_MASS) * GRAVITY * ARM));
        expected.push((arm, lean));
    }
    let check = Check::new("every sign comes to rest where wind and weight balance", move |run| {
        let off = expected.iter().map(|&(arm, lean): &(BodyId, f64)| {
            let hangs = run.state.body_q[arm.built_index()].rotation * DVec3::NEG_Z;
            (asin(hangs.y.clamp(-1.0, 1.0)) - lean).abs()
        });
        Figures::new().below("lean off the balance", off.fold(0.0, f64::max), 1e-4, "rad").below(
            "joint gap",
            run.measures.max_joint_error,
            1e-8,
            "m",
        )
    });
    Scene::new(&scene, Settings::seconds(8.0).hertz(120.0).solvers(&["structured", "vbd"]), check)
}

/// A sign below a point of its beam, hanging still; returns one of its arms.
fn add_sign(scene: &mut ModelBuilder, index: usize, beam: DVec3, gust: f64) -> BodyId {
    let hook = beam - DVec3::Z * ARM;
    let board = BodyDef::dynamic(format!("board {index}")).at(hook - DVec3::Z * BOARD.z);
    let board = scene.add_body(board.shape(ghost(ShapeDef::cuboid(BOARD))).mass(BOARD_MASS));
    let mut arms = [BodyId::WORLD; 2];
    for (side, arm) in [-1.0, 1.0].into_iter().zip(&mut arms) {
        let across = DVec3::X * (0.8 * side * BOARD.x);
        let shape = ghost(ShapeDef::cuboid(DVec3::new(0.015, 0.015, 0.5 * ARM)));
        let def = BodyDef::dynamic(format!("arm {index}{}", if side < 0.0 { "a" } else { "b" }));
        *arm = scene.add_body(def.at(0.5 * (beam + hook) + across).shape(shape).mass(ARM_MASS));
        // About x a positive turn takes what hangs towards y, downwind.
        let hinge = JointDef::revolute(BodyId::WORLD, *arm, beam + across, DVec3::X);
        scene.add_joint(hinge.drive(Axis::AngX, Drive::velocity(gust, DRAG)));
        scene.add_joint(JointDef::revolute(*arm, board, hook + across, DVec3::X));
    }
    arms[0]
}
