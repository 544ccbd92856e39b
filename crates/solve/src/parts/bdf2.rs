//! Second-order backward differences: x' = 4/3 x − 1/3 x₋ + 2/3 h v', and the same for momentum. In terms of displacements
//! that is a first-order step of H = 2/3 h towards another target, so that whatever solves the one solves the other.
//!
//! Past a jump of the velocity the history would throw a third of it back. Who uses it asks for that: contacts and stops,
//! joints switched, velocities set from outside, turns too far for histories of rotations to be added up as vectors.

use drystone_model::{DMat3, DQuat, DVec3, Pose, Twist};
use serde::{Deserialize, Serialize};

/// Turn of a jointed body in a step beyond which its group takes first-order steps \[rad\]. Without it a necklace that whips
/// gains 7 % of its energy.
pub const MOST_TURN: f64 = 0.5;

/// Share of its velocities by which a group departs from its course in a step when they have jumped. Such a step is followed
/// by a first-order one: at 0.5 random mechanisms get back up to 9 % of their energy after a jerk that cost it, at this
/// 2 %. A swinging rod departs by 0.01.
const JUMP: f64 = 0.12;

/// Rounds in which the angular velocity and the orientation at the end of the step agree.
const SPIN_ROUNDS: usize = 6;

/// What a body remembers of the step before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepBefore {
    /// Its length \[s\].
    h: f64,
    /// Displacement of the centre of mass in it \[m\].
    moved: DVec3,
    /// Rotation vector of the turn in it, world frame \[rad\].
    turned: DVec3,
    /// Velocity at its start \[m/s\].
    linear: DVec3,
    /// Spin angular momentum at its start, world frame \[kg·m²/s\].
    spin: DVec3,
    /// Pose and velocity at its end: history is void once somebody changed them.
    end: (Pose, Twist),
}

/// A body at the start of a step.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Orientation.
    pub rotation: DQuat,
    /// Velocity of the centre of mass and angular velocity, world frame.
    pub twist: Twist,
    /// Inertia about the centre of mass, body frame \[kg·m²\].
    pub inertia: DMat3,
}

impl Start {
    fn momentum(&self) -> DVec3 {
        world_times(self.rotation, self.inertia, self.twist.angular)
    }
}

/// Where a second-order step leads without constraints.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Time over which a displacement becomes a velocity, H \[s\].
    pub step: f64,
    /// Displacement of the centre of mass \[m\].
    pub moved: DVec3,
    /// Rotation vector of the turn, world frame \[rad\].
    pub turned: DVec3,
    /// Velocity at the end.
    pub twist: Twist,
    /// Displacement without the external acceleration \[m\].
    pub coasted: DVec3,
}

impl StepBefore {
    /// Of a body that went from `start` in `h` seconds.
    pub fn new(start: &Start, h: f64, moved: DVec3, turned: DVec3, end: (Pose, Twist)) -> Self {
        Self { h, moved, turned, linear: start.twist.linear, spin: start.momentum(), end }
    }

    /// Whether a step of `h` seconds from there follows on it.
    pub fn leads_to(&self, pose: Pose, twist: Twist, h: f64) -> bool {
        self.h == h && self.end == (pose, twist)
    }

    /// Where the next step leads under an external acceleration \[m/s²\] and torque \[N·m\].
    pub fn aim(&self, start: &Start, acceleration: DVec3, torque: DVec3) -> Aim {
        let step = 2.0 / 3.0 * self.h;
        let ahead = |now: DVec3, then: DVec3| (4.0 * now - then) / 3.0;
        let coasting = ahead(start.twist.linear, self.linear);
        let linear = coasting + step * acceleration;
        let momentum = ahead(start.momentum(), self.spin) + step * torque;
        let inverse = start.inertia.inverse();
        let mut angular = start.twist.angular;
        for _ in 0..SPIN_ROUNDS {
            let end = DQuat::from_scaled_axis(self.turned / 3.0 + step * angular) * start.rotation;
            angular = world_times(end, inverse, momentum);
        }
        Aim {
            step,
            moved: self.moved / 3.0 + step * linear,
            turned: self.turned / 3.0 + step * angular,
            twist: Twist { linear, angular },
            coasted: self.moved / 3.0 + step * coasting,
        }
    }

