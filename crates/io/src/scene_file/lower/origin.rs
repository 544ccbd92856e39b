//! Which path of the file every entity of the model came from.

use drystone_model::{Entity, Fault};

use super::super::error::SceneFault;
use super::super::json5::{Node, Step, Value};
use super::Path;

/// A path for every entity, by index.
#[derive(Default)]
pub struct Origins {
    pub body: Vec<Path>,
    pub shape: Vec<Path>,
    pub joint: Vec<Path>,
    pub rod: Vec<Path>,
    pub particle: Vec<Path>,
}

impl Origins {
    /// A fault of the model, shown where the file caused it.
    pub fn place(&self, tree: &Node, fault: &Fault) -> SceneFault {
        let node = tree.nearest(&self.entity(fault));
        let node = field_of(node, fault);
        let message = match fault.name.as_str() {
            "" => format!("{} {}: {}", fault.entity, fault.index, fault.problem),
            name => format!("{} `{name}`, {}: {}", fault.entity, fault.field, fault.problem),
        };
        SceneFault::new(message, fault.remedy.clone()).at(node.span)
    }

    fn entity(&self, fault: &Fault) -> Path {
        let index = fault.index;
        let listed = |list: &'static str| vec![Step::Key(list), Step::Index(index)];
        let known = |paths: &[Path]| paths.get(index).cloned().unwrap_or_default();
        match fault.entity {
            Entity::World => listed("worlds"),
            Entity::Body => known(&self.body),
            Entity::Shape => known(&self.shape),
            Entity::Joint => known(&self.joint),
            Entity::Rod => known(&self.rod),
            Entity::Particle => known(&self.particle),
            Entity::Spring => listed("springs"),
            Entity::Triangle => listed("triangles"),
            Entity::Edge => listed("edges"),
            Entity::Tetrahedron => listed("tetrahedra"),
            Entity::Attribute => Vec::new(),
        }
    }
}

/// The value a fault is about: the field by the name the model gives it, or by the names the file has
/// for it, or the entity as a whole.
fn field_of<'a>(entity: &'a Node, fault: &Fault) -> &'a Node {
    let mut node = entity;
    let mut steps = fault.field.split('.').peekable();
    if node.get("world").is_none() && fault.field == "gravity" && node.get("gravity").is_none() {
        return node;
    }
    while let Some(step) = steps.next() {
        let names: &[&str] = match step {
            "q" | "pose" => &["rotation", "position"],
            "qd" => &["velocity", "spin"],
            "mass" | "inertia" | "com" => &["mass_properties", "mass"],
            "frame_parent" | "frame_child" => &["axis", "frame", "anchor"],
            "stiffness" => &["stiffness_linear", "stiffness_angular"],
            "damping" => &["damping_linear", "damping_angular"],
            "break" => &["break_force", "break_torque"],
            "distance" => &["distance_max", "distance_min"],
            "limit" | "drive" | "friction" | "armature" => &["axes"],
            _ => &[],
        };
        let Some(next) = std::iter::once(step).chain(names.iter().copied()).find_map(|name| node.get(name)) else {
            break;
        };
        node = through_choice(next, steps.peek().copied());
    }
    name_or_opening(entity, node)
}

/// Steps through the single key of a choice, as in `geometry: { sphere: { radius } }`.
fn through_choice<'a>(node: &'a Node, next: Option<&str>) -> &'a Node {
    match (&node.value, next) {
        (Value::Object(members), Some(next)) if members.len() == 1 && node.get(next).is_none() => &members[0].value,
        _ => node,
    }
}

/// An entity as a whole is best shown by its name, if it has one.
fn name_or_opening<'a>(entity: &'a Node, node: &'a Node) -> &'a Node {
    if std::ptr::eq(entity, node) { entity.get("name").unwrap_or(entity) } else { node }
}
