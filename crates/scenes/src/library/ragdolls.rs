//! Jointed figures falling in a heap.

use drystone::model::{Axis, BodyDef, BodyId, DQuat, DVec3, JointDef, ModelBuilder, ShapeDef};
use drystone_kernels::elementary::{cos, sin};

use crate::check::{Check, joint_figures};
use crate::params::{Parameter, Params};
use crate::scene::{Scene, SceneEntry, SceneError, Settings};

/// Figures of ten bodies and nine limited joints.
pub const RAGDOLLS: SceneEntry = SceneEntry {
    name: "ragdolls",
    summary: "jointed figures fall in a heap without coming apart",
    parameters: &[Parameter::count("count", 8, 1, 500, "figures")],
    build: ragdolls,
};

fn ragdolls(params: &Params) -> Result<Scene, SceneError> {
    let count = params.count("count");
    let mut scene = ModelBuilder::new();
    scene.ground();
    for index in 0..count {
        // A spiral staircase: each lands on the ones before it from another side.
        let angle = index as f64 * 2.4;
        let place = DVec3::new(0.3 * cos(angle), 0.3 * sin(angle), 1.5 + 1.2 * index as f64);
        let turn = DQuat::from_rotation_z(angle) * DQuat::from_rotation_x(1.2);
        add_figure(&mut scene, index, place, turn);
    }
    let check = Check::new("joints hold to 10 mm, nobody sinks into the ground, energy never rises", |run| {
        joint_figures(run, 0.01, 0.01).below("penetration at the end", run.measures.end_penetration, 0.01, "m")
    });
    Scene::new(&scene, Settings::seconds(4.0), check)
}

/// A limb: name, end nearest the torso, other end, radius \[m\].
type Limb = (&'static str, [f64; 3], [f64; 3], f64);

/// The figure standing upright, facing x, its torso's centre at the origin.
const HEAD: Limb = ("head", [0.0, 0.0, 0.34], [0.0, 0.0, 0.54], 0.09);
const ARM: [Limb; 2] = [
    ("upper arm", [0.0, 0.22, 0.22], [0.0, 0.5, 0.22], 0.05),
    ("lower arm", [0.0, 0.5, 0.22], [0.0, 0.76, 0.22], 0.045),
];
const LEG: [Limb; 2] =
    [("thigh", [0.0, 0.1, -0.28], [0.0, 0.1, -0.7], 0.07), ("shin", [0.0, 0.1, -0.7], [0.0, 0.1, -1.1], 0.055)];

fn add_figure(scene: &mut ModelBuilder, index: usize, place: DVec3, turn: DQuat) {
    let name = |part: &str| format!("figure {index} {part}");
    let torso = BodyDef::dynamic(name("torso")).at(place).rotated(turn).cuboid(DVec3::new(0.1, 0.17, 0.28));
    let torso = scene.add_body(torso);
    let world = |local: [f64; 3]| place + turn * DVec3::from_array(local);
    let mut add = |limb: &Limb, side: f64, label: &str, parent: BodyId| {
        let mirrored = |end: [f64; 3]| world([end[0], side * end[1], end[2]]);
        let (near, far) = (mirrored(limb.1), mirrored(limb.2));
        let axis = (far - near).normalize();
        let half = 0.5 * (far - near).length() - limb.3;
        let body = BodyDef::dynamic(name(&format!("{label}{}", limb.0))).at(0.5 * (near + far));
        let body = body.rotated(DQuat::from_rotation_arc(DVec3::Z, axis)).shape(ShapeDef::capsule(limb.3, half));
        (scene.add_body(body), parent, near)
    };
    let mut joints = Vec::new();
    let (head, _, neck) = add(&HEAD, 1.0, "", torso);
    joints.push(JointDef::ball(torso, head, neck));
    for (side, label) in [(1.0, "left "), (-1.0, "right ")] {
        for limbs in [&ARM, &LEG] {
            let (upper, _, root) = add(&limbs[0], side, label, torso);
            let (lower, _, middle) = add(&limbs[1], side, label, upper);
            joints.push(JointDef::ball(torso, upper, root));
            // Elbows bend about the upright axis, knees about the sideways one, neither backwards.
            let axis = if std::ptr::eq(limbs, &ARM) { turn * DVec3::Z * -side } else { turn * DVec3::Y };
            joints.push(JointDef::revolute(upper, lower, middle, axis).limit(Axis::AngX, 0.0, 2.3));
        }
    }
    for joint in joints {
        scene.add_joint(joint);
    }
}
