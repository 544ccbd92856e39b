//! Reproducible random geometry and the sample shapes.

use drystone_geometry::{DVec3, Heightfield, Shape};

pub use drystone_random::{Random, for_seeds};

/// One of every bounded convex primitive, with uneven sizes.
pub fn primitives() -> Vec<Shape> {
    vec![
        Shape::sphere(0.7).unwrap(),
        Shape::cuboid(DVec3::new(0.3, 0.9, 0.5)).unwrap(),
        Shape::capsule(0.4, 0.6).unwrap(),
        Shape::cylinder(0.5, 0.8).unwrap(),
        Shape::cone(0.6, 0.7).unwrap(),
        Shape::ellipsoid(DVec3::new(0.9, 0.4, 0.6)).unwrap(),
    ]
}

/// A lumpy convex polyhedron.
pub fn random_hull(random: &mut Random, count: usize) -> Shape {
    let points: Vec<DVec3> = (0..count).map(|_| random.vector(1.0)).collect();
    Shape::hull(&points).unwrap()
}

/// Rolling hills.
pub fn hills() -> Shape {
    let (columns, rows) = (9, 7);
    let height = |i: usize| (0.7 * (i % columns) as f64).sin() * 0.4 + (0.9 * (i / columns) as f64).cos() * 0.3;
    let heights = (0..columns * rows).map(height).collect();
    Shape::heightfield(Heightfield { columns, rows, spacing: [0.5, 0.4], heights }).unwrap()
}

pub fn assert_close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} and {b} differ by {:e} > {tolerance:e}", (a - b).abs());
}

pub fn assert_near(a: DVec3, b: DVec3, tolerance: f64, what: &str) {
    assert!(a.distance(b) <= tolerance, "{what}: {a} and {b} differ by {:e} > {tolerance:e}", a.distance(b));
}
