//! What is asked of a pair of shapes and what is found.

use cubecl::prelude::*;
use drystone_kernels::single::math::Vec3;

/// No axis is known from the step before.
pub const NO_AXIS: u32 = u32::MAX;

/// A pair of shapes in the narrow phase.
#[derive(CubeType, Clone, Copy)]
pub struct Query {
    /// Largest distance that counts \[m\].
    pub limit: f32,
    /// Differences of depth that do not matter \[m\].
    pub slack: f32,
    /// How far a point may wander on a shape within a step and be the same \[m\].
    pub radius: f32,
    /// Separating axis of the step before, replaced by the one found.
    pub axis: u32,
    /// How many points of the step before there are to hold on to: four or none.
    pub kept: u32,
    /// From the first to the second shape.
    pub normal: Vec3,
    /// Points found.
    pub count: u32,
}

/// Writes a point: its place on the first shape, from the place of that, and its gap.
#[cube]
pub fn put_point(points: &mut Array<f32>, index: u32, at: Vec3, gap: f32) {
    points[(4u32 * index) as usize] = at.x;
    points[(4u32 * index + 1u32) as usize] = at.y;
    points[(4u32 * index + 2u32) as usize] = at.z;
    points[(4u32 * index + 3u32) as usize] = gap;
}

/// Adds a point if it is near enough.
#[cube]
pub fn add_point(query: &mut Query, points: &mut Array<f32>, at: Vec3, gap: f32) {
    if gap <= query.limit && query.count < 4u32 {
        put_point(points, query.count, at, gap);
        query.count += 1u32;
    }
}
