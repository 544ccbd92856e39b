//! Pictures show what is there.

use drystone::Recording;
use drystone::geometry::{DQuat, DVec3, Pose};
use drystone::model::{BodyDef, BodyId, JointDef, Model, ModelBuilder, Twist};

use super::buffer::{Buffer, NOTHING};
use super::shadow::ShadowMap;
use super::{Camera, Options, Renderer, View};
use crate::visual::{Extent, Visual};

fn model(ground: bool, boxes: &[(DVec3, DVec3)]) -> Model {
    let mut builder = ModelBuilder::new();
    if ground {
        builder.ground();
    }
    for (i, &(centre, half)) in boxes.iter().enumerate() {
        builder.add_body(BodyDef::dynamic(format!("box {i}")).at(centre).cuboid(half));
    }
    builder.finalize().unwrap()
}

fn still(model: &Model) -> Recording {
    let mut recording = Recording::new(model);
    recording.push(&model.state(), &[]);
    recording
}

/// Looks along +y from ten metres, one pixel per centimetre at the origin.
fn frontal() -> Camera {
    Camera { position: DVec3::NEG_Y * 10.0, right: DVec3::X, up: DVec3::Z, forward: DVec3::Y, tangent: [0.2, 0.1] }
}

#[test]
fn a_box_covers_the_pixels_of_its_front_face() {
    let half = DVec3::new(1.0, 0.5, 0.5);
    let recording = still(&model(false, &[(DVec3::new(0.0, 0.5, 0.0), half)]));
    let visual = Visual::new(&recording, 1.0);
    let buffer = Buffer::draw(&visual, recording.poses(0), &frontal(), 400, 200);
    for row in 0..200 {
        for column in 0..400 {
            let sample = &buffer.samples[row * 400 + column];
            let inside = (100..300).contains(&column) && (50..150).contains(&row);
            assert_eq!(sample.part != NOTHING, inside, "{column} {row}");
            if inside {
                assert!((sample.near - 0.1).abs() < 1e-6);
                assert_eq!(sample.normal, [0.0, 0.0, -1.0]);
            }
        }
    }
}

#[test]
fn the_nearer_box_hides_the_farther_whatever_the_order() {
    let boxes = [(DVec3::ZERO, DVec3::splat(0.5)), (DVec3::new(0.3, -2.0, 0.0), DVec3::splat(0.3))];
    for (near, boxes) in [(1, boxes), (0, [boxes[1], boxes[0]])] {
        let recording = still(&model(false, &boxes));
        let visual = Visual::new(&recording, 1.0);
        let buffer = Buffer::draw(&visual, recording.poses(0), &frontal(), 400, 200);
        assert_eq!(buffer.samples[100 * 400 + 230].part, near);
        assert_eq!(buffer.samples[100 * 400 + 160].part, 1 - near);
    }
}

#[test]
fn the_shadow_lies_where_the_sun_puts_it() {
    let recording = still(&model(true, &[(DVec3::Z * 2.0, DVec3::splat(0.5))]));
    let visual = Visual::new(&recording, 4.0);
    let sun = DVec3::new(1.0, 0.0, 1.0).normalize();
    let map = ShadowMap::draw(&visual, recording.poses(0), &Extent::of(&recording), sun);
    // At 45° the box two metres up shades the ground two metres along −x, from −3 to −1.
    for (x, light) in [(-2.0, 0.0), (-2.9, 0.0), (-1.1, 0.0), (-3.1, 1.0), (-0.9, 1.0), (0.0, 1.0)] {
        let found = map.light(DVec3::new(x, 0.0, 0.0), DVec3::Z);
        assert!((found - light).abs() < 1e-6, "{x}: {found}");
    }
    // Half the sun at the edge, and none of it stolen from the top of the box itself.
    assert!((map.light(DVec3::new(-3.0, 0.0, 0.0), DVec3::Z) - 0.5).abs() < 0.3);
    assert!((map.light(DVec3::Z * 2.5, DVec3::Z) - 1.0).abs() < 1e-6);
}

