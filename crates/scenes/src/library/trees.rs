//! Trees of joints: a branching mobile, and a tree of everything a joint can be.

use drystone::model::{
    Axis, AxisMode, BodyDef, BodyId, DQuat, DVec3, JointDef, JointKind, ModelBuilder, Pose, ShapeDef, WORLD,
};
use drystone_kernels::elementary::powi;

use super::chains::ghost;
use crate::check::swings;
use crate::params::{Parameter, Params};
use crate::rng::Rng;
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Rods that branch, each on another kind of joint than the one it hangs from.
pub const TREE: SceneEntry = SceneEntry {
    name: "tree",
    summary: "a tree of rods on hinges, universal and ball joints falls and swings",
    parameters: &[
        Parameter::count("levels", 6, 1, 16, "levels of rods"),
        Parameter::count("branches", 2, 1, 8, "rods hung from every rod"),
    ],
    build: tree,
};

/// Length of the first rod \[m\], and of a rod over that of the one it hangs from.
const FIRST: f64 = 0.5;
const SHRINK: f64 = 0.8;

fn tree(params: &Params) -> Result<Scene, SceneError> {
    let (levels, branches) = (params.count("levels"), params.count("branches"));
    let mut scene = ModelBuilder::new();
    let mut level = vec![add_rod(&mut scene, 0, Twig { parent: BodyId(WORLD), at: DVec3::ZERO, along: DVec3::X })];
    for depth in 1..levels {
        let grown = level.iter().flat_map(|twig| (0..branches).map(|branch| twig.fork(branch, branches, depth)));
        let grown: Vec<Twig> = grown.collect();
        level = grown.into_iter().map(|twig| add_rod(&mut scene, depth, twig)).collect();
    }
    // `vbd` keeps the joints to 2·10⁻⁸ m.
    Scene::new(&scene, Settings::seconds(3.0).hertz(480.0).solvers(&["structured"]), swings(1e-8, 1e-3))
}

/// A place to hang a rod: from what, where, and which way it goes.
#[derive(Clone, Copy)]
struct Twig {
    parent: BodyId,
    at: DVec3,
    along: DVec3,
}

impl Twig {
    /// One of several ways on, spread in a cone about this one; odd levels spread across even ones.
    fn fork(&self, branch: usize, branches: usize, depth: usize) -> Self {
        let around = std::f64::consts::TAU * branch as f64 / branches as f64 + 0.5 * depth as f64;
        let across = self.along.any_orthonormal_vector();
        let tilt = DQuat::from_axis_angle(self.along, around) * across;
        Self { along: (self.along + 0.6 * tilt).normalize(), ..*self }
    }
}

/// Hangs a rod and gives the twig at its far end.
fn add_rod(scene: &mut ModelBuilder, depth: usize, twig: Twig) -> Twig {
    let length = FIRST * powi(SHRINK, depth as i32);
    let half = DVec3::new(0.06, 0.06, 0.45) * length;
    let body = BodyDef::dynamic("").at(twig.at + twig.along * (0.5 * length));
    let turn = DQuat::from_rotation_arc(DVec3::Z, twig.along);
    let rod = scene.add_body(body.rotated(turn).shape(ghost(ShapeDef::cuboid(half))));
    let (x, y) = (turn * DVec3::X, turn * DVec3::Y);
    scene.add_joint(match depth % 3 {
        0 => JointDef::ball(twig.parent, rod, twig.at),
        1 => JointDef::universal(twig.parent, rod, twig.at, x, y),
        _ => JointDef::revolute(twig.parent, rod, twig.at, x),
    });
    Twig { parent: rod, at: twig.at + twig.along * length, along: twig.along }
}

/// Bodies of random shape on joints of every kind, in random places and already moving.
pub const RANDOM_TREE: SceneEntry = SceneEntry {
    name: "random-tree",
    summary: "odd bodies hang from each other by every kind of joint there is",
    parameters: &[
        Parameter::count("bodies", 20, 1, 10_000, "bodies"),
        Parameter::count("seed", 1, 0, 1_000_000, "of the random tree"),
        Parameter::flag("floating", false, "whether the first body floats instead of hanging from the world"),
    ],
    build: random_tree,
};

fn random_tree(params: &Params) -> Result<Scene, SceneError> {
    let mut rng = Rng::new(params.count("seed") as u32);
    let mut scene = ModelBuilder::new();
    let mut bodies: Vec<BodyId> = Vec::new();
    for index in 0..params.count("bodies") {
        let half = DVec3::new(rng.uniform(0.03, 0.1), rng.uniform(0.03, 0.1), rng.uniform(0.03, 0.1));
        // Off the origin of its body, so that centre and frame are not the same place.
        let shape = ShapeDef::cuboid(half).at(direction(&mut rng) * 0.05).rotated(rotation(&mut rng));
        let mut body = BodyDef::dynamic("").shape(ghost(shape));
        let floating = index == 0 && params.flag("floating");
        if floating {
            body = body.velocity(direction(&mut rng)).spin(direction(&mut rng));
        }
        let body = scene.add_body(body);
        if !floating {
            // Mostly from one of the last few: deep as well as broad.
            let recent = bodies.len().saturating_sub(1 + (rng.uniform(0.0, 4.0) as usize));
            let parent = bodies.get(recent).copied().unwrap_or(BodyId(WORLD));
            scene.add_joint(random_joint(parent, body, index, &mut rng));
        }
        bodies.push(body);
    }
    Scene::new(&scene, Settings::seconds(1.0).hertz(1000.0).solvers(&["structured", "vbd"]), swings(1e-7, 1e-3))
}

/// All kinds in turn, at random frames, coordinates and rates.
fn random_joint(parent: BodyId, body: BodyId, index: usize, rng: &mut Rng) -> JointDef {
    const KINDS: [JointKind; 8] = [
        JointKind::Revolute,
        JointKind::Ball,
        JointKind::Universal,
        JointKind::Prismatic,
        JointKind::Cylindrical,
        JointKind::D6,
        JointKind::Planar,
        JointKind::Fixed,
    ];
    // Three turns in a row and a slide: what no other kind has.
    const LOOSE: [Axis; 4] = [Axis::LinY, Axis::AngX, Axis::AngY, Axis::AngZ];
    let kind = KINDS[index % KINDS.len()];
    let mut joint = JointDef::new(kind, parent, body);
    if kind == JointKind::D6 {
        joint = joint.free(&LOOSE);
    }
    let mut frame = || Pose::from_parts(direction(rng) * 0.15, rotation(rng));
    joint = joint.frames(frame(), frame());
    let free = joint.axis.map(|mode| if mode == AxisMode::Free { 1.0 } else { 0.0 });
    // Within a radian of zero, well away from where three turns in a row lose one of their axes.
    let coordinates = free.map(|free| free * rng.uniform(-0.8, 0.8));
    let rates = free.map(|free| free * rng.uniform(-1.0, 1.0));
    let slow = |values: [f64; 6]| std::array::from_fn(|axis| if axis < 3 { 0.2 * values[axis] } else { values[axis] });
    joint.coordinates(slow(coordinates)).rates(slow(rates))
}

fn direction(rng: &mut Rng) -> DVec3 {
    DVec3::new(rng.normal(), rng.normal(), rng.normal()).normalize_or_zero()
}

fn rotation(rng: &mut Rng) -> DQuat {
    DQuat::from_scaled_axis(direction(rng) * rng.uniform(0.0, 3.0))
}
