//! Single steps, from the same start with the same memory.

use drystone_model::{BodyDef, DVec3, ModelBuilder, Twist};
use drystone_solve::solver::Solver;

use crate::tools::{DT, Run, apart, heap, on_device, pyramid, sweeps};

/// What nothing touches falls along its parabola and keeps its spin, wherever it is.
#[test]
fn a_free_body_falls_along_its_parabola() {
    let mut scene = ModelBuilder::new();
    let far = DVec3::new(812.3, -407.9, 55.5);
    let turning = DVec3::new(1.0, 2.0, -0.5);
    for (name, at) in [("near", DVec3::ZERO), ("far", far)] {
        let body = BodyDef::dynamic(name).at(at).cuboid(DVec3::new(0.3, 0.2, 0.1)).velocity(DVec3::new(3.0, 1.0, 2.0));
        scene.add_body(body.spin(turning));
    }
    let model = scene.finalize().unwrap();
    let mut run = Run::new(&model, &on_device(&sweeps(4)));
    let mut cpu = Run::new(&model, &sweeps(4));
    run.steps(60);
    cpu.steps(60);
    let g = model.body_gravity(0);
    for body in 0..2 {
        let (start, v) = (model.body_q[body].translation, model.body_qd[body].linear);
        let want = start + v + 0.5 * g;
        let got = run.state.body_q[body].translation;
        // Sixty roundings of an offset below a metre, and of a velocity of some metres per second.
        assert!(got.distance(want) < 1e-5, "{got} for {want}");
        let spin = run.state.body_qd[body].angular.distance(cpu.state.body_qd[body].angular);
        assert!(spin < 1e-5 * turning.length(), "{spin:e}");
        let turned = run.state.body_q[body].rotation.angle_between(cpu.state.body_q[body].rotation);
        assert!(turned < 1e-5, "{turned:e}");
    }
    assert_eq!(run.report.contact_count, 0);
}

/// From the second step on a step of the device is that of the CPU in single precision, up to colours and the scales of islands.
#[test]
fn the_step_after_the_first_agrees_with_the_cpu() {
    for rows in [2, 6] {
        let model = pyramid(rows);
        let (mut cpu, mut gpu) = (Run::new(&model, &sweeps(30)), Run::new(&model, &on_device(&sweeps(30))));
        cpu.steps(1);
        gpu.steps(1);
        assert_eq!(apart(&cpu.state, &gpu.state), (0.0, 0.0), "the first step is the CPU's");
        cpu.step();
        gpu.step();
        assert_eq!(cpu.report.contact_count, gpu.report.contact_count);
        let (places, speeds) = apart(&cpu.state, &gpu.state);
        // Both at rest: what differs is what sweeps in another order leave, micrometres of the fall of 2.7 mm.
        assert!(places < 2e-6 && speeds < 2e-4, "{rows} rows: {places:e} m, {speeds:e} m/s");
    }
}

/// A heap in the air and while it lands: step by step from the same start, the device finds the same points and moves bodies alike.
#[test]
fn a_landing_heap_agrees_with_the_cpu_step_by_step() {
    let model = heap(16, 3);
    let mut gpu = Run::new(&model, &on_device(&sweeps(60)));
    gpu.steps(1);
    for step in 1..40 {
        // The CPU starts each step where the device is, without its loads: compared before contacts bear.
        let start = gpu.state.clone();
        gpu.step();
        if gpu.report.contact_count > 0 {
            assert!(step > 3, "nothing touches at first");
            break;
        }
        let mut cpu = Run::new(&model, &sweeps(60));
        cpu.state = start;
        cpu.step();
        let (places, speeds) = apart(&cpu.state, &gpu.state);
        assert!(places < 1e-6 && speeds < 1e-4, "step {step}: {places:e} m, {speeds:e} m/s");
    }
}

/// A velocity set from outside is taken to the device, and only there.
#[test]
fn a_body_that_is_changed_is_changed_there() {
    let model = pyramid(3);
    let mut run = Run::new(&model, &on_device(&sweeps(10)));
    run.steps(3);
    let top = model.body_count() - 1;
    let before = run.state.clone();
    run.state.body_qd[top] = Twist { linear: DVec3::Z * 2.0, angular: DVec3::ZERO };
    run.step();
    let rise = run.state.body_q[top].translation.z - before.body_q[top].translation.z;
    let want = 2.0 * DT + model.body_gravity(top).z * DT * DT;
    assert!((rise - want).abs() < 1e-3 * DT, "{rise} for {want}");
    for body in 0..top {
        let moved = run.state.body_q[body].translation.distance(before.body_q[body].translation);
        assert!(moved < 1e-3, "{body}: {moved}");
    }
    assert_eq!(run.solver.name(), "vbd");
}
