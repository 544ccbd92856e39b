//! The Stewart platform: six legs of variable length hold and move a plate in all six freedoms.

use std::f64::consts::PI;

use drystone::model::{
    Axis, BodyDef, BodyId, DMat3, DQuat, DVec3, Drive, JointDef, JointId, ModelBuilder, ShapeDef, WORLD,
};

use super::chains::ghost;
use crate::check::{Check, Figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// A plate on six springy legs, let go off its balance.
pub const STEWART_PLATFORM: SceneEntry = SceneEntry {
    name: "stewart-platform",
    summary: "a plate on six sliding legs with universal and ball ends rocks and comes to rest",
    parameters: &[
        Parameter::number("tilt", 10.0, 0.0, 15.0, "tilt of the plate at the start in degrees"),
        Parameter::number("damping", 150.0, 0.0, 1000.0, "damping of every leg in N s/m"),
    ],
    build: stewart_platform,
};

/// Radii of the circles of the feet and of the plate's ends, and height of the plate \[m\].
const BASE: f64 = 0.6;
const PLATE: f64 = 0.4;
const HEIGHT: f64 = 0.8;
/// Half the angle between the two ends of a pair of legs, below and above \[rad\].
const PAIR: f64 = 0.2;
const PLATE_MASS: f64 = 30.0;
/// Mass of the lower and of the upper half of a leg, their length and radii \[kg\], \[m\].
const LEG_MASS: [f64; 2] = [2.0, 1.0];
const LEG_LENGTH: f64 = 0.5;
const LEG_RADIUS: [f64; 2] = [0.03, 0.02];
const STIFFNESS: f64 = 2.0e4;

/// Where leg `index` of six stands on the ground \[m\].
fn foot(index: usize) -> DVec3 {
    let side = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
    let angle = (index / 2) as f64 * (2.0 * PI / 3.0) + side * (PI / 3.0 - PAIR);
    DQuat::from_rotation_z(angle) * DVec3::X * BASE
}

/// Where leg `index` of six holds the plate, in the frame of the plate \[m\].
fn end(index: usize) -> DVec3 {
    let side = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
    let angle = (index / 2) as f64 * (2.0 * PI / 3.0) + side * PAIR;
    DQuat::from_rotation_z(angle) * DVec3::X * PLATE
}

fn stewart_platform(params: &Params) -> Result<Scene, SceneError> {
    let turn = DQuat::from_axis_angle(DVec3::new(0.8, 0.6, 0.0), params.number("tilt").to_radians());
    let centre = DVec3::new(0.03, -0.02, HEIGHT);
    let damping = params.number("damping");
    let mut scene = ModelBuilder::new();
    let plate = BodyDef::dynamic("plate").at(centre).rotated(turn);
    let plate = scene.add_body(plate.shape(ghost(ShapeDef::cylinder(1.1 * PLATE, 0.02))).mass(PLATE_MASS));
    let sliders: Vec<JointId> =
        (0..6).map(|index| add_leg(&mut scene, plate, index, centre + turn * end(index), damping)).collect();
    let check =
        Check::new("joints hold to 10 nm, and damped legs end up pressed alike by the plate's weight", move |run| {
            let axis = Axis::LinX as usize;
            let pressed = sliders.iter().map(|joint| {
                let drive = run.model.joint_drive[joint.built_index()][axis];
                drive.target - run.model.joint_coordinates(run.state, joint.built_index())[axis]
            });
            let spread = pressed.clone().fold(f64::NEG_INFINITY, f64::max) - pressed.fold(f64::INFINITY, f64::min);
            let figures = Figures::new().below("joint gap", run.measures.max_joint_error, 1e-8, "m");
            if damping >= 50.0 { figures.below("legs differ by", spread, 1e-5, "m") } else { figures }
        });
    Scene::new(&scene, Settings::seconds(8.0).hertz(1000.0).solvers(&["structured", "vbd"]), check)
}

/// A leg from its foot to a point of the plate: a tube on a universal joint, a rod that slides in it
/// and ends in a ball joint, and a spring along both that is at rest when the plate is level at its height.
fn add_leg(scene: &mut ModelBuilder, plate: BodyId, index: usize, top: DVec3, damping: f64) -> JointId {
    let below = foot(index);
    let along = (top - below).normalize();
    // The first axis of the universal joint lies on the ground, across the leg's rest direction; the
    // tube's frame follows from it and the leg's direction.
    let first = DVec3::Z.cross(below).normalize();
    let second = along.cross(first).normalize();
    let frame = DQuat::from_mat3(&DMat3::from_cols(second.cross(along), second, along));
    let mut half = |name: &str, centre: DVec3, part: usize| {
        let body = BodyDef::dynamic(format!("{name} {index}")).at(centre).rotated(frame);
        let shape = ghost(ShapeDef::cylinder(LEG_RADIUS[part], 0.5 * LEG_LENGTH));
        scene.add_body(body.shape(shape).mass(LEG_MASS[part]))
    };
    let tube = half("tube", below + along * (0.5 * LEG_LENGTH), 0);
    let rod = half("rod", top - along * (0.5 * LEG_LENGTH), 1);
    scene.add_joint(JointDef::universal(WORLD, tube, below, first, second));
    let rest = (DVec3::Z * HEIGHT + end(index) - below).length() - (top - below).length();
    let spring = Drive::position(rest, STIFFNESS, damping);
    let slider = scene.add_joint(JointDef::prismatic(tube, rod, top, along).drive(Axis::LinX, spring));
    scene.add_joint(JointDef::ball(rod, plate, top));
    slider
}
