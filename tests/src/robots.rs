//! Imported robots held against what MuJoCo and Pinocchio make of the same files.

use std::collections::BTreeMap;

use drystone::Simulation;
use drystone::geometry::MassProperties;
use drystone::mechanism::JointSpace;
use drystone::model::{Axis, BodyId, Chart, DMat3, DQuat, DVec3, Drive, JointKind, Limit, Model, Pose, Spring, State};
use drystone_io::import::{Coordinate, Imported};
use serde::Deserialize;

use crate::mujoco::{dense_accelerations, in_its_terms};

/// What another program says about a robot.
#[derive(Clone, Debug, Deserialize)]
pub struct Answers {
    /// The file.
    pub file: String,
    /// Mass of all that moves \[kg\].
    pub mass: f64,
    /// The joints by name, one for every freedom, if their order is not that of the file.
    pub joints: Option<Vec<String>>,
    /// States and what holds in them.
    pub samples: Vec<Sample>,
    /// How it moves without contacts, limits and friction.
    pub motion: Option<Motion>,
}

/// A motion by the Runge–Kutta method of fourth order.
#[derive(Clone, Debug, Deserialize)]
pub struct Motion {
    step: f64,
    steps: u32,
    controls: Vec<f64>,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    last_positions: Vec<f64>,
    last_velocities: Vec<f64>,
}

/// One state.
#[derive(Clone, Debug, Deserialize)]
pub struct Sample {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    #[serde(default)]
    controls: Vec<f64>,
    /// One for every actuator, zero for those without a state.
    #[serde(default)]
    activations: Vec<f64>,
    /// Position and quaternion (w, x, y, z) of bodies and links by name.
    bodies: BTreeMap<String, [f64; 7]>,
    mass_matrix: Vec<f64>,
    bias: Vec<f64>,
    /// Springs, dampers, media and actuators together.
    forces: Option<Vec<f64>>,
}

/// Largest differences, each relative to the largest value of its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Apart {
    /// Total mass.
    pub mass: f64,
    /// Positions and rotations of bodies and frames, over the size of the robot.
    pub pose: f64,
    /// Mass matrix.
    pub inertia: f64,
    /// Weight, centrifugal and gyroscopic forces.
    pub bias: f64,
    /// Springs, dampers, media and actuators.
    pub force: f64,
}

impl Apart {
    /// The largest of all.
    pub fn most(&self) -> f64 {
        [self.mass, self.pose, self.inertia, self.bias, self.force].into_iter().fold(0.0, f64::max)
    }
}

/// Compares; `Err` says why the two cannot be held against each other at all.
///
/// # Errors
/// If the file's coordinates are not those of the answers, or the joints form loops.
pub fn compare(robot: &Imported, answers: &Answers) -> Result<Apart, String> {
    let (whole, chained) = without_links(robot);
    let (robot, model) = (&whole, &whole.model);
    let mass: f64 = model.body_mass.iter().sum();
    let mut apart = Apart { mass: (mass - answers.mass).abs() / answers.mass.abs().max(1e-300), ..Apart::default() };
    // Rotors of free joints count as mass, which the mass matrix is compared for.
    let rotors = robot.notes.iter().any(|note| note.message.starts_with("the rotor of a free joint"));
    if mass == answers.mass || rotors {
        apart.mass = 0.0;
    }
    let order = order(robot, answers)?;
    for sample in &answers.samples {
        compare_sample(robot, sample, &order, chained, &mut apart)?;
    }
    Ok(apart)
}

/// The robot with the masses of the links of chains given back to the bodies that hang from them, as the file has them; and whether
/// there are such links. Nothing can be accelerated in it.
fn without_links(robot: &Imported) -> (Imported, bool) {
    let mut whole = robot.clone();
    let model = &mut whole.model;
    let mut chained = false;
    for link in 0..model.body_count() {
        let Some((name, number)) = model.body_name[link].rsplit_once('/') else { continue };
        let body = model.body_name.iter().position(|own| own == name);
        let (Some(body), true) = (body, number.parse::<u32>().is_ok()) else { continue };
        // They stand in one place where all coordinates are zero, with their frames.
        let of = |model: &Model, body: usize| MassProperties {
            mass: model.body_mass[body],
            com: model.body_com[body],
            inertia: model.body_inertia[body],
        };
        let sum = of(model, body) + of(model, link);
        (model.body_mass[body], model.body_com[body], model.body_inertia[body]) = (sum.mass, sum.com, sum.inertia);
        (model.body_mass[link], model.body_inertia[link]) = (0.0, DMat3::ZERO);
        chained = true;
    }
    (whole, chained)
}

