//! Files appear whole or not at all.

pub use drystone::atomic::{WriteError, atomic_write};

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::io::{self, Write};
    use std::path::{Path, PathBuf};

    use super::*;

    /// An empty folder of its own for a test, removed at the end.
    pub(crate) struct Folder(pub PathBuf);

    impl Folder {
        pub(crate) fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("drystone-io-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        pub(crate) fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_failure_keeps_the_old_file_and_leaves_nothing_else() {
        let folder = Folder::new("atomic");
        let path = folder.0.join("out.bin");
        atomic_write(&path, |w| w.write_all(b"old")).unwrap();
        let failed = atomic_write(&path, |w| {
            w.write_all(b"half of the ne")?;
            w.flush()?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.unwrap_err().to_string().contains("out.bin"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(folder.names(), ["out.bin"]);
    }

    #[test]
    fn a_panic_leaves_nothing() {
        let folder = Folder::new("atomic-panic");
        let path = folder.0.join("out.bin");
        let result = std::panic::catch_unwind(|| atomic_write(&path, |_| panic!("in the middle")));
        assert!(result.is_err());
        assert!(folder.names().is_empty());
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = atomic_write(Path::new("/nonexistent/folder/out.bin"), |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("/nonexistent/folder/out.bin"));
    }
}
