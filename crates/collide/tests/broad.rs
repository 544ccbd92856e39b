//! The broad phase against all pairs, and the same bits for any number of threads.

mod support;

use std::sync::Arc;

use drystone_collide::{Collide, CollideOptions};
use drystone_geometry::{DQuat, DVec3, Heightfield, Pose, Shape};
use drystone_model::{BodyKind, Contacts, Model, State, Twist, WORLD};
use support::{Random, Scene, box_hull, smooth_shape};

const DT: f64 = 1.0 / 60.0;

fn random_shape(random: &mut Random) -> Shape {
    let mut size = || random.range(0.1, 0.6);
    match (size() * 1e6) as usize % 8 {
        kind @ 0..6 => smooth_shape(kind, size),
        6 => box_hull(DVec3::new(size(), size(), size())),
        _ => {
            let mesh = Shape::Box { half: DVec3::new(size(), size(), size()) }.to_mesh(&Default::default());
            Shape::Mesh(Arc::new(mesh))
        }
    }
}

/// Two worlds, all shapes, several per body, groups, filters, skins, moving and turning bodies.
fn random_scene(seed: u64, count: usize) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::new(DVec3::new(0.0, 0.0, -9.81));
    scene.model.world_gravity.push(DVec3::ZERO);
    scene.ground();
    let field = Heightfield { columns: 5, rows: 5, spacing: [1.0, 1.0], heights: vec![-1.0; 25] };
    let terrain = scene.shape(WORLD, Shape::Heightfield(Arc::new(field)), Pose::identity());
    scene.model.shape_world[terrain] = 1;
    for i in 0..count {
        let kind = [BodyKind::Dynamic, BodyKind::Dynamic, BodyKind::Kinematic, BodyKind::Static][i % 4];
        let pose = random.pose(4.0);
        let body = scene.body(kind, pose);
        let world = (i % 2) as u32;
        scene.model.body_world[body as usize] = world;
        if kind != BodyKind::Static {
            scene.model.body_qd[body as usize] = Twist { linear: random.vector(5.0), angular: random.vector(5.0) };
        }
        for _ in 0..1 + i % 2 {
            let (shape, pose) = (random_shape(&mut random), random.pose(0.5));
            let shape = scene.shape(body, shape, pose);
            scene.model.shape_world[shape] = world;
            scene.model.shape_group[shape] = 1 << (random.bits() % 3);
            scene.model.shape_mask[shape] = (random.bits() % 8) as u32;
            scene.model.shape_margin[shape] = random.range(0.0, 0.05);
        }
    }
    let shapes = scene.model.shape_count() as u64;
    let mut filter: Vec<(u32, u32)> = (0..10 * count)
        .map(|_| ((random.bits() % shapes) as u32, (random.bits() % shapes) as u32))
        .filter(|(a, b)| a < b)
        .collect();
    filter.sort_unstable();
    filter.dedup();
    scene.model.shape_filter = filter;
    scene
}

fn dynamic(model: &Model, shape: usize) -> bool {
    let body = model.shape_body[shape];
    body != WORLD && model.body_kind[body as usize] == BodyKind::Dynamic
}

fn allowed(model: &Model, a: usize, b: usize) -> bool {
    (dynamic(model, a) || dynamic(model, b))
        && model.shape_body[a] != model.shape_body[b]
        && model.shape_world[a] == model.shape_world[b]
        && model.shape_group[a] & model.shape_mask[b] != 0
        && model.shape_group[b] & model.shape_mask[a] != 0
        && !model.shape_filter.contains(&(a as u32, b as u32))
}

fn unbounded(model: &Model, shape: usize) -> bool {
    matches!(model.shape_geometry[shape], Shape::HalfSpace | Shape::Heightfield(_))
}

fn moved(scene: &Scene, random: &mut Random, size: f64) -> State {
    let mut state = scene.state();
    for (body, pose) in state.body_q.iter_mut().enumerate() {
        if scene.model.body_kind[body] != BodyKind::Static {
            pose.translation += random.vector(size);
            pose.rotation = DQuat::from_scaled_axis(random.vector(size)) * pose.rotation;
        }
    }
    state
}

#[test]
fn pairs_are_those_of_brute_force() {
    let mut found = 0;
    for seed in 0..6 {
        let scene = random_scene(seed, 150);
        let model = &scene.model;
        let mut random = Random::new(seed + 100);
        let mut collide = Collide::new(model, CollideOptions { margin: 0.02 });
        // Small moves keep the loose boxes, large ones replace some or all of them.
        for size in [0.0, 0.001, 0.01, 0.05, 0.3, 0.001, 2.0] {
            let state = moved(&scene, &mut random, size);
            collide.detect(model, &state, DT);
            let bounds: Vec<_> = collide.bounds().collect();
            let pairs: Vec<_> = collide.pairs().collect();
            assert!(pairs.is_sorted());
            for a in 0..model.shape_count() {
                for b in a + 1..model.shape_count() {
                    let is_found = pairs.binary_search(&(a, b)).is_ok();
                    if unbounded(model, a) || unbounded(model, b) {
                        assert!(!is_found || allowed(model, a, b));
                    } else {
                        assert_eq!(is_found, allowed(model, a, b) && bounds[a].overlaps(&bounds[b]), "{a} {b}");
                    }
                }
            }
            found += pairs.len();
        }
    }
    assert!(found > 1000, "only {found} pairs: the test shows nothing");
}

/// What touches the ground is paired with it, however the ground decides that.
#[test]
fn nothing_that_touches_unbounded_ground_is_missed() {
    let mut touching = 0;
    for seed in 0..6 {
        let mut scene = random_scene(seed, 150);
        scene.model.shape_mask.fill(u32::MAX);
        scene.model.shape_filter.clear();
        let model = &scene.model;
        let mut collide = Collide::new(model, CollideOptions::default());
        collide.detect(model, &scene.state(), DT);
        let pairs: Vec<_> = collide.pairs().collect();
        let state = scene.state();
        for shape in 2..model.shape_count() {
            let ground = model.shape_world[shape] as usize;
            let pose = state.body_q[model.shape_body[shape] as usize] * model.shape_pose[shape];
            let bounds = model.shape_geometry[shape].aabb(&pose);
            let floor = if ground == 0 { 0.0 } else { -1.0 };
            let over = ground == 0 || (bounds.min.max(-bounds.max).truncate().max_element() < 2.0);
            if dynamic(model, shape) && bounds.min.z < floor && over {
                touching += 1;
                assert!(pairs.contains(&(ground, shape)), "shape {shape}");
            }
        }
    }
    assert!(touching > 50);
}

fn run(threads: usize, scene: &Scene) -> Vec<Contacts> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let mut random = Random::new(1);
        let mut collide = Collide::new(&scene.model, CollideOptions { margin: 0.02 });
        let mut contacts = Vec::new();
        for size in [0.0, 0.01, 0.1, 0.01] {
            collide.detect(&scene.model, &moved(scene, &mut random, size), DT);
            contacts.push(collide.contacts.clone());
        }
        contacts
    })
}

#[test]
fn contacts_do_not_depend_on_the_number_of_threads() {
    let mut scene = random_scene(9, 400);
    scene.model.shape_mask.fill(u32::MAX);
    let one = run(1, &scene);
    assert!(one[3].point_count() > 500, "only {} points", one[3].point_count());
    for threads in [2, 4] {
        assert!(run(threads, &scene) == one, "{threads} threads");
    }
}
