//! Geometry, and the mesh files it comes from.

use std::collections::BTreeMap;
use std::sync::Arc;

use drystone_geometry::{DVec3, Heightfield, Hull, MeshFault, Shape, TriMesh};

use super::super::MeshSource;
use super::super::spec::{GeometrySpec, HullSpec, MeshSpec, Scale, UpAxis};

/// Keys below `geometry`, what is wrong there, and the way out.
pub type GeometryFault = (Vec<&'static str>, String, String);

/// Meshes by what was asked for, so that a hundred bodies of one file share one mesh.
pub struct MeshCache<'a> {
    source: MeshSource<'a>,
    meshes: BTreeMap<String, Arc<TriMesh>>,
    hulls: BTreeMap<String, Arc<Hull>>,
}

/// What a mesh and a hull say about a file.
struct FileRef<'a> {
    geometry: &'static str,
    file: &'a str,
    part: Option<&'a str>,
    scale: Option<Scale>,
    up: Option<UpAxis>,
}

impl<'a> MeshCache<'a> {
    pub fn new(source: MeshSource<'a>) -> Self {
        Self { source, meshes: BTreeMap::new(), hulls: BTreeMap::new() }
    }

    /// The shape a specification stands for.
    pub fn geometry(&mut self, spec: &GeometrySpec) -> Result<Shape, GeometryFault> {
        Ok(match *spec {
            GeometrySpec::Sphere { radius } => Shape::Sphere { radius },
            GeometrySpec::Box { half } => Shape::Box { half: DVec3::from_array(half) },
            GeometrySpec::Capsule { radius, half_height } => Shape::Capsule { radius, half_height },
            GeometrySpec::Cylinder { radius, half_height } => Shape::Cylinder { radius, half_height },
            GeometrySpec::Cone { radius, half_height } => Shape::Cone { radius, half_height },
            GeometrySpec::Ellipsoid { radii } => Shape::Ellipsoid { radii: DVec3::from_array(radii) },
            GeometrySpec::HalfSpace => Shape::HalfSpace,
            GeometrySpec::Hull(ref hull) => Shape::Hull(self.hull(hull)?),
            GeometrySpec::Mesh(ref mesh) => Shape::Mesh(self.mesh(mesh)?),
            GeometrySpec::Heightfield { columns, rows, spacing, ref heights } => {
                Shape::Heightfield(Arc::new(Heightfield { columns, rows, spacing, heights: heights.clone() }))
            }
        })
    }

    /// The closed surface a specification stands for.
    pub fn mesh(&mut self, spec: &MeshSpec) -> Result<Arc<TriMesh>, GeometryFault> {
        let key = format!("{spec:?}");
        if let Some(mesh) = self.meshes.get(&key) {
            return Ok(mesh.clone());
        }
        let mesh = Arc::new(repaired(self.triangles(spec)?, spec)?);
        self.meshes.insert(key, mesh.clone());
        Ok(mesh)
    }

    /// The surface a specification stands for, open or closed: cloth.
    pub fn sheet(&mut self, spec: &MeshSpec) -> Result<TriMesh, GeometryFault> {
        if spec.thicken.is_some() {
            let help = "leave `thicken` out: the thickness of cloth is that of its `material`";
            return Err((vec!["mesh", "thicken"], "cloth is no shell".into(), help.into()));
        }
        let mesh = self.triangles(spec)?;
        welded(mesh, spec, |mesh, weld| {
            mesh.check_indices()?;
            if weld || spec.repair == Some(true) { mesh.welded(spec.weld.unwrap_or(0.0)) } else { Ok(mesh) }
        })
    }

    /// The triangles of a file, or those written out.
    fn triangles(&self, spec: &MeshSpec) -> Result<TriMesh, GeometryFault> {
        let Some(file) = &spec.file else { return written_out(spec) };
        if !spec.vertices.is_empty() || !spec.triangles.is_empty() {
            let help = "keep the file, or the vertices and triangles";
            return Err((vec!["mesh", "file"], "a file and a written-out mesh are both given".into(), help.into()));
        }
        let part = spec.part.as_deref();
        self.read(&FileRef { geometry: "mesh", file, part, scale: spec.scale, up: spec.up })
    }

    fn hull(&mut self, spec: &HullSpec) -> Result<Arc<Hull>, GeometryFault> {
        let key = format!("{spec:?}");
        if let Some(hull) = self.hulls.get(&key) {
            return Ok(hull.clone());
        }
        let hull = match (&spec.file, &spec.arrays, spec.points.is_empty()) {
            (None, Some(arrays), true) => arrays.hull(),
            (Some(file), None, true) => {
                let part = spec.part.as_deref();
                let wanted = FileRef { geometry: "hull", file, part, scale: spec.scale, up: spec.up };
                Hull::from_points(&self.read(&wanted)?.vertices)
            }
            (None, None, _) => {
                let points: Vec<DVec3> = spec.points.iter().copied().map(DVec3::from_array).collect();
                Hull::from_points(&points)
            }
            _ => {
                let help = "keep one of `file`, `points` and `arrays`";
                return Err((vec!["hull"], "the hull is given more than once".into(), help.into()));
            }
        };
        let hull = hull.map_err(|error| {
            (vec!["hull"], error.to_string(), "give points that enclose a volume, or a `file`".to_owned())
        })?;
        let hull = Arc::new(hull);
        self.hulls.insert(key, hull.clone());
        Ok(hull)
    }

