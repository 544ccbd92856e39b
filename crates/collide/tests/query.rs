//! Questions about a whole scene against asking every shape by itself.

mod support;

use std::sync::Arc;

use drystone_collide::{QueryError, QueryFilter, SceneIndex, SceneQuery};
use drystone_geometry::shape::Heightfield;
use drystone_geometry::{DVec3, Pose, Ray, Shape, Tessellation};
use drystone_model::{BodyId, Model, ShapeId, State, WORLD};
use drystone_random::for_seeds;
use support::{Random, Scene, at, cube, smooth_shape};

const ALL: QueryFilter<'static> = QueryFilter::new();

fn some_shape(random: &mut Random, kind: usize) -> Shape {
    let mut size = || random.range(0.1, 0.4);
    match kind % 8 {
        kind @ 0..6 => smooth_shape(kind, size),
        6 => Shape::hull(&(0..12).map(|_| random.vector(0.4)).collect::<Vec<_>>()).expect("twelve points"),
        _ => {
            let ball = Shape::Ellipsoid { radii: DVec3::new(size(), size(), size()) };
            Shape::Mesh(Arc::new(ball.to_mesh(&Tessellation { segments: 12, extent: 1.0 })))
        }
    }
}

/// All kinds of shapes over terrain and a half-space; a tenth of them in a world of their own.
fn scene(seed: u64, count: usize) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::new(DVec3::ZERO);
    scene.model.world_gravity.push(DVec3::ZERO);
    scene.ground();
    let heights: Vec<f64> = (0..36).map(|_| random.range(0.0, 0.6)).collect();
    let field = Heightfield { columns: 6, rows: 6, spacing: [1.0, 1.0], heights };
    scene.shape(WORLD, Shape::heightfield(field).expect("36 heights"), at(0.3, 0.0, 0.4));
    for i in 0..count {
        let shape = some_shape(&mut random, i);
        let mut pose = random.pose(3.0);
        pose.translation.z += 3.0;
        let shape = scene.add(shape, pose);
        scene.model.shape_world[shape] = u32::from(i % 10 == 0);
        scene.model.shape_group[shape] = 1 << (i % 3);
    }
    scene
}

fn pose_of(model: &Model, state: &State, shape: usize) -> Pose {
    match model.shape_body[shape] {
        WORLD => model.shape_pose[shape],
        body => state.body_q[body as usize] * model.shape_pose[shape],
    }
}

fn in_world(model: &Model, world: u32) -> impl Iterator<Item = usize> {
    (0..model.shape_count()).filter(move |&s| model.shape_world[s] == world)
}

#[test]
fn rays_are_those_of_the_shape_met_first() {
    let scene = scene(4, 160);
    let (model, state) = (&scene.model, scene.state());
    let query = SceneQuery::new(model, &state);
    let mut random = Random::new(6);
    let (mut met, mut inside) = (vec![0; model.shape_count()], 0);
    for k in 0..1000 {
        let origin = random.vector(4.0) + DVec3::Z * 4.0;
        let ray = Ray::new(origin, random.direction() * random.range(0.1, 3.0));
        let world = u32::from(k % 5 == 0);
        let expected = in_world(model, world)
            .filter_map(|s| {
                let hit = model.shape_geometry[s].cast_ray(&pose_of(model, &state, s), &ray, 10.0)?;
                Some((hit.time, s as u32))
            })
            .min_by(|a, b| a.partial_cmp(b).expect("finite times"));
        let found = query.cast_ray(&ray, 10.0, &ALL.world(world)).expect("a sound ray");
        assert_eq!(found.map(|hit| (hit.time, hit.shape.0)), expected, "ray {k}");
        if let Some(hit) = found {
            let s = hit.shape.built_index();
            let alone = model.shape_geometry[s].cast_ray(&pose_of(model, &state, s), &ray, 10.0).expect("it was hit");
            assert!(hit.normal.distance(alone.normal) < 1e-12, "ray {k}");
            met[hit.shape.built_index()] += 1;
            inside += usize::from(hit.normal.dot(ray.direction) > 0.0);
            assert_eq!((hit.point, hit.body.0), (ray.at(hit.time), model.shape_body[hit.shape.built_index()]));
        }
    }
    assert!(inside > 20, "rays from inside: {inside}");
    for kind in 0..8 {
        let hits: usize = (2 + kind..model.shape_count()).step_by(8).map(|s| met[s]).sum();
        assert!(hits > 5, "kind {kind} was met {hits} times");
    }
    assert!(met[1] > 20, "terrain was met {} times", met[1]);
}

