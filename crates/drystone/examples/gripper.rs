//! Two fingers take a cube, lift it, weigh it and let it go: `cargo run --example gripper`.

use drystone::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

struct Gripper {
    lift: JointId,
    fingers: [JointId; 2],
    cube: BodyId,
}

/// Grips, lifts, weighs and drops.
pub fn main() -> Outcome {
    let mut scene = ModelBuilder::new();
    let gripper = build(&mut scene);
    let mut sim = Simulation::builder(scene.finalize()?).dt(1.0 / 240.0).build()?;
    let [left, right] = gripper.fingers;

    // Close: the drives push towards each other until the cube stops them.
    sim.set_drive_target(left, Axis::LinX, 0.05)?;
    sim.set_drive_target(right, Axis::LinX, -0.05)?;
    sim.run(120, |_| ())?;
    let grip = sim.joint_force(left)?.force.x.abs();
    println!("the fingers press with {grip:.1} N");

    // Lift, a millimetre at a time, so that the cube is not torn out.
    for step in 0..240 {
        sim.set_drive_target(gripper.lift, Axis::LinX, 0.2 * f64::from(step + 1) / 240.0)?;
        sim.step()?;
    }
    sim.run(120, |_| ())?;
    println!("the cube hangs at {:.3} m", sim.pose(gripper.cube)?.translation.z);

    // Weigh it: what holds the cube up is what friction carries.
    let (force, _) = sim.contact_force(gripper.cube)?;
    let carried = force.dot(DVec3::Z) / 9.81;
    println!("it weighs {carried:.2} kg");
    assert!((carried - 0.2).abs() < 0.01);

    // Twice as heavy, it still holds; then let go.
    sim.set_mass(gripper.cube, 0.4)?;
    sim.run(60, |_| ())?;
    let height = sim.pose(gripper.cube)?.translation.z;
    println!("twice as heavy it hangs at {height:.3} m");
    assert!((height - 0.25).abs() < 0.005);
    sim.set_drive_target(left, Axis::LinX, 0.0)?;
    sim.set_drive_target(right, Axis::LinX, 0.0)?;
    sim.run(240, |_| ())?;
    println!("and falls back to {:.3} m", sim.pose(gripper.cube)?.translation.z);
    Ok(())
}

/// A hand on a vertical slide, a finger on a horizontal slide at either side of a cube.
fn build(scene: &mut ModelBuilder) -> Gripper {
    scene.ground();
    let cube = BodyDef::dynamic("cube").at(DVec3::Z * 0.05).cuboid(DVec3::splat(0.05)).friction(0.8).mass(0.2);
    let cube = scene.add_body(cube);
    let hand = BodyDef::dynamic("hand").at(DVec3::Z * 0.25).cuboid(DVec3::new(0.12, 0.03, 0.02)).mass(0.5);
    let hand = scene.add_body(hand);
    let slide = JointDef::prismatic(WORLD, hand, DVec3::Z * 0.25, DVec3::Z);
    let lift = scene.add_joint(slide.drive(Axis::LinX, Drive::position(0.0, 2e4, 400.0)).named("lift"));
    let fingers = [(-1.0, "left"), (1.0, "right")].map(|(side, name)| {
        let place = DVec3::new(side * 0.09, 0.0, 0.12);
        let finger = BodyDef::dynamic(name).at(place).cuboid(DVec3::new(0.01, 0.03, 0.1)).friction(0.8).mass(0.1);
        let finger = scene.add_body(finger);
        // A soft drive: what it is short of its target is how hard it presses.
        let drive = Drive::position(0.0, 500.0, 20.0).max_effort(20.0);
        scene.add_joint(JointDef::prismatic(hand, finger, place, DVec3::X).drive(Axis::LinX, drive).named(name))
    });
    Gripper { lift, fingers, cube }
}
