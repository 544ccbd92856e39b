//! Meshes and terrain: no trace of inner edges, the same contacts as the solids they stand for.

mod support;

use std::sync::Arc;

use drystone_geometry::distance::triangle_triangle;
use drystone_geometry::{DQuat, DVec3, Heightfield, Pose, Shape, Tessellation, TriMesh};
use drystone_model::{BodyKind, Contacts, WORLD};
use drystone_random::for_seeds;
use support::{Random, Scene, at, box_hull, cube};

/// A closed slab of n × n cells with its top at z = 0.
fn slab(n: usize, size: f64, depth: f64) -> Shape {
    let mut mesh = TriMesh::default();
    let coordinate = |i: usize| (i as f64 / n as f64 - 0.5) * size;
    for z in [0.0, -depth] {
        for row in 0..=n {
            for column in 0..=n {
                mesh.vertices.push(DVec3::new(coordinate(column), coordinate(row), z));
            }
        }
    }
    let (w, layer) = (n as u32 + 1, (n as u32 + 1).pow(2));
    let mut quad = |a: u32, b: u32, c: u32, d: u32| mesh.triangles.extend([[a, b, c], [a, c, d]]);
    for row in 0..n as u32 {
        for column in 0..n as u32 {
            let a = row * w + column;
            quad(a, a + 1, a + 1 + w, a + w);
            quad(layer + a, layer + a + w, layer + a + 1 + w, layer + a + 1);
        }
    }
    for i in 0..n as u32 {
        let (front, back, left, right) = (i, n as u32 * w + i, i * w, i * w + n as u32);
        quad(layer + front, layer + front + 1, front + 1, front);
        quad(layer + back + 1, layer + back, back, back + 1);
        quad(layer + left + w, layer + left, left, left + w);
        quad(layer + right, layer + right + w, right + w, right);
    }
    Shape::mesh(mesh).expect("a closed slab")
}

fn flat_field() -> Shape {
    Shape::heightfield(Heightfield { columns: 9, rows: 9, spacing: [0.5, 0.5], heights: vec![0.0; 81] })
        .expect("a flat field")
}

fn on_floor(floor: &Shape, shape: &Shape, pose: Pose) -> Contacts {
    let mut scene = Scene::new(DVec3::ZERO);
    let ground = scene.body(BodyKind::Static, Pose::identity());
    scene.shape(ground, floor.clone(), Pose::identity());
    scene.add(shape.clone(), pose);
    scene.detect(0.01).contacts
}

#[test]
fn flat_floors_of_triangles_act_like_a_plane() {
    let mut random = Random::new(5);
    let shapes = [
        ("sphere", Shape::Sphere { radius: 0.3 }, 0.3, 1),
        ("box", Shape::Box { half: DVec3::new(0.4, 0.3, 0.2) }, 0.2, 4),
        ("hull", box_hull(DVec3::new(0.3, 0.4, 0.2)), 0.2, 4),
        ("capsule", Shape::Capsule { radius: 0.2, half_height: 0.3 }, 0.5, 1),
        ("cylinder", Shape::Cylinder { radius: 0.3, half_height: 0.2 }, 0.2, 4),
        ("cone", Shape::Cone { radius: 0.3, half_height: 0.2 }, 0.2, 4),
        ("ellipsoid", Shape::Ellipsoid { radii: DVec3::new(0.3, 0.2, 0.25) }, 0.25, 1),
    ];
    for (floor_name, floor) in [("mesh", slab(8, 4.0, 1.0)), ("terrain", flat_field())] {
        for (name, shape, height, points) in &shapes {
            for _ in 0..60 {
                let gap = random.range(-0.02, 0.005);
                let position = DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), height + gap);
                let pose = Pose::from_parts(position, DQuat::from_rotation_z(random.range(0.0, 6.0)));
                let contacts = on_floor(&floor, shape, pose);
                let case = format!("{name} on {floor_name} at {position}");
                assert_eq!(contacts.manifold_count(), 1, "{case}: {:?}", contacts.manifold_normal);
                assert!(
                    contacts.manifold_normal[0].distance(DVec3::Z) < 1e-6,
                    "{case}: {}",
                    contacts.manifold_normal[0]
                );
                assert_eq!(contacts.point_count(), *points, "{case}");
                for found in &contacts.point_gap {
                    assert!((found - gap).abs() < 1e-9, "{case}: {found} instead of {gap}");
                }
            }
        }
    }
}

