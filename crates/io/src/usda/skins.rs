//! Cloth, soft bodies and strings: meshes whose points have a sample per key frame. Single particles are spheres that move.

use std::io::{self, Write};

use drystone::geometry::DVec3;
use drystone_picture::visual::{DeformingMesh, ShadedMesh, Skin, SkinKind, linear, skins};

use super::{Scene, list, topology, tuple};
use crate::motion::{first_particles, particle_tracks, skin_name};

impl Scene<'_> {
    /// Writes the skins of all particles.
    pub(super) fn skins(&mut self, sink: &mut impl Write) -> io::Result<()> {
        let all = skins(&self.recording.model);
        if all.is_empty() {
            return Ok(());
        }
        let start = first_particles(self.recording);
        let tracks = particle_tracks(self.recording, self.keys);
        let moves = tracks.iter().any(|q| q[..] != start[..]);
        let tracks = if moves { &tracks[..] } else { &[] };
        for (number, skin) in all.iter().enumerate() {
            let name = self.names.unique(&skin_name(skin, number));
            match (skin.deforming(&start), &skin.kind) {
                (Some(mesh), _) => self.deforming(&name, skin, &mesh, &start, tracks, sink)?,
                (None, SkinKind::Ball(particle, radius)) => {
                    let places: Vec<DVec3> = tracks.iter().map(|q| q[*particle as usize]).collect();
                    self.ball(&name, skin, *radius, start[*particle as usize], &places, sink)?;
                }
                (None, _) => {}
            }
        }
        Ok(())
    }

    fn deforming(
        &self,
        name: &str,
        skin: &Skin,
        mesh: &DeformingMesh,
        start: &[DVec3],
        tracks: &[Vec<DVec3>],
        sink: &mut impl Write,
    ) -> io::Result<()> {
        let shapes: Vec<ShadedMesh> = tracks.iter().map(|q| mesh.at(q)).collect();
        let first = mesh.at(start);
        writeln!(sink, "\n    def Mesh \"{name}\"\n    {{")?;
        topology(&first.triangles, sink)?;
        writeln!(sink, "        uniform bool doubleSided = {}", u8::from(mesh.two_sided))?;
        color(skin, sink)?;
        let points = |mesh: &ShadedMesh| format!("[{}]", list(mesh.positions.iter().map(|&p| tuple(p))));
        let normals = |mesh: &ShadedMesh| format!("[{}]", list(mesh.normals.iter().map(|&n| tuple(n))));
        self.samples("float3[] extent", &extent, &first, &shapes, sink)?;
        self.samples("point3f[] points", &points, &first, &shapes, sink)?;
        writeln!(sink, "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )")?;
        self.samples("normal3f[] normals", &normals, &first, &shapes, sink)?;
        writeln!(sink, "    }}")
    }

    /// An attribute with a value per key, or one if nothing moves.
    fn samples<T>(
        &self,
        attribute: &str,
        value: &dyn Fn(&T) -> String,
        still: &T,
        moving: &[T],
        sink: &mut impl Write,
    ) -> io::Result<()> {
        if moving.is_empty() {
            return writeln!(sink, "        {attribute} = {}", value(still));
        }
        writeln!(sink, "        {attribute}.timeSamples = {{")?;
        for (code, at) in self.codes.iter().zip(moving) {
            writeln!(sink, "            {code}: {},", value(at))?;
        }
        writeln!(sink, "        }}")
    }

    fn ball(
        &self,
        name: &str,
        skin: &Skin,
        radius: f64,
        start: DVec3,
        places: &[DVec3],
        sink: &mut impl Write,
    ) -> io::Result<()> {
        writeln!(sink, "\n    def Sphere \"{name}\"\n    {{\n        double radius = {radius}")?;
        writeln!(
            sink,
            "        float3[] extent = [{}, {}]",
            tuple(DVec3::splat(-radius)),
            tuple(DVec3::splat(radius))
        )?;
        color(skin, sink)?;
        let place = |p: &DVec3| format!("({}, {}, {})", p.x, p.y, p.z);
        self.samples("double3 xformOp:translate", &place, &start, places, sink)?;
        writeln!(sink, "        uniform token[] xformOpOrder = [\"xformOp:translate\"]\n    }}")
    }
}

fn color(skin: &Skin, sink: &mut impl Write) -> io::Result<()> {
    let [r, g, b] = linear(skin.color);
    writeln!(sink, "        color3f[] primvars:displayColor = [({r}, {g}, {b})]")
}

fn extent(mesh: &ShadedMesh) -> String {
    let [lower, upper] = super::bounds(mesh);
    format!("[{}, {}]", tuple(lower), tuple(upper))
}
