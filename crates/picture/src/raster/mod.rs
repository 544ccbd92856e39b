//! Pictures of recordings by a small software rasteriser: no GPU, no window, the same pixels for any
//! number of threads.
//!
//! A frame is drawn into a buffer of samples, several per pixel; light comes from a sun
//! with a shadow map and from the surroundings, dimmed in corners.

mod bodies;
mod buffer;
mod camera;
mod cutaway;
mod fill;
mod occlusion;
mod shade;
mod shadow;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose};
use rayon::prelude::*;

pub use camera::{Camera, View};

use crate::Watch;
use crate::visual::{Anchor, Color, Extent, Skin, Visual, anchors, framed_balls, linear, moving_balls, skins};
use buffer::{Buffer, Lens};
use occlusion::Occlusion;
use shade::{Shader, encode};
use shadow::ShadowMap;

/// How far the ground reaches in units of the size of the scene: beyond the haze.
pub(crate) const GROUND_FACTOR: f64 = 12.0;

/// Motion that shows in a picture, in pixels.
const VISIBLE: f64 = 0.1;

/// How to take pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Width of the picture \[pixels\].
    pub width: usize,
    /// Height of the picture \[pixels\].
    pub height: usize,
    /// Samples per pixel along each side; more makes edges smoother.
    pub supersample: usize,
    /// Where to look from.
    pub view: View,
}

impl Default for Options {
    fn default() -> Self {
        Self { width: 960, height: 540, supersample: 2, view: View::default() }
    }
}

/// A picture: three sRGB bytes per pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width \[pixels\].
    pub width: usize,
    /// Height \[pixels\].
    pub height: usize,
    /// Red, green, blue of every pixel.
    pub rgb: Vec<u8>,
}

impl Image {
    /// Red, green and blue of a pixel.
    pub fn pixel(&self, column: usize, row: usize) -> [u8; 3] {
        let at = 3 * (row * self.width + column);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }
}

/// Takes pictures of the frames of a recording, all from the same place.
pub struct Renderer<'a> {
    recording: &'a Recording,
    options: Options,
    visual: Visual,
    /// Cloth, soft bodies and strings.
    skins: Vec<Skin>,
    /// Linear colour of every part, and of every skin after them.
    albedo: Vec<Color>,
    extent: Extent,
    camera: Camera,
    up: DVec3,
    sun: DVec3,
    /// Reach of ambient occlusion \[m\].
    corner_size: f32,
}

impl<'a> Renderer<'a> {
    /// Places the camera so that everything that moves stays in the picture.
    pub fn new(recording: &'a Recording, options: Options) -> Self {
        let options = Options {
            width: options.width.max(1),
            height: options.height.max(1),
            supersample: options.supersample.clamp(1, 8),
            ..options
        };
        let gravity = recording.model.world_gravity.first().copied().unwrap_or(DVec3::NEG_Z);
        let up = (-gravity).normalize_or(DVec3::Z);
        let balls = moving_balls(recording);
        let extent = Extent::of(recording);
        let mut visual = Visual::new(recording, GROUND_FACTOR);
        if !visual.parts.iter().any(|part| part.ground) {
            add_floor(&mut visual, &balls, &extent, up);
        }
        let framing = |framed: &[(DVec3, f64)]| {
            let camera = Camera::framing(framed, up, options.width as f64 / options.height as f64, &options.view);
            let shown = cutaway::shown_shapes(recording, &balls, &camera);
            (camera, shown)
        };
        // First look at what moves alone, to learn which shapes hide it. Those are cut away, so the camera need not
        // step back to show them.
        let (_, in_sight) = framing(&balls);
        let anchors = anchors(recording);
        let mut framed = framed_balls(recording, &balls, &in_sight);
        framed.extend(anchors.iter().map(Anchor::ball));
        let (camera, shown) = framing(&framed);
        // Sensors are no parts of the look.
        let solid = (0..in_sight.len()).filter(|&shape| recording.model.is_solid(shape));
        let mut shown = solid.map(|shape| in_sight[shape] && shown[shape]).chain(std::iter::repeat(true));
        visual.parts.retain(|_| shown.next().unwrap_or(true));
        visual.add_anchors(&anchors);
        let level = (camera.right * -0.62 - camera.forward * 0.55).reject_from_normalized(up);
        let sun = (level + up * 1.15).normalize();
        let corner_size = corner_size(&balls, &extent);
        let skins = skins(&recording.model);
        let colors = visual.parts.iter().map(|part| part.color).chain(skins.iter().map(|skin| skin.color));
        let albedo = colors.map(linear).collect();
        Self { recording, options, visual, skins, albedo, extent, camera, up, sun, corner_size }
    }

    /// The camera found.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Pictures of some frames, side by side on all threads. A frame in which nothing has moved visibly since the picture
    /// before is not drawn again.
    pub fn film(&self, frames: &[usize], watch: Watch<'_>) -> Vec<Image> {
        let drawn_as = self.drawn_as(frames);
        let mut different = drawn_as.clone();
        different.dedup();
        let done = AtomicUsize::new(0);
        let draw = |&frame: &usize| {
            let image = self.render(frame);
            watch(done.fetch_add(1, Ordering::Relaxed) + 1, different.len());
            image
        };
        let images: Vec<Image> = different.par_iter().map(draw).collect();
        let picture = |frame: &usize| images[different.partition_point(|known| known < frame)].clone();
        drawn_as.iter().map(picture).collect()
    }

