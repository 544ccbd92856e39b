//! Any bytes as a recording: one that is written again as it was read, or an error.
#![no_main]

use drystone_fuzz::file;
use drystone_io::recording::{read_recording, recording_bytes};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(recording) = read_recording(&file("recording.npz", bytes)) {
        recording_bytes(&recording).expect("memory takes what it gave");
    }
});