    /// Reads a file, picks its part, scales and turns it.
    fn read(&self, wanted: &FileRef<'_>) -> Result<TriMesh, GeometryFault> {
        let below = |key: &'static str| vec![wanted.geometry, key];
        let file =
            (self.source)(wanted.file).map_err(|error| (below("file"), described(&error), error.help.clone()))?;
        let mut mesh = match wanted.part {
            None => file.mesh,
            Some(name) => file.part(name).ok_or_else(|| {
                let names: Vec<&str> = file.parts.iter().map(|part| part.name.as_str()).take(20).collect();
                let help = format!("the file has the parts {names:?}");
                (below("part"), format!("`{}` has no part `{name}`", wanted.file), help)
            })?,
        };
        let factor = match wanted.scale {
            None => DVec3::ONE,
            Some(Scale::Uniform(factor)) => DVec3::splat(factor),
            Some(Scale::Axes(factors)) => DVec3::from_array(factors),
        };
        if !factor.is_finite() || factor.to_array().contains(&0.0) {
            let help = "give finite factors other than zero, 0.001 for a mesh in millimetres";
            return Err((below("scale"), "the scale would flatten the mesh".into(), help.into()));
        }
        for vertex in &mut mesh.vertices {
            let scaled = *vertex * factor;
            *vertex = if wanted.up == Some(UpAxis::Y) { DVec3::new(scaled.x, -scaled.z, scaled.y) } else { scaled };
        }
        // Mirroring turns the surface inside out.
        if factor.element_product() < 0.0 {
            mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        Ok(mesh)
    }
}

fn written_out(spec: &MeshSpec) -> Result<TriMesh, GeometryFault> {
    for (key, given) in [("part", spec.part.is_some()), ("scale", spec.scale.is_some()), ("up", spec.up.is_some())] {
        if given {
            return Err((vec!["mesh", key], format!("`{key}` needs a `file`"), "add `file: …` or remove it".into()));
        }
    }
    let vertices = spec.vertices.iter().copied().map(DVec3::from_array).collect();
    Ok(TriMesh { vertices, triangles: spec.triangles.clone() })
}

/// The mesh after the repairs asked for, checked to bound a solid.
fn repaired(mesh: TriMesh, spec: &MeshSpec) -> Result<TriMesh, GeometryFault> {
    welded(mesh, spec, |mesh, _| repair_steps(mesh, spec))
}

/// The mesh after some steps, which are told whether it asks to be welded; what they refuse is shown where it stands.
fn welded(
    mesh: TriMesh,
    spec: &MeshSpec,
    steps: impl FnOnce(TriMesh, bool) -> Result<TriMesh, MeshFault>,
) -> Result<TriMesh, GeometryFault> {
    if let Some(weld) = spec.weld.filter(|weld| !(0.0..=0.1).contains(weld)) {
        let help = "give a fraction of the size of the mesh, such as 1e-6";
        return Err((vec!["mesh", "weld"], format!("{weld} is not between 0 and 0.1"), help.into()));
    }
    steps(mesh, spec.weld.is_some()).map_err(|fault| {
        let key = if spec.file.is_some() { "file" } else { "triangles" };
        // What follows the problem is advice for programs.
        let text = fault.to_string();
        let problem = text.split_once("; ").map_or(text.as_str(), |(problem, _)| problem);
        (vec!["mesh", key], problem.to_owned(), remedy(&fault, spec).to_owned())
    })
}

fn repair_steps(mut mesh: TriMesh, spec: &MeshSpec) -> Result<TriMesh, MeshFault> {
    let repair = spec.repair.unwrap_or(false);
    mesh.check_indices()?;
    if repair || spec.weld.is_some() {
        mesh = mesh.welded(spec.weld.unwrap_or(0.0))?;
    }
    if repair {
        mesh = mesh.split_at_pinches()?.oriented()?;
    }
    if let Some(thickness) = spec.thicken {
        mesh = mesh.thickened(thickness)?;
    }
    mesh.check()?;
    Ok(mesh)
}

/// What a scene file can still do about a mesh that bounds no solid.
fn remedy(fault: &MeshFault, spec: &MeshSpec) -> &'static str {
    let (repaired, thickened, welded) = (spec.repair == Some(true), spec.thicken.is_some(), spec.weld.is_some());
    match fault {
        MeshFault::Open { .. } if !repaired && !thickened => {
            "add `repair: true` if its seams are not merged, or `thicken: 0.01` to make a shell of the open surface"
        }
        MeshFault::Open { .. } if !thickened && !welded => {
            "the repair left holes: add `thicken: 0.01` to make a shell of the open surface, or `weld: 1e-4` if its \
             seams are wider than rounding"
        }
        MeshFault::Open { .. } if !thickened => {
            "the repair left holes: add `thicken: 0.01` to make a shell of the open surface, or use `hull`"
        }
        MeshFault::Degenerate { .. }
        | MeshFault::Winding { .. }
        | MeshFault::InsideOut { .. }
        | MeshFault::NonManifoldVertex { .. }
            if !repaired =>
        {
            "add `repair: true`"
        }
        MeshFault::BadThickness(_) => "give `thicken` a positive number of metres",
        _ => "repair the mesh in a modelling program, or use `hull` instead of `mesh`",
    }
}

fn described(error: &crate::mesh::MeshError) -> String {
    match &error.place {
        Some(place) => format!("{place}: {}", error.message),
        None => error.message.clone(),
    }
}
