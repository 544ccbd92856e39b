//! What touches: geometry, ids and the match to the step before. Multipliers, penalties and
//! lagged friction are solver state.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use crate::id::ShapeId;
use crate::material::Material;

/// `match_index` of a point that has no predecessor.
pub const UNMATCHED: u32 = u32::MAX;

/// Contact manifolds of one step, structure of arrays. A manifold is a pair of shapes (for meshes:
/// a pair of sub-shapes) with one normal and up to four points. Sorted by `manifold_key`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contacts {
    /// First shape of every manifold; has the smaller shape index.
    pub manifold_shape0: Vec<u32>,
    /// Second shape.
    pub manifold_shape1: Vec<u32>,
    /// Body of the first shape, or [`crate::WORLD`].
    pub manifold_body0: Vec<u32>,
    /// Body of the second shape, or [`crate::WORLD`].
    pub manifold_body1: Vec<u32>,
    /// Sub-shape pair (mesh triangle, heightfield cell) of every manifold; zero for convex shapes.
    pub manifold_sub: Vec<[u32; 2]>,
    /// Unit normal, world frame, from shape 0 towards shape 1.
    pub manifold_normal: Vec<DVec3>,
    /// Combined material.
    pub manifold_material: Vec<Material>,
    /// Velocity of the second surface against the first beyond that of their bodies, across the normal, world frame
    /// \[m/s\]: zero but for conveyor belts.
    pub manifold_surface: Vec<DVec3>,
    /// Where the points of every manifold start; one more entry than manifolds.
    pub point_start: Vec<u32>,
    /// Contact point on the surface of shape 0, world frame at detection \[m\].
    pub point_position0: Vec<DVec3>,
    /// Contact point on the surface of shape 1, world frame at detection \[m\].
    pub point_position1: Vec<DVec3>,
    /// Signed distance along the normal, `normal · (position1 − position0)`; negative overlaps \[m\].
    pub point_gap: Vec<f64>,
    /// Feature pair within the manifold, stable while the same features touch.
    pub point_feature: Vec<u32>,
    /// Index of the same point in the step before, or [`UNMATCHED`].
    pub point_match: Vec<u32>,
}

impl Contacts {
    /// Number of manifolds.
    pub fn manifold_count(&self) -> usize {
        self.manifold_shape0.len()
    }

    /// Number of contact points.
    pub fn point_count(&self) -> usize {
        self.point_gap.len()
    }

    /// The points of a manifold.
    pub fn points(&self, manifold: usize) -> std::ops::Range<usize> {
        self.point_start[manifold] as usize..self.point_start[manifold + 1] as usize
    }

    /// Drops manifolds and points; a manifold that stays must keep a point.
    pub fn retain(&mut self, manifolds: &[bool], points: &[bool]) {
        let mut start = vec![0];
        for manifold in (0..self.manifold_count()).filter(|&manifold| manifolds[manifold]) {
            let left = points[self.points(manifold)].iter().filter(|kept| **kept).count() as u32;
            start.push(start[start.len() - 1] + left);
        }
        self.point_start = start;
        retain(&mut self.manifold_shape0, manifolds);
        retain(&mut self.manifold_shape1, manifolds);
        retain(&mut self.manifold_body0, manifolds);
        retain(&mut self.manifold_body1, manifolds);
        retain(&mut self.manifold_sub, manifolds);
        retain(&mut self.manifold_normal, manifolds);
        retain(&mut self.manifold_material, manifolds);
        retain(&mut self.manifold_surface, manifolds);
        retain(&mut self.point_position0, points);
        retain(&mut self.point_position1, points);
        retain(&mut self.point_gap, points);
        retain(&mut self.point_feature, points);
        retain(&mut self.point_match, points);
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    items.retain(|_| keep.next().copied().unwrap_or(true));
}

/// A pair of shapes that began or ceased to touch. Shapes touch in a step in which they push each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContactEvent {
    /// The shapes did not touch in the step before.
    Begin {
        /// First shape, the smaller number.
        shape0: ShapeId,
        /// Second shape.
        shape1: ShapeId,
        /// Size of the impulse they exchanged in the step, friction included \[N·s\].
        impulse: f64,
    },
    /// The shapes touched in the step before and no longer do.
    End {
        /// First shape, the smaller number.
        shape0: ShapeId,
        /// Second shape.
        shape1: ShapeId,
    },
}
