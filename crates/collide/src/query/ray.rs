//! Rays.

use drystone_geometry::Ray;

use super::{QueryError, QueryFilter, SceneHit, SceneQuery, check_bound, check_direction, check_place};

impl SceneQuery<'_> {
    /// The first surface a ray crosses up to `max_time` (in units of its direction's length; infinite is allowed),
    /// inwards or outwards: a ray that starts inside a shape meets it where it leaves, and the normal there points along
    /// the ray. Of shapes met at the same time the one with the lowest number counts.
    pub fn cast_ray(&self, ray: &Ray, max_time: f64, filter: &QueryFilter) -> Result<Option<SceneHit>, QueryError> {
        check_place("the origin of the ray", ray.origin)?;
        check_direction("the direction of the ray", ray.direction)?;
        check_bound("the largest time of a ray", max_time)?;
        Ok(self.first_hit(ray, max_time, filter))
    }

    fn first_hit(&self, ray: &Ray, max_time: f64, filter: &QueryFilter) -> Option<SceneHit> {
        let Self { model, index, .. } = self;
        let time = |shape: u32, limit: f64| {
            let hit = self.admits(filter, shape).then(|| index.cast_at(model, shape, ray, limit));
            hit.flatten().map(|hit| hit.time)
        };
        let mut best = index.tree.cast_ray(
            ray,
            max_time,
            |shape, limit| {
                if index.in_tree(shape) { time(shape, limit) } else { None }
            },
        );
        for shape in index.unbounded() {
            let limit = best.map_or(max_time, |(_, time)| time);
            if let Some(time) = time(shape, limit)
                && best.is_none_or(|(other, least)| (time, shape) < (least, other))
            {
                best = Some((shape, time));
            }
        }
        let (shape, time) = best?;
        let normal = index.cast_at(model, shape, ray, time)?.normal;
        let (shape, body) = (self.shape_id(shape), self.body_id(shape));
        Some(SceneHit { shape, body, time, point: ray.at(time), normal })
    }
}
