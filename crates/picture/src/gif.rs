//! `.gif`: one palette for all frames, and of each frame only what changed.

use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use rayon::prelude::*;

use super::palette::Palette;
use crate::raster::Image;

/// Viewers slow down anything faster than this \[1/s\].
const FASTEST: f64 = 50.0;

/// The frames to show at `fps` pictures per second: for each tick the one nearest in time. One frame
/// (the first) if there is no motion.
pub fn frames_at(time: &[f64], fps: f64) -> Vec<usize> {
    let (Some(&first), Some(&last)) = (time.first(), time.last()) else { return vec![0] };
    let fps = usable(fps);
    let ticks = ((last - first) * fps + 1e-6).floor().max(0.0) as usize;
    let nearest = |tick: usize| {
        let t = first + tick as f64 / fps;
        let after = time.partition_point(|&s| s < t).min(time.len() - 1);
        let before = after.saturating_sub(1);
        if t - time[before] < time[after] - t { before } else { after }
    };
    (0..=ticks).map(nearest).collect()
}

fn usable(fps: f64) -> f64 {
    if fps > 0.0 { fps.min(FASTEST) } else { 25.0 }
}

/// Writes pictures of one size as an endless loop.
pub(crate) fn encode(images: &[Image], fps: f64, sink: impl Write) -> io::Result<()> {
    let Some(first) = images.first() else { return Err(invalid("an animation needs at least one frame")) };
    let size = |n: usize| u16::try_from(n).map_err(|_| invalid("a GIF is at most 65535 pixels wide and high"));
    let (width, height) = (size(first.width)?, size(first.height)?);
    // One index is kept for "as before".
    let palette = Palette::new(images, 255);
    let same = palette.colors.len() as u8;
    let mut flat = palette.colors.concat();
    flat.extend([0; 3]);
    let indexed: Vec<Vec<u8>> = images.par_iter().map(|image| palette.apply(image)).collect();
    let frame = |i: usize| {
        let before = i.checked_sub(1).map(|j| indexed[j].as_slice());
        let mut frame = changed(&indexed[i], before, first.width, same);
        frame.delay = delay(i, usable(fps));
        frame.make_lzw_pre_encoded();
        frame
    };
    let frames: Vec<Frame> = (0..images.len()).into_par_iter().map(frame).collect();
    let mut encoder = Encoder::new(sink, width, height, &flat).map_err(io::Error::other)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    for frame in &frames {
        encoder.write_lzw_pre_encoded_frame(frame).map_err(io::Error::other)?;
    }
    Ok(())
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

/// Hundredths of a second until the next frame, rounded such that errors do not add up.
fn delay(frame: usize, fps: f64) -> u16 {
    let at = |n: usize| (100.0 * n as f64 / fps).round();
    (at(frame + 1) - at(frame)) as u16
}

/// The smallest rectangle that holds all changes, with unchanged pixels left transparent.
fn changed(now: &[u8], before: Option<&[u8]>, width: usize, same: u8) -> Frame<'static> {
    let differs = |i: &usize| before.is_none_or(|before| before[*i] != now[*i]);
    let changes: Vec<usize> = (0..now.len()).filter(differs).collect();
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        // Nothing moved: one transparent pixel holds the place in time.
        return rectangle(0, 0, 1, vec![same], same);
    };
    let (top, bottom) = (first / width, last / width);
    let left = changes.iter().map(|i| i % width).min().unwrap_or(0);
    let right = changes.iter().map(|i| i % width).max().unwrap_or(0);
    let pixel = |i: usize| if differs(&i) { now[i] } else { same };
    let buffer = (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x)).map(pixel).collect();
    rectangle(left, top, right - left + 1, buffer, same)
}

fn rectangle(left: usize, top: usize, width: usize, buffer: Vec<u8>, transparent: u8) -> Frame<'static> {
    Frame {
        left: left as u16,
        top: top as u16,
        width: width as u16,
        height: (buffer.len() / width) as u16,
        transparent: Some(transparent),
        dispose: DisposalMethod::Keep,
        buffer: buffer.into(),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(at: usize) -> Image {
        let mut rgb = vec![200u8; 3 * 16 * 9];
        rgb[3 * at..3 * at + 3].copy_from_slice(&[250, 0, 0]);
        Image { width: 16, height: 9, rgb }
    }

    #[test]
    fn frames_are_the_nearest_in_time() {
        let time: Vec<f64> = (0..=60).map(|i| f64::from(i) / 60.0).collect();
        let frames = frames_at(&time, 30.0);
        assert_eq!(frames, (0..=30).map(|i| 2 * i).collect::<Vec<_>>());
        assert_eq!(frames_at(&[0.0, 1.0], 4.0), [0, 0, 1, 1, 1]);
        assert_eq!(frames_at(&[], 30.0), [0]);
        assert_eq!(frames_at(&[2.0], f64::NAN), [0]);
    }

    #[test]
    fn delays_add_up_to_real_time() {
        let total: u32 = (0..300).map(|i| u32::from(delay(i, 30.0))).sum();
        assert_eq!(total, 1000);
    }

    #[test]
    fn decoding_shows_the_pictures_again() {
        let images = [spot(20), spot(20), spot(77)];
        let mut bytes = Vec::new();
        encode(&images, 25.0, &mut bytes).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        let palette = decoder.global_palette().unwrap().to_vec();
        let mut screen = vec![0u8; 3 * 16 * 9];
        for image in &images {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            assert_eq!(frame.delay, 4);
            for (i, &index) in frame.buffer.iter().enumerate().filter(|(_, index)| Some(**index) != frame.transparent) {
                let (x, y) = (i % frame.width as usize, i / frame.width as usize);
                let at = 3 * ((y + frame.top as usize) * 16 + x + frame.left as usize);
                screen[at..at + 3].copy_from_slice(&palette[3 * index as usize..][..3]);
            }
            assert_eq!(screen, image.rgb);
        }
        assert!(decoder.read_next_frame().unwrap().is_none());
    }

    #[test]
    fn no_picture_is_an_error() {
        assert!(encode(&[], 25.0, Vec::new()).is_err());
    }
}
