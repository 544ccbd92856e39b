//! Shape queries against each other and against tessellations.

use drystone_geometry::{DVec3, Pose, Shape, ShapeError, Tessellation};

use crate::common::{Random, assert_close, hills, primitives, random_hull};

fn bounded(random: &mut Random) -> Vec<Shape> {
    let mut shapes = primitives();
    shapes.push(random_hull(random, 40));
    shapes.push(Shape::mesh(random_hull(random, 40).to_mesh(&Tessellation::default())).unwrap());
    shapes
}

#[test]
fn bounds_touch_the_placed_shape_on_all_six_sides() {
    let mut random = Random(1);
    for shape in bounded(&mut random) {
        for _ in 0..50 {
            let pose = random.pose();
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
    let mut random = Random(2);
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
    let mut random = Random(3);
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
    let mut random = Random(4);
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
