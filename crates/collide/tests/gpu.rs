//! The pipeline on a GPU against the one on the CPU, stage by stage. Without a device the tests fail and say what to install;
//! `DRYSTONE_DEVICE` chooses one.
#![cfg(any(feature = "cuda", feature = "vulkan"))]

use std::collections::{BTreeMap, BTreeSet};

use drystone_collide::gpu::{BOUND_WORDS, BodyArrays, CONTACT_WORDS, DeviceCollide, PAIR_WORDS, split};
use drystone_collide::{Collide, CollideOptions};
use drystone_device::{Buffer, Gpu, Job, Runtime, open_from_environment};
use drystone_model::{BodyDef, DQuat, DVec3, Model, ModelBuilder, Shape, ShapeDef, State, Twist};
use drystone_random::Random;

const DT: f64 = 1.0 / 60.0;

/// Manifolds of a pair: normal, and places on the first shape with gaps.
type Manifold = (DVec3, Vec<(DVec3, f64)>);

/// What the device found.
struct Found {
    bounds: Vec<[f32; 6]>,
    pairs: BTreeSet<(usize, usize)>,
    manifolds: BTreeMap<(usize, usize), Manifold>,
}

struct Detect<'a>(&'a Model, &'a State);

impl Job for Detect<'_> {
    type Output = Found;

    fn run<R: Runtime>(self, gpu: &Gpu<R>) -> Found {
        let Self(model, state) = self;
        let (mut cells, mut frames, mut motions) = (Vec::new(), Vec::new(), Vec::new());
        for body in 0..model.body_count() {
            let (pose, twist) = (state.body_q[body], state.body_qd[body]);
            let (cell, offset) = split(pose.transform_point(model.body_com[body]));
            let turn = [pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w].map(|x| x as f32);
            let velocity = [twist.linear, twist.angular].map(|v| v.to_array().map(|x| x as f32));
            cells.extend([cell[0], cell[1], cell[2], 0]);
            frames.extend([offset[0], offset[1], offset[2], 0.0]);
            frames.extend(turn);
            motions.extend(offset);
            motions.extend(turn);
            motions.extend([0.0; 3]);
            motions.extend(velocity[0]);
            motions.extend(velocity[1]);
        }
        cells.extend([0; 4]);
        frames.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        motions.extend([0.0; 16]);
        let mut collide = DeviceCollide::new(gpu, model, &vec![0; model.shape_count()], 4096);
        collide.set_extent([-3.0; 3], [3.0; 3]);
        let (cell, flags) = (Buffer::from_slice(gpu, &cells), Buffer::from_slice(gpu, &[0_u32; 8]));
        let (frame, motion) = (Buffer::from_slice(gpu, &frames), Buffer::from_slice(gpu, &motions));
        let bodies = BodyArrays { cell: &cell, frame: &frame, motion: &motion, flags: &flags };
        collide.pairs(gpu, bodies, 0, DT as f32);
        collide.contacts(gpu, bodies, 0, DT as f32);
        read(gpu, &collide)
    }
}

fn read<R: Runtime>(gpu: &Gpu<R>, collide: &DeviceCollide) -> Found {
    let bound = collide.bound.read(gpu).unwrap();
    let bounds = bound.chunks(BOUND_WORDS as usize).map(|b| [b[0], b[1], b[2], b[4], b[5], b[6]]).collect();
    let start = collide.remembered[0].start.read(gpu).unwrap();
    let count = *start.last().unwrap() as usize;
    let (owner, other) = (collide.owner.read(gpu).unwrap(), collide.other.read(gpu).unwrap());
    let (pair, contact) = (collide.remembered[0].pair.read(gpu).unwrap(), collide.contact.read(gpu).unwrap());
    let (places, cells) = (collide.place.read(gpu).unwrap(), collide.cell.read(gpu).unwrap());
    let (mut pairs, mut manifolds) = (BTreeSet::new(), BTreeMap::new());
    for index in 0..count {
        let (a, b) = (owner[index].min(other[index]) as usize, owner[index].max(other[index]) as usize);
        assert!(pairs.insert((a, b)), "a pair is listed once");
        let words = &contact[index * CONTACT_WORDS as usize..];
        let vector = |k: usize| DVec3::new(words[k].into(), words[k + 1].into(), words[k + 2].into());
        let at = DVec3::from_array(std::array::from_fn(|k| f64::from(cells[4 * a + k]) + f64::from(places[8 * a + k])));
        let points = (0..pair[index * PAIR_WORDS as usize + 2] as usize)
            .map(|lane| (at + vector(4 + 4 * lane), f64::from(words[7 + 4 * lane])))
            .collect();
        manifolds.insert((a, b), (vector(0), points));
    }
    Found { bounds, pairs, manifolds }
}

/// Bodies of all kinds close together, on the ground and on a plate, some with a skin.
fn crowd(seed: u64, kinds: usize) -> (Model, State) {
    let (mut scene, mut random) = (ModelBuilder::new(), Random::new(seed));
    scene.ground();
    scene.add_body(BodyDef::fixed("plate").at(DVec3::new(0.3, 0.2, 0.1)).cuboid(DVec3::new(0.8, 0.7, 0.1)));
    let far = DVec3::new(120.0, -80.0, 0.0);
    for i in 0..60 {
        let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.signed()));
        let (at, axis, angle) = (vector(), vector().normalize(), 3.0 * vector().x);
        let at = DVec3::new(1.2 * at.x, 1.2 * at.y, 0.9 + 0.9 * at.z) + if i % 5 == 4 { far } else { DVec3::ZERO };
        let def = BodyDef::dynamic(format!("{i}")).at(at).rotated(DQuat::from_axis_angle(axis, angle));
        scene.add_body(match i % kinds {
            0 => def.cuboid(DVec3::new(0.25, 0.2, 0.15)),
            1 => def.sphere(0.2),
            _ => def.shape(ShapeDef::capsule(0.12, 0.2)),
        });
    }
    let model = scene.finalize().unwrap();
    let mut state = model.state();
    for twist in state.body_qd.iter_mut().skip(1) {
        let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.signed()));
        *twist = Twist { linear: 2.0 * vector(), angular: vector() };
    }
    (model, state)
}

