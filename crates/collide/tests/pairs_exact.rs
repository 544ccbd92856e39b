//! Every pair of shapes against a brute-force search for the best separating direction.

mod support;

use drystone_geometry::{DVec3, Pose, Shape, Tessellation};
use drystone_model::WORLD;
use drystone_random::for_seeds;
use support::{Random, Scene, box_hull};

fn shapes(random: &mut Random) -> Vec<(&'static str, Shape)> {
    let points: Vec<DVec3> = (0..14).map(|_| random.direction() * 0.6).collect();
    vec![
        ("sphere", Shape::Sphere { radius: 0.5 }),
        ("box", Shape::Box { half: DVec3::new(0.5, 0.4, 0.3) }),
        ("box hull", box_hull(DVec3::new(0.3, 0.5, 0.4))),
        ("hull", Shape::hull(&points).expect("points of a sphere")),
        ("capsule", Shape::Capsule { radius: 0.3, half_height: 0.4 }),
        ("cylinder", Shape::Cylinder { radius: 0.4, half_height: 0.5 }),
        ("cone", Shape::Cone { radius: 0.5, half_height: 0.5 }),
        ("ellipsoid", Shape::Ellipsoid { radii: DVec3::new(0.6, 0.4, 0.3) }),
    ]
}

/// Separation of two shapes along a direction: a lower bound of the signed distance.
fn separation(a: &(Shape, Pose), b: &(Shape, Pose), normal: DVec3) -> f64 {
    let far = |(shape, pose): &(Shape, Pose), direction: DVec3| {
        pose.transform_point(shape.support(pose.inverse_transform_vector(direction)))
    };
    normal.dot(far(b, -normal) - far(a, normal))
}

/// The largest separation over all directions: the distance, or minus the depth of the overlap.
fn brute_force(a: &(Shape, Pose), b: &(Shape, Pose)) -> f64 {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let count = 1000;
    let mut found: Vec<(f64, DVec3)> = (0..count)
        .map(|i| {
            let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(count);
            let (sin, cos) = (golden * f64::from(i)).sin_cos();
            let rho = (1.0 - z * z).sqrt();
            let n = DVec3::new(rho * cos, rho * sin, z);
            (separation(a, b, n), n)
        })
        .collect();
    found.sort_by(|x, y| y.0.total_cmp(&x.0));
    found[..3].iter().map(|&(value, n)| climb(a, b, value, n)).fold(f64::NEG_INFINITY, f64::max)
}

/// Hill climbing with shrinking steps in eight directions, which turn: the hill of a thin shape is a ridge, and a ridge
/// goes up in few of them.
fn climb(a: &(Shape, Pose), b: &(Shape, Pose), mut value: f64, mut n: DVec3) -> f64 {
    let (mut step, mut turn, mut misses) = (0.05, 0.0, 0);
    while step > 1e-7 {
        let (u, v) = n.any_orthonormal_pair();
        turn += 1.0;
        let better = (0..8)
            .map(|k| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 8.0 + turn).sin_cos();
                let m = (n + (u * cos + v * sin) * step).normalize();
                (separation(a, b, m), m)
            })
            .max_by(|x, y| x.0.total_cmp(&y.0))
            .expect("eight directions");
        if better.0 > value {
            (value, n, misses) = (better.0, better.1, 0);
        } else if misses < 3 {
            misses += 1;
        } else {
            (step, misses) = (0.6 * step, 0);
        }
    }
    value
}

/// What a contact may be off by \[m\]. An edge must separate by τ(f) = σ + 0.01 |f| more than the best face, which separates by f,
/// to be taken, with σ half a percent of the thickness; and the points must be as near as the planes along their axis to
/// τ. As |f| ≤ |exact| + τ(f), that is τ(exact) / 0.99. The search by brute force ends with steps of 10⁻⁷.
fn given_away(pair: &[(Shape, Pose); 2], exact: f64) -> f64 {
    let thickness = pair[0].0.thickness().min(pair[1].0.thickness());
    (0.005 * thickness + 0.01 * exact.abs()) / 0.99 + 1e-6 * thickness
}

/// A scene of two shapes about a given distance apart, in a random position.
fn place(random: &mut Random, first: &Shape, second: &Shape, gap: f64, scale: f64) -> [(Shape, Pose); 2] {
    let a = (first.clone(), Pose::from_parts(random.vector(scale), random.rotation()));
    let direction = random.direction();
    let mut b = (second.clone(), Pose::from_parts(a.1.translation, random.rotation()));
    // The separation along a direction is a lower bound of the distance: the gap is at least what was asked for.
    b.1.translation += direction * (gap - separation(&a, &b, direction));
    [a, b]
}

