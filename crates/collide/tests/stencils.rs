//! Mesh stencils and step bounds against all pairs.

mod support;

use drystone_collide::{NearFeatures, Side, Stencils};
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{Aabb, DMat3, DVec3, Pose, Shape, Tessellation};
use drystone_model::BodyKind;
use drystone_random::for_seeds;
use support::{Random, Scene, cube};

fn scene(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::new(DVec3::ZERO);
    for i in 0..14 {
        let kind = if i % 4 == 3 { BodyKind::Static } else { BodyKind::Dynamic };
        let pose = random.pose(1.2);
        let body = scene.body(kind, pose);
        let shape = match i % 3 {
            0 => cube(random.range(0.2, 0.5)),
            1 => Shape::Sphere { radius: random.range(0.2, 0.5) },
            _ => Shape::Cylinder { radius: random.range(0.2, 0.4), half_height: random.range(0.2, 0.4) },
        };
        let local = random.pose(0.1);
        scene.shape(body, shape, local);
    }
    scene.model.shape_filter = vec![(0, 1), (2, 5)];
    scene
}

fn meet(scene: &Scene, stencils: &Stencils, v0: u32, v1: u32) -> bool {
    let [a, b] = [v0, v1].map(|v| stencils.vertex_shape[v as usize]);
    let dynamic = |s: u32| scene.model.body_kind[scene.model.shape_body[s as usize] as usize] == BodyKind::Dynamic;
    a != b && (dynamic(a) || dynamic(b)) && !scene.model.shape_filter.contains(&(a.min(b), a.max(b)))
}

/// All pairs of features of two shapes no further apart than a distance.
fn brute_force(stencils: &Stencils, x: &[DVec3], [a, b]: [u32; 2], distance: f64) -> NearFeatures {
    let at = |v: u32| x[v as usize];
    let shape = |v: u32| stencils.vertex_shape[v as usize];
    let mut found = NearFeatures::default();
    for v in (0..x.len() as u32).filter(|&v| [a, b].contains(&shape(v))) {
        for (t, corners) in stencils.triangle_vertex.iter().enumerate() {
            let squared = point_triangle::distance_squared(at(v), corners.map(at));
            if shape(corners[0]) == a + b - shape(v) && squared <= distance * distance {
                found.vertex_triangle.push(([v, t as u32], squared.sqrt()));
            }
        }
    }
    let of = |wanted: u32| {
        let all = stencils.edge_vertex.iter().enumerate();
        all.filter(move |(_, edge)| shape(edge[0]) == wanted)
    };
    for (i, first) in of(a) {
        for (j, second) in of(b) {
            let squared = edge_edge::distance_squared(first.map(at), second.map(at));
            if squared <= distance * distance {
                found.edge_edge.push(([i as u32, j as u32], squared.sqrt()));
            }
        }
    }
    found
}

/// A box in the world as a box in the frame of a body.
fn to_rest(pose: Pose, region: &Aabb) -> Aabb {
    let [center, half] = [region.center(), 0.5 * region.extent()];
    let turn = DMat3::from_quat(pose.rotation).transpose();
    Aabb::from_center_half(pose.inverse() * center, turn.abs() * half * (1.0 + 1e-9))
}

#[test]
fn near_features_are_those_of_brute_force() {
    // Few and many triangles: those of the second are found by trees.
    let mut found = 0;
    for (seed, segments) in [(0, 6), (1, 6), (2, 14)] {
        let detail = Tessellation { segments, ..Tessellation::default() };
        let scene = scene(seed);
        let stencils = Stencils::new(&scene.model, &detail);
        let (state, mut x) = (scene.state(), Vec::new());
        stencils.rigid_positions(&state, &mut x);
        let bounds: Vec<Aabb> = (0..scene.model.shape_count()).map(|shape| stencils.bounds(&x, shape)).collect();
        for distance in [0.02, 0.1] {
            for pair in stencils.meeting(&bounds.iter().map(|b| b.inflated(0.5 * distance)).collect::<Vec<_>>()) {
                let rest = pair.map(|shape| {
                    let pose = state.body_q[scene.model.shape_body[shape as usize] as usize];
                    move |region: &Aabb| to_rest(pose, region)
                });
                let side = |k: usize| Side {
                    shape: pair[k],
                    bounds: bounds[pair[k] as usize],
                    travel: 0.0,
                    to_rest: &rest[k],
                };
                let near = stencils.near(&x, [side(0), side(1)], distance);
                assert_eq!(near, brute_force(&stencils, &x, pair, distance), "{pair:?}");
                found += near.vertex_triangle.len() + near.edge_edge.len();
            }
        }
    }
    assert!(found > 1000, "only {found} pairs");
}

