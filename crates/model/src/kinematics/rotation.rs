//! Rotations as coordinates: rotation vectors, twist about one axis, intrinsic x-y-z angles; and
//! the maps between coordinate rates and angular velocity. Everything is relative to the parent
//! joint frame: `rotation` takes child-frame vectors to parent-frame ones.

use drystone_kernels::elementary::{atan2, cos, hypot, sin, sin_cos, tan};
use std::f64::consts::{PI, TAU};

use drystone_geometry::{DMat3, DQuat, DVec3};

use crate::joint::{AxisMode, JointKind};

/// Below this angle \[rad\] the closed forms lose digits to cancellation and the series, cut where
/// their terms fall under `f64` resolution, take over.
pub(super) const SERIES_ANGLE: f64 = 0.25;

/// Sine below which two axes of an x-y-z triple count as aligned: only their sum is then defined.
const GIMBAL: f64 = 1e-12;

/// How the rotation of a joint is written as three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// One free axis (0, 1, 2): the turn about it; the other two numbers are the rotation vector of
    /// what is left, zero when the joint is closed.
    Twist(usize),
    /// Two or three free axes: intrinsic turns about x, then the new y, then the new z.
    Euler,
    /// Rotation vector.
    Vector,
}

impl Chart {
    /// The chart of a joint.
    pub fn of(kind: JointKind, axes: &[AxisMode; 6]) -> Self {
        if matches!(kind, JointKind::Ball | JointKind::Free | JointKind::Rod | JointKind::Distance | JointKind::Cone) {
            return Self::Vector;
        }
        let mut free = (0..3).filter(|axis| axes[3 + axis] == AxisMode::Free);
        match (free.next(), free.next()) {
            (None, _) => Self::Vector,
            (Some(axis), None) => Self::Twist(axis),
            (Some(_), Some(_)) => Self::Euler,
        }
    }

    /// The rotation with the given coordinates \[rad\].
    pub fn rotation(self, angles: DVec3) -> DQuat {
        match self {
            Self::Vector => exp(angles),
            Self::Twist(axis) => {
                let (turn, swing) = split(angles, axis);
                exp(swing) * exp(turn)
            }
            Self::Euler => {
                DQuat::from_rotation_x(angles.x) * DQuat::from_rotation_y(angles.y) * DQuat::from_rotation_z(angles.z)
            }
        }
    }

    /// The coordinates of a rotation \[rad\] on the branch nearest to `hint`, so that full turns
    /// are kept when the hint is the value a moment before.
    pub fn angles(self, rotation: DQuat, hint: DVec3) -> DVec3 {
        match self {
            Self::Vector => vector_near(log(rotation), hint),
            Self::Twist(axis) => twist_near(rotation, axis, hint),
            Self::Euler => euler_near(rotation, hint),
        }
    }

    /// What [`Chart::angles`] needs as its hint next time: the same, without the error of locked
    /// axes where that costs extra.
    pub fn turns(self, rotation: DQuat, hint: DVec3) -> DVec3 {
        match self {
            Self::Twist(axis) => DVec3::AXES[axis] * twist_angle(rotation, axis, hint[axis]),
            Self::Vector | Self::Euler => self.angles(rotation, hint),
        }
    }

    /// Angular velocity of the child in the parent frame \[rad/s\] from coordinates and their rates.
    pub fn velocity(self, angles: DVec3, rates: DVec3) -> DVec3 {
        match self {
            Self::Vector => left_jacobian(angles, rates),
            Self::Twist(axis) => {
                let (_, swing) = split(angles, axis);
                let (turn_rate, swing_rate) = split(rates, axis);
                left_jacobian(swing, swing_rate) + exp(swing) * turn_rate
            }
            Self::Euler => euler_axes(angles) * rates,
        }
    }

    /// Rates of the coordinates from the angular velocity of the child in the parent frame \[rad/s\].
    pub fn rates(self, angles: DVec3, velocity: DVec3) -> DVec3 {
        RateMap::new(self, angles).rates(velocity)
    }

    /// Rates of the coordinates where the child turns about x, about y and about z of the parent frame.
    pub fn rates_about_axes(self, angles: DVec3) -> [DVec3; 3] {
        let map = RateMap::new(self, angles);
        DVec3::AXES.map(|axis| map.rates(axis))
    }
}

/// How angular velocities become rates of the coordinates, at given angles.
enum RateMap {
    Vector(InverseJacobian),
    Twist { axis: usize, rotation: DQuat, swing: InverseJacobian, along: DVec3 },
    Euler(DMat3),
}

impl RateMap {
    fn new(chart: Chart, angles: DVec3) -> Self {
        match chart {
            Chart::Vector => Self::Vector(InverseJacobian::new(angles)),
            Chart::Twist(axis) => {
                let (_, swing) = split(angles, axis);
                let (rotation, along) = (chart.rotation(angles), exp(swing) * DVec3::AXES[axis]);
                Self::Twist { axis, rotation, swing: InverseJacobian::new(swing), along }
            }
            Chart::Euler => Self::Euler(euler_axes(angles).inverse()),
        }
    }

    fn rates(&self, velocity: DVec3) -> DVec3 {
        match self {
            Self::Vector(inverse) => inverse.rate(velocity),
            Self::Twist { axis, rotation, swing, along } => {
                let turn_rate = twist_rate(*rotation, *axis, velocity);
                DVec3::AXES[*axis] * turn_rate + swing.rate(velocity - *along * turn_rate)
            }
            Self::Euler(inverse) => *inverse * velocity,
        }
    }
}

/// The rotation by a rotation vector \[rad\].
pub fn exp(vector: DVec3) -> DQuat {
    DQuat::from_scaled_axis(vector)
}

