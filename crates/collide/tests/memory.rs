//! What is remembered between steps: snapshots, resets, events, steady memory.

mod support;

use drystone_collide::{Collide, CollideOptions, RestoreError};
use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_model::State;
use drystone_model::contacts::UNMATCHED;
use support::{Random, Scene, cube};

const DT: f64 = 1.0 / 60.0;

fn heap() -> Scene {
    let mut scene = Scene::new(DVec3::new(0.0, 0.0, -9.81));
    scene.ground();
    let mut random = Random::new(2);
    for i in 0..60 {
        let position = DVec3::new(f64::from(i % 3), f64::from(i / 3 % 4), 0.5 + 0.98 * f64::from(i / 12));
        let turn = DQuat::from_scaled_axis(random.vector(0.1));
        scene.add(cube(0.5), Pose::from_parts(position, turn));
    }
    scene
}

fn shaken(scene: &Scene, frame: u64) -> State {
    let mut random = Random::new(frame + 1);
    let mut state = scene.state();
    for pose in &mut state.body_q {
        pose.translation += random.vector(2e-3);
        pose.rotation = DQuat::from_scaled_axis(random.vector(2e-3)) * pose.rotation;
    }
    state
}

#[test]
fn a_run_resumes_bit_for_bit_from_a_snapshot() {
    let scene = heap();
    let mut through = Collide::new(&scene.model, CollideOptions::default());
    let mut resumed = Collide::new(&scene.model, CollideOptions::default());
    for frame in 0..20 {
        through.detect(&scene.model, &shaken(&scene, frame), DT);
        if frame == 9 {
            resumed.restore(&through.snapshot()).expect("a good snapshot");
            assert_eq!(resumed.contacts, through.contacts);
        }
        if frame > 9 {
            resumed.detect(&scene.model, &shaken(&scene, frame), DT);
            assert!(resumed.contacts == through.contacts, "frame {frame}");
        }
    }
}

#[test]
fn bad_snapshots_are_refused() {
    let scene = heap();
    let mut collide = Collide::new(&scene.model, CollideOptions::default());
    collide.detect(&scene.model, &scene.state(), DT);
    let good = collide.snapshot();
    for bytes in [&[][..], &good[..good.len() / 2], &[255; 64]] {
        assert!(matches!(collide.restore(bytes), Err(RestoreError::Damaged(_))));
    }
    let other = Scene::new(DVec3::ZERO);
    let mut small = Collide::new(&other.model, CollideOptions::default());
    assert!(matches!(small.restore(&good), Err(RestoreError::OtherModel { .. })));
}

#[test]
fn a_world_that_is_reset_matches_nothing_once() {
    let scene = heap();
    let mut collide = Collide::new(&scene.model, CollideOptions::default());
    let lost = |collide: &Collide| collide.contacts.point_match.iter().filter(|&&m| m == UNMATCHED).count();
    collide.detect(&scene.model, &scene.state(), DT);
    collide.detect(&scene.model, &scene.state(), DT);
    assert_eq!(lost(&collide), 0);
    collide.reset_world(0);
    collide.detect(&scene.model, &scene.state(), DT);
    assert_eq!(lost(&collide), collide.contacts.point_count());
    collide.detect(&scene.model, &scene.state(), DT);
    assert_eq!(lost(&collide), 0);
}

#[test]
fn memory_stops_growing() {
    let scene = heap();
    let mut collide = Collide::new(&scene.model, CollideOptions::default());
    for frame in 0..60 {
        collide.detect(&scene.model, &shaken(&scene, frame), DT);
        assert!(frame < 30 || collide.growth_count == 0, "grew in frame {frame}");
    }
}

#[test]
fn bodies_out_of_the_simulation_touch_nothing() {
    let scene = heap();
    let mut collide = Collide::new(&scene.model, CollideOptions::default());
    let mut state = scene.state();
    state.body_q[3].translation.x = f64::NAN;
    state.body_quarantined[7] = true;
    collide.detect(&scene.model, &state, DT);
    let contacts = &collide.contacts;
    assert!(contacts.point_count() > 100);
    for body in [3, 7] {
        assert!(!contacts.manifold_body0.contains(&body) && !contacts.manifold_body1.contains(&body));
    }
}
