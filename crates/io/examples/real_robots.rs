//! Robots from files of other projects at 1/120 s: an arm holds, a quadruped stands, a humanoid falls, a hand grasps. Writes a picture
//! of each and says how well their joints held.
//!
//! usage: real_robots FILES OUT [SOLVER [ROBOT]]
//!
//! The solver is `vbd` unless another is named, and all four robots move unless one is. FILES is where `cargo xtask robots` unpacks the packages, `target/robots/files`. Ends with an error where a joint gapes by more
//! than 0.1 mm, or a robot does not do what is said of it.

use std::error::Error;
use std::path::{Path, PathBuf};

use drystone::model::{DVec3, Drive, JointId, ModelBuilder};
use drystone::{Recording, Simulation};
use drystone_io::import::{Base, Coordinate, ImportOptions, Imported, read};
use drystone_picture::raster::{Options, View};
use drystone_picture::write_png;

/// Largest gap of a joint that passes \[m\].
const BOUND: f64 = 1e-4;
const DT: f64 = 1.0 / 120.0;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (files, out, solver, only) = match &words[..] {
        [files, out] => (files, out, "vbd", None),
        [files, out, solver] => (files, out, solver.as_str(), None),
        [files, out, solver, robot] => (files, out, solver.as_str(), Some(robot.as_str())),
        _ => return Err("usage: real_robots FILES OUT [SOLVER [ROBOT]]".into()),
    };
    std::fs::create_dir_all(out)?;
    let task = Task { files: files.into(), out: out.into(), solver };
    let robots: [(&str, fn(&Task<'_>) -> Outcome); 4] =
        [("arm", arm), ("quadruped", quadruped), ("humanoid", humanoid), ("hand", hand)];
    let mut failed = Vec::new();
    for (name, robot) in robots.into_iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        let begun = std::time::Instant::now();
        if let Err(error) = robot(&task) {
            println!("{name}: {error}");
            failed.push(name);
        }
        println!("  {:.1} s by the clock", begun.elapsed().as_secs_f64());
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not as they should be: {}", failed.join(", ")).into()) }
}

/// Where the files are, where pictures go, and who moves the robots.
struct Task<'a> {
    files: PathBuf,
    out: PathBuf,
    solver: &'a str,
}

/// A run that keeps account of its joints.
struct Run {
    sim: Simulation,
    gap: f64,
    turn: f64,
    depth: f64,
}

impl Run {
    fn new(robot: &Imported, positions: &[f64], task: &Task<'_>) -> Result<Self, Box<dyn Error>> {
        let mut sim = Simulation::builder(robot.model.clone()).solver(task.solver).dt(DT).build()?;
        let [_, freedoms] = robot.widths();
        *sim.state_mut() = robot.state_at(positions, &vec![0.0; freedoms])?;
        Ok(Self { sim, gap: 0.0, turn: 0.0, depth: 0.0 })
    }

    fn go(&mut self, seconds: f64) -> Outcome {
        for _ in 0..(seconds / DT).round() as usize {
            let report = self.sim.step()?;
            self.gap = self.gap.max(report.max_joint_error.unwrap_or(f64::NAN));
            self.turn = self.turn.max(report.max_joint_angle_error.unwrap_or(f64::NAN));
            self.depth = self.depth.max(report.max_penetration.unwrap_or(f64::NAN));
            if !report.quarantined.is_empty() {
                return Err("a body is no longer finite".into());
            }
        }
        Ok(())
    }

    /// Tells how it went and takes a picture, from an eye towards a point if they are given.
    fn end(&self, name: &str, said: &str, seen: [Option<DVec3>; 2], out: &Path) -> Outcome {
        println!(
            "{name}: {said}; joints within {:.1e} mm and {:.1e} rad, surfaces within {:.2} mm",
            1e3 * self.gap,
            self.turn,
            1e3 * self.depth
        );
        let mut recording = Recording::new(self.sim.model());
        let gaps = vec![0.0; self.sim.model().joint_count()];
        recording.push(self.sim.state(), &gaps);
        let [eye, target] = seen;
        let view = View { azimuth: 0.6, elevation: Some(0.25), eye, target, ..View::default() };
        let options = Options { width: 480, height: 360, view, ..Options::default() };
        write_png(&out.join(format!("robot-{name}.png")), &recording, None, options)?;
        if self.gap <= BOUND { Ok(()) } else { Err(format!("{name}: a joint gapes by {} m", self.gap).into()) }
    }
}

/// The positions of a robot by the names of its joints, zero for others.
fn positions(robot: &Imported, wanted: impl Fn(&str) -> f64) -> Vec<f64> {
    let mut all = Vec::new();
    for joint in &robot.joints {
        match joint.coordinate {
            Coordinate::Axis { .. } => all.push(wanted(&joint.name)),
            Coordinate::Ball => all.extend([1.0, 0.0, 0.0, 0.0]),
            Coordinate::Free => {
                let body = robot.model.joint_child[joint.joint.built_index()] as usize;
                let pose = robot.model.body_q[body];
                let turn = pose.rotation;
                all.extend(pose.translation.to_array());
                all.extend([turn.w, turn.x, turn.y, turn.z]);
            }
        }
    }
    all
}

/// Puts a servo on every joint of a URDF, which has none, with the largest effort of the file.
fn with_servos(robot: &mut Imported, gains: [f64; 2], wanted: impl Fn(&str) -> f64) -> Outcome {
    let mut scene: ModelBuilder = drystone::new_model().reopen(&robot.model);
    for joint in &robot.joints {
        let Coordinate::Axis { axis, sign, reference } = joint.coordinate else { continue };
        let target = sign * (wanted(&joint.name) - reference);
        let servo =
            Drive { max_effort: joint.effort.unwrap_or(f64::INFINITY), ..Drive::position(target, gains[0], gains[1]) };
        scene.change_joint(JointId(joint.joint.built_index() as u32), |def| {
            if def.follow[axis as usize].is_none() {
                def.drive[axis as usize] = servo;
            }
        });
    }
    robot.model = scene.finalize()?;
    Ok(())
}

fn options(base: Base) -> ImportOptions {
    ImportOptions { base: Some(base), ..ImportOptions::default() }
}

/// Franka's Panda, with meshes as hulls and a finger that follows the other.
fn arm(task: &Task<'_>) -> Outcome {
    let path =
        "example-robot-data==6.0.0/cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf";
    let mut robot = read(&task.files.join(path), &options(Base::Fixed))?;
    let pose = |name: &str| match name.rsplit_once("joint").map(|(_, number)| number) {
        _ if name.contains("finger") => 0.02,
        Some("2") => -0.785,
        Some("4") => -2.356,
        Some("6") => 1.571,
        Some("7") => 0.785,
        _ => 0.0,
    };
    with_servos(&mut robot, [5000.0, 300.0], pose)?;
    let mut run = Run::new(&robot, &positions(&robot, pose), task)?;
    run.go(4.0)?;
    let settled = run.sim.state().body_q.clone();
    run.go(1.0)?;
    let moved = run.sim.state().body_q.iter().zip(&settled).map(|(a, b)| (a.translation - b.translation).length());
    let moved = moved.fold(0.0, f64::max);
    if moved > 1e-4 {
        return Err(format!("the arm moves by {moved} m in its last second").into());
    }
    run.end("arm", &format!("moves by {:.1e} mm in the last of 5 s", 1e3 * moved), [None; 2], &task.out)
}

/// Unitree's Go1 set down on its feet.
fn quadruped(task: &Task<'_>) -> Outcome {
    let path = "example-robot-data==6.0.0/cmeel.prefix/share/example-robot-data/robots/go1_description/urdf/go1.urdf";
    let mut robot = read(&task.files.join(path), &options(Base::Free))?;
    let pose = |name: &str| match name {
        name if name.contains("thigh") => 0.9,
        name if name.contains("calf") => -1.8,
        _ => 0.0,
    };
    with_servos(&mut robot, [200.0, 10.0], pose)?;
    robot.add_ground()?;
    let mut start = positions(&robot, pose);
    start[2] = 0.32;
    let mut run = Run::new(&robot, &start, task)?;
    run.go(4.0)?;
    let trunk = |run: &Run| run.sim.state().body_q[0];
    let settled = trunk(&run);
    run.go(1.0)?;
    let pose = trunk(&run);
    let (height, moved) = (pose.translation.z, (pose.translation - settled.translation).length());
    let tilt = (pose.rotation * DVec3::Z).angle_between(DVec3::Z);
    if height < 0.2 || tilt > 0.1 || moved > 1e-3 {
        return Err(format!("the quadruped does not stand: {height} m, {tilt} rad, moved by {moved} m").into());
    }
    let said =
        format!("stands at {height:.3} m, tilted by {tilt:.3} rad, moves by {:.1e} mm in the last of 5 s", 1e3 * moved);
    run.end("quadruped", &said, [None; 2], &task.out)
}

/// The humanoid of dm_control, several of whose bodies hang from chains, without a control.
fn humanoid(task: &Task<'_>) -> Outcome {
    let robot = read(&task.files.join("dm_control==1.0.50/dm_control/suite/humanoid.xml"), &options(Base::Fixed))?;
    let mut start = positions(&robot, |_| 0.0);
    start[2] = 1.5;
    let mut run = Run::new(&robot, &start, task)?;
    run.go(5.0)?;
    let torso = robot.model.body_named("torso").ok_or("there is no torso")?.built_index();
    let height = run.sim.state().body_q[torso].translation.z;
    let speed = run.sim.state().body_qd.iter().map(|twist| twist.linear.length()).fold(0.0, f64::max);
    if !(0.03..0.6).contains(&height) || speed > 0.5 {
        return Err(format!("the humanoid does not lie: {height} m, {speed} m/s").into());
    }
    run.end(
        "humanoid",
        &format!("lies after 5 s, torso at {height:.3} m, fastest body {speed:.3} m/s"),
        [None; 2],
        &task.out,
    )
}

/// Shadow's hand of gymnasium-robotics takes the block that falls into it, and keeps it when gravity turns round.
fn hand(task: &Task<'_>) -> Outcome {
    let path = "gymnasium-robotics==1.4.2/gymnasium_robotics/envs/assets/hand/manipulate_block.xml";
    let robot = read(&task.files.join(path), &options(Base::Fixed))?;
    let start = positions(&robot, |_| 0.0);
    let mut run = Run::new(&robot, &start, task)?;
    // A ghost of the block, which the environment of the package holds in the air.
    run.sim.set_gravity_scale(robot.model.body_named("target").ok_or("there is no ghost")?, 0.0)?;
    let controls = |closed: f64| -> Vec<f64> {
        let wanted = |name: &str| match name.trim_start_matches("robot0:A_") {
            "THJ4" => 1.0,
            "THJ3" => 1.2,
            "THJ0" => -1.0,
            name if name.ends_with("J2") && !name.starts_with("TH") => 1.4,
            name if name.ends_with("J1") && !name.starts_with("TH") && !name.starts_with("WR") => 1.4,
            _ => 0.0,
        };
        robot.actuators.iter().map(|actuator| closed * wanted(&actuator.name)).collect()
    };
    run.go(0.5)?;
    for step in 1..=60 {
        robot.apply(&controls(f64::from(step) / 60.0), run.sim.control_mut())?;
        run.go(DT)?;
    }
    run.go(1.0)?;
    let block = robot.model.body_named("object").ok_or("there is no block")?.built_index();
    let palm = robot.model.body_named("robot0:palm").ok_or("there is no palm")?.built_index();
    let held = |run: &Run| {
        let state = run.sim.state();
        (state.body_q[palm].inverse() * state.body_q[block]).translation
    };
    let before = held(&run);
    let world = drystone::model::WorldId(0);
    run.sim.set_gravity(world, DVec3::Z * 9.81)?;
    run.go(2.0)?;
    let moved = (held(&run) - before).length();
    if moved > 0.03 {
        return Err(format!("the hand lost the block: it moved by {moved} m in it").into());
    }
    // The picture is upright for the gravity of the end; the block stays in its middle.
    let at = run.sim.state().body_q[block].translation;
    let eye = at + DVec3::new(0.32, -0.28, 0.05);
    run.end(
        "hand",
        &format!("keeps the block for 2 s with gravity turned round, it moves by {:.2} mm in it", 1e3 * moved),
        [Some(eye), Some(at)],
        &task.out,
    )
}
