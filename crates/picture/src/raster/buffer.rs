//! The picture before light: what each sample shows, how far it is and which way it faces.

use std::ops::Range;

use drystone::geometry::{DVec3, Pose};
use rayon::prelude::*;

use super::camera::Camera;
use super::fill::{Corner, fill};
use crate::visual::{Part, ShadedMesh, Visual};

/// [`Sample::part`] where nothing is.
pub(super) const NOTHING: u32 = u32::MAX;
/// Rows of a band: the unit of parallel work, fixed so that results never depend on threads.
const BAND: usize = 32;

/// Cosine of the angle by which the normals of a smooth piece may differ.
const SMOOTH: f32 = 0.98;
/// Share by which the depths of a smooth piece may differ.
const JUMP: f32 = 0.1;

/// What a sample shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// One over the depth along the view direction \[1/m\]; zero for nothing.
    pub(super) near: f32,
    /// Unit normal, camera coordinates.
    pub(super) normal: [f32; 3],
    /// Index into the parts, or [`NOTHING`].
    pub(super) part: u32,
}

/// Samples, row by row from the top.
pub(super) struct Buffer {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) samples: Vec<Sample>,
}

/// Perspective: camera coordinates to pixels.
#[derive(Clone, Copy)]
pub(super) struct Lens {
    centre: [f64; 2],
    scale: f64,
}

impl Lens {
    pub(super) fn new(camera: &Camera, width: usize, height: usize) -> Self {
        Self { centre: [0.5 * width as f64, 0.5 * height as f64], scale: 0.5 * height as f64 / camera.tangent[1] }
    }

    /// Pixels per metre at a depth of one metre.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    fn project(&self, point: DVec3) -> Corner {
        let near = 1.0 / point.z;
        let [x, y] = self.centre;
        Corner { x: x + self.scale * point.x * near, y: y - self.scale * point.y * near, near }
    }

    /// The direction with depth one through the centre of a pixel.
    pub(super) fn ray(&self, column: usize, row: usize) -> [f32; 3] {
        self.ray_at(column as f64 + 0.5, row as f64 + 0.5)
    }

    /// The direction with depth one through a point of the picture, in pixels.
    pub(super) fn ray_at(&self, x: f64, y: f64) -> [f32; 3] {
        [((x - self.centre[0]) / self.scale) as f32, ((self.centre[1] - y) / self.scale) as f32, 1.0]
    }
}

/// A part placed in front of the camera.
struct Placed<'a> {
    part: u32,
    mesh: &'a ShadedMesh,
    pose: Pose,
    rows: Range<usize>,
}

impl Buffer {
    /// Draws all parts with bodies at `poses`.
    pub(super) fn draw(visual: &Visual, poses: &[Pose], camera: &Camera, width: usize, height: usize) -> Self {
        let empty = Sample { near: 0.0, normal: [0.0; 3], part: NOTHING };
        let mut buffer = Self { width, height, samples: vec![empty; width * height] };
        let lens = Lens::new(camera, width, height);
        let placed: Vec<Placed> = visual
            .parts
            .par_iter()
            .enumerate()
            .filter_map(|(i, part)| place(visual, part, i, poses, camera, &lens, height))
            .collect();
        buffer.samples.par_chunks_mut(width * BAND).enumerate().for_each(|(band, samples)| {
            let rows = band * BAND..(band * BAND + samples.len() / width);
            let mut scratch = Vec::new();
            for part in placed.iter().filter(|p| p.rows.start < rows.end && rows.start < p.rows.end) {
                part.draw(camera, &lens, width, &rows, samples, &mut scratch);
            }
        });
        buffer
    }
}

impl Buffer {
    /// The one sample that stands for a square of them, `side` wide from a corner on, where all show one smooth piece of
    /// one part.
    pub(super) fn merged(&self, column: usize, row: usize, side: usize) -> Option<Sample> {
        let first = self.samples[row * self.width + column];
        let (mut near, mut normal) = (0.0, [0.0; 3]);
        for j in row..row + side {
            for sample in &self.samples[j * self.width + column..][..side] {
                let along: f32 = (0..3).map(|k| sample.normal[k] * first.normal[k]).sum();
                let same = sample.part == first.part && (along > SMOOTH || first.part == NOTHING);
                if !same || (sample.near - first.near).abs() > JUMP * first.near {
                    return None;
                }
                near += sample.near;
                (0..3).for_each(|k| normal[k] += sample.normal[k]);
            }
        }
        // One over the depth is linear across a plane: its mean is that of the middle.
        Some(Sample { near: near / (side * side) as f32, normal: normalize(normal), part: first.part })
    }
}

