//! Resistance of a medium, or of anything else that stands still, against the motion of a body.

use glamx::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use drystone_geometry::Pose;

use crate::state::Twist;

/// A resistance at a point of a body, along and about axes that turn with it: the force along an axis is
/// −(linear + quadratic · |u|) · u, where u is the velocity of the point along that axis, and the torque about it the same of
/// the angular velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    /// The point and the axes, in the frame of the body \[m\].
    pub pose: Pose,
    /// Along three axes \[N·s/m\], then about them \[N·m·s/rad\].
    pub linear: [f64; 6],
    /// Along three axes \[N·s²/m²\], then about them \[N·m·s²/rad²\].
    pub quadratic: [f64; 6],
}

impl Drag {
    /// Force \[N\] and torque about the centre of mass \[N·m\], world frame, on a body that stands at `body`, with its centre of
    /// mass at `centre` and this velocity.
    pub fn force(&self, body: &Pose, centre: DVec3, velocity: &Twist) -> (DVec3, DVec3) {
        let [along, about] = self.resistance(body, centre, velocity);
        let place = *body * self.pose;
        let force = -(along * velocity.at(centre, place.translation));
        (force, (place.translation - centre).cross(force) - about * velocity.angular)
    }

    /// Matrices from the velocity of the point to the force against it, and from the angular velocity to the torque; world axes.
    pub fn resistance(&self, body: &Pose, centre: DVec3, velocity: &Twist) -> [DMat3; 2] {
        let place = *body * self.pose;
        let axes = DMat3::from_quat(place.rotation);
        let [u, spin] =
            [velocity.at(centre, place.translation), velocity.angular].map(|v| (axes.transpose() * v).abs());
        let half = |start: usize, u: DVec3| {
            let [linear, quadratic] =
                [self.linear, self.quadratic].map(|all| DVec3::from_slice(&all[start..start + 3]));
            axes * DMat3::from_diagonal(linear + quadratic * u) * axes.transpose()
        };
        [half(0, u), half(3, spin)]
    }

    /// Whether it ever resists.
    pub fn acts(&self) -> bool {
        self.linear.iter().chain(&self.quadratic).any(|&value| value != 0.0)
    }
}

#[cfg(test)]
mod tests {
    use glamx::DQuat;

    use super::*;

    /// A plate that resists along its own x only, at a point off the centre.
    #[test]
    fn the_force_is_along_turned_axes_and_acts_at_its_point() {
        let drag = Drag {
            pose: Pose::from_translation(DVec3::Y),
            linear: [2.0, 0.0, 0.0, 0.0, 0.0, 5.0],
            quadratic: [3.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        };
        // Turned by a right angle: its x is the world's y, its point at −x.
        let body = Pose::from_parts(DVec3::ZERO, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
        let velocity = Twist { linear: DVec3::new(7.0, -1.0, 0.0), angular: DVec3::Z * 2.0 };
        let (force, torque) = drag.force(&body, DVec3::ZERO, &velocity);
        // The point moves by −1 − 2 · 1 along y: 2 · 3 + 3 · 9 against it.
        assert!((force - DVec3::Y * 33.0).length() < 1e-12, "{force}");
        // 33 N at −x push clockwise, and −5 · 2 against the turn.
        assert!((torque - DVec3::Z * (-33.0 - 10.0)).length() < 1e-12, "{torque}");
    }
}