#[test]
fn shadow_and_corners_darken_the_picture_of_the_ground() {
    let half = DVec3::splat(0.5);
    let recording = still(&model(true, &[(DVec3::Z * 0.5, half)]));
    let options = Options { width: 160, height: 120, ..Options::default() };
    let image = Renderer::new(&recording, options).render(0);
    let sum = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b);
    let grey = |p: &[u8; 3]| p.iter().max().unwrap() - p.iter().min().unwrap() < 40;
    let pixels: Vec<[u8; 3]> =
        (0..120).flat_map(|y| (0..160).map(move |x| (x, y))).map(|(x, y)| image.pixel(x, y)).collect();
    let ground: Vec<u32> = pixels.into_iter().filter(grey).map(sum).collect();
    let (dark, bright) = (ground.iter().min().unwrap(), ground.iter().max().unwrap());
    assert!(*bright > 650 && *dark < 450, "{dark} to {bright}");
}

#[test]
fn the_picture_does_not_depend_on_threads() {
    let boxes: Vec<_> =
        (0..20).map(|i| (DVec3::new(f64::from(i % 5), f64::from(i / 5), 0.5), DVec3::splat(0.4))).collect();
    let recording = still(&model(true, &boxes));
    let options = Options { width: 96, height: 64, view: View::default(), ..Options::default() };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Renderer::new(&recording, options).render(0))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn lost_bodies_and_empty_scenes_are_no_trouble() {
    let mut recording = still(&model(true, &[(DVec3::Z, DVec3::ONE), (DVec3::Z * 5.0, DVec3::ONE)]));
    recording.body_q[1] = Pose::from_translation(DVec3::NAN);
    let options = Options { width: 32, height: 24, ..Options::default() };
    let size = |image: crate::Image| (image.width, image.height, image.rgb.len());
    assert_eq!(size(Renderer::new(&recording, options).render(0)), (32, 24, 3 * 32 * 24));
    let empty = ModelBuilder::new().finalize().unwrap_or_default();
    assert_eq!(size(Renderer::new(&Recording::new(&empty), options).render(0)), (32, 24, 3 * 32 * 24));
    let mut far = still(&model(true, &[(DVec3::Z, DVec3::ONE)]));
    far.body_q.push(Pose::from_translation(DVec3::Z * 1e9));
    far.body_qd.push(Twist::default());
    far.time.push(1.0);
    assert_eq!(size(Renderer::new(&far, options).render(1)), (32, 24, 3 * 32 * 24));
}

#[test]
fn a_wall_in_front_is_left_out_and_one_behind_is_not() {
    let mut builder = ModelBuilder::new();
    builder.add_body(BodyDef::dynamic("ball").sphere(0.5));
    for (name, y) in [("front", -2.0), ("back", 2.0)] {
        builder.add_body(BodyDef::fixed(name).at(DVec3::Y * y).cuboid(DVec3::new(3.0, 0.1, 3.0)));
    }
    let recording = still(&builder.finalize().unwrap());
    let eye = DVec3::NEG_Y * 10.0;
    let from = |eye| Camera::framing(&[(DVec3::ZERO, 0.5)], DVec3::Z, 1.0, &View { eye: Some(eye), ..View::default() });
    assert_eq!(super::cutaway::shown_shapes(&recording, &[(DVec3::ZERO, 0.5)], &from(eye)), [true, false, true]);
    assert_eq!(super::cutaway::shown_shapes(&recording, &[(DVec3::ZERO, 0.5)], &from(-eye)), [true, true, false]);
}

/// A box that rests for two frames, then is far away.
fn leaving() -> Recording {
    let model = model(true, &[(DVec3::Z, DVec3::splat(0.5))]);
    let mut recording = Recording::new(&model);
    for (step, x) in [0.0, 1e-9, 40.0].into_iter().enumerate() {
        let mut state = model.state();
        state.time = step as f64;
        state.body_q[0].translation.x = x;
        recording.push(&state, &[]);
    }
    recording
}