#[test]
fn nearest_points_are_those_of_the_nearest_shape() {
    for_seeds(2, nearest_points);
}

fn nearest_points(random: &mut Random) {
    let scene = scene(random.bits(), 160);
    let (model, state) = (&scene.model, scene.state());
    let query = SceneQuery::new(model, &state);
    let (mut found_any, mut inside) = (0, 0);
    for k in 0..600 {
        // Where the shapes are: about one point in ten is inside one.
        let point = random.vector(3.0) + DVec3::Z * 3.0;
        let reach = if k % 2 == 0 { f64::INFINITY } else { 0.3 };
        let project = |s: usize| model.shape_geometry[s].project(&pose_of(model, &state, s), point).distance;
        let expected = in_world(model, 0)
            .map(|s| (project(s), s as u32))
            .filter(|&(distance, _)| distance <= reach)
            .min_by(|a, b| a.partial_cmp(b).expect("finite distances"));
        let found = query.nearest(point, reach, &ALL).expect("a sound point");
        assert_eq!(found.map(|hit| (hit.distance, hit.shape.0)), expected);
        found_any += usize::from(k % 2 == 1 && found.is_some());
        inside += usize::from(found.is_some_and(|hit| hit.distance < 0.0));

        let holding: Vec<ShapeId> =
            in_world(model, 0).filter(|&s| project(s) <= 0.0).map(|s| ShapeId(s as u32)).collect();
        assert_eq!(query.shapes_at(point, &ALL).expect("a sound point"), holding);
    }
    assert!(found_any > 60 && inside > 30, "{found_any} {inside}");
}

/// A ball overlaps what its middle is nearer to than its radius.
#[test]
fn overlaps_of_a_ball_are_the_shapes_near_its_middle() {
    let scene = scene(9, 160);
    let (model, state) = (&scene.model, scene.state());
    let query = SceneQuery::new(model, &state);
    let mut random = Random::new(10);
    let mut overlaps = 0;
    for _ in 0..300 {
        let (middle, radius) = (random.vector(3.0) + DVec3::Z * 3.5, random.range(0.05, 0.8));
        let near = |s: &usize| model.shape_geometry[*s].project(&pose_of(model, &state, *s), middle).distance;
        // From below the border of terrain nothing is touched: it has no underside.
        let beside = middle.truncate().abs().max_element() > 1.6;
        let counts = |shape: ShapeId| shape.0 != 1 || !beside;
        let expected: Vec<u32> =
            in_world(model, 0).filter(|&s| counts(ShapeId(s as u32)) && near(&s) <= radius).map(|s| s as u32).collect();
        let at = Pose::from_translation(middle);
        let found = query.overlaps(&Shape::Sphere { radius }, &at, &ALL.only(&counts)).expect("a ball");
        assert_eq!(found.iter().map(|shape| shape.0).collect::<Vec<_>>(), expected, "at {middle}, radius {radius}");
        overlaps += found.len();
    }
    assert!(overlaps > 300, "{overlaps}");
}

