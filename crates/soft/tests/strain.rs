//! What elements say of their stretch.

use drystone_geometry::{DMat3, DQuat};
use drystone_model::{DVec3, ElementMaterial, ModelBuilder, ParticleDef};
use drystone_soft::{Elements, Matrix, Mesh};

/// The largest singular value of the map that a tetrahedron goes by, whatever the map; and what is shorter in all directions counts by its
/// shortening.
#[test]
fn a_tetrahedron_is_stretched_by_its_largest_singular_value() {
    let mut builder = ModelBuilder::new();
    let corners = [DVec3::ZERO, DVec3::new(0.3, 0.1, 0.0), DVec3::new(0.0, 0.4, 0.1), DVec3::new(0.1, 0.0, 0.5)];
    let ids = corners.map(|at| builder.add_particle(ParticleDef::new(at, 1.0)));
    builder.add_tetrahedron(ids, ElementMaterial { mu: 1e3, lambda: 1e3, damping: 0.0 });
    let model = builder.finalize().unwrap();
    let mesh = Mesh::new(&model);
    let mut elements = Elements::new(&model, &mesh, &Matrix::new(&mesh.neighbours));
    let turn = |angle: f64| DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(angle, 1.0 - angle, 0.5)));
    let cases = [[1.0, 1.0, 1.0], [1.2, 0.9, 1.1], [1.5, 1.5, 0.2], [3.0, 1.0, 1.0], [0.5, 0.7, 0.6], [1.1, 1.0, -0.4]];
    for (k, stretch) in cases.into_iter().enumerate() {
        let map = turn(k as f64) * DMat3::from_diagonal(DVec3::from_array(stretch)) * turn(0.3);
        let x: Vec<DVec3> = mesh.model.iter().map(|&particle| map * corners[particle as usize]).collect();
        elements.evaluate(&x, 0.01);
        let [largest, mean] = elements.strain().unwrap();
        let want = stretch.into_iter().map(f64::abs).fold(0.0, f64::max) - 1.0;
        // Near three equal values the angle of the closed form has half the digits.
        assert!(
            (largest - want.max(0.0)).abs() < 1e-7 && (mean - want.abs()).abs() < 1e-7,
            "{stretch:?}: {largest} {mean}"
        );
    }
}
