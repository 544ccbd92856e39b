//! `include`: the elements of other files in place of the element that names them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::fault::Log;
use super::super::xml::{self, Element};

/// Puts the elements of included files in place. Paths are relative to the main file, and no file comes in twice.
pub(super) fn expand(root: Element, path: &Path, log: &mut Log) -> Element {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let opened = BTreeSet::from([path.to_owned()]);
    Includes { folder, opened }.within(root, log)
}

struct Includes {
    folder: PathBuf,
    opened: BTreeSet<PathBuf>,
}

impl Includes {
    fn within(&mut self, mut element: Element, log: &mut Log) -> Element {
        let mut children = Vec::new();
        for child in std::mem::take(&mut element.children) {
            if child.name != "include" {
                children.push(self.within(child, log));
            } else if let Some(included) = self.open(&child, log) {
                children.extend(self.within(included, log).children);
            }
        }
        element.children = children;
        element
    }

    fn open(&mut self, include: &Element, log: &mut Log) -> Option<Element> {
        let file = include.needed(log, "file")?;
        let path = self.folder.join(file);
        if !self.opened.insert(path.clone()) {
            let help = "a file may come in once: two that include each other go round in a circle";
            log.fault(include.place, format!("`{file}` is included already"), help);
            return None;
        }
        match xml::read(&path, log) {
            Ok(root) => root,
            Err(error) => {
                let help = "paths of includes are relative to the main file";
                let problem = error.faults.first().map_or_else(String::new, |fault| fault.message.clone());
                log.fault(include.place, format!("`{file}`: {problem}"), help);
                None
            }
        }
    }
}
