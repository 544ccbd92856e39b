//! Any bytes as a binary file of USD: a robot that its own coordinates place, or an error that can be shown.
#![no_main]

use std::path::Path;

use drystone_io::import::{ImportOptions, parse_usd_binary};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Files it names are none of the reader's business here: there are none in this folder.
    match parse_usd_binary(bytes, Path::new("nowhere/fuzz.usdc"), &ImportOptions::default()) {
        Err(error) => assert!(error.to_string().contains("help: ")),
        Ok(robot) => {
            let [positions, velocities] = robot.widths();
            robot.state_at(&vec![0.5; positions], &vec![0.0; velocities]).expect("as many numbers as it asks for");
        }
    }
});
