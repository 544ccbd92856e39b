//! What holds particles stays with them through copies and removals, and what cannot be is refused by name.

use drystone_model::{BodyDef, BodyId, DVec3, ModelBuilder, ParticleDef, ParticleId, Pose, WORLD};

fn scene() -> (ModelBuilder, [BodyId; 2], [ParticleId; 3]) {
    let mut scene = ModelBuilder::new();
    let bodies = [0.0, 2.0].map(|x| scene.add_body(BodyDef::dynamic(format!("{x}")).at(DVec3::X * x).sphere(0.1)));
    let particles = [0.0, 1.0, 2.0].map(|x| scene.add_particle(ParticleDef::new(DVec3::new(x, 0.0, 1.0), 0.1)));
    scene.attach(particles[0], bodies[0]);
    scene.attach(particles[2], bodies[1]);
    scene.attach_at(particles[1], BodyId::WORLD, DVec3::Y, 3.0);
    scene.sew(particles[1], particles[2]);
    (scene, bodies, particles)
}

#[test]
fn copies_are_held_by_copies() {
    let (original, ..) = scene();
    let mut scene = original.clone();
    scene.append(&original, Pose::from_translation(DVec3::Z), "copy ");
    let model = scene.finalize().unwrap();
    assert_eq!(model.attachment_particle[4..], [3, 5, 4, 4]);
    assert_eq!(model.attachment_other[4..], [WORLD, WORLD, WORLD, 5]);
    assert_eq!(model.attachment_body[4..], [2, 3, WORLD, WORLD]);
    // Points of bodies go with them, points of the world are moved; a seam has none.
    assert_eq!(model.attachment_point[4..], [DVec3::Z, DVec3::Z, DVec3::new(0.0, 1.0, 1.0), DVec3::ZERO]);
}

#[test]
fn what_is_removed_takes_its_attachments_along() {
    let (mut removed, ..) = scene();
    removed.retain(&[false, true], &[false, true], &[]);
    let model = removed.finalize().unwrap();
    assert_eq!(model.attachment_particle, [2, 1, 1]);
    assert_eq!(model.attachment_body, [0, WORLD, WORLD]);
    let (mut removed, ..) = scene();
    removed.retain_particles(&[true, false, true]);
    let model = removed.finalize().unwrap();
    assert_eq!(model.attachment_particle, [0, 1]);
    assert_eq!(model.attachment_body, [0, 1]);
}

#[test]
fn what_holds_nothing_is_refused() {
    let refused = |change: fn(&mut ModelBuilder)| {
        let (mut scene, ..) = scene();
        change(&mut scene);
        scene.finalize().unwrap_err().to_string()
    };
    for (problem, change) in [
        ("particle 9 does not exist", (|scene| scene.attach(ParticleId(9), BodyId(0))) as fn(&mut ModelBuilder)),
        ("body 7 does not exist", |scene| scene.attach(ParticleId(0), BodyId(7))),
        ("occurs twice", |scene| scene.sew(ParticleId(1), ParticleId(1))),
        ("stiffness", |scene| scene.attach_at(ParticleId(1), BodyId(0), DVec3::ZERO, 0.0)),
        ("stiffness", |scene| scene.attach_at(ParticleId(1), BodyId(0), DVec3::ZERO, f64::NAN)),
        ("point", |scene| scene.attach_at(ParticleId(1), BodyId(0), DVec3::NAN, 1.0)),
        ("it is pinned", |scene| {
            let pinned = scene.add_particle(ParticleDef::new(DVec3::ZERO, 0.0));
            scene.attach(pinned, BodyId::WORLD);
        }),
        ("different worlds", |scene| {
            scene.begin_world(DVec3::ZERO);
            let far = scene.add_particle(ParticleDef::new(DVec3::ZERO, 1.0));
            scene.attach(far, BodyId(0));
        }),
    ] {
        let error = refused(change);
        assert!(error.contains(problem) && error.contains("attachment"), "{problem}: {error}");
    }
}
