//! Recordings as pictures: `.png` of a moment, `.gif` of the motion.

mod gif;
mod palette;
mod png;
mod sheet;

use std::path::Path;

use drystone::Recording;

use crate::atomic::{WriteError, atomic_write};
use crate::raster::{Image, Options, Renderer};

pub use gif::frames_at;
pub use sheet::Sheet;

/// A picture as the bytes of a `.png`.
pub fn png_bytes(image: &Image) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    png::encode(image, &mut bytes)?;
    Ok(bytes)
}

/// Writes a picture of a frame (of the last one if `frame` is `None`) as `.png`.
pub fn write_png(path: &Path, recording: &Recording, frame: Option<usize>, options: Options) -> Result<(), WriteError> {
    let frame = frame.unwrap_or(recording.frame_count().saturating_sub(1));
    let image = Renderer::new(recording, options).render(frame);
    atomic_write(path, |sink| png::encode(&image, sink))
}

/// Writes the motion in real time as a looped `.gif` with `fps` pictures per second.
pub fn write_gif(path: &Path, recording: &Recording, fps: f64, options: Options) -> Result<(), WriteError> {
    let renderer = Renderer::new(recording, options);
    let images: Vec<_> = frames_at(&recording.time, fps).into_iter().map(|frame| renderer.render(frame)).collect();
    atomic_write(path, |sink| gif::encode(&images, fps, sink))
}
