//! Mechanisms put together from scattered parts, and what cannot be put together.

use drystone::mechanism::{Assembling, Assembly, AssemblyOptions, MechanismError, assemble};
use drystone::model::{
    Axis, BodyDef, BodyId, BodyKind, DQuat, DVec3, JointDef, JointKind, Model, ModelBuilder, Pose, State, WORLD,
};
use drystone_random::Random;
use drystone_tests::runner::scene;

/// Every moving body anywhere within some reach, any way round.
fn scattered(model: &Model, seed: u64, reach: f64) -> State {
    let mut random = Random::new(seed);
    let mut state = model.state();
    for body in (0..model.body_count()).filter(|&body| model.body_kind[body] == BodyKind::Dynamic) {
        let mut draw = || DVec3::new(random.signed(), random.signed(), random.signed());
        let (place, axis) = (draw() * reach, draw().normalize_or(DVec3::X));
        let turn = DQuat::from_axis_angle(axis, std::f64::consts::PI * random.signed());
        state.body_q[body] = Pose::from_parts(place, turn);
    }
    state
}

fn put_together(model: &Model, state: &mut State, keep: &[BodyId]) -> Assembly {
    let control = model.control();
    Assembling::new(model, &control, AssemblyOptions::default()).keep(keep).run(state).unwrap()
}

/// The largest error of any joint by the model's own measure, and the furthest any coordinate is past a limit.
fn left_open(model: &Model, state: &State) -> (f64, f64) {
    let (mut open, mut past) = (0.0_f64, 0.0_f64);
    for joint in 0..model.joint_count() {
        let error = model.joint_error(state, joint as u32);
        open = open.max(error.linear).max(error.angular);
        let coordinates = model.joint_coordinates(state, joint);
        for axis in 0..6 {
            let limit = model.joint_limit[joint][axis];
            past = past.max(limit.lower - coordinates[axis]).max(coordinates[axis] - limit.upper);
        }
    }
    (open, past)
}

/// Linkages, platforms, walkers, nets and trees with limits, from anywhere. Angles count with sizes of some decimetres.
#[test]
fn mechanisms_close_from_anywhere() {
    for name in ["four-bar", "six-bar", "stewart-platform", "klann-walker", "chain-mail", "humanoid", "random-tree"] {
        let model = scene(name, &[]).model;
        for seed in 0..6 {
            let mut state = scattered(&model, seed, 1.0);
            let done = put_together(&model, &mut state, &[]);
            println!("{name} {seed}: {} attempts, {} steps, {:e} m", done.attempts, done.steps, done.error);
            assert!(done.is_closed() && done.open.is_empty(), "{name} {seed}: {:?}", done.open.first());
            let (open, past) = left_open(&model, &state);
            assert!(open < 1e-7 && past < 1e-7, "{name} {seed}: {open} {past}");
            assert!(state.body_qd.iter().all(|twist| *twist == Default::default()), "at rest");
        }
    }
}

/// A bar with eyes `apart` metres apart, hung on two hooks at a distance of two metres.
fn bar_on_hooks(apart: f64) -> Model {
    let mut builder = ModelBuilder::new();
    let bar = builder.add_body(BodyDef::dynamic("bar").at(DVec3::new(1.0, 0.3, 0.1)).sphere(0.1));
    let at = Pose::from_translation;
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let frames = [at(DVec3::X * (1.0 + side)), at(DVec3::X * (0.5 * side * apart))];
        let mut joint = JointDef::new(JointKind::Ball, WORLD, bar).frames(frames[0], frames[1]);
        joint.name = name.to_owned();
        builder.add_joint(joint);
    }
    builder.finalize().unwrap()
}

/// Least squares share what the bar lacks between both hooks.
#[test]
fn what_contradicts_itself_is_named_with_what_it_lacks() {
    let model = bar_on_hooks(1.0);
    let mut state = model.state();
    let error = assemble(&model, &mut state, &model.control(), AssemblyOptions::default()).unwrap_err();
    let MechanismError::Open { assembly } = &error else { panic!("{error}") };
    assert_eq!(assembly.open.len(), 2);
    for (open, name) in assembly.open.iter().zip(["left", "right"]) {
        assert!((open.gap - 0.5).abs() < 1e-6, "{open}");
        assert!(error.to_string().contains(&format!("`{name}` by 5.000e-1 m")), "{error}");
    }
    let fits = bar_on_hooks(2.0);
    assert!(put_together(&fits, &mut fits.state(), &[]).is_closed());
}

