//! Questions to mechanisms whose joints follow others; how they are stepped is tested with all solvers that couple.

use drystone_model::{Axis, BodyDef, DMat3, DVec3, JointDef, JointId, MassProperties, Model, ModelBuilder, WORLD};
use drystone_structured::mechanism::{
    AssemblyOptions, DrivenAxis, MechanismError, assemble, driving_efforts, joint_forces, step_derivatives,
};

const RATIO: f64 = -4.0;
const OFFSET: f64 = 0.3;

/// Wheels of 2 and 3 kg·m², the second turning −4 times as fast as the first.
fn gears() -> Model {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::ZERO);
    let mut wheel = |name: &str, x: f64, moment: f64| {
        let inertia = DMat3::from_diagonal(DVec3::splat(moment));
        let mass = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia };
        scene.add_body(BodyDef::dynamic(name).at(DVec3::X * x).mass_properties(mass))
    };
    let (first, second) = (wheel("first", 0.0, 2.0), wheel("second", 1.0, 3.0));
    let lead = scene.add_joint(JointDef::revolute(WORLD, first, DVec3::ZERO, DVec3::Y));
    let follower = JointDef::revolute(WORLD, second, DVec3::X, DVec3::Y);
    scene.add_joint(follower.follow(Axis::AngX, lead, Axis::AngX, RATIO, OFFSET));
    scene.finalize().unwrap()
}

#[test]
fn a_drive_feels_the_reflected_inertia_and_joints_tell_what_they_hand_over() {
    let model = gears();
    let driven = [DrivenAxis { joint: JointId(0), axis: Axis::AngX }];
    let effort = driving_efforts(&model, &model.state(), &model.control(), &driven, &[1.5]).unwrap();
    assert!((effort[0] - 1.5 * (2.0 + RATIO * RATIO * 3.0)).abs() < 1e-9, "{effort:?}");
    let mut control = model.control();
    control.joint_f[0][3] = effort[0];
    let forces = joint_forces(&model, &model.state(), &control).unwrap();
    // On the second wheel acts I₂ r α, on the first I₁ α, the effort among it.
    assert!((forces[1].torque.y - 3.0 * RATIO * 1.5).abs() < 1e-9, "{:?}", forces[1]);
    assert!((forces[0].torque.y - 2.0 * 1.5).abs() < 1e-9, "{:?}", forces[0]);
    // Both axes together cannot be asked for.
    let both = [0, 1].map(|joint| DrivenAxis { joint: JointId(joint), axis: Axis::AngX });
    assert!(driving_efforts(&model, &model.state(), &model.control(), &both, &[1.0, 1.0]).is_err());
}

#[test]
fn assembly_turns_wheels_to_where_they_belong() {
    let model = gears();
    let (mut state, control) = (model.state(), model.control());
    let assembly = assemble(&model, &mut state, &control, AssemblyOptions::default()).unwrap();
    let angle = |joint: usize| model.joint_coordinates(&state, joint)[3];
    assert!(assembly.error < 1e-9 && (angle(1) - RATIO * angle(0) - OFFSET).abs() < 1e-9, "{} {}", angle(0), angle(1));
    // Each as little as its mass allows: I₁ q₁ / −r = I₂ q₂.
    assert!((2.0 * angle(0) + RATIO * 3.0 * angle(1)).abs() < 1e-6, "{} {}", angle(0), angle(1));
}

#[test]
fn derivatives_of_a_step_refuse_couplings() {
    let model = gears();
    let refused = step_derivatives(&model, &model.state(), &model.control(), 0.01, &[]).unwrap_err();
    assert_eq!(refused, MechanismError::Coupled { joint: model.joint_name[1].clone() });
}
