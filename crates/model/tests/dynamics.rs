//! Energy, momentum and fingerprints.

use drystone_model::{BodyDef, DMat3, DQuat, DVec3, MassProperties, ModelBuilder, ShapeDef};

/// A rigid body made of two point-like balls, against the sum over the balls themselves.
#[test]
fn a_rigid_pair_has_the_energy_and_momentum_of_its_parts() {
    let (arm, spin, drift) = (DVec3::new(0.3, 0.4, 1.2), DVec3::new(1.0, -2.0, 0.5), DVec3::new(3.0, 1.0, -1.0));
    let turn = DQuat::from_scaled_axis(DVec3::new(0.2, 0.5, -0.9));
    let at = DVec3::new(5.0, -2.0, 1.0);
    let mut scene = ModelBuilder::new();
    let ball = ShapeDef::sphere(1e-6).density(1e18);
    let pair = BodyDef::dynamic("pair").shape(ball.clone().at(arm)).shape(ball.at(-arm));
    scene.add_body(pair.at(at).rotated(turn).velocity(drift).spin(spin));
    let model = scene.finalize().unwrap();
    let state = model.state();

    let mass = 0.5 * model.body_mass[0];
    let (mut kinetic, mut potential, mut linear, mut angular) = (0.0, 0.0, DVec3::ZERO, DVec3::ZERO);
    for offset in [turn * arm, turn * -arm] {
        let velocity = drift + spin.cross(offset);
        kinetic += 0.5 * mass * velocity.length_squared();
        potential += mass * 9.81 * (at + offset).z;
        linear += velocity * mass;
        angular += (at + offset).cross(velocity * mass);
    }
    let (energy, momentum) = (model.energy(&state), model.momentum(&state));
    assert!((energy.kinetic / kinetic - 1.0).abs() < 1e-10);
    assert!((energy.potential / potential - 1.0).abs() < 1e-12);
    assert_eq!(energy.total(), energy.kinetic + energy.potential);
    assert!((momentum.linear - linear).length() < 1e-12 * linear.length());
    assert!((momentum.angular - angular).length() < 1e-10 * angular.length());
}

#[test]
fn inertia_turns_with_the_body() {
    let mut scene = ModelBuilder::new();
    let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.5));
    let mass = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia };
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    scene.add_body(BodyDef::dynamic("plate").mass_properties(mass).rotated(quarter));
    let model = scene.finalize().unwrap();
    let world = model.body_inertia_world(&model.state(), 0);
    let expected = DMat3::from_diagonal(DVec3::new(2.0, 1.0, 2.5));
    assert!(world.abs_diff_eq(expected, 1e-14));
}

#[test]
fn only_moving_bodies_have_energy() {
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::kinematic("belt").sphere(1.0).mass(3.0).velocity(DVec3::X));
    scene.add_body(BodyDef::dynamic("lost").sphere(1.0).velocity(DVec3::X));
    let model = scene.finalize().unwrap();
    let mut state = model.state();
    state.body_quarantined[1] = true;
    state.body_q[1].translation = DVec3::NAN;
    assert_eq!(model.energy(&state).total(), 0.0);
    assert_eq!(model.momentum(&state).linear, DVec3::ZERO);
}

#[test]
fn fingerprints_see_every_bit_and_survive_a_round_trip() {
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::dynamic("ball").at(DVec3::Z).sphere(1.0));
    let model = scene.finalize().unwrap();
    let state = model.state();
    let text = serde_json::to_string(&state).unwrap();
    let back: drystone_model::State = serde_json::from_str(&text).unwrap();
    assert_eq!(back.hash(), state.hash());

    let mut other = state.clone();
    other.body_q[0].translation.z = f64::from_bits(1f64.to_bits() + 1);
    assert_ne!(other.hash(), state.hash());
    let mut other = state.clone();
    other.body_quarantined[0] = true;
    assert_ne!(other.hash(), state.hash());
    let mut other = model.clone();
    other.shape_material[1].friction_rolling = 1e-300;
    assert_ne!(other.hash(), model.hash());
    // The empty input gives FNV's offset basis; a known vector keeps the function what it is.
    assert_eq!(drystone_model::hash::hash(&()), 0xcbf2_9ce4_8422_2325);
    assert_eq!(drystone_model::hash::hash(&b'a'), 0xaf63_dc4c_8601_ec8c);
}
