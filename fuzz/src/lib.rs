//! What targets share whose readers take files and not texts.

use std::path::PathBuf;

use drystone_io::import::{ImportError, Imported};

/// A file with these bytes in the temporary folder, of this process alone and the same every time.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("drystone-fuzz-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("the temporary folder takes files");
    path
}

/// A robot that its own coordinates place, or an error that can be shown.
pub fn check(outcome: Result<Imported, ImportError>) {
    match outcome {
        Err(error) => assert!(error.to_string().contains("help: ")),
        Ok(robot) => {
            let [positions, velocities] = robot.widths();
            robot.state_at(&vec![0.5; positions], &vec![0.0; velocities]).expect("as many numbers as it asks for");
        }
    }
}