/// Finds the rows a part can touch; `None` if it is not in the picture.
fn place<'a>(
    visual: &'a Visual,
    part: &Part,
    index: usize,
    poses: &[Pose],
    camera: &Camera,
    lens: &Lens,
    height: usize,
) -> Option<Placed<'a>> {
    let pose = part.world_pose(poses);
    if !pose.translation.is_finite() || !pose.rotation.is_finite() {
        return None;
    }
    let mesh = &visual.meshes[part.mesh];
    let (centre, radius) = (camera.see(pose.translation), mesh.radius);
    let rows = if centre.z > 2.0 * radius {
        // Half the picture height of a ball is below scale·r/(z − r).
        let reach = lens.scale * radius / (centre.z - radius) * (1.0 + (centre.y / centre.z).abs());
        let middle = lens.project(centre).y;
        (middle - reach).clamp(0.0, height as f64) as usize..(middle + reach + 1.0).clamp(0.0, height as f64) as usize
    } else if centre.z < -radius {
        return None;
    } else {
        0..height
    };
    (!rows.is_empty()).then_some(Placed { part: index as u32, mesh, pose, rows })
}

impl Placed<'_> {
    fn draw(
        &self,
        camera: &Camera,
        lens: &Lens,
        width: usize,
        rows: &Range<usize>,
        samples: &mut [Sample],
        seen: &mut Vec<(DVec3, DVec3)>,
    ) {
        seen.clear();
        let vertices = self.mesh.positions.iter().zip(&self.mesh.normals);
        seen.extend(vertices.map(|(&p, &n)| (camera.see(self.pose * p), camera.turn(self.pose.rotation * n))));
        // Anything nearer than this is behind the lens; relative to the part so that scale is free.
        let nearest = 1e-4 * self.mesh.radius;
        for triangle in &self.mesh.triangles {
            let corners = triangle.map(|i| seen[i as usize]);
            let normals = corners.map(|(_, n)| n.as_vec3().to_array());
            if corners.iter().all(|(p, _)| p.z > nearest) {
                self.put(&corners.map(|(p, _)| lens.project(p)), &normals, width, rows, samples);
            } else {
                for cut in clip(&corners.map(|(p, _)| p), nearest) {
                    // Only large flat surroundings reach behind the lens: their normals are equal.
                    self.put(&cut.map(|p| lens.project(p)), &normals, width, rows, samples);
                }
            }
        }
    }

    fn put(
        &self,
        corners: &[Corner; 3],
        normals: &[[f32; 3]; 3],
        width: usize,
        rows: &Range<usize>,
        samples: &mut [Sample],
    ) {
        fill(corners, width, rows, |column, row, near, weights| {
            let sample = &mut samples[(row - rows.start) * width + column];
            if near > sample.near {
                let blend = |k: usize| (0..3).map(|i| weights[i] * normals[i][k]).sum::<f32>();
                *sample = Sample { near, normal: normalize([blend(0), blend(1), blend(2)]), part: self.part };
            }
        });
    }
}

pub(super) fn normalize(v: [f32; 3]) -> [f32; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt().max(f32::MIN_POSITIVE);
    v.map(|c| c / length)
}

/// The part of a triangle beyond a depth, as up to two triangles of the same winding.
fn clip(corners: &[DVec3; 3], depth: f64) -> Vec<[DVec3; 3]> {
    let mut kept = Vec::with_capacity(4);
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        if a.z > depth {
            kept.push(a);
        }
        if (a.z > depth) != (b.z > depth) {
            kept.push(a + (b - a) * ((depth - a.z) / (b.z - a.z)));
        }
    }
    (2..kept.len()).map(|i| [kept[0], kept[i - 1], kept[i]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_keeps_the_far_part() {
        let triangle = [DVec3::new(0.0, 0.0, -1.0), DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 1.0, 1.0)];
        let area = |t: &[DVec3; 3]| 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).length();
        let pieces = clip(&triangle, 0.0);
        assert_eq!(pieces.len(), 2);
        // The cut at half height takes a quarter of the area.
        let kept: f64 = pieces.iter().map(area).sum();
        assert!((kept - 0.75 * area(&triangle)).abs() < 1e-12);
        assert!(pieces.iter().flatten().all(|p| p.z >= -1e-12));
        assert!(clip(&triangle, 2.0).is_empty());
    }
}
