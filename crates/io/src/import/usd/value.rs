//! Values of USD, and opinions about them from several layers.

use super::super::fault::Place;

/// A value as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    /// A string or a token.
    Text(String),
    /// A bare word: `true`, `None`, `private`.
    Word(String),
    /// The path of a prim or a property.
    Path(String),
    /// A file, and a prim in it where one is named.
    Asset(String, Option<String>),
    Tuple(Vec<Value>),
    List(Vec<Value>),
    /// Keys, and values of which nothing is read but texts.
    Dictionary(Vec<(String, Value)>),
}

impl Value {
    /// Numbers of a scalar, a tuple or a tuple of tuples, row by row.
    pub(super) fn numbers(&self) -> Option<Vec<f64>> {
        match self {
            Self::Number(number) => Some(vec![*number]),
            Self::Word(word) => match word.as_str() {
                "true" => Some(vec![1.0]),
                "false" => Some(vec![0.0]),
                _ => None,
            },
            Self::Tuple(items) => {
                let mut all = Vec::new();
                for item in items {
                    all.extend(item.numbers()?);
                }
                Some(all)
            }
            _ => None,
        }
    }

    /// Gives paths below one prim the place they have below another; others stay.
    pub(super) fn map_paths(&mut self, from: &str, to: &str) {
        match self {
            Self::Path(path) => {
                if let Some(rest) =
                    path.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
                {
                    *path = format!("{to}{rest}");
                }
            }
            Self::List(items) | Self::Tuple(items) => items.iter_mut().for_each(|item| item.map_paths(from, to)),
            _ => {}
        }
    }
}

/// How an opinion about a list combines with weaker ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Set,
    Prepend,
    Append,
    Delete,
}

/// Opinions about one property or one piece of metadata, strongest first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) place: Place,
    pub(super) edits: Vec<(Edit, Value)>,
    /// Whether values over time are written.
    pub(super) animated: bool,
}

impl Field {
    /// The strongest value; `None` in the file takes weaker ones back.
    pub(super) fn value(&self) -> Option<&Value> {
        let value = self.edits.iter().find(|(edit, _)| *edit == Edit::Set).map(|(_, value)| value);
        value.filter(|value| !matches!(value, Value::Word(word) if word == "None"))
    }

    /// The list that all opinions make together.
    pub(super) fn list(&self) -> Vec<&Value> {
        let mut list: Vec<&Value> = Vec::new();
        for (edit, value) in self.edits.iter().rev() {
            let items: Vec<&Value> = match value {
                Value::List(items) => items.iter().collect(),
                Value::Word(word) if word == "None" => Vec::new(),
                single => vec![single],
            };
            list.retain(|item| *edit != Edit::Set && !items.contains(item));
            match edit {
                Edit::Set | Edit::Append => list.extend(items),
                Edit::Prepend => list.splice(0..0, items).for_each(drop),
                Edit::Delete => {}
            }
        }
        list
    }
}
