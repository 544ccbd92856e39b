//! How the rates of rotation coordinates change while the angular velocity stands still: the
//! velocity-product term of a joint's acceleration.
//!
//! The rates are B(θ) w with w the angular velocity in the parent frame, so θ̈ = B ẇ + Ḃ w. This is Ḃ w.

use drystone_geometry::{DQuat, DVec3};
use drystone_kernels::elementary::{sin, tan};

use super::rotation::{Chart, SERIES_ANGLE, euler_axes, exp, left_jacobian_inverse, split};

impl Chart {
    /// Change of the rates per second for a constant angular velocity of the child in the parent frame
    /// \[rad/s²\].
    pub fn drift(self, angles: DVec3, velocity: DVec3) -> DVec3 {
        match self {
            Self::Vector => vector_drift(angles, velocity),
            Self::Twist(axis) => self.twist_drift(axis, angles, velocity),
            Self::Euler => {
                let axes = euler_axes(angles);
                let rates = axes.inverse() * velocity;
                let first = axes.x_axis * rates.x;
                let second = first.cross(axes.y_axis) * rates.y;
                let third = (first + axes.y_axis * rates.y).cross(axes.z_axis) * rates.z;
                -(axes.inverse() * (second + third))
            }
        }
    }

    /// With the rotation exp(swing)·exp(turn): both parts by the product rule.
    fn twist_drift(self, axis: usize, angles: DVec3, velocity: DVec3) -> DVec3 {
        let (_, swing) = split(angles, axis);
        let unit = DVec3::AXES[axis];
        let q = self.rotation(angles);
        let moved = DQuat::from_vec4(velocity.extend(0.0)) * q * 0.5;
        let (along, real) = (q.xyz()[axis], q.w);
        let (along_rate, real_rate) = (moved.xyz()[axis], moved.w);
        let square = along * along + real * real;
        let turn_rate = 2.0 * (along_rate * real - along * real_rate) / square;
        // The numerator stands still: q̈ = −¼|w|² q is parallel to q.
        let turn_drift = -turn_rate * 2.0 * (along * along_rate + real * real_rate) / square;
        let swung = exp(swing) * unit;
        let swing_velocity = velocity - swung * turn_rate;
        let swing_change = -(swing_velocity.cross(swung) * turn_rate + swung * turn_drift);
        unit * turn_drift + left_jacobian_inverse(swing, swing_change) + vector_drift(swing, swing_velocity)
    }
}

/// Derivative of `left_jacobian_inverse(vector, velocity)` along the motion, `velocity` held.
fn vector_drift(vector: DVec3, velocity: DVec3) -> DVec3 {
    let rate = left_jacobian_inverse(vector, velocity);
    let (second, slope) = second_coefficient(vector.length_squared());
    let once = vector.cross(velocity);
    let change = slope * 2.0 * vector.dot(rate);
    vector.cross(once) * change + (rate.cross(once) + vector.cross(rate.cross(velocity))) * second
        - rate.cross(velocity) * 0.5
}

/// The coefficient (1 − φ/2 cot φ/2)/φ² of the double cross product and its derivative by φ².
fn second_coefficient(square: f64) -> (f64, f64) {
    let angle = square.sqrt();
    if angle < SERIES_ANGLE {
        let s = square;
        let value = 1.0 / 12.0 + s * (1.0 / 720.0 + s * (1.0 / 30_240.0 + s * (1.0 / 1_209_600.0 + s / 47_900_160.0)));
        let slope = 1.0 / 720.0 + s * (1.0 / 15_120.0 + s * (1.0 / 403_200.0 + s / 11_975_040.0));
        return (value, slope);
    }
    let half = 0.5 * angle;
    let cotangent = 1.0 / tan(half);
    let sine = sin(half);
    let value = (1.0 - half * cotangent) / square;
    let slope = (-2.0 / angle + 0.5 * cotangent + 0.25 * angle / (sine * sine)) / (2.0 * square * angle);
    (value, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// θ(t) of the rotation that turns with constant w, differenced twice.
    #[test]
    fn drift_is_the_second_difference_of_the_coordinates() {
        let charts = [Chart::Vector, Chart::Twist(0), Chart::Twist(1), Chart::Twist(2), Chart::Euler];
        let angles = [
            DVec3::ZERO,
            DVec3::new(0.02, -0.01, 0.03),
            DVec3::new(0.4, -0.9, 0.7),
            DVec3::new(-1.7, 0.3, 0.8),
            DVec3::new(0.1, 0.2, 2.1),
        ];
        let velocity = DVec3::new(0.7, -1.1, 0.4);
        let step = 1e-4;
        for chart in charts {
            for angles in angles {
                let at = |t: f64| chart.angles(exp(velocity * t) * chart.rotation(angles), angles);
                let second = (at(step) + at(-step) - at(0.0) * 2.0) / (step * step);
                let error = (second - chart.drift(angles, velocity)).length();
                assert!(error < 1e-6, "{chart:?} {angles}: {error}");
                let first = (at(step) - at(-step)) / (2.0 * step);
                assert!((first - chart.rates(angles, velocity)).length() < 1e-7);
            }
        }
    }
}
