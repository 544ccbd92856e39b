//! What is wrong with a mesh file, where, and what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

/// A place in a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(usize),
    /// A byte of a binary file, counted from 0.
    Offset(usize),
    /// An item of a structured file, such as `accessors[3]`.
    Item(String),
}

/// Why a mesh file was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshError {
    /// The file, where one is known.
    pub file: Option<PathBuf>,
    /// The place within the file, where the fault has one.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What would work.
    pub help: String,
}

impl MeshError {
    /// A fault of the file as a whole.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { file: None, place: None, message: message.into(), help: help.into() }
    }

    /// The same fault at a place.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// The same fault in a named file; the innermost name stays.
    pub fn in_file(mut self, file: &Path) -> Self {
        self.file.get_or_insert_with(|| file.to_owned());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Offset(offset) => write!(f, "byte {offset}"),
            Self::Item(item) => write!(f, "{item}"),
        }
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for MeshError {}
