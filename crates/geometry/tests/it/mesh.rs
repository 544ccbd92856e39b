//! Faults are found and named; repairs repair.

use std::sync::Arc;

use drystone_geometry::mesh::MeshTree;
use drystone_geometry::{DVec3, MeshFault, Pose, Ray, Shape, Tessellation, TriMesh};

use crate::common::{Random, assert_close, assert_near, primitives};

fn cube() -> TriMesh {
    Shape::cuboid(DVec3::ONE).unwrap().to_mesh(&Tessellation::default())
}

fn appended(a: &TriMesh, b: &TriMesh) -> TriMesh {
    let offset = a.vertices.len() as u32;
    let moved = b.triangles.iter().map(|t| t.map(|v| v + offset));
    TriMesh {
        vertices: [a.vertices.clone(), b.vertices.clone()].concat(),
        triangles: a.triangles.iter().copied().chain(moved).collect(),
    }
}

fn scaled(mesh: &TriMesh, scale: f64, offset: DVec3) -> TriMesh {
    let vertices = mesh.vertices.iter().map(|v| scale * *v + offset).collect();
    TriMesh { vertices, triangles: mesh.triangles.clone() }
}

/// Every triangle with its own corners, as STL files have it, each moved a little.
fn soup(mesh: &TriMesh, noise: f64) -> TriMesh {
    let mut random = Random::new(1);
    TriMesh {
        vertices: mesh.all_corners().flatten().map(|p| p + noise * random.vector(1.0)).collect(),
        triangles: (0..mesh.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
    }
}

#[test]
fn every_fault_is_named_with_its_place() {
    assert_eq!(TriMesh::default().check(), Err(MeshFault::Empty));
    let mut mesh = cube();
    mesh.vertices[3].x = f64::NAN;
    assert!(matches!(mesh.check(), Err(MeshFault::NotFinite { vertex: 3, .. })));
    let mut mesh = cube();
    mesh.triangles[4][1] = 99;
    assert_eq!(mesh.check(), Err(MeshFault::BadIndex { triangle: 4, vertex: 99, count: 8 }));
    let mut mesh = cube();
    mesh.triangles[5][1] = mesh.triangles[5][0];
    assert_eq!(mesh.check(), Err(MeshFault::Degenerate { triangle: 5 }));
    let mut mesh = cube();
    mesh.triangles.remove(2);
    assert!(matches!(mesh.check(), Err(MeshFault::Open { open_edges: 3, .. })));
    let mut mesh = cube();
    mesh.triangles[6].swap(0, 1);
    assert!(matches!(mesh.check(), Err(MeshFault::Winding { triangles, .. }) if triangles.contains(&6)));
    assert!(matches!(cube().flipped().check(), Err(MeshFault::InsideOut { volume, .. }) if volume == -8.0));
    let mut mesh = cube();
    let fin = mesh.vertices.len() as u32;
    mesh.vertices.push(DVec3::splat(3.0));
    let [a, b, _] = mesh.triangles[0];
    mesh.triangles.push([a, b, fin]);
    assert!(matches!(mesh.check(), Err(MeshFault::NonManifoldEdge { count: 3, .. })));
    let sheet = TriMesh { vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y], triangles: vec![[0, 1, 2], [0, 2, 1]] };
    assert_eq!(sheet.check(), Err(MeshFault::NoVolume { triangle: 0 }));
    for fault in [cube().flipped().check().unwrap_err(), sheet.check().unwrap_err()] {
        assert!(fault.to_string().contains("TriMesh::"), "names the repair: {fault}");
    }
}

#[test]
fn cubes_touching_in_a_corner_are_split() {
    let mut mesh = appended(&cube(), &scaled(&cube(), 1.0, DVec3::splat(2.0)));
    // Corner 7 of the first is corner 0 of the second.
    mesh.triangles.iter_mut().flatten().filter(|v| **v == 8).for_each(|v| *v = 7);
    assert_eq!(mesh.check(), Err(MeshFault::NonManifoldVertex { vertex: 7 }));
    let split = mesh.split_at_pinches().unwrap();
    assert_eq!(split.check(), Ok(()));
    assert_close(split.solid_moments().volume, 16.0, 1e-12, "volume");
}

