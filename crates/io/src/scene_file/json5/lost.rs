//! Reading on after a fault. What is wrong is cut out of the tree, so that the rest can be looked at in the same
//! round; what was cut is remembered, so that nothing is said about what merely follows from it.

use std::collections::{BTreeMap, BTreeSet};

use drystone_model::nearest;
use serde::de::DeserializeOwned;

use super::super::error::SceneFault;
use super::de::from_tree;
use super::tree::{Node, Value};

/// Faults of types that are looked for; every one costs reading the tree once more.
const MOST_ROUNDS: usize = 40;

/// What was cut out of a faulty file.
#[derive(Debug, Default)]
pub struct Lost {
    /// Keys that objects lost, by where the object begins in the text.
    keys: BTreeMap<usize, Vec<String>>,
    /// Names of entities that are gone as a whole.
    names: BTreeSet<String>,
}

impl Lost {
    /// Notes that an object lost a key.
    pub fn note(&mut self, object: usize, key: &str) {
        self.keys.entry(object).or_default().push(key.to_owned());
    }

    /// Whether an object lost anything.
    pub fn touched(&self, object: &Node) -> bool {
        self.keys.contains_key(&object.span.start)
    }

    /// Whether an object lost this key.
    pub fn lacks(&self, object: &Node, key: &str) -> bool {
        self.keys.get(&object.span.start).is_some_and(|keys| keys.iter().any(|lost| lost == key))
    }

    /// Whether an entity of this name was cut; segments of a rod are called `rod/0`.
    pub fn names(&self, name: &str) -> bool {
        let stem = name.split_once('/').map_or(name, |(stem, _)| stem);
        self.names.contains(name) || self.names.contains(stem)
    }

    /// Makes a value of a type from a tree; what does not fit is noted and cut out of the tree. `None` if too little
    /// is left.
    pub fn read<T: DeserializeOwned>(&mut self, tree: &mut Node, faults: &mut Vec<SceneFault>) -> Option<T> {
        for _ in 0..MOST_ROUNDS {
            let fault = match from_tree(tree) {
                Ok(value) => return Some(value),
                Err(fault) => fault,
            };
            let start = fault.span.map(|span| span.start);
            if !start.is_some_and(|start| self.explains(&fault, start)) {
                faults.push(fault);
            }
            if !matches!(self.cut(tree, start?), Cut::Done) {
                return None;
            }
        }
        None
    }

    /// Whether a fault of the object that begins at `start` only follows from what it lost.
    fn explains(&self, fault: &SceneFault, start: usize) -> bool {
        let Some(keys) = self.keys.get(&start) else { return false };
        match fault.missing {
            Some(field) => keys.iter().any(|key| nearest(key, [field]).is_some()),
            None => true,
        }
    }

    /// Cuts out what begins at `start`: a member of an object, or an object of a list. A list of anything else goes as
    /// a whole: three coordinates are none if one of them is wrong.
    fn cut(&mut self, node: &mut Node, start: usize) -> Cut {
        if node.span.start == start {
            return Cut::Here;
        }
        let object = node.span.start;
        match &mut node.value {
            Value::Object(members) => {
                let holds =
                    |span: super::super::error::Span| (span.start..span.end.max(span.start + 1)).contains(&start);
                let Some(at) = members.iter().position(|m| m.key_span.start == start || holds(m.value.span)) else {
                    return Cut::NotFound;
                };
                let member = &mut members[at];
                let entries = member.value.length();
                let cut = if member.key_span.start == start { Cut::Here } else { self.cut(&mut member.value, start) };
                if matches!(cut, Cut::Here) {
                    let member = members.remove(at);
                    self.note(object, &member.key);
                    return Cut::Done;
                }
                // A body that lost one of its shapes is no longer whole either.
                if member.value.length() < entries {
                    let key = member.key.clone();
                    self.note(object, &key);
                }
                cut
            }
            Value::Array(items) => {
                let Some(at) = items.iter().rposition(|item| item.span.start <= start) else { return Cut::NotFound };
                match self.cut(&mut items[at], start) {
                    Cut::Here if matches!(items[at].value, Value::Object(_)) => {
                        let item = items.remove(at);
                        if let Some(Value::String(name)) = item.get("name").map(|node| &node.value) {
                            self.names.insert(name.clone());
                        }
                        Cut::Done
                    }
                    cut => cut,
                }
            }
            _ => Cut::NotFound,
        }
    }
}

/// How cutting went.
enum Cut {
    /// Nothing begins there.
    NotFound,
    /// This very value must go, by whatever holds it.
    Here,
    /// It is gone.
    Done,
}
