//! Ambient occlusion: how much of the sky a sample sees past what is near it in the picture.

use std::f32::consts::TAU;

use rayon::prelude::*;

use super::buffer::{Buffer, Lens, NOTHING};

/// Directions looked into by each sample; neighbours look elsewhere and are averaged.
const TAPS: usize = 12;
/// Side of the square of looks over which the directions repeat, and of the average.
const TILE: usize = 4;
/// Only every so many samples along each side look around; the average fills in the others. Darkening
/// varies slowly, and this is the most expensive part of a picture.
const STRIDE: usize = 2;
/// Strength of the darkening.
const STRENGTH: f32 = 1.5;

/// Light from the surroundings that reaches samples when things within a radius stand in the way.
pub(super) struct Occlusion<'a> {
    buffer: &'a Buffer,
    lens: &'a Lens,
    radius: f32,
    tiles: Vec<[[f32; 2]; TAPS]>,
    looks: Vec<f32>,
}

impl<'a> Occlusion<'a> {
    /// Looks around from every so many samples. Things are `radius` metres near; nothing stands around what is further than
    /// the second of `scene` from its first (camera coordinates, in metres).
    pub(super) fn new(buffer: &'a Buffer, lens: &'a Lens, radius: f32, scene: ([f32; 3], f32)) -> Self {
        let columns = buffer.width.div_ceil(STRIDE);
        let mut looks = vec![1.0f32; columns * buffer.height.div_ceil(STRIDE)];
        let mut occlusion = Self { buffer, lens, radius, tiles: directions(), looks: Vec::new() };
        let (middle, reach) = (scene.0, scene.1 + radius);
        let beside = |column: usize, row: usize| {
            position(buffer, lens, column, row).is_some_and(|point| {
                let away: [f32; 3] = std::array::from_fn(|k| point[k] - middle[k]);
                dot(away, away) < reach * reach
            })
        };
        looks.par_chunks_mut(columns).enumerate().for_each(|(row, line)| {
            for (column, value) in line.iter_mut().enumerate() {
                let (column, row) = (column * STRIDE, row * STRIDE);
                if beside(column, row) {
                    *value = occlusion.look(column, row);
                }
            }
        });
        occlusion.looks = looks;
        occlusion
    }

    /// The share of the surroundings one sample sees by itself.
    fn look(&self, column: usize, row: usize) -> f32 {
        let place = (row / STRIDE % TILE) * TILE + column / STRIDE % TILE;
        openness(self.buffer, self.lens, self.radius, &self.tiles[place], column, row)
    }

    /// The share of the surroundings a sample sees, from 0 to 1: the average of a tile of looks around it, of the same
    /// surface only, so that the pattern of directions cancels and edges stay. A sample with none (on something thin)
    /// looks for itself.
    pub(super) fn open(&self, column: usize, row: usize) -> f32 {
        let (buffer, width) = (self.buffer, self.buffer.width);
        let here = &buffer.samples[row * width + column];
        if here.part == NOTHING {
            return 1.0;
        }
        let (columns, rows) = (width.div_ceil(STRIDE), buffer.height.div_ceil(STRIDE));
        let around =
            |i: usize, end: usize| (i / STRIDE + 1).saturating_sub(TILE / 2)..(i / STRIDE + 1 + TILE / 2).min(end);
        let (mut sum, mut count) = (0.0, 0.0);
        for j in around(row, rows) {
            for i in around(column, columns) {
                let other = &buffer.samples[j * STRIDE * width + i * STRIDE];
                if other.part == here.part && dot(other.normal, here.normal) > 0.9 {
                    sum += self.looks[j * columns + i];
                    count += 1.0;
                }
            }
        }
        if count > 0.0 { sum / count } else { self.look(column, row) }
    }
}

/// Offsets in the unit disc for every place in a tile: a spiral, turned from place to place.
fn directions() -> Vec<[[f32; 2]; TAPS]> {
    let place = |i: usize| {
        // A stride of 7 visits all 16 turns with neighbours far apart.
        let turn = (i * 7 % (TILE * TILE)) as f32 / (TILE * TILE) as f32;
        std::array::from_fn(|k| {
            let share = (k as f32 + 0.5 + 0.5 * turn) / TAPS as f32;
            let (sin, cos) = (TAU * (turn + 3.0 * share)).sin_cos();
            [share * cos, share * sin]
        })
    };
    (0..TILE * TILE).map(place).collect()
}

fn position(buffer: &Buffer, lens: &Lens, column: usize, row: usize) -> Option<[f32; 3]> {
    let sample = &buffer.samples[row * buffer.width + column];
    (sample.part != NOTHING).then(|| lens.ray(column, row).map(|c| c / sample.near))
}

fn openness(buffer: &Buffer, lens: &Lens, radius: f32, directions: &[[f32; 2]], column: usize, row: usize) -> f32 {
    let Some(point) = position(buffer, lens, column, row) else { return 1.0 };
    let sample = &buffer.samples[row * buffer.width + column];
    let reach = (lens.scale() as f32 * radius * sample.near).min(0.15 * buffer.height as f32);
    // Below three samples there is nothing between this one and its neighbours to look at.
    if reach < 3.0 {
        return 1.0;
    }
    let mut blocked = 0.0;
    for [x, y] in directions {
        let (i, j) = (column as f32 + x * reach, row as f32 + y * reach);
        if i < 0.0 || j < 0.0 || i as usize >= buffer.width || j as usize >= buffer.height {
            continue;
        }
        let Some(other) = position(buffer, lens, i as usize, j as usize) else { continue };
        let gap = [other[0] - point[0], other[1] - point[1], other[2] - point[2]];
        let square = dot(gap, gap);
        // Height above the tangent plane, less a bias for the coarseness of the samples.
        let height = dot(gap, sample.normal) - 0.03 * radius;
        if height > 0.0 && square < radius * radius {
            let fade = 1.0 - square / (radius * radius);
            blocked += fade * fade.sqrt() * height / square.sqrt();
        }
    }
    (1.0 - STRENGTH * blocked / directions.len() as f32).max(0.0)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
