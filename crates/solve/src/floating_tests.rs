use drystone_model::{BodyDef, BodyId, DQuat, JointDef, ModelBuilder, ShapeId, WORLD};

use super::*;
use crate::forces::ContactKey;

const H: f64 = 0.02;

/// Three unlike bodies that spin and fly, the first two joined if asked to.
fn scene(joined: bool) -> Model {
    let mut scene = ModelBuilder::new();
    let bodies = [0, 1, 2].map(|k| {
        let at = DVec3::new(f64::from(k), 0.3 * f64::from(k * k), 0.1);
        let shape = BodyDef::dynamic(format!("b{k}")).at(at).cuboid(DVec3::new(0.4, 0.2, 0.1 + 0.1 * f64::from(k)));
        let spin = DVec3::new(3.0, f64::from(k), -2.0);
        scene.add_body(shape.velocity(DVec3::new(1.0 - f64::from(k), 2.0, 0.5)).spin(spin))
    });
    if joined {
        scene.add_joint(JointDef::ball(bodies[0], bodies[1], DVec3::new(0.5, 0.1, 0.1)));
    }
    scene.finalize().unwrap()
}

fn touching(body: [u32; 2]) -> ContactForce {
    let key = ContactKey { shape: [ShapeId(0); 2], feature: [0; 4] };
    let contact = ContactForce::new(key, body.map(BodyId), [DVec3::ZERO; 2], DVec3::ZERO);
    ContactForce { force: DVec3::X, ..contact }
}

/// A step that no solver would take: all bodies are somewhere else, turned, and move otherwise by some factor.
fn disturb(model: &Model, state: &mut State, factor: f64) {
    for body in 0..model.body_count() {
        let k = body as f64 + 1.0;
        let pose = &mut state.body_q[body];
        pose.translation += DVec3::new(0.02 * k, -0.03, 0.01 * k * k);
        pose.rotation = DQuat::from_scaled_axis(DVec3::new(0.1, 0.05 * k, -0.08)) * pose.rotation;
        let twist = &mut state.body_qd[body];
        twist.linear = factor * (twist.linear + DVec3::new(0.3, -0.2 * k, 0.1));
        twist.angular = factor * (twist.angular + DVec3::new(-0.2 * k, 0.4, 0.3));
    }
}

/// About the common centre of mass.
fn momenta(model: &Model, state: &State) -> (DVec3, DVec3) {
    let mass: f64 = model.body_mass.iter().sum();
    let centre: DVec3 =
        (0..model.body_count()).map(|b| model.body_mass[b] * model.body_centre(state, b as u32)).sum::<DVec3>() / mass;
    let momentum = model.momentum(state);
    (momentum.linear, momentum.angular - centre.cross(momentum.linear))
}

/// Gravity and forces on top of the momenta of the start, at no more energy, whatever the step did.
#[test]
fn a_group_that_nothing_holds_gets_its_momenta_back() {
    for factor in [0.3, 1.0, 4.0] {
        let model = scene(false);
        let (mut state, mut control) = (model.state(), model.control());
        control.body_f[1] = (DVec3::new(5.0, -3.0, 2.0), DVec3::new(0.2, 0.1, -0.4));
        let before = momenta(&model, &state);
        let mut groups = FloatingGroups::default();
        groups.begin(&model, &state, &control, H);
        let mass: f64 = model.body_mass.iter().sum();
        let lever = |state: &State| {
            let centre = (0..3).map(|b| model.body_mass[b] * model.body_centre(state, b as u32)).sum::<DVec3>() / mass;
            model.body_centre(state, 1) - centre
        };
        let from = lever(&state);
        let free: f64 = groups.free.iter().map(|free| free.energy).sum();
        disturb(&model, &mut state, factor);
        let middle = 0.5 * (from + lever(&state));
        groups.restore(&model, &mut state, &control, &[touching([0, 1]), touching([2, 1])], &[], Which::Touched);
        let after = momenta(&model, &state);
        let (force, torque) = control.body_f[1];
        let weight = mass * model.world_gravity[0];
        assert!((after.0 - before.0 - H * (force + weight)).length() < 1e-12 * before.0.length(), "{factor}");
        assert!((after.1 - before.1 - H * (middle.cross(force) + torque)).length() < 1e-12 * before.1.length());
        assert!(model.energy(&state).kinetic <= free * (1.0 + 1e-12), "{factor}");
    }
}

