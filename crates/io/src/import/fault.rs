//! What is wrong with a robot file, and what was read otherwise than written: both with their places.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::excerpt::{Excerpt, Span, write_fault};
use crate::scene_file::MAX_SHOWN;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path as it was opened.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
}

/// A place in one of the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Which file, in the order they were opened.
    pub file: usize,
    /// Where in it.
    pub span: Span,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFault {
    /// Where, if it has a place in a file.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What would work.
    pub help: String,
}

/// Everything wrong with a robot file. `Display` shows every fault as `file:line:column`, the line with a caret under
/// the place, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// The file, and those it includes.
    pub files: Vec<SourceFile>,
    /// What is wrong, in the order of the files; never empty.
    pub faults: Vec<ImportFault>,
}

impl ImportError {
    /// A single fault of a file that could not be read.
    pub(super) fn of_file(path: &Path, message: impl Into<String>, help: impl Into<String>) -> Self {
        let file = SourceFile { path: path.to_owned(), text: "".into() };
        let fault = ImportFault { place: None, message: message.into(), help: help.into() };
        Self { files: vec![file], faults: vec![fault] }
    }

    /// File, line and column of a fault, the latter two counted from 1.
    pub fn position(&self, fault: &ImportFault) -> Option<(&Path, usize, usize)> {
        position(&self.files, fault.place?)
    }
}

fn position(files: &[SourceFile], place: Place) -> Option<(&Path, usize, usize)> {
    let file = files.get(place.file)?;
    let (line, column) = Excerpt::find(&file.text, place.span).line_column();
    Some((&file.path, line, column))
}

impl std::error::Error for ImportError {}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().take(MAX_SHOWN).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let file = &self.files[fault.place.map_or(0, |place| place.file)];
            let span = fault.place.map(|place| place.span);
            write_fault(f, &file.path, &file.text, span, &fault.message, &fault.help)?;
        }
        match self.faults.len().saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

/// Something the file says that the model does not: it softens, decorates, or belongs to another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is read otherwise, or left out.
    pub message: String,
    /// File, line and column where it first occurs, the latter two counted from 1.
    pub place: Option<(PathBuf, usize, usize)>,
    /// How often it occurs.
    pub count: usize,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.place {
            write!(f, "{}:{line}:{column}: ", file.display())?;
        }
        write!(f, "{}", self.message)?;
        if self.count > 1 { write!(f, " ({} times)", self.count) } else { Ok(()) }
    }
}

/// Collects faults and notes while files are read.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) files: Vec<SourceFile>,
    pub(super) faults: Vec<ImportFault>,
    notes: Vec<Note>,
}

impl Log {
    pub(super) fn fault(&mut self, place: Place, message: impl Into<String>, help: impl Into<String>) {
        self.faults.push(ImportFault { place: Some(place), message: message.into(), help: help.into() });
    }

    /// Notes something; the same words again are counted.
    pub(super) fn note(&mut self, place: Place, message: impl Into<String>) {
        let message = message.into();
        if let Some(known) = self.notes.iter_mut().find(|note| note.message == message) {
            known.count += 1;
            return;
        }
        let place = position(&self.files, place).map(|(file, line, column)| (file.to_owned(), line, column));
        self.notes.push(Note { message, place, count: 1 });
    }

    /// The notes, or all faults in the order of the text.
    pub(super) fn finish(mut self) -> Result<Vec<Note>, ImportError> {
        if self.faults.is_empty() {
            return Ok(self.notes);
        }
        self.faults.sort_by_key(|fault| fault.place.map_or((0, 0), |place| (place.file, place.span.start)));
        Err(ImportError { files: self.files, faults: self.faults })
    }
}
