//! Mass properties against closed forms, tessellations and each other.

use std::f64::consts::PI;

use drystone_geometry::mass::symmetric_eigen;
use drystone_geometry::{DMat3, DVec3, MassProperties, Pose, Shape, ShapeError, Tessellation};

use crate::common::{Random, assert_close, assert_near, hills, primitives, random_hull};

fn assert_same(a: &MassProperties, b: &MassProperties, relative: f64) {
    let size = (a.inertia.diagonal().max_element() / a.mass).sqrt();
    assert_close(a.mass, b.mass, relative * a.mass, "mass");
    assert_near(a.com, b.com, relative * size, "centre of mass");
    let gap = (a.inertia - b.inertia).abs().to_cols_array().into_iter().fold(0.0, f64::max);
    assert!(gap <= relative * a.mass * size * size, "inertia {} and {} differ", a.inertia, b.inertia);
}

/// Volume integrals of a solid of revolution by composite Gauss quadrature of its outline ρ(z): the analytic twin
/// of the closed forms, derived from nothing but the outline.
fn revolved(z0: f64, z1: f64, pieces: usize, rho: impl Fn(f64) -> f64) -> MassProperties {
    let nodes = [
        (0.0, 128.0 / 225.0),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    let (mut m, mut mz, mut mzz, mut axial) = (0.0, 0.0, 0.0, 0.0);
    let step = (z1 - z0) / pieces as f64;
    for piece in 0..pieces {
        for (x, w) in nodes {
            let z = z0 + step * (piece as f64 + 0.5 + 0.5 * x);
            let area = PI * rho(z).powi(2);
            let dm = 0.5 * step * w * area;
            m += dm;
            mz += dm * z;
            mzz += dm * z * z;
            axial += dm * 0.5 * rho(z).powi(2);
        }
    }
    let across = 0.5 * axial;
    let second = DMat3::from_diagonal(DVec3::new(across, across, mzz));
    MassProperties::from_moments(m, DVec3::Z * mz, second)
}

#[test]
fn primitives_match_quadrature_of_their_outlines() {
    let ball = |r: f64| move |z: f64| (r * r - z * z).max(0.0).sqrt();
    let sphere = Shape::sphere(0.7).unwrap().mass_properties(1.0).unwrap();
    assert_same(&sphere, &revolved(-0.7, 0.7, 8, ball(0.7)), 1e-12);
    let cylinder = Shape::cylinder(0.5, 0.8).unwrap().mass_properties(1.0).unwrap();
    assert_same(&cylinder, &revolved(-0.8, 0.8, 4, |_| 0.5), 1e-12);
    let cone = Shape::cone(0.6, 0.7).unwrap().mass_properties(1.0).unwrap();
    assert_same(&cone, &revolved(-0.7, 0.7, 4, |z| 0.6 * (0.7 - z) / 1.4), 1e-12);
    let capsule = Shape::capsule(0.4, 0.6).unwrap().mass_properties(1.0).unwrap();
    let shifted = |z: f64| Pose::from_translation(DVec3::Z * z);
    let parts = [
        revolved(-0.6, 0.6, 4, |_| 0.4),
        revolved(0.0, 0.4, 8, ball(0.4)).transformed(&shifted(0.6)),
        revolved(-0.4, 0.0, 8, ball(0.4)).transformed(&shifted(-0.6)),
    ];
    assert_same(&capsule, &parts.into_iter().sum(), 1e-12);
    let radii = DVec3::new(0.9, 0.4, 0.6);
    let ellipsoid = Shape::ellipsoid(radii).unwrap().mass_properties(1.0).unwrap();
    let unit = revolved(-1.0, 1.0, 8, ball(1.0));
    let stretch = DMat3::from_diagonal(radii);
    let volume = radii.element_product();
    let second = stretch * unit.second_moment() * stretch * volume;
    assert_same(&ellipsoid, &MassProperties::from_moments(unit.mass * volume, DVec3::ZERO, second), 1e-12);
}

#[test]
fn boxes_match_their_formula_and_their_mesh() {
    let half = DVec3::new(0.3, 0.9, 0.5);
    let shape = Shape::cuboid(half).unwrap();
    let solid = shape.mass_properties(1000.0).unwrap();
    assert_close(solid.mass, 1000.0 * 0.6 * 1.8 * 1.0, 1e-10, "mass");
    assert_close(solid.inertia.x_axis.x, solid.mass / 12.0 * (1.8 * 1.8 + 1.0), 1e-10, "inertia xx");
    let meshed = shape.to_mesh(&Tessellation::default()).mass_properties(1000.0).unwrap();
    assert_same(&solid, &meshed, 1e-14);
}

#[test]
fn mesh_integrals_do_not_depend_on_the_frame() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let shape = random_hull(&mut random, 30);
        let local = shape.mass_properties(700.0).unwrap();
        let mut mesh = shape.to_mesh(&Tessellation::default());
        let pose = Pose::from_parts(100.0 * random.vector(1.0), random.rotation());
        mesh.vertices.iter_mut().for_each(|v| *v = pose.transform_point(*v));
        assert_same(&local.transformed(&pose), &mesh.mass_properties(700.0).unwrap(), 1e-12);
    }
}

