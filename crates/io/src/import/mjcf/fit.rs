//! Shapes fitted to meshes: those of the box with the inertia of the mesh.

use drystone_model::{DMat3, DQuat, MassProperties, Pose};

use super::geom::Kind;

/// The shape of a kind for a mesh of this mass: its pose in the frame of the mesh, and its sizes.
pub(super) fn fitted(kind: Kind, mass: &MassProperties, scale: f64) -> (Pose, Vec<f64>) {
    // The least moment belongs to the longest side.
    let (moments, axes) = mass.principal_axes();
    let half = |moment: f64| 0.5 * (6.0 * (moments.element_sum() - 2.0 * moment) / mass.mass).max(0.0).sqrt();
    let [longest, middle, shortest] = moments.to_array().map(half);
    let round = 0.5 * (shortest + middle);
    let sizes = match kind {
        Kind::Sphere => vec![(shortest + middle + longest) / 3.0],
        Kind::Capsule => vec![round, (longest - 0.5 * round).max(0.0)],
        Kind::Cylinder => vec![round, longest],
        _ => vec![shortest, middle, longest],
    };
    let axes = DMat3::from_quat(axes);
    let turn = DQuat::from_mat3(&DMat3::from_cols(axes.z_axis, axes.y_axis, -axes.x_axis)).normalize();
    (Pose::from_parts(mass.com, turn), sizes.into_iter().map(|size| size * scale).collect())
}