/// Bodies that nothing links stay as they are; so do groups that something holds, bit for bit.
#[test]
fn what_is_alone_or_held_is_left_alone() {
    let model = scene(true);
    let control = model.control();
    let mut groups = FloatingGroups::default();
    let cases: [(&[ContactForce], Which, [bool; 3]); 4] = [
        (&[], Which::Touched, [false; 3]),
        (&[], Which::Linked, [true, true, false]),
        (&[touching([0, WORLD])], Which::Linked, [false; 3]),
        (&[touching([1, 2])], Which::Touched, [true; 3]),
    ];
    for (contacts, which, changed) in cases {
        let mut state = model.state();
        groups.begin(&model, &state, &control, H);
        disturb(&model, &mut state, 1.0);
        let solved = state.clone();
        groups.restore(&model, &mut state, &control, contacts, &[], which);
        assert_eq!(state.body_q, solved.body_q);
        let others = [0, 1, 2].map(|body| state.body_qd[body] != solved.body_qd[body]);
        assert_eq!(others, changed, "{which:?} {contacts:?}");
    }
}

/// What rests on the ground has no momentum of its own; after a step that did not converge it has no more energy than
/// before, and the same direction.
#[test]
fn what_rests_on_something_is_only_limited() {
    let model = scene(false);
    let control = model.control();
    let mut groups = FloatingGroups::default();
    for (which, factor, limited) in
        [(Which::Linked, 4.0, false), (Which::Unconverged, 4.0, true), (Which::Unconverged, 0.3, false)]
    {
        let mut state = model.state();
        groups.begin(&model, &state, &control, H);
        let free: f64 = groups.free[..2].iter().map(|free| free.energy).sum();
        disturb(&model, &mut state, factor);
        let solved = state.clone();
        groups.restore(&model, &mut state, &control, &[touching([0, 1]), touching([0, WORLD])], &[], which);
        assert_eq!(state.body_qd[2], solved.body_qd[2]);
        assert_eq!(state.body_qd[0] != solved.body_qd[0], limited, "{which:?} {factor}");
        if limited {
            state.body_qd[2] = Twist::default();
            assert!((model.energy(&state).kinetic - free).abs() < 1e-12 * free);
            let turned = state.body_qd[1].linear.angle_between(solved.body_qd[1].linear);
            assert!(turned < 1e-7, "{turned}");
        }
    }
}

/// A group drawn together so far that its angular momentum would mean more energy than there is keeps to the energy.
#[test]
fn energy_comes_first() {
    let model = scene(false);
    let (mut state, control) = (model.state(), model.control());
    let mut groups = FloatingGroups::default();
    groups.begin(&model, &state, &control, H);
    let free: f64 = groups.free.iter().map(|free| free.energy).sum();
    let linear = momenta(&model, &state).0;
    for body in 1..3 {
        state.body_q[body].translation = state.body_q[0].translation + DVec3::new(0.0, 0.0, 1e-3 * body as f64);
    }
    state.body_qd.iter_mut().for_each(|twist| twist.angular = DVec3::ZERO);
    groups.restore(&model, &mut state, &control, &[touching([0, 1]), touching([1, 2])], &[], Which::Touched);
    let mass: f64 = model.body_mass.iter().sum();
    assert!(
        (momenta(&model, &state).0 - linear - H * mass * model.world_gravity[0]).length() < 1e-12 * linear.length()
    );
    let energy = model.energy(&state).kinetic;
    assert!(energy <= free * (1.0 + 1e-12) && energy > 0.9 * free, "{energy} of {free}");
}

/// Iterations that end early leave bodies pushed by contacts that are no contacts at the end.
#[test]
fn what_nothing_touches_after_a_step_that_did_not_converge_has_the_momentum_of_its_flight() {
    let model = scene(false);
    let (mut state, control) = (model.state(), model.control());
    let start = state.clone();
    let mut groups = FloatingGroups::default();
    groups.begin(&model, &state, &control, H);
    disturb(&model, &mut state, 1.5);
    let solved = state.clone();
    groups.restore(&model, &mut state, &control, &[], &[], Which::Linked);
    assert_eq!(state.hash(), solved.hash(), "a step that converged is not touched");
    groups.restore(&model, &mut state, &control, &[], &[], Which::All);
    for body in 0..3 {
        let flight = start.body_qd[body].linear + H * model.world_gravity[0];
        assert!((state.body_qd[body].linear - flight).length() < 1e-14, "{flight}");
        let spin = |state: &State| model.body_inertia_world(state, body) * state.body_qd[body].angular;
        let (was, is) = (spin(&start), spin(&state));
        let energy = 0.5 * (is.dot(state.body_qd[body].angular) + model.body_mass[body] * flight.length_squared());
        let free = groups.free[body].energy;
        // Where the body was turned to a place its momentum has no energy for, part of it stays lost, and all the energy is used.
        let (kept, spent) = ((is - was).length() < 1e-12 * was.length(), (energy - free).abs() < 1e-12 * free);
        assert!(kept || spent, "{is} of {was}, {energy} J of {free} J");
    }
}