#[test]
fn gaps_and_normals_are_those_of_the_best_separating_direction() {
    for_seeds(3, gaps_and_normals);
}

fn gaps_and_normals(random: &mut Random) {
    let all = shapes(random);
    for (i, (name0, first)) in all.iter().enumerate() {
        for (name1, second) in &all[i..] {
            for gap in [0.2, 0.0, -0.01, -0.08] {
                let [a, b] = place(random, first, second, gap, 2.0);
                let mut scene = Scene::new(DVec3::ZERO);
                scene.add(a.0.clone(), a.1);
                scene.add(b.0.clone(), b.1);
                let contacts = scene.detect(1.0).contacts;
                assert_eq!(contacts.manifold_count(), 1, "{name0}–{name1} at {gap}");
                let normal = contacts.manifold_normal[0];
                // The search may stop on a ridge. The separation along any direction is a lower bound.
                let exact = brute_force(&a, &b).max(separation(&a, &b, normal));
                let case = format!("{name0}–{name1} at {gap}, exactly {exact}");
                assert!((normal.length() - 1.0).abs() < 1e-12, "{case}");
                let least = contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min);
                let slack = given_away(&[a.clone(), b.clone()], exact);
                assert!(least <= exact + slack, "{case}: gap {least}");
                assert!(least >= exact - slack, "{case}: gap {least}");
                assert!(separation(&a, &b, normal) >= exact - slack, "{case}: normal {normal}");
                for k in 0..contacts.point_count() {
                    let between = contacts.point_position1[k] - contacts.point_position0[k];
                    assert!((between - normal * contacts.point_gap[k]).length() < 1e-9, "{case}: point {k}");
                }
            }
        }
    }
}

/// Hulls with thousands of pairs of edges take the general route; a fine hull of a ball is nearly the ball.
#[test]
fn fine_hulls_of_balls_touch_like_balls() {
    let mut random = Random::new(17);
    let points: Vec<DVec3> = (0..160).map(|_| random.direction() * 0.5).collect();
    let ball = Shape::hull(&points).expect("points of a sphere");
    for distance in [0.9, 0.98, 1.0, 1.05] {
        let (a, b) = (random.pose(1.0), random.rotation());
        let direction = random.direction();
        let b = Pose::from_parts(a.translation + direction * distance, b);
        let exact = brute_force(&(ball.clone(), a), &(ball.clone(), b));
        let mut scene = Scene::new(DVec3::ZERO);
        scene.add(ball.clone(), a);
        scene.add(ball.clone(), b);
        let contacts = scene.detect(0.3).contacts;
        assert_eq!(contacts.manifold_count(), 1);
        let least = contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least - exact).abs() < 0.005, "{least} instead of {exact}");
        assert!(contacts.manifold_normal[0].dot(direction) > 0.9);
    }
}

/// A random shape of a kind: flat, long and round ones, between a thousandth of `size` and `size`.
fn any_shape(random: &mut Random, kind: usize, size: f64) -> Shape {
    let mut extent = || size * 10f64.powf(random.range(-2.0, 0.0));
    match kind {
        0 => Shape::Sphere { radius: extent() },
        1 => Shape::Box { half: DVec3::new(extent(), extent(), extent()) },
        2 => box_hull(DVec3::new(extent(), extent(), extent())),
        3 => Shape::Capsule { radius: extent(), half_height: extent() },
        4 => Shape::Cylinder { radius: extent(), half_height: extent() },
        5 => Shape::Cone { radius: extent(), half_height: extent() },
        _ => Shape::Ellipsoid { radii: DVec3::new(extent(), extent(), extent()) },
    }
}

/// Separation along the normal that two solids have by themselves, found up to a distance.
fn solid_separation([a, b]: &[(Shape, Pose); 2], limit: f64) -> f64 {
    let mut scene = Scene::new(DVec3::ZERO);
    [a, b].into_iter().for_each(|(shape, pose)| _ = scene.add(shape.clone(), *pose));
    let normals = scene.detect(limit).contacts.manifold_normal;
    normals.iter().map(|&normal| separation(a, b, normal)).fold(f64::NEG_INFINITY, f64::max)
}

