//! Questions to a simulation that moves.

use drystone::collide::{QueryFilter, SceneQuery};
use drystone::geometry::Ray;
use drystone::prelude::*;

fn pile() -> Model {
    let mut scene = ModelBuilder::new();
    scene.ground();
    for k in 0..60 {
        let place = DVec3::new(f64::from(k % 4), f64::from(k / 4 % 4), 1.0 + f64::from(k / 16));
        let body = BodyDef::dynamic(format!("body {k}")).at(place + DVec3::X * 0.1 * f64::from(k / 16));
        scene.add_body(if k % 3 == 0 { body.sphere(0.4) } else { body.cuboid(DVec3::splat(0.35)) });
    }
    scene.finalize().expect("a sound pile")
}

fn rays() -> Vec<Ray> {
    let down = |k: u32| Ray::new(DVec3::new(f64::from(k % 20) * 0.2, f64::from(k / 20) * 0.2, 9.0), DVec3::NEG_Z);
    (0..400).map(down).collect()
}

/// The kept index answers as one made for this state, through steps, teleports, resets and resuming.
#[test]
fn the_kept_index_follows_everything_that_moves_bodies() {
    let mut sim = Simulation::builder(pile()).threads(2).build().expect("a simulation");
    let (filter, rays) = (QueryFilter::new(), rays());
    let check = |sim: &Simulation, when: &str| {
        let fresh = SceneQuery::new(sim.model(), sim.state());
        assert_eq!(sim.query().cast_rays(&rays, 100.0, &filter), fresh.cast_rays(&rays, 100.0, &filter), "{when}");
    };
    check(&sim, "at the start");
    let start = sim.checkpoint();
    for step in 0..20 {
        sim.step().expect("a step");
        check(&sim, &format!("after step {step}"));
    }
    sim.state_mut().body_q[7].translation += DVec3::Z * 5.0;
    check(&sim, "after a teleport");
    sim.state_mut().body_q[3].translation = DVec3::splat(f64::NAN);
    sim.step().expect("a step");
    check(&sim, "after a body was quarantined");
    sim.reset_world(WorldId(0)).expect("the only world");
    check(&sim, "after a reset");
    sim.step().expect("a step");
    sim.resume(&start).expect("its own checkpoint");
    check(&sim, "after resuming");
}

/// Asking changes nothing.
#[test]
fn queries_leave_the_motion_alone() {
    let mut asked = Simulation::new(pile()).expect("a simulation");
    let mut unasked = Simulation::new(pile()).expect("a simulation");
    for _ in 0..20 {
        asked.step().expect("a step");
        unasked.step().expect("a step");
        asked.query().cast_rays(&rays(), 100.0, &QueryFilter::new()).expect("sound rays");
    }
    assert_eq!(asked.state_hash(), unasked.state_hash());
}

/// Hits, filters and predicates speak of ids, which stay when others are removed.
#[test]
fn answers_name_ids_after_edits() {
    let mut scene = ModelBuilder::new();
    for k in 0..6 {
        scene.add_body(BodyDef::fixed(format!("post {k}")).at(DVec3::X * f64::from(k)).sphere(0.2));
    }
    let mut sim = Simulation::new(scene.finalize().expect("a sound scene")).expect("a simulation");
    let along = Ray::new(DVec3::NEG_X, DVec3::X);
    let first = |sim: &Simulation, filter: &QueryFilter| {
        let hit = sim.query().cast_ray(&along, 100.0, filter).expect("a ray").expect("a post");
        (hit.body, hit.shape, hit.point.x.round())
    };
    assert_eq!(first(&sim, &QueryFilter::new()), (BodyId(0), ShapeId(0), 0.0));
    sim.edit(|scene| {
        scene.remove_body(BodyId(0))?;
        scene.remove_body(BodyId(2))
    })
    .expect("two posts go");
    assert_eq!(first(&sim, &QueryFilter::new()), (BodyId(1), ShapeId(1), 1.0));
    assert_eq!(first(&sim, &QueryFilter::new().without(&[BodyId(1)])), (BodyId(3), ShapeId(3), 3.0));
    let late = |shape: ShapeId| shape.0 >= 4;
    assert_eq!(first(&sim, &QueryFilter::new().only(&late)), (BodyId(4), ShapeId(4), 4.0));
    let near = sim.query().nearest(DVec3::X * 5.1, 1.0, &QueryFilter::new()).expect("a point").expect("a post");
    assert_eq!((near.body, near.shape), (BodyId(5), ShapeId(5)));
}