/// A film is the pictures of its frames, and what has not moved visibly is drawn once.
#[test]
fn a_film_is_the_pictures_of_its_frames() {
    let recording = leaving();
    let renderer = Renderer::new(&recording, Options { width: 48, height: 27, ..Options::default() });
    let drawn = std::sync::atomic::AtomicUsize::new(0);
    let film = renderer.film(&[0, 1, 1, 2], &|_, all| drawn.store(all, std::sync::atomic::Ordering::Relaxed));
    assert_eq!(drawn.into_inner(), 2);
    let each = [0, 0, 0, 2].map(|frame| renderer.render(frame));
    assert!(film == each, "a picture of the film is not that of its frame");
    assert!(film[0] != film[3]);
}

/// A picture of the end shows what is there, not the way that led to it.
#[test]
fn a_picture_of_one_moment_frames_what_is_there() {
    let recording = leaving();
    let moment = crate::moment(&recording, 2);
    let size = |recording: &Recording, frame: usize| {
        let renderer = Renderer::new(recording, Options::default());
        let seen = renderer.camera().see(recording.poses(frame)[0].translation);
        0.5 / (seen.z * renderer.camera().tangent[1])
    };
    assert!(size(&moment, 0) > 0.3, "the box fills {} of half the height", size(&moment, 0));
    assert!(2.0 * size(&recording, 2) < size(&moment, 0), "framing the motion would show it as large");
}

/// What a body lies on is no wall before it, though it hides the lower half of the ball around the body; a screen between the
/// camera and the body is.
#[test]
fn a_slope_is_drawn_and_a_screen_is_not() {
    let turn = DQuat::from_rotation_y(26.5_f64.to_radians());
    let slab = |out: DVec3, half: DVec3| BodyDef::fixed("slab").at(turn * out).rotated(turn).cuboid(half);
    let brick = BodyDef::dynamic("brick").at(turn * DVec3::Z * 0.25).rotated(turn).cuboid(DVec3::new(0.5, 0.5, 0.25));
    let options = Options { width: 160, height: 90, supersample: 1, ..Options::default() };
    for (slab, drawn) in [
        (slab(DVec3::NEG_Z * 0.5, DVec3::new(60.0, 5.0, 0.5)), true),
        (slab(DVec3::NEG_Y * 2.0, DVec3::new(3.0, 0.1, 3.0)), false),
    ] {
        let mut builder = ModelBuilder::new();
        builder.add_body(slab);
        builder.add_body(brick.clone());
        let recording = still(&builder.finalize().unwrap());
        let renderer = Renderer::new(&recording, options);
        assert_eq!(renderer.visual.parts.iter().any(|part| part.body == 0), drawn);
    }
}

/// The pin that a pendulum hangs from is in the picture.
#[test]
fn an_anchor_is_in_the_picture() {
    let mut builder = ModelBuilder::new();
    let bob = builder.add_body(BodyDef::dynamic("bob").at(DVec3::NEG_Z).sphere(0.1));
    builder.add_joint(JointDef::revolute(BodyId::WORLD, bob, DVec3::ZERO, DVec3::Y));
    let model = builder.finalize().unwrap();
    let mut recording = Recording::new(&model);
    recording.push(&model.state(), &[0.0]);
    let renderer = Renderer::new(&recording, Options::default());
    let seen = renderer.camera().see(DVec3::ZERO);
    assert!(seen.z > 0.0 && seen.y.abs() < renderer.camera().tangent[1] * seen.z, "{seen}");
    assert_eq!(renderer.visual.parts.len(), 4, "bob, floor, arm and pin");
}

#[test]
fn pixels_know_their_bodies() {
    let boxes = [(DVec3::ZERO, DVec3::splat(0.5)), (DVec3::new(0.3, -2.0, 0.0), DVec3::splat(0.3))];
    let recording = still(&model(true, &boxes));
    let view = View { eye: Some(DVec3::NEG_Y * 10.0), target: Some(DVec3::ZERO), opening: 0.2, ..View::default() };
    let bodies = Renderer::new(&recording, Options { width: 400, height: 200, supersample: 1, view }).bodies(0);
    let at = |column: usize, row: usize| bodies[row * 400 + column];
    assert_eq!([at(170, 100), at(230, 100), at(10, 10), at(10, 190)], [1, 2, 0, 0], "far box, near box, sky, ground");
}
