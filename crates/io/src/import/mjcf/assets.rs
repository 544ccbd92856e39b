//! Meshes by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use drystone_geometry::{Heightfield, Hull, MassProperties, TriMesh};
use drystone_model::{DMat3, DQuat, DVec3, nearest};

use super::super::fault::{Log, Place};
use super::super::meshes::{Meshes, scale_mesh};
use super::super::xml::Element;
use super::defaults::Defaults;
use super::settings::Settings;
use super::terrain;

/// How the mass of a mesh is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MeshInertia {
    Legacy,
    Exact,
    Convex,
    Shell,
}

/// A mesh, and how it weighs.
#[derive(Clone, Debug)]
pub(super) struct MeshAsset {
    pub(super) mesh: TriMesh,
    inertia: MeshInertia,
}

/// All meshes by name; those that could not be read are there without one.
#[derive(Default)]
pub(super) struct Assets {
    meshes: BTreeMap<String, Option<MeshAsset>>,
    terrains: BTreeMap<String, Option<Heightfield>>,
}

impl Assets {
    pub(super) fn read(root: &Element, path: &Path, settings: &Settings, defaults: &Defaults, log: &mut Log) -> Self {
        let mut assets = Self::default();
        let mut files = Meshes::default();
        let used = used_meshes(root);
        let stem = |file: &str| Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        for group in root.children_named("asset") {
            for element in group.children_named("mesh") {
                let element = defaults.resolve(element, "mesh", None, log);
                let file = element.text_of("file");
                let name = element.text_of("name").map(str::to_owned).or_else(|| stem(file?)).unwrap_or_default();
                // Meshes for the eye are not opened.
                if used.contains(&name) {
                    let mesh = mesh(&element, path, settings, &mut files, log);
                    assets.meshes.insert(name, mesh);
                }
            }
            for element in group.children_named("hfield") {
                let name = element.text_of("name").map(str::to_owned).or_else(|| stem(element.text_of("file")?));
                assets.terrains.insert(name.unwrap_or_default(), terrain::read(element, path, settings, log));
            }
        }
        assets
    }

    /// The height field of a name; `None`, with a fault unless one was told before, if there is none.
    pub(super) fn terrain(&self, name: &str, place: Place, log: &mut Log) -> Option<&Heightfield> {
        let known = self.terrains.get(name);
        if known.is_none() {
            log.fault(place, format!("there is no height field `{name}`"), "name an `hfield` of `asset`");
        }
        known?.as_ref()
    }

    /// The mesh of a name; `None`, with a fault unless one was told before, if there is none.
    pub(super) fn mesh(&self, name: &str, place: Place, log: &mut Log) -> Option<&MeshAsset> {
        let known = self.meshes.get(name);
        if known.is_none() {
            let help = match nearest(name, self.meshes.keys().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a mesh of `asset`".into(),
            };
            log.fault(place, format!("there is no mesh `{name}`"), help);
        }
        known?.as_ref()
    }
}

/// Names of the meshes that geoms wear. Which of them weigh or collide is known only later.
fn used_meshes(root: &Element) -> Vec<String> {
    fn gather(element: &Element, names: &mut Vec<String>) {
        if element.name == "geom"
            && let Some(name) = element.text_of("mesh")
        {
            names.push(name.to_owned());
        }
        element.children.iter().for_each(|child| gather(child, names));
    }
    let mut names = Vec::new();
    gather(root, &mut names);
    names.sort_unstable();
    names.dedup();
    names
}

fn mesh(element: &Element, path: &Path, settings: &Settings, files: &mut Meshes, log: &mut Log) -> Option<MeshAsset> {
    let words = [
        ("legacy", MeshInertia::Legacy),
        ("exact", MeshInertia::Exact),
        ("convex", MeshInertia::Convex),
        ("shell", MeshInertia::Shell),
    ];
    let inertia = element.choice(log, "inertia", &words).unwrap_or(MeshInertia::Legacy);
    let mut mesh = match element.attribute("file") {
        Some(file) => {
            let path = located(&file.value, path, settings);
            files.mesh(&path, DVec3::ONE, file.place, log)?
        }
        None => written_out(element, log)?,
    };
    let shift = element.vector(log, "refpos").unwrap_or(DVec3::ZERO);
    let turn = element.quaternion(log, "refquat").unwrap_or(DQuat::IDENTITY).inverse();
    mesh.vertices.iter_mut().for_each(|vertex| *vertex = turn * (*vertex - shift));
    scale_mesh(&mut mesh, element.vector(log, "scale").unwrap_or(DVec3::ONE));
    Some(MeshAsset { mesh, inertia })
}