/// For every freedom of the robot its place in the answers.
fn order(robot: &Imported, answers: &Answers) -> Result<Vec<usize>, String> {
    let [_, freedoms] = robot.widths();
    let given = answers.samples.first().map_or(0, |sample| sample.velocities.len());
    if freedoms != given {
        return Err(format!("{freedoms} freedoms, the other program has {given}"));
    }
    let Some(joints) = &answers.joints else { return Ok((0..freedoms).collect()) };
    let mut order = Vec::new();
    for joint in &robot.joints {
        if joint.coordinate.widths() != [1, 1] {
            return Err("coordinates that are no angles are compared by MJCF only".into());
        }
        let place = joints.iter().position(|name| *name == joint.name);
        order.push(place.ok_or_else(|| format!("the other program has no joint `{}`", joint.name))?);
    }
    order.sort_unstable();
    order.dedup();
    if order.len() != freedoms {
        return Err("joints of several freedoms are compared by MJCF only".into());
    }
    let place = |name: &String| joints.iter().position(|other| other == name).unwrap_or_default();
    Ok(robot.joints.iter().map(|joint| place(&joint.name)).collect())
}

fn compare_sample(
    robot: &Imported,
    sample: &Sample,
    order: &[usize],
    chained: bool,
    apart: &mut Apart,
) -> Result<(), String> {
    let told = |values: &[f64]| order.iter().map(|&place| values[place]).collect::<Vec<_>>();
    let positions =
        if sample.positions.len() == order.len() { told(&sample.positions) } else { sample.positions.clone() };
    let velocities = told(&sample.velocities);
    let state = robot.state_at(&positions, &velocities).map_err(|error| error.to_string())?;
    let size = order.len();
    let matrix: Vec<f64> =
        (0..size * size).map(|k| sample.mass_matrix[order[k / size] * size + order[k % size]]).collect();
    apart.pose = apart.pose.max(poses(robot, &state, &sample.bodies));
    let ours = mass_matrix(robot, &positions)?;
    apart.inertia = apart.inertia.max(relative(&ours, &matrix, 0.0));
    // Ties beside the joints leave mass and weight as they are, but there is no joint space of the file's to ask.
    let limit = |joint: usize| robot.model.joint_kind[joint] == JointKind::Cone;
    let own = |joint: usize| robot.joints.iter().any(|own| own.joint.built_index() == joint);
    let tied = (0..robot.model.joint_count()).any(|joint| !limit(joint) && !own(joint));
    if !tied && !chained && JointSpace::new(&robot.model).is_ok() {
        let bias = bias(robot, &state, &ours);
        let weight = robot.model.body_mass.iter().sum::<f64>() * robot.model.world_gravity[0].length();
        apart.bias = apart.bias.max(relative(&bias, &told(&sample.bias), 1e-3 * weight));
    }
    if let Some(forces) = &sample.forces {
        let mut ours = efforts(robot, &state, &positions, sample)?;
        let beside = [resistance(robot, &state, &positions)?, tensions(robot, &state, &positions)?];
        for beside in beside {
            ours.iter_mut().zip(beside).for_each(|(own, other)| *own += other);
        }
        apart.force = apart.force.max(relative(&ours, &told(forces), 0.0));
    }
    Ok(())
}

/// Largest difference over the largest value, or over a scale where all values are small against what they are made of.
fn relative(ours: &[f64], theirs: &[f64], scale: f64) -> f64 {
    let most = theirs.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let apart = ours.iter().zip(theirs).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    if apart == 0.0 { 0.0 } else { apart / most.max(scale).max(1e-12) }
}

