//! Places in texts, and how a fault is shown at one.

use std::fmt;
use std::path::Path;

/// A range of bytes of the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Writes a fault as `file:line:column: error: …`, the line with a caret under the place, and the way out.
pub(crate) fn write_fault(
    f: &mut fmt::Formatter<'_>,
    file: &Path,
    text: &str,
    span: Option<Span>,
    message: &str,
    help: &str,
) -> fmt::Result {
    write!(f, "{}", file.display())?;
    match span {
        None => writeln!(f, ": error: {message}")?,
        Some(span) => {
            let excerpt = Excerpt::find(text, span);
            let (line, column) = excerpt.line_column();
            writeln!(f, ":{line}:{column}: error: {message}")?;
            excerpt.draw(f)?;
        }
    }
    write!(f, "  help: {help}")
}

/// Widest piece of a line that is shown; generated files put everything on one.
const SHOWN: usize = 100;

/// A span as the line it begins on, in characters.
pub(crate) struct Excerpt<'a> {
    line_number: usize,
    line: &'a str,
    column: usize,
    width: usize,
}

impl<'a> Excerpt<'a> {
    pub(crate) fn find(text: &'a str, span: Span) -> Self {
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

    /// Line and column, both counted from 1, the column in characters.
    pub(crate) fn line_column(&self) -> (usize, usize) {
        (self.line_number, self.column + 1)
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
