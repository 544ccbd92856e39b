//! What the documents say about the scenes, made from the scenes themselves.

use std::path::Path;

use drystone::model::{BodyKind, Model};
use drystone_scenes::{SCENES, SceneEntry};

/// The scenes as a Markdown table: name, what it shows, parameters with their defaults.
pub fn scene_table() -> String {
    let mut table = String::from("| scene | shows | parameters |\n|---|---|---|\n");
    for entry in SCENES {
        table.push_str(&format!("| `{}` | {} | {} |\n", entry.name, entry.summary, parameters(entry)));
    }
    table
}

/// The scenes one by one: picture or film, size, claim.
///
/// # Panics
/// If a scene cannot be built at its defaults.
pub fn scene_gallery() -> String {
    let mut text = String::new();
    for entry in SCENES {
        let scene = entry.make::<&str>(&[]).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let (name, claim) = (entry.name, &scene.check.claim);
        let film = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/images").join(name).with_extension("gif");
        let kind = if film.exists() { "gif" } else { "png" };
        text.push_str(&format!("\n## {name}\n\n{}; {}.\n", capital(entry.summary), size(&scene.model)));
        text.push_str(&format!("Claim: {claim}.\n\n![{name}](images/{name}.{kind})\n"));
    }
    text
}

fn parameters(entry: &SceneEntry) -> String {
    let each: Vec<String> = entry.parameters.iter().map(|parameter| format!("`{parameter}`")).collect();
    each.join(" ")
}

fn size(model: &Model) -> String {
    let moving = model.body_kind.iter().filter(|kind| **kind == BodyKind::Dynamic).count();
    let bodies = match model.joint_count() {
        0 => format!("{moving} moving bodies"),
        joints => format!("{moving} moving bodies, {joints} joints"),
    };
    match (moving, model.particle_count()) {
        (_, 0) => bodies,
        (0, particles) => format!("{particles} particles"),
        (_, particles) => format!("{bodies}, {particles} particles"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
