//! Light on what the buffer shows: sun with shadow, sky and ground glow, checker, haze.

use drystone::geometry::DVec3;

use super::buffer::{Lens, NOTHING, Sample};
use super::camera::Camera;
use super::shadow::ShadowMap;
use crate::visual::{Color, Extent, Part};

/// Light of the sun on a surface facing it, linear.
const SUN: Color = [1.02, 0.95, 0.84];
/// Glow of the sky from above and of the ground from below, linear.
const SKY: Color = [0.42, 0.46, 0.52];
const GLOW: Color = [0.22, 0.20, 0.18];
/// Backdrop at the horizon and overhead, linear.
const HORIZON: Color = [0.88, 0.88, 0.87];
const ZENITH: Color = [0.45, 0.59, 0.75];
/// How much darker every other square of the ground is.
const CHECKER: f32 = 0.18;
/// Where the ground begins and ends to dissolve, in units of the size of the scene.
const HAZE: [f64; 2] = [2.0, 11.0];

/// Everything that decides the colour of a sample.
pub(super) struct Shader<'a> {
    pub(super) camera: &'a Camera,
    pub(super) lens: Lens,
    pub(super) extent: Extent,
    pub(super) up: DVec3,
    pub(super) sun: DVec3,
    pub(super) parts: &'a [Part],
    /// Linear colour of every part.
    pub(super) albedo: &'a [Color],
    pub(super) shadow: &'a ShadowMap,
}

impl Shader<'_> {
    /// Linear light of a sample seen along a ray, so many samples wide, that sees the share `open` of the sky.
    pub(super) fn color(&self, sample: &Sample, ray: [f32; 3], width: f64, open: f32) -> Color {
        let ray = DVec3::from_array(ray.map(f64::from));
        if sample.part == NOTHING {
            return self.backdrop(self.camera.turn_back(ray.normalize()));
        }
        let part = &self.parts[sample.part as usize];
        let seen = ray / f64::from(sample.near);
        let point = self.camera.position + self.camera.turn_back(seen);
        let normal = self.camera.turn_back(DVec3::from_array(sample.normal.map(f64::from)));
        let mut albedo = self.albedo[sample.part as usize];
        if part.ground && normal.dot(self.up) > 0.9 {
            let square = self.checker(point, sample, width * seen.length());
            albedo = albedo.map(|c| c * (1.0 - CHECKER * square));
        }
        let lit = self.light(albedo, point, normal, -self.camera.turn_back(ray.normalize()), open);
        if part.ground { self.haze(lit, point) } else { lit }
    }

    fn light(&self, albedo: Color, point: DVec3, normal: DVec3, eye: DVec3, open: f32) -> Color {
        let facing = normal.dot(self.sun).max(0.0) as f32;
        let sun = if facing > 0.0 { facing * self.shadow.light(point, normal) } else { 0.0 };
        let above = (0.5 + 0.5 * normal.dot(self.up)) as f32;
        // A faint sheen, and a faint rim of sky where the surface turns away: both tell shape.
        let half = (self.sun + eye).normalize_or_zero();
        let sheen = 0.10 * (normal.dot(half).max(0.0) as f32).powi(24) * sun.sqrt();
        let rim = 0.10 * (1.0 - normal.dot(eye).clamp(0.0, 1.0) as f32).powi(4) * open;
        std::array::from_fn(|k| {
            let ambient = (GLOW[k] + (SKY[k] - GLOW[k]) * above) * open;
            albedo[k] * (ambient + SUN[k] * sun) + sheen * SUN[k] + rim * SKY[k]
        })
    }

    /// 1 on the dark squares of the ground and 0 on the light ones, averaged over the sample.
    fn checker(&self, point: DVec3, sample: &Sample, distance: f64) -> f32 {
        let side = square_side(self.extent.radius);
        let (x, y) = (self.up.any_orthonormal_vector(), self.up.cross(self.up.any_orthonormal_vector()));
        // Width of the sample on the ground: grows with distance and with the slant. `distance` has its width in samples.
        let slant = f64::from(-sample.normal[2]).clamp(0.02, 1.0);
        let blur = (distance / (self.lens.scale() * slant) / side).max(1e-9);
        let wave = |axis: DVec3| averaged_square_wave(axis.dot(point) / side, blur);
        (0.5 - 0.5 * wave(x) * wave(y)) as f32
    }

    /// The ground dissolves into the horizon far from the scene.
    fn haze(&self, color: Color, point: DVec3) -> Color {
        let away = (point - self.extent.centre).length() / self.extent.radius;
        let t = ((away - HAZE[0]) / (HAZE[1] - HAZE[0])).clamp(0.0, 1.0) as f32;
        mix(color, HORIZON, t.sqrt() * t * (2.0 - t))
    }

    fn backdrop(&self, direction: DVec3) -> Color {
        let height = direction.dot(self.up).clamp(0.0, 1.0) as f32;
        mix(HORIZON, ZENITH, (1.6 * height).min(1.0))
    }
}

