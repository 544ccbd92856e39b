//! The engines against the CPU: same kernels, same state, one step.

use super::tools::{Random, device, vector};
use cubecl::prelude::*;
use drystone_device::{Gpu, Job, Phases};
use drystone_jacobi::gpu::{
    Execution, IMMOVABLE, PointEngine, PointState, PointSystem, StepOptions, grid, largest_gap, necklaces,
    reference_step,
};
use drystone_kernels::single::math::{Quat, Sym3, Vec3, Vec6};

const PLAIN: StepOptions = StepOptions { dt: 1.0 / 60.0, iterations: 7, relaxation: 1.0, stabilization: 0.0 };
const CAREFUL: StepOptions = StepOptions { relaxation: 0.6, stabilization: 0.2, ..PLAIN };

/// Stirs a system so that nothing is zero, aligned or round by accident.
fn stir((mut system, mut state): (PointSystem, PointState), round: bool) -> (PointSystem, PointState) {
    let mut random = Random::new(7);
    let first = system.kind[0];
    let i = 1.0 / first.inverse_inertia.xx;
    let inertia = Sym3 { xx: i, xy: 0.0, xz: 0.0, yy: 1.3 * i, yz: 0.0, zz: 1.9 * i };
    let inverse = Sym3 { xx: 1.0 / i, xy: 0.0, xz: 0.0, yy: 1.0 / (1.3 * i), yz: 0.0, zz: 1.0 / (1.9 * i) };
    let mut second = first;
    second.inverse_mass *= 0.4;
    if !round {
        second.inertia = inertia;
        second.inverse_inertia = inverse;
    }
    system.kind.push(second);
    for (body, kind) in system.body_kind.iter_mut().enumerate() {
        *kind = (body % 3 == 1) as u32;
    }
    for q in &mut state.orientation {
        let v = vector(&mut random);
        *q = Quat { x: 0.2 * v.x, y: 0.2 * v.y, z: 0.2 * v.z, w: 1.0 }.normalize();
    }
    for v in &mut state.velocity {
        *v = Vec6 { l: vector(&mut random), a: vector(&mut random).scale(5.0) };
    }
    let scale = 0.01 / first.inverse_mass;
    for p in &mut state.impulse {
        *p = vector(&mut random).scale(scale);
    }
    (system, state)
}

/// A ring of beads hung from one point: as many constraints as bodies and one more.
fn ring(beads: usize) -> (PointSystem, PointState) {
    let (mut system, mut state) = necklaces(1, beads);
    system.parent.push(beads as u32 - 1);
    system.child.push(0);
    system.parent_anchor.push(1);
    system.child_anchor.push(0);
    state.impulse.push(Vec3::default());
    (system, state)
}

/// A star: one body in the middle, the others around it.
fn star(arms: usize) -> (PointSystem, PointState) {
    let (mut system, state) = necklaces(1, arms + 1);
    for parent in &mut system.parent {
        if *parent != IMMOVABLE {
            *parent = 0;
        }
    }
    (system, state)
}

struct Difference {
    position: f32,
    velocity: f32,
    impulse: f32,
}

/// Largest differences relative to the largest values.
fn difference(expected: &PointState, found: &PointState) -> Difference {
    fn relative(pairs: impl Iterator<Item = (f32, f32)>) -> f32 {
        let (off, size) = pairs.fold((0.0f32, 0.0f32), |(off, size), (d, s)| (off.max(d), size.max(s)));
        assert!(off.is_finite());
        if size == 0.0 { off } else { off / size }
    }
    let pairs = |a: &Vec3, b: &Vec3| (a.sub(*b).length(), a.length());
    let orientation = expected.orientation.iter().zip(&found.orientation);
    let turn = orientation
        .map(|(a, b)| (a.x - b.x).abs().max((a.y - b.y).abs()).max((a.z - b.z).abs()).max((a.w - b.w).abs()))
        .fold(0.0, f32::max);
    let position = relative(expected.position.iter().zip(&found.position).map(|(a, b)| pairs(a, b)));
    let spin = relative(expected.velocity.iter().zip(&found.velocity).map(|(a, b)| pairs(&a.a, &b.a)));
    Difference {
        position: position.max(turn),
        velocity: relative(expected.velocity.iter().zip(&found.velocity).map(|(a, b)| pairs(&a.l, &b.l))).max(spin),
        impulse: relative(expected.impulse.iter().zip(&found.impulse).map(|(a, b)| pairs(a, b))),
    }
}

/// Steps once on the device and on the CPU from the same state.
struct Parity {
    name: &'static str,
    system: PointSystem,
    state: PointState,
    options: StepOptions,
    expected: Execution,
}

