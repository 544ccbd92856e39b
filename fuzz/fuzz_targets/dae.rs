//! Any text as the COLLADA mesh of a URDF.
#![no_main]

use drystone_fuzz::{check, file};
use drystone_io::import::{Base, ImportOptions, parse_urdf};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let path = file("mesh.dae", text.as_bytes());
    let robot = format!(
        "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/>\
         <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
         <collision><geometry><mesh filename=\"{}\"/></geometry></collision></link></robot>",
        path.display()
    );
    let options = ImportOptions { base: Some(Base::Free), ..ImportOptions::default() };
    check(parse_urdf(&robot, &path, &options));
});