/// A ball swept along a line: its middle may be moved by its distance to the scene at a time and never beyond.
#[test]
fn a_swept_ball_stops_where_its_middle_is_a_radius_away() {
    let scene = scene(11, 160);
    let (model, state) = (&scene.model, scene.state());
    let query = SceneQuery::new(model, &state);
    let mut random = Random::new(12);
    let mut met = vec![0; model.shape_count()];
    for k in 0..400 {
        let radius = random.range(0.05, 0.3);
        let start = random.vector(4.0) + DVec3::Z * 5.0;
        let direction = random.direction();
        let gap = |t: f64| {
            let middle = start + t * direction;
            let distance = |s: usize| model.shape_geometry[s].project(&pose_of(model, &state, s), middle).distance;
            in_world(model, 0).map(distance).fold(f64::INFINITY, f64::min) - radius
        };
        if gap(0.0) <= 0.0 {
            continue; // what it overlaps at the start has rules of its own
        }
        let mut time = 0.0;
        while time < 8.0 && gap(time) > 1e-7 {
            time += gap(time);
        }
        let pose = Pose::from_translation(start);
        let found = query.cast_shape(&Shape::Sphere { radius }, &pose, direction, 8.0, &ALL).expect("a ball");
        match found {
            // A graze is found by one and missed by the other.
            None => assert!(time >= 8.0 || gap(time + 1e-4) > -1e-6, "sweep {k} missed at {time}"),
            Some(hit) => {
                let (close, into) = (gap(hit.time).abs(), -hit.normal.dot(direction));
                let late = (hit.time - time) * into;
                assert!(close < 1e-6 && late < 1e-6, "sweep {k}: {} {time}, gap {close:e}", hit.time);
                let middle = start + hit.time * direction;
                assert!((hit.point.distance(middle) - radius).abs() < 1e-6, "sweep {k}");
                assert!((hit.point + radius * hit.normal).distance(middle) < 1e-4, "sweep {k}");
                met[hit.shape.built_index()] += 1;
            }
        }
    }
    for kind in 0..8 {
        let hits: usize = (2 + kind..model.shape_count()).step_by(8).map(|s| met[s]).sum();
        assert!(hits > 3, "kind {kind} was met {hits} times");
    }
    assert!(met[1] > 3, "terrain was met {} times", met[1]);
}

/// Before the time that is told nothing overlaps, and just after it something does.
#[test]
fn swept_shapes_stop_at_the_first_overlap() {
    let scene = scene(13, 120);
    let (model, state) = (&scene.model, scene.state());
    let query = SceneQuery::new(model, &state);
    let mut random = Random::new(14);
    let mut hits = 0;
    for k in 0..240 {
        // Everything that is convex; meshes are refused.
        let shape = some_shape(&mut random, k % 7);
        let mut pose = random.pose(4.0);
        pose.translation.z += 5.0;
        let direction = random.direction();
        let overlaps = |t: f64| {
            let moved = Pose { translation: pose.translation + t * direction, ..pose };
            query.overlaps(&shape, &moved, &ALL).expect("a sound shape")
        };
        if !overlaps(0.0).is_empty() {
            continue;
        }
        let found = query.cast_shape(&shape, &pose, direction, 6.0, &ALL).expect("a convex shape");
        let end = found.map_or(6.0, |hit| hit.time);
        for part in 0..24 {
            let time = (end - 1e-5) * f64::from(part) / 24.0;
            assert!(overlaps(time).is_empty(), "sweep {k} passes {:?} at {time} of {end}", overlaps(time));
        }
        if let Some(hit) = found {
            hits += 1;
            let into = -hit.normal.dot(direction);
            assert!(into > 0.0);
            let after = overlaps(end + 1e-4 / into.max(0.05));
            assert!(into < 0.05 || after.contains(&hit.shape), "sweep {k} stops at {end} before {:?}", hit.shape);
        }
    }
    assert!(hits > 60, "{hits}");
}

#[test]
fn what_touches_at_the_start_is_met_only_by_going_deeper() {
    let mut scene = Scene::new(DVec3::ZERO);
    scene.ground();
    scene.add(cube(0.5), at(2.0, 0.0, 0.5));
    let state = scene.state();
    let query = SceneQuery::new(&scene.model, &state);
    let sweep = |pose: Pose, direction: DVec3| {
        let hit = query.cast_shape(&cube(0.5), &pose, direction, 10.0, &ALL).expect("a box");
        hit.map(|hit| (hit.shape.0, (1e6 * hit.time).round() / 1e6))
    };
    let on_ground = at(0.0, 0.0, 0.5);
    assert_eq!(sweep(on_ground, DVec3::X), Some((1, 1.0))); // slides along the ground, up to the box
    assert_eq!(sweep(on_ground, DVec3::NEG_X), None);
    assert_eq!(sweep(on_ground, DVec3::NEG_Z), Some((0, 0.0)));
    assert_eq!(sweep(at(1.1, 0.0, 2.0), DVec3::NEG_Z), Some((1, 0.5)));
    let in_box = at(1.1, 0.0, 0.6); // 0.1 deep
    assert_eq!(sweep(in_box, DVec3::X), Some((1, 0.0)));
    assert_eq!(sweep(in_box, DVec3::NEG_X), None);
    assert_eq!(sweep(in_box, DVec3::NEG_Z), Some((0, 0.1)));
}

