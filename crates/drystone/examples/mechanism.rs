//! Questions about mechanisms besides where they go: `cargo run --example mechanism`.
//!
//! A two-link arm is asked what its joints must do to hold it and to move it; a drawbridge on a rope (a closed
//! loop) what its rope and hinge carry; a string of beads where it comes to rest; loose parts of a ring to go
//! together.

use drystone::mechanism::{
    AssemblyOptions, DrivenAxis, EquilibriumOptions, JointSpace, assemble, driving_efforts, equilibrium, joint_forces,
};
use drystone::model::JointKind;
use drystone::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    arm()?;
    drawbridge()?;
    beads()?;
    ring()
}

/// Inverse dynamics and the mass matrix of a tree.
fn arm() -> Outcome {
    let mut scene = ModelBuilder::new();
    let upper = scene.add_body(BodyDef::dynamic("upper").at(DVec3::X * 0.2).cuboid(DVec3::new(0.2, 0.03, 0.03)));
    let lower = scene.add_body(BodyDef::dynamic("lower").at(DVec3::X * 0.6).cuboid(DVec3::new(0.2, 0.03, 0.03)));
    // About −y a positive turn lifts.
    scene.add_joint(JointDef::revolute(WORLD, upper, DVec3::ZERO, DVec3::NEG_Y));
    scene.add_joint(JointDef::revolute(upper, lower, DVec3::X * 0.4, DVec3::NEG_Y));
    let model = scene.finalize()?;
    let (state, control) = (model.state(), model.control());
    let joints = JointSpace::new(&model)?;
    println!("arm: to hold it      {:.3?} N m", joints.inverse_dynamics(&state, &control, &[0.0, 0.0]));
    println!("     to lift at 1/s² {:.3?} N m", joints.inverse_dynamics(&state, &control, &[1.0, 0.0]));
    println!("     mass matrix     {:.4?} kg m²", joints.mass_matrix(&state).values());
    println!("     centre of mass  {:.3}", joints.centroidal(&state).centre);
    Ok(())
}

/// Forces in a closed loop, and what its winch must do.
fn drawbridge() -> Outcome {
    let mut scene = ModelBuilder::new();
    let deck = scene.add_body(BodyDef::dynamic("deck").at(DVec3::X * 2.0).cuboid(DVec3::new(2.0, 1.0, 0.1)));
    let (tower, edge) = (DVec3::Z * 4.0, DVec3::X * 4.0);
    let along = (edge - tower).normalize();
    let rope = scene.add_body(BodyDef::dynamic("rope").at(0.5 * (tower + edge)).sphere(0.1).mass(20.0));
    let hook = scene.add_body(BodyDef::dynamic("hook").at(edge).sphere(0.1).mass(5.0));
    scene.add_joint(JointDef::revolute(WORLD, deck, DVec3::ZERO, DVec3::Y));
    scene.add_joint(JointDef::revolute(WORLD, rope, tower, DVec3::Y));
    let winch = scene.add_joint(JointDef::prismatic(rope, hook, edge, along));
    scene.add_joint(JointDef::revolute(deck, hook, edge, DVec3::Y));
    let model = scene.finalize()?;
    let (state, mut control) = (model.state(), model.control());
    let driven = [DrivenAxis { joint: winch, axis: Axis::LinX }];
    let pull = driving_efforts(&model, &state, &control, &driven, &[0.0])?;
    control.joint_f[winch.built_index()][Axis::LinX as usize] = pull[0];
    println!("drawbridge: the winch pulls {:.0} N", -pull[0]);
    for (joint, carried) in joint_forces(&model, &state, &control)?.iter().enumerate() {
        println!("            {} carries {:.0} N", model.joint_name[joint], carried.force.length());
    }
    Ok(())
}

/// Statics: beads on a string between two nails.
fn beads() -> Outcome {
    let mut scene = ModelBuilder::new();
    let node = |index: usize| DVec3::new(0.1 * index as f64, 0.0, if index.is_multiple_of(2) { 0.0 } else { 0.05 });
    let mut parent = BodyId::WORLD;
    for index in 0..10 {
        let middle = 0.5 * (node(index) + node(index + 1));
        let bead = scene.add_body(BodyDef::dynamic("").at(middle).sphere(0.03));
        scene.add_joint(JointDef::ball(parent, bead, node(index)));
        parent = bead;
    }
    scene.add_joint(JointDef::ball(WORLD, parent, node(10)));
    let model = scene.finalize()?;
    let mut state = model.state();
    let found = equilibrium(&model, &mut state, &model.control(), EquilibriumOptions::default())?;
    let lowest = state.body_q.iter().map(|pose| pose.translation.z).fold(f64::INFINITY, f64::min);
    println!("beads: hang {:.3} m below the nails, found in {} steps", -lowest, found.steps);
    Ok(())
}

/// Assembly: six bars scattered about, and the joints that make them a ring.
fn ring() -> Outcome {
    const BARS: usize = 6;
    let mut scene = ModelBuilder::new();
    let half = 0.5;
    for index in 0..BARS {
        let place = DVec3::new((3.0 * index as f64).sin(), (5.0 * index as f64).cos(), 0.3 * index as f64) * 3.0;
        let turn = DQuat::from_scaled_axis(DVec3::new(1.0, index as f64, -0.5));
        scene.add_body(BodyDef::dynamic("").at(place).rotated(turn).cuboid(DVec3::new(half, 0.05, 0.05)));
    }
    for index in 0..BARS {
        let ends = [DVec3::X * half, DVec3::NEG_X * half].map(Pose::from_translation);
        let (from, to) = (BodyId(index as u32), BodyId(((index + 1) % BARS) as u32));
        scene.add_joint(JointDef::new(JointKind::Ball, from, to).frames(ends[0], ends[1]));
    }
    let model = scene.finalize()?;
    let mut state = model.state();
    let assembly = assemble(&model, &mut state, &model.control(), AssemblyOptions::default())?;
    println!("ring: closed to {:.0e} m in {} steps", assembly.error, assembly.steps);
    Ok(())
}
