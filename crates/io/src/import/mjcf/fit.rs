//! Shapes fitted to meshes: those of the box with the inertia of the mesh, or of its bounds along the axes of inertia.

use drystone_model::{DMat3, DQuat, DVec3, MassProperties, Pose};

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
    (Pose::from_parts(mass.com, turned(axes)), sizes.into_iter().map(|size| size * scale).collect())
}

/// The same by the bounds of the mesh along its axes of inertia.
pub(super) fn bounded(kind: Kind, mass: &MassProperties, vertices: &[DVec3], scale: f64) -> (Pose, Vec<f64>) {
    let (_, axes) = mass.principal_axes();
    let frame = Pose::from_parts(mass.com, turned(axes));
    let back = frame.inverse();
    let own = || vertices.iter().map(|&vertex| back * vertex);
    let (low, high) = (own().reduce(DVec3::min).unwrap_or_default(), own().reduce(DVec3::max).unwrap_or_default());
    let half = (high - low) * 0.5;
    let round = half.x.max(half.y);
    let sizes = match kind {
        Kind::Sphere => vec![half.max_element()],
        Kind::Capsule => vec![round, (half.z - round).max(0.0)],
        Kind::Cylinder => vec![round, half.z],
        _ => half.to_array().into(),
    };
    let centre = Pose::from_translation((low + high) * 0.5);
    (frame * centre, sizes.into_iter().map(|size| size * scale).collect())
}

/// The frame of a shape whose z is the axis of the least moment, from axes by growing moments.
fn turned(axes: DQuat) -> DQuat {
    let axes = DMat3::from_quat(axes);
    DQuat::from_mat3(&DMat3::from_cols(axes.z_axis, axes.y_axis, -axes.x_axis)).normalize()
}
