//! Particles and elements.

use std::f64::consts::{FRAC_PI_2, PI};

use drystone_model::{
    BendMaterial, ClothGrid, DMat3, DQuat, DVec3, ElementMaterial, Entity, ModelBuilder, ParticleDef, ParticleId, Pose,
    SoftGrid, WORLD,
};

const MATERIAL: ElementMaterial = ElementMaterial { mu: 1e3, lambda: 2e3, damping: 0.1 };
const BEND: BendMaterial = BendMaterial { stiffness: 0.01, damping: 0.0 };

fn particles<const N: usize>(scene: &mut ModelBuilder, points: [DVec3; N]) -> [ParticleId; N] {
    points.map(|point| scene.add_particle(ParticleDef::new(point, 1.0)))
}

#[test]
fn the_rest_shape_of_a_triangle_is_undeformed() {
    let points = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(2.0, 2.5, 3.5), DVec3::new(0.5, 3.0, 4.0)];
    let mut scene = ModelBuilder::new();
    let ids = particles(&mut scene, points);
    scene.add_triangle(ids, MATERIAL);
    let model = scene.finalize().unwrap();
    let [a, b, c, d] = model.triangle_rest[0];
    let (along, other) = (points[1] - points[0], points[2] - points[0]);
    let (f0, f1) = (along * a + other * b, along * c + other * d);
    // The deformation gradient of the rest shape has orthonormal columns.
    assert!((f0.length() - 1.0).abs() < 1e-14 && (f1.length() - 1.0).abs() < 1e-14 && f0.dot(f1).abs() < 1e-14);
    assert!((model.triangle_area[0] - 0.5 * along.cross(other).length()).abs() < 1e-14);
    assert_eq!(model.triangle_material[0], [1e3, 2e3, 0.1]);
}

/// A sheet of two triangles folded by an angle about x, through the shared edge.
fn folded(angle: f64, flip: bool) -> f64 {
    let mut scene = ModelBuilder::new();
    let wing = DQuat::from_rotation_x(angle) * DVec3::Y;
    let [a, b, p, q] = particles(&mut scene, [DVec3::ZERO, DVec3::X, -DVec3::Y, wing]);
    let second = if flip { [q, a, b] } else { [q, b, a] };
    scene.add_edges(&[[p, b, a], second], BEND);
    let model = scene.finalize().unwrap();
    let edge = model.edge_particle.iter().position(|edge| edge[1] != WORLD).unwrap();
    assert_eq!(model.edge_particle[edge], [p.0, q.0, a.0, b.0]);
    assert_eq!(model.edge_length[edge], 1.0);
    assert_eq!(model.edge_particle.len(), 5);
    model.edge_angle[edge]
}

#[test]
fn edges_know_their_fold() {
    for angle in [0.0, 0.3, FRAC_PI_2, 3.0, -1.0] {
        // Normals turn about a→b = +x with the wing.
        assert!((folded(angle, false) - angle).abs() < 1e-14, "{angle}");
        assert_eq!(folded(angle, false), folded(angle, true));
    }
}

#[test]
fn tetrahedra_know_their_rest_shape_and_inverted_ones_are_refused() {
    let points = [DVec3::ONE, DVec3::new(2.0, 1.0, 1.0), DVec3::new(1.0, 3.0, 1.0), DVec3::new(1.5, 1.5, 4.0)];
    let mut scene = ModelBuilder::new();
    let [a, b, c, d] = particles(&mut scene, points);
    scene.add_tetrahedron([a, b, c, d], MATERIAL);
    let model = scene.finalize().unwrap();
    let edges = DMat3::from_cols(points[1] - points[0], points[2] - points[0], points[3] - points[0]);
    assert!((edges * model.tet_rest[0]).abs_diff_eq(DMat3::IDENTITY, 1e-14));
    assert!((1.0 / model.tet_rest[0].determinant() - 6.0).abs() < 1e-14);

    scene.add_tetrahedron([a, b, d, c], MATERIAL);
    let flat = scene.add_particle(ParticleDef::new(DVec3::new(2.0, 2.0, 1.0), 1.0));
    scene.add_tetrahedron([a, b, c, flat], MATERIAL);
    let faults = scene.finalize().unwrap_err().faults;
    assert_eq!(faults.iter().map(|fault| fault.entity).collect::<Vec<_>>(), [Entity::Tetrahedron; 2]);
    assert!(faults[0].problem.contains("inside out") && faults[1].problem.contains("no volume"));
}

