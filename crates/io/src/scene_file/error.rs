//! What is wrong with a scene file, shown where it stands.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A range of bytes of the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

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
        let place = Place::find(&self.source_text, fault.span?);
        Some((place.line_number, place.column + 1))
    }
}

impl std::error::Error for SceneError {}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, fault) in self.faults.iter().take(MAX_SHOWN).enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", self.file.display())?;
            match fault.span {
                None => writeln!(f, ": error: {}", fault.message)?,
                Some(span) => {
                    let place = Place::find(&self.source_text, span);
                    writeln!(f, ":{}:{}: error: {}", place.line_number, place.column + 1, fault.message)?;
                    place.draw(f)?;
                }
            }
            write!(f, "  help: {}", fault.help)?;
        }
        match self.faults.len().saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

/// Most faults that are shown; a wrong material repeats for every shape.
const MAX_SHOWN: usize = 20;

/// Widest piece of a line that is shown; generated files put everything on one.
const SHOWN: usize = 100;

/// A span as the line it begins on, in characters.
struct Place<'a> {
    line_number: usize,
    line: &'a str,
    column: usize,
    width: usize,
}

impl<'a> Place<'a> {
    fn find(text: &'a str, span: Span) -> Self {
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        Self {
            line_number: text[..start].matches('\n').count() + 1,
            line: text[line_start..line_end].trim_end_matches('\r'),
            column: text[line_start..start].chars().count(),
            width: text[start..end.min(line_end)].trim_end().chars().count().max(1),
        }
    }

    fn draw(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = self.column.saturating_sub(SHOWN / 2);
        // Tabs and control characters would move the caret away from the place.
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let shown: String = self.line.chars().skip(from).take(SHOWN).map(plain).collect();
        let number = self.line_number.to_string();
        let indent = " ".repeat(number.len());
        let width = self.width.min((from + SHOWN).saturating_sub(self.column)).max(1);
        writeln!(f, " {number} | {}", shown.trim_end())?;
        writeln!(f, " {indent} | {}{}", " ".repeat(self.column - from), "^".repeat(width))
    }
}

fn floor_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

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
