//! Shapes of links.

use std::path::{Path, PathBuf};

use drystone_geometry::Shape;
use drystone_model::{DQuat, DVec3, Pose, ShapeDef};

use super::super::fault::{Log, Place};
use super::super::meshes::{self, Meshes};
use super::super::xml::Element;
use super::super::{ImportOptions, MeshUse};

/// The pose of the `origin` of an element.
pub(super) fn origin(element: &Element, log: &mut Log) -> Pose {
    let Some(origin) = element.child("origin") else { return Pose::IDENTITY };
    let at = origin.vector(log, "xyz").unwrap_or(DVec3::ZERO);
    let [roll, pitch, yaw] = origin.numbers(log, "rpy").unwrap_or([0.0; 3]);
    let rotation = DQuat::from_rotation_z(yaw) * DQuat::from_rotation_y(pitch) * DQuat::from_rotation_x(roll);
    Pose::from_parts(at, rotation.normalize())
}

/// The collision shapes of a link.
pub(super) fn shapes(
    link: &Element,
    file: &Path,
    options: &ImportOptions,
    meshes: &mut Meshes,
    log: &mut Log,
) -> Vec<(ShapeDef, Place)> {
    let mut shapes = Vec::new();
    let owner = link.text_of("name").unwrap_or_default();
    for (index, collision) in link.children_named("collision").enumerate() {
        let pose = origin(collision, log);
        let Some(geometry) = collision.child("geometry") else {
            log.fault(collision.place, "a collision without `geometry`", "add one");
            continue;
        };
        let Some(form) = geometry.children.first() else {
            log.fault(geometry.place, "an empty geometry", "add a box, cylinder, sphere or mesh");
            continue;
        };
        if let Some(shape) = shape(form, file, options, meshes, log) {
            let name = format!("{owner}/collision_{index}");
            shapes.push((ShapeDef::new(shape).pose(pose).named(name), form.place));
        }
    }
    shapes
}

fn shape(form: &Element, file: &Path, options: &ImportOptions, meshes: &mut Meshes, log: &mut Log) -> Option<Shape> {
    let mut length = |name: &str| form.needed(log, name).and_then(|_| form.number(log, name));
    match form.name.as_str() {
        "sphere" => Some(Shape::Sphere { radius: length("radius")? }),
        "cylinder" => Some(Shape::Cylinder { radius: length("radius")?, half_height: 0.5 * length("length")? }),
        "capsule" => Some(Shape::Capsule { radius: length("radius")?, half_height: 0.5 * length("length")? }),
        "box" => {
            form.needed(log, "size")?;
            Some(Shape::Box { half: form.vector(log, "size")? * 0.5 })
        }
        "mesh" => mesh(form, file, options, meshes, log),
        // The grammar has refused it already.
        _ => None,
    }
}

fn mesh(form: &Element, file: &Path, options: &ImportOptions, meshes: &mut Meshes, log: &mut Log) -> Option<Shape> {
    let name = form.needed(log, "filename")?;
    let place = form.attribute("filename")?.place;
    let scale = match form.list(log, "scale").unwrap_or_default().as_slice() {
        [] => DVec3::ONE,
        [all] => DVec3::splat(*all),
        _ => form.vector(log, "scale")?,
    };
    let path = match locate(name, file, options) {
        Ok(path) => path,
        Err((message, help)) => {
            log.fault(place, message, help);
            return None;
        }
    };
    let mesh = meshes.mesh(&path, scale, place, log)?;
    if options.meshes == MeshUse::Hull {
        log.note(place, "a mesh collides as its convex hull");
    }
    meshes::shape(&mesh, options.meshes, place, log)
}

/// Where a mesh is: `package://NAME/…` in the folder of that name, given or found above the file; `file://…` as it
/// stands; anything else relative to the file.
pub(super) fn locate(name: &str, file: &Path, options: &ImportOptions) -> Result<PathBuf, (String, String)> {
    let folder = file.parent().unwrap_or(Path::new(""));
    if let Some(path) = name.strip_prefix("file://") {
        return Ok(PathBuf::from(path));
    }
    let Some(rest) = name.strip_prefix("package://").or_else(|| name.strip_prefix("model://")) else {
        return Ok(folder.join(name));
    };
    let (package, inside) = rest.split_once('/').unwrap_or((rest, ""));
    if let Some(root) = options.packages.get(package) {
        return Ok(root.join(inside));
    }
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    // The package is a folder above the file, or beside one that is.
    for above in absolute.ancestors() {
        let own = above.file_name().is_some_and(|name| name == package).then(|| above.join(inside));
        for candidate in own.into_iter().chain([above.join(package).join(inside)]) {
            if candidate.exists() {
                return Ok(candidate);
            }
        }
    }
    let help = format!("say where it is: `--package {package}=FOLDER`");
    Err((format!("package `{package}` with `{inside}` is in no folder above the file"), help))
}
