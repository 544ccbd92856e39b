//! Any bytes as the heights of a field of MJCF: a picture where they begin like one, numbers otherwise.
#![no_main]

use drystone_fuzz::{check, file};
use drystone_io::import::{ImportOptions, parse_mjcf};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let picture = bytes.starts_with(b"\x89PNG");
    let path = file(if picture { "height.png" } else { "height.bin" }, bytes);
    let text = format!(
        "<mujoco><asset><hfield name=\"h\" size=\"1 1 1 1\" file=\"{}\"/></asset>\
         <worldbody><geom type=\"hfield\" hfield=\"h\"/></worldbody></mujoco>",
        path.display()
    );
    check(parse_mjcf(&text, &path, &ImportOptions::default()));
});
