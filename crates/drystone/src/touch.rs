//! When a pair of shapes counts as touching.

use drystone_model::{Model, Shape};

/// Part of a shape's size within which a gap counts as closed. Resting contacts hover around zero by
/// what the solver leaves; speculative contacts of bodies about to meet are much further apart.
const CLOSED: f64 = 1e-3;

/// For every shape, the gap up to which it counts as touching \[m\].
pub(crate) fn shape_reach(model: &Model) -> Vec<f64> {
    let reach = |shape: usize| model.shape_margin[shape] + CLOSED * size(&model.shape_geometry[shape]);
    (0..model.shape_count()).map(reach).collect()
}

/// Smallest half extent, or infinity for what has none \[m\].
fn size(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
        Shape::Cylinder { radius, half_height } | Shape::Cone { radius, half_height } => radius.min(*half_height),
        Shape::Box { half } => half.min_element(),
        Shape::Ellipsoid { radii } => radii.min_element(),
        Shape::Hull(hull) => smallest_extent(&hull.vertices),
        Shape::Mesh(mesh) => smallest_extent(&mesh.vertices),
        Shape::HalfSpace | Shape::Heightfield(_) => f64::INFINITY,
    }
}

fn smallest_extent(points: &[drystone_model::DVec3]) -> f64 {
    let Some(&first) = points.first() else { return 0.0 };
    let (low, high) = points.iter().fold((first, first), |(low, high), point| (low.min(*point), high.max(*point)));
    0.5 * (high - low).min_element()
}
