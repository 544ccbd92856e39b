//! What scenes do over seconds.

use crate::tools::{Run, column, heap, on_device, pyramid, ring, stack, sweeps};

/// Claims of stacks and pyramids at five sweeps hold on the device, with at most twice the drift of the CPU and rounding.
#[test]
fn stacks_and_pyramids_stand_at_five_sweeps() {
    for (name, model) in [("stack", stack(10)), ("pyramid", pyramid(8))] {
        let (mut cpu, mut gpu) = (Run::new(&model, &sweeps(5)), Run::new(&model, &on_device(&sweeps(5))));
        cpu.steps(120);
        gpu.steps(120);
        println!("{:?}", gpu.drift());
        cpu.steps(60);
        gpu.steps(60);
        let (want, got) = (cpu.drift(), gpu.drift());
        println!(
            "{name}: drift {got:e} m, {want:e} m on the CPU; overlap {:?} and {:?}",
            gpu.report.max_penetration, cpu.report.max_penetration
        );
        assert!(got <= 2.0 * want + 1e-5, "{name}: {got:e} m, {want:e} m on the CPU");
        assert!(gpu.report.max_penetration.unwrap() < 1e-3);
    }
}

/// A heap of all shapes comes to rest, with nothing lost and nothing deep inside anything else.
#[test]
fn a_heap_comes_to_rest() {
    let model = heap(40, 7);
    let (mut cpu, mut gpu) = (Run::new(&model, &sweeps(10)), Run::new(&model, &on_device(&sweeps(10))));
    let mut deepest: [f64; 2] = [0.0; 2];
    for _ in 0..300 {
        cpu.step();
        gpu.step();
        deepest[0] = deepest[0].max(cpu.report.max_penetration.unwrap());
        deepest[1] = deepest[1].max(gpu.report.max_penetration.unwrap());
    }
    // Balls and capsules go on rolling to and fro, one way or another; boxes lie.
    let energy = |run: &Run, boxes: bool| -> f64 {
        let fixed = model.body_count() - 40;
        let counts = |&body: &usize| ((body - fixed) % 4 > 1) == boxes;
        let kinetic = |body: usize| model.motion_of(&run.state, body..body + 1, 0..0).0.kinetic;
        (fixed..model.body_count()).filter(counts).map(kinetic).sum()
    };
    let [want, got] = [&cpu, &gpu].map(|run| [energy(run, true), energy(run, false)]);
    println!("deepest {deepest:?}, energies of boxes and of what rolls {want:?} and {got:?}");
    assert!(gpu.state.body_q.iter().all(|pose| pose.translation.is_finite() && pose.translation.z > 0.0));
    assert!(deepest[1] <= 2.0 * deepest[0] + 1e-3, "{deepest:?}");
    assert!(gpu.report.max_penetration.unwrap() < 2e-3);
    // The heap as a whole has lost what it fell with, some hundred joules a body.
    assert!(got[0] < 2.0 * want[0] + 0.01 && got[1] < model.body_count() as f64, "{want:?} and {got:?}");
}

/// A ring of bricks does not sink into itself: gaps that are rounding alone are none to fall into. Where bodies fell into them, overlaps were at
/// 1.2 µm after 120 steps and grew by 9 nm a step.
#[test]
fn a_ring_of_bricks_does_not_sink_into_itself() {
    let model = ring(80, 20);
    let mut gpu = Run::new(&model, &on_device(&sweeps(5)));
    gpu.steps(120);
    let overlap = gpu.report.max_penetration.unwrap();
    println!("drift {:e} m, overlap {overlap:e} m", gpu.drift());
    assert!(gpu.drift() < 2.5e-6 && overlap < 6e-7, "{:e} m, overlap {overlap:e} m", gpu.drift());
}

/// Cubes that fall in a high column lose the energy they fell with. Sweeps that have not converged would let the column burst.
#[test]
fn a_high_column_does_not_burst() {
    let model = column(4, 30);
    let (mut cpu, mut gpu) = (Run::new(&model, &sweeps(4)), Run::new(&model, &on_device(&sweeps(4))));
    let mut most: [f64; 2] = [0.0; 2];
    for step in 0..150 {
        cpu.step();
        gpu.step();
        if step >= 110 {
            most[0] = most[0].max(cpu.report.kinetic_energy);
            most[1] = most[1].max(gpu.report.kinetic_energy);
        }
    }
    let [want, got] = [&cpu, &gpu].map(|run| run.report.max_penetration.unwrap());
    println!("energies {most:?}, overlaps {want} {got}");
    assert!(gpu.state.body_q.iter().all(|pose| pose.translation.is_finite() && pose.translation.z > 0.0));
    assert!(most[1] < 1.5 * most[0] && got < 2.0 * want, "{most:?} J, {got} m for {want}");
}
