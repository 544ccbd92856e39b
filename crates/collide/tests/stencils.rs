//! Mesh stencils and step bounds against all pairs.

mod support;

use drystone_collide::Stencils;
use drystone_geometry::ccd::Ccd;
use drystone_geometry::distance::{edge_edge, point_triangle};
use drystone_geometry::{DVec3, Shape, Tessellation};
use drystone_model::BodyKind;
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

/// All pairs whose distance at the start is no more than `distance` and what their motion can close.
fn brute_force(
    scene: &Scene,
    stencils: &Stencils,
    x: &[DVec3],
    dx: &[DVec3],
    distance: f64,
) -> (Vec<[u32; 2]>, Vec<[u32; 2]>) {
    let at = |v: u32| x[v as usize];
    let far = |vertices: &[u32]| vertices.iter().map(|&v| dx[v as usize].length()).fold(0.0, f64::max);
    let (mut vertex_triangle, mut edges) = (Vec::new(), Vec::new());
    for v in 0..x.len() as u32 {
        for (t, corners) in stencils.triangle_vertex.iter().enumerate() {
            let reach = distance + far(&[v]) + far(corners);
            let squared = point_triangle::distance_squared(at(v), corners.map(at));
            if meet(scene, stencils, v, corners[0]) && squared <= reach * reach {
                vertex_triangle.push([v, t as u32]);
            }
        }
    }
    for (i, first) in stencils.edge_vertex.iter().enumerate() {
        for (j, second) in stencils.edge_vertex.iter().enumerate().skip(i + 1) {
            let reach = distance + far(first) + far(second);
            let squared = edge_edge::distance_squared(first.map(at), second.map(at));
            if meet(scene, stencils, first[0], second[0]) && squared <= reach * reach {
                edges.push([i as u32, j as u32]);
            }
        }
    }
    (vertex_triangle, edges)
}

#[test]
fn near_pairs_are_those_of_brute_force() {
    let coarse = Tessellation { segments: 6, ..Tessellation::default() };
    let mut found = 0;
    for seed in 0..2 {
        let scene = scene(seed);
        let mut stencils = Stencils::new(&scene.model, &coarse);
        let mut x = Vec::new();
        stencils.rigid_positions(&scene.state(), &mut x);
        let still = vec![DVec3::ZERO; x.len()];
        for distance in [0.02, 0.1] {
            stencils.refresh(&x, distance);
            let expected = brute_force(&scene, &stencils, &x, &still, distance);
            assert!(stencils.vertex_triangle == expected.0 && stencils.edge_edge == expected.1);
            found += expected.0.len() + expected.1.len();
        }
    }
    assert!(found > 500, "only {found} pairs");
}

#[test]
fn swept_pairs_miss_nothing_that_can_come_near() {
    let coarse = Tessellation { segments: 6, ..Tessellation::default() };
    let scene = scene(5);
    let mut stencils = Stencils::new(&scene.model, &coarse);
    let mut x = Vec::new();
    stencils.rigid_positions(&scene.state(), &mut x);
    let mut random = Random::new(8);
    for _ in 0..2 {
        let step: Vec<DVec3> = (0..scene.model.body_count()).map(|_| random.vector(0.2)).collect();
        let dx: Vec<DVec3> = stencils.vertex_body.iter().map(|&body| step[body as usize]).collect();
        stencils.refresh_swept(&x, &dx, 0.01);
        let (vertex_triangle, edges) = brute_force(&scene, &stencils, &x, &dx, 0.01);
        assert!(stencils.vertex_triangle.iter().all(|pair| vertex_triangle.contains(pair)));
        assert!(stencils.edge_edge.iter().all(|pair| edges.contains(pair)));
        // Boxes leave out pairs that pass each other; whatever is near at any time must be there.
        for k in 0..=8 {
            let t = f64::from(k) / 8.0;
            let moved: Vec<DVec3> = x.iter().zip(&dx).map(|(x, dx)| *x + *dx * t).collect();
            let still = vec![DVec3::ZERO; x.len()];
            let (near_vt, near_ee) = brute_force(&scene, &stencils, &moved, &still, 0.01);
            assert!(near_vt.iter().all(|pair| stencils.vertex_triangle.binary_search(pair).is_ok()));
            assert!(near_ee.iter().all(|pair| stencils.edge_edge.binary_search(pair).is_ok()));
        }
    }
}

/// Two boxes that approach face to face may go nine tenths of the gap, and only the gap counts.
#[test]
fn the_step_is_bounded_by_the_gap() {
    let mut scene = Scene::new(DVec3::ZERO);
    scene.add(cube(0.5), support::at(0.0, 0.0, 0.0));
    scene.add(cube(0.5), support::at(0.1, 0.1, 1.5));
    let mut stencils = Stencils::new(&scene.model, &Tessellation::default());
    let mut x = Vec::new();
    stencils.rigid_positions(&scene.state(), &mut x);
    let moves = |dz: f64| -> Vec<DVec3> {
        stencils.vertex_body.iter().map(|&body| DVec3::new(0.0, 0.0, if body == 1 { dz } else { 0.0 })).collect()
    };
    let (towards, short, away) = (moves(-1.0), moves(-0.4), moves(1.0));
    let ccd = Ccd::default();
    let bound = stencils.step_bound(&x, &towards, &ccd);
    assert!((0.44..0.5).contains(&bound), "{bound}");
    assert_eq!(stencils.step_bound(&x, &short, &ccd), 1.0);
    assert_eq!(stencils.step_bound(&x, &away, &ccd), 1.0);
    let shy = Ccd { min_separation: 0.2, ..ccd };
    let bound = stencils.step_bound(&x, &towards, &shy);
    assert!((0.25..0.3).contains(&bound), "{bound}");
}