    /// How far the velocity `end` of a body of some mass departs from the straight line through those of the two starts
    /// before, and how large it is: squared, in the norm of the kinetic energy \[J\].
    pub fn bend(&self, start: &Start, mass: f64, end: Twist) -> Bend {
        let local = |v: DVec3| start.rotation.inverse() * v;
        let then = start.rotation * (start.inertia.inverse() * local(self.spin));
        let size = |linear: DVec3, angular: DVec3| {
            let turn = local(angular);
            mass * linear.length_squared() + turn.dot(start.inertia * turn)
        };
        let now = start.twist;
        let off = size(end.linear - 2.0 * now.linear + self.linear, end.angular - 2.0 * now.angular + then);
        Bend { off, speed: size(end.linear, end.angular).max(size(now.linear, now.angular)) }
    }
}

/// How far velocities depart from their course, summed over the bodies of a group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bend {
    off: f64,
    speed: f64,
}

impl Bend {
    /// Of two sets of bodies together.
    pub fn and(self, other: Self) -> Self {
        Self { off: self.off + other.off, speed: self.speed + other.speed }
    }

    /// Whether the velocities jumped.
    pub fn is_jump(&self) -> bool {
        self.off > JUMP * JUMP * self.speed
    }
}

/// A body-frame tensor times a world-frame vector.
fn world_times(rotation: DQuat, tensor: DMat3, v: DVec3) -> DVec3 {
    rotation * (tensor * (rotation.inverse() * v))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under a constant force the rule gives a parabola exactly once it has one behind it.
    #[test]
    fn a_parabola_goes_on_as_one() {
        let (h, v, a) = (0.1, DVec3::new(3.0, -1.0, 2.0), DVec3::new(0.0, 1.0, -9.81));
        let inertia = DMat3::IDENTITY;
        let twist = |t: f64| Twist { linear: v + t * a, angular: DVec3::ZERO };
        let start = |t: f64| Start { rotation: DQuat::IDENTITY, twist: twist(t), inertia };
        let place = |t: f64| t * v + 0.5 * t * t * a;
        let end = (Pose::from_translation(place(h)), twist(h));
        let before = StepBefore::new(&start(0.0), h, place(h), DVec3::ZERO, end);
        assert!(before.leads_to(end.0, end.1, h) && !before.leads_to(end.0, end.1, 0.5 * h));
        let aim = before.aim(&start(h), a, DVec3::ZERO);
        assert!((place(h) + aim.moved - place(2.0 * h)).length() < 1e-15);
        assert!((aim.twist.linear - twist(2.0 * h).linear).length() < 1e-14);
        assert!(!before.bend(&start(h), 2.0, aim.twist).is_jump());
    }

    /// A body about a principal axis turns evenly; what stops it at once is a jump.
    #[test]
    fn an_even_turn_goes_on_and_a_stop_is_a_jump() {
        let (h, spin) = (0.05, DVec3::Z * 4.0);
        let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
        let twist = Twist { linear: DVec3::ZERO, angular: spin };
        let start = |t: f64| Start { rotation: DQuat::from_scaled_axis(spin * t), twist, inertia };
        let end = (Pose::from_rotation(start(h).rotation), twist);
        let before = StepBefore::new(&start(0.0), h, DVec3::ZERO, h * spin, end);
        let aim = before.aim(&start(h), DVec3::ZERO, DVec3::ZERO);
        assert!((aim.turned - h * spin).length() < 1e-14 && (aim.twist.angular - spin).length() < 1e-14);
        assert!(!before.bend(&start(h), 1.0, twist).is_jump());
        assert!(before.bend(&start(h), 1.0, Twist::default()).is_jump());
    }
}