#[test]
fn what_is_under_the_terrain_is_pushed_up() {
    for shape in [cube(0.2), Shape::Sphere { radius: 0.2 }, Shape::Cylinder { radius: 0.2, half_height: 0.2 }] {
        let contacts = on_floor(&flat_field(), &shape, at(0.3, 0.1, -0.7));
        assert!(contacts.manifold_count() > 0);
        for (normal, gap) in contacts.manifold_normal.iter().zip(&contacts.point_gap) {
            assert!(normal.distance(DVec3::Z) < 1e-9 && (gap + 0.9).abs() < 1e-9, "{normal} {gap}");
        }
    }
}

#[test]
fn a_mesh_box_on_a_mesh_box_touches_like_boxes() {
    let block = || slab(2, 1.0, 1.0);
    let mut scene = Scene::new(DVec3::ZERO);
    scene.add(block(), at(0.0, 0.0, 1.0));
    scene.add(block(), at(0.3, 0.1, 1.995));
    let contacts = scene.detect(1e-3).contacts;
    assert_eq!(contacts.manifold_count(), 1);
    assert!(contacts.manifold_normal[0].distance(DVec3::Z) < 1e-12);
    let mut corners: Vec<[i64; 2]> =
        contacts.point_position0.iter().map(|p| [p.x, p.y].map(|c| (c * 1e6).round() as i64)).collect();
    corners.sort_unstable();
    let (a, b, c, d) = (-200_000, 500_000, -400_000, 500_000);
    assert_eq!(corners, [[a, c], [a, d], [b, c], [b, d]]);
    assert!(contacts.point_gap.iter().all(|gap| (gap + 0.005).abs() < 1e-12));
}

#[test]
fn a_ball_at_the_edge_of_a_mesh_leans_over_it() {
    let contacts = on_floor(&slab(4, 2.0, 1.0), &Shape::Sphere { radius: 0.5 }, at(1.2, 0.1, 0.3));
    assert_eq!(contacts.manifold_count(), 1);
    let normal = DVec3::new(0.2, 0.0, 0.3).normalize();
    assert!(contacts.manifold_normal[0].distance(normal) < 1e-9, "{}", contacts.manifold_normal[0]);
    assert!((contacts.point_gap[0] - (0.13_f64.sqrt() - 0.5)).abs() < 1e-9);
}

#[test]
fn a_mesh_on_a_half_space_stands_on_its_corners() {
    let mut scene = Scene::new(DVec3::ZERO);
    scene.ground();
    scene.add(
        Shape::Mesh(Arc::new(match slab(3, 1.0, 0.5) {
            Shape::Mesh(mesh) => mesh.as_ref().clone(),
            _ => TriMesh::default(),
        })),
        at(0.0, 0.0, 0.5),
    );
    let contacts = scene.detect(1e-3).contacts;
    assert_eq!((contacts.manifold_count(), contacts.point_count()), (1, 4));
    assert!(
        contacts.point_position1.iter().all(|p| (p.x.abs() - 0.5).abs() < 1e-12 && (p.y.abs() - 0.5).abs() < 1e-12)
    );
}

#[test]
fn what_is_deep_inside_a_mesh_is_pushed_to_the_nearest_side() {
    let floor = slab(4, 4.0, 2.0);
    for shape in [Shape::Sphere { radius: 0.2 }, cube(0.2)] {
        let contacts = on_floor(&floor, &shape, at(0.3, 0.1, -0.6));
        assert_eq!((contacts.manifold_count(), contacts.point_count()), (1, 1));
        assert!(contacts.manifold_normal[0].distance(DVec3::Z) < 1e-12);
        assert!((contacts.point_gap[0] + 0.8).abs() < 1e-12, "{}", contacts.point_gap[0]);
    }
    // Outside there is nothing to push against.
    assert_eq!(on_floor(&floor, &cube(0.2), at(0.0, 0.0, 0.5)).manifold_count(), 0);
}

