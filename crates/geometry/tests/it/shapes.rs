//! Shape queries against each other and against tessellations.

use drystone_geometry::distance::point_triangle;
use drystone_geometry::{Aabb, DQuat, DVec3, Heightfield, Pose, Ray, Shape, ShapeError, Tessellation};

use crate::common::{Random, assert_close, assert_near, hills, primitives, random_hull};

fn bounded(random: &mut Random) -> Vec<Shape> {
    let mut shapes = primitives();
    shapes.push(random_hull(random, 40));
    shapes.push(Shape::mesh(random_hull(random, 40).to_mesh(&Tessellation::default())).unwrap());
    shapes
}

#[test]
fn bounds_touch_the_placed_shape_on_all_six_sides() {
    let mut random = Random::new(1);
    for shape in bounded(&mut random) {
        for _ in 0..50 {
            let pose = random.pose(3.0);
            let bounds = shape.aabb(&pose);
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let reach = |d: DVec3| {
                    let local = shape.support(pose.inverse_transform_vector(d));
                    pose.transform_point(local).dot(d)
                };
                assert_close(bounds.max.dot(axis), reach(axis), 1e-14, "upper side");
                assert_close(bounds.min.dot(axis), -reach(-axis), 1e-14, "lower side");
            }
        }
    }
}

#[test]
fn support_points_lie_on_the_surface_and_beyond_every_other_point() {
    let mut random = Random::new(2);
    for shape in bounded(&mut random) {
        let mesh = shape.to_mesh(&Tessellation { segments: 64, ..Default::default() });
        for _ in 0..100 {
            let direction = random.direction() * 10f64.powf(5.0 * random.signed());
            let support = shape.support(direction);
            let unit = direction.normalize();
            let furthest = mesh.vertices.iter().map(|v| v.dot(unit)).fold(f64::NEG_INFINITY, f64::max);
            assert!(support.dot(unit) >= furthest - 1e-15, "{shape:?} {direction}");
            assert!(support.dot(unit) <= furthest + 0.02, "{shape:?} {direction}");
            assert_close(shape.project(&Pose::IDENTITY, support).distance, 0.0, 1e-14, "on the surface");
        }
        assert!(shape.support(DVec3::ZERO).is_finite());
    }
}

#[test]
fn tessellations_are_closed_outward_and_on_the_surface() {
    let mut random = Random::new(3);
    for shape in bounded(&mut random) {
        for segments in [0, 3, 4, 7, 32] {
            let mesh = shape.to_mesh(&Tessellation { segments, ..Default::default() });
            assert_eq!(mesh.check(), Ok(()), "{shape:?} {segments}");
            for v in &mesh.vertices {
                assert_close(shape.project(&Pose::IDENTITY, *v).distance, 0.0, 1e-14, "vertex on the surface");
            }
        }
    }
    let ground = Shape::HalfSpace.to_mesh(&Tessellation { extent: 3.0, ..Default::default() });
    assert_eq!((ground.area(), ground.normal(0)), (36.0, DVec3::Z));
    let terrain = hills().to_mesh(&Tessellation::default());
    assert!((0..terrain.triangles.len()).all(|t| terrain.normal(t).z > 0.0));
}

#[test]
fn volumes_equal_mass_at_unit_density() {
    let mut random = Random::new(4);
    for shape in bounded(&mut random) {
        assert_close(shape.volume(), shape.mass_properties(1.0).unwrap().mass, 1e-14, "volume");
    }
    assert_eq!(Shape::HalfSpace.volume(), f64::INFINITY);
}

#[test]
fn bad_sizes_are_refused_by_name() {
    let message = |result: Result<Shape, ShapeError>| result.unwrap_err().to_string();
    assert_eq!(message(Shape::sphere(0.0)), "sphere: radius must be positive and finite, but is 0");
    assert!(message(Shape::cuboid(DVec3::new(1.0, -2.0, 1.0))).contains("half extent y"));
    assert!(message(Shape::capsule(1.0, f64::NAN)).contains("half_height"));
    assert!(message(Shape::cylinder(f64::INFINITY, 1.0)).contains("radius"));
    assert!(message(Shape::cone(1.0, -1.0)).contains("-1"));
    assert!(message(Shape::ellipsoid(DVec3::new(1.0, 1.0, 0.0))).contains("radius z"));
}

