//! What holds particles: bodies, pins, each other, and the user.

use drystone_model::{BodyDef, DVec3, ModelBuilder, ParticleDef};

use crate::bench::Bench;

/// A block of tetrahedra held by a box that moves by forces: the box carries it exactly, and both fall and turn together.
#[test]
fn what_a_body_holds_goes_with_it_exactly() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    let body = BodyDef::dynamic("box").at(DVec3::new(0.0, 0.0, 1.0)).cuboid(DVec3::splat(0.1)).spin(DVec3::X);
    let body = scene.add_body(body);
    let ids = scene.add_soft_grid(&super::block(2, 0.2, DVec3::new(-0.1, -0.1, 1.1), 1e5));
    let held: Vec<_> = ids[..9].to_vec();
    for (k, &id) in held.iter().enumerate() {
        let at = DVec3::new(0.1 * (k % 3) as f64 - 0.1, 0.1 * (k / 3) as f64 - 0.1, 0.1);
        scene.attach_at(id, body, at, f64::INFINITY);
    }
    let mut bench = Bench::new(&scene, 0.01);
    let start = bench.model.momentum(&bench.state).linear;
    for _ in 0..40 {
        bench.step();
        let rows = bench.state.body_affine[0];
        for (k, id) in held.iter().enumerate() {
            let at = DVec3::new(0.1 * (k % 3) as f64 - 0.1, 0.1 * (k / 3) as f64 - 0.1, 0.1);
            let point = DVec3::from_array(std::array::from_fn(|r| {
                rows[4 * r] * at.x + rows[4 * r + 1] * at.y + rows[4 * r + 2] * at.z + rows[4 * r + 3]
            }));
            assert!((bench.state.particle_q[id.0 as usize] - point).length() < 1e-12);
        }
    }
    let mass: f64 = bench.model.body_mass[0] + bench.model.particle_mass.iter().sum::<f64>();
    let gained = bench.model.momentum(&bench.state).linear - start;
    assert!((gained - DVec3::NEG_Z * mass * 9.81 * 0.4).length() < 1e-6 * mass, "{gained}");
}

/// Strings sewn together at their ends hang as one string.
#[test]
fn what_is_sewn_together_stays_together() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    let chain = |scene: &mut ModelBuilder, from: f64| -> Vec<_> {
        let at = |k: usize| DVec3::new(from + 0.1 * k as f64, 0.0, 0.0);
        let ids: Vec<_> = (0..6).map(|k| scene.add_particle(ParticleDef::new(at(k), 0.1))).collect();
        ids.windows(2).for_each(|ends| {
            scene.add_spring(ends[0], ends[1], 1e3, 0.0);
        });
        ids
    };
    let (one, other) = (chain(&mut scene, 0.0), chain(&mut scene, 0.5));
    scene.pin(one[0]);
    scene.pin(other[5]);
    scene.sew(one[5], other[0]);
    let mut bench = Bench::new(&scene, 0.02);
    for _ in 0..200 {
        bench.step();
        assert_eq!(bench.state.particle_q[5], bench.state.particle_q[6]);
    }
    // As deep on either side of the middle.
    let z = |k: usize| bench.state.particle_q[k].z;
    assert!((z(4) - z(7)).abs() < 1e-4 && z(5) < -0.05, "{} {}", z(4), z(7));
}

/// A particle that is led goes where it is told, whatever pulls at it, pinned or not; and one let go falls.
#[test]
fn what_is_led_goes_where_it_is_told() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -9.81));
    let led = scene.add_particle(ParticleDef::new(DVec3::ZERO, 0.0));
    let drawn = scene.add_particle(ParticleDef::new(DVec3::X * 0.2, 1.0));
    scene.add_spring(led, drawn, 500.0, 10.0);
    let mut bench = Bench::new(&scene, 0.01);
    for step in 1..=50 {
        let target = DVec3::new(0.0, 0.01 * f64::from(step), 0.0);
        bench.control.particle_target[0] = Some(target);
        bench.step();
        assert!((bench.state.particle_q[0] - target).length() < 1e-5, "{}", bench.state.particle_q[0]);
    }
    bench.control.particle_target[0] = None;
    let stays = bench.state.particle_q[0];
    bench.run(0.1);
    assert_eq!(bench.state.particle_q[0], stays);
    assert!(bench.state.particle_q[1].y > 0.1);
}

/// An attachment that gives way stretches by the weight over its stiffness.
#[test]
fn soft_attachments_give_way_by_their_stiffness() {
    let mut scene = ModelBuilder::new();
    scene.gravity(DVec3::new(0.0, 0.0, -10.0));
    let body = scene.add_body(BodyDef::fixed("stand").at(DVec3::Z).cuboid(DVec3::splat(0.05)));
    let id = scene.add_particle(ParticleDef::new(DVec3::new(0.0, 0.0, 0.9), 0.5));
    scene.attach_at(id, body, DVec3::Z * -0.1, 100.0);
    let mut bench = Bench::new(&scene, 0.05);
    bench.run(10.0);
    assert!((bench.state.particle_q[0].z - 0.85).abs() < 1e-6, "{}", bench.state.particle_q[0]);
}