fn poses(robot: &Imported, state: &State, bodies: &BTreeMap<String, [f64; 7]>) -> f64 {
    let model = &robot.model;
    let mut apart = 0.0_f64;
    let mut size = 1.0_f64;
    for (name, &[x, y, z, w, a, b, c]) in bodies {
        let body = model.body_name.iter().position(|own| own == name);
        let ours = match body {
            Some(body) => Some(state.body_q[body]),
            None => robot.frame(name).map(|frame| at(model, state, frame.body) * frame.pose),
        };
        let Some(ours) = ours else { continue };
        let (position, rotation) = (DVec3::new(x, y, z), DQuat::from_xyzw(a, b, c, w));
        size = size.max(position.length());
        // 1 − |cos| of half the angle would lose half the digits.
        let turned = (ours.rotation * DVec3::X - rotation * DVec3::X).length()
            + (ours.rotation * DVec3::Y - rotation * DVec3::Y).length();
        apart = apart.max((ours.translation - position).length()).max(turned);
    }
    apart / size
}

fn at(model: &Model, state: &State, body: BodyId) -> Pose {
    model.body_pose(state, body.0)
}

/// The mass matrix in the file's own velocities, from the motion of every body for each of them.
fn mass_matrix(robot: &Imported, positions: &[f64]) -> Result<Vec<f64>, String> {
    let [_, size] = robot.widths();
    let model = &robot.model;
    let mut columns = Vec::new();
    for freedom in 0..size {
        let mut velocities = vec![0.0; size];
        velocities[freedom] = 1.0;
        columns.push(robot.state_at(positions, &velocities).map_err(|error| error.to_string())?);
    }
    let mut matrix = vec![0.0; size * size];
    for (row, first) in columns.iter().enumerate() {
        for (column, second) in columns.iter().enumerate() {
            for body in 0..model.body_count() {
                let (a, b) = (first.body_qd[body], second.body_qd[body]);
                let back = first.body_q[body].rotation.inverse();
                let (spin_a, spin_b) = (back * a.angular, back * b.angular);
                matrix[row * size + column] += model.body_mass[body] * a.linear.dot(b.linear);
                matrix[row * size + column] += spin_a.dot(model.body_inertia[body] * spin_b);
            }
        }
    }
    for joint in distances(model) {
        let along: Vec<f64> = columns.iter().map(|state| stretch(model, state, joint)[1]).collect();
        for place in 0..size * size {
            matrix[place] += model.joint_armature[joint][0] * along[place / size] * along[place % size];
        }
    }
    for (freedom, (joint, coordinate)) in freedoms(robot).into_iter().enumerate() {
        if let Coordinate::Axis { axis, .. } = coordinate {
            matrix[freedom * size + freedom] += model.joint_armature[joint][axis as usize];
        }
    }
    Ok(matrix)
}

/// The joint of the model and the coordinate of every freedom.
fn freedoms(robot: &Imported) -> Vec<(usize, Coordinate)> {
    let each = robot.joints.iter().flat_map(|joint| {
        let [_, count] = joint.coordinate.widths();
        std::iter::repeat_n((joint.joint.built_index(), joint.coordinate), count)
    });
    each.collect()
}

/// What holds the robot against weight and its own motion: mass times the acceleration it would have, the other way.
fn bias(robot: &Imported, state: &State, matrix: &[f64]) -> Vec<f64> {
    let mut bare = robot.model.clone();
    bare.joint_drive.iter_mut().for_each(|drives| *drives = [Drive::default(); 6]);
    bare.joint_spring.iter_mut().for_each(|springs| *springs = [Spring::default(); 6]);
    bare.joint_friction.iter_mut().for_each(|friction| *friction = [0.0; 6]);
    let by_name = in_its_terms(&bare, state, &dense_accelerations(&bare, state));
    let mut accelerations = Vec::new();
    for joint in &robot.joints {
        let index = joint.joint.built_index();
        let name = &bare.joint_name[index];
        match joint.coordinate {
            Coordinate::Axis { axis, sign, .. } => {
                accelerations.push(sign * by_name[&format!("{name}:{axis:?}")][0]);
            }
            Coordinate::Ball => accelerations.extend(&by_name[&format!("{name}:Ball")]),
            Coordinate::Free => accelerations.extend(&by_name[&format!("{name}:Free")]),
        }
    }
    let size = accelerations.len();
    (0..size).map(|row| -(0..size).map(|k| matrix[row * size + k] * accelerations[k]).sum::<f64>()).collect()
}

