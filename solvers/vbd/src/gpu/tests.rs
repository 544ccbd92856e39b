//! What only the inside of the module can ask for.

use cubecl::prelude::*;
use drystone_device::{Gpu, Job, open_from_environment};
use drystone_model::{BodyDef, DVec3, Model, ModelBuilder};

use super::engine::Resident;
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
        let mut scene = Resident::new(gpu, self.model, self.capacity);
        scene.set_small(self.small);
        scene.set_apart(self.apart);
        let state = self.model.state();
        let fresh = Memory {
            last: vec![0.0; (self.model.body_count() + 1) * 8],
            jolted: vec![0; self.model.body_count() + 1],
            start: vec![0; self.model.shape_count() + 1],
            ..Memory::default()
        };
        scene.take_over(self.model, &state, &fresh).unwrap();
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
