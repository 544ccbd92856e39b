//! Forces of contacts and joints, as every solver tells them, against weight and motion.

use drystone::geometry::Shape;
use drystone::model::{ContactEvent, Twist};
use drystone::prelude::*;

const G: f64 = 9.81;
/// By how much what is told under `vbd` may miss the motion, in any step.
const ROUNDING: f64 = 1e-11;

/// How well forces and torques that a solver tells balance the motion of a step, relative to the forces at work.
///
/// `vbd` tells what explains the motion, whatever its sweeps left. `structured` solves to round-off; its joints act at both ends of
/// a step, and the lever told is that of its end. `abd` stops when nothing moves by more than a hundredth of its contact
/// distance. `jacobi` takes short steps of its own, along which levers turn.
fn tolerance(solver: &str) -> [f64; 2] {
    match solver {
        "structured" => [1e-9, 2e-2],
        "vbd" => [ROUNDING; 2],
        "jacobi" => [1e-4, 2e-2],
        _ => [5e-3, 5e-3],
    }
}

/// The same for bodies that hit each other and are held by joints, in nine steps of ten, where a solver tells its own forces. The
/// worst may be off by ten times as much: what bodies in flight get back of the momentum that a step lost, and what a limit takes
/// from their energy, is no force of any contact or joint.
fn tolerance_of_heaps(solver: &str) -> [f64; 2] {
    match solver {
        "structured" => [1e-2, 5e-3],
        "jacobi" => [5e-4, 1e-4],
        _ => [5e-3, 5e-3],
    }
}

fn sim(solver: &str, model: Model) -> Simulation {
    Simulation::builder(model).solver(solver).dt(1.0 / 120.0).build().unwrap()
}

/// What a body gained in a step per second, gravity taken off: force \[N\] and torque about its centre of mass \[N·m\].
fn gained(sim: &Simulation, before: &State, body: usize) -> [DVec3; 2] {
    let (model, after) = (sim.model(), sim.state());
    let mass = model.body_mass[body];
    let linear = |state: &State| state.body_qd[body].linear * mass;
    let spin = |state: &State| model.body_inertia_world(state, body) * state.body_qd[body].angular;
    let weight = model.world_gravity[model.body_world[body] as usize] * mass;
    [(linear(after) - linear(before)) / sim.dt() - weight, (spin(after) - spin(before)) / sim.dt()]
}

/// What contacts and joints say they exerted on a body, and the sums of the sizes of all forces and torques.
fn told(sim: &Simulation, body: usize) -> ([DVec3; 2], [f64; 2]) {
    let model = sim.model();
    let (mut sum, mut size) = ([DVec3::ZERO; 2], [0.0; 2]);
    let mut add = |force: DVec3, torque: DVec3| {
        sum = [sum[0] + force, sum[1] + torque];
        size = [size[0] + force.length(), size[1] + torque.length()];
    };
    for contact in sim.contacts().unwrap() {
        for side in (0..2).filter(|&side| contact.body[side] == BodyId(body as u32)) {
            add([-contact.force, contact.force][side], contact.torque[side]);
        }
    }
    for (joint, told) in sim.joint_forces().unwrap().iter().enumerate() {
        let ends = [model.joint_parent[joint], model.joint_child[joint]];
        for side in (0..2).filter(|&side| ends[side] == body as u32) {
            add([-told.force, told.force][side], told.body_torque[side]);
        }
    }
    (sum, size)
}

/// Takes a step; returns by how much forces and motion disagree, of all bodies the most: forces relative to the weight and all
/// forces on the body, torques to these at its size and all torques. A torque changes the spin of a body that turns within
/// the step, by an inertia that turns with it: it is known to no better share than the turn, unless the solver looks at the spin.
fn step(sim: &mut Simulation, size: f64) -> [f64; 2] {
    let before = sim.state().clone();
    sim.step().unwrap();
    let mut worst = [0.0_f64; 2];
    for body in 0..sim.model().body_count() {
        let ([force, torque], [forces, torques]) = told(sim, body);
        let [linear, angular] = gained(sim, &before, body);
        let scale = forces + sim.model().body_mass[body] * G;
        // `max` would drop a NaN.
        assert!(scale.is_finite() && torque.is_finite() && angular.is_finite(), "body {body}: {scale} {torque}");
        let turns = [&before, sim.state()].map(|state| state.body_qd[body].angular.length() * sim.dt());
        let turn = if sim.solver().name() == "vbd" { 0.0 } else { turns[0].max(turns[1]) };
        let off = (angular - torque).length() / (scale * size + torques);
        worst = [worst[0].max((linear - force).length() / scale), worst[1].max(off - turn)];
    }
    worst
}

