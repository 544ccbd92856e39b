//! Which path of the file every entity of the model came from.

use drystone_model::{ElementCounts, Entity, Fault};

use super::super::error::{SceneFault, Span};
use super::super::json5::{Node, Step, Value};
use super::Path;

/// A path for every entity, by index.
#[derive(Default)]
pub struct Origins {
    pub body: Vec<Path>,
    pub shape: Vec<Path>,
    pub joint: Vec<Path>,
    pub rod: Vec<Path>,
    pub piece: Vec<PieceOrigin>,
}

/// A piece of cloth, soft body or rope, and how many elements there were before and after it.
pub struct PieceOrigin {
    pub path: Path,
    pub counts: [ElementCounts; 2],
}

impl Origins {
    /// A fault of the model, shown where the file caused it.
    pub fn place(&self, tree: &Node, fault: &Fault) -> SceneFault {
        let span = match fault.entity {
            Entity::Attribute => key_span(tree, &fault.name).unwrap_or(tree.span),
            _ => field_of(tree.nearest(&self.entity(fault)), fault).span,
        };
        let message = match fault.name.as_str() {
            "" => format!("{} {}: {}", fault.entity, fault.index, fault.problem),
            name => format!("{} `{name}`, {}: {}", fault.entity, fault.field, fault.problem),
        };
        // Files start from what every solver declares; the advice to do so is for programs.
        let remedy = fault.remedy.split("; start from `drystone::new_model()`").next().unwrap_or_default();
        SceneFault::new(message, remedy).at(span)
    }

    /// What the file says of the entity a fault is about.
    pub fn entity_node<'a>(&self, tree: &'a Node, fault: &Fault) -> &'a Node {
        tree.nearest(&self.entity(fault))
    }

    /// Whether a fault is about an entity as a whole rather than about something the file says of it.
    pub fn is_whole(&self, tree: &Node, fault: &Fault) -> bool {
        let entity = self.entity_node(tree, fault);
        let shown = field_of(entity, fault).span;
        shown == entity.span || Some(shown) == entity.get("name").map(|name| name.span)
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
            Entity::Particle => self.of_piece(fault).unwrap_or_else(|| listed("particles")),
            Entity::Spring => self.of_piece(fault).unwrap_or_else(|| listed("springs")),
            Entity::Triangle => self.of_piece(fault).unwrap_or_else(|| listed("triangles")),
            Entity::Edge => self.of_piece(fault).unwrap_or_else(|| listed("edges")),
            Entity::Tetrahedron => self.of_piece(fault).unwrap_or_else(|| listed("tetrahedra")),
            Entity::Attachment => listed("attachments"),
            Entity::Attribute => Vec::new(),
        }
    }
}

impl Origins {
    /// The piece that an element belongs to, or that it was refused for: then it has the number of the next one.
    fn of_piece(&self, fault: &Fault) -> Option<Path> {
        let range = |piece: &PieceOrigin| piece.counts.map(|counts| counts.of(fault.entity));
        let within = |piece: &&PieceOrigin| (range(piece)[0]..range(piece)[1]).contains(&fault.index);
        let beside = |piece: &&PieceOrigin| (range(piece)[0]..=range(piece)[1]).contains(&fault.index);
        let found = self.piece.iter().find(within).or_else(|| self.piece.iter().rfind(beside))?;
        Some(found.path.clone())
    }
}

/// Where a key first occurs: attributes have names found nowhere else.
fn key_span(node: &Node, key: &str) -> Option<Span> {
    match &node.value {
        Value::Object(members) => members
            .iter()
            .find_map(|member| if member.key == key { Some(member.key_span) } else { key_span(&member.value, key) }),
        Value::Array(items) => items.iter().find_map(|item| key_span(item, key)),
        _ => None,
    }
}

/// The value a fault is about: the field by the name the model gives it, or by the names the file has
/// for it, or the entity as a whole.
fn field_of<'a>(entity: &'a Node, fault: &Fault) -> &'a Node {
    let mut node = entity;
    let mut steps = fault.field.split('.').peekable();
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
            "limit" | "drive" | "spring" | "follow" | "friction" | "armature" => &["axes"],
            _ => &[],
        };
        let Some(next) = std::iter::once(step).chain(names.iter().copied()).find_map(|name| node.get(name)) else {
            break;
        };
        node = through_choice(next, steps.peek().copied());
    }
    if fault.field == "geometry" {
        node = named_in(through_choice(node, Some("")), &fault.problem);
    }
    name_or_opening(entity, node)
}

/// The value whose key the text mentions, if there is one.
fn named_in<'a>(node: &'a Node, text: &str) -> &'a Node {
    let Value::Object(members) = &node.value else { return node };
    let mentions = |key: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == key);
    members.iter().find(|member| mentions(&member.key)).map_or(node, |member| &member.value)
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
