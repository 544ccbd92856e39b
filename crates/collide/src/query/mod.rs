//! Questions about a whole scene at a state: rays, swept shapes, overlaps, nearest points.
//!
//! [`SceneIndex`] is what is kept from state to state, [`SceneQuery`] asks it. Every answer depends on the poses alone:
//! neither on how the tree grew nor on the number of threads.

mod batch;
mod cast;
mod error;
mod filter;
mod index;
mod nearest;
mod overlap;
mod ray;
mod sensor;

use std::sync::Arc;

use drystone_geometry::{DVec3, Pose, Shape};
use drystone_model::{BodyId, Model, ShapeId, State, WORLD};

pub use error::QueryError;
pub use filter::QueryFilter;
pub use index::SceneIndex;

use crate::shapes::is_unbounded;

/// What a ray or a swept shape meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// The shape that is met.
    pub shape: ShapeId,
    /// The body that wears it.
    pub body: BodyId,
    /// When, in units of the direction's length: with a unit vector a distance \[m\].
    pub time: f64,
    /// Where on the surface of the shape \[m\].
    pub point: DVec3,
    /// Outward unit normal of the shape there.
    pub normal: DVec3,
}

/// The surface point of a scene nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneNearest {
    /// The shape.
    pub shape: ShapeId,
    /// The body that wears it.
    pub body: BodyId,
    /// The nearest point of its surface \[m\].
    pub point: DVec3,
    /// Outward unit normal there.
    pub normal: DVec3,
    /// Signed distance \[m\]; negative inside the shape.
    pub distance: f64,
}

/// Where a shape asked about touches a shape of the scene, or nearly does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneContact {
    /// The shape of the scene.
    pub shape: ShapeId,
    /// The body that wears it.
    pub body: BodyId,
    /// Where on its surface \[m\].
    pub point: DVec3,
    /// Unit normal there, out of the scene's shape: moving along it by −`distance` undoes an overlap.
    pub normal: DVec3,
    /// Signed distance \[m\]; negative overlaps.
    pub distance: f64,
}

/// A scene at a state, ready for many questions. Shapes of quarantined bodies are not there, and bodies that a solver
/// deforms are where their rigid frames are.
///
/// ```
/// use drystone_collide::{QueryFilter, SceneQuery};
/// use drystone_geometry::{DVec3, Ray, Shape};
/// use drystone_model::{BodyDef, ModelBuilder};
/// let mut scene = ModelBuilder::new();
/// scene.ground();
/// let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z * 2.0).sphere(0.5));
/// let model = scene.finalize()?;
/// let query = SceneQuery::new(&model, &model.state());
///
/// let down = Ray::new(DVec3::Z * 5.0, DVec3::NEG_Z);
/// let hit = query.cast_ray(&down, f64::INFINITY, &QueryFilter::new())?.unwrap();
/// assert_eq!((hit.body, hit.time), (ball, 2.5));
/// let below = query.cast_ray(&down, f64::INFINITY, &QueryFilter::new().without(&[ball]))?.unwrap();
/// assert_eq!((below.time, below.normal), (5.0, DVec3::Z));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneQuery<'a> {
    model: &'a Model,
    index: Arc<SceneIndex>,
    pool: Option<&'a rayon::ThreadPool>,
    /// Ids of shapes and bodies by their indices, where they are not the indices.
    ids: Option<[&'a [u32]; 2]>,
}

impl<'a> SceneQuery<'a> {
    /// Places a scene, for questions about this state only.
    pub fn new(model: &'a Model, state: &State) -> Self {
        Self::of(model, Arc::new(SceneIndex::new(model, state)), None)
    }

    /// Asks an index of this model that is kept from state to state; batches run on `pool`, if given.
    pub fn of(model: &'a Model, index: Arc<SceneIndex>, pool: Option<&'a rayon::ThreadPool>) -> Self {
        Self { model, index, pool, ids: None }
    }

    /// Calls shapes and bodies by these ids, in the order of the model and ascending, instead of their indices.
    pub fn named(self, shapes: &'a [u32], bodies: &'a [u32]) -> Self {
        Self { ids: Some([shapes, bodies]), ..self }
    }

    #[inline]
    fn admits(&self, filter: &QueryFilter, shape: u32) -> bool {
        filter.admits(self.model, shape as usize, self.shape_id(shape), self.body_id(shape))
    }

    fn shape_id(&self, shape: u32) -> ShapeId {
        ShapeId(self.ids.map_or(shape, |[shapes, _]| shapes[shape as usize]))
    }

    /// The body that wears a shape.
    fn body_id(&self, shape: u32) -> BodyId {
        let body = self.model.shape_body[shape as usize];
        BodyId(self.ids.filter(|_| body != WORLD).map_or(body, |[_, bodies]| bodies[body as usize]))
    }
}

fn check_bound(what: &'static str, value: f64) -> Result<(), QueryError> {
    if value >= 0.0 { Ok(()) } else { Err(QueryError::BadBound { what, value }) }
}

fn check_place(what: &'static str, place: DVec3) -> Result<(), QueryError> {
    let [x, y, z] = place.to_array();
    if place.is_finite() { Ok(()) } else { Err(QueryError::BadPlace { what, x, y, z }) }
}

fn check_direction(what: &'static str, direction: DVec3) -> Result<(), QueryError> {
    let [x, y, z] = direction.to_array();
    let good = direction.is_finite() && direction != DVec3::ZERO;
    if good { Ok(()) } else { Err(QueryError::BadDirection { what, x, y, z }) }
}

/// A shape that can be asked about: of a possible size, in a place, with an end.
fn check_shape(shape: &Shape, pose: &Pose) -> Result<(), QueryError> {
    if is_unbounded(shape) {
        let name = if matches!(shape, Shape::HalfSpace) { "a half-space" } else { "terrain" };
        return Err(QueryError::CannotAsk { shape: name, asked: "asked about", instead: "a box as large as needed" });
    }
    shape.validate()?;
    check_place("the position of the shape", pose.translation)?;
    let length = pose.rotation.length();
    if (length - 1.0).abs() < 1e-6 { Ok(()) } else { Err(QueryError::BadOrientation(length)) }
}