/// Masses do not decide whether parts fit, and neither does the unit of length.
#[test]
fn a_mechanism_closes_alike_at_any_scale() {
    let model = scene("six-bar", &[]).model;
    let start = scattered(&model, 3, 1.0);
    let mut plain = start.clone();
    put_together(&model, &mut plain, &[]);
    let mut heavy = model.clone();
    // A power of two, so that nothing is rounded.
    let factor = (1u64 << 40) as f64;
    heavy.body_mass.iter_mut().for_each(|mass| *mass *= factor);
    heavy.body_inertia.iter_mut().for_each(|inertia| *inertia *= factor);
    let mut same = start.clone();
    put_together(&heavy, &mut same, &[]);
    assert_eq!(plain.body_q, same.body_q);
}

/// What the user keeps stays to the last bit; a joint between two such parts that is open is told.
#[test]
fn kept_parts_stay_and_what_is_open_between_them_is_told() {
    let model = scene("stewart-platform", &[]).model;
    let plate = model.body_named("plate").unwrap_or(BodyId(0));
    let mut state = model.state();
    let moved = Pose::from_parts(DVec3::new(0.02, -0.03, 0.05), DQuat::from_rotation_z(0.1));
    state.body_q[plate.built_index()] = moved * state.body_q[plate.built_index()];
    let kept = state.body_q[plate.built_index()];
    let done = put_together(&model, &mut state, &[plate]);
    assert!(done.is_closed() && state.body_q[plate.built_index()] == kept);
    assert!(left_open(&model, &state).0 < 1e-7);

    let mut builder = ModelBuilder::new();
    let [a, b] = [0.0, 3.0].map(|x| builder.add_body(BodyDef::dynamic("").at(DVec3::X * x).sphere(0.1)));
    builder.add_joint(JointDef::new(JointKind::Ball, a, b));
    let model = builder.finalize().unwrap();
    let done = put_together(&model, &mut model.state(), &[a, b]);
    assert!(!done.is_closed() && (done.open[0].gap - 3.0).abs() < 1e-12, "{:?}", done.open);
}

/// Two arms of one metre between pins 1.9 m apart, and limits that leave only the upper or only the lower elbow.
#[test]
fn limits_choose_the_elbow() {
    for (limits, sign) in [((0.01, 3.0), -1.0), ((-3.0, -0.01), 1.0)] {
        let mut builder = ModelBuilder::new();
        let arm = |x: f64| BodyDef::dynamic("").at(DVec3::X * x).cuboid(DVec3::new(0.5, 0.05, 0.05));
        let [first, second] = [0.5, 1.5].map(|x| builder.add_body(arm(x)));
        builder.add_joint(JointDef::revolute(WORLD, first, DVec3::ZERO, DVec3::Y));
        let elbow = JointDef::revolute(first, second, DVec3::X, DVec3::Y).limit(Axis::AngX, limits.0, limits.1);
        builder.add_joint(elbow);
        let at = Pose::from_translation;
        let pin = JointDef::new(JointKind::Ball, WORLD, second);
        builder.add_joint(pin.frames(at(DVec3::X * 1.9), at(DVec3::X * 0.5)));
        let model = builder.finalize().unwrap();
        for seed in 0..10 {
            let mut state = scattered(&model, seed, 2.0);
            let done = put_together(&model, &mut state, &[]);
            assert!(done.is_closed(), "{seed}: {:?}", done.open);
            let (open, past) = left_open(&model, &state);
            assert!(open < 1e-7 && past < 1e-7, "{open} {past}");
            // About y a positive angle bends the second arm down, so that the elbow is up.
            let elbow = state.body_q[0] * DVec3::new(0.5, 0.0, 0.0);
            assert!((elbow.z + sign * (1.0 - 0.95f64.powi(2)).sqrt()).abs() < 1e-6, "{elbow}");
        }
    }
}