#[test]
fn overlaps_and_contacts_are_found_and_near_misses_are_not() {
    let mut scene = Scene::new(DVec3::ZERO);
    scene.ground();
    scene.add(cube(0.5), at(0.0, 0.0, 1.0));
    scene.add(Shape::Sphere { radius: 0.5 }, at(2.0, 0.0, 1.0));
    scene.add(Shape::Mesh(Arc::new(cube(2.0).to_mesh(&Tessellation::default()))), at(20.0, 0.0, 5.0));
    let state = scene.state();
    let query = SceneQuery::new(&scene.model, &state);
    let overlaps = |shape: &Shape, pose: Pose| query.overlaps(shape, &pose, &ALL).expect("a sound shape");
    assert_eq!(overlaps(&cube(0.6), at(1.0, 0.0, 1.0)), [ShapeId(1), ShapeId(2)]);
    assert_eq!(overlaps(&cube(0.6), at(1.0, 0.0, 0.5)), [ShapeId(0), ShapeId(1), ShapeId(2)]);
    assert_eq!(overlaps(&Shape::Sphere { radius: 0.49 }, at(1.0, 0.0, 1.0)), []);
    // Wholly inside a mesh, and a mesh wholly inside.
    assert_eq!(overlaps(&cube(0.1), at(20.0, 0.0, 5.0)), [ShapeId(3)]);
    assert_eq!(overlaps(&cube(3.0), at(20.0, 0.0, 5.0)), [ShapeId(3)]);
    let near = query.contacts(&cube(0.4), &at(1.0, 0.0, 1.0), 0.2, &ALL).expect("a box");
    let told: Vec<(u32, DVec3)> = near.iter().map(|contact| (contact.shape.0, contact.normal)).collect();
    assert_eq!(told, [(1, DVec3::X), (2, DVec3::NEG_X)]);
    assert!(near.iter().all(|contact| (contact.distance - 0.1).abs() < 1e-9), "{near:?}");
    let deep = query.contacts(&cube(0.6), &at(1.0, 0.0, 1.0), 0.0, &ALL).expect("a box");
    assert!((deep[0].distance + 0.1).abs() < 1e-9 && deep[0].normal == DVec3::X, "{deep:?}");
}

#[test]
fn an_index_that_follows_answers_like_a_fresh_one() {
    let mut scene = scene(15, 120);
    scene.model.shape_sensor[20] = true;
    let (model, mut state) = (&scene.model, scene.state());
    let mut index = SceneIndex::new(model, &state);
    let mut random = Random::new(16);
    for round in 0..12 {
        for pose in &mut state.body_q {
            // Small moves refit the tree, a large one wears it out.
            *pose = if round == 6 { random.pose(4.0) } else { *pose };
            pose.translation += random.vector(0.1);
        }
        state.body_quarantined[5] = round % 2 == 1;
        assert!(!index.is_at(model, &state));
        index.update(model, &state);
        assert!(index.is_at(model, &state));
        let kept = SceneQuery::of(model, Arc::new(index.clone()), None);
        let fresh = SceneQuery::new(model, &state);
        let rays: Vec<Ray> = (0..200).map(|_| Ray::new(random.vector(5.0), random.direction())).collect();
        let points: Vec<DVec3> = rays.iter().map(|ray| ray.origin).collect();
        assert_eq!(kept.cast_rays(&rays, 20.0, &ALL), fresh.cast_rays(&rays, 20.0, &ALL));
        assert_eq!(kept.nearest_many(&points, 2.0, &ALL), fresh.nearest_many(&points, 2.0, &ALL));
    }
}

