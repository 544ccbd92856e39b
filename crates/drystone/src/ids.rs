//! Ids that stay valid while the scene is edited.
//!
//! Arrays of the model are dense and in order of creation; a removal closes the gap. Ids count up and are never given
//! twice, so that the list of ids in the order of the arrays is ascending: looking one up is a binary search, what is
//! not found was removed, and nothing is kept of what is gone.

use drystone_model::{BodyId, Entity, JointId, ParticleId, ShapeId, WORLD};
use drystone_solve::{Unsupported, Untold};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a request to a simulation was refused. Nothing has changed.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RequestError {
    /// The scene never had it.
    #[error("there is no {entity} #{id}; this scene has given ids below #{next} so far")]
    Unknown {
        /// What was asked for.
        entity: Entity,
        /// Its id.
        id: u32,
        /// The first id that was never given.
        next: u32,
    },
    /// It was removed in an edit. Its id is not given again.
    #[error("{entity} #{id} was removed from the scene")]
    Removed {
        /// What was asked for.
        entity: Entity,
        /// Its id.
        id: u32,
    },
    /// It is there, but the request makes no sense for it.
    #[error("{entity} `{name}`: {problem}; {remedy}")]
    Unfit {
        /// What was asked for.
        entity: Entity,
        /// Its name.
        name: String,
        /// Why it cannot be done.
        problem: String,
        /// What would work.
        remedy: String,
    },
    /// The solver cannot tell.
    #[error(transparent)]
    Untold(#[from] Untold),
    /// The solver cannot do it.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

/// The ids of one kind of entity, in the order of the arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IdTable {
    /// Ascending.
    id: Vec<u32>,
    /// The first id that was never given.
    next: u32,
}

impl IdTable {
    /// Of a fresh model: ids are indices.
    pub fn new(count: usize) -> Self {
        Self { id: (0..count as u32).collect(), next: count as u32 }
    }

    /// Where an entity is now.
    pub fn index(&self, entity: Entity, id: u32) -> Result<usize, RequestError> {
        // Nothing removed before it: it is where it always was.
        if self.id.get(id as usize) == Some(&id) {
            return Ok(id as usize);
        }
        match self.id.binary_search(&id) {
            Ok(index) => Ok(index),
            Err(_) if id < self.next => Err(RequestError::Removed { entity, id }),
            Err(_) => Err(RequestError::Unknown { entity, id, next: self.next }),
        }
    }

    /// The id of an entity by its index.
    pub fn id(&self, index: usize) -> u32 {
        self.id[index]
    }

    /// All ids, ascending.
    pub fn all(&self) -> &[u32] {
        &self.id
    }

    /// Whether every id is an index.
    pub fn is_fresh(&self) -> bool {
        self.id.len() == self.next as usize
    }

    /// The id of a new entity, which comes last. `None` once 2³² − 1 have been given.
    pub fn push(&mut self) -> Option<u32> {
        let id = self.next;
        self.next = self.next.checked_add(1).filter(|&next| next != WORLD)?;
        self.id.push(id);
        Some(id)
    }

    /// Drops those that are not kept.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut kept = kept.iter();
        self.id.retain(|_| kept.next().copied().unwrap_or(true));
    }
}

/// The ids of everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ids {
    pub body: IdTable,
    pub shape: IdTable,
    pub joint: IdTable,
    pub particle: IdTable,
}

impl Ids {
    /// Of a fresh model.
    pub fn new(model: &drystone_model::Model) -> Self {
        Self {
            body: IdTable::new(model.body_count()),
            shape: IdTable::new(model.shape_count()),
            joint: IdTable::new(model.joint_count()),
            particle: IdTable::new(model.particle_count()),
        }
    }

    /// Where a body is now.
    pub fn body_index(&self, body: BodyId) -> Result<usize, RequestError> {
        self.body.index(Entity::Body, body.0)
    }

    /// Where a shape is now.
    pub fn shape_index(&self, shape: ShapeId) -> Result<usize, RequestError> {
        self.shape.index(Entity::Shape, shape.0)
    }

    /// Where a joint is now.
    pub fn joint_index(&self, joint: JointId) -> Result<usize, RequestError> {
        self.joint.index(Entity::Joint, joint.0)
    }

    /// Where a particle is now.
    pub fn particle_index(&self, particle: ParticleId) -> Result<usize, RequestError> {
        self.particle.index(Entity::Particle, particle.0)
    }

    /// Whether every id is an index.
    pub fn are_fresh(&self) -> bool {
        self.body.is_fresh() && self.shape.is_fresh() && self.joint.is_fresh()
    }

    /// The id of the joint at a place.
    pub fn of_joint(&self, index: u32) -> u32 {
        self.joint.id(index as usize)
    }

    /// The id of a body, or of the world.
    pub fn of_body(&self, index: u32) -> u32 {
        if index == WORLD { WORLD } else { self.body.id(index as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_id_is_never_somebody_else() {
        let mut table = IdTable::new(4);
        table.retain(&[true, false, true, true]);
        assert_eq!([0, 2, 3].map(|id| table.index(Entity::Body, id)), [Ok(0), Ok(1), Ok(2)]);
        assert_eq!(table.index(Entity::Body, 1), Err(RequestError::Removed { entity: Entity::Body, id: 1 }));
        assert_eq!(table.push(), Some(4));
        assert_eq!((table.index(Entity::Body, 4), table.id(3)), (Ok(3), 4));
        // Removed at the end, and the index taken by another.
        table.retain(&[true, true, true, false]);
        assert_eq!(table.push(), Some(5));
        let gone = table.index(Entity::Body, 4).unwrap_err();
        assert_eq!(gone.to_string(), "body #4 was removed from the scene");
        let never = table.index(Entity::Body, 6).unwrap_err();
        assert_eq!(never.to_string(), "there is no body #6; this scene has given ids below #6 so far");
    }
}