fn ground(friction: f64, restitution: f64) -> (ModelBuilder, Material) {
    let mut scene = ModelBuilder::new();
    let material =
        Material { friction_static: friction, friction_dynamic: friction, restitution, ..Material::default() };
    scene.add_shape(WORLD, ShapeDef::new(Shape::HalfSpace).material(material));
    (scene, material)
}

fn crate_at(height: f64, material: Material, velocity: DVec3) -> BodyDef {
    let shape = ShapeDef::cuboid(DVec3::new(0.5, 0.5, 0.1)).material(material);
    BodyDef::dynamic("crate").at(DVec3::Z * height).shape(shape).mass(3.0).velocity(velocity)
}

#[test]
fn a_box_at_rest_is_carried_by_its_weight() {
    for entry in drystone::solvers() {
        let (mut scene, material) = ground(0.5, 0.0);
        scene.add_body(crate_at(0.1, material, DVec3::ZERO));
        let mut sim = sim(entry.name, scene.finalize().unwrap());
        sim.run(240, |_| ()).unwrap();
        let (force, torque) = sim.contact_force(BodyId(0)).unwrap();
        let off = (force - DVec3::Z * 3.0 * G).length() / (3.0 * G);
        assert!(off < 1e-6 && torque.length() < 1e-6 * 3.0 * G, "{}: {off}", entry.name);
        let contact = sim.contacts().unwrap()[0];
        assert_eq!((contact.key.shape, contact.body), ([ShapeId(0), ShapeId(1)], [BodyId::WORLD, BodyId(0)]));
        assert!((contact.normal - DVec3::Z).length() < 1e-6 && contact.force.z > 0.0);
        assert!((contact.position[1] - contact.position[0]).length() < 1e-2 && contact.point().z.abs() < 1e-2);
    }
}

#[test]
fn a_sliding_box_is_braked_by_the_friction_it_is_told() {
    for entry in drystone::solvers() {
        let (mut scene, material) = ground(0.5, 0.0);
        scene.add_body(crate_at(0.1, material, DVec3::X * 4.0));
        let mut sim = sim(entry.name, scene.finalize().unwrap());
        sim.run(20, |_| ()).unwrap();
        let (mut worst, mut off) = ([0.0_f64; 2], 0.0_f64);
        for _ in 0..20 {
            let now = step(&mut sim, 0.5);
            worst = [worst[0].max(now[0]), worst[1].max(now[1])];
            let (force, _) = sim.contact_force(BodyId(0)).unwrap();
            off = off.max((force.x + 0.5 * force.z).abs() / (3.0 * G));
        }
        let [force, torque] = tolerance(entry.name);
        assert!(worst[0] < force && worst[1] < torque && off < force.max(1e-7), "{}: {worst:?} {off}", entry.name);
    }
}

#[test]
fn the_impulse_of_a_blow_is_the_change_of_momentum() {
    for entry in drystone::solvers() {
        for restitution in [0.0, 0.5] {
            if entry.name == "abd" && restitution > 0.0 {
                continue;
            }
            let (mut scene, material) = ground(0.0, restitution);
            scene.add_body(crate_at(0.2, material, DVec3::Z * -5.0));
            let mut sim = sim(entry.name, scene.finalize().unwrap());
            let (mut impulse, mut begun) = (DVec3::ZERO, Vec::new());
            let mut steps = 0;
            while steps < 12 {
                sim.step().unwrap();
                steps += 1;
                impulse += sim.contact_force(BodyId(0)).unwrap().0 * sim.dt();
                begun.extend(sim.events().iter().filter_map(|event| match event {
                    Event::Contact(ContactEvent::Begin { impulse, .. }) => Some(*impulse),
                    _ => None,
                }));
            }
            let time = steps as f64 * sim.dt();
            let change = 3.0 * (sim.state().body_qd[0].linear.z + 5.0 + G * time);
            let off = (impulse.z - change).abs() / 15.0;
            assert!(off < tolerance(entry.name)[0], "{} {restitution}: {} {change}", entry.name, impulse.z);
            assert!(!begun.is_empty() && begun[0] > 0.0, "{}: {begun:?}", entry.name);
        }
    }
}

