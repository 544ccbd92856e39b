//! Any text as a scene file: a model that writes and reads back the same, or an error that can be shown.
#![no_main]

use std::path::Path;

use drystone_io::scene_file::{SceneSettings, export, no_meshes, parse};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let file = Path::new("fuzz.json5");
    match parse(text, file, &no_meshes) {
        Err(error) => assert!(error.to_string().contains("help: ")),
        Ok(scene) => {
            let written = export(&scene.model, "again", SceneSettings::default()).expect("a sound model is written");
            let again = parse(&written, file, &no_meshes).expect("what is written is read");
            assert_eq!(again.model.hash(), scene.model.hash(), "{written}");
        }
    }
});
