//! Questions about a whole scene against asking every shape.

mod support;

use drystone_collide::SceneQuery;
use drystone_geometry::{DVec3, Ray, Shape};
use support::{Random, Scene, at, cube};

fn scene() -> Scene {
    let mut random = Random::new(4);
    let mut scene = Scene::new(DVec3::ZERO);
    scene.ground();
    for i in 0..80 {
        let mut size = || random.range(0.1, 0.4);
        let shape = match i % 4 {
            0 => Shape::Sphere { radius: size() },
            1 => Shape::Box { half: DVec3::new(size(), size(), size()) },
            2 => Shape::Capsule { radius: size(), half_height: size() },
            _ => Shape::Cylinder { radius: size(), half_height: size() },
        };
        let mut pose = random.pose(3.0);
        pose.translation.z += 3.0;
        let shape = scene.add(shape, pose);
        scene.model.shape_world[shape] = u32::from(i % 10 == 0);
    }
    scene
}

#[test]
fn rays_and_nearest_points_are_those_of_the_best_shape() {
    let scene = scene();
    let (model, state) = (&scene.model, scene.state());
    let query = SceneQuery::new(model, &state);
    let pose = |s: usize| if s == 0 { at(0.0, 0.0, 0.0) } else { state.body_q[s - 1] };
    let mut random = Random::new(6);
    let mut hits = 0;
    for _ in 0..300 {
        let ray = Ray::new(random.vector(4.0) + DVec3::Z * 4.0, random.direction());
        let expected = (0..model.shape_count())
            .filter(|&s| model.shape_world[s] == 0)
            .filter_map(|s| model.shape_geometry[s].cast_ray(&pose(s), &ray, 10.0).map(|hit| (hit.time, s as u32)))
            .min_by(|a, b| a.partial_cmp(b).expect("finite times"));
        let found = query.cast_ray(0, &ray, 10.0);
        assert_eq!(found.map(|hit| (hit.time, hit.shape)), expected);
        hits += usize::from(found.is_some());

        let point = ray.origin;
        let expected = (0..model.shape_count())
            .filter(|&s| model.shape_world[s] == 0)
            .map(|s| (model.shape_geometry[s].project(&pose(s), point).distance, s as u32))
            .filter(|&(distance, _)| distance <= 0.5)
            .min_by(|a, b| a.partial_cmp(b).expect("finite distances"));
        assert_eq!(query.nearest(0, point, 0.5).map(|hit| (hit.distance, hit.shape)), expected);
    }
    assert!(hits > 50);
}

#[test]
fn overlaps_are_found_and_near_misses_are_not() {
    let mut scene = Scene::new(DVec3::ZERO);
    scene.ground();
    scene.add(cube(0.5), at(0.0, 0.0, 1.0));
    scene.add(Shape::Sphere { radius: 0.5 }, at(2.0, 0.0, 1.0));
    let state = scene.state();
    let query = SceneQuery::new(&scene.model, &state);
    assert_eq!(query.overlaps(0, &cube(0.6), &at(1.0, 0.0, 1.0)), [1, 2]);
    assert_eq!(query.overlaps(0, &cube(0.6), &at(1.0, 0.0, 0.5)), [0, 1, 2]);
    assert_eq!(query.overlaps(0, &Shape::Sphere { radius: 0.49 }, &at(1.0, 0.0, 1.0)), [] as [u32; 0]);
    assert_eq!(query.overlaps(1, &cube(0.6), &at(1.0, 0.0, 0.5)), [] as [u32; 0]);
}
