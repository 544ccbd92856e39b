//! Repairs: welding, splitting and orienting.

use std::collections::BTreeMap;

use super::check::has_no_area;
use super::{MeshFault, TriMesh};
use crate::weld::weld_targets;

impl TriMesh {
    /// Joins vertices closer than `tolerance` times the diagonal of the mesh (0: only equal ones), drops triangles that
    /// lose their area and vertices no triangle uses. Of joined vertices the first keeps its place.
    ///
    /// ```
    /// use drystone_geometry::{DVec3, Shape, Tessellation, TriMesh};
    /// // As read from an STL file: every triangle has its own three vertices.
    /// let cube = Shape::cuboid(DVec3::ONE)?.to_mesh(&Tessellation::default());
    /// let soup = TriMesh {
    ///     vertices: cube.all_corners().flatten().collect(),
    ///     triangles: (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
    /// };
    /// assert!(soup.check().is_err());
    /// assert_eq!(soup.welded(0.0)?.check(), Ok(()));
    /// # Ok::<(), drystone_geometry::ShapeError>(())
    /// ```
    pub fn welded(&self, tolerance: f64) -> Result<Self, MeshFault> {
        self.check_indices()?;
        let diagonal = self.bounds().extent().length();
        let target = weld_targets(&self.vertices, tolerance.max(0.0) * diagonal);
        let triangles = self.triangles.iter().map(|t| t.map(|v| target[v as usize]));
        let mut mesh = Self { vertices: self.vertices.clone(), triangles: triangles.collect() };
        let whole: Vec<bool> = mesh.all_corners().map(|corners| !has_no_area(corners)).collect();
        let mut keep = whole.iter();
        mesh.triangles.retain(|_| keep.next().copied().unwrap_or(false));
        Ok(mesh.without_unused_vertices())
    }

    /// Drops vertices that no triangle uses; the others keep their order.
    pub(super) fn without_unused_vertices(&self) -> Self {
        let mut used = vec![false; self.vertices.len()];
        self.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut new_index = vec![0; self.vertices.len()];
        let mut vertices = Vec::new();
        for (i, &p) in self.vertices.iter().enumerate().filter(|(i, _)| used[*i]) {
            new_index[i] = vertices.len() as u32;
            vertices.push(p);
        }
        let triangles = self.triangles.iter().map(|t| t.map(|v| new_index[v as usize])).collect();
        Self { vertices, triangles }
    }

    /// Gives every part that touches another in a single vertex its own copy of that vertex.
    pub fn split_at_pinches(&self) -> Result<Self, MeshFault> {
        self.check_indices()?;
        let mut fans = self.fans(&self.sides_by_edge());
        let mut mesh = self.clone();
        let mut copies: BTreeMap<u32, u32> = BTreeMap::new();
        let mut taken = vec![false; self.vertices.len()];
        for corner in 0..3 * self.triangles.len() as u32 {
            let (triangle, k) = (corner as usize / 3, corner as usize % 3);
            let vertex = self.triangles[triangle][k];
            let fan = fans.find(corner);
            let copy = *copies.entry(fan).or_insert_with(|| {
                if !std::mem::replace(&mut taken[vertex as usize], true) {
                    return vertex;
                }
                mesh.vertices.push(self.vertices[vertex as usize]);
                mesh.vertices.len() as u32 - 1
            });
            mesh.triangles[triangle][k] = copy;
        }
        Ok(mesh)
    }

    /// All triangles the other way round.
    pub fn flipped(&self) -> Self {
        let triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        Self { vertices: self.vertices.clone(), triangles }
    }

    /// Turns triangles so that neighbours agree and closed parts face outwards (cavities inside a part: inwards).
    /// Refuses surfaces with one side only, such as a Möbius strip.
    pub fn oriented(&self) -> Result<Self, MeshFault> {
        self.check_indices()?;
        let mut mesh = self.with_agreeing_neighbors()?;
        let parts = mesh.components();
        let depths = mesh.nesting_depths(&parts);
        for (part, depth) in parts.iter().zip(depths) {
            let volume = mesh.part(part).solid_moments().volume;
            if (volume < 0.0) == (depth % 2 == 0) {
                part.iter().for_each(|&t| mesh.triangles[t as usize].swap(1, 2));
            }
        }
        Ok(mesh)
    }

    /// Flips triangles until every edge is run in both senses, starting from the first of every part.
    fn with_agreeing_neighbors(&self) -> Result<Self, MeshFault> {
        let sides = self.sides_by_edge();
        let mut links = vec![Vec::new(); self.triangles.len()];
        for group in sides.chunk_by(|a, b| a.edge == b.edge) {
            if let [a, b] = group {
                let differ = a.forward == b.forward;
                links[a.triangle].push((b.triangle, differ, a.edge));
                links[b.triangle].push((a.triangle, differ, a.edge));
            }
        }
        let mut flip: Vec<Option<bool>> = vec![None; self.triangles.len()];
        let mut queue = Vec::new();
        for seed in 0..self.triangles.len() {
            if flip[seed].is_none() {
                flip[seed] = Some(false);
                queue.push((seed, false));
            }
            while let Some((t, turned)) = queue.pop() {
                for &(other, differ, edge) in &links[t] {
                    let wanted = turned != differ;
                    match flip[other] {
                        None => {
                            flip[other] = Some(wanted);
                            queue.push((other, wanted));
                        }
                        Some(is) if is != wanted => return Err(MeshFault::OneSided { edge }),
                        Some(_) => {}
                    }
                }
            }
        }
        let turn = |(t, f): (&[u32; 3], &Option<bool>)| if *f == Some(true) { [t[0], t[2], t[1]] } else { *t };
        Ok(Self { vertices: self.vertices.clone(), triangles: self.triangles.iter().zip(&flip).map(turn).collect() })
    }
}
