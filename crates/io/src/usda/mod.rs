//! Recordings as USD text (`.usda`): one transform per body with its motion as time samples, one mesh
//! per shape. Equal shapes share their mesh. Cloth, soft bodies and strings are meshes whose points
//! have time samples; sheets are seen from both sides.

mod name;
mod skins;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::Path;

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose};

use crate::atomic::{WriteError, atomic_write};
use crate::motion::{Track, first_pose, key_frames};
use drystone_picture::visual::{Part, ShadedMesh, Visual, linear};
use name::{Names, quoted};

/// How far the ground reaches in units of the size of the scene.
const GROUND_FACTOR: f64 = 8.0;
/// Time codes per second when frames come in no whole number per second.
const USUAL_RATE: f64 = 60.0;

/// Writes a recording as animated `.usda`.
pub fn write_usda(path: &Path, recording: &Recording) -> Result<(), WriteError> {
    atomic_write(path, |sink| encode(recording, sink))
}

fn encode(recording: &Recording, sink: &mut impl Write) -> io::Result<()> {
    let keys = key_frames(recording);
    let rate = rate(&keys);
    let (axis, turn) = up_axis(recording);
    let visual = Visual::new(recording, GROUND_FACTOR);
    let codes = codes(recording, &keys, rate);
    let end = codes.last().copied().unwrap_or(0.0);
    writeln!(
        sink,
        "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    doc = \"Drystone {}\"\n    metersPerUnit = 1\n    upAxis = \"{axis}\"\n    \
         startTimeCode = 0\n    endTimeCode = {end}\n    timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n)\n",
        env!("CARGO_PKG_VERSION")
    )?;
    meshes(&visual, sink)?;
    writeln!(sink, "def Xform \"scene\"\n{{")?;
    place(&Pose::from_parts(DVec3::ZERO, turn), 1, sink)?;
    let mut writer = Scene { recording, visual: &visual, keys: &keys, codes: &codes, names: Names::default() };
    writer.bodies(sink)?;
    writer.skins(sink)?;
    writer.world(sink)?;
    writeln!(sink, "}}")
}

/// Frames per second if they are evenly spaced at a whole rate.
fn rate(keys: &[(usize, f32)]) -> f64 {
    let Some(&(_, seconds)) = keys.last().filter(|(_, s)| *s > 0.0) else { return USUAL_RATE };
    let rate = (keys.len() - 1) as f64 / f64::from(seconds);
    let whole = rate.round();
    if whole >= 1.0 && (rate - whole).abs() < 1e-5 * whole { whole } else { USUAL_RATE }
}

/// Time codes of the key frames, rounded to a millionth: times come from sums of time steps.
fn codes(recording: &Recording, keys: &[(usize, f32)], rate: f64) -> Vec<f64> {
    let start = recording.time.first().copied().unwrap_or(0.0);
    keys.iter().map(|&(frame, _)| ((recording.time[frame] - start) * rate * 1e6).round() / 1e6).collect()
}

/// USD knows Y and Z as up; anything else is turned to Z.
fn up_axis(recording: &Recording) -> (&'static str, DQuat) {
    let gravity = recording.model.world_gravity.first().copied().unwrap_or(DVec3::NEG_Z);
    match (-gravity).normalize_or(DVec3::Z) {
        DVec3::Y => ("Y", DQuat::IDENTITY),
        up => ("Z", DQuat::from_rotation_arc(up, DVec3::Z)),
    }
}

/// All different meshes, as a class: present but not drawn where it stands.
fn meshes(visual: &Visual, sink: &mut impl Write) -> io::Result<()> {
    writeln!(sink, "class \"meshes\"\n{{")?;
    for (i, mesh) in visual.meshes.iter().enumerate() {
        mesh_prim(i, mesh, sink)?;
    }
    writeln!(sink, "}}\n")
}

fn mesh_prim(index: usize, mesh: &ShadedMesh, sink: &mut impl Write) -> io::Result<()> {
    let [lower, upper] = bounds(mesh);
    writeln!(sink, "    def Mesh \"mesh_{index}\"\n    {{")?;
    writeln!(sink, "        float3[] extent = [{}, {}]", tuple(lower), tuple(upper))?;
    topology(&mesh.triangles, sink)?;
    writeln!(sink, "        point3f[] points = [{}]", list(mesh.positions.iter().map(|&p| tuple(p))))?;
    writeln!(
        sink,
        "        normal3f[] normals = [{}] (\n            interpolation = \"vertex\"\n        )\n    }}",
        list(mesh.normals.iter().map(|&n| tuple(n)))
    )
}

/// Corners of the box around a mesh \[m\].
fn bounds(mesh: &ShadedMesh) -> [DVec3; 2] {
    let (mut lower, mut upper) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &p in &mesh.positions {
        (lower, upper) = (lower.min(p), upper.max(p));
    }
    [lower, upper]
}