/// A ball on a string: the string carries the weight along it and what keeps the ball on its circle.
#[test]
fn a_pendulum_pulls_with_its_weight_and_its_speed() {
    for entry in drystone::solvers() {
        let mut scene = ModelBuilder::new();
        let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::X).sphere(0.1).mass(2.0));
        scene.add_joint(JointDef::ball(BodyId(WORLD), ball, DVec3::ZERO));
        let mut sim = sim(entry.name, scene.finalize().unwrap());
        let (mut worst, mut off) = ([0.0_f64; 2], 0.0_f64);
        for _ in 0..120 {
            let now = step(&mut sim, 1.0);
            worst = [worst[0].max(now[0]), worst[1].max(now[1])];
            let (place, Twist { linear, .. }) = (sim.state().body_q[0].translation, sim.state().body_qd[0]);
            let expected = 2.0 * (linear.length_squared() / place.length() + G * DVec3::NEG_Z.dot(place.normalize()));
            let force = sim.joint_force(JointId(0)).unwrap();
            off = off.max((force.force.dot(-place.normalize()) - expected).abs() / (2.0 * G));
            assert!(force.point.length() < 1e-3, "{}: {:?}", entry.name, force.point);
        }
        let [force, torque] = tolerance(entry.name);
        assert!(worst[0] < force && worst[1] < torque, "{}: {worst:?}", entry.name);
        // Against the force at the end of the step, which falls and speeds up within it.
        assert!(off < 0.06, "{}: {off}", entry.name);
    }
}

#[test]
fn the_joints_of_a_hanging_chain_carry_what_hangs_below() {
    for entry in drystone::solvers() {
        let mut scene = ModelBuilder::new();
        let mut last = BodyId(WORLD);
        for link in 0..5 {
            let top = DVec3::Z * -f64::from(link);
            let body =
                BodyDef::dynamic(format!("link {link}")).at(top - DVec3::Z * 0.5).cuboid(DVec3::new(0.1, 0.1, 0.45));
            let body = scene.add_body(body.mass(1.5));
            scene.add_joint(JointDef::ball(last, body, top));
            last = body;
        }
        let mut sim = sim(entry.name, scene.finalize().unwrap());
        sim.run(60, |_| ()).unwrap();
        for (joint, told) in sim.joint_forces().unwrap().iter().enumerate() {
            let weight = 1.5 * G * (5 - joint) as f64;
            let off = (told.force - DVec3::Z * weight).length() / weight;
            assert!(off < 1e-6 && told.torque.length() < 1e-6 * weight, "{} {joint}: {told:?}", entry.name);
        }
    }
}

/// Jointed bars and loose boxes that fall in a heap.
fn heap(seed: u64) -> Model {
    let (mut scene, material) = ground(0.4, 0.0);
    let mut random = drystone_random::Random::new(seed);
    let mut draw = move || random.unit();
    for chain in 0..3 {
        let mut last = None;
        for link in 0..3 {
            let place = DVec3::new(1.2 * f64::from(link), 1.5 * f64::from(chain), 0.5 + 0.4 * draw());
            let turn = DQuat::from_scaled_axis(DVec3::new(draw() - 0.5, draw() - 0.5, draw() - 0.5) * 0.4);
            let shape = ShapeDef::cuboid(DVec3::new(0.45, 0.1 + 0.1 * draw(), 0.1)).material(material);
            let def = BodyDef::dynamic(format!("bar {chain} {link}")).at(place).rotated(turn).shape(shape);
            let bar = scene.add_body(def.mass(0.5 + 4.0 * draw()));
            if let Some((last, from)) = last {
                let between: DVec3 = 0.5 * (place + from);
                match chain {
                    0 => scene.add_joint(JointDef::ball(last, bar, between)),
                    1 => scene.add_joint(JointDef::revolute(last, bar, between, DVec3::Y)),
                    _ => scene.add_joint(JointDef::fixed(last, bar, between)),
                };
            }
            last = Some((bar, place));
        }
    }
    scene.finalize().unwrap()
}