fn shapes_with_surface(random: &mut Random) -> Vec<Shape> {
    let mut shapes = bounded(random);
    shapes.push(hills());
    shapes
}

#[test]
fn rays_meet_the_true_surface_where_they_meet_its_fine_tessellation() {
    let mut random = Random::new(5);
    let fine = Tessellation { segments: 180, extent: 20.0 };
    for mut shape in shapes_with_surface(&mut random).into_iter().chain([Shape::HalfSpace]) {
        let mut mesh = shape.to_mesh(&fine);
        if matches!(shape, Shape::Mesh(_)) {
            // The other meshes are the twin of curved shapes; a mesh's own twin is the hull it came from.
            shape = Shape::hull(&mesh.vertices).unwrap();
            mesh = shape.to_mesh(&fine);
        }
        let (mut hits, mut compared) = (0, 0);
        for _ in 0..150 {
            let pose = random.pose(3.0);
            let origin = pose.transform_point(1.2 * random.vector(1.0));
            let target = pose.transform_point(0.7 * random.vector(1.0));
            let ray = Ray::new(origin, (0.5 + random.unit()) * (target - origin).normalize());
            let exact = shape.cast_ray(&pose, &ray, 4.0);
            let local = ray.into_frame(&pose);
            let meshed = mesh
                .all_corners()
                .filter_map(|corners| local.cross_triangle(corners).filter(|t| (0.0..=4.0).contains(t)))
                .fold(f64::INFINITY, f64::min);
            let Some(hit) = exact else {
                // The mesh is inscribed: what misses the shape misses the mesh.
                assert!(meshed > 3.9, "{shape:?}: missed what the mesh has at {meshed}");
                continue;
            };
            hits += 1;
            let point = ray.at(hit.time);
            let surface = shape.project(&pose, point);
            assert_close(surface.distance, 0.0, 1e-13, "the hit lies on the surface");
            assert_close(hit.normal.length(), 1.0, 1e-14, "unit normal");
            // Grazing rays and rays starting in the sliver between surface and mesh tell nothing.
            let start = shape.project(&pose, origin).distance.abs();
            let steepness = hit.normal.dot(ray.direction).abs();
            if steepness > 0.2 && start > 0.01 && meshed.is_finite() && hit.time > 0.01 {
                compared += 1;
                assert_close(hit.time, meshed, 1e-3, "time");
            }
        }
        assert!(hits > 40 && compared > 30, "{shape:?}: {hits} hits, {compared} compared");
    }
}

#[test]
fn signed_distances_are_true_distances_with_unit_gradient() {
    let mut random = Random::new(6);
    let fine = Tessellation { segments: 90, ..Default::default() };
    for shape in shapes_with_surface(&mut random) {
        let mesh = shape.to_mesh(&fine);
        for _ in 0..60 {
            let point = 1.3 * random.vector(1.0);
            let found = shape.project(&Pose::IDENTITY, point);
            assert_close(found.point.distance(point), found.distance.abs(), 1e-13, "distance to the nearest point");
            assert_close(found.normal.length(), 1.0, 1e-13, "unit normal");
            assert_near(found.point + found.distance * found.normal, point, 1e-9, "along the normal");
            let nearest = mesh
                .all_corners()
                .map(|t| point_triangle::distance_squared(point, t).sqrt())
                .fold(f64::INFINITY, f64::min);
            assert_close(found.distance.abs(), nearest, 2e-3, "tessellation");
            if !matches!(shape, Shape::Heightfield(_)) && found.distance.abs() > 2e-3 {
                assert_eq!(mesh.winding_number(point) > 0.5, found.distance < 0.0, "side");
            }
        }
    }
}

