//! Reproducible random geometry and the sample shapes.

use drystone_geometry::{DQuat, DVec3, Heightfield, Pose, Shape};

/// SplitMix64: small, fast, the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Uniform in the cube [-1, 1)³.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), 7.0 * self.unit())
    }

    pub fn pose(&mut self) -> Pose {
        Pose::from_parts(3.0 * self.vector(), self.rotation())
    }
}

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
    let points: Vec<DVec3> = (0..count).map(|_| random.vector()).collect();
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
