//! Sunlight: which points the sun sees.

use drystone::geometry::{DVec3, Pose};
use rayon::prelude::*;

use super::fill::{Corner, fill};
use crate::visual::{Extent, Visual};

/// Texels of a side. At the usual picture width a texel is about a pixel.
const SIZE: usize = 1536;
/// Rows of the map drawn together.
const BAND: usize = 96;

/// Nearness to the sun over a square across its direction that holds everything that moves.
pub(super) struct ShadowMap {
    across: [DVec3; 2],
    sun: DVec3,
    centre: DVec3,
    /// Texels per metre.
    scale: f64,
    near: Vec<f32>,
}

impl ShadowMap {
    /// Draws all parts but the ground as the sun (in unit direction `sun`) sees them.
    pub(super) fn draw(visual: &Visual, poses: &[Pose], extent: &Extent, sun: DVec3) -> Self {
        let right = sun.any_orthonormal_vector();
        let mut map = Self {
            across: [right, sun.cross(right)],
            sun,
            centre: extent.centre,
            scale: 0.5 * SIZE as f64 / (1.05 * extent.radius),
            near: Vec::new(),
        };
        let mut near = vec![f32::NEG_INFINITY; SIZE * SIZE];
        near.par_chunks_mut(SIZE * BAND).enumerate().for_each(|(band, texels)| {
            let rows = band * BAND..(band + 1) * BAND;
            let mut corners = Vec::new();
            for part in visual.parts.iter().filter(|part| !part.ground) {
                let mesh = &visual.meshes[part.mesh];
                let pose = part.world_pose(poses);
                let middle = map.project(pose.translation);
                let reach = map.scale * mesh.radius;
                if !(middle.y + reach >= rows.start as f64 && middle.y - reach <= rows.end as f64) {
                    continue;
                }
                corners.clear();
                corners.extend(mesh.positions.iter().map(|&p| map.project(pose * p)));
                for triangle in &mesh.triangles {
                    fill(&triangle.map(|i| corners[i as usize]), SIZE, &rows, |column, row, value, _| {
                        let texel = &mut texels[(row - rows.start) * SIZE + column];
                        *texel = texel.max(value);
                    });
                }
            }
        });
        map.near = near;
        map
    }

    fn project(&self, point: DVec3) -> Corner {
        let p = point - self.centre;
        let half = 0.5 * SIZE as f64;
        Corner {
            x: half + self.scale * self.across[0].dot(p),
            y: half - self.scale * self.across[1].dot(p),
            near: self.sun.dot(p),
        }
    }

    /// Share of the sun that reaches a point of a surface with a unit normal, from 0 to 1. Averages a
    /// square of 5 × 5 texels that slides smoothly with the point, which softens the edge.
    pub(super) fn light(&self, point: DVec3, normal: DVec3) -> f32 {
        // A surface must not shade itself: look from a little off it, by texels, more so at a graze.
        let slope = (1.0 - self.sun.dot(normal).clamp(0.0, 1.0)).sqrt();
        let spot = self.project(point + normal * ((1.0 + 2.5 * slope) / self.scale));
        let (x, y) = (spot.x - 0.5, spot.y - 0.5);
        let (column, row) = (x.floor(), y.floor());
        let inside = |v: f64| v >= 2.0 && v < SIZE as f64 - 4.0;
        if !inside(column) || !inside(row) {
            return 1.0;
        }
        let edge = |f: f64| [1.0 - f as f32, 1.0, 1.0, 1.0, 1.0, f as f32];
        let (across, down) = (edge(x - column), edge(y - row));
        let (column, row) = (column as usize - 2, row as usize - 2);
        let near = spot.near as f32;
        let mut light = 0.0;
        for (j, weight) in down.iter().enumerate() {
            let line = &self.near[(row + j) * SIZE + column..][..6];
            light += weight * line.iter().zip(&across).map(|(&n, w)| if n <= near { *w } else { 0.0 }).sum::<f32>();
        }
        light / 25.0
    }
}
