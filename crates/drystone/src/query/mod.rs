//! Questions about a scene in motion: rays, swept shapes, overlaps, nearest points.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use drystone_collide::{SceneIndex, SceneQuery};
use drystone_model::{Model, State};

use crate::Simulation;

/// The index behind [`Simulation::query`], kept from step to step. It is brought up to date when somebody asks. Whoever
/// changes the shapes of the model begins with an empty one.
#[derive(Debug, Default)]
pub(crate) struct QueryCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    index: Option<Arc<SceneIndex>>,
    /// Whether nothing has moved since it was brought up to date.
    fresh: bool,
}

impl QueryCache {
    /// Bodies may have moved.
    pub fn state_changed(&mut self) {
        self.kept_mut().fresh = false;
    }

    /// The index at a state.
    pub fn at(&self, model: &Model, state: &State) -> Arc<SceneIndex> {
        let mut kept = self.kept();
        let fresh = kept.fresh;
        let index = kept.index.get_or_insert_with(|| Arc::new(SceneIndex::new(model, state)));
        if !fresh {
            // Nobody else holds it: a query borrows the simulation, which cannot move meanwhile.
            Arc::make_mut(index).update(model, state);
        }
        debug_assert!(index.is_at(model, state), "whoever moves bodies must tell `QueryCache::state_changed`");
        let index = index.clone();
        kept.fresh = true;
        index
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept_mut(&mut self) -> &mut Kept {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Simulation {
    /// Asks about the scene as it is now: rays, swept shapes, overlaps, nearest points, one by one or in parallel batches.
    ///
    /// What is needed for it is kept from step to step and brought up to date by the first question after something moved:
    /// only what moved is placed anew, and the tree of boxes is refitted. Answers do not depend on the number of threads.
    ///
    /// ```
    /// use drystone::geometry::{Ray, Shape};
    /// use drystone::collide::QueryFilter;
    /// use drystone::prelude::*;
    /// let mut scene = ModelBuilder::new();
    /// scene.ground();
    /// let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 5.0).sphere(0.5));
    /// let mut sim = Simulation::new(scene.finalize()?)?;
    /// sim.run(30, |_| ())?;
    ///
    /// let query = sim.query();
    /// let down = Ray::new(DVec3::Z * 10.0, DVec3::NEG_Z);
    /// let hit = query.cast_ray(&down, 100.0, &QueryFilter::new())?.unwrap();
    /// assert_eq!(hit.body, ball);
    /// assert!((10.0 - hit.time - 0.5 - sim.state().body_q[0].translation.z).abs() < 1e-12);
    /// let own = [ball];
    /// let others = QueryFilter::new().without(&own);
    /// let landing = query.cast_shape(&Shape::sphere(0.5)?, &sim.state().body_q[0], DVec3::NEG_Z, 100.0, &others)?;
    /// assert!((landing.unwrap().point.z).abs() < 1e-6);
    /// assert!(query.overlaps(&Shape::sphere(0.1)?, &Pose::from_translation(DVec3::Z * 20.0), &others)?.is_empty());
    /// assert_eq!(query.nearest(DVec3::Z * 0.3, 10.0, &others)?.unwrap().distance, 0.3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query(&self) -> SceneQuery<'_> {
        let Self { query, model, state, pool, ids, .. } = self;
        let index = match pool {
            Some(pool) => pool.install(|| query.at(model, state)),
            None => query.at(model, state),
        };
        let query = SceneQuery::of(model, index, pool.as_ref());
        if ids.are_fresh() { query } else { query.named(ids.shape.all(), ids.body.all()) }
    }
}
