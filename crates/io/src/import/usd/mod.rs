//! USD, as text and binary, with the schemas of UsdPhysics.

mod binary;
mod build;
mod compose;
mod cursor;
mod joint;
mod layer;
mod mass;
mod prim;
mod scene;
mod shape;
#[cfg(test)]
mod tests;
mod transform;
mod value;

use std::path::Path;

pub(super) use self::compose::Source;
use self::scene::Scene;
use super::fault::{ImportError, Log};
use super::robot::Imported;
use super::{ImportOptions, failed};

/// Makes a model of a stage.
pub(super) fn import(
    source: Source,
    path: &Path,
    options: &ImportOptions,
    mut log: Log,
) -> Result<Imported, ImportError> {
    let Some(stage) = compose::stage(path, source, &mut log) else { return Err(failed(log)) };
    let scene = Scene::read(&stage, options, &mut log);
    let built = build::build(&scene, &mut log);
    let notes = log.finish()?;
    // What could not be built has left faults, which `finish` returned.
    let built = built.unwrap_or_default();
    Ok(Imported {
        name: path.file_stem().map(|name| name.to_string_lossy().into_owned()),
        model: built.model,
        dt: None,
        frames: built.frames,
        joints: built.joints,
        actuators: built.actuators,
        keys: Vec::new(),
        notes,
    })
}

/// Whether a path is that of a USD file.
pub(super) fn is_usd(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["usd", "usda", "usdc", "usdz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Reads a file.
pub(super) fn read(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    match compose::read_source(path) {
        Ok(source) => import(source, path, options, Log::default()),
        Err((message, help)) => Err(ImportError::of_file(path, message, help)),
    }
}
