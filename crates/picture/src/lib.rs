//! Recordings as pictures: `.png` of a moment, `.gif` of the motion.
#![forbid(unsafe_code)]

mod gif;
mod look;
mod palette;
mod png;
pub mod raster;
mod sheet;
pub mod visual;

use std::path::Path;

use drystone::Recording;
use drystone::atomic::{WriteError, atomic_write};

use crate::raster::{Image, Options, Renderer};

pub use gif::frames_at;
pub use look::Look;
pub use sheet::Sheet;

/// A picture as the bytes of a `.png`.
pub fn png_bytes(image: &Image) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    png::encode(image, &mut bytes)?;
    Ok(bytes)
}

/// Told how many of how many pictures are done.
pub type Watch<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Writes a picture of a frame (of the last one if `frame` is `None`) as `.png`. The camera looks at what is there in that
/// frame, wherever it has been before.
pub fn write_png(path: &Path, recording: &Recording, frame: Option<usize>, options: Options) -> Result<(), WriteError> {
    let frame = frame.unwrap_or(recording.frame_count().saturating_sub(1));
    let moment = moment(recording, frame);
    let image = Renderer::new(&moment, options).render(0);
    atomic_write(path, |sink| png::encode(&image, sink))
}

/// One frame of a recording, as a recording of its own.
fn moment(recording: &Recording, frame: usize) -> Recording {
    let mut moment = Recording { model: recording.model.clone(), ..Recording::default() };
    if let Some(&time) = recording.time.get(frame) {
        moment.time = vec![time];
        moment.body_q = recording.poses(frame).to_vec();
        moment.particle_q = recording.particles(frame).to_vec();
        let mut intact = recording.joint_intact.chunks(recording.model.joint_count().max(1));
        moment.joint_intact = intact.nth(frame).unwrap_or_default().to_vec();
    }
    moment
}

/// Writes the motion in real time as a looped `.gif` with `fps` pictures per second.
pub fn write_gif(
    path: &Path,
    recording: &Recording,
    fps: f64,
    options: Options,
    watch: Watch<'_>,
) -> Result<(), WriteError> {
    let images = Renderer::new(recording, options).film(&frames_at(&recording.time, fps), watch);
    atomic_write(path, |sink| gif::encode(&images, fps, sink))
}