#[test]
fn springs_rest_as_built() {
    let mut scene = ModelBuilder::new();
    let [a, b] = particles(&mut scene, [DVec3::ZERO, DVec3::new(3.0, 0.0, 4.0)]);
    scene.add_spring(a, b, 100.0, 1.0);
    let model = scene.finalize().unwrap();
    assert_eq!((model.spring_particle[0], model.spring_length[0]), ([0, 1], 5.0));
}

#[test]
fn a_cloth_grid_has_the_mass_of_its_area() {
    let mut scene = ModelBuilder::new();
    let grid = ClothGrid {
        pose: Pose::new(DVec3::Z, DVec3::new(0.3, 0.4, 0.5)),
        cells: [7, 4],
        size: [0.1, 0.2],
        density: 0.3,
        radius: 0.01,
        membrane: MATERIAL,
        bend: BEND,
    };
    let ids = scene.add_cloth_grid(&grid);
    let model = scene.finalize().unwrap();
    assert_eq!((ids.len(), model.triangle_particle.len()), (8 * 5, 2 * 7 * 4));
    // Euler: vertices − edges + faces = 1 for a disc.
    assert_eq!(model.particle_count() + model.triangle_particle.len() - model.edge_particle.len(), 1);
    let mass: f64 = model.particle_mass.iter().sum();
    assert!((mass / (0.3 * 0.7 * 0.8) - 1.0).abs() < 1e-13);
    assert!(model.edge_angle.iter().all(|angle| angle.abs() < 1e-12));
    let far = model.particle_q[ids[39].built_index()];
    assert!(far.distance(grid.pose.transform_point(DVec3::new(0.7, 0.8, 0.0))) < 1e-14);
}

#[test]
fn a_soft_grid_fills_its_box_and_its_surface_faces_outwards() {
    let mut scene = ModelBuilder::new();
    let material = ElementMaterial::solid(1e5, 0.3, 0.0);
    let (cells, size) = ([3, 2, 4], DVec3::new(0.1, 0.2, 0.3));
    let pose = Pose::new(DVec3::new(5.0, 1.0, -2.0), DVec3::new(0.3, 0.4, 0.5));
    let ids = scene.add_soft_grid(&SoftGrid { pose, cells, size, density: 500.0, radius: 0.01, material });
    scene.pin(ids[0]);
    let model = scene.finalize().unwrap();
    let volume = 24.0 * size.element_product();
    let tets: f64 = model.tet_rest.iter().map(|rest| 1.0 / (6.0 * rest.determinant())).sum();
    assert!((tets / volume - 1.0).abs() < 1e-13);
    assert_eq!(model.particle_mass[0], 0.0);
    // Two triangles per square of the surface; their enclosed volume is that of the box.
    assert_eq!(model.triangle_particle.len(), 2 * 2 * (3 * 2 + 2 * 4 + 3 * 4));
    let point = |particle: u32| model.particle_q[particle as usize];
    let enclosed: f64 =
        model.triangle_particle.iter().map(|[a, b, c]| point(*a).cross(point(*b)).dot(point(*c)) / 6.0).sum();
    assert!((enclosed / volume - 1.0).abs() < 1e-12);
    assert!((material.mu - 1e5 / 2.6).abs() < 1e-9 && (material.lambda - 1e5 * 0.3 / (1.3 * 0.4)).abs() < 1e-9);
}

#[test]
fn elements_that_make_no_sense_are_named() {
    let mut scene = ModelBuilder::new();
    let [a, b, c] = particles(&mut scene, [DVec3::ZERO, DVec3::X, DVec3::X * PI]);
    scene.add_triangle([a, b, c], MATERIAL);
    scene.add_spring(a, ParticleId(77), 1.0, 0.0);
    scene.add_spring(a, a, 1.0, 0.0);
    scene.add_spring(a, b, -1.0, 0.0);
    let other_world = scene.begin_world(DVec3::ZERO);
    assert_eq!(other_world.0, 1);
    let stranger = scene.add_particle(ParticleDef::new(DVec3::NAN, -1.0));
    scene.add_spring(a, stranger, 1.0, 0.0);
    let d = scene.add_particle(ParticleDef::new(DVec3::Y, 1.0));
    scene.add_edges(&[[stranger, d, ParticleId(99)]; 3], BEND);
    let error = scene.finalize().unwrap_err().to_string();
    for wanted in [
        "triangle (#0), particle: it has no area",
        "spring (#0), particle: particle 77 does not exist",
        "spring (#0), particle: particle 0 occurs twice",
        "spring (#1), stiffness: -1 is negative",
        "spring (#2), particle: its particles live in different worlds",
        "particle (#3), q: NaN is not a number",
        "particle (#3), mass: -1 is negative",
        "3 triangles share the edge",
    ] {
        assert!(error.contains(wanted), "`{wanted}` not in:\n{error}");
    }
}
