//! What sensors overlap.

use drystone_model::ShapeId;
use rayon::prelude::*;

use super::SceneQuery;
use crate::narrow::Scratch;

impl SceneQuery<'_> {
    /// Every sensor with every shape that overlaps it, sorted: shapes of other bodies in the same world whose groups agree and
    /// that no filter keeps apart, where at least one of the two bodies can move. Sensors do not tell of each other.
    ///
    /// ```
    /// use drystone_collide::SceneQuery;
    /// use drystone_model::{BodyDef, DVec3, ModelBuilder, ShapeDef, WORLD};
    /// let mut scene = ModelBuilder::new();
    /// let gate = scene.add_shape(WORLD, ShapeDef::cuboid(DVec3::ONE).sensor());
    /// let ball = scene.add_body(BodyDef::dynamic("ball").at(DVec3::X * 1.2).sphere(0.5));
    /// scene.add_body(BodyDef::dynamic("far ball").at(DVec3::X * 3.0).sphere(0.5));
    /// let model = scene.finalize()?;
    /// let sensed = SceneQuery::new(&model, &model.state()).sensed();
    /// assert_eq!(sensed.iter().map(|(sensor, shape)| (sensor.0, shape.0)).collect::<Vec<_>>(), [(gate.0, 1)]);
    /// # let _ = ball;
    /// # Ok::<(), drystone_model::ModelError>(())
    /// ```
    pub fn sensed(&self) -> Vec<(ShapeId, ShapeId)> {
        let all =
            || -> Vec<Vec<ShapeId>> { self.index.sensors.par_iter().map(|&sensor| self.sensed_by(sensor)).collect() };
        let sensed = match self.pool {
            Some(pool) => pool.install(all),
            None => all(),
        };
        let pairs = self.index.sensors.iter().zip(sensed);
        pairs
            .flat_map(|(&sensor, shapes)| shapes.into_iter().map(move |shape| (self.shape_id(sensor), shape)))
            .collect()
    }

    fn sensed_by(&self, sensor: u32) -> Vec<ShapeId> {
        let index = &self.index;
        let slot = sensor as usize;
        let mut found = Vec::new();
        if !index.slot[slot].present {
            return found;
        }
        let (solid, thickness) = (index.solid(self.model, slot), index.table.thickness[slot]);
        let mut scratch = Scratch::default();
        let mut test = |other: u32| {
            if index.table.may_sense(slot, other as usize) {
                found.extend(self.deepest(&solid, thickness, other, 0.0, &mut scratch).map(|met| met.shape));
            }
        };
        if index.in_tree(sensor) {
            index.tree.overlaps(&index.boxes[slot], &mut test);
            index.unbounded().for_each(&mut test);
        } else {
            (0..self.model.shape_count() as u32).filter(|&other| index.in_tree(other)).for_each(&mut test);
        }
        found.sort_unstable();
        found
    }
}