impl Job for Parity {
    type Output = ();

    fn run<R: Runtime>(self, gpu: &Gpu<R>) {
        let mut expected = self.state.clone();
        reference_step(&self.system, &mut expected, &self.options);
        let chosen = PointEngine::new(gpu, &self.system);
        assert_eq!(chosen.execution(), self.expected, "{}", self.name);
        let [one, two] = [true, false].map(|one_pass| PointEngine::unpacked(gpu, &self.system, one_pass));
        for mut engine in [chosen, one, two] {
            engine.upload(gpu, &self.state);
            engine.frames(gpu, &self.options, 1, &mut Phases::default()).unwrap();
            let mut found = self.state.clone();
            engine.download(gpu, &mut found).unwrap();
            let off = difference(&expected, &found);
            // Single precision, a few dozen operations per iteration, errors that iterations pass on.
            let name = format!("{} {:?}", self.name, engine.execution());
            assert!(off.position < 2e-6, "{name}: positions differ by {:e}", off.position);
            assert!(off.velocity < 2e-5, "{name}: velocities differ by {:e}", off.velocity);
            assert!(off.impulse < 2e-5, "{name}: impulses differ by {:e}", off.impulse);
        }
    }
}

fn parity(name: &'static str, made: (PointSystem, PointState), options: StepOptions, expected: Execution) {
    let (system, state) = made;
    device().run(Parity { name, system, state, options, expected });
}

#[test]
fn chains_in_workgroups_step_as_on_the_cpu() {
    parity("chains", stir(necklaces(7, 40), true), PLAIN, Execution::Fused);
    parity("stabilised chains", stir(necklaces(5, 13), true), CAREFUL, Execution::Fused);
}

#[test]
fn bodies_that_are_not_round_keep_their_gyroscopic_term() {
    parity("chains of bricks", stir(necklaces(3, 11), false), PLAIN, Execution::Fused);
    parity("net of bricks", stir(grid(5), false), CAREFUL, Execution::Fused);
}

#[test]
fn loops_in_workgroups_step_as_on_the_cpu() {
    parity("ring", stir(ring(20), true), PLAIN, Execution::Fused);
    parity("net", stir(grid(11), true), CAREFUL, Execution::Fused);
    // Full steps diverge on a star, and would blow round-off up with everything else.
    parity("star", stir(star(6), true), StepOptions { relaxation: 0.15, ..PLAIN }, Execution::Fused);
}

#[test]
fn what_does_not_fit_a_workgroup_goes_over_main_memory() {
    parity("long chain", stir(necklaces(1, 300), true), PLAIN, Execution::OnePass);
    parity("large net", stir(grid(20), true), CAREFUL, Execution::OnePass);
    parity("bristly star", stir(star(40), true), StepOptions { relaxation: 0.02, ..PLAIN }, Execution::OnePass);
}

#[test]
fn one_body_and_none_at_all_are_systems_too() {
    parity("one bead", stir(necklaces(1, 1), true), PLAIN, Execution::Fused);
    struct Nothing;
    impl Job for Nothing {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let (system, mut state) = necklaces(0, 40);
            for mut engine in [PointEngine::new(gpu, &system), PointEngine::unpacked(gpu, &system, true)] {
                engine.upload(gpu, &state);
                engine.frames(gpu, &PLAIN, 3, &mut Phases::default()).unwrap();
                engine.download(gpu, &mut state).unwrap();
            }
        }
    }
    device().run(Nothing);
}

#[test]
fn many_frames_in_a_launch_are_as_many_launches() {
    struct Frames;
    impl Job for Frames {
        type Output = ();
        fn run<R: Runtime>(self, gpu: &Gpu<R>) {
            let (system, state) = necklaces(3, 40);
            let mut phases = Phases::measuring();
            let mut ends = [state.clone(), state.clone()];
            for (end, launches) in ends.iter_mut().zip([[1, 1, 1, 1], [4, 0, 0, 0]]) {
                let mut engine = PointEngine::new(gpu, &system);
                engine.upload(gpu, &state);
                for frames in launches {
                    engine.frames(gpu, &PLAIN, frames, &mut phases).unwrap();
                }
                engine.download(gpu, end).unwrap();
            }
            assert!(ends[0] == ends[1], "frames must not depend on how they are launched");
            assert!(largest_gap(&system, &ends[0]) > 0.0);
            assert!(phases.seconds().iter().any(|&(phase, seconds)| phase == "frames" && seconds > 0.0));
        }
    }
    device().run(Frames);
}