/// What media and dampers to the world do along every freedom.
fn resistance(robot: &Imported, state: &State, positions: &[f64]) -> Result<Vec<f64>, String> {
    let (model, [_, size]) = (&robot.model, robot.widths());
    let mut out = vec![0.0; size];
    if model.body_drag.iter().all(Vec::is_empty) {
        return Ok(out);
    }
    for (freedom, out) in out.iter_mut().enumerate() {
        let mut velocities = vec![0.0; size];
        velocities[freedom] = 1.0;
        let along = robot.state_at(positions, &velocities).map_err(|error| error.to_string())?;
        for body in 0..model.body_count() {
            let centre = model.body_centre(state, body as u32);
            for drag in &model.body_drag[body] {
                let (force, torque) = drag.force(&state.body_q[body], centre, &state.body_qd[body]);
                *out += force.dot(along.body_qd[body].linear) + torque.dot(along.body_qd[body].angular);
            }
        }
    }
    Ok(out)
}

/// Joints that keep a distance.
fn distances(model: &Model) -> impl Iterator<Item = usize> {
    (0..model.joint_count()).filter(|&joint| model.joint_kind[joint] == JointKind::Distance)
}

/// Distance of the ends of a joint, and its rate.
fn stretch(model: &Model, state: &State, joint: usize) -> [f64; 2] {
    let first = |values: [f64; 6]| DVec3::new(values[0], values[1], values[2]);
    let (offset, rate) = (first(model.joint_coordinates(state, joint)), first(model.joint_rates(state, joint)));
    [offset.length(), offset.dot(rate) / offset.length()]
}

/// What springs and dampers along distances do along every freedom.
fn tensions(robot: &Imported, state: &State, positions: &[f64]) -> Result<Vec<f64>, String> {
    let (model, [_, size]) = (&robot.model, robot.widths());
    let mut out = vec![0.0; size];
    for joint in distances(model) {
        let [length, rate] = stretch(model, state, joint);
        let (spring, [least, most]) = (model.joint_spring[joint][0], model.joint_distance[joint]);
        let mut tension = spring.stiffness * (spring.rest - length) - spring.damping * rate;
        let stop = model.joint_stiffness[joint][0];
        if stop.is_finite() {
            tension += stop * (length.clamp(least, most) - length);
        }
        for (freedom, out) in out.iter_mut().enumerate().filter(|_| tension != 0.0) {
            let mut velocities = vec![0.0; size];
            velocities[freedom] = 1.0;
            let along = robot.state_at(positions, &velocities).map_err(|error| error.to_string())?;
            *out += tension * stretch(model, &along, joint)[1];
        }
    }
    Ok(out)
}

/// Efforts of drives and actuators on every freedom.
fn efforts(robot: &Imported, state: &State, positions: &[f64], sample: &Sample) -> Result<Vec<f64>, String> {
    let model = &robot.model;
    let mut control = model.control();
    let mut activations = sample.activations.clone();
    activations.resize(robot.actuators.len(), 0.0);
    robot
        .apply_over(&sample.controls, state, 0.0, &mut activations, &mut control)
        .map_err(|error| error.to_string())?;
    let effort = |(joint, coordinate): (usize, Coordinate)| {
        let Coordinate::Axis { axis, sign, .. } = coordinate else { return 0.0 };
        debug_assert!(model.joint_chart(joint) != Chart::Vector || (axis as usize) < Axis::AngX as usize);
        let (index, drive) = (axis as usize, &model.joint_drive[joint][axis as usize]);
        let (x, rate) = (model.joint_coordinates(state, joint)[index], model.joint_rates(state, joint)[index]);
        let pull = drive.stiffness * (control.joint_target[joint][index] - x)
            + drive.damping * (control.joint_target_velocity[joint][index] - rate);
        let spring = &model.joint_spring[joint][index];
        let passive = spring.stiffness * (spring.rest - x) - spring.damping * rate;
        sign * (pull.clamp(-drive.max_effort, drive.max_effort) + passive + control.joint_f[joint][index])
    };
    let mut out: Vec<f64> = freedoms(robot).into_iter().map(effort).collect();
    for (freedom, out) in out.iter_mut().enumerate() {
        let along = moving(robot, positions, freedom)?;
        for (body, (force, torque)) in control.body_f.iter().enumerate() {
            *out += force.dot(along.body_qd[body].linear) + torque.dot(along.body_qd[body].angular);
        }
        *out += along_springs(model, state, &along) + between_joints(model, state, &along);
    }
    Ok(out)
}

