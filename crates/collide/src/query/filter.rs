//! Which shapes a query is about.

use drystone_model::{BodyId, Model, ShapeId, WorldId};

/// A user's own test of a shape; called from many threads in batches.
type Predicate<'a> = dyn Fn(ShapeId) -> bool + Sync + 'a;

/// Which shapes a query is about. Without anything said: all of world 0 but sensors.
///
/// ```
/// use drystone_collide::QueryFilter;
/// use drystone_model::{BodyId, ShapeId};
/// let me = [BodyId(3)];
/// let even = |shape: ShapeId| shape.0 % 2 == 0;
/// let filter = QueryFilter::new().world(1).groups(0b01, 0b10).without(&me).only(&even).sensors(true);
/// assert_eq!(filter, filter.clone());
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'a> {
    world: Option<u32>,
    group: u32,
    mask: u32,
    any_group: bool,
    without: &'a [BodyId],
    only: Option<&'a Predicate<'a>>,
    sensors: bool,
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { world, group, mask, any_group, without, only, sensors } = self;
        let only = only.map(|_| "a predicate");
        out.debug_struct("QueryFilter")
            .field("world", world)
            .field("group", group)
            .field("mask", mask)
            .field("any_group", any_group)
            .field("without", without)
            .field("only", &only)
            .field("sensors", sensors)
            .finish()
    }
}

impl PartialEq for QueryFilter<'_> {
    /// Predicates are equal if they are the same one.
    fn eq(&self, other: &Self) -> bool {
        let same = match (self.only, other.only) {
            (Some(one), Some(two)) => std::ptr::addr_eq(one, two),
            (None, None) => true,
            _ => false,
        };
        same && (self.world, self.group, self.mask, self.any_group, self.without, self.sensors)
            == (other.world, other.group, other.mask, other.any_group, other.without, other.sensors)
    }
}

impl<'a> QueryFilter<'a> {
    /// All shapes of world 0 but sensors.
    pub const fn new() -> Self {
        let (group, mask, any_group) = (u32::MAX, u32::MAX, false);
        Self { world: Some(0), group, mask, any_group, without: &[], only: None, sensors: false }
    }

    /// Those of another world.
    pub fn world(self, world: impl Into<WorldId>) -> Self {
        Self { world: Some(world.into().0), ..self }
    }

    /// Those of all worlds, although they never meet.
    pub fn all_worlds(self) -> Self {
        Self { world: None, ..self }
    }

    /// Those that a shape with these groups and this mask would meet, as bits: both sides must agree.
    pub fn groups(self, group: u32, mask: u32) -> Self {
        Self { group, mask, any_group: false, ..self }
    }

    /// Those of any groups, even shapes that meet nobody (`groups(0, 0)`): what an eye sees, a hand can take.
    pub fn any_group(self) -> Self {
        Self { any_group: true, ..self }
    }

    /// All but those of these bodies, such as one's own; [`BodyId::WORLD`] leaves out what is fixed to the world.
    pub fn without(self, bodies: &'a [BodyId]) -> Self {
        Self { without: bodies, ..self }
    }

    /// Only those for which `predicate` holds. It is asked last, and in an order that depends on the scene.
    pub fn only(self, predicate: &'a Predicate<'a>) -> Self {
        Self { only: Some(predicate), ..self }
    }

    /// Whether sensors are met too.
    pub fn sensors(self, sensors: bool) -> Self {
        Self { sensors, ..self }
    }

    /// Whether the shape at an index of the model, which is called `shape` and worn by `body`, is one of them.
    #[inline]
    pub(super) fn admits(&self, model: &Model, s: usize, shape: ShapeId, body: BodyId) -> bool {
        self.world.is_none_or(|world| model.shape_world[s] == world)
            && (self.any_group || (self.group & model.shape_mask[s] != 0 && model.shape_group[s] & self.mask != 0))
            && (self.sensors || !model.shape_sensor[s])
            && (self.without.is_empty() || !self.without.contains(&body))
            && self.only.is_none_or(|only| only(shape))
    }
}
