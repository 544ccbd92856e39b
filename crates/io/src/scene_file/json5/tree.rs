//! What a JSON5 text says, and where.

use super::super::error::Span;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value stands in the text.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; may be infinite, is never NaN by overflow.
    Number(f64),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Keys and values in the order of the text; keys are unique.
    Object(Vec<Member>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key, unescaped.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// One step from a value to a value within it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// The value of a key.
    Key(&'a str),
    /// An element of a list.
    Index(usize),
}

impl Node {
    /// The value of a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Object(members) => members.iter().find(|member| member.key == key).map(|member| &member.value),
            _ => None,
        }
    }

    /// The value one step further, if there is one.
    pub fn step(&self, step: Step<'_>) -> Option<&Node> {
        match (step, &self.value) {
            (Step::Key(key), _) => self.get(key),
            (Step::Index(index), Value::Array(items)) => items.get(index),
            _ => None,
        }
    }

    /// The value at the end of a path, or the last one on the way that exists.
    pub fn nearest(&self, path: &[Step<'_>]) -> &Node {
        let mut node = self;
        for &step in path {
            match node.step(step) {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }

    /// Entries of a list, 0 for anything else.
    pub fn length(&self) -> usize {
        if let Value::Array(items) = &self.value { items.len() } else { 0 }
    }

    /// What the value is, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}
