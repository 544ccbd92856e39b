//! Solids in tetrahedra.

use drystone_geometry::fill::boundary;
use drystone_geometry::{DMat3, DQuat, DVec3, FillError, MeshFault, Shape, Tessellation, TetMesh, TriMesh};

fn solids() -> Vec<(&'static str, TriMesh)> {
    let fine = Tessellation::default();
    let turned = |mut mesh: TriMesh| {
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.3, -0.7, 0.4)));
        mesh.vertices.iter_mut().for_each(|v| *v = turn * *v + DVec3::new(3.0, -2.0, 5.0));
        mesh
    };
    vec![
        ("ball", Shape::sphere(0.5).unwrap().to_mesh(&fine)),
        ("box", Shape::cuboid(DVec3::new(0.5, 0.4, 0.3)).unwrap().to_mesh(&fine)),
        ("box askew", turned(Shape::cuboid(DVec3::new(0.5, 0.4, 0.3)).unwrap().to_mesh(&fine))),
        ("cone", turned(Shape::cone(0.5, 0.6).unwrap().to_mesh(&fine))),
        ("cylinder", Shape::cylinder(0.4, 0.5).unwrap().to_mesh(&fine)),
    ]
}

/// The smallest and the largest angle between two faces of a tetrahedron, in degrees.
fn angles(mesh: &TetMesh) -> [f64; 2] {
    let mut range = [180.0f64, 0.0];
    for corners in &mesh.tetrahedra {
        let p = corners.map(|c| mesh.points[c as usize]);
        for (i, j, k, l) in [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1)] {
            let edge = (p[j] - p[i]).normalize();
            let [u, v] = [p[k] - p[i], p[l] - p[i]].map(|way| way.reject_from_normalized(edge));
            let angle = u.angle_between(v).to_degrees();
            range = [range[0].min(angle), range[1].max(angle)];
        }
    }
    range
}

/// Volume inside the surface and of the tetrahedra are one; all are the right way round; the surface bounds a solid.
#[test]
fn a_filled_solid_is_a_solid() {
    for (name, surface) in solids() {
        let soft = TetMesh::fill(&surface, 0.12).unwrap();
        for corners in &soft.tetrahedra {
            let [a, b, c, d] = corners.map(|corner| soft.points[corner as usize]);
            assert!((b - a).cross(c - a).dot(d - a) > 0.0, "{name}: inside out");
        }
        let skin = soft.surface();
        let used = TriMesh { vertices: skin.vertices.clone(), triangles: boundary(&soft.tetrahedra) };
        used.check().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let volume = skin.solid_moments().volume;
        assert!((volume - soft.volume()).abs() < 1e-12 * volume, "{name}: {volume} of {}", soft.volume());
    }
}

/// Every point of its surface lies on the surface that was filled.
#[test]
fn its_surface_is_the_one_that_was_filled() {
    for (name, surface) in solids() {
        let tree = drystone_geometry::mesh::MeshTree::new(surface.into()).unwrap();
        let soft = TetMesh::fill(tree.mesh(), 0.1).unwrap();
        for corner in soft.surface().triangles.into_iter().flatten() {
            let off = tree.project(soft.points[corner as usize]).0.distance.abs();
            assert!(off < 1e-8, "{name}: {off}");
        }
    }
}

/// What edges and curves lose shrinks with the square of the cells.
#[test]
fn the_volume_converges() {
    for (name, surface) in solids() {
        let volume = surface.solid_moments().volume;
        let missed = [0.12, 0.06].map(|cell| 1.0 - TetMesh::fill(&surface, cell).unwrap().volume() / volume);
        assert!(missed[0].abs() < 0.05 && missed[1].abs() < 0.4 * missed[0].abs(), "{name}: {missed:?}");
    }
}

/// No tetrahedron is flat, wherever the surface passes.
#[test]
fn no_angle_is_small() {
    for (name, surface) in solids() {
        for cell in [0.15, 0.11, 0.08, 0.06] {
            let [small, large] = angles(&TetMesh::fill(&surface, cell).unwrap());
            println!("{name} {cell}: {small:.1}° to {large:.1}°");
            assert!(small > 8.0 && large < 166.0, "{name}: {small}° to {large}°");
        }
    }
}

/// The same solid somewhere else, of another size, is cut alike.
#[test]
fn place_and_size_do_not_matter() {
    let ball = Shape::sphere(0.5).unwrap().to_mesh(&Tessellation::default());
    let near = TetMesh::fill(&ball, 0.13).unwrap();
    let far = TriMesh { vertices: ball.vertices.iter().map(|v| *v * 8.0).collect(), ..ball };
    let far = TetMesh::fill(&far, 8.0 * 0.13).unwrap();
    assert_eq!(near.tetrahedra, far.tetrahedra);
    for (one, other) in near.points.iter().zip(&far.points) {
        assert!((*one * 8.0 - *other).length() < 1e-7);
    }
}

#[test]
fn what_cannot_be_filled_is_refused() {
    let ball = Shape::sphere(0.5).unwrap().to_mesh(&Tessellation::default());
    for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(TetMesh::fill(&ball, cell), Err(FillError::BadCell(_))));
    }
    assert!(matches!(TetMesh::fill(&ball, 1e-4), Err(FillError::TooMany { .. })));
    let plate = Shape::cuboid(DVec3::new(1.0, 1.0, 0.01)).unwrap().to_mesh(&Tessellation::default());
    assert!(matches!(TetMesh::fill(&plate, 0.3), Err(FillError::Coarse { .. })));
    let mut open = ball;
    open.triangles.pop();
    assert!(matches!(TetMesh::fill(&open, 0.1), Err(FillError::Surface(MeshFault::Open { .. }))));
}
