//! What only the inside of the module can ask for.

use cubecl::prelude::*;
use drystone_device::{Buffer, DeviceError, Gpu, Job, UNITS, open_from_environment};
use drystone_model::{BodyDef, DVec3, Model, ModelBuilder};

use super::engine::Resident;
use super::layout::{ISLAND_ENERGIES, ISLAND_WORDS};
use super::totals::{NO_LABEL, SUM_WORDS, add_by_label};
use crate::islands::Islands;
use crate::resident::{Memory, Scene};

const H: f32 = 1.0 / 60.0;

/// Cubes in two layers that fall on the ground, a little apart.
fn layers() -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for i in 0..18 {
        let (column, layer) = (i % 9, i / 9);
        let shift = if layer == 1 { 0.3 } else { 0.0 };
        let at =
            DVec3::new(f64::from(column % 3) + shift, f64::from(column / 3) + shift, 0.55 + 1.1 * f64::from(layer));
        scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).cuboid(DVec3::splat(0.48)));
    }
    scene.finalize().unwrap()
}

/// A scene on a device that remembers nothing, with room for so many pairs.
fn from_the_air<R: Runtime>(gpu: &Gpu<R>, model: &Model, capacity: usize) -> Resident<R> {
    let mut scene = Resident::new(gpu, model, capacity);
    let fresh = Memory {
        last: vec![0.0; (model.body_count() + 1) * 8],
        jolted: vec![0; model.body_count() + 1],
        start: vec![0; model.shape_count() + 1],
        ..Memory::default()
    };
    scene.take_over(model, &model.state(), &fresh).unwrap();
    scene
}

/// Runs a scene from the air, all of it on the device, with room for so many pairs at first.
struct FromTheAir<'a> {
    model: &'a Model,
    capacity: usize,
    at_once: u32,
    small: bool,
    apart: bool,
}

impl Job for FromTheAir<'_> {
    type Output = (Memory, u32);

    fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output {
        let mut scene = from_the_air(gpu, self.model, self.capacity);
        scene.set_small(self.small);
        scene.set_apart(self.apart);
        for _ in 0..60 / self.at_once {
            Scene::steps(&mut scene, self.at_once, H, 4).unwrap();
        }
        (Scene::memory(&mut scene).unwrap(), Scene::figures(&mut scene).unwrap().growth)
    }
}

/// A list that is too short grows and the step is taken again: with room for one pair a run ends with the bits of one with room for all, whether
/// the host looks after every step or after twenty.
#[test]
fn growing_loses_nothing() {
    let device = open_from_environment().unwrap_or_else(|error| panic!("{error}"));
    let model = layers();
    let run =
        |capacity, at_once| device.run(FromTheAir { model: &model, capacity, at_once, small: true, apart: false });
    let (ample, grown) = run(4096, 1);
    assert_eq!(grown, 0);
    assert!(ample.memory.iter().any(|&word| word != 0.0), "something bears");
    for at_once in [1, 20] {
        let (short, grown) = run(1, at_once);
        assert!(grown > 0);
        assert_eq!(short.motion, ample.motion);
        assert_eq!((short.start, short.pair), (ample.start.clone(), ample.pair.clone()));
        // Also what no kernel wrote: a snapshot holds none of it.
        assert_eq!((short.memory, short.anchor), (ample.memory.clone(), ample.anchor.clone()));
    }
}

/// One workgroup for all sweeps takes the steps of a launch for every colour, to the bit.
#[test]
fn one_workgroup_sweeps_as_launches_do() {
    let device = open_from_environment().unwrap_or_else(|error| panic!("{error}"));
    let model = layers();
    let run = |small| device.run(FromTheAir { model: &model, capacity: 4096, at_once: 20, small, apart: false }).0;
    assert_eq!(run(true).motion, run(false).motion);
}

