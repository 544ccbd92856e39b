//! Numbers that solvers declare and users set by name.

use std::collections::{BTreeMap, BTreeSet};

use super::ModelBuilder;
use crate::attribute::Attributes;
use crate::error::{Entity, Faults};
use crate::id::{BodyId, JointId, ShapeId};
use crate::model::Model;
use crate::nearest::nearest;

/// An entity that can carry attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AttributeTarget {
    /// A body.
    Body(BodyId),
    /// A shape.
    Shape(ShapeId),
    /// A joint.
    Joint(JointId),
}

impl From<BodyId> for AttributeTarget {
    fn from(id: BodyId) -> Self {
        Self::Body(id)
    }
}

impl From<ShapeId> for AttributeTarget {
    fn from(id: ShapeId) -> Self {
        Self::Shape(id)
    }
}

impl From<JointId> for AttributeTarget {
    fn from(id: JointId) -> Self {
        Self::Joint(id)
    }
}

impl AttributeTarget {
    pub(super) fn entity(self) -> Entity {
        match self {
            Self::Body(_) => Entity::Body,
            Self::Shape(_) => Entity::Shape,
            Self::Joint(_) => Entity::Joint,
        }
    }

    fn index(self) -> usize {
        match self {
            Self::Body(id) => id.built_index(),
            Self::Shape(id) => id.built_index(),
            Self::Joint(id) => id.built_index(),
        }
    }

    /// The same entity after its kind has been moved up by the given counts.
    pub(super) fn shifted(self, bodies: u32, shapes: u32, joints: u32) -> Self {
        match self {
            Self::Body(BodyId(id)) => Self::Body(BodyId(id.saturating_add(bodies))),
            Self::Shape(ShapeId(id)) => Self::Shape(ShapeId(id.saturating_add(shapes))),
            Self::Joint(JointId(id)) => Self::Joint(JointId(id.saturating_add(joints))),
        }
    }
}

/// What was declared and what was set, in the order it was set.
#[derive(Clone, Debug, Default)]
pub(super) struct AttributeTable {
    /// Defaults that solvers gave.
    pub(super) declared: BTreeMap<(Entity, String), f64>,
    /// Defaults that the scene gives instead.
    pub(super) scene_default: BTreeMap<(Entity, String), f64>,
    pub(super) set: Vec<(String, AttributeTarget, f64)>,
}

impl ModelBuilder {
    /// Declares a number `solver.name` on all bodies, shapes or joints, with its default. Solvers do
    /// this; declaring the same name again replaces the default. Other entities carry no attributes.
    /// The model holds a declared number only once somebody sets it, so that declaring costs nothing.
    pub fn declare_attribute(&mut self, name: impl Into<String>, entity: Entity, default: f64) {
        self.attributes.declared.insert((entity, name.into()), default);
    }

    /// Sets a number on all bodies, shapes or joints that do not set it themselves. A `solver` that
    /// declares attributes must have declared this one too; any other prefix is the scene's own.
    pub fn set_attribute_default(&mut self, name: impl Into<String>, entity: Entity, value: f64) {
        self.attributes.scene_default.insert((entity, name.into()), value);
    }

    /// Sets a declared number on one entity. A name that nobody declared by the time of `finalize`
    /// is a fault there, with the nearest known name.
    ///
    /// ```
    /// use drystone_model::{BodyDef, Entity, ModelBuilder};
    /// let mut scene = ModelBuilder::new();
    /// let ball = scene.add_body(BodyDef::dynamic("ball").sphere(1.0));
    /// scene.declare_attribute("demo.colour", Entity::Body, 0.5);
    /// scene.set_attribute("demo.color", ball, 1.0);
    /// let error = scene.finalize().unwrap_err().to_string();
    /// assert!(error.contains("did you mean `demo.colour`?"));
    /// ```
    pub fn set_attribute(&mut self, name: impl Into<String>, target: impl Into<AttributeTarget>, value: f64) {
        self.attributes.set.push((name.into(), target.into(), value));
    }
}

