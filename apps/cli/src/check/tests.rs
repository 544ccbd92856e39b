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

/// A sheet that falls on a ball, with a soft cube and a string beside it, as a file would hold it.
fn recorded_particles() -> Recording {
    use drystone::geometry::Pose;
    use drystone::model::{BendMaterial, BodyDef, ClothGrid, ElementMaterial, ModelBuilder, ParticleDef, SoftGrid};
    let mut scene = ModelBuilder::new();
    scene.ground();
    scene.add_body(BodyDef::fixed("ball").at(DVec3::Z * 0.2).sphere(0.2));
    scene.add_cloth_grid(&ClothGrid {
        pose: Pose::from_translation(DVec3::new(-0.3, -0.3, 0.43)),
        cells: [8; 2],
        size: [0.075; 2],
        density: 0.2,
        radius: 0.01,
        membrane: ElementMaterial { mu: 400.0, lambda: 300.0, damping: 0.0 },
        bend: BendMaterial { stiffness: 1e-4, damping: 0.0 },
    });
    scene.add_soft_grid(&SoftGrid {
        pose: Pose::from_translation(DVec3::new(1.0, 0.0, 0.1)),
        cells: [1; 3],
        size: DVec3::splat(0.1),
        density: 500.0,
        radius: 0.0,
        material: ElementMaterial::solid(1e4, 0.3, 1.0),
    });
    let ends = [0.0, 0.1].map(|x| scene.add_particle(ParticleDef::new(DVec3::new(2.0 + x, 0.0, 1.0), 0.1)));
    scene.add_spring(ends[0], ends[1], 100.0, 0.0);
    let model = scene.finalize().unwrap();
    let mut sim = Simulation::builder(model.clone()).solver("vbd").dt(1.0 / 60.0).build().unwrap();
    let mut recording = Recording::new(&model);
    recording.push(sim.state(), &[]);
    sim.run(20, |sim| {
        recording.push(sim.state(), &[]);
    })
    .unwrap();
    recording
}

#[test]
fn cloth_that_crosses_stretches_or_sinks_is_found_and_sound_cloth_passes() {
    let recording = recorded_particles();
    let look = |recording: &Recording| {
        let mut figures = recompute(recording, 0, false);
        figures.look_at_particles(recording, 0);
        figures
    };
    let sound = look(&recording);
    assert!(sound.first_crossing(0).is_none() && sound.first_sunk(5e-3).is_none() && sound.broken.is_none());
    assert!(sound.soft.iter().flatten().all(|soft| soft.inverted == 0 && soft.stretch < 0.1));
    let model = &recording.model;
    let (frame, count) = (11, model.particle_count());
    let entry = |particle: usize| frame * count + particle;
    // The side at a corner of the sheet through its middle: found in this frame alone, with the triangles.
    let mut crossed = recording.clone();
    for (particle, height) in [(0, -0.1), (1, 0.1)] {
        crossed.particle_q[entry(particle)] = crossed.particle_q[entry(40)] + DVec3::new(0.013, 0.011, height);
    }
    let figures = look(&crossed);
    let (found, pairs) = figures.first_crossing(0).unwrap();
    assert_eq!(found, frame);
    let moved = |t: u32| model.triangle_particle[t as usize].iter().any(|&corner| corner < 2);
    assert!(pairs.iter().all(|pair| pair.iter().any(|&t| moved(t))), "{pairs:?}");
    assert!(figures.first_crossing(pairs.len()).is_none());
    // One particle of the sheet in the middle of the ball: the ball of 0.2 m and its own 0.01 m.
    let mut sunk = recording.clone();
    sunk.particle_q[entry(40)] = DVec3::Z * 0.2;
    let (found, deepest) = look(&sunk).first_sunk(0.1).unwrap();
    assert_eq!((found, deepest.particle, &model.shape_name[deepest.shape]), (frame, 40, &model.shape_name[1]));
    assert!((deepest.depth - 0.21).abs() < 1e-12, "{deepest:?}");
    // The cube turned over, the string pulled to four times its length, both alone.
    let mut spoilt = recording.clone();
    spoilt.particle_q[entry(81)] += DVec3::splat(0.2);
    spoilt.particle_q[entry(count - 1)] = spoilt.particle_q[entry(count - 2)] + DVec3::Y * 0.4;
    let figures = look(&spoilt);
    let soft = figures.soft[frame].as_ref().unwrap();
    assert!(soft.inverted > 0 && (soft.stretch - 3.0).abs() < 1e-9, "{soft:?}");
    spoilt.particle_q[entry(3)].x = f64::NAN;
    assert_eq!(look(&spoilt).broken, Some(frame));
}

/// Energy and momentum of particles are those of the model, and of free fall.
#[test]
fn particles_count_in_energy_and_momentum() {
    let recording = recorded_particles();
    for number in [0, 7, 20] {
        let (frame, state) = (super::Frame::measure(&recording, number), recording.state(number));
        let (energy, momentum) = (recording.model.energy(&state), recording.model.momentum(&state));
        assert!((frame.kinetic_energy - energy.kinetic).abs() <= 1e-12 * frame.energy_scale);
        assert!((frame.potential_energy - energy.potential).abs() <= 1e-12 * frame.energy_scale);
        assert!(frame.momentum.distance(momentum.linear) <= 1e-12 * frame.momentum_scale[0]);
        assert!(frame.angular_momentum.distance(momentum.angular) <= 1e-12 * frame.momentum_scale[1]);
    }
    let mass: f64 = recording.model.particle_mass.iter().sum();
    // Nothing touches in the first step.
    let after = super::Frame::measure(&recording, 1).momentum;
    assert!(after.distance(DVec3::NEG_Z * 9.81 * mass / 60.0) < 1e-9 * mass, "{after}");
}