/// No elbow reaches this far: the limit, or the pin, stays passed, and both are told.
#[test]
fn a_limit_that_cannot_hold_is_told() {
    let mut builder = ModelBuilder::new();
    let door = builder.add_body(BodyDef::dynamic("door").at(DVec3::X * 0.5).cuboid(DVec3::new(0.5, 0.02, 1.0)));
    builder.add_joint(JointDef::revolute(WORLD, door, DVec3::ZERO, DVec3::Z).limit(Axis::AngX, -0.2, 0.2));
    let latch = JointDef::new(JointKind::Ball, WORLD, door);
    let at = Pose::from_translation;
    builder.add_joint(latch.frames(at(DVec3::Y), at(DVec3::X * 0.5)));
    let model = builder.finalize().unwrap();
    let done = put_together(&model, &mut model.state(), &[]);
    assert!(!done.is_closed());
    let hinge = done.open.iter().find(|open| open.name == model.joint_name[0]).unwrap();
    assert!(hinge.stop.is_some_and(|stop| stop.axis == Axis::AngX && stop.by > 0.1), "{hinge}");
}

/// Five bars on parallel hinges close each other many times over.
#[test]
fn redundant_loops_close() {
    let mut builder = ModelBuilder::new();
    let beam = builder.add_body(BodyDef::dynamic("beam").at(DVec3::Z).cuboid(DVec3::new(2.0, 0.1, 0.1)));
    for k in 0..5 {
        let x = f64::from(k) - 2.0;
        let bar =
            builder.add_body(BodyDef::dynamic("").at(DVec3::new(x, 0.0, 0.5)).cuboid(DVec3::new(0.05, 0.05, 0.5)));
        builder.add_joint(JointDef::revolute(WORLD, bar, DVec3::X * x, DVec3::Y));
        builder.add_joint(JointDef::revolute(bar, beam, DVec3::new(x, 0.0, 1.0), DVec3::Y));
    }
    let model = builder.finalize().unwrap();
    for seed in 0..10 {
        let mut state = scattered(&model, seed, 2.0);
        let done = put_together(&model, &mut state, &[]);
        assert!(done.is_closed(), "{seed}: {:?}", done.open);
        assert!(left_open(&model, &state).0 < 1e-7);
    }
}

/// A spring in the loop is closed with the rest if it can be, and stretched if not: never in the way.
#[test]
fn springs_give_way() {
    for (hook, stretched) in [(1.5, false), (3.0, true)] {
        let mut builder = ModelBuilder::new();
        let body = |x: f64| BodyDef::dynamic("").at(DVec3::X * x).sphere(0.1);
        let [first, second] = [0.5, 1.5].map(|x| builder.add_body(body(x)));
        builder.add_joint(JointDef::ball(WORLD, first, DVec3::ZERO));
        let mut spring = JointDef::ball(first, second, DVec3::X);
        spring.stiffness = [100.0; 2];
        builder.add_joint(spring);
        let at = Pose::from_translation;
        let joint = JointDef::new(JointKind::Ball, WORLD, second);
        builder.add_joint(joint.frames(at(DVec3::X * hook), at(DVec3::X * 0.5)));
        let model = builder.finalize().unwrap();
        let done = put_together(&model, &mut model.state(), &[]);
        assert!(done.is_closed(), "{:?}", done.open);
        assert_eq!(!done.open.is_empty(), stretched, "{:?}", done.open);
        if let Some(spring) = done.open.first() {
            assert!(spring.elastic && spring.gap > 0.9, "{spring}");
        }
    }
}

/// A hundred and twenty-five parts, any way round; `docs/structured-evidence.md` has a thousand.
#[test]
fn a_lattice_assembles_from_random_turns() {
    let model = scene("assembly", &["size=5", "scatter=0.5", "turn=180"]).model;
    let mut state = model.state();
    let done = put_together(&model, &mut state, &[]);
    println!("{} attempts, {} steps, {} iterations", done.attempts, done.steps, done.iterations);
    assert!(done.is_closed() && left_open(&model, &state).0 < 1e-7, "{:?}", done.open.first());
}