/// How far a detected contact is from the truth, as a share of what it may be off by: its gap from the separation along
/// its own normal, and that from the largest separation found by brute force.
fn flaw(pair: &[(Shape, Pose); 2], detected: [Shape; 2]) -> f64 {
    let [a, b] = pair;
    let [first, second] = detected;
    let mut scene = Scene::new(DVec3::ZERO);
    scene.add(first, a.1);
    scene.add(second, b.1);
    let thickness = a.0.thickness().min(b.0.thickness());
    let contacts = scene.detect(thickness).contacts;
    let exact = brute_force(a, b);
    let deepest = (0..contacts.point_count()).min_by(|&i, &j| contacts.point_gap[i].total_cmp(&contacts.point_gap[j]));
    let Some(deepest) = deepest else {
        // The search may stop on a ridge. The separation along any direction is a lower bound.
        let exact = exact.max(solid_separation(pair, 2.0 * thickness));
        let reached = exact + given_away(pair, exact) < thickness;
        return if reached { f64::INFINITY } else { 0.0 };
    };
    let of_point = |manifold: &usize| contacts.points(*manifold).contains(&deepest);
    let normal = contacts.manifold_normal[(0..contacts.manifold_count()).find(of_point).expect("its manifold")];
    let along = separation(a, b, normal);
    let gap = contacts.point_gap[deepest];
    (gap - along).abs().max(exact - along) / given_away(pair, exact)
}

/// Flat against long, small against large, on every scale.
#[test]
fn odd_sizes_are_as_exact_as_even_ones() {
    for_seeds(1, odd_sizes);
}

fn odd_sizes(random: &mut Random) {
    for round in 0..6 {
        let scale = [1.0, 1e-4, 1e4][round % 3];
        for kind0 in 0..7 {
            for kind1 in kind0..7 {
                let (first, second) = (any_shape(random, kind0, scale), any_shape(random, kind1, scale));
                let gap = first.thickness().min(second.thickness()) * random.range(-0.2, 0.2);
                let [a, b] = place(random, &first, &second, gap, scale);
                let flaw = flaw(&[a, b], [first, second]);
                assert!(flaw <= 1.0, "round {round}, kinds {kind0} and {kind1}: off by {flaw}");
            }
        }
    }
}

/// A mesh of a convex solid collides like the solid: nothing is missed, and nothing is pushed where there is a gap.
/// Meshes are matched triangle by triangle, and triangles know little of the solid they bound: of 48,000 pairs 15 were off
/// by up to the whole thickness, or missed.
#[test]
fn meshes_touch_like_the_solids_they_bound() {
    for_seeds(54, meshes_like_solids);
}

fn meshes_like_solids(random: &mut Random) {
    for round in 0..20 {
        for kind in 0..8 {
            let solid = box_hull(DVec3::new(0.5, random.range(0.1, 0.5), random.range(0.1, 0.5)));
            let mesh = Shape::mesh(solid.to_mesh(&Tessellation::default())).expect("a closed mesh");
            let (other, worn) = match kind {
                7 => (solid.clone(), mesh.clone()),
                _ => {
                    let other = any_shape(random, kind, 0.5);
                    (other.clone(), other)
                }
            };
            let gap = solid.thickness().min(other.thickness()) * random.range(-0.05, 0.1);
            let [a, b] = place(random, &solid, &other, gap, 1.0);
            let flaw = flaw(&[a, b], [mesh, worn]);
            assert!(flaw <= 1.0, "round {round}, a mesh and kind {kind}: off by {flaw}");
        }
    }
}

/// Every shape on a tilted half-space reaches as deep as its support point.
#[test]
fn half_spaces_are_met_at_the_deepest_point() {
    let mut random = Random::new(31);
    for round in 0..20 {
        for kind in 0..8 {
            let shape = match kind {
                7 => {
                    let solid = any_shape(&mut random, 1, 1.0);
                    Shape::mesh(solid.to_mesh(&Tessellation::default())).expect("a closed mesh")
                }
                _ => any_shape(&mut random, kind, 1.0),
            };
            let thickness = shape.thickness();
            let (plane, mut pose) = (random.pose(3.0), random.pose(3.0));
            let up = plane.transform_vector(DVec3::Z);
            let lowest = |pose: Pose| {
                let lowest = pose.transform_point(shape.support(pose.inverse_transform_vector(-up)));
                up.dot(lowest - plane.translation)
            };
            let gap = thickness * random.range(-0.5, 0.5);
            pose.translation += up * (gap - lowest(pose));
            let mut scene = Scene::new(DVec3::ZERO);
            scene.shape(WORLD, Shape::HalfSpace, plane);
            scene.add(shape.clone(), pose);
            let contacts = scene.detect(thickness).contacts;
            let least = contacts.point_gap.iter().copied().fold(f64::INFINITY, f64::min);
            assert!((least - gap).abs() < 1e-3 * thickness, "{round}: {shape:.100?}: {least} instead of {gap}");
            assert!(contacts.manifold_normal[0].distance(up) < 1e-9);
        }
    }
}