impl AttributeTable {
    pub(super) fn append(&mut self, other: &Self, [bodies, shapes, joints]: [u32; 3]) {
        self.declared.extend(other.declared.clone());
        self.scene_default.extend(other.scene_default.clone());
        let set = other.set.iter();
        self.set
            .extend(set.map(|(name, target, value)| (name.clone(), target.shifted(bodies, shapes, joints), *value)));
    }

    pub(super) fn lower(&self, model: &Model, faults: &mut Faults) -> Attributes {
        let mut attributes = Attributes::default();
        for ((entity, name), default) in self.stored() {
            faults.about(Entity::Attribute, 0, name);
            if !name.contains('.') {
                faults.add("name", "it does not say whose it is", format!("call it `solver.{name}`"));
            }
            if default.is_nan() {
                faults.add("value", "it is not a number", "give a number");
            }
            if self.misspelt(*entity, name) {
                faults.add("name", format!("no solver declares it for a {entity}"), self.suggestion(name, *entity));
            }
            let (map, count) = match entity {
                Entity::Body => (&mut attributes.body, model.body_count()),
                Entity::Shape => (&mut attributes.shape, model.shape_count()),
                Entity::Joint => (&mut attributes.joint, model.joint_count()),
                other => {
                    faults.add("entity", format!("a {other} carries no attributes"), "use body, shape or joint");
                    continue;
                }
            };
            map.insert(name.clone(), vec![default; count]);
        }
        self.set.iter().for_each(|(name, target, value)| self.apply(name, *target, *value, &mut attributes, faults));
        attributes
    }

    /// The numbers the model is to hold, with what they are where no entity sets them.
    fn stored(&self) -> impl Iterator<Item = (&(Entity, String), f64)> {
        let set: BTreeSet<(Entity, &str)> =
            self.set.iter().map(|(name, target, _)| (target.entity(), name.as_str())).collect();
        let used = move |key: &(Entity, String)| {
            // What carries no attributes is refused even if nobody sets it: that is a fault of the solver's.
            let carries = matches!(key.0, Entity::Body | Entity::Shape | Entity::Joint);
            !carries || !key.1.contains('.') || set.contains(&(key.0, key.1.as_str()))
        };
        let declared = self.declared.iter().filter(move |(key, _)| !self.scene_default.contains_key(*key) && used(key));
        self.scene_default.iter().chain(declared).map(|(key, &default)| (key, default))
    }

    /// Whether a name belongs to a solver that declares attributes, but not this one.
    fn misspelt(&self, entity: Entity, name: &str) -> bool {
        let owner = |name: &str| name.split_once('.').map(|(owner, _)| owner.to_owned());
        let known = self.declared.contains_key(&(entity, name.to_owned()));
        !known && self.declared.keys().any(|(_, declared)| owner(declared).is_some() && owner(declared) == owner(name))
    }

    fn apply(&self, name: &str, target: AttributeTarget, value: f64, attributes: &mut Attributes, faults: &mut Faults) {
        let entity = target.entity();
        let map = match target {
            AttributeTarget::Body(_) => &mut attributes.body,
            AttributeTarget::Shape(_) => &mut attributes.shape,
            AttributeTarget::Joint(_) => &mut attributes.joint,
        };
        faults.about(Entity::Attribute, target.index(), name);
        let Some(values) = map.get_mut(name) else {
            faults.add("name", format!("no solver declares it for a {entity}"), self.suggestion(name, entity));
            return;
        };
        match values.get_mut(target.index()) {
            Some(_) if value.is_nan() => faults.add("value", "it is not a number", "give a number"),
            Some(slot) => *slot = value,
            None => faults.add("entity", format!("{entity} {} does not exist", target.index()), "name one that does"),
        }
    }

    /// The nearest declared name for the kind of entity, if any is near; otherwise all of them.
    fn suggestion(&self, name: &str, entity: Entity) -> String {
        let known = || self.declared.keys().filter(|(of, _)| *of == entity).map(|(_, known)| known.as_str());
        match nearest(name, known()) {
            Some(known) => format!("did you mean `{known}`?"),
            None if known().next().is_none() => format!(
                "no attributes are declared for a {entity}; start from `drystone::new_model()`, which knows every solver's"
            ),
            None => format!("known are: {}", known().collect::<Vec<_>>().join(", ")),
        }
    }
}
