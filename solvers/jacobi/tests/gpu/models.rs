//! Steps of models with their iterations on a GPU against the same steps on the CPU. Without a device the tests
//! fail and say what to install; `DRYSTONE_DEVICE` chooses one.

use drystone_collide::{Collide, CollideOptions};
use drystone_device::DeviceChoice;
use drystone_jacobi::{Acceleration, Jacobi, JacobiOptions, Splitting, Stabilization};
use drystone_model::{Axis, BodyDef, BodyId, DVec3, JointDef, Model, ModelBuilder, ShapeDef, State, WORLD};
use drystone_solve::report::{Phase, Report};
use drystone_solve::solver::Solver;

fn choice() -> DeviceChoice {
    std::env::var("DRYSTONE_DEVICE").map_or(DeviceChoice::Auto, |name| name.parse().unwrap())
}

const DT: f64 = 1.0 / 60.0;

fn solver(model: &Model, options: &JacobiOptions) -> Jacobi {
    Jacobi::new(model, options.clone()).unwrap_or_else(|error| panic!("{error}"))
}

fn on_device(options: &JacobiOptions) -> JacobiOptions {
    JacobiOptions { device: Some(choice()), ..options.clone() }
}

/// Largest distance of two bodies and largest difference of two velocities.
fn apart(model: &Model, a: &State, b: &State) -> (f64, f64) {
    let each = |body: usize| {
        let places = a.body_q[body].translation.distance(b.body_q[body].translation);
        let (va, vb) = (a.body_qd[body], b.body_qd[body]);
        let speeds = va.linear.distance(vb.linear).max(va.angular.distance(vb.angular));
        assert!(places.is_finite() && speeds.is_finite());
        (places, speeds)
    };
    (0..model.body_count()).map(each).fold((0.0, 0.0), |most, each| (each.0.max(most.0), each.1.max(most.1)))
}

/// Takes `steps` on the CPU, and each of them on the device from the same start with the same memory.
fn parity(name: &str, model: &Model, options: &JacobiOptions, steps: usize) -> Report {
    let (mut cpu, mut gpu) = (solver(model, options), solver(model, &on_device(options)));
    let mut collide = Collide::new(model, CollideOptions::default());
    let control = model.control();
    let mut state = model.state();
    let mut last = Report::default();
    for step in 0..steps {
        let start = state.clone();
        let mut found = start.clone();
        let mut collide_too = Collide::new(model, CollideOptions::default());
        collide_too.restore(&collide.snapshot()).unwrap();
        gpu.restore(&cpu.snapshot()).unwrap();
        let expected = cpu.step(model, &mut state, &control, &mut collide, DT).unwrap();
        last = gpu.step(model, &mut found, &control, &mut collide_too, DT).unwrap();
        let (places, speeds) = apart(model, &state, &found);
        let (moved, changed) = apart(model, &start, &state);
        // Round-off of single precision, through the iterations of eight substeps and their projections.
        assert!(places <= 1e-4 * moved.max(1e-3), "{name}, step {step}: places differ by {places:e} of {moved:e}");
        assert!(speeds <= 2e-4 * changed.max(0.1), "{name}, step {step}: speeds differ by {speeds:e} of {changed:e}");
        assert_eq!(expected.contact_count, last.contact_count, "{name}, step {step}");
        assert_eq!(expected.ending, last.ending, "{name}, step {step}");
    }
    last
}

fn chain(scene: &mut ModelBuilder, links: usize) {
    let mut parent = BodyId(WORLD);
    for link in 0..links {
        let at = DVec3::new(0.25 * link as f64, 0.0, 3.0);
        let shape = ShapeDef::capsule(0.08, 0.04);
        let body = scene.add_body(BodyDef::dynamic(format!("link {link}")).at(at + DVec3::X * 0.125).shape(shape));
        scene.add_joint(match link % 4 {
            0 => JointDef::ball(parent, body, at),
            1 => JointDef::revolute(parent, body, at, DVec3::Y).limit(Axis::AngX, -1.0, 1.0),
            2 => JointDef::universal(parent, body, at, DVec3::Y, DVec3::Z),
            _ => JointDef::prismatic(parent, body, at, DVec3::X).limit(Axis::LinX, -0.05, 0.05),
        });
        parent = body;
    }
}