/// The rotation vector of a rotation \[rad\], at most π long; exact for the smallest angles too.
pub fn log(rotation: DQuat) -> DVec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = rotation.xyz();
    let sine = axis.length();
    if sine > 0.0 { axis * (2.0 * atan2(sine, rotation.w) / sine) } else { axis * 2.0 }
}

/// Rate of a rotation vector to angular velocity (of the moved frame, in fixed axes).
pub fn left_jacobian(vector: DVec3, rate: DVec3) -> DVec3 {
    let angle = vector.length();
    let square = angle * angle;
    let (first, second) = if angle < SERIES_ANGLE {
        (
            0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square * (1.0 / 40_320.0 - square / 3_628_800.0))),
            1.0 / 6.0
                - square
                    * (1.0 / 120.0 - square * (1.0 / 5_040.0 - square * (1.0 / 362_880.0 - square / 39_916_800.0))),
        )
    } else {
        ((1.0 - cos(angle)) / square, (angle - sin(angle)) / (square * angle))
    };
    let once = vector.cross(rate);
    rate + once * first + vector.cross(once) * second
}

/// Angular velocity to the rate of a rotation vector; the inverse of [`left_jacobian`]. Singular
/// at full turns.
pub fn left_jacobian_inverse(vector: DVec3, velocity: DVec3) -> DVec3 {
    InverseJacobian::new(vector).rate(velocity)
}

/// The inverse of [`left_jacobian`] at a rotation vector, with the weight of its second product.
struct InverseJacobian {
    vector: DVec3,
    second: f64,
}

impl InverseJacobian {
    fn new(vector: DVec3) -> Self {
        let angle = vector.length();
        let square = angle * angle;
        let second = if angle < SERIES_ANGLE {
            1.0 / 12.0
                + square
                    * (1.0 / 720.0 + square * (1.0 / 30_240.0 + square * (1.0 / 1_209_600.0 + square / 47_900_160.0)))
        } else {
            (1.0 - 0.5 * angle / tan(0.5 * angle)) / square
        };
        Self { vector, second }
    }

    fn rate(&self, velocity: DVec3) -> DVec3 {
        let once = self.vector.cross(velocity);
        velocity - once * 0.5 + self.vector.cross(once) * self.second
    }
}

/// The component along an axis, and the rest.
pub(super) fn split(vector: DVec3, axis: usize) -> (DVec3, DVec3) {
    let along = DVec3::AXES[axis] * vector[axis];
    (along, vector - along)
}

/// `angle` moved by full turns next to `hint`.
fn unwrap(angle: f64, hint: f64) -> f64 {
    angle + TAU * ((hint - angle) / TAU).round()
}

fn vector_near(vector: DVec3, hint: DVec3) -> DVec3 {
    // At the identity every full turn about any axis is the same rotation: keep to the hint's axis.
    let Some(axis) = vector.try_normalize().or_else(|| hint.try_normalize()) else { return vector };
    let angle = vector.dot(axis);
    vector + axis * (unwrap(angle, hint.dot(axis)) - angle)
}

/// The turn about an axis that leaves the least rotation, next to `hint`.
fn twist_angle(rotation: DQuat, axis: usize, hint: f64) -> f64 {
    unwrap(2.0 * atan2(rotation.xyz()[axis], rotation.w), hint)
}

fn twist_near(rotation: DQuat, axis: usize, hint: DVec3) -> DVec3 {
    let turn = twist_angle(rotation, axis, hint[axis]);
    let axis = DVec3::AXES[axis];
    let swing = log(rotation * exp(axis * -turn));
    axis * turn + swing.reject_from_normalized(axis)
}

/// Rate of the twist angle `2 atan2(q_axis, w)` when the quaternion moves by `½ ω q`.
fn twist_rate(rotation: DQuat, axis: usize, velocity: DVec3) -> f64 {
    let moved = DQuat::from_vec4(velocity.extend(0.0)) * rotation * 0.5;
    let (along, real) = (rotation.xyz()[axis], rotation.w);
    2.0 * (moved.xyz()[axis] * real - along * moved.w) / (along * along + real * real)
}

/// Of the two triples that give a rotation, (a, b, c) and (a + π, π − b, c + π), the one nearer to
/// the hint: the second angle too can then turn all the way round.
fn euler_near(rotation: DQuat, hint: DVec3) -> DVec3 {
    let matrix = DMat3::from_quat(rotation);
    let (y, z) = (matrix.z_axis.y, matrix.z_axis.z);
    let first = if hypot(y, z) > GIMBAL { atan2(-y, z) } else { hint.x };
    let candidate = |first: f64| {
        let (sine, cosine) = sin_cos(first);
        // The last two rows once the first turn is undone, as far as they are needed.
        let along = |column: DVec3| cosine * column.y + sine * column.z;
        let second = atan2(matrix.z_axis.x, cosine * matrix.z_axis.z - sine * matrix.z_axis.y);
        let third = atan2(along(matrix.x_axis), along(matrix.y_axis));
        DVec3::new(unwrap(first, hint.x), unwrap(second, hint.y), unwrap(third, hint.z))
    };
    let (one, other) = (candidate(first), candidate(first + PI));
    if one.distance_squared(hint) <= other.distance_squared(hint) { one } else { other }
}

/// The three axes turned about, in the parent frame, as columns.
pub(super) fn euler_axes(angles: DVec3) -> DMat3 {
    let about_x = DQuat::from_rotation_x(angles.x);
    let about_y = about_x * DQuat::from_rotation_y(angles.y);
    DMat3::from_cols(DVec3::X, about_x * DVec3::Y, about_y * DVec3::Z)
}
