//! What can be set on a scene, and the reading of `key=value`.

use std::fmt;

use drystone::model::nearest;
use thiserror::Error;

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Count,
    /// Any number.
    Number,
    /// Yes or no.
    Flag,
}

/// One setting of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key users set it by.
    pub name: &'static str,
    /// What it is, with its unit.
    pub help: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// Its value unless set.
    pub default: f64,
    /// Smallest value allowed.
    pub min: f64,
    /// Largest value allowed.
    pub max: f64,
}

impl Parameter {
    /// A whole number between `min` and `max`.
    pub const fn count(name: &'static str, default: u32, min: u32, max: u32, help: &'static str) -> Self {
        Self { name, help, kind: Kind::Count, default: default as f64, min: min as f64, max: max as f64 }
    }

    /// A number between `min` and `max`.
    pub const fn number(name: &'static str, default: f64, min: f64, max: f64, help: &'static str) -> Self {
        Self { name, help, kind: Kind::Number, default, min, max }
    }

    /// Yes or no.
    pub const fn flag(name: &'static str, default: bool, help: &'static str) -> Self {
        Self { name, help, kind: Kind::Flag, default: default as u8 as f64, min: 0.0, max: 1.0 }
    }

    /// The values allowed, in words.
    pub fn range(&self) -> String {
        match self.kind {
            Kind::Count => format!("a whole number from {} to {}", self.min, self.max),
            Kind::Number => format!("a number from {} to {}", self.min, self.max),
            Kind::Flag => "true or false".to_owned(),
        }
    }

    fn read(&self, text: &str) -> Option<f64> {
        let value = match (self.kind, text) {
            (Kind::Flag, "true" | "yes" | "on") => 1.0,
            (Kind::Flag, "false" | "no" | "off") => 0.0,
            _ => text.parse::<f64>().ok()?,
        };
        let whole = self.kind == Kind::Number || value.fract() == 0.0;
        (whole && self.min <= value && value <= self.max).then_some(value)
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Flag => write!(f, "{}={}", self.name, self.default != 0.0),
            _ => write!(f, "{}={}", self.name, self.default),
        }
    }
}

/// Why a setting is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParamError {
    /// The text is not of the form `key=value`.
    #[error("`{text}` is not of the form key=value; {known}")]
    NotAPair {
        /// What was given.
        text: String,
        /// The keys that exist.
        known: String,
    },
    /// The scene has no such parameter.
    #[error("scene `{scene}` has no parameter `{key}`{hint}; {known}")]
    UnknownKey {
        /// The scene.
        scene: &'static str,
        /// The key given.
        key: String,
        /// The key probably meant, as a question.
        hint: String,
        /// The keys that exist.
        known: String,
    },
    /// The value is not allowed.
    #[error("parameter `{key}` of scene `{scene}` must be {range}, got `{value}`; {known}")]
    BadValue {
        /// The scene.
        scene: &'static str,
        /// The key given.
        key: &'static str,
        /// What is allowed.
        range: String,
        /// What was given.
        value: String,
        /// The keys that exist.
        known: String,
    },
}

/// The parameters of a scene with their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    scene: &'static str,
    known: &'static [Parameter],
    values: Vec<f64>,
}

impl Params {
    /// All parameters at their defaults.
    pub fn new(scene: &'static str, known: &'static [Parameter]) -> Self {
        Self { scene, known, values: known.iter().map(|parameter| parameter.default).collect() }
    }

    /// Sets a parameter from `key=value`.
    pub fn set(&mut self, text: &str) -> Result<(), ParamError> {
        let pair = text.split_once('=');
        let (key, value) = pair.ok_or_else(|| ParamError::NotAPair { text: text.to_owned(), known: self.known() })?;
        let (key, value) = (key.trim(), value.trim());
        let Some(index) = self.known.iter().position(|parameter| parameter.name == key) else {
            return Err(self.unknown(key));
        };
        let parameter = &self.known[index];
        self.values[index] = parameter.read(value).ok_or_else(|| ParamError::BadValue {
            scene: self.scene,
            key: parameter.name,
            range: parameter.range(),
            value: value.to_owned(),
            known: self.known(),
        })?;
        Ok(())
    }

    /// What to answer when the value of a parameter the scene declares is in its range but is none of those it can take.
    pub fn refuse(&self, name: &'static str, allowed: &str) -> ParamError {
        let (range, value) = (allowed.to_owned(), self.number(name).to_string());
        ParamError::BadValue { scene: self.scene, key: name, range, value, known: self.known() }
    }

    fn unknown(&self, key: &str) -> ParamError {
        let names = self.known.iter().map(|parameter| parameter.name);
        let hint = nearest(key, names).map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
        ParamError::UnknownKey { scene: self.scene, key: key.to_owned(), hint, known: self.known() }
    }

    fn known(&self) -> String {
        if self.known.is_empty() {
            return format!("scene `{}` has no parameters", self.scene);
        }
        let each = self.known.iter().map(|parameter| format!("{} ({})", parameter.name, parameter.range()));
        format!("known: {}", each.collect::<Vec<_>>().join(", "))
    }

    /// The value of a parameter the scene declares.
    ///
    /// # Panics
    /// If the scene does not declare it: a mistake in the scene, found by building it once.
    pub fn number(&self, name: &str) -> f64 {
        match self.known.iter().position(|parameter| parameter.name == name) {
            Some(index) => self.values[index],
            None => panic!("scene `{}` declares no parameter `{name}`", self.scene),
        }
    }

    /// The value of a whole number; see [`Params::number`].
    pub fn count(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    /// The value of a flag; see [`Params::number`].
    pub fn flag(&self, name: &str) -> bool {
        self.number(name) != 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Parameter] = &[
        Parameter::count("rows", 20, 1, 100, "rows"),
        Parameter::number("mu", 0.6, 0.0, 2.0, "friction"),
        Parameter::flag("flat", false, "flat"),
    ];

    #[test]
    fn values_in_range_are_taken() {
        let mut params = Params::new("pyramid", KNOWN);
        for text in ["rows=7", " mu = 0.25", "flat=true"] {
            params.set(text).unwrap();
        }
        assert_eq!((params.count("rows"), params.number("mu"), params.flag("flat")), (7, 0.25, true));
    }

    #[test]
    fn everything_else_is_refused_by_name_range_and_known_keys() {
        let mut params = Params::new("pyramid", KNOWN);
        for text in ["rows=0", "rows=101", "rows=2.5", "rows=nan", "rows=", "rows=many", "mu=-1", "mu=inf", "flat=2"] {
            let message = params.set(text).unwrap_err().to_string();
            let key = text.split_once('=').unwrap().0;
            assert!(message.contains(&format!("`{key}`")), "{message}");
            assert!(message.contains("from") || message.contains("true or false"), "{message}");
            assert!(message.contains("rows (a whole number from 1 to 100)"), "{message}");
        }
        let message = params.set("row=3").unwrap_err().to_string();
        assert!(message.contains("did you mean `rows`?"), "{message}");
        assert!(params.set("rows").unwrap_err().to_string().contains("key=value"));
        assert_eq!(params, Params::new("pyramid", KNOWN), "a refused setting changes nothing");
    }
}
