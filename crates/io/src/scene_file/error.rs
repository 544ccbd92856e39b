//! What is wrong with a scene file, shown where it stands.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::excerpt::{Excerpt, write_fault};

pub use crate::excerpt::Span;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneFault {
    /// Where, if the fault has a place in the text.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
    /// What would work.
    pub help: String,
    /// The key an object lacks, if that is what is wrong.
    pub(super) missing: Option<&'static str>,
}

impl SceneFault {
    /// A fault without a place.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { span: None, message: message.into(), help: help.into(), missing: None }
    }

    /// The same fault at a place; a place it already has is nearer to the cause and stays.
    pub fn at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for SceneFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for SceneFault {}

/// Everything wrong with a scene file. `Display` prints for every fault `file:line:column`, the line
/// with a caret under the place, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file as the user named it.
    pub file: PathBuf,
    /// Its text, as far as it could be read.
    pub source_text: Arc<str>,
    /// What is wrong, in the order it was found; never empty.
    pub faults: Vec<SceneFault>,
}

impl SceneError {
    /// Faults of a file.
    pub fn new(file: &Path, source_text: &str, faults: Vec<SceneFault>) -> Self {
        Self { file: file.to_owned(), source_text: source_text.into(), faults }
    }

    /// Line and column of a fault, both counted from 1, the column in characters.
    pub fn line_column(&self, fault: &SceneFault) -> Option<(usize, usize)> {
        Some(Excerpt::find(&self.source_text, fault.span?).line_column())
    }
}

impl std::error::Error for SceneError {}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, fault) in self.faults.iter().take(MAX_SHOWN).enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            write_fault(f, &self.file, &self.source_text, fault.span, &fault.message, &fault.help)?;
        }
        match self.faults.len().saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

/// Most faults that are shown; a wrong material repeats for every shape.
pub(crate) const MAX_SHOWN: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_shown_where_it_stands() {
        let text = "{\n\tname: 'é',\tmass: -1,\n}";
        let start = text.find("-1").unwrap();
        let fault = SceneFault::new("too light", "make it heavier").at(Span { start, end: start + 2 });
        let error = SceneError::new(Path::new("a/b.json5"), text, vec![fault]);
        let expected = "a/b.json5:2:19: error: too light\n 2 |  name: 'é', mass: -1,\n   |                   ^^\n  help: make it heavier";
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.line_column(&error.faults[0]), Some((2, 19)));
    }

    #[test]
    fn long_lines_are_clipped_and_spans_never_panic() {
        let text = "é".repeat(5000);
        for (start, end) in [(0, 1), (1, 3), (5001, 9999), (9999, 10000), (10_000, 10_000), (20_000, 10), (7, 3)] {
            let fault = SceneFault::new("m", "h").at(Span { start, end });
            let shown = SceneError::new(Path::new("f"), &text, vec![fault]).to_string();
            assert!(shown.chars().count() < 400, "{shown}");
        }
    }
}
