//! Where prims are: stacks of operations to maps, and maps to poses and scales.

use drystone_model::{DMat3, DQuat, DVec3, Pose};

use super::super::fault::Log;
use super::layer::Spec;

/// A linear map and an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine {
    pub(super) linear: DMat3,
    pub(super) offset: DVec3,
}

impl Affine {
    pub(super) const IDENTITY: Self = Self { linear: DMat3::IDENTITY, offset: DVec3::ZERO };

    fn linear(linear: DMat3) -> Self {
        Self { linear, offset: DVec3::ZERO }
    }

    pub(super) fn of(pose: Pose) -> Self {
        Self { linear: DMat3::from_quat(pose.rotation), offset: pose.translation }
    }

    pub(super) fn then(self, inner: Self) -> Self {
        Self { linear: self.linear * inner.linear, offset: self.point(inner.offset) }
    }

    pub(super) fn point(self, point: DVec3) -> DVec3 {
        self.linear * point + self.offset
    }

    fn inverse(self) -> Option<Self> {
        let determinant = self.linear.determinant();
        (determinant.abs() > 1e-30 && determinant.is_finite()).then(|| {
            let linear = self.linear.inverse();
            Self { linear, offset: -(linear * self.offset) }
        })
    }

    /// Rotation and scale along its axes; a reflection is a negative scale along x. `None` where nothing is left or axes
    /// are not perpendicular any more.
    pub(super) fn parts(self) -> Option<(Pose, DVec3)> {
        let columns = [self.linear.x_axis, self.linear.y_axis, self.linear.z_axis];
        let mut scale = DVec3::from_array(columns.map(DVec3::length));
        if !(scale.min_element() > 1e-12 && scale.is_finite() && self.offset.is_finite()) {
            return None;
        }
        let mut axes = [columns[0] / scale.x, columns[1] / scale.y, columns[2] / scale.z];
        let oblique = axes[0].dot(axes[1]).abs().max(axes[1].dot(axes[2]).abs()).max(axes[2].dot(axes[0]).abs());
        if oblique > 1e-4 {
            return None;
        }
        if self.linear.determinant() < 0.0 {
            axes[0] = -axes[0];
            scale.x = -scale.x;
        }
        // Single precision leaves axes not quite perpendicular.
        let y = (axes[1] - axes[0] * axes[0].dot(axes[1])).normalize();
        let rotation = DQuat::from_mat3(&DMat3::from_cols(axes[0], y, axes[0].cross(y))).normalize();
        Some((Pose::from_parts(self.offset, rotation), scale))
    }
}

/// The map of a prim in the frame of its parent, and whether it leaves that frame behind.
pub(super) fn local(spec: &Spec, log: &mut Log) -> (Affine, bool) {
    let (mut map, mut apart) = (Affine::IDENTITY, false);
    for operation in spec.tokens("xformOpOrder") {
        if operation == "!resetXformStack!" {
            (map, apart) = (Affine::IDENTITY, true);
            continue;
        }
        let (name, inverse) = match operation.strip_prefix("!invert!") {
            Some(name) => (name, true),
            None => (operation, false),
        };
        let step = self::operation(spec, name, log);
        let step = if inverse { step.and_then(Affine::inverse) } else { step };
        match step {
            Some(step) => map = map.then(step),
            None => {
                log.fault(spec.place, format!("{}: `{name}` is no operation with a value", spec.called()), OPERATIONS)
            }
        }
    }
    (map, apart)
}

const OPERATIONS: &str = "use translate, scale, orient, transform, rotateX, rotateY, rotateZ, rotateXYZ and its like";

fn operation(spec: &Spec, name: &str, log: &mut Log) -> Option<Affine> {
    let kind = name.strip_prefix("xformOp:")?.split(':').next()?;
    if let Some(axes) = kind.strip_prefix("rotate") {
        let turns: Vec<char> = axes.chars().collect();
        let angles = match turns.len() {
            1 => vec![spec.number(log, name)?],
            3 => spec.numbers::<3>(log, name)?.to_vec(),
            _ => return None,
        };
        // The first axis turns first; angles stand in the order x, y, z.
        let mut rotation = DQuat::IDENTITY;
        for axis in &turns {
            let index = "XYZ".find(*axis)?;
            let angle = angles.get(index).or(angles.first())?.to_radians();
            rotation = DQuat::from_axis_angle(DVec3::AXES[index], angle) * rotation;
        }
        return Some(Affine::linear(DMat3::from_quat(rotation)));
    }
    match kind {
        "translate" => Some(Affine { linear: DMat3::IDENTITY, offset: spec.vector(log, name)? }),
        "scale" => Some(Affine::linear(DMat3::from_diagonal(spec.vector(log, name)?))),
        "orient" => Some(Affine::linear(DMat3::from_quat(spec.rotation(log, name)?))),
        "transform" => spec.matrix(log, name),
        _ => None,
    }
}