#[test]
fn a_cube_at_the_origin_corner_has_the_known_dyadic_moments() {
    let corners: Vec<_> = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
    let cube = Shape::hull(&corners).unwrap().mass_properties(1000.0).unwrap();
    let first = cube.mass * cube.com;
    let second = cube.second_moment() + DMat3::from_cols(first * cube.com.x, first * cube.com.y, first * cube.com.z);
    assert_close(cube.mass, 1000.0, 1e-9, "∫ρ");
    assert_near(first, DVec3::splat(500.0), 1e-9, "∫ρx");
    assert_close(second.x_axis.x, 1000.0 / 3.0, 1e-9, "∫ρxx");
    assert_close(second.x_axis.y, 250.0, 1e-9, "∫ρxy");
}

#[test]
fn tessellations_converge_to_the_closed_forms_quadratically() {
    for shape in primitives() {
        let exact = shape.mass_properties(1.0).unwrap();
        let error = |segments: usize| {
            let mesh = shape.to_mesh(&Tessellation { segments, ..Default::default() });
            (1.0 - mesh.mass_properties(1.0).unwrap().mass / exact.mass).abs()
        };
        let (coarse, fine) = (error(32), error(64));
        assert!(coarse < 0.02, "{shape:?}: {coarse}");
        assert!(fine < 0.26 * coarse || coarse < 1e-13, "{shape:?}: {coarse} → {fine}");
    }
}

#[test]
fn the_whole_is_the_sum_of_its_parts() {
    // A box cut in two unequal pieces, in a rotated frame.
    let mut random = Random::new(3);
    let pose = random.pose(3.0);
    let part = |half_x: f64, x: f64| {
        let piece = Shape::cuboid(DVec3::new(half_x, 0.5, 0.2)).unwrap().mass_properties(800.0).unwrap();
        piece.transformed(&Pose::from_translation(DVec3::X * x)).transformed(&pose)
    };
    let whole = part(1.0, 0.0);
    assert_same(&whole, &(part(0.25, -0.75) + part(0.75, 0.25)), 1e-14);
    assert_eq!(MassProperties::ZERO + whole, whole);
}

#[test]
fn principal_axes_rebuild_the_tensor() {
    let mut random = Random::new(5);
    for round in 0..200 {
        let moments = match round % 3 {
            0 => DVec3::new(1.0, 1.0, 1.0 + 1e-13),
            1 => DVec3::new(1e-9, 1.0, 1.0),
            _ => DVec3::new(random.unit(), 1.0 + random.unit(), 2.0),
        };
        let rotation = DMat3::from_quat(random.rotation());
        let inertia = rotation * DMat3::from_diagonal(moments) * rotation.transpose();
        let body = MassProperties { mass: 1.0, com: DVec3::ZERO, inertia: 0.5 * (inertia + inertia.transpose()) };
        let (found, axes) = body.principal_axes();
        assert_near(found, moments, 1e-14, "moments");
        let axes = DMat3::from_quat(axes);
        let rebuilt = axes * DMat3::from_diagonal(found) * axes.transpose();
        assert!(rebuilt.abs_diff_eq(body.inertia, 2e-14), "{rebuilt} {inertia}");
        let (_, vectors) = symmetric_eigen(body.inertia);
        assert_close(vectors.determinant(), 1.0, 1e-14, "handedness");
    }
}

#[test]
fn physical_tensors_are_told_from_impossible_ones() {
    let rod = MassProperties::centered(1.0, DVec3::new(1.0, 1.0, 0.0));
    assert!(rod.is_physical());
    assert!(!MassProperties::centered(1.0, DVec3::new(1.0, 1.0, 2.1)).is_physical());
    assert!(!MassProperties::centered(0.0, DVec3::ONE).is_physical());
    assert!(!MassProperties::centered(1.0, DVec3::new(f64::NAN, 1.0, 1.0)).is_physical());
}

#[test]
fn densities_and_unbounded_shapes_are_refused() {
    let ball = Shape::sphere(1.0).unwrap();
    assert_eq!(ball.mass_properties(-1.0), Err(ShapeError::BadDensity(-1.0)));
    assert!(matches!(ball.mass_properties(f64::NAN), Err(ShapeError::BadDensity(_))));
    for shape in [Shape::HalfSpace, hills()] {
        assert!(matches!(shape.mass_properties(1.0), Err(ShapeError::Unbounded { .. })));
    }
}