/// The dual step that the later body of a manifold takes in passing is the one of a launch by itself, to the bit.
#[test]
fn dual_steps_in_passing_are_those_of_their_own_launch() {
    let device = open_from_environment().unwrap_or_else(|error| panic!("{error}"));
    let model = layers();
    let run = |apart| device.run(FromTheAir { model: &model, capacity: 4096, at_once: 20, small: true, apart }).0;
    let (apart, fused) = (run(true), run(false));
    assert_eq!(apart.motion, fused.motion);
    assert_eq!(apart.memory, fused.memory);
}

/// A sum of 96 bits, in `f64`.
fn sum_of(words: &[u32]) -> f64 {
    let bits = u128::from(words[0]) | u128::from(words[1]) << 32 | u128::from(words[2]) << 64;
    ((bits << 32) as i128 >> 32) as f64
}

#[cube(launch)]
fn add_all(label: &Array<u32>, value: &Array<f32>, sums: &mut Array<Atomic<u32>>) {
    let mut values = SharedMemory::<f32>::new(comptime!((2 * UNITS) as usize));
    let mut of = NO_LABEL.runtime();
    let mut mine = f32::new(0.0);
    if ABSOLUTE_POS < label.len() {
        of = label[ABSOLUTE_POS];
        mine = value[ABSOLUTE_POS];
    }
    values[UNIT_POS as usize] = mine;
    values[(UNITS + UNIT_POS) as usize] = -2.0 * mine;
    add_by_label(of, &values, sums, 8u32.runtime(), 1u32.runtime(), 2u32);
}

/// Numbers of all sizes and signs under a few labels or many: each sum is that of double precision to a part in two hundred million of what it is the
/// sum of, and the same to the bit in every run.
#[test]
fn sums_by_label_depend_on_no_order() {
    struct Sums<'a>(&'a [u32], &'a [f32], usize);
    impl Job for Sums<'_> {
        type Output = Vec<u32>;
        fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output {
            let sums = Buffer::from_slice(gpu, &vec![0_u32; 8 * self.2]);
            let (label, value) = (Buffer::from_slice(gpu, self.0), Buffer::from_slice(gpu, self.1));
            let cubes = gpu.cubes_for(self.0.len());
            add_all::launch::<R>(gpu.client(), cubes, CubeDim::new_1d(UNITS), label.arg(), value.arg(), sums.arg());
            sums.read(gpu).unwrap()
        }
    }
    let device = open_from_environment().unwrap_or_else(|error| panic!("{error}"));
    let mut random = drystone_random::Random::new(2);
    for labels in [1, 3, 700] {
        let count = 3001;
        let label: Vec<u32> =
            (0..count).map(|i| if i % 11 == 0 { NO_LABEL } else { random.below(labels) as u32 }).collect();
        let value: Vec<f32> =
            (0..count).map(|_| (random.signed() * (20.0 + 18.0 * random.signed()).exp2()) as f32).collect();
        let run = || device.run(Sums(&label, &value, labels));
        let sums = run();
        assert_eq!(sums, run());
        for of in 0..labels {
            let parts =
                || label.iter().zip(&value).filter(|(label, _)| **label == of as u32).map(|(_, x)| f64::from(*x));
            let (want, size) = (parts().sum::<f64>(), parts().map(f64::abs).sum::<f64>());
            let members = parts().count() as f64;
            for (number, factor) in [1.0, -2.0].into_iter().enumerate() {
                let first = 8 * of + 1 + SUM_WORDS as usize * number;
                let got = sum_of(&sums[first..first + 3]);
                assert!((got - factor * want).abs() <= 1e-6 * size + members, "{of}: {got} for {}", factor * want);
            }
        }
    }
}

