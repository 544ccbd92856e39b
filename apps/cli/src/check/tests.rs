//! Overlaps put into recordings by hand, and recordings that have none.

use drystone::geometry::DVec3;
use drystone::geometry::distance::triangle_triangle::closest_points;
use drystone::model::WORLD;
use drystone::{Recording, Simulation};

use super::overlap::Shapes;
use super::place::places;
use super::recompute;
use super::scene::Scene;

/// A short run of a scene of the library that keeps surfaces apart.
fn recorded(scene: &str, steps: u64) -> Recording {
    let scene = drystone_scenes::parse(scene).unwrap();
    let mut sim = Simulation::builder(scene.model.clone()).solver("abd").dt(scene.settings.dt).build().unwrap();
    let mut recording = Recording::new(&scene.model);
    let keep = |recording: &mut Recording, sim: &Simulation| {
        let gaps: Vec<f64> = (0..sim.model().joint_count() as u32)
            .map(|joint| sim.model().joint_error(sim.state(), joint).linear)
            .collect();
        recording.push(sim.state(), &gaps);
    };
    // The scene as it was built may touch; the solver answers for what comes after.
    sim.run(steps, |sim| keep(&mut recording, sim)).unwrap();
    recording
}

/// The two shapes nearest to each other in a frame, and the way from the first to the second \[m\].
fn nearest(recording: &Recording, frame: usize) -> ([usize; 2], DVec3) {
    let scene = Scene::new(recording);
    let shapes = Shapes::new(recording, &scene);
    let now = places(recording, frame);
    let bounds = |shape: usize| shapes.surface(shape).bounds(shapes.surface(shape).place(&now));
    let mut best = ([0, 0], DVec3::INFINITY);
    for a in (0..shapes.count()).filter(|&a| shapes.is_bounded(a)) {
        for b in (0..a).filter(|&b| shapes.is_bounded(b) && shapes.may_meet([a, b])) {
            let region = bounds(a).inflated(2e-3).intersection(bounds(b).inflated(2e-3));
            let of = |shape: usize| shapes.surface(shape).within(shapes.surface(shape).place(&now), &region);
            let (first, second) = (of(b), of(a));
            for way in first.iter().flat_map(|t| second.iter().map(|u| closest_points(*t, *u))).map(|[p, q]| q - p) {
                if way.length() < best.1.length() {
                    best = ([b, a], way);
                }
            }
        }
    }
    assert!(best.1.length() < 1e-2, "nothing is near anything");
    best
}

/// Moves one of the two nearest shapes of a frame into the other; returns the two.
fn sink(recording: &mut Recording, frame: usize, depth: f64) -> [usize; 2] {
    let (shapes, way) = nearest(recording, frame);
    let shift = way + way.normalize() * depth;
    let model = &recording.model;
    let moves = |shape: usize| {
        model.body_kind.get(model.shape_body[shape] as usize) == Some(&drystone::model::BodyKind::Dynamic)
    };
    let (shape, shift) = if moves(shapes[0]) { (shapes[0], shift) } else { (shapes[1], -shift) };
    assert_ne!(model.shape_body[shape], WORLD);
    let entry = frame * model.body_count() + model.shape_body[shape] as usize;
    recording.body_q[entry].translation += shift;
    if let Some(rows) = recording.body_affine.get_mut(entry) {
        (0..3).for_each(|k| rows[4 * k + 3] += shift[k]);
    }
    shapes
}

/// Finds a millimetre and a micrometre in a single frame, by name, and nothing in the recording as it was.
fn finds_what_is_put_in(recording: &Recording) {
    assert!(recompute(recording, 0, true).first_beyond(0.0).is_none());
    assert!(recompute(recording, 0, true).first_pass().is_none());
    let frame = recording.frame_count() / 2;
    for depth in [1e-3, 1e-6] {
        let mut spoilt = recording.clone();
        let shapes = sink(&mut spoilt, frame, depth);
        let figures = recompute(&spoilt, 0, false);
        let found = figures.first_beyond(0.0).unwrap();
        assert_eq!(found.frame, frame);
        assert!(figures.overlaps[frame].iter().flatten().any(|overlap| overlap.shapes == shapes), "{shapes:?}");
        let told = figures.overlap[frame].unwrap();
        assert!(told > 0.3 * depth && told < 1.5 * depth, "{told} for {depth}");
        let others = figures.overlap.iter().enumerate().skip(1).filter(|(other, _)| *other != frame);
        assert!(others.into_iter().all(|(_, depth)| *depth == Some(0.0)));
    }
}

#[test]
fn overlaps_of_boxes_are_found() {
    finds_what_is_put_in(&recorded("stack:count=3", 12));
}

#[test]
fn overlaps_of_concave_meshes_are_found() {
    finds_what_is_put_in(&recorded("peg-in-hole", 6));
}

/// Poses alone, as another engine would record them.
#[test]
fn overlaps_of_rigid_bodies_are_found() {
    let mut recording = recorded("card-house:levels=1", 12);
    recording.body_affine.clear();
    finds_what_is_put_in(&recording);
}

/// A body wholly inside another cuts no surface.
#[test]
fn a_body_inside_another_is_found() {
    use drystone::model::{BodyDef, ModelBuilder};
    let mut scene = ModelBuilder::new();
    scene.add_body(BodyDef::dynamic("outer").cuboid(DVec3::splat(0.5)));
    scene.add_body(BodyDef::dynamic("inner").at(DVec3::X * 0.1).cuboid(DVec3::splat(0.1)));
    let model = scene.finalize().unwrap();
    let mut recording = Recording::new(&model);
    let mut state = model.state();
    recording.push(&state, &[]);
    let rows = |x: f64| [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    state.body_affine = vec![rows(0.0), rows(0.1)];
    recording.push(&state, &[]);
    let depth = recompute(&recording, 0, false).overlap[1].unwrap();
    assert!((0.3..=0.4).contains(&depth), "{depth}");
    // Bodies that are told not to meet do not.
    recording.model.shape_filter = vec![(0, 1)];
    assert!(recompute(&recording, 0, false).first_beyond(0.0).is_none());
}