/// The state in which one freedom moves at a rate of one.
fn moving(robot: &Imported, positions: &[f64], freedom: usize) -> Result<State, String> {
    let [_, size] = robot.widths();
    let mut velocities = vec![0.0; size];
    velocities[freedom] = 1.0;
    robot.state_at(positions, &velocities).map_err(|error| error.to_string())
}

/// Power of the springs between joints in a motion.
fn between_joints(model: &Model, state: &State, along: &State) -> f64 {
    let mut power = 0.0;
    for joint in 0..model.joint_count() {
        for (axis, follow) in model.joint_follow[joint].iter().enumerate() {
            let Some(follow) = follow.filter(|follow| follow.is_soft()) else { continue };
            let (leader, other) = (follow.joint.built_index(), follow.axis as usize);
            let apart = |own: [f64; 6], others: [f64; 6]| own[axis] - follow.ratio * others[other];
            let rate = |state: &State| apart(model.joint_rates(state, joint), model.joint_rates(state, leader));
            let off =
                apart(model.joint_coordinates(state, joint), model.joint_coordinates(state, leader)) - follow.offset;
            power -= (follow.stiffness * off + follow.damping * rate(state)) * rate(along);
        }
    }
    power
}

/// Power of the springs along rotation vectors, and of those that pull floating bodies, in a motion.
fn along_springs(model: &Model, state: &State, along: &State) -> f64 {
    let balls = (0..model.joint_count()).filter(|&joint| model.joint_kind[joint] == JointKind::Ball);
    let power = |joint: usize| {
        let (at, rate) = (model.joint_coordinates(state, joint), model.joint_rates(along, joint));
        let pull = |axis: usize| {
            let spring = &model.joint_spring[joint][axis];
            spring.stiffness * (spring.rest - at[axis]) * rate[axis]
        };
        (0..6).map(pull).sum::<f64>()
    };
    balls.map(power).sum()
}

/// How far the robot is from where the other program has it in the end: the largest difference of a coordinate \[m or rad\] or a
/// rate \[m/s or rad/s\].
///
/// # Errors
/// If the robot cannot be moved.
pub fn moved_apart(robot: &Imported, motion: &Motion) -> Result<f64, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let mut model = robot.model.clone();
    model.shape_mask.fill(0);
    model.joint_limit.fill([Limit::default(); 6]);
    model.joint_friction.fill([0.0; 6]);
    let state = robot.state_at(&motion.positions, &motion.velocities).map_err(|error| told(&error))?;
    let mut sim = Simulation::builder(model)
        .solver("structured")
        .option("integrator", "rk4")
        .dt(motion.step)
        .build()
        .map_err(|error| told(&error))?;
    *sim.state_mut() = state;
    robot.apply(&motion.controls, sim.control_mut()).map_err(|error| told(&error))?;
    for _ in 0..motion.steps {
        sim.step().map_err(|error| told(&error))?;
    }
    let [mut positions, mut velocities] = robot.widths().map(|width| vec![0.0; width]);
    robot.coordinates(sim.state(), &mut positions, &mut velocities);
    let mut last = motion.last_positions.clone();
    same_signs(robot, &mut last);
    let pairs = positions.iter().zip(&last).chain(velocities.iter().zip(&motion.last_velocities));
    Ok(pairs.map(|(ours, theirs)| (ours - theirs).abs()).fold(0.0, f64::max))
}

/// Of the two quaternions that mean the same, the one whose first number is not negative.
fn same_signs(robot: &Imported, positions: &mut [f64]) {
    let mut rest = positions;
    for joint in &robot.joints {
        let [width, _] = joint.coordinate.widths();
        let (own, others) = rest.split_at_mut(width);
        let turn = match joint.coordinate {
            Coordinate::Axis { .. } => &mut [][..],
            Coordinate::Ball => own,
            Coordinate::Free => &mut own[3..],
        };
        if turn.first().is_some_and(|&real| real < 0.0) {
            turn.iter_mut().for_each(|number| *number = -*number);
        }
        rest = others;
    }
}
