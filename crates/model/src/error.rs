//! What is wrong with a model: every fault, each with the entity, the field and the way out.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The kinds of things a model is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Entity {
    /// An independent world.
    World,
    /// A rigid body.
    Body,
    /// A collision shape.
    Shape,
    /// A joint.
    Joint,
    /// A particle.
    Particle,
    /// A spring between particles.
    Spring,
    /// A membrane triangle.
    Triangle,
    /// A bending edge.
    Edge,
    /// A tetrahedron.
    Tetrahedron,
    /// A particle held by a body or sewn to another.
    Attachment,
    /// A rod or rod graph.
    Rod,
    /// A named solver attribute.
    Attribute,
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::World => "world",
            Self::Body => "body",
            Self::Shape => "shape",
            Self::Joint => "joint",
            Self::Particle => "particle",
            Self::Spring => "spring",
            Self::Triangle => "triangle",
            Self::Edge => "edge",
            Self::Tetrahedron => "tetrahedron",
            Self::Attachment => "attachment",
            Self::Rod => "rod",
            Self::Attribute => "attribute",
        })
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Fault {
    /// What kind of entity it is about.
    pub entity: Entity,
    /// Its index in the model.
    pub index: usize,
    /// Its name; empty where entities have none.
    pub name: String,
    /// The field at fault, as the model spells it without the noun (`mass`, `limit`).
    pub field: &'static str,
    /// What is wrong with it.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.entity)?;
        if !self.name.is_empty() {
            write!(f, "`{}` ", self.name)?;
        }
        write!(f, "(#{}), {}: {}; {}", self.index, self.field, self.problem, self.remedy)
    }
}

/// Everything that is wrong with a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Error)]
pub struct ModelError {
    /// The faults, in the order of the model.
    pub faults: Vec<Fault>,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.faults.len();
        write!(f, "the model has {count} fault{}:", if count == 1 { "" } else { "s" })?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  - {fault}"))
    }
}

/// Collects faults about one entity after another.
pub(crate) struct Faults {
    list: Vec<Fault>,
    entity: Entity,
    index: usize,
    name: String,
}

impl Faults {
    /// Starts with faults already known.
    pub(crate) fn from_list(list: Vec<Fault>) -> Self {
        Self { list, entity: Entity::World, index: 0, name: String::new() }
    }

    /// The entity that the following faults are about.
    pub(crate) fn about(&mut self, entity: Entity, index: usize, name: &str) {
        self.entity = entity;
        self.index = index;
        name.clone_into(&mut self.name);
    }

    pub(crate) fn add(&mut self, field: &'static str, problem: impl Into<String>, remedy: impl Into<String>) {
        self.list.push(Fault {
            entity: self.entity,
            index: self.index,
            name: self.name.clone(),
            field,
            problem: problem.into(),
            remedy: remedy.into(),
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn into_result(self) -> Result<(), ModelError> {
        if self.list.is_empty() { Ok(()) } else { Err(ModelError { faults: self.list }) }
    }
}
