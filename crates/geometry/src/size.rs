//! How thin and how large a shape is.

use drystone_kernels::elementary::hypot;
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

    /// Radius of the smallest ball about the origin of the shape's frame that holds its surface \[m\];
    /// infinite for half-spaces. The solid below terrain has no bottom and is not counted.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Shape::Sphere { radius } => *radius,
            Shape::Box { half } => half.length(),
            Shape::Capsule { radius, half_height } => radius + half_height,
            Shape::Cylinder { radius, half_height } | Shape::Cone { radius, half_height } => {
                hypot(*radius, *half_height)
            }
            Shape::Ellipsoid { radii } => radii.max_element(),
            Shape::Hull(hull) => farthest(hull.vertices.iter().copied()),
            Shape::Mesh(mesh) => farthest(mesh.vertices.iter().copied()),
            Shape::Heightfield(field) => {
                let samples = (0..field.rows).flat_map(|row| (0..field.columns).map(move |column| (column, row)));
                farthest(samples.map(|(column, row)| field.sample(column, row)))
            }
            Shape::HalfSpace => f64::INFINITY,
        }
    }
}

fn farthest(points: impl Iterator<Item = DVec3>) -> f64 {
    points.fold(0.0_f64, |most, p| most.max(p.length_squared())).sqrt()
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
    use std::sync::Arc;

    use crate::hull::Hull;
    use crate::shape::{Heightfield, Tessellation};

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

    #[test]
    fn the_bounding_ball_holds_the_surface_and_touches_it() {
        let half = DVec3::new(0.5, 0.35, 0.01);
        let field =
            Heightfield { columns: 3, rows: 2, spacing: [1.0, 0.5], heights: vec![0.1, 2.0, 0.0, 0.3, 0.0, 0.0] };
        let tetrahedron = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z * 3.0];
        let shapes = [
            Shape::sphere(0.7),
            Shape::cuboid(half),
            Shape::capsule(0.2, 0.5),
            Shape::cylinder(0.2, 0.5),
            Shape::cone(0.2, 0.5),
            Shape::ellipsoid(half),
            Shape::hull(&tetrahedron),
            Shape::mesh(Shape::cuboid(half).unwrap().to_mesh(&Tessellation::default())),
            Shape::heightfield(field),
        ];
        // A multiple of four segments puts corners of the round shapes on all axes.
        let detail = Tessellation { segments: 64, ..Tessellation::default() };
        for shape in shapes.map(Result::unwrap) {
            let surface = farthest(shape.to_mesh(&detail).vertices.into_iter());
            let radius = shape.bounding_radius();
            assert!((surface - radius).abs() < 1e-12 * radius, "{shape:?}: {surface}, not {radius}");
        }
        assert_eq!(Shape::HalfSpace.bounding_radius(), f64::INFINITY);
    }
}
