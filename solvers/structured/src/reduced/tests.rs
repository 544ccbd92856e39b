//! Accelerations and steps in joint coordinates against those of the mechanism in general.

use drystone_model::{
    Axis, BodyDef, BodyId, DMat3, DVec3, Drive, JointDef, MassProperties, Model, ModelBuilder, State, WORLD,
};
use drystone_random::Random;

use super::*;
use crate::{ConstraintSystem, Method};

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.signed(), random.signed(), random.signed())
}

/// Joints of every kind at random places, springs, drives and rotors on some; those with one freedom and ball joints either way round.
fn some_joint(kind: usize, near: BodyId, far: BodyId, random: &mut Random) -> JointDef {
    let (anchor, axis) = (vector(random), vector(random).normalize());
    let flipped = random.below(2) == 1 && near != BodyId::WORLD && !matches!(kind, 3..=5 | 9);
    let (parent, child) = if flipped { (far, near) } else { (near, far) };
    match kind {
        0 => JointDef::ball(parent, child, anchor),
        1 => JointDef::revolute(parent, child, anchor, axis),
        2 => JointDef::prismatic(parent, child, anchor, axis),
        3 => JointDef::cylindrical(parent, child, anchor, axis),
        4 => JointDef::planar(parent, child, anchor, axis),
        5 => JointDef::universal(parent, child, anchor, axis, axis.any_orthogonal_vector()),
        6 => JointDef::revolute(parent, child, anchor, axis).armature(Axis::AngX, 0.3),
        7 => JointDef::revolute(parent, child, anchor, axis).drive(Axis::AngX, Drive::position(0.2, 3.0, 0.4)),
        8 => JointDef::prismatic(parent, child, anchor, axis).drive(Axis::LinX, Drive::position(0.1, 5.0, 0.2)),
        9 => JointDef::d6(parent, child, anchor, Default::default(), &[Axis::LinY, Axis::AngX, Axis::AngY, Axis::AngZ]),
        _ => JointDef::fixed(parent, child, anchor),
    }
}

/// Mass without a shape: nothing touches.
fn cuboid(half: DVec3) -> MassProperties {
    let [x, y, z] = (half * half).to_array();
    let inertia = DMat3::from_diagonal(DVec3::new(y + z, z + x, x + y) / 3.0);
    MassProperties { mass: 1.0, com: 0.1 * half, inertia }
}

fn random_tree(count: u32, floating: bool, random: &mut Random) -> Model {
    let mut scene = ModelBuilder::new();
    for body in 0..count {
        let half = DVec3::new(0.3, 0.2, 0.1) + vector(random) * 0.05;
        let def = BodyDef::dynamic(format!("{body}")).at(vector(random)).mass_properties(cuboid(half));
        scene.add_body(def.velocity(vector(random)).spin(vector(random)));
    }
    for body in u32::from(floating)..count {
        let near = if body == 0 { BodyId(WORLD) } else { BodyId(random.below(body as usize) as u32) };
        let joint = some_joint(random.below(11), near, BodyId(body), random);
        scene.add_joint(joint);
    }
    scene.finalize().unwrap()
}

/// A state that the joints allow, somewhere else than the model begins, with forces of the user.
fn somewhere(model: &Model, random: &mut Random) -> (State, Control) {
    let options = StructuredOptions { method: Method::FullDense, tolerance: 1e-13, ..Default::default() };
    let (mut state, mut control) = (model.state(), model.control());
    let mut mechanism = ConstraintSystem::new(model, options);
    for pose in &mut state.body_q {
        pose.rotation = drystone_model::DQuat::from_scaled_axis(vector(random) * 0.2) * pose.rotation;
    }
    model.update_joint_angles(&mut state);
    mechanism.project_positions(model, &mut state, &control, 1e-14, 100).unwrap();
    model.update_joint_angles(&mut state);
    mechanism.project_velocities(model, &mut state, &control).unwrap();
    control.body_f.iter_mut().for_each(|push| *push = (vector(random), vector(random)));
    let reduced = Reduced::new(model).unwrap();
    for hung in reduced.layout.hung.iter().filter(|hung| hung.joint != NONE) {
        for axis in hung.axes().filter(|&axis| axis < 3 || hung.turning != Turning::Free) {
            control.joint_f[hung.joint as usize][axis] = random.signed();
            control.joint_target[hung.joint as usize][axis] = random.signed();
        }
    }
    (state, control)
}

