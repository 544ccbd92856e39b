//! What is measured of cloth and soft bodies, from their states alone.

use drystone::geometry::Aabb;
use drystone::geometry::bvh::Bvh;
use drystone::geometry::distance::triangle_triangle::intersect;
use drystone::model::{DVec3, Model, State};

/// Triangles that share a point and no corner, by exact signs.
pub fn crossings(model: &Model, state: &State) -> f64 {
    let corners = |t: u32| model.triangle_particle[t as usize].map(|particle| state.particle_q[particle as usize]);
    let count = model.triangle_particle.len() as u32;
    let boxes: Vec<Aabb> = (0..count).map(|t| Aabb::from_points(corners(t))).collect();
    let mut found = 0;
    Bvh::build(&boxes).self_pairs(|a, b| {
        let [one, other] = [a, b].map(|t| model.triangle_particle[t as usize]);
        let apart = !one.iter().any(|corner| other.contains(corner));
        found += u32::from(apart && intersect(corners(a), corners(b)));
    });
    f64::from(found)
}

/// Largest stretch of an edge of a triangle beyond its length at the start, as a share of it.
pub fn largest_stretch(model: &Model, state: &State) -> f64 {
    let length = |q: &[DVec3], [a, b]: [u32; 2]| q[a as usize].distance(q[b as usize]);
    let edges = model.triangle_particle.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    edges.map(|edge| length(&state.particle_q, edge) / length(&model.particle_q, edge) - 1.0).fold(0.0, f64::max)
}

/// Speed of the fastest particle \[m/s\].
pub fn fastest(state: &State) -> f64 {
    state.particle_qd.iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// Largest entry of a trace, if any is above zero.
pub fn most(trace: &[f64]) -> f64 {
    trace.iter().copied().fold(0.0, f64::max)
}