fn both(seed: u64, kinds: usize) -> (Model, Collide, Found) {
    let (model, state) = crowd(seed, kinds);
    let mut collide = Collide::new(&model, CollideOptions::default());
    collide.detect(&model, &state, DT);
    let device = open_from_environment().unwrap_or_else(|error| panic!("{error}"));
    let found = device.run(Detect(&model, &state));
    (model, collide, found)
}

/// Boxes hold those of the CPU and are larger by rounding alone.
#[test]
fn boxes_hold_what_shapes_sweep() {
    let (model, collide, found) = both(1, 3);
    for (shape, bounds) in collide.bounds().enumerate() {
        if matches!(model.shape_geometry[shape], Shape::HalfSpace) {
            continue;
        }
        let own = found.bounds[shape].map(f64::from);
        let want = [bounds.min, bounds.max].map(|corner| corner.to_array());
        // Widened by a share of the coordinates, 120 m at most.
        for k in 0..3 {
            assert!(own[k] <= want[0][k] && own[k] > want[0][k] - 2e-4, "{own:?} {want:?}");
            assert!(own[3 + k] >= want[1][k] && own[3 + k] < want[1][k] + 2e-4, "{own:?} {want:?}");
        }
    }
}

/// Pairs are those of which boxes meet, each once; and all that the CPU finds.
#[test]
fn pairs_are_those_whose_boxes_meet() {
    for seed in 1..4 {
        let (model, collide, found) = both(seed, 3);
        let bodies = model.shape_body.clone();
        let meets = |a: usize, b: usize| {
            let (x, y) = (found.bounds[a], found.bounds[b]);
            (0..3).all(|k| x[k] <= y[3 + k] && y[k] <= x[3 + k])
        };
        let moves = |shape: usize| shape > 1;
        let mut want = BTreeSet::new();
        for a in 1..model.shape_count() {
            for b in a + 1..model.shape_count() {
                if (moves(a) || moves(b)) && bodies[a] != bodies[b] && meets(a, b) {
                    want.insert((a, b));
                }
            }
        }
        let bounded: BTreeSet<_> = found.pairs.iter().copied().filter(|&(a, _)| a > 0).collect();
        assert_eq!(bounded, want);
        assert!(collide.pairs().all(|pair| found.pairs.contains(&pair)));
        let extra = found.pairs.len() - collide.pairs().len();
        assert!(extra <= 2, "{extra} pairs more than on the CPU, by rounding");
    }
}

/// Manifolds are those of the CPU to single precision. Where boxes are apart and meet with corners or edges only the device may have none.
#[test]
fn manifolds_agree() {
    let (mut compared, mut left_out, mut other_axis, mut other_points) = (0, 0, 0, 0);
    for seed in 1..6 {
        for kinds in [1, 2, 3] {
            let (model, collide, found) = both(10 * seed, kinds);
            let contacts = &collide.contacts;
            for manifold in 0..contacts.manifold_count() {
                let shapes =
                    [contacts.manifold_shape0[manifold], contacts.manifold_shape1[manifold]].map(|s| s as usize);
                let Some((normal, points)) = found.manifolds.get(&(shapes[0], shapes[1])) else {
                    panic!("{shapes:?} is missing: {:?}", &contacts.point_gap[contacts.points(manifold)])
                };
                let gaps = &contacts.point_gap[contacts.points(manifold)];
                let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
                let boxes = shapes.iter().all(|&s| matches!(model.shape_geometry[s], Shape::Box { .. }));
                if points.is_empty() {
                    assert!(boxes && least > 0.0, "{shapes:?}: nothing instead of {least}");
                    left_out += 1;
                    continue;
                }
                let own = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
                let straight = normal.distance(contacts.manifold_normal[manifold]) < 1e-3;
                let name = shapes.map(|s| format!("{:?}", model.shape_geometry[s]));
                if !straight {
                    // Another axis of nearly the same separation: within a percent and the slack.
                    assert!((own - least).abs() < 2e-3 + 0.02 * least.abs(), "{name:?}: {own} for {least}");
                    other_axis += 1;
                    continue;
                }
                assert!((own - least).abs() < 1e-5, "{name:?}: {own} for {least}");
                let round = shapes.iter().any(|&s| matches!(model.shape_geometry[s], Shape::Capsule { .. }));
                if !round {
                    assert_eq!(points.len(), gaps.len(), "{name:?}");
                    let near = |point: &usize| {
                        let (at, gap) = (contacts.point_position0[*point], contacts.point_gap[*point]);
                        points.iter().any(|own| own.0.distance(at) < 2e-5 && (own.1 - gap).abs() < 1e-5)
                    };
                    // Of more than four corners those that span the largest area are kept; parallel edges make that a tie.
                    let alike = contacts.points(manifold).filter(near).count();
                    assert!(alike == gaps.len() || (gaps.len() == 4 && alike >= 2), "{name:?}: {alike} of {points:?}");
                    other_points += usize::from(alike < gaps.len());
                }
                compared += 1;
            }
        }
    }
    println!("{compared} alike, {left_out} left out, {other_axis} by another axis, {other_points} with other points");
    assert!(compared > 500 && left_out < compared / 20 && other_axis < compared / 20);
    assert!(other_points < compared / 20);
}