/// By how much forces and motion disagree in the steps of a second, least first: forces, then torques.
fn errors_of_heap(solver: &str, sweeps: Option<u64>, model: Model) -> [Vec<f64>; 2] {
    let mut builder = Simulation::builder(model).solver(solver).dt(1.0 / 120.0);
    if let Some(sweeps) = sweeps {
        builder = builder.option("iterations", sweeps);
    }
    let mut sim = builder.build().unwrap();
    let all: Vec<[f64; 2]> = (0..120).map(|_| step(&mut sim, 0.5)).collect();
    [0, 1].map(|kind| {
        let mut errors: Vec<f64> = all.iter().map(|step| step[kind]).collect();
        errors.sort_by(f64::total_cmp);
        errors
    })
}

#[test]
fn forces_on_every_body_of_a_heap_are_its_change_of_momentum() {
    for entry in drystone::solvers().iter().filter(|entry| entry.name != "vbd") {
        for seed in 6..8 {
            for (errors, limit) in
                errors_of_heap(entry.name, None, heap(seed)).iter().zip(tolerance_of_heaps(entry.name))
            {
                let (half, most, worst) = (errors[60], errors[108], errors[119]);
                let case = format!("{} seed {seed}: {half:.1e} {most:.1e} {worst:.1e}", entry.name);
                assert!(half < 0.1 * limit && most < limit && worst < 10.0 * limit, "{case}");
            }
        }
    }
}

/// In every step of every heap, at the sweeps of the default, though ten of them do not solve a blow.
#[test]
fn forces_under_vbd_are_the_change_of_momentum_in_every_step() {
    for seed in 0..41 {
        let [forces, torques] = errors_of_heap("vbd", None, heap(seed)).map(|errors| errors[119]);
        assert!(forces < ROUNDING && torques < ROUNDING, "seed {seed}: {forces:.1e} {torques:.1e}");
    }
}

/// What is told explains the motion also where sweeps had hardly begun, where it hangs together by nothing but itself, and where
/// it bounces.
#[test]
fn forces_under_vbd_explain_the_motion_at_any_number_of_sweeps() {
    for sweeps in [1, 2, 3, 5, 20] {
        for seed in 0..4 {
            for (case, scene) in [("heap", heap(seed)), ("afloat", afloat(seed)), ("bouncing", bouncing(seed))] {
                let [forces, torques] = errors_of_heap("vbd", Some(sweeps), scene).map(|errors| errors[119]);
                let case = format!("{case}, seed {seed}, {sweeps} sweeps: {forces:.1e} {torques:.1e}");
                assert!(forces < ROUNDING && torques < ROUNDING, "{case}");
            }
        }
    }
}

/// The heap without gravity, drawn together and turning, with nothing to hold it.
fn afloat(seed: u64) -> Model {
    let mut model = heap(seed);
    model.world_gravity.fill(DVec3::ZERO);
    for (body, pose) in model.body_q.iter_mut().enumerate() {
        let inwards = DVec3::new(1.2, 1.5, 0.7) - pose.translation;
        let angular = DVec3::new(1.0, 2.0, f64::from(body as u32));
        model.body_qd[body] = Twist { linear: 1.5 * inwards, angular };
        pose.translation.z += 50.0;
    }
    model
}

/// The heap of bodies that bounce.
fn bouncing(seed: u64) -> Model {
    let mut model = heap(seed);
    model.shape_material.iter_mut().for_each(|material| material.restitution = 0.6);
    model
}

/// Contacts that explain the motion go on pushing.
#[test]
fn contacts_that_explain_the_motion_do_not_pull() {
    let (mut pushed, mut pulled) = (0.0, 0.0);
    for seed in 0..10 {
        let mut sim = Simulation::builder(heap(seed)).solver("vbd").dt(1.0 / 120.0).build().unwrap();
        for _ in 0..120 {
            sim.step().unwrap();
            for contact in sim.contacts().unwrap() {
                let push = contact.force.dot(contact.normal);
                pushed += push.max(0.0);
                pulled -= push.min(0.0);
            }
        }
    }
    assert!(pushed > 1e4 && pulled < 1e-6 * pushed, "{pulled} of {pushed}");
}