#[test]
fn special_points_have_a_nearest_point_too() {
    let mut random = Random::new(7);
    for shape in bounded(&mut random) {
        for point in [DVec3::ZERO, 3.0 * DVec3::X, -2.0 * DVec3::Y, 0.1 * DVec3::Z, DVec3::new(0.2, 0.0, 0.0)] {
            let found = shape.project(&Pose::IDENTITY, point);
            assert!(found.point.is_finite() && found.distance.is_finite(), "{shape:?} {point}");
            assert_close(found.normal.length(), 1.0, 1e-14, "unit normal");
        }
        // Nonsense in, some answer out: no panic, no endless search.
        shape.project(&Pose::IDENTITY, DVec3::new(0.1, f64::NAN, 0.2));
        shape.project(&Pose::IDENTITY, DVec3::new(f64::NAN, 0.3, 0.2));
        shape.project(&Pose::IDENTITY, DVec3::splat(f64::INFINITY));
    }
    // The centre of an ellipsoid is nearest to the ends of its shortest axis.
    let ellipsoid = Shape::ellipsoid(DVec3::new(3.0, 1.0, 2.0)).unwrap();
    assert_close(ellipsoid.project(&Pose::IDENTITY, DVec3::ZERO).distance, -1.0, 1e-15, "centre");
}

#[test]
fn rays_from_inside_hit_where_they_leave() {
    let mut random = Random::new(8);
    for shape in primitives() {
        for _ in 0..50 {
            let pose = random.pose(3.0);
            let inside = shape.mass_properties(1.0).unwrap().com;
            let ray = Ray::new(pose.transform_point(inside), random.direction());
            let hit = shape.cast_ray(&pose, &ray, f64::INFINITY).expect("a ray from inside leaves");
            assert!(hit.normal.dot(ray.direction) > 0.0);
            assert_eq!(shape.cast_ray(&pose, &ray, 0.99 * hit.time), None);
        }
        let nowhere = Ray::new(DVec3::ZERO, DVec3::ZERO);
        assert_eq!(shape.cast_ray(&Pose::IDENTITY, &nowhere, 1.0), None);
        let broken = Ray::new(DVec3::splat(f64::NAN), DVec3::X);
        assert_eq!(shape.cast_ray(&Pose::IDENTITY, &broken, 1.0), None);
    }
}

#[test]
fn distant_rays_keep_their_aim() {
    // From 1e7 radii away a naive quadratic would be off by the size of the ball.
    let ball = Shape::sphere(1e-3).unwrap();
    let ray = Ray::new(DVec3::new(1e4, 0.0, 0.0), DVec3::NEG_X);
    let hit = ball.cast_ray(&Pose::IDENTITY, &ray, f64::INFINITY).unwrap();
    assert_close(hit.time, 1e4 - 1e-3, 4e-12, "time");
    assert_near(hit.normal, DVec3::X, 1e-8, "normal");
}

#[test]
fn terrain_heights_match_its_triangles() {
    let Shape::Heightfield(field) = hills() else { panic!() };
    let mut random = Random::new(9);
    for _ in 0..200 {
        let (x, y) = (2.0 * random.signed(), 1.2 * random.signed());
        let ray = Ray::new(DVec3::new(x, y, 5.0), DVec3::NEG_Z);
        let hit = hills().cast_ray(&Pose::IDENTITY, &ray, f64::INFINITY).unwrap();
        assert_close(5.0 - hit.time, field.height_at(x, y).unwrap(), 1e-13, "height");
        assert!(hit.normal.z > 0.0);
    }
    assert_eq!(field.height_at(2.1, 0.0), None);
    for bad in [(1, 7, 7), (9, 7, 62)] {
        let (columns, rows, count) = bad;
        let field = Heightfield { columns, rows, spacing: [1.0, 1.0], heights: vec![0.0; count] };
        assert!(matches!(Shape::heightfield(field), Err(ShapeError::BadGrid { .. })));
    }
    let mut heights = vec![0.0; 6];
    heights[5] = f64::NAN;
    let field = Heightfield { columns: 3, rows: 2, spacing: [1.0, 1.0], heights };
    assert!(matches!(Shape::heightfield(field), Err(ShapeError::BadHeight { column: 2, row: 1, .. })));
}

#[test]
fn half_spaces_are_bounded_only_along_their_axis() {
    let bounds = Shape::HalfSpace.aabb(&Pose::from_translation(DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!((bounds.max.z, bounds.min.z, bounds.max.x), (3.0, f64::NEG_INFINITY, f64::INFINITY));
    let tilted = Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_x(0.3));
    assert_eq!(Shape::HalfSpace.aabb(&tilted), Aabb::ALL);
}
