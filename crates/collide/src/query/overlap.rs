//! What a shape overlaps, and where it touches.

use drystone_geometry::{DVec3, Pose, Shape};
use drystone_model::ShapeId;

use super::{QueryError, QueryFilter, SceneContact, SceneQuery, check_bound, check_shape};
use crate::narrow::manifold::{Anchors, Point};
use crate::narrow::{Found, NO_AXIS, Query, Scratch, Solid, collide_pair};
use crate::placement::Placement;
use crate::shapes::ShapeTable;

impl SceneQuery<'_> {
    /// The shapes that touch or overlap `shape` placed at `pose`, ascending.
    pub fn overlaps(&self, shape: &Shape, pose: &Pose, filter: &QueryFilter) -> Result<Vec<ShapeId>, QueryError> {
        Ok(self.contacts(shape, pose, 0.0, filter)?.into_iter().map(|contact| contact.shape).collect())
    }

    /// Where `shape` placed at `pose` touches the shapes of the scene or comes as near as `distance` \[m\]: the deepest or
    /// nearest point of each, ascending by shape.
    pub fn contacts(
        &self,
        shape: &Shape,
        pose: &Pose,
        distance: f64,
        filter: &QueryFilter,
    ) -> Result<Vec<SceneContact>, QueryError> {
        check_shape(shape, pose)?;
        check_bound("the distance", distance)?;
        if distance.is_infinite() {
            return Err(QueryError::BadBound { what: "a distance that is finite and", value: distance });
        }
        Ok(self.contacts_of(shape, &ShapeTable::alone(shape), pose, distance, filter))
    }

    /// The same for a shape with its table at hand.
    pub(super) fn contacts_of(
        &self,
        shape: &Shape,
        asked: &ShapeTable,
        pose: &Pose,
        distance: f64,
        filter: &QueryFilter,
    ) -> Vec<SceneContact> {
        let at = Placement::new(pose);
        let first = Solid { shape, mesh: asked.mesh[0].as_deref(), at: &at };
        let mut scratch = Scratch::default();
        let mut found = Vec::new();
        let mut test = |other: u32| {
            if self.admits(filter, other) {
                let thickness = asked.thickness[0];
                found.extend(self.deepest(&first, thickness, other, distance, &mut scratch));
            }
        };
        let search = shape.aabb(pose).inflated(distance);
        self.index.tree.overlaps(&search, &mut test);
        self.index.unbounded().for_each(&mut test);
        found.sort_unstable_by_key(|contact: &SceneContact| contact.shape);
        found
    }

    /// The deepest point between a shape asked about and one of the scene.
    pub(super) fn deepest(
        &self,
        first: &Solid,
        thickness: f64,
        other: u32,
        distance: f64,
        scratch: &mut Scratch,
    ) -> Option<SceneContact> {
        let second = self.index.solid(self.model, other as usize);
        let thickness = thickness.min(self.index.table.thickness[other as usize]);
        let (slack, anchors) = (0.005 * thickness, Anchors::NONE);
        let mut query = Query { limit: distance, slack, axis: NO_AXIS, apart: false, anchors };
        let mut deepest = Deepest(None);
        collide_pair(first, &second, &mut query, scratch, &mut deepest);
        let (normal, point) = deepest.0?;
        let (point, distance) = (point.position1, point.gap);
        Some(SceneContact { shape: self.shape_id(other), body: self.body_id(other), point, normal: -normal, distance })
    }
}

/// Keeps the deepest point of all manifolds, with its normal.
struct Deepest(Option<(DVec3, Point)>);

impl Found for Deepest {
    fn manifold(&mut self, normal: DVec3, _: [u32; 2], points: &mut [Point]) {
        for point in points {
            if self.0.is_none_or(|(_, deepest)| point.gap < deepest.gap) {
                self.0 = Some((normal, *point));
            }
        }
    }
}