#[test]
fn cavities_face_inwards_and_everything_else_outwards() {
    let (hole, core) = (scaled(&cube(), 0.5, DVec3::ZERO), scaled(&cube(), 0.25, DVec3::ZERO));
    let aside = scaled(&cube(), 1.0, DVec3::X * 5.0);
    let right = appended(&appended(&appended(&cube(), &hole.flipped()), &core), &aside);
    assert_eq!(right.check(), Ok(()));
    assert_close(right.mass_properties(1.0).unwrap().mass, 8.0 - 1.0 + 0.125 + 8.0, 1e-12, "mass with a cavity");
    let mut random = Random::new(2);
    for _ in 0..20 {
        let mut wrong = right.clone();
        for t in &mut wrong.triangles {
            if random.bits() & 1 == 0 {
                t.swap(0, 2);
            }
        }
        assert!(wrong.check().is_err());
        let repaired = wrong.oriented().unwrap();
        assert_eq!(repaired.check(), Ok(()));
        assert_close(repaired.solid_moments().volume, 15.125, 1e-12, "volume");
    }
    let inverted_part = appended(&cube(), &aside.flipped());
    assert!(matches!(inverted_part.check(), Err(MeshFault::InsideOut { triangle: 12, .. })));
}

#[test]
fn welding_closes_triangle_soup_at_any_scale() {
    for shape in primitives() {
        let mesh = shape.to_mesh(&Tessellation { segments: 12, ..Default::default() });
        for scale in [1e-6, 1.0, 1e6] {
            let noisy = scaled(&soup(&mesh, 1e-9), scale, DVec3::splat(3.0 * scale));
            assert!(matches!(noisy.check(), Err(MeshFault::Open { .. })));
            assert!(noisy.welded(0.0).unwrap().check().is_err(), "nothing is equal");
            let welded = noisy.welded(1e-7).unwrap();
            assert_eq!(welded.check(), Ok(()));
            assert_eq!((welded.vertices.len(), welded.triangles.len()), (mesh.vertices.len(), mesh.triangles.len()));
        }
        assert_eq!(soup(&mesh, 0.0).welded(0.0).unwrap().check(), Ok(()));
    }
    let mut mesh = cube();
    mesh.triangles.push([0, 0, 1]);
    assert_eq!(mesh.welded(0.0).unwrap(), cube(), "triangles without area go");
}

#[test]
fn a_moebius_strip_has_no_outside() {
    let n = 12;
    let at = |k: u32, side: f64| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(n);
        let (sin, cos) = angle.sin_cos();
        let (half_sin, half_cos) = (0.5 * angle).sin_cos();
        DVec3::new(cos, sin, 0.0) * (1.0 + side * half_cos) + DVec3::Z * (side * half_sin)
    };
    let mut mesh = TriMesh::default();
    for k in 0..n {
        mesh.vertices.extend([at(k, -0.2), at(k, 0.2)]);
        let (a, b) = (2 * k, 2 * k + 1);
        let (c, d) = if k + 1 < n { (a + 2, b + 2) } else { (1, 0) };
        mesh.triangles.extend([[a, c, b], [b, c, d]]);
    }
    assert!(matches!(mesh.oriented(), Err(MeshFault::OneSided { .. })));
}

