//! What a model must satisfy. Runs over the arrays, so that a model read from a file is held to the
//! same rules as one that was built.

mod bodies;
mod elements;
mod joints;
mod lengths;
pub(crate) mod numbers;
mod shapes;

use std::collections::BTreeMap;

use crate::error::{Entity, Faults, ModelError};
use crate::model::Model;

impl Model {
    /// Checks a model that did not come from a builder; lists every fault found.
    pub fn validate(&self) -> Result<(), ModelError> {
        let mut faults = Faults::from_list(Vec::new());
        lengths::check(self, &mut faults);
        // Arrays of unequal length cannot be read on.
        if faults.is_empty() {
            check(self, &mut faults);
        }
        faults.into_result()
    }
}

/// Adds every fault of the model to the list.
pub(crate) fn check(model: &Model, faults: &mut Faults) {
    check_worlds(model, faults);
    bodies::check(model, faults);
    shapes::check(model, faults);
    joints::check(model, faults);
    elements::check(model, faults);
}

fn check_worlds(model: &Model, faults: &mut Faults) {
    for (index, gravity) in model.world_gravity.iter().enumerate() {
        faults.about(Entity::World, index, "");
        numbers::vector(faults, "gravity", *gravity);
    }
    for (index, wind) in model.world_wind.iter().enumerate() {
        faults.about(Entity::World, index, "");
        check_world_index(model, faults, index as u32);
        numbers::vector(faults, "wind", *wind);
        let feels = |(corners, air): (&[u32; 3], &[f64; 2])| {
            *air != [0.0; 2] && model.particle_world.get(corners[0] as usize) == Some(&(index as u32))
        };
        if *wind != Default::default() && !model.triangle_particle.iter().zip(&model.triangle_air).any(feels) {
            faults.add(
                "wind",
                "nothing in this world feels it",
                "give triangles a drag or a lift, or take the wind away",
            );
        }
    }
}

/// Reports names that occur a second time.
fn check_names(faults: &mut Faults, entity: Entity, names: &[String]) {
    let mut first = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        let earlier = *first.entry(name).or_insert(index);
        if earlier != index {
            faults.about(entity, index, name);
            faults.add("name", format!("{entity} #{earlier} has the same name"), "give every one its own name");
        }
    }
}

/// Reports an index into the worlds that is out of range.
fn check_world_index(model: &Model, faults: &mut Faults, world: u32) {
    if world as usize >= model.world_count() {
        let count = model.world_count();
        faults.add("world", format!("world {world} does not exist"), format!("use one of the {count} worlds"));
    }
}
