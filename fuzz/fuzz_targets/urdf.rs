//! Any text as URDF: a robot that its own coordinates place, or an error that can be shown.
#![no_main]

use std::path::Path;

use drystone_io::import::{Base, ImportOptions, parse_urdf};

libfuzzer_sys::fuzz_target!(|text: &str| {
    // Files it names are none of the reader's business here.
    if text.contains("file") {
        return;
    }
    match parse_urdf(text, Path::new("fuzz.xml"), &ImportOptions { base: Some(Base::Free), ..ImportOptions::default() })
    {
        Err(error) => assert!(error.to_string().contains("help: ")),
        Ok(robot) => {
            let [positions, velocities] = robot.widths();
            robot.state_at(&vec![0.5; positions], &vec![0.0; velocities]).expect("as many numbers as it asks for");
        }
    }
});