/// A square sheet, bent by `bend` along x.
fn sheet(n: usize, bend: f64) -> TriMesh {
    let at = |i: usize| {
        let (x, y) = ((i % n) as f64 / (n - 1) as f64, (i / n) as f64 / (n - 1) as f64);
        if bend == 0.0 {
            DVec3::new(x, y, 0.0)
        } else {
            DVec3::new((bend * x).sin() / bend, y, (bend * x).cos() / bend)
        }
    };
    let mut mesh = TriMesh { vertices: (0..n * n).map(at).collect(), triangles: Vec::new() };
    for row in 0..n as u32 - 1 {
        for column in 0..n as u32 - 1 {
            let a = row * n as u32 + column;
            let (b, c, d) = (a + 1, a + n as u32 + 1, a + n as u32);
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

#[test]
fn flat_sheets_thicken_to_exact_plates() {
    let thickness = 0.01;
    let (sheet, plate) = (sheet(5, 0.0), Shape::cuboid(DVec3::new(0.5, 0.5, 0.5 * thickness)).unwrap());
    let expected = plate.mass_properties(700.0).unwrap();
    let solid = sheet.thickened(thickness).unwrap().mass_properties(700.0).unwrap();
    let shell = sheet.shell_mass_properties(700.0, thickness).unwrap();
    for found in [solid, shell] {
        assert_close(found.mass, expected.mass, 1e-12, "mass");
        assert_near(found.com, DVec3::new(0.5, 0.5, 0.0), 1e-13, "centre");
        assert!(found.inertia.abs_diff_eq(expected.inertia, 1e-13), "{} {}", found.inertia, expected.inertia);
        assert!(found.is_physical());
    }
}

#[test]
fn bent_sheets_and_closed_surfaces_thicken_to_about_area_times_thickness() {
    let bent = sheet(30, 1.5);
    let solid = bent.thickened(0.01).unwrap();
    assert_eq!(solid.check(), Ok(()));
    assert_close(solid.solid_moments().volume, 0.01 * bent.area(), 1e-5, "volume");
    let ball = Shape::sphere(1.0).unwrap().to_mesh(&Tessellation { segments: 64, ..Default::default() });
    let hollow = ball.thickened(0.02).unwrap();
    assert_close(hollow.solid_moments().volume / (0.02 * ball.area()), 1.0, 1e-3, "hollow ball");
    assert_eq!(hollow.components().len(), 2);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(bent.thickened(bad), Err(MeshFault::BadThickness(_))));
    }
}

/// A torus: concave and not simply connected.
fn torus() -> TriMesh {
    let (n, m) = (24u32, 12u32);
    let mut mesh = TriMesh::default();
    for i in 0..n {
        for j in 0..m {
            let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(m));
            let ((su, cu), (sv, cv)) = ((std::f64::consts::TAU * u).sin_cos(), (std::f64::consts::TAU * v).sin_cos());
            let r = 1.0 + 0.4 * cv;
            mesh.vertices.push(DVec3::new(r * cu, r * su, 0.4 * sv));
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

#[test]
fn the_tree_answers_like_the_plain_mesh() {
    let mut random = Random::new(3);
    for mesh in [torus(), cube(), appended(&cube(), &scaled(&cube(), 0.5, DVec3::ZERO).flipped())] {
        let shape = Shape::mesh(mesh.clone()).unwrap();
        let tree = MeshTree::new(Arc::new(mesh)).unwrap();
        for _ in 0..300 {
            let point = 1.6 * random.vector(1.0);
            let (fast, slow) = (tree.project(point).0, shape.project(&Pose::IDENTITY, point));
            assert_close(fast.distance, slow.distance, 1e-14, "signed distance");
            assert_near(fast.normal, slow.normal, 1e-6, "normal");
            assert_eq!(tree.contains(point), slow.distance < 0.0);
            let ray = Ray::new(point, random.direction());
            let (fast, slow) = (tree.cast_ray(&ray, 2.0), shape.cast_ray(&Pose::IDENTITY, &ray, 2.0));
            assert_eq!(fast.map(|h| h.0.time), slow.map(|h| h.time));
        }
    }
}

#[test]
fn no_ray_slips_through_an_edge_or_a_vertex() {
    for mesh in [cube(), torus(), primitives()[5].to_mesh(&Tessellation { segments: 20, ..Default::default() })] {
        let tree = MeshTree::new(Arc::new(mesh.clone())).unwrap();
        let middles = mesh.edges().into_iter().map(|e| {
            let [a, b] = e.map(|v| mesh.vertices[v as usize]);
            0.5 * (a + b)
        });
        let inside = [DVec3::new(0.013, 0.97, 0.011), DVec3::new(0.3, -0.02, 0.1)].into_iter();
        let origins: Vec<DVec3> = inside.filter(|p| tree.contains(*p)).collect();
        assert!(!origins.is_empty(), "no ray starts inside");
        for origin in origins {
            for target in mesh.vertices.iter().copied().chain(middles.clone()) {
                let ray = Ray::new(origin, target - origin);
                assert!(tree.cast_ray(&ray, f64::INFINITY).is_some(), "slipped through at {target}");
            }
        }
    }
}
