//! Terrain on a regular grid.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

use super::solid::{direction_or, positive};
use super::{Projection, ShapeError, Solid, Tessellation};
use crate::distance::point_triangle;
use crate::ray::EarliestHit;
use crate::{Aabb, MassProperties, Pose, Ray, RayHit, TriMesh};

/// A regular grid of heights over the local XY plane, centred on the origin, solid below.
///
/// Every cell is cut into two triangles by the diagonal from its (column, row) corner to the opposite one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heightfield {
    /// Number of samples along x.
    pub columns: usize,
    /// Number of samples along y.
    pub rows: usize,
    /// Distance between neighbouring samples along x and y \[m\].
    pub spacing: [f64; 2],
    /// Heights along z, row by row: `heights[row * columns + column]` \[m\].
    pub heights: Vec<f64>,
}

impl Heightfield {
    /// Position of a sample \[m\].
    #[inline]
    pub fn sample(&self, column: usize, row: usize) -> DVec3 {
        let middle = |count: usize| 0.5 * (count - 1) as f64;
        DVec3::new(
            (column as f64 - middle(self.columns)) * self.spacing[0],
            (row as f64 - middle(self.rows)) * self.spacing[1],
            self.heights[row * self.columns + column],
        )
    }

    /// Number of cells along x and y.
    pub fn cells(&self) -> [usize; 2] {
        [self.columns - 1, self.rows - 1]
    }

    /// The two triangles of a cell, facing up: right of the diagonal, then left of it.
    #[inline]
    pub fn cell_triangles(&self, column: usize, row: usize) -> [[DVec3; 3]; 2] {
        let (a, b) = (self.sample(column, row), self.sample(column + 1, row));
        let (c, d) = (self.sample(column + 1, row + 1), self.sample(column, row + 1));
        [[a, b, c], [a, c, d]]
    }

    /// The cell (column, row) under a position, clamped to the grid.
    pub fn cell_at(&self, x: f64, y: f64) -> [usize; 2] {
        let cell = |along: f64, spacing: f64, cells: usize| {
            let at = (along / spacing + 0.5 * cells as f64).floor();
            at.clamp(0.0, cells as f64 - 1.0) as usize
        };
        let [cx, cy] = self.cells();
        [cell(x, self.spacing[0], cx), cell(y, self.spacing[1], cy)]
    }

    /// Half the size of the grid along x and y \[m\].
    fn half_size(&self) -> [f64; 2] {
        let [cx, cy] = self.cells();
        [0.5 * cx as f64 * self.spacing[0], 0.5 * cy as f64 * self.spacing[1]]
    }

    fn height_range(&self) -> (f64, f64) {
        self.heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &h| (lo.min(h), hi.max(h)))
    }

    /// Height of the surface over (x, y) \[m\]; `None` outside the grid.
    pub fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let [hx, hy] = self.half_size();
        if !(x.abs() <= hx && y.abs() <= hy) {
            return None;
        }
        let [column, row] = self.cell_at(x, y);
        let [[a, b, c], [_, _, d]] = self.cell_triangles(column, row);
        let (u, v) = ((x - a.x) / self.spacing[0], (y - a.y) / self.spacing[1]);
        Some(if u >= v { a.z + u * (b.z - a.z) + v * (c.z - b.z) } else { a.z + v * (d.z - a.z) + u * (c.z - d.z) })
    }

    /// Calls `visit` with the cells of the square ring `ring` steps around a cell.
    fn for_ring(&self, [column, row]: [usize; 2], ring: usize, mut visit: impl FnMut(usize, usize)) {
        let [cx, cy] = self.cells();
        let (c, r, k) = (column as isize, row as isize, ring as isize);
        for y in (r - k).max(0)..=(r + k).min(cy as isize - 1) {
            let border = y == r - k || y == r + k;
            let step = if border { 1 } else { (2 * k).max(1) };
            let mut x = c - k;
            while x <= c + k {
                if x >= 0 && x < cx as isize {
                    visit(x as usize, y as usize);
                }
                x += step;
            }
        }
    }
}

impl Solid for Heightfield {
    fn validate(&self) -> Result<(), ShapeError> {
        positive("heightfield", "spacing x", self.spacing[0])?;
        positive("heightfield", "spacing y", self.spacing[1])?;
        let (columns, rows, found) = (self.columns, self.rows, self.heights.len());
        if columns < 2 || rows < 2 || columns.checked_mul(rows) != Some(found) {
            return Err(ShapeError::BadGrid { columns, rows, found });
        }
        match self.heights.iter().position(|h| !h.is_finite()) {
            Some(i) => Err(ShapeError::BadHeight { column: i % columns, row: i / columns, value: self.heights[i] }),
            None => Ok(()),
        }
    }

