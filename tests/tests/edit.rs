//! Edits of scenes of the library.

use drystone::model::hash::hash;
use drystone::new_model;
use drystone::prelude::*;
use drystone_scenes::SCENES;
use drystone_tests::runner::{scene, simulation};

/// A model turned back into definitions is the same model again, to the last bit.
#[test]
fn every_scene_can_be_reopened() {
    for entry in SCENES {
        let model = scene(entry.name, &[]).model;
        let again = new_model().reopen(&model).finalize().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        assert_eq!(hash(&again), hash(&model), "{}", entry.name);
    }
}

/// Contacts, hinges, trees, rods, a lattice: something new far away is not noticed by what is there.
#[test]
fn scenes_go_on_through_an_edit_bit_for_bit() {
    let scenes: [(&str, &str, &[&str], u64); 9] = [
        ("vbd", "pyramid", &["rows=8"], 20),
        ("vbd", "pile", &["count=100"], 60),
        ("vbd", "necklace", &["chains=4", "beads=12"], 20),
        ("vbd", "joint-grid", &["size=24"], 10),
        ("vbd", "cable", &["segments=24"], 30),
        ("vbd", "ragdolls", &["count=2"], 60),
        ("jacobi", "necklace", &["chains=4", "beads=12"], 20),
        ("structured", "stewart-platform", &[], 20),
        ("structured", "stack", &["count=3"], 20),
    ];
    for (solver, name, settings, steps) in scenes {
        let scene = scene(name, settings);
        let [mut edited, mut alone] = [0, 1].map(|_| simulation(&scene, solver).build().unwrap());
        for sim in [&mut edited, &mut alone] {
            sim.run(steps / 2, |_| ()).unwrap();
        }
        let far = BodyDef::fixed("far").at(DVec3::Y * 1e3).cuboid(DVec3::ONE);
        edited.edit(|scene| scene.add_body(far)).unwrap();
        for sim in [&mut edited, &mut alone] {
            sim.run(steps / 2, |_| ()).unwrap();
        }
        let count = alone.model().body_count();
        let same = edited.state().body_q[..count] == alone.state().body_q[..]
            && edited.state().body_qd[..count] == alone.state().body_qd[..];
        assert!(same, "{name} under {solver}");
    }
}
