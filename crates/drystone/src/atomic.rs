//! Files appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file could not be written. Nothing was left behind and an older file of that name is intact.
#[derive(Debug, Error)]
#[error("cannot write `{}`: {source}; check that the folder exists and has room", path.display())]
pub struct WriteError {
    /// The file asked for.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Writes a file through a temporary one beside it that takes its name once it is complete, so that
/// a failure (or a kill) never leaves half a file under the name asked for.
pub fn atomic_write(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), WriteError> {
    try_write(path, fill).map_err(|source| WriteError { path: path.to_path_buf(), source })
}

fn try_write(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let temporary = Temporary(beside(path)?);
    let mut writer = BufWriter::with_capacity(1 << 16, File::create(&temporary.0)?);
    fill(&mut writer)?;
    writer.flush()?;
    drop(writer);
    fs::rename(&temporary.0, path)
}

/// A name in the same folder (renaming across file systems is not atomic), unlike that of another
/// process writing the same file.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"));
    };
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    Ok(path.with_file_name(hidden))
}

/// Removes the temporary file when dropped, also on panic; after the rename there is none.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