/// A file is in the folder of meshes, which is relative to the main file.
pub(super) fn located(file: &str, main: &Path, settings: &Settings) -> PathBuf {
    let file = match settings.strip_path {
        true => file.rsplit(['/', '\\']).next().unwrap_or(file),
        false => file,
    };
    main.parent().unwrap_or(Path::new("")).join(&settings.mesh_folder).join(file)
}

fn written_out(element: &Element, log: &mut Log) -> Option<TriMesh> {
    if element.attribute("vertex").is_none() {
        let help = "give `file` or `vertex`; built-in meshes are not made";
        log.fault(element.place, format!("{} has no vertices", element.called()), help);
        return None;
    }
    let numbers = element.list(log, "vertex")?;
    let vertices: Vec<DVec3> = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
    let mut mesh = TriMesh { vertices, triangles: Vec::new() };
    match element.list(log, "face") {
        Some(faces) => {
            let corner = |value: f64| (value >= 0.0 && value < mesh.vertices.len() as f64).then_some(value as u32);
            for face in faces.chunks_exact(3) {
                let [Some(a), Some(b), Some(c)] = [corner(face[0]), corner(face[1]), corner(face[2])] else {
                    log.fault(
                        element.place,
                        format!("{}: a face names a vertex that is not there", element.called()),
                        "count from 0",
                    );
                    return None;
                };
                mesh.triangles.push([a, b, c]);
            }
        }
        None => match Hull::from_points(&mesh.vertices) {
            Ok(hull) => mesh = hull.triangulated(),
            Err(error) => {
                log.fault(element.place, format!("{} has no convex hull: {error}", element.called()), "give it extent");
                return None;
            }
        },
    }
    Some(mesh)
}

impl MeshAsset {
    /// Mass properties for a density of one, or why there are none.
    pub(super) fn unit_mass(&self) -> Result<MassProperties, String> {
        match self.inertia {
            MeshInertia::Legacy => Ok(pyramids(&self.mesh, f64::abs)),
            MeshInertia::Exact => Ok(pyramids(&self.mesh, |volume| volume)),
            MeshInertia::Convex => {
                let hull = Hull::from_points(&self.mesh.vertices).map_err(|error| error.to_string())?;
                Ok(pyramids(&hull.triangulated(), |volume| volume))
            }
            MeshInertia::Shell => Err("the inertia of a shell is not computed".into()),
        }
    }
}

/// Sums the pyramids over the faces, with their apex at the centre of the surface for the centre of mass, and there for the
/// rest. `count` says how a pyramid that points inwards counts; if as if outwards, the sum depends on the apex.
fn pyramids(mesh: &TriMesh, count: fn(f64) -> f64) -> MassProperties {
    let corners = || mesh.triangles.iter().map(|triangle| triangle.map(|vertex| mesh.vertices[vertex as usize]));
    let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
    let whole: f64 = corners().map(area).sum();
    let middle = corners().map(|face| (face[0] + face[1] + face[2]) / 3.0 * area(face)).sum::<DVec3>() / whole;
    let volume = |[a, b, c]: [DVec3; 3], apex: DVec3| count((a - apex).dot((b - apex).cross(c - apex)) / 6.0);
    let first_count: f64 = corners().map(|face| volume(face, middle)).sum();
    let first =
        corners().map(|face| (face[0] + face[1] + face[2] + middle) / 4.0 * volume(face, middle)).sum::<DVec3>();
    let com = first / first_count;
    let mut second = DMat3::ZERO;
    let mut mass = 0.0;
    for face in corners() {
        let part = volume(face, com);
        mass += part;
        let [a, b, c] = face.map(|corner| corner - com);
        let sum = a + b + c;
        let outer = |u: DVec3, v: DVec3| DMat3::from_cols(u * v.x, u * v.y, u * v.z);
        // ∫ x xᵀ over a tetrahedron with one corner at the origin: V/20 (Σ cᵢcᵢᵀ + s sᵀ).
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (part / 20.0);
    }
    let trace = second.diagonal().element_sum();
    let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
    MassProperties { mass, com, inertia: (inertia + inertia.transpose()) * 0.5 }
}
