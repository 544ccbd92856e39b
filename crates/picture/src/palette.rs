//! The few hundred colours that serve a set of pictures best.

use rayon::prelude::*;

use crate::raster::Image;

/// Colours are told apart by this many bits per channel.
const BITS: u32 = 6;
const CELLS: usize = 1 << (3 * BITS);
/// Rounds of moving each colour to the middle of what it stands for.
const ROUNDS: usize = 3;
/// Height of the dither pattern in sRGB steps: about the distance of neighbouring colours, so that
/// slow gradients do not break into bands.
const DITHER: f32 = 6.0;

/// A palette and the way into it.
pub(crate) struct Palette {
    pub(crate) colors: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

/// How often a cell of similar colours occurs, and their mean.
struct Cell {
    weight: f32,
    mean: [f32; 3],
}

impl Palette {
    /// At most `count` (at most 256) colours for all pictures together.
    pub(crate) fn new(images: &[Image], count: usize) -> Self {
        let cells = histogram(images);
        let mut colors = split(&cells, count.clamp(1, 256));
        for _ in 0..ROUNDS {
            settle(&cells, &mut colors);
        }
        let nearest = (0..CELLS).into_par_iter().map(|cell| closest(&colors, cell_centre(cell)) as u8).collect();
        let colors = colors.iter().map(|c| c.map(|v| v.round().clamp(0.0, 255.0) as u8)).collect();
        Self { colors, nearest }
    }

    /// Palette indices of a picture, dithered by a pattern that stays in place from picture to
    /// picture: what does not move does not flicker.
    pub(crate) fn apply(&self, image: &Image) -> Vec<u8> {
        let pixel = |i: usize, rgb: &[u8]| {
            let shift = DITHER * (bayer(i % image.width, i / image.width) - 0.5);
            let dithered = |c: u8| (f32::from(c) + shift).clamp(0.0, 255.0) as u8;
            self.nearest[cell_of([dithered(rgb[0]), dithered(rgb[1]), dithered(rgb[2])])]
        };
        image.rgb.chunks(3).enumerate().map(|(i, rgb)| pixel(i, rgb)).collect()
    }
}

fn cell_of(rgb: [u8; 3]) -> usize {
    rgb.iter().fold(0, |cell, &c| (cell << BITS) | usize::from(c >> (8 - BITS)))
}

fn cell_centre(cell: usize) -> [f32; 3] {
    let channel = |k: u32| ((cell >> (BITS * (2 - k))) & ((1 << BITS) - 1)) as f32;
    let width = (1 << (8 - BITS)) as f32;
    [0, 1, 2].map(|k| (channel(k) + 0.5) * width - 0.5)
}

/// Ordered 8 × 8 thresholds from 0 to 1 (Bayer): bits of column and row interleaved.
fn bayer(column: usize, row: usize) -> f32 {
    let (x, y) = (column % 8, row % 8);
    let value =
        (0..3).fold(0, |v, bit| v | ((((x ^ y) >> bit) & 1) << (5 - 2 * bit)) | (((y >> bit) & 1) << (4 - 2 * bit)));
    (value as f32 + 0.5) / 64.0
}

/// Occupied cells. The weight grows with the root of the count: a large plain background must not
/// take the colours away from small things.
fn histogram(images: &[Image]) -> Vec<Cell> {
    let mut sums = vec![(0u64, [0u64; 3]); CELLS];
    for rgb in images.iter().flat_map(|image| image.rgb.chunks(3)) {
        let entry = &mut sums[cell_of([rgb[0], rgb[1], rgb[2]])];
        entry.0 += 1;
        (0..3).for_each(|k| entry.1[k] += u64::from(rgb[k]));
    }
    let cell = |(count, sum): (u64, [u64; 3])| Cell {
        weight: (count as f32).sqrt(),
        mean: sum.map(|s| (s as f64 / count as f64) as f32),
    };
    sums.into_iter().filter(|(count, _)| *count > 0).map(cell).collect()
}

/// Cells in one corner of colour space, and how badly one colour stands for them.
struct Group<'a> {
    cells: Vec<&'a Cell>,
    mean: [f32; 3],
    spread: [f32; 3],
}

impl<'a> Group<'a> {
    fn new(cells: Vec<&'a Cell>) -> Self {
        let total: f32 = cells.iter().map(|c| c.weight).sum::<f32>().max(f32::MIN_POSITIVE);
        let average = |value: &dyn Fn(&Cell) -> f32| cells.iter().map(|c| c.weight * value(c)).sum::<f32>() / total;
        let mean = [0, 1, 2].map(|k| average(&|c| c.mean[k]));
        let spread = [0, 1, 2].map(|k| total * average(&|c| (c.mean[k] - mean[k]).powi(2)));
        Self { cells, mean, spread }
    }