#[test]
fn batches_are_in_order_for_any_number_of_threads() {
    let scene = scene(17, 120);
    let (model, state) = (&scene.model, scene.state());
    let index = Arc::new(SceneIndex::new(model, &state));
    let mut random = Random::new(18);
    let rays: Vec<Ray> = (0..500).map(|_| Ray::new(random.vector(5.0), random.direction())).collect();
    let ways: Vec<(Pose, DVec3)> = (0..100).map(|_| (random.pose(5.0), random.direction())).collect();
    let poses: Vec<Pose> = ways.iter().map(|way| way.0).collect();
    let one_by_one = SceneQuery::new(model, &state);
    let alone: Vec<_> = rays.iter().map(|ray| one_by_one.cast_ray(ray, 20.0, &ALL).expect("a ray")).collect();
    let (shape, reach) = (cube(0.3), 20.0);
    let swept: Vec<_> =
        ways.iter().map(|(pose, way)| one_by_one.cast_shape(&shape, pose, *way, reach, &ALL).expect("a box")).collect();
    let overlapped: Vec<_> = poses.iter().map(|pose| one_by_one.overlaps(&shape, pose, &ALL).expect("a box")).collect();
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let query = SceneQuery::of(model, index.clone(), Some(&pool));
        assert_eq!(query.cast_rays(&rays, reach, &ALL).expect("rays"), alone, "{threads} threads");
        assert_eq!(query.cast_shapes(&shape, &ways, reach, &ALL).expect("boxes"), swept, "{threads} threads");
        assert_eq!(query.overlaps_many(&shape, &poses, &ALL).expect("boxes"), overlapped, "{threads} threads");
    }
}

#[test]
fn filters_leave_out_what_they_say() {
    let mut scene = Scene::new(DVec3::ZERO);
    scene.ground();
    for x in 1..7 {
        scene.add(cube(0.25), at(f64::from(x), 0.0, 1.0));
    }
    let model = &mut scene.model;
    model.shape_sensor[1] = true;
    model.shape_group[2] = 0b100;
    model.shape_mask[3] = 0b1000;
    model.shape_world[4] = 1;
    let (model, state) = (&scene.model, scene.state());
    let query = SceneQuery::new(model, &state);
    let along = Ray::new(DVec3::Z, DVec3::X);
    let first = |filter: &QueryFilter| query.cast_ray(&along, 100.0, filter).expect("a ray").map(|hit| hit.shape.0);
    assert_eq!(first(&ALL), Some(2));
    assert_eq!(first(&ALL.sensors(true)), Some(1));
    assert_eq!(first(&ALL.groups(1, !0b100)), Some(5)); // not 2 by its group, not 3 by its mask, not 4 by its world
    assert_eq!(first(&ALL.groups(1, !0b100).any_group()), Some(2)); // what an eye sees
    assert_eq!(first(&ALL.any_group().groups(1, !0b100)), Some(5)); // what is said last counts
    assert_eq!(first(&ALL.world(1_u32)), Some(4));
    assert_eq!(first(&ALL.world(7_u32)), None);
    assert_eq!(first(&ALL.all_worlds().groups(1, !0b100)), Some(4));
    assert_eq!(first(&ALL.without(&[BodyId(1), BodyId(2)])), Some(5));
    let odd = |shape: ShapeId| shape.0 % 2 == 1;
    assert_eq!(first(&ALL.only(&odd)), Some(3));
    let down = Ray::new(DVec3::Z, DVec3::NEG_Z);
    assert!(query.cast_ray(&down, 10.0, &ALL).expect("a ray").is_some());
    assert_eq!(query.cast_ray(&down, 10.0, &ALL.without(&[BodyId::WORLD])), Ok(None));
}