/// A chain of all sorts of joints over a heap of boxes on the ground.
fn mixed() -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    chain(&mut scene, 9);
    for k in 0..12 {
        let at = DVec3::new(0.42 * (k % 3) as f64, 0.07 * k as f64, 0.2 + 0.41 * (k / 3) as f64);
        scene.add_body(BodyDef::dynamic(format!("box {k}")).at(at).cuboid(DVec3::splat(0.2)));
    }
    scene.finalize().unwrap()
}

fn necklaces() -> Model {
    let mut scene = ModelBuilder::new();
    for chain in 0..7 {
        let mut parent = BodyId(WORLD);
        for bead in 0..11 {
            let near = DVec3::new(0.1 * bead as f64, 0.3 * chain as f64, 0.0);
            let body =
                scene.add_body(BodyDef::dynamic(format!("{chain} {bead}")).at(near + DVec3::X * 0.05).sphere(0.05));
            scene.add_joint(JointDef::ball(parent, body, near));
            parent = body;
        }
    }
    scene.finalize().unwrap()
}

#[test]
fn joints_of_all_sorts_and_contacts_with_friction_step_as_on_the_cpu() {
    let report = parity("mixed", &mixed(), &JacobiOptions::default(), 12);
    assert!(report.contact_count > 20, "{} contacts: the heap must touch", report.contact_count);
}

#[test]
fn point_constraints_step_as_on_the_cpu_under_every_option() {
    let model = necklaces();
    let default = JacobiOptions::default();
    parity("necklaces", &model, &default, 4);
    parity("baseline", &model, &JacobiOptions::baseline(), 4);
    let bias = JacobiOptions { stabilization: Stabilization::Bias, ..default.clone() };
    parity("bias", &model, &bias, 4);
    let relaxed = JacobiOptions { splitting: Splitting::Diagonal, acceleration: Acceleration::None, ..default };
    parity("relaxed", &model, &relaxed, 4);
}

#[test]
fn a_run_that_diverges_says_so_on_the_device_too() {
    let mut scene = ModelBuilder::new();
    let hub = scene.add_body(BodyDef::dynamic("hub").sphere(0.1));
    for arm in 0..12 {
        let direction = DVec3::new((0.5 * arm as f64).cos(), (0.5 * arm as f64).sin(), 0.1 * arm as f64);
        let body = scene.add_body(BodyDef::dynamic(format!("arm {arm}")).at(direction).sphere(0.1));
        scene.add_joint(JointDef::ball(hub, body, direction * 0.5));
    }
    let model = scene.finalize().unwrap();
    let options = on_device(&JacobiOptions { iterations: 60, ..JacobiOptions::baseline() });
    let mut solver = solver(&model, &options);
    let mut state = model.state();
    state.body_qd[0].linear = DVec3::X;
    let mut collide = Collide::new(&model, CollideOptions::default());
    let report = solver.step(&model, &mut state, &model.control(), &mut collide, DT).unwrap();
    assert_eq!(report.ending, drystone_solve::report::Ending::Diverging);
    assert!(state.body_qd.iter().all(|twist| twist.linear.is_finite() && twist.angular.is_finite()));
}

#[test]
fn the_report_has_the_time_of_the_device() {
    let model = mixed();
    for (kernel_times, timed) in [(false, 2), (true, 4)] {
        let options = JacobiOptions { kernel_times, ..on_device(&JacobiOptions::default()) };
        let mut solver = solver(&model, &options);
        let mut collide = Collide::new(&model, CollideOptions::default());
        let report = solver.step(&model, &mut model.state(), &model.control(), &mut collide, DT).unwrap();
        let device = [Phase::Upload, Phase::ConstraintKernels, Phase::BodyKernels, Phase::Download];
        let of_device = report.time.iter().filter(|(phase, _)| device.contains(phase));
        assert_eq!(of_device.count(), timed);
        assert!(report.time.iter().all(|(_, seconds)| *seconds >= 0.0), "{:?}", report.time);
    }
}