/// Two heaps on the ground, and two cubes that meet high above: every step has the islands of the CPU for the same contacts, each with the mass of
/// its bodies, and an energy no larger than that of free flight.
#[test]
fn islands_are_those_of_the_cpu() {
    struct Watch<'a>(&'a Model);
    impl Job for Watch<'_> {
        type Output = Vec<[Vec<u32>; 4]>;
        fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output {
            let mut scene = from_the_air(gpu, self.0, 4096);
            let mut step = || {
                Scene::steps(&mut scene, 2, H, 4).unwrap();
                scene.island_words().unwrap()
            };
            (0..20).map(|_| step()).collect()
        }
    }
    let mut scene = ModelBuilder::new();
    scene.ground();
    for i in 0..16 {
        let (heap, k) = (i % 2, i / 2);
        let at = DVec3::new(
            20.0 * f64::from(heap) + 0.7 * f64::from(k % 4),
            0.1 * f64::from(k),
            0.55 + 1.1 * f64::from(k / 4),
        );
        scene.add_body(BodyDef::dynamic(format!("{i}")).at(at).cuboid(DVec3::splat(0.4)).mass(1.0 + f64::from(k)));
    }
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let at = DVec3::new(0.9 * side, 0.2 * side, 40.0);
        scene.add_body(BodyDef::dynamic(name).at(at).cuboid(DVec3::splat(0.5)).velocity(DVec3::X * -2.0 * side));
    }
    let model = scene.finalize().unwrap();
    let device = open_from_environment().unwrap_or_else(|error| panic!("{error}"));
    let moves: Vec<bool> = (0..=model.body_count()).map(|slot| slot < model.body_count()).collect();
    let (mut floated, mut rested) = (0, 0);
    for [ends, label, supported, sums] in device.run(Watch(&model)) {
        let mut islands = Islands::default();
        islands.build(&moves, ends.chunks_exact(2).map(|two| [two[0], two[1]]), [].into_iter());
        for body in 0..model.body_count() {
            let leader = islands.leader(body);
            if !islands.touched(body) {
                assert_eq!(label[body], NO_LABEL);
                continue;
            }
            assert_eq!(label[body] as usize, leader);
            assert_eq!(supported[leader] == 1, islands.supported(body));
            floated += usize::from(islands.floats(body));
            rested += usize::from(islands.supported(body));
            if leader != body {
                continue;
            }
            let number = |at: u32| sum_of(&sums[leader * ISLAND_WORDS as usize + at as usize..][..3]);
            let mass: f64 =
                (0..model.body_count()).filter(|&b| islands.leader(b) == leader).map(|b| model.body_mass[b]).sum();
            // Counted so that the largest power of two up to the heaviest body is 2³⁶; single precision adds up what comes before.
            let unit = model.body_mass.iter().copied().fold(0.0, f64::max).log2().floor().exp2() / 36_f64.exp2();
            assert!((number(0) * unit / mass - 1.0).abs() < 1e-6, "{} kg for {mass}", number(0) * unit);
            let [free, reached] = [ISLAND_ENERGIES, ISLAND_ENERGIES + SUM_WORDS].map(number);
            assert!(reached >= 0.0 && free > 0.0, "{reached} and {free}");
        }
    }
    assert!(floated > 4 && rested > 20, "{floated} and {rested}");
}

/// Room that the device has not is an error that says how much would be needed; the scene goes on as it was.
#[test]
fn too_little_memory_is_an_error_and_the_scene_goes_on() {
    struct Ask<'a>(&'a Model);
    impl Job for Ask<'_> {
        type Output = (DeviceError, Memory, Memory);
        fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Self::Output {
            let mut scene = from_the_air(gpu, self.0, 4096);
            Scene::steps(&mut scene, 30, H, 4).unwrap();
            let error = scene.reserve(1_000_000_000).unwrap_err();
            Scene::steps(&mut scene, 30, H, 4).unwrap();
            let mut undisturbed = from_the_air(gpu, self.0, 4096);
            Scene::steps(&mut undisturbed, 60, H, 4).unwrap();
            (error, Scene::memory(&mut scene).unwrap(), Scene::memory(&mut undisturbed).unwrap())
        }
    }
    let device = open_from_environment().unwrap_or_else(|error| panic!("{error}"));
    let model = layers();
    let (error, scene, undisturbed) = device.run(Ask(&model));
    assert!(error.to_string().contains("1000000000 pairs") && error.to_string().contains("GB"), "{error}");
    assert_eq!(scene, undisturbed);
}
