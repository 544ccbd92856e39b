//! The inverse side for control and learning: `cargo run --example control`.
//!
//! A two-link arm follows a path by computed torque: the efforts of its joints come from inverse dynamics at every step. The
//! same arm then learns a throw: gradients through forty steps find the efforts that take its tip to a target.

use drystone::mechanism::{DrivenAxis, JointSpace, step_derivatives};
use drystone::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Time step \[s\].
const DT: f64 = 0.005;
/// Length of a link \[m\].
const LINK: f64 = 0.4;

/// Runs both.
pub fn main() -> Outcome {
    let strayed = follow()?;
    println!("computed torque: at most {strayed:.1e} rad from the path");
    let (missed, rounds) = throw()?;
    println!("learnt throw: the tip misses by {missed:.1e} m after {rounds} rounds");
    Ok(())
}

/// Two links that hang from hinges about y.
fn arm() -> Result<(Model, [JointId; 2]), Box<dyn std::error::Error>> {
    let mut scene = ModelBuilder::new();
    let link = |x: f64| BodyDef::dynamic("").at(DVec3::X * x).cuboid(DVec3::new(0.5 * LINK, 0.03, 0.03));
    let upper = scene.add_body(link(0.5 * LINK));
    let lower = scene.add_body(link(1.5 * LINK));
    // About −y a positive turn lifts.
    let shoulder = scene.add_joint(JointDef::revolute(WORLD, upper, DVec3::ZERO, DVec3::NEG_Y));
    let elbow = scene.add_joint(JointDef::revolute(upper, lower, DVec3::X * LINK, DVec3::NEG_Y));
    Ok((scene.finalize()?, [shoulder, elbow]))
}

/// Follows a smooth path for a second; returns how far the joints strayed from it \[rad\].
pub fn follow() -> Result<f64, Box<dyn std::error::Error>> {
    let (model, hinges) = arm()?;
    let joints = JointSpace::new(&model)?;
    let mut sim = Simulation::builder(model.clone()).solver("structured").dt(DT).build()?;
    let mut strayed = 0.0_f64;
    for step in 0..200 {
        let time = DT * f64::from(step);
        // Where the joints shall be: angle, rate and acceleration of a cosine.
        let path = |size: f64| {
            (size * (1.0 - (3.0 * time).cos()), size * 3.0 * (3.0 * time).sin(), size * 9.0 * (3.0 * time).cos())
        };
        let wanted = [path(0.4), path(-0.6)];
        let (state, rates) = (sim.state(), joints.rates(sim.state()));
        let mut asked = [0.0; 2];
        for (k, hinge) in hinges.iter().enumerate() {
            let angle = model.joint_coordinates(state, hinge.built_index())[Axis::AngX as usize];
            let (goal, rate, acceleration) = wanted[k];
            strayed = strayed.max((angle - goal).abs());
            // Errors die away within a twentieth of a second.
            asked[k] = acceleration + 400.0 * (goal - angle) + 40.0 * (rate - rates[k]);
        }
        let efforts = joints.inverse_dynamics(state, &model.control(), &asked);
        for (hinge, effort) in hinges.iter().zip(&efforts) {
            sim.control_mut().joint_f[hinge.built_index()][Axis::AngX as usize] = *effort;
        }
        sim.step()?;
    }
    Ok(strayed)
}

/// Finds constant efforts that take the tip to a target in forty steps, by Newton's method with gradients through the steps;
/// returns by how much the tip misses it \[m\], and the rounds it took.
pub fn throw() -> Result<(f64, u32), Box<dyn std::error::Error>> {
    let (model, hinges) = arm()?;
    let axes = hinges.map(|joint| DrivenAxis { joint, axis: Axis::AngX });
    let target = DVec3::new(0.7, 0.0, 0.25);
    // Begin with what holds the arm level, about.
    let mut efforts = [12.0, 3.0];
    for round in 0..20 {
        let mut sim = Simulation::builder(model.clone()).solver("structured").dt(DT).build()?;
        for (axis, effort) in axes.iter().zip(efforts) {
            sim.control_mut().joint_f[axis.joint.built_index()][axis.axis as usize] = effort;
        }
        // Change of the state by the two efforts: that of the step before carried on, and what this step adds.
        let mut change = [vec![0.0; 24], vec![0.0; 24]];
        for _ in 0..40 {
            let step = step_derivatives(&model, sim.state(), sim.control(), DT, &axes)?;
            for (k, change) in change.iter_mut().enumerate() {
                *change = step.state.times(change);
                (0..24).for_each(|row| change[row] += step.effort.get(row, k));
            }
            sim.step()?;
        }
        let pose = sim.state().body_q[1];
        let arm = pose.rotation * (DVec3::X * (0.5 * LINK));
        let miss = target - (pose.translation + arm);
        if miss.length() < 1e-9 {
            return Ok((miss.length(), round));
        }
        // The second body has rows 12 to 23: displacement and turn of its centre come first.
        let tip =
            change.each_ref().map(|by| DVec3::from_slice(&by[12..15]) + DVec3::from_slice(&by[15..18]).cross(arm));
        let volume = tip[0].x * tip[1].z - tip[0].z * tip[1].x;
        let by = [miss.x * tip[1].z - miss.z * tip[1].x, tip[0].x * miss.z - tip[0].z * miss.x].map(|x| x / volume);
        // Far away the gradient does not reach as far as a whole step would.
        let share = (3.0 / by[0].abs().max(by[1].abs())).min(1.0);
        (0..2).for_each(|k| efforts[k] += share * by[k]);
    }
    Err("the throw was not learnt in 20 rounds".into())
}
