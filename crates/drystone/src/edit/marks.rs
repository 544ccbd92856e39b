//! What an edit did to the entities of one kind.

use drystone_model::{Entity, IndexMap};

use crate::ids::{IdTable, RequestError};

/// What an edit did to one kind of entity, by index in the builder.
#[derive(Default)]
pub(super) struct Marks {
    /// How many there were before.
    old: usize,
    pub kept: Vec<bool>,
    pub changed: Vec<bool>,
}

impl Marks {
    pub fn new(count: usize) -> Self {
        Self { old: count, kept: vec![true; count], changed: vec![false; count] }
    }

    pub fn push(&mut self) {
        self.kept.push(true);
        self.changed.push(false);
    }

    /// Of the indices of now.
    pub fn changed_now(&self) -> Vec<bool> {
        self.kept.iter().zip(&self.changed).filter(|(kept, _)| **kept).map(|(_, changed)| *changed).collect()
    }

    pub fn map(&self) -> IndexMap {
        IndexMap::new(&self.kept[..self.old], self.kept[self.old..].iter().filter(|kept| **kept).count())
    }
}

/// The id of a new entity.
pub(super) fn give(ids: &mut IdTable, marks: &mut Marks, entity: Entity) -> Result<u32, RequestError> {
    let next = u32::MAX;
    let id = ids.push().ok_or(RequestError::Unknown { entity, id: next, next })?;
    marks.push();
    Ok(id)
}

/// Names an entity by its id if nobody does.
pub(super) fn name_by_id(name: &mut String, entity: Entity, id: u32) {
    if name.is_empty() {
        *name = format!("{entity}_{id}");
    }
}

/// Where an entity is in the builder, if it has not been removed.
pub(super) fn at(ids: &IdTable, marks: &Marks, entity: Entity, id: u32) -> Result<u32, RequestError> {
    let index = ids.index(entity, id)?;
    if marks.kept[index] { Ok(index as u32) } else { Err(RequestError::Removed { entity, id }) }
}