/// Side of a ground square: a length people think in (1, 2 or 5 times a power of ten), a fraction of
/// the scene.
fn square_side(radius: f64) -> f64 {
    let target = 0.4 * radius;
    let power = 10f64.powf(target.log10().floor());
    power * [5.0, 2.0, 1.0].into_iter().find(|m| m * power <= target).unwrap_or(1.0)
}

/// Mean of a wave that is +1 and −1 in turn (period 2) over an interval of a width around `x`.
fn averaged_square_wave(x: f64, width: f64) -> f64 {
    let integral = |x: f64| {
        let t = x.rem_euclid(2.0);
        1.0 - (t - 1.0).abs()
    };
    ((integral(x + 0.5 * width) - integral(x - 0.5 * width)) / width).clamp(-1.0, 1.0)
}

fn mix(a: Color, b: Color, t: f32) -> Color {
    std::array::from_fn(|k| a[k] + (b[k] - a[k]) * t)
}

/// From linear light to an sRGB byte. Bright light bends over softly instead of clipping.
pub(super) fn encode(light: f32) -> u8 {
    const KNEE: f32 = 0.75;
    let light = light.max(0.0);
    let bent = if light > KNEE {
        let over = (light - KNEE) / (1.0 - KNEE);
        KNEE + (1.0 - KNEE) * over / (1.0 + over)
    } else {
        light
    };
    let srgb = if bent <= 0.003_130_8 { 12.92 * bent } else { 1.055 * bent.powf(1.0 / 2.4) - 0.055 };
    (srgb * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_squares_are_round_numbers_near_a_fraction_of_the_scene() {
        for (radius, side) in [(1.0, 0.2), (3.0, 1.0), (0.01, 0.002), (700.0, 200.0), (1300.0, 500.0)] {
            assert!((square_side(radius) / side - 1.0).abs() < 1e-9, "{radius}: {}", square_side(radius));
        }
    }

    #[test]
    fn the_averaged_wave_is_the_wave_when_narrow_and_grey_when_wide() {
        assert!((averaged_square_wave(0.5, 1e-6) - 1.0).abs() < 1e-6);
        assert!((averaged_square_wave(1.5, 1e-6) + 1.0).abs() < 1e-6);
        assert!(averaged_square_wave(0.3, 40.0).abs() < 0.05);
        // Brute force in between.
        let (x, width, n) = (0.9, 0.7, 100_000);
        let mean: f64 = (0..n)
            .map(|i| x - 0.5 * width + width * (i as f64 + 0.5) / n as f64)
            .map(|x| if x.rem_euclid(2.0) < 1.0 { 1.0 } else { -1.0 })
            .sum::<f64>()
            / n as f64;
        assert!((averaged_square_wave(x, width) - mean).abs() < 1e-4);
    }

    #[test]
    fn encoding_rises_and_never_clips_hard() {
        let bytes: Vec<u8> = (0..300).map(|i| encode(i as f32 * 0.01)).collect();
        assert!(bytes.is_sorted());
        assert!(bytes[0] == 0 && bytes[299] < 255 && bytes[299] > 245);
    }
}