fn hills(random: &mut Random) -> Shape {
    let heights = (0..64).map(|_| random.range(-0.3, 0.3)).collect();
    Shape::heightfield(Heightfield { columns: 8, rows: 8, spacing: [0.5, 0.5], heights }).expect("a field")
}

/// Boxes, hulls and meshes over hilly ground: the least gap is the distance of the nearest triangles.
#[test]
fn flat_sided_shapes_over_terrain_have_the_gap_of_the_nearest_triangles() {
    for_seeds(4, flat_sides_over_terrain);
}

fn flat_sides_over_terrain(random: &mut Random) {
    let mut near = 0;
    for round in 0.. {
        // Most boxes overlap the ground or are far from it.
        if near == 30 {
            break;
        }
        let field = hills(random);
        let half = DVec3::new(random.range(0.1, 0.5), random.range(0.1, 0.5), random.range(0.1, 0.5));
        let hull = box_hull(half);
        let surface = hull.to_mesh(&Tessellation::default());
        let shape = match round % 3 {
            0 => Shape::Box { half },
            1 => hull,
            _ => Shape::mesh(surface.clone()).expect("a closed mesh"),
        };
        let place = DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(0.3, 1.1));
        let pose = Pose::from_parts(place, random.rotation());
        let ground = field.to_mesh(&Tessellation::default());
        let distance = |one: [DVec3; 3]| {
            let one = one.map(|corner| pose.transform_point(corner));
            let gaps = ground.all_corners().map(|other| triangle_triangle::distance_squared(one, other));
            gaps.fold(f64::INFINITY, f64::min).sqrt()
        };
        let exact = surface.all_corners().map(distance).fold(f64::INFINITY, f64::min);
        let limit = 0.2;
        if exact < 1e-9 || exact > limit {
            continue;
        }
        near += 1;
        let mut scene = Scene::new(DVec3::ZERO);
        scene.shape(WORLD, field.clone(), Pose::identity());
        scene.add(shape, pose);
        let least = scene.detect(limit).contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min);
        // The nearest points of a face are at least as far apart as the nearest points, and at most by this share of the thickness and of
        // the gap, for which faces are preferred to edges (`tie` of the narrow phase).
        let given_away = 0.005 * 2.0 * half.min_element() + 0.01 * exact;
        let over = least - exact;
        assert!((-1e-9..=given_away).contains(&over), "{round}: {least} instead of {exact}, half {half}");
    }
}

/// Balls on hilly ground touch it where it is nearest.
#[test]
fn balls_on_terrain_touch_the_nearest_point() {
    for_seeds(4, balls_on_terrain);
}

fn balls_on_terrain(random: &mut Random) {
    for round in 0..200 {
        let field = hills(random);
        let radius = random.range(0.1, 0.6);
        let (ground, above) = (random.pose(2.0), DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 2.0));
        let up = ground.transform_vector(DVec3::Z);
        let mut position = ground.transform_point(above);
        // Down until the ball is about to sink in.
        let wanted = radius * random.range(0.9, 1.1);
        for _ in 0..60 {
            position -= up * (field.project(&ground, position).distance - wanted);
        }
        let exact = field.project(&ground, position).distance - radius;
        let mut scene = Scene::new(DVec3::ZERO);
        scene.shape(WORLD, field.clone(), ground);
        scene.add(Shape::Sphere { radius }, Pose::from_parts(position, random.rotation()));
        let contacts = scene.detect(0.2 * radius).contacts;
        let least = contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least - exact).abs() < 1e-9, "{round}: {least} instead of {exact}, radius {radius}");
    }
}
