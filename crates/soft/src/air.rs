//! What the air pushes sheets with.
//!
//! A triangle of area A whose normal n makes the angle θ with the air that streams past it at u feels
//!
//! ```text
//! A |cos θ| |u|² (d û + l (n − û cos θ)),   n on the side the air goes to
//! ```
//!
//! drag along the stream and lift across it. The force of a step is that of its start, less k for every change of velocity within it,
//! k = 2 A |u| (d + l) being no less than the force grows by: no wind is too strong for a step, and what is steady is exact.

use drystone_model::{DVec3, Model, State};

use crate::mesh::Mesh;

/// A triangle that the air pushes, by the model's indices.
#[derive(Clone, Copy, Debug)]
struct Sail {
    corner: [u32; 3],
    world: u32,
    drag: f64,
    lift: f64,
}

/// Triangles that feel the air, and what they give their particles.
#[derive(Clone, Debug, Default)]
pub struct Air {
    sails: Vec<Sail>,
    /// Force on every particle \[N\], and how much less it is for a change of velocity \[N·s/m\], by the mesh's index.
    pub push: Vec<(DVec3, f64)>,
}

impl Air {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let feels = |t: &usize| model.triangle_air.get(*t).is_some_and(|air| *air != [0.0; 2]);
        let sail = |t: usize| {
            let (corner, [drag, lift]) = (model.triangle_particle[t], model.triangle_air[t]);
            Sail { corner, world: model.particle_world[corner[0] as usize], drag, lift }
        };
        let sails = (0..model.triangle_particle.len()).filter(feels).map(sail).collect();
        Self { sails, push: Vec::new() }
    }

    /// Whether nothing feels the air.
    pub fn is_still(&self) -> bool {
        self.sails.is_empty()
    }

    /// Works out the forces at the start of a step; worlds without a wind have air at rest.
    pub fn blow(&mut self, mesh: &Mesh, state: &State, wind: &[DVec3]) {
        self.push.clear();
        self.push.resize(mesh.model.len(), (DVec3::ZERO, 0.0));
        for sail in &self.sails {
            let [a, b, c] = sail.corner.map(|corner| state.particle_q[corner as usize]);
            let carried = sail.corner.iter().map(|&corner| state.particle_qd[corner as usize]).sum::<DVec3>() / 3.0;
            let stream = wind.get(sail.world as usize).copied().unwrap_or_default() - carried;
            // What was taken out pulls nobody along.
            if !(a + b + c + carried).is_finite() {
                continue;
            }
            let (force, damping) = pushed(0.5 * (b - a).cross(c - a), stream, sail.drag, sail.lift);
            for corner in sail.corner {
                let (sum, damped) = &mut self.push[mesh.here[corner as usize] as usize];
                *sum += force / 3.0;
                *damped += damping / 3.0;
            }
        }
    }
}

/// Force on a triangle with this area vector \[m²\] in a stream of air \[m/s\], and a bound of how it grows with the stream.
fn pushed(area: DVec3, stream: DVec3, drag: f64, lift: f64) -> (DVec3, f64) {
    let (size, speed) = (area.length(), stream.length());
    if !(size > 0.0 && speed > 0.0) {
        return (DVec3::ZERO, 0.0);
    }
    let (normal, along) = (area / size, stream / speed);
    let cosine = normal.dot(along);
    // Both sides are alike.
    let (normal, cosine) = if cosine < 0.0 { (-normal, -cosine) } else { (normal, cosine) };
    let direction = drag * along + lift * (normal - along * cosine);
    (size * cosine * speed * speed * direction, 2.0 * size * speed * (drag + lift))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drag_is_along_the_stream_and_lift_across_it_and_both_scale() {
        let stream = DVec3::X * 3.0;
        for angle in [0.3_f64, 1.0, 1.4, 2.5] {
            let area = 0.5 * DVec3::new(angle.cos(), angle.sin(), 0.0);
            let (drag, _) = pushed(area, stream, 0.6, 0.0);
            assert!(drag.distance(DVec3::X * 0.6 * 0.5 * angle.cos().abs() * 9.0) < 1e-14, "{drag}");
            let (lift, _) = pushed(area, stream, 0.0, 0.4);
            let expected = 0.4 * 0.5 * 9.0 * angle.cos().abs() * angle.sin().abs();
            assert!(lift.dot(stream).abs() < 1e-14 && (lift.length() - expected).abs() < 1e-14, "{lift}");
            // A plate is pushed away from where the air comes from, whichever way its normal points.
            assert_eq!(pushed(-area, stream, 0.6, 0.4), pushed(area, stream, 0.6, 0.4));
            let (twice, _) = pushed(area, 2.0 * stream, 0.6, 0.4);
            assert!(twice.distance(4.0 * pushed(area, stream, 0.6, 0.4).0) < 1e-13);
        }
        assert_eq!(pushed(DVec3::Z, DVec3::ZERO, 1.0, 1.0), (DVec3::ZERO, 0.0));
        assert_eq!(pushed(DVec3::ZERO, stream, 1.0, 1.0), (DVec3::ZERO, 0.0));
    }

    /// The bound is no less than the slope of the force, by finite differences in all directions.
    #[test]
    fn the_force_grows_no_faster_than_the_damping() {
        let area = DVec3::new(0.3, -0.2, 0.6);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        for stream in [DVec3::X, DVec3::new(0.2, 4.0, -1.0), DVec3::new(2.0, 3.0, 1e-3)] {
            let (_, damping) = pushed(area, stream, 0.7, 0.5);
            for axis in axes {
                let step = 1e-6;
                let [more, less] = [step, -step].map(|shift| pushed(area, stream + shift * axis, 0.7, 0.5).0);
                assert!((more - less).length() / (2.0 * step) < damping, "{stream} along {axis}");
            }
        }
    }
}