    /// For each of some rising frames the one it looks like: itself, or an earlier one.
    fn drawn_as(&self, frames: &[usize]) -> Vec<usize> {
        let mut same = Vec::with_capacity(frames.len());
        for &frame in frames {
            let before = same.last().copied().filter(|&before| self.looks_like(before, frame));
            same.push(before.unwrap_or(frame));
        }
        same
    }

    /// Whether nothing has moved by more than a small part of a pixel.
    fn looks_like(&self, one: usize, other: usize) -> bool {
        let count = self.recording.frame_count();
        if one == other || count == 0 {
            return true;
        }
        let pixel = 2.0 * self.camera.tangent[1] / self.options.height as f64;
        let still = |(a, b): (&Pose, &Pose)| {
            let away = (a.translation - self.camera.position).length();
            let turned = 2.0 * (1.0 - a.rotation.dot(b.rotation).abs()).max(0.0).sqrt() * self.extent.radius;
            (a.translation - b.translation).length() + turned < VISIBLE * pixel * away
        };
        let [one, other] = [one, other].map(|frame| self.recording.poses(frame.min(count - 1)));
        self.recording.particle_q.is_empty() && one.iter().zip(other).all(still)
    }

    /// A picture of a frame; of the initial poses if the recording has none.
    pub fn render(&self, frame: usize) -> Image {
        let poses: &[Pose] = match self.recording.frame_count() {
            0 => &self.recording.model.body_q,
            count => self.recording.poses(frame.min(count - 1)),
        };
        let factor = self.options.supersample;
        let (width, height) = (self.options.width * factor, self.options.height * factor);
        let visual = self.with_skins(frame);
        let buffer = Buffer::draw(&visual, poses, &self.camera, width, height);
        let shadow = ShadowMap::draw(&visual, poses, &self.extent, self.sun);
        let lens = Lens::new(&self.camera, width, height);
        let middle = self.camera.see(self.extent.centre).as_vec3().to_array();
        let open = Occlusion::new(&buffer, &lens, self.corner_size, (middle, self.extent.radius as f32));
        let shader = Shader {
            camera: &self.camera,
            lens,
            extent: self.extent,
            up: self.up,
            sun: self.sun,
            parts: &visual.parts,
            albedo: &self.albedo,
            shadow: &shadow,
        };
        self.develop(&buffer, &shader, &open)
    }

    /// Everything there is to draw in a frame.
    fn with_skins(&self, frame: usize) -> Cow<'_, Visual> {
        if self.skins.is_empty() {
            return Cow::Borrowed(&self.visual);
        }
        let places = match self.recording.frame_count() {
            0 => &self.recording.model.particle_q,
            count => self.recording.particles(frame.min(count - 1)),
        };
        let mut visual = self.visual.clone();
        visual.add_skins(&self.skins, places);
        Cow::Owned(visual)
    }

    /// Lights every pixel: once where all its samples show one smooth piece, sample by sample where an edge runs through.
    fn develop(&self, buffer: &Buffer, shader: &Shader, occlusion: &Occlusion) -> Image {
        let (width, height, factor) = (self.options.width, self.options.height, self.options.supersample);
        let share = 1.0 / (factor * factor) as f32;
        let mut rgb = vec![0u8; 3 * width * height];
        rgb.par_chunks_mut(3 * width).enumerate().for_each(|(row, line)| {
            for (column, pixel) in line.chunks_mut(3).enumerate() {
                let (left, top) = (column * factor, row * factor);
                let mut sum = [0.0f32; 3];
                if let Some(sample) = buffer.merged(left, top, factor) {
                    let half = 0.5 * factor as f64;
                    let ray = shader.lens.ray_at(left as f64 + half, top as f64 + half);
                    sum = shader.color(&sample, ray, factor as f64, occlusion.open(left, top));
                } else {
                    for (j, i) in (top..top + factor).flat_map(|j| (left..left + factor).map(move |i| (j, i))) {
                        let sample = &buffer.samples[j * buffer.width + i];
                        let color = shader.color(sample, shader.lens.ray(i, j), 1.0, occlusion.open(i, j));
                        (0..3).for_each(|k| sum[k] += color[k] * share);
                    }
                }
                (0..3).for_each(|k| pixel[k] = encode(sum[k]));
            }
        });
        Image { width, height, rgb }
    }
}

/// Size of the corners that darken: of a typical body, but visible in the whole.
fn corner_size(balls: &[(DVec3, f64)], extent: &Extent) -> f32 {
    let mut radii: Vec<f64> = balls.iter().map(|(_, radius)| *radius).collect();
    radii.sort_by(f64::total_cmp);
    let typical = radii.get(radii.len() / 2).copied().unwrap_or(extent.radius);
    (1.2 * typical).clamp(0.03 * extent.radius, 0.25 * extent.radius) as f32
}

/// Scenes without any ground hang above a floor that nothing reaches: it only catches the shadow.
pub(crate) fn add_floor(visual: &mut Visual, balls: &[(DVec3, f64)], extent: &Extent, up: DVec3) {
    let lowest = balls.iter().map(|(c, r)| up.dot(*c - extent.centre) - r).fold(0.0, f64::min);
    let position = extent.centre + up * (lowest - 0.25 * extent.radius);
    let pose = Pose::from_parts(position, DQuat::from_rotation_arc(DVec3::Z, up));
    visual.add_ground(pose, GROUND_FACTOR * extent.radius);
}
