//! Many questions at once: on all threads, answers in the order of the questions, and the same as one by one.

use drystone_geometry::{DVec3, Pose, Ray, Shape};
use drystone_model::ShapeId;
use rayon::prelude::*;

use super::{QueryError, QueryFilter, SceneHit, SceneNearest, SceneQuery};

/// Questions that a thread takes at once.
const TAKEN: usize = 32;

impl SceneQuery<'_> {
    /// [`SceneQuery::cast_ray`] for many rays.
    ///
    /// ```
    /// use drystone_collide::{QueryFilter, SceneQuery};
    /// use drystone_geometry::{DVec3, Ray};
    /// use drystone_model::ModelBuilder;
    /// let mut scene = ModelBuilder::new();
    /// scene.ground();
    /// let model = scene.finalize()?;
    /// let rays: Vec<Ray> = (1..1000).map(|k| Ray::new(DVec3::Z * f64::from(k), DVec3::NEG_Z)).collect();
    /// let hits = SceneQuery::new(&model, &model.state()).cast_rays(&rays, 500.0, &QueryFilter::new())?;
    /// assert_eq!(hits.iter().flatten().count(), 500); // the rays from up to 500 m
    /// assert_eq!(hits[41].unwrap().time, 42.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_rays(
        &self,
        rays: &[Ray],
        max_time: f64,
        filter: &QueryFilter,
    ) -> Result<Vec<Option<SceneHit>>, QueryError> {
        self.batch(rays, |ray| self.cast_ray(ray, max_time, filter))
    }

    /// [`SceneQuery::cast_shape`] for one shape along many ways: where it starts and its direction.
    pub fn cast_shapes(
        &self,
        shape: &Shape,
        ways: &[(Pose, DVec3)],
        max_time: f64,
        filter: &QueryFilter,
    ) -> Result<Vec<Option<SceneHit>>, QueryError> {
        self.batch(ways, |(pose, direction)| self.cast_shape(shape, pose, *direction, max_time, filter))
    }

    /// [`SceneQuery::nearest`] for many points.
    pub fn nearest_many(
        &self,
        points: &[DVec3],
        max_distance: f64,
        filter: &QueryFilter,
    ) -> Result<Vec<Option<SceneNearest>>, QueryError> {
        self.batch(points, |&point| self.nearest(point, max_distance, filter))
    }

    /// [`SceneQuery::overlaps`] for one shape at many places.
    pub fn overlaps_many(
        &self,
        shape: &Shape,
        poses: &[Pose],
        filter: &QueryFilter,
    ) -> Result<Vec<Vec<ShapeId>>, QueryError> {
        self.batch(poses, |pose| self.overlaps(shape, pose, filter))
    }

    /// Of several faults the first is told.
    fn batch<T: Sync, R: Send>(
        &self,
        items: &[T],
        ask: impl Fn(&T) -> Result<R, QueryError> + Sync,
    ) -> Result<Vec<R>, QueryError> {
        let all = || -> Vec<Result<R, QueryError>> { items.par_iter().with_min_len(TAKEN).map(&ask).collect() };
        let answers = match self.pool {
            Some(pool) => pool.install(all),
            None => all(),
        };
        let name = |(index, answer): (usize, Result<R, QueryError>)| {
            answer.map_err(|fault| QueryError::InBatch { index, fault: Box::new(fault) })
        };
        answers.into_iter().enumerate().map(name).collect()
    }
}
