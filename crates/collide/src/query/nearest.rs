//! Nearest points, and the shapes around a point.

use drystone_geometry::{Aabb, DVec3};
use drystone_model::ShapeId;

use super::{QueryError, QueryFilter, SceneNearest, SceneQuery, check_bound, check_place};

impl SceneQuery<'_> {
    /// The surface point nearest to `point` \[m\] within `max_distance` \[m\] (infinite is allowed). Inside a shape the
    /// signed distance is negative, and the deepest wins; of shapes equally near the one with the lowest number.
    pub fn nearest(
        &self,
        point: DVec3,
        max_distance: f64,
        filter: &QueryFilter,
    ) -> Result<Option<SceneNearest>, QueryError> {
        check_place("the point", point)?;
        check_bound("the largest distance", max_distance)?;
        let Self { model, index, .. } = self;
        let mut best: Option<(f64, u32)> = None;
        // The tree is told the square of the best distance so far: what is deeper wins, what is farther is not visited.
        let mut offer = |shape: u32| {
            if self.admits(filter, shape) {
                let distance = index.project_on(model, shape, point).distance;
                if distance <= max_distance && best.is_none_or(|best| (distance, shape) < best) {
                    best = Some((distance, shape));
                }
            }
            best.map_or(max_distance, |(distance, _)| distance.max(0.0))
        };
        let mut limit = max_distance;
        for shape in index.unbounded() {
            limit = offer(shape);
        }
        index.tree.visit_near(point, limit, |shape| if index.in_tree(shape) { offer(shape) } else { f64::INFINITY });
        Ok(best.map(|(_, shape)| {
            let found = index.project_on(model, shape, point);
            let (point, normal, distance) = (found.point, found.normal, found.distance);
            SceneNearest { shape: self.shape_id(shape), body: self.body_id(shape), point, normal, distance }
        }))
    }

    /// The shapes that hold a point \[m\], ascending; on the surface counts as inside.
    pub fn shapes_at(&self, point: DVec3, filter: &QueryFilter) -> Result<Vec<ShapeId>, QueryError> {
        check_place("the point", point)?;
        let Self { model, index, .. } = self;
        let mut found = Vec::new();
        let mut test = |shape: u32| {
            if self.admits(filter, shape) && index.project_on(model, shape, point).distance <= 0.0 {
                found.push(self.shape_id(shape));
            }
        };
        index.tree.overlaps(&Aabb::new(point, point), &mut test);
        index.unbounded().for_each(&mut test);
        found.sort_unstable();
        Ok(found)
    }
}
