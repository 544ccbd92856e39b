//! Which body each pixel shows.

use drystone::geometry::Pose;

use super::Renderer;
use super::buffer::{Buffer, NOTHING};

impl Renderer<'_> {
    /// For every pixel, row by row from the top, the index of the body at its middle plus one; zero for what belongs to no body.
    pub fn bodies(&self, frame: usize) -> Vec<u32> {
        let poses: &[Pose] = match self.recording.frame_count() {
            0 => &self.recording.model.body_q,
            count => self.recording.poses(frame.min(count - 1)),
        };
        let buffer = Buffer::draw(&self.visual, poses, &self.camera, self.options.width, self.options.height);
        let body = |part: u32| {
            let part = (part != NOTHING).then(|| &self.visual.parts[part as usize]);
            part.filter(|part| (part.body as usize) < poses.len()).map_or(0, |part| part.body + 1)
        };
        buffer.samples.iter().map(|sample| body(sample.part)).collect()
    }
}