    /// Bounds of the surface (the solid below has no bottom).
    fn aabb(&self, pose: &Pose) -> Aabb {
        let [hx, hy] = self.half_size();
        let (low, high) = self.height_range();
        let half = DVec3::new(hx, hy, 0.5 * (high - low));
        let center = pose.transform_point(DVec3::Z * (0.5 * (low + high)));
        let rotation = glamx::DMat3::from_quat(pose.rotation);
        Aabb::from_center_half(center, rotation.abs() * half)
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        let samples = (0..self.heights.len()).map(|i| self.sample(i % self.columns, i / self.columns));
        samples.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).unwrap_or(DVec3::ZERO)
    }

    fn volume(&self) -> f64 {
        f64::INFINITY
    }

    fn mass_properties(&self, _density: f64) -> Result<MassProperties, ShapeError> {
        Err(ShapeError::Unbounded { shape: "heightfield" })
    }

    fn cast_ray(&self, ray: &Ray, max_time: f64) -> Option<RayHit> {
        let bounds = self.aabb(&Pose::IDENTITY);
        let (entry, exit) = bounds.clip_ray(ray.origin, ray.direction.recip(), max_time)?;
        let mut earliest = EarliestHit::new(max_time);
        // All cells under the part of the ray inside the bounds, row by row.
        let (from, to) = (ray.at(entry), ray.at(exit));
        let ([_, first], [_, last]) = (self.cell_at(0.0, from.y.min(to.y)), self.cell_at(0.0, from.y.max(to.y)));
        for row in first.saturating_sub(1)..=(last + 1).min(self.cells()[1] - 1) {
            let (x0, x1) = self.span_in_row(from, to, row);
            let (left, right) = (self.cell_at(x0, 0.0)[0], self.cell_at(x1, 0.0)[0]);
            for column in left.saturating_sub(1)..=(right + 1).min(self.cells()[0] - 1) {
                for corners in self.cell_triangles(column, row) {
                    if let Some(time) = ray.cross_triangle(corners) {
                        let [a, b, c] = corners;
                        earliest.offer(time, || direction_or((b - a).cross(c - a), DVec3::Z));
                    }
                }
            }
        }
        earliest.hit()
    }

    fn project(&self, point: DVec3) -> Projection {
        let home = self.cell_at(point.x, point.y);
        let [cx, cy] = self.cells();
        let mut best = (f64::INFINITY, DVec3::ZERO, DVec3::Z);
        let step = self.spacing[0].min(self.spacing[1]);
        for ring in 0..=cx.max(cy) {
            // Cells of this ring are at least ring − 1 cells away.
            let clearance = (ring as f64 - 1.0).max(0.0) * step;
            if best.0 < clearance * clearance {
                break;
            }
            self.for_ring(home, ring, |column, row| {
                for corners in self.cell_triangles(column, row) {
                    let nearest = point_triangle::closest_point(point, corners);
                    let squared = nearest.distance_squared(point);
                    if squared < best.0 {
                        let [a, b, c] = corners;
                        best = (squared, nearest, direction_or((b - a).cross(c - a), DVec3::Z));
                    }
                }
            });
        }
        let below = self.height_at(point.x, point.y).is_some_and(|h| point.z < h);
        let side = if below { -1.0 } else { 1.0 };
        let normal = direction_or(side * (point - best.1), best.2);
        Projection { point: best.1, normal, distance: side * best.0.sqrt() }
    }

    fn to_mesh(&self, _options: &Tessellation) -> TriMesh {
        let sample = |i: usize| self.sample(i % self.columns, i / self.columns);
        let [cx, cy] = self.cells();
        let index = |column: usize, row: usize| (row * self.columns + column) as u32;
        let quad = |column: usize, row: usize| {
            let (a, b) = (index(column, row), index(column + 1, row));
            let (c, d) = (index(column + 1, row + 1), index(column, row + 1));
            [[a, b, c], [a, c, d]]
        };
        TriMesh {
            vertices: (0..self.heights.len()).map(sample).collect(),
            triangles: (0..cy).flat_map(|row| (0..cx).flat_map(move |column| quad(column, row))).collect(),
        }
    }
}

impl Heightfield {
    /// The x range of the segment from–to over one row of cells.
    fn span_in_row(&self, from: DVec3, to: DVec3, row: usize) -> (f64, f64) {
        let y0 = (row as f64 - 0.5 * self.cells()[1] as f64) * self.spacing[1];
        let along = to.y - from.y;
        let x_at = |y: f64| {
            let t = ((y - from.y) / along).clamp(0.0, 1.0);
            from.x + t * (to.x - from.x)
        };
        if along == 0.0 {
            return (from.x.min(to.x), from.x.max(to.x));
        }
        let (a, b) = (x_at(y0), x_at(y0 + self.spacing[1]));
        (a.min(b), a.max(b))
    }
}
