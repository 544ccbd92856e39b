//! How thin a shape is.

use glamx::DVec3;

use crate::shape::Shape;

impl Shape {
    /// Smallest width of the shape \[m\]; infinite for half-spaces and terrain. For cones and meshes an
    /// estimate of the right size.
    pub fn thickness(&self) -> f64 {
        match self {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => 2.0 * radius,
            Shape::Box { half } => 2.0 * half.min_element(),
            Shape::Cylinder { radius, half_height } | Shape::Cone { radius, half_height } => {
                2.0 * radius.min(*half_height)
            }
            Shape::Ellipsoid { radii } => 2.0 * radii.min_element(),
            Shape::Hull(hull) => hull_width(&hull.vertices, &hull.face_normal),
            Shape::Mesh(mesh) => mesh.bounds().extent().min_element(),
            Shape::HalfSpace | Shape::Heightfield(_) => f64::INFINITY,
        }
    }
}

/// Smallest width of a polyhedron across its faces.
fn hull_width(vertices: &[DVec3], normals: &[DVec3]) -> f64 {
    normals.iter().fold(f64::INFINITY, |least, normal| {
        let (low, high) = vertices.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            let d = normal.dot(*v);
            (low.min(d), high.max(d))
        });
        least.min(high - low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::Hull;
    use std::sync::Arc;

    #[test]
    fn a_box_and_its_hull_are_equally_thin() {
        let half = DVec3::new(0.5, 0.35, 0.01);
        let corners: Vec<DVec3> = (0..8)
            .map(|i| half * DVec3::from_array([0, 1, 2].map(|bit| if i >> bit & 1 == 0 { -1.0 } else { 1.0 })))
            .collect();
        let hull = Hull::from_points(&corners).unwrap();
        let (flat, hull) = (Shape::Box { half }.thickness(), Shape::Hull(Arc::new(hull)).thickness());
        assert_eq!(flat, 0.02);
        assert!((hull - flat).abs() < 1e-15, "{hull}");
    }
}
