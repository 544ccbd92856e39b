//! Finding files.

use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder whose name ends in `.kind`, in order.
pub fn files_below(folder: &Path, kind: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(files_below(&path, kind)?);
        } else if path.extension().is_some_and(|ending| ending == kind) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