#[test]
fn grazing_rays_and_empty_scenes() {
    let empty = Scene::new(DVec3::ZERO);
    let state = empty.state();
    let query = SceneQuery::new(&empty.model, &state);
    let ray = Ray::new(DVec3::Z * 0.5 - DVec3::X * 3.0, DVec3::X);
    assert_eq!(query.cast_ray(&ray, f64::INFINITY, &ALL), Ok(None));
    assert_eq!(query.nearest(DVec3::ZERO, f64::INFINITY, &ALL), Ok(None));
    assert_eq!(query.overlaps(&cube(1.0), &Pose::IDENTITY, &ALL), Ok(vec![]));
    assert_eq!(query.cast_shape(&cube(1.0), &Pose::IDENTITY, DVec3::X, f64::INFINITY, &ALL), Ok(None));

    // Along a face, along an edge, tangent to a ball, and in the plane of the ground.
    let mut scene = Scene::new(DVec3::ZERO);
    scene.add(cube(0.5), at(0.0, 0.0, 0.0));
    scene.add(Shape::Sphere { radius: 0.5 }, at(2.0, 0.0, 0.0));
    let state = scene.state();
    let query = SceneQuery::new(&scene.model, &state);
    let met = |ray: Ray| query.cast_ray(&ray, 100.0, &ALL).expect("a ray").map(|hit| (hit.shape.0, hit.time));
    assert_eq!(met(ray), Some((0, 2.5)));
    assert_eq!(met(Ray::new(DVec3::new(-3.0, 0.5, 0.5), DVec3::X)), Some((0, 2.5)));
    assert_eq!(met(Ray::new(DVec3::new(2.0, -3.0, 0.5), DVec3::Y)), Some((1, 3.0)));
    assert_eq!(met(Ray::new(DVec3::new(-3.0, 0.0, 0.5 + 1e-9), DVec3::X)), None);
    assert_eq!(met(Ray::new(DVec3::ZERO, DVec3::X)), Some((0, 0.5))); // from inside, where it leaves
}

#[test]
fn bad_questions_are_refused_by_name() {
    let scene = scene(1, 8);
    let state = scene.state();
    let query = SceneQuery::new(&scene.model, &state);
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    let ray = |origin, direction| query.cast_ray(&Ray::new(origin, direction), 1.0, &ALL);
    assert!(matches!(ray(DVec3::ZERO, DVec3::ZERO), Err(QueryError::BadDirection { .. })));
    assert!(matches!(ray(DVec3::ZERO, nan), Err(QueryError::BadDirection { .. })));
    assert!(matches!(ray(nan, DVec3::X), Err(QueryError::BadPlace { .. })));
    let up = Ray::new(DVec3::ZERO, DVec3::Z);
    assert!(matches!(query.cast_ray(&up, -1.0, &ALL), Err(QueryError::BadBound { .. })));
    assert!(matches!(query.cast_ray(&up, f64::NAN, &ALL), Err(QueryError::BadBound { .. })));
    assert!(matches!(query.nearest(nan, 1.0, &ALL), Err(QueryError::BadPlace { .. })));
    let cast = |shape: &Shape| query.cast_shape(shape, &Pose::IDENTITY, DVec3::X, 1.0, &ALL);
    assert!(matches!(cast(&Shape::HalfSpace), Err(QueryError::CannotAsk { .. })));
    assert!(matches!(cast(&some_shape(&mut Random::new(1), 7)), Err(QueryError::CannotAsk { .. })));
    assert!(matches!(cast(&Shape::Sphere { radius: -1.0 }), Err(QueryError::BadShape(_))));
    assert!(matches!(query.overlaps(&Shape::HalfSpace, &Pose::IDENTITY, &ALL), Err(QueryError::CannotAsk { .. })));
    assert!(matches!(
        query.contacts(&cube(1.0), &Pose::IDENTITY, f64::INFINITY, &ALL),
        Err(QueryError::BadBound { .. })
    ));
    let rays = [up, Ray::new(DVec3::ZERO, DVec3::ZERO), Ray::new(nan, DVec3::X)];
    let error = query.cast_rays(&rays, 1.0, &ALL).expect_err("the second ray goes nowhere");
    assert!(matches!(&error, QueryError::InBatch { index: 1, .. }), "{error}");
    assert!(error.to_string().contains("item 1") && error.to_string().contains("direction of the ray"), "{error}");
}