    fn error(&self) -> f32 {
        self.spread.iter().sum()
    }

    fn halves(self) -> [Self; 2] {
        let axis = (0..3).max_by(|&a, &b| self.spread[a].total_cmp(&self.spread[b])).unwrap_or(0);
        let (low, high) = self.cells.into_iter().partition(|c| c.mean[axis] <= self.mean[axis]);
        [Self::new(low), Self::new(high)]
    }
}

/// Cuts the group with the largest error in two until there are enough.
fn split(cells: &[Cell], count: usize) -> Vec<[f32; 3]> {
    let mut groups = vec![Group::new(cells.iter().collect())];
    while groups.len() < count {
        let worst = (0..groups.len()).max_by(|&a, &b| groups[a].error().total_cmp(&groups[b].error()));
        let Some(worst) = worst.filter(|&i| groups[i].error() > 0.0 && groups[i].cells.len() > 1) else { break };
        let halves = groups.swap_remove(worst).halves();
        groups.extend(halves.into_iter().filter(|half| !half.cells.is_empty()));
    }
    groups.iter().map(|group| group.mean).collect()
}

/// Moves each colour to the mean of the cells nearest to it.
fn settle(cells: &[Cell], colors: &mut [[f32; 3]]) {
    let owners: Vec<usize> = cells.par_iter().map(|cell| closest(colors, cell.mean)).collect();
    let mut sums = vec![[0.0f32; 4]; colors.len()];
    for (cell, &owner) in cells.iter().zip(&owners) {
        (0..3).for_each(|k| sums[owner][k] += cell.weight * cell.mean[k]);
        sums[owner][3] += cell.weight;
    }
    for (color, sum) in colors.iter_mut().zip(&sums).filter(|(_, sum)| sum[3] > 0.0) {
        *color = [0, 1, 2].map(|k| sum[k] / sum[3]);
    }
}

fn closest(colors: &[[f32; 3]], rgb: [f32; 3]) -> usize {
    let distance = |c: &[f32; 3]| (0..3).map(|k| (c[k] - rgb[k]).powi(2)).sum::<f32>();
    let better = |best: (usize, f32), (i, c): (usize, &[f32; 3])| {
        let d = distance(c);
        if d < best.1 { (i, d) } else { best }
    };
    colors.iter().enumerate().fold((0, f32::INFINITY), better).0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient() -> Image {
        let rgb = (0..64 * 64).flat_map(|i| [(i % 64 * 4) as u8, (i / 64 * 4) as u8, 128]).collect();
        Image { width: 64, height: 64, rgb }
    }

    #[test]
    fn few_colors_are_kept_exactly() {
        let rgb = [[10u8, 20, 30], [200, 100, 50], [0, 0, 0]].repeat(20).concat();
        let palette = Palette::new(&[Image { width: 60, height: 1, rgb }], 255);
        let mut colors = palette.colors.clone();
        colors.sort_unstable();
        assert_eq!(colors, [[0, 0, 0], [10, 20, 30], [200, 100, 50]]);
    }

    #[test]
    fn a_gradient_is_met_closely_on_average() {
        let image = gradient();
        let palette = Palette::new(std::slice::from_ref(&image), 255);
        assert!(palette.colors.len() <= 255 && palette.colors.len() > 200);
        let indices = palette.apply(&image);
        // Averaged over dither tiles the colour is right although each pixel is off.
        let mut worst = 0f32;
        for tile in 0..64 {
            let (x0, y0) = (tile % 8 * 8, tile / 8 * 8);
            for k in 0..2 {
                let mut difference = 0.0;
                for i in 0..64 {
                    let at = (y0 + i / 8) * 64 + x0 + i % 8;
                    difference += f32::from(palette.colors[indices[at] as usize][k]) - f32::from(image.rgb[3 * at + k]);
                }
                worst = worst.max((difference / 64.0).abs());
            }
        }
        assert!(worst < 5.0, "{worst}");
    }

    #[test]
    fn thresholds_are_a_permutation() {
        let mut values: Vec<u32> = (0..64).map(|i| (bayer(i % 8, i / 8) * 64.0) as u32).collect();
        values.sort_unstable();
        assert_eq!(values, (0..64).collect::<Vec<u32>>());
    }
}