/// Accelerations of all bodies.
fn accelerations(model: &Model, state: &State, control: &Control) -> Vec<[f64; 6]> {
    let mut reduced = Reduced::new(model).unwrap();
    assert!(reduced.serves(state, control));
    reduced.read(model, state);
    assert!(reduced.gaps.open < 1e-10 && reduced.gaps.rate < 1e-9, "{:?}", reduced.gaps);
    reduced.push(control);
    reduced.set_efforts(state, control);
    let now: Vec<Now> = reduced.start.iter().map(|start| Now { way: [0.0; 4], rate: start.rate }).collect();
    let Reduced { layout, start, pushes, work, .. } = &mut reduced;
    lanes::run(Accelerate { frames: &layout.frames, start, now: &now, pushes, work });
    let mut all = vec![[0.0; 6]; model.body_count()];
    for (quad, frames) in layout.frames.iter().enumerate() {
        for lane in (0..4).filter(|&lane| frames.body[lane] != NONE) {
            all[frames.body[lane] as usize] = work.motion[quad].map(|x| x[lane]);
        }
    }
    all
}

#[test]
fn accelerations_are_those_of_the_mechanism_in_general() {
    let mut compared = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let model = random_tree(1 + seed as u32 % 14, seed % 3 == 0, &mut random);
        // Some float by a body from which a joint with several freedoms would be taken the wrong way round.
        if Reduced::new(&model).is_none() {
            assert!(seed % 3 == 0, "seed {seed}");
            continue;
        }
        compared += 1;
        let (state, control) = somewhere(&model, &mut random);
        let options = StructuredOptions { method: Method::FullDense, ..Default::default() };
        let mut general = ConstraintSystem::new(&model, options);
        general.forward_dynamics(&model, &state, &control).unwrap();
        let size = general.motion.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for (body, own) in accelerations(&model, &state, &control).iter().enumerate() {
            for k in 0..6 {
                let off = (own[k] - general.motion[body][k]).abs();
                assert!(off < 1e-8 * size, "seed {seed}, body {body}, {k}: {off:e} of {size}");
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

/// Ends after a tenth of a second in steps of one length; and the largest distance of two such ends.
fn end(model: &Model, start: (&State, &Control), method: Method, steps: u32) -> State {
    let options =
        StructuredOptions { integrator: crate::Integrator::Rk4, method, tolerance: 1e-8, ..Default::default() };
    let options = StructuredOptions { velocity_tolerance: 1e-8, max_pieces: 1, ..options };
    let mut solver = crate::Structured::new(model, options).unwrap();
    let mut collide = drystone_collide::Collide::new(model, Default::default());
    let mut state = start.0.clone();
    for _ in 0..steps {
        let dt = 0.1 / f64::from(steps);
        drystone_solve::Solver::step(&mut solver, model, &mut state, start.1, &mut collide, dt).unwrap();
        assert_eq!(solver.way == crate::solver::Way::Reduced, method == Method::Auto);
    }
    state
}

fn apart(a: &State, b: &State) -> f64 {
    let pairs = a.body_q.iter().zip(&b.body_q).zip(a.body_qd.iter().zip(&b.body_qd));
    let each = pairs.map(|((p, q), (v, w))| {
        let turn = (p.rotation * q.rotation.conjugate()).xyz().length();
        (p.translation - q.translation).length().max(turn).max((v.linear - w.linear).length())
    });
    each.fold(0.0, f64::max)
}

#[test]
fn steps_lead_where_those_of_the_mechanism_in_general_lead_with_the_fourth_power_of_their_length() {
    for seed in [1, 2, 3, 6, 7] {
        let mut random = Random::new(seed);
        let model = random_tree(7, seed % 3 == 0, &mut random);
        let (state, control) = somewhere(&model, &mut random);
        let run = |method, steps| end(&model, (&state, &control), method, steps);
        let exact = run(Method::Auto, 1024);
        let [coarse, fine] = [32, 64].map(|steps| apart(&run(Method::Auto, steps), &exact));
        let general = apart(&run(Method::FullDense, 512), &exact);
        println!("seed {seed}: {coarse:e}, {fine:e}, general {general:e}");
        assert!(fine < coarse / 10.0 || fine < 1e-10, "seed {seed}: {coarse:e} {fine:e}");
        assert!(general < 1e-7, "seed {seed}: {general:e}");
    }
}

/// What every joint exerts in a very short step.
fn exerted(model: &Model, start: (&State, &Control), method: Method) -> Vec<drystone_solve::forces::JointForce> {
    let options = StructuredOptions { integrator: crate::Integrator::Rk4, method, ..Default::default() };
    let mut solver = crate::Structured::new(model, options).unwrap();
    let mut collide = drystone_collide::Collide::new(model, Default::default());
    let mut state = start.0.clone();
    drystone_solve::Solver::step(&mut solver, model, &mut state, start.1, &mut collide, 1e-6).unwrap();
    assert_eq!(solver.way == crate::solver::Way::Reduced, method == Method::Auto);
    let mut told = Vec::new();
    drystone_solve::Solver::read_joints(&solver, model, &state, &mut told).unwrap();
    told
}

#[test]
fn joints_exert_what_they_exert_in_general() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let model = random_tree(9, seed % 3 == 0, &mut random);
        if Reduced::new(&model).is_none() {
            continue;
        }
        let (state, mut control) = somewhere(&model, &mut random);
        // Efforts of the user are not told, drives are. The general step of fourth order tells no drives; the instant knows both.
        let effortless = seed % 2 == 1;
        if effortless {
            control.joint_f.fill([0.0; 6]);
        }
        let [own, general] =
            [Method::Auto, Method::FullDense].map(|method| exerted(&model, (&state, &control), method));
        let instant = crate::mechanism::joint_forces(&model, &state, &control).unwrap();
        let size = general.iter().map(|force| force.force.length() + force.torque.length()).fold(1.0, f64::max);
        for (joint, own) in own.iter().enumerate() {
            let (general, instant) = (&general[joint], &instant[joint]);
            let off = |force: DVec3, torque: DVec3| (own.force - force).length().max((own.torque - torque).length());
            if effortless {
                let off = off(instant.force, instant.torque);
                assert!(off < 1e-4 * size, "seed {seed}, joint {joint}, {off:e}: {own:?} {instant:?}");
            } else if !model.joint_drive[joint].iter().any(|drive| drive.acts()) {
                let torques = [0, 1].map(|side| (own.body_torque[side] - general.body_torque[side]).length());
                let off = off(general.force, general.torque).max(torques[0]).max(torques[1]);
                assert!(off < 1e-4 * size, "seed {seed}, joint {joint}, {off:e}: {own:?} {general:?}");
            }
        }
    }
}

#[test]
fn what_has_no_place_here_is_left_to_the_mechanism_in_general() {
    let pendulum = |change: fn(JointDef) -> JointDef| {
        let mut scene = ModelBuilder::new();
        let body = scene.add_body(BodyDef::dynamic("bob").at(DVec3::X).mass_properties(cuboid(DVec3::splat(0.1))));
        scene.add_joint(change(JointDef::revolute(WORLD, body, DVec3::ZERO, DVec3::Y)));
        scene
    };
    let taken = |scene: &ModelBuilder| Reduced::new(&scene.finalize().unwrap()).is_some();
    assert!(taken(&pendulum(|joint| joint)));
    assert!(taken(&pendulum(|joint| joint.limit(Axis::AngX, -1.0, 1.0))));
    assert!(taken(&pendulum(|joint| joint.drive(Axis::AngX, Drive::position(0.0, 1.0, 1.0).max_effort(1.0)))));
    assert!(!taken(&pendulum(|joint| joint.friction(Axis::AngX, 0.1))));
    assert!(!taken(&pendulum(|joint| joint.break_at(1.0, 1.0))));
    let mut closed = pendulum(|joint| joint);
    closed.add_joint(JointDef::ball(WORLD, BodyId(0), DVec3::X));
    assert!(!taken(&closed));
    let mut led = pendulum(|joint| joint);
    led.add_body(BodyDef::kinematic("hand").at(DVec3::Z).sphere(0.1));
    assert!(!taken(&led));

    // Efforts along a free joint push, and are no business of a hinge.
    let mut free = pendulum(|joint| joint);
    let other = free.add_body(BodyDef::dynamic("other").at(DVec3::Z).mass_properties(cuboid(DVec3::splat(0.1))));
    free.add_joint(JointDef::new(drystone_model::JointKind::Free, WORLD, other));
    let model = free.finalize().unwrap();
    let reduced = Reduced::new(&model).unwrap();
    let (mut state, mut control) = (model.state(), model.control());
    assert!(reduced.serves(&state, &control));
    control.joint_f[1][0] = 1.0;
    assert!(!reduced.serves(&state, &control));
    control.joint_f[1][0] = 0.0;
    control.joint_f[0][3] = 1.0;
    assert!(reduced.serves(&state, &control));
    control.joint_f[0][4] = 1.0;
    assert!(!reduced.serves(&state, &control));
    control.joint_f[0] = [0.0; 6];
    state.joint_intact[0] = false;
    assert!(!reduced.serves(&state, &control));
}
