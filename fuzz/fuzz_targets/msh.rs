//! Any bytes as a mesh of MuJoCo's own format.
#![no_main]

use drystone_fuzz::{check, file};
use drystone_io::import::{ImportOptions, parse_mjcf};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = file("mesh.msh", bytes);
    let text = format!(
        "<mujoco><asset><mesh name=\"m\" file=\"{}\"/></asset>\
         <worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>",
        path.display()
    );
    check(parse_mjcf(&text, &path, &ImportOptions::default()));
});
