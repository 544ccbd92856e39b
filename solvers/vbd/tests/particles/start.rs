//! Layers that start within each other, and descent as published.

use drystone_collide::ClothSurface;
use drystone_geometry::DQuat;
use drystone_model::{DVec3, ModelBuilder, ParticleId, Pose};
use drystone_vbd::{ParticleMethod, ParticleOptions, Vbd, VbdOptions};

use super::stage::sheet;
use crate::bench::Bench;

/// Two sheets, one of which cuts slightly through the other; the particles of the upper one.
fn crossed() -> (ModelBuilder, Vec<ParticleId>) {
    let mut builder = ModelBuilder::new();
    let lower = Pose::from_translation(DVec3::new(-0.25, -0.25, 0.0));
    builder.add_cloth_grid(&sheet(lower, 5, 0.5, 1e3, 0.005));
    let upper = Pose::from_parts(DVec3::new(-0.21, -0.17, 0.04), DQuat::from_rotation_y(0.12));
    let upper = builder.add_cloth_grid(&sheet(upper, 5, 0.4, 1e3, 0.005));
    (builder, upper)
}

fn with(particles: ParticleOptions) -> VbdOptions {
    VbdOptions { particles, ..VbdOptions::default() }
}

#[test]
fn layers_that_cross_at_the_start_are_named() {
    let (mut builder, upper) = crossed();
    let model = builder.finalize().unwrap();
    let pair = ClothSurface::new(&model).crossings(&model.particle_q)[0];
    let refused = Vbd::new(&model, VbdOptions::default()).err().unwrap().to_string();
    for corners in pair {
        let number = model.triangle_particle.iter().position(|own| *own == corners).unwrap();
        assert!(refused.contains(&format!("triangle {number} of particles {corners:?}")), "{refused}");
    }
    assert!(Vbd::new(&model, with(ParticleOptions { self_contact: false, ..ParticleOptions::default() })).is_ok());
    // What may not meet may cross.
    builder.particle_groups(&upper, 2, 2);
    assert!(Vbd::new(&builder.finalize().unwrap(), VbdOptions::default()).is_ok());
}

/// A sheet that swings down for so many steps, with so many sweeps in each.
fn hung(method: ParticleMethod, chebyshev: f64, sweeps: u32, stiffness: f64, steps: u32) -> (Bench, f64) {
    let mut builder = ModelBuilder::new();
    let ids = builder.add_cloth_grid(&sheet(Pose::IDENTITY, 10, 1.0, stiffness, 0.0));
    ids[..=10].iter().for_each(|&id| builder.pin(id));
    let particles = ParticleOptions { method, chebyshev, sweeps, ..ParticleOptions::default() };
    let mut stage = Bench::with(&builder, 1.0 / 60.0, with(particles));
    let stretch = (0..steps).map(|_| stage.step().max_strain.unwrap()).last().unwrap();
    (stage, stretch)
}

/// Descent as published comes to the same as the default where the cloth is soft or the sweeps are many; where it is stiff it leaves the cloth
/// stretched.
#[test]
fn plain_descent_needs_many_sweeps_for_stiff_cloth() {
    let (ours, plain) = (ParticleMethod::Multigrid, ParticleMethod::Vbd);
    let soft = [hung(ours, 0.0, 10, 50.0, 40).1, hung(plain, 0.0, 100, 50.0, 40).1];
    assert!((soft[0] / soft[1] - 1.0).abs() < 0.05, "{soft:?}");
    let stiff = [hung(ours, 0.0, 10, 1e5, 60).1, hung(plain, 0.0, 10, 1e5, 60).1];
    assert!(stiff[0] < 0.001 && stiff[1] > 0.01, "{stiff:?}");
}

/// Chebyshev's method brings the iterates nearer to where they go.
#[test]
fn acceleration_brings_plain_descent_further() {
    let after = |chebyshev, sweeps| hung(ParticleMethod::Vbd, chebyshev, sweeps, 2e3, 10).0.state.particle_q;
    let far = after(0.0, 800);
    let off = |near: &[DVec3]| near.iter().zip(&far).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let [slow, fast] = [off(&after(0.0, 40)), off(&after(0.9, 40))];
    assert!(fast < 0.75 * slow, "{slow} {fast}");
}

#[test]
fn an_estimate_that_is_no_share_is_refused() {
    let mut builder = ModelBuilder::new();
    builder.add_cloth_grid(&sheet(Pose::IDENTITY, 2, 1.0, 1e3, 0.0));
    let model = builder.finalize().unwrap();
    for chebyshev in [-0.1, 1.0, f64::NAN] {
        let options = with(ParticleOptions { chebyshev, ..ParticleOptions::default() });
        assert!(Vbd::new(&model, options).err().unwrap().to_string().contains("particles.chebyshev"));
    }
}