#[test]
fn shapes_that_meet_are_those_whose_boxes_do() {
    let scene = scene(3);
    let stencils = Stencils::new(&scene.model, &Tessellation::default());
    let mut x = Vec::new();
    stencils.rigid_positions(&scene.state(), &mut x);
    let bounds: Vec<Aabb> = (0..scene.model.shape_count()).map(|shape| stencils.bounds(&x, shape)).collect();
    let count = bounds.len() as u32;
    let vertex = |shape: u32| stencils.vertex_shape.iter().position(|&s| s == shape).unwrap() as u32;
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    let expected: Vec<[u32; 2]> = all
        .filter(|&[a, b]| meet(&scene, &stencils, vertex(a), vertex(b)))
        .filter(|&[a, b]| bounds[a as usize].overlaps(&bounds[b as usize]))
        .collect();
    assert_eq!(stencils.meeting(&bounds), expected);
    assert!(expected.len() > 5);
}

/// Whatever is near at any time of a motion is among the pairs whose boxes are, seen by whoever goes along.
#[test]
fn nothing_near_on_the_way_is_missed() {
    for_seeds(1, |random| {
        // How many pairs of features are near in one scene is left to chance: as many scenes as it takes, at most this many.
        let (mut found, mut most, mut scenes) = (0, 0, 0);
        while found <= 100 && scenes < 12 {
            let [near, said] = near_on_way(random);
            (found, most, scenes) = (found + near, most + said, scenes + 1);
        }
        assert!(found > 100 && most < 100 * found, "{found} of {most} in {scenes} scenes");
    });
}

/// How many pairs of a vertex and a triangle are near at some time, and how many are said to be.
fn near_on_way(random: &mut Random) -> [usize; 2] {
    let detail = Tessellation { segments: 12, ..Tessellation::default() };
    let scene = scene(random.bits());
    let stencils = Stencils::new(&scene.model, &detail);
    let (state, mut x) = (scene.state(), Vec::new());
    stencils.rigid_positions(&state, &mut x);
    let step: Vec<DVec3> = (0..scene.model.body_count()).map(|_| random.vector(0.2)).collect();
    let to: Vec<DVec3> = x.iter().zip(&stencils.vertex_body).map(|(x, &body)| *x + step[body as usize]).collect();
    let all = vec![Aabb::ALL; scene.model.shape_count()];
    let (mut found, mut most) = (0, 0);
    for pair in stencils.meeting(&all) {
        let body = pair.map(|shape| scene.model.shape_body[shape as usize] as usize);
        let along = 0.5 * (step[body[0]] + step[body[1]]);
        let rest = body.map(|body| {
            let pose = state.body_q[body];
            move |region: &Aabb| to_rest(pose, region)
        });
        let side = |k: usize| {
            let [from, end] = [&x, &to].map(|x| stencils.bounds(x, pair[k] as usize));
            let end = Aabb { min: end.min - along, max: end.max - along };
            let travel = (step[body[k]] - along).length();
            Side { shape: pair[k], bounds: from.union(end), travel, to_rest: &rest[k] }
        };
        let near = stencils.near_on_way([&x, &to], along, [side(0), side(1)], 0.01);
        most += near.vertex_triangle.len();
        for k in 0..=8 {
            let at: Vec<DVec3> = x.iter().zip(&to).map(|(x, to)| x.lerp(*to, f64::from(k) / 8.0)).collect();
            let there = brute_force(&stencils, &at, pair, 0.01);
            let known = |all: &[([u32; 2], f64)], pair: &[u32; 2]| all.binary_search_by_key(pair, |(p, _)| *p).is_ok();
            assert!(there.vertex_triangle.iter().all(|(pair, _)| known(&near.vertex_triangle, pair)));
            assert!(there.edge_edge.iter().all(|(pair, _)| known(&near.edge_edge, pair)));
            found += there.vertex_triangle.len();
        }
    }
    [found, most]
}
