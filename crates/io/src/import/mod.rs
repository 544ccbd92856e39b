//! Robots from files of other programs: URDF, MJCF, the model files of MuJoCo, and USD.
//!
//! What changes the motion and cannot be said is refused by name, place and remedy; what only softens or decorates is
//! a [`Note`]; what is for the eye alone is passed over. An element or attribute the format does not have is an error.
//!
//! ```
//! use drystone_io::import::{Base, ImportOptions, parse_urdf};
//! let text = r#"<robot name="arm">
//!   <link name="base"/>
//!   <link name="upper"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
//!   <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
//! </robot>"#;
//! let options = ImportOptions { base: Some(Base::Fixed), ..ImportOptions::default() };
//! let arm = parse_urdf(text, "arm.urdf".as_ref(), &options)?;
//! assert_eq!(arm.model.body_name, ["upper"]);
//! assert_eq!(arm.frame("base").unwrap().body, drystone_model::BodyId::WORLD);
//! # Ok::<(), drystone_io::import::ImportError>(())
//! ```

mod actuation;
mod assembly;
mod collada;
mod element;
mod fault;
mod grammar;
mod meshes;
mod mjcf;
mod msh;
mod reach;
mod robot;
mod urdf;
mod usd;
mod xml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use actuation::{Action, Actuator, ControlError, Dynamics};
pub use fault::{ImportError, ImportFault, Note, Place, SourceFile};
pub use reach::{Lever, Reach, Stretch};
pub use robot::{Coordinate, Frame, Imported, Key, RobotJoint};

use fault::Log;

/// Whether the root of a robot stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The first link is part of the world.
    Fixed,
    /// The first link floats.
    Free,
}

/// What becomes of inertias that no matter has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InertiaFaults {
    /// They are errors, all of them listed.
    #[default]
    Refuse,
    /// The nearest inertia that matter can have takes their place, and a note says so.
    Repair,
}

/// What becomes of meshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshUse {
    /// Their convex hulls: what MuJoCo collides, and what works for meshes that are not closed.
    #[default]
    Hull,
    /// The meshes themselves, which must be closed.
    Exact,
}

/// What becomes of joints that follow others (`mimic`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MimicJoints {
    /// They follow.
    #[default]
    Follow,
    /// They move by themselves, and a note says so.
    Free,
}

/// What becomes of the largest speeds of joints (`velocity` of URDF).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speeds {
    /// They stand beside the model, as ratings of motors.
    #[default]
    Tell,
    /// Joints are held to them, whatever drives them.
    Hold,
}

/// How a file is to be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// Whether the first link of a URDF stands still; the format does not say, so this has no default. MJCF says itself.
    pub base: Option<Base>,
    /// What becomes of inertias that no matter has.
    pub inertia: InertiaFaults,
    /// What becomes of meshes.
    pub meshes: MeshUse,
    /// What becomes of joints that follow others.
    pub mimic: MimicJoints,
    /// What becomes of the largest speeds of joints.
    pub speeds: Speeds,
    /// Where packages are, by name, for paths that begin with `package://NAME/`. Others are looked for in the folders
    /// above the file.
    pub packages: BTreeMap<String, PathBuf>,
}

/// Extensions that are understood, for messages.
pub const EXTENSIONS: &str = ".urdf, .xml, .mjcf, .usda, .usdc, .usd";

/// Reads a robot file; USD is known by its extension, others say in their first element what they are.
///
/// # Errors
/// Everything that is wrong with the file, or cannot be said by the model.
pub fn read(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    if usd::is_usd(path) {
        return usd::read(path, options);
    }
    let mut log = Log::default();
    let Some(root) = xml::read(path, &mut log)? else { return Err(failed(log)) };
    match root.name.as_str() {
        "robot" => urdf::import(&root, path, options, log),
        "mujoco" => mjcf::import(root, path, options, log),
        other => {
            let help = "URDF files begin with `<robot>`, MJCF files with `<mujoco>`";
            log.fault(root.place, format!("`{other}` begins no robot file that is read here"), help);
            Err(failed(log))
        }
    }
}

/// Reads a URDF file.
///
/// # Errors
/// Everything that is wrong with the file, or cannot be said by the model.
pub fn read_urdf(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut log = Log::default();
    match xml::read(path, &mut log)? {
        Some(root) => urdf::import(&root, path, options, log),
        None => Err(failed(log)),
    }
}

/// Reads an MJCF file with those it includes.
///
/// # Errors
/// Everything that is wrong with the files, or cannot be said by the model.
pub fn read_mjcf(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut log = Log::default();
    match xml::read(path, &mut log)? {
        Some(root) => mjcf::import(root, path, options, log),
        None => Err(failed(log)),
    }
}

/// Reads a USD file, text or binary, with the layers it names.
///
/// # Errors
/// Everything that is wrong with the files, or cannot be said by the model.
pub fn read_usd(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    usd::read(path, options)
}

/// Reads USD as text from memory. `path` is how messages call it, and where the layers it names are looked for.
///
/// # Errors
/// Everything that is wrong with the text, or cannot be said by the model.
pub fn parse_usd(text: &str, path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    usd::import(usd::Source::Text(text.to_owned()), path, options, Log::default())
}

/// Reads binary USD from memory. `path` is how messages call it, and where the layers it names are looked for.
///
/// # Errors
/// Everything that is wrong with the file, or cannot be said by the model.
pub fn parse_usd_binary(bytes: &[u8], path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    usd::import(usd::Source::Binary(bytes.to_owned()), path, options, Log::default())
}

/// Reads URDF from memory. `path` is how messages call it, and where the meshes it names are looked for.
///
/// # Errors
/// Everything that is wrong with the text, or cannot be said by the model.
pub fn parse_urdf(text: &str, path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut log = Log::default();
    match xml::parse(path, text.to_owned(), &mut log) {
        Some(root) => urdf::import(&root, path, options, log),
        None => Err(failed(log)),
    }
}

/// Reads MJCF from memory. `path` is how messages call it, and where the files it names are looked for.
///
/// # Errors
/// Everything that is wrong with the text, or cannot be said by the model.
pub fn parse_mjcf(text: &str, path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut log = Log::default();
    match xml::parse(path, text.to_owned(), &mut log) {
        Some(root) => mjcf::import(root, path, options, log),
        None => Err(failed(log)),
    }
}

/// The faults of a log that has some.
fn failed(log: Log) -> ImportError {
    let files = log.files.clone();
    log.finish().err().unwrap_or(ImportError { files, faults: Vec::new() })
}