/// Triangles, drawn as they are.
fn topology(triangles: &[[u32; 3]], sink: &mut impl Write) -> io::Result<()> {
    writeln!(sink, "        uniform token subdivisionScheme = \"none\"")?;
    writeln!(sink, "        int[] faceVertexCounts = [{}]", list(triangles.iter().map(|_| "3")))?;
    writeln!(sink, "        int[] faceVertexIndices = [{}]", list(triangles.as_flattened().iter()))
}

fn list<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// Three numbers in single precision, as meshes are stored.
fn tuple(v: DVec3) -> String {
    let v = v.as_vec3();
    format!("({}, {}, {})", v.x, v.y, v.z)
}

/// A quaternion, real part first as USD writes it.
fn quaternion(q: DQuat) -> String {
    format!("({}, {}, {}, {})", q.w, q.x, q.y, q.z)
}

/// A fixed placement, left out if it changes nothing.
fn place(pose: &Pose, depth: usize, sink: &mut impl Write) -> io::Result<()> {
    if *pose == Pose::IDENTITY {
        return Ok(());
    }
    let (pad, t) = ("    ".repeat(depth), pose.translation);
    writeln!(sink, "{pad}double3 xformOp:translate = ({}, {}, {})", t.x, t.y, t.z)?;
    writeln!(sink, "{pad}quatd xformOp:orient = {}", quaternion(pose.rotation))?;
    order(&pad, sink)
}

fn order(pad: &str, sink: &mut impl Write) -> io::Result<()> {
    writeln!(sink, "{pad}uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]")
}

struct Scene<'a> {
    recording: &'a Recording,
    visual: &'a Visual,
    keys: &'a [(usize, f32)],
    codes: &'a [f64],
    names: Names,
}

impl Scene<'_> {
    fn bodies(&mut self, sink: &mut impl Write) -> io::Result<()> {
        let model = &self.recording.model;
        let mut shapes: Vec<Vec<usize>> = vec![Vec::new(); model.body_count()];
        for (shape, part) in self.visual.parts.iter().enumerate() {
            if let Some(of_body) = shapes.get_mut(part.body as usize) {
                of_body.push(shape);
            }
        }
        for (body, shapes) in shapes.iter().enumerate() {
            let title = &model.body_name[body];
            writeln!(sink, "\n    def Xform \"{}\" (", self.names.unique(title))?;
            writeln!(sink, "        displayName = {}\n    )\n    {{", quoted(title))?;
            match Track::of(self.recording, body, self.keys) {
                Some(track) => self.motion(&track, sink)?,
                None => place(&first_pose(self.recording, body), 2, sink)?,
            }
            let mut inner = Names::default();
            for &shape in shapes {
                self.shape(shape, &mut inner, 2, sink)?;
            }
            writeln!(sink, "    }}")?;
        }
        Ok(())
    }

    fn motion(&self, track: &Track, sink: &mut impl Write) -> io::Result<()> {
        writeln!(sink, "        double3 xformOp:translate.timeSamples = {{")?;
        for (code, t) in self.codes.iter().zip(&track.translation) {
            writeln!(sink, "            {code}: ({}, {}, {}),", t.x, t.y, t.z)?;
        }
        writeln!(sink, "        }}\n        quatd xformOp:orient.timeSamples = {{")?;
        for (code, r) in self.codes.iter().zip(&track.rotation) {
            writeln!(sink, "            {code}: {},", quaternion(*r))?;
        }
        writeln!(sink, "        }}")?;
        order("        ", sink)
    }

    /// Shapes of the world stand beside the bodies.
    fn world(&mut self, sink: &mut impl Write) -> io::Result<()> {
        let mut names = std::mem::take(&mut self.names);
        let bodies = self.recording.model.body_count();
        for (shape, _) in self.visual.parts.iter().enumerate().filter(|(_, part)| part.body as usize >= bodies) {
            self.shape(shape, &mut names, 1, sink)?;
        }
        Ok(())
    }

    fn shape(&self, shape: usize, names: &mut Names, depth: usize, sink: &mut impl Write) -> io::Result<()> {
        let part: &Part = &self.visual.parts[shape];
        let pad = "    ".repeat(depth);
        let [r, g, b] = linear(part.color);
        let name = names.unique(&self.recording.model.shape_name[shape]);
        writeln!(sink, "\n{pad}def Mesh \"{name}\" (\n{pad}    prepend references = </meshes/mesh_{}>", part.mesh)?;
        writeln!(sink, "{pad})\n{pad}{{")?;
        writeln!(sink, "{pad}    color3f[] primvars:displayColor = [({r}, {g}, {b})]")?;
        place(&part.pose, depth + 1, sink)?;
        writeln!(sink, "{pad}}}")
    }
}
