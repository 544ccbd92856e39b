//! All frames of a motion in one `.png`, for pages that play it: one palette, and of each frame only what changed.

use std::io;

use super::palette::Palette;
use crate::raster::Image;

/// Widest sheet \[pixels\]: what every browser decodes.
const WIDEST: usize = 8192;

/// Pictures of one size on one sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The sheet as `.png`. Frame k is in column k mod `columns`, row k / `columns`; where it is transparent, it
    /// is as the frame before.
    pub png: Vec<u8>,
    /// Frames in a row.
    pub columns: usize,
}

impl Sheet {
    /// Puts pictures on a sheet.
    pub fn new(images: &[Image]) -> io::Result<Self> {
        let Some(first) = images.first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a sheet needs at least one frame"));
        };
        let (width, height) = (first.width, first.height);
        let columns = (WIDEST / width).clamp(1, images.len());
        // Index 0 is "as before": long runs of zeros are what the format packs best.
        let palette = Palette::new(images, 255);
        let (full, rows) = (columns * width, images.len().div_ceil(columns));
        let mut pixels = vec![0u8; full * rows * height];
        let mut before: Vec<u8> = Vec::new();
        for (index, image) in images.iter().enumerate() {
            let now = palette.apply(image);
            let (left, top) = (index % columns * width, index / columns * height);
            for (at, &color) in now.iter().enumerate().filter(|(at, color)| before.get(*at) != Some(color)) {
                pixels[(top + at / width) * full + left + at % width] = color + 1;
            }
            before = now;
        }
        Ok(Self { png: encode(&pixels, full, rows * height, &palette)?, columns })
    }
}

fn encode(pixels: &[u8], width: usize, height: usize, palette: &Palette) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    // Indices do not blend: the filters that help photographs only disturb them.
    encoder.set_filter(png::Filter::NoFilter);
    let colors: Vec<u8> = [[0; 3]].iter().chain(&palette.colors).flatten().copied().collect();
    encoder.set_palette(colors);
    encoder.set_trns(vec![0u8]);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_the_frames_over_each_other_shows_the_pictures_again() {
        let spot = |at: usize| {
            let mut rgb = vec![200u8; 3 * 16 * 9];
            rgb[3 * at..3 * at + 3].copy_from_slice(&[250, 0, 0]);
            Image { width: 16, height: 9, rgb }
        };
        let images = [spot(20), spot(20), spot(77)];
        let sheet = Sheet::new(&images).unwrap();
        let mut decoder = png::Decoder::new(io::Cursor::new(&sheet.png));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgba).unwrap();
        assert_eq!((info.width, info.height, sheet.columns), (48, 9, 3));
        let mut screen = vec![0u8; 3 * 16 * 9];
        let mut drawn = [0; 3];
        for (index, image) in images.iter().enumerate() {
            for at in 0..16 * 9 {
                let pixel = &rgba[4 * (at / 16 * 48 + 16 * index + at % 16)..][..4];
                if pixel[3] > 0 {
                    screen[3 * at..3 * at + 3].copy_from_slice(&pixel[..3]);
                    drawn[index] += 1;
                }
            }
            assert_eq!(screen, image.rgb);
        }
        assert_eq!(drawn, [16 * 9, 0, 2], "only what changed is there");
        assert!(Sheet::new(&[]).is_err());
    }
}
