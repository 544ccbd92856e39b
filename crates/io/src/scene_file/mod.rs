//! Scene files: JSON5 text to a [`Model`] and the settings to run it with, and back.
//!
//! What may be written is described by the types in [`spec`] and published as a JSON schema by
//! [`schema`]. A bad file gives a [`SceneError`] that shows every fault where it stands, with the way
//! out: syntax, types, misspelt keys and names, missing mesh files, and all that the model refuses.
//!
//! ```
//! let text = r#"{
//!     // A ball above the ground.
//!     shapes: [{ geometry: "half_space" }],
//!     bodies: [{ name: "ball", position: [0, 0, 1], shapes: [{ geometry: { sphere: { radius: 0.1 } } }] }],
//! }"#;
//! let scene = drystone_io::scene_file::parse(text, "ball.json5".as_ref(), &drystone_io::scene_file::no_meshes)?;
//! assert_eq!(scene.model.body_name, ["ball"]);
//!
//! let error = drystone_io::scene_file::parse(
//!     &text.replace("radius", "radus"), "ball.json5".as_ref(), &drystone_io::scene_file::no_meshes).unwrap_err();
//! assert!(error.to_string().starts_with("ball.json5:4:"));
//! assert!(error.to_string().contains("did you mean `radius`?"));
//! # Ok::<(), drystone_io::scene_file::SceneError>(())
//! ```

mod error;
mod export;
mod json5;
mod keys;
mod lower;
pub mod spec;

use std::path::Path;

use drystone_model::Model;

use crate::mesh::{self, MeshError, MeshFile};

pub(crate) use error::MAX_SHOWN;
pub use error::{SceneError, SceneFault, Span};
pub use export::{export, to_spec};
pub use keys::KeyFrames;
pub use spec::{CameraHint, OptionValue, SceneSettings};

use json5::Parsed;
use spec::SceneSpec;

/// Larger files are refused before they are read: a scene of a million bodies has about 200 MB.
const MAX_BYTES: u64 = 1 << 30;

/// A scene as read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedScene {
    /// The name the file gives.
    pub name: Option<String>,
    /// What the file says it shows.
    pub about: Option<String>,
    /// How the file says it is meant to be run.
    pub settings: SceneSettings,
    /// What there is.
    pub model: Model,
    /// Which targets change with time; to be applied before every step.
    pub motions: KeyFrames,
    /// What included robot files say and the model does not.
    pub notes: Vec<String>,
}

/// Fetches a mesh by the path a scene file states.
pub type MeshSource<'a> = &'a dyn Fn(&str) -> Result<MeshFile, MeshError>;

/// A mesh source for scenes that stand alone: refuses every file.
pub fn no_meshes(file: &str) -> Result<MeshFile, MeshError> {
    Err(MeshError::new(format!("mesh files such as `{file}` cannot be read here"), "write the mesh out"))
}

/// Reads a scene file; meshes are looked for relative to it.
pub fn load(path: &Path) -> Result<LoadedScene, SceneError> {
    let text = read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse_in(&text, path, &|file| mesh::read(&folder.join(file)), Some(folder))
}

/// Reads a scene from memory. `file` is how messages call it; `meshes` fetches the meshes it names. Robot files are not
/// included.
pub fn parse(text: &str, file: &Path, meshes: MeshSource<'_>) -> Result<LoadedScene, SceneError> {
    parse_in(text, file, meshes, None)
}

fn parse_in(text: &str, file: &Path, meshes: MeshSource<'_>, folder: Option<&Path>) -> Result<LoadedScene, SceneError> {
    read_scene(text, meshes, folder).map_err(|mut faults| {
        faults.sort_by_key(|fault| fault.span.map_or(0, |span| span.start));
        SceneError::new(file, text, faults)
    })
}

/// Reads a scene through all stages, each over what the stages before it could make sense of, so that every fault is
/// found in one round.
fn read_scene(text: &str, meshes: MeshSource<'_>, folder: Option<&Path>) -> Result<LoadedScene, Vec<SceneFault>> {
    let Parsed { tree, mut faults, mut lost } = json5::parse(text);
    let Some(mut tree) = tree else { return Err(faults) };
    let Some(spec) = lost.read::<SceneSpec>(&mut tree, &mut faults) else { return Err(faults) };
    match lower::lower(&spec, &tree, &lost, meshes, folder) {
        Ok((model, motions, notes)) if faults.is_empty() => {
            Ok(LoadedScene { name: spec.name, about: spec.about, settings: spec.settings, model, motions, notes })
        }
        Ok(_) => Err(faults),
        Err(more) => {
            faults.extend(more);
            Err(faults)
        }
    }
}

/// The JSON schema of scene files, for editors and for `drystone schema`.
pub fn schema() -> String {
    let mut schema = schemars::schema_for!(SceneSpec);
    // Options are those of the solvers, as these describe them.
    let solvers: Vec<_> = drystone::solvers().iter().map(|solver| solver.schema().to_value()).collect();
    if let Some(options) = schema.pointer_mut("/$defs/SceneSettings/properties/options")
        && let Some(options) = options.as_object_mut()
    {
        options.insert("anyOf".into(), solvers.into());
    }
    serde_json::to_string_pretty(&schema).unwrap_or_default()
}

fn read_text(path: &Path) -> Result<String, SceneError> {
    let refuse = |message: String, help: &str| SceneError::new(path, "", vec![SceneFault::new(message, help)]);
    let unreadable = |error: std::io::Error| {
        let help = match error.kind() {
            std::io::ErrorKind::NotFound => "check the path; `drystone scenes` lists the scenes that need no file",
            std::io::ErrorKind::PermissionDenied => "check the permissions of the file",
            _ => "name a readable scene file",
        };
        refuse(format!("cannot read the scene: {error}"), help)
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if about.is_dir() {
        return Err(refuse("this is a folder".into(), "name a scene file (.json5) in it"));
    }
    if about.len() > MAX_BYTES {
        return Err(refuse(format!("the file has {} bytes", about.len()), "keep meshes in files of their own"));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    decode(path, bytes)
}

/// Text of bytes that should be UTF-8; points at the first that are not.
fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, SceneError> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        let fault = SceneFault::new("the file is not UTF-8 text from here on", "save it as UTF-8")
            .at(Span { start: valid, end: valid + 1 });
        SceneError::new(path, &text, vec![fault])
    })
}
