//! Polygons as a file lists them, checked and turned into a mesh in one place for every format.

use std::collections::HashMap;

use drystone_geometry::TriMesh;
use glamx::DVec3;

use super::error::{MeshError, Place};
use super::polygon::triangulate;
use super::{MeshFile, MeshPart};

/// Polygons with more corners than this are refused: no exporter writes them, and cutting one costs
/// the square of its corners.
const MAX_CORNERS: usize = 1024;

/// Vertices, polygons and parts as read; indices not yet checked.
#[derive(Default)]
pub(super) struct PolygonSoup {
    pub vertices: Vec<DVec3>,
    corner: Vec<u64>,
    polygon: Vec<Polygon>,
    part: Vec<(String, usize)>,
}

struct Polygon {
    /// Where the corners end; they start where those of the polygon before end.
    end: usize,
    place: Place,
}

impl PolygonSoup {
    /// Polygons that follow belong to a part of this name.
    pub fn begin_part(&mut self, name: &str) {
        self.part.push((name.to_owned(), self.polygon.len()));
    }

    pub fn push_corner(&mut self, vertex: u64) {
        self.corner.push(vertex);
    }

    /// Ends the polygon whose corners were pushed last.
    pub fn end_polygon(&mut self, place: Place) -> Result<(), MeshError> {
        let start = self.polygon.last().map_or(0, |polygon| polygon.end);
        let count = self.corner.len() - start;
        if count < 3 {
            let message = format!("a face needs at least 3 corners, this one has {count}");
            return Err(MeshError::new(message, "remove the face or export the mesh again").at(place));
        }
        if count > MAX_CORNERS {
            let message = format!("a face of {count} corners is more than the {MAX_CORNERS} that are read");
            return Err(MeshError::new(message, "triangulate the mesh when exporting it").at(place));
        }
        self.polygon.push(Polygon { end: self.corner.len(), place });
        Ok(())
    }

    /// Checks the indices, cuts the polygons into triangles and drops the vertices nothing uses.
    pub fn finish(self) -> Result<MeshFile, MeshError> {
        let mut triangles = Vec::new();
        let mut parts: Vec<MeshPart> = Vec::new();
        let mut begins = self.part.iter().peekable();
        let (mut start, mut index, mut position) = (0, Vec::new(), Vec::new());
        for (k, polygon) in self.polygon.iter().enumerate() {
            while let Some((name, _)) = begins.next_if(|(_, begin)| *begin <= k) {
                end_part(&mut parts, triangles.len());
                parts.push(MeshPart { name: name.clone(), triangles: triangles.len()..triangles.len() });
            }
            self.check(&self.corner[start..polygon.end], &polygon.place, &mut index)?;
            start = polygon.end;
            position.clear();
            position.extend(index.iter().map(|&i| self.vertices[i as usize]));
            let cut = triangulate(&position).into_iter().map(|t| t.map(|corner| index[corner]));
            triangles.extend(cut.filter(is_proper));
        }
        end_part(&mut parts, triangles.len());
        file_of(self.vertices, triangles, parts)
    }

    fn check(&self, corner: &[u64], place: &Place, index: &mut Vec<u32>) -> Result<(), MeshError> {
        index.clear();
        for &vertex in corner {
            if vertex >= self.vertices.len() as u64 {
                let message =
                    format!("a face uses vertex number {}, but there are {}", vertex + 1, self.vertices.len());
                return Err(MeshError::new(message, "export the mesh again; the file is damaged").at(place.clone()));
            }
            index.push(u32::try_from(vertex).map_err(|_| too_large())?);
        }
        Ok(())
    }
}

fn end_part(parts: &mut Vec<MeshPart>, end: usize) {
    if let Some(part) = parts.last_mut() {
        part.triangles.end = end;
    }
    parts.retain(|part| part.triangles.start < part.triangles.end);
}

/// Whether a triangle has three different vertices.
pub(super) fn is_proper(t: &[u32; 3]) -> bool {
    t[0] != t[1] && t[1] != t[2] && t[2] != t[0]
}

/// The finished file: refuses one without triangles, drops unused vertices, names a nameless whole.
pub(super) fn file_of(
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    mut parts: Vec<MeshPart>,
) -> Result<MeshFile, MeshError> {
    if triangles.is_empty() {
        return Err(MeshError::new("the file has no faces", "export the surface as polygons, not as points or lines"));
    }
    let covered = parts.first().map_or(triangles.len(), |part| part.triangles.start);
    if covered > 0 {
        parts.insert(0, MeshPart { name: String::new(), triangles: 0..covered });
    }
    Ok(MeshFile { mesh: compacted(&vertices, &triangles), parts })
}

/// The triangles with just the vertices they use, in the order they had.
pub(super) fn compacted(vertices: &[DVec3], triangles: &[[u32; 3]]) -> TriMesh {
    let mut used = vec![false; vertices.len()];
    for &vertex in triangles.iter().flatten() {
        used[vertex as usize] = true;
    }
    let mut mesh = TriMesh::default();
    let mut renamed = vec![0; vertices.len()];
    for (old, vertex) in vertices.iter().enumerate().filter(|(old, _)| used[*old]) {
        renamed[old] = mesh.vertices.len() as u32;
        mesh.vertices.push(*vertex);
    }
    mesh.triangles.extend(triangles.iter().map(|t| t.map(|old| renamed[old as usize])));
    mesh
}

/// Gives equal positions one index. Equal means equal numbers: a tolerance would need a scale, and
/// exporters repeat the same bits.
#[derive(Default)]
pub(super) struct Welder {
    seen: HashMap<[u64; 3], u32>,
}

impl Welder {
    /// The index of `position` in `vertices`, which grows when it is new.
    pub fn index(&mut self, position: DVec3, vertices: &mut Vec<DVec3>) -> Result<u32, MeshError> {
        // Adding zero turns −0 into +0, which is the same place.
        let key = (position + DVec3::ZERO).to_array().map(f64::to_bits);
        let next = u32::try_from(vertices.len()).map_err(|_| too_large())?;
        let index = *self.seen.entry(key).or_insert(next);
        if index == next {
            vertices.push(position);
        }
        Ok(index)
    }
}

/// More vertices than 32-bit indices reach.
pub(super) fn too_large() -> MeshError {
    MeshError::new("the mesh has more vertices than 32-bit indices reach", "split or decimate it")
}

/// A coordinate that is a number.
pub(super) fn finite(value: f64, place: impl FnOnce() -> Place) -> Result<f64, MeshError> {
    if value.is_finite() {
        return Ok(value);
    }
    let message = format!("a coordinate is {value}, not a finite number");
    Err(MeshError::new(message, "repair the mesh and export it again").at(place()))
}
