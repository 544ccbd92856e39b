//! A second-order rule of two steps: x' = (1 + r) x − r x₋ + (1 − r) h (b v' + (1 − b) v) with b = (1 + r) / (2 (1 − r)), and the
//! same for momentum and force. r = 0 is the trapezoidal rule, r = 1/3 are backward differences (BDF2); between them it is
//! A-stable, and what a step does not resolve shrinks by (1 − b)/b per step. In terms of displacements it is a first-order
//! step of H = (1 − r) b h towards another target, so that whatever solves the one solves the other.
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
/// 2.3 % (300 under `vbd`, which judges the first-order step as well). A swinging rod departs by 0.01.
const JUMP: f64 = 0.1;

/// r of the rule. A free rod loses 1.6 % of its height in ten seconds at 60 Hz with it, 3.6 % by BDF2; what a step does not
/// resolve shrinks to a third.
const ROOT: f64 = 0.2;
/// Shares of the rates at the end and at the start of the step, (1 − r) b and (1 − r)(1 − b).
const NEW: f64 = 0.5 * (1.0 + ROOT);
const OLD: f64 = 1.0 - ROOT - NEW;

/// Rounds in which the angular velocity and the orientation at the end of the step agree.
const SPIN_ROUNDS: usize = 6;
/// Change of the angular velocity in a round, as a share of it, that is rounding.
const AGREED: f64 = 4.0 * f64::EPSILON;

/// Impulse of a force in a step of `h` seconds by this rule: from that of the step before and the forces at both ends.
pub fn impulse(h: f64, before: DVec3, [start, end]: [DVec3; 2]) -> DVec3 {
    ROOT * before + h * (OLD * start + NEW * end)
}

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
    /// Acceleration and rate of the spin angular momentum at its end, world frame \[m/s²\], \[N·m\].
    acceleration: DVec3,
    torque: DVec3,
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
    /// Spin angular momentum at the end, world frame \[kg·m²/s\].
    pub spin: DVec3,
}

impl StepBefore {
    /// Of a body that went from `start` in `h` seconds, by this rule after `previous` or else by the first order.
    pub fn new(
        start: &Start,
        h: f64,
        moved: DVec3,
        turned: DVec3,
        end: (Pose, Twist),
        previous: Option<&Self>,
    ) -> Self {
        let (linear, spin) = (start.twist.linear, start.momentum());
        let (step, [coasting, momentum]) = match previous {
            Some(previous) => (NEW * h, previous.ahead(start)),
            None => (h, [linear, spin]),
        };
        let end_momentum = world_times(end.0.rotation, start.inertia, end.1.angular);
        let (acceleration, torque) = ((end.1.linear - coasting) / step, (end_momentum - momentum) / step);
        Self { h, moved, turned, linear, spin, acceleration, torque, end }
    }

    /// Velocity and spin angular momentum that the next step begins from.
    fn ahead(&self, start: &Start) -> [DVec3; 2] {
        let of = |now: DVec3, then: DVec3, rate: DVec3| (1.0 + ROOT) * now - ROOT * then + OLD * self.h * rate;
        [of(start.twist.linear, self.linear, self.acceleration), of(start.momentum(), self.spin, self.torque)]
    }

    /// Whether a step of `h` seconds from there follows on it.
    pub fn leads_to(&self, pose: Pose, twist: Twist, h: f64) -> bool {
        self.h == h && self.end == (pose, twist)
    }

    /// Where the next step leads under an external acceleration \[m/s²\] and torque \[N·m\].
    pub fn aim(&self, start: &Start, acceleration: DVec3, torque: DVec3) -> Aim {
        let step = NEW * self.h;
        let [coasting, momentum] = self.ahead(start);
        let linear = coasting + step * acceleration;
        let momentum = momentum + step * torque;
        let moved = ROOT * self.moved + OLD * self.h * start.twist.linear;
        let turned = ROOT * self.turned + OLD * self.h * start.twist.angular;
        let inverse = start.inertia.inverse();
        let mut angular = start.twist.angular;
        for _ in 0..SPIN_ROUNDS {
            let end = DQuat::from_scaled_axis(turned + step * angular) * start.rotation;
            let before = std::mem::replace(&mut angular, world_times(end, inverse, momentum));
            // What turns alike about every axis agrees at once.
            if (angular - before).length_squared() <= AGREED * AGREED * angular.length_squared() {
                break;
            }
        }
        Aim {
            step,
            moved: moved + step * linear,
            turned: turned + step * angular,
            twist: Twist { linear, angular },
            coasted: moved + step * coasting,
            spin: momentum,
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
        let mut before = StepBefore::new(&start(0.0), h, place(h), DVec3::ZERO, end, None);
        assert!((before.acceleration - a).length() < 1e-14);
        assert!(before.leads_to(end.0, end.1, h) && !before.leads_to(end.0, end.1, 0.5 * h));
        let aim = before.aim(&start(h), a, DVec3::ZERO);
        assert!((place(h) + aim.moved - place(2.0 * h)).length() < 1e-15);
        assert!((aim.twist.linear - twist(2.0 * h).linear).length() < 1e-14);
        assert!(!before.bend(&start(h), 2.0, aim.twist).is_jump());
        let end = (Pose::from_translation(place(2.0 * h)), aim.twist);
        before = StepBefore::new(&start(h), h, aim.moved, DVec3::ZERO, end, Some(&before));
        assert!((before.acceleration - a).length() < 1e-13, "{}", before.acceleration);
    }

    /// The root of a free swing z and what is left of a stiff one after a step: x'' = −ω² x.
    #[test]
    fn a_swing_is_kept_to_third_order_and_a_stiff_one_shrinks_to_a_third() {
        let shrink = |omega_h: f64, steps: u32| {
            let (h, inertia) = (1.0, DMat3::IDENTITY);
            let twist = |v: f64| Twist { linear: DVec3::X * v, angular: DVec3::ZERO };
            let start = |v: f64| Start { rotation: DQuat::IDENTITY, twist: twist(v), inertia };
            let end = |x: f64, v: f64| (Pose::from_translation(DVec3::X * x), twist(v));
            let theta = omega_h;
            let (x0, v0, mut x, mut v) = (1.0, 0.0, theta.cos(), -theta * theta.sin());
            let mut before = StepBefore::new(&start(v0), h, DVec3::X * (x - x0), DVec3::ZERO, end(x, v), None);
            before.acceleration = DVec3::X * (-theta * theta * x);
            for _ in 0..steps {
                let aim = before.aim(&start(v), DVec3::ZERO, DVec3::ZERO);
                let k = (theta * aim.step).powi(2);
                let moved = (aim.moved.x - k * x) / (1.0 + k);
                let speed = aim.twist.linear.x + (moved - aim.moved.x) / aim.step;
                let (next, past) = (end(x + moved, speed), before);
                before = StepBefore::new(&start(v), h, DVec3::X * moved, DVec3::ZERO, next, Some(&past));
                (x, v) = (x + moved, speed);
            }
            (x * x + (v / theta).powi(2)).sqrt()
        };
        let lost = |theta: f64| 1.0 - shrink(theta, (20.0 / theta) as u32);
        assert!(lost(0.05) > 0.0 && (6.0..10.0).contains(&(lost(0.1) / lost(0.05))), "{} {}", lost(0.1), lost(0.05));
        let shares: Vec<f64> = (2..8).map(|n| shrink(1e6, n + 1) / shrink(1e6, n)).collect();
        assert!(shares.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-3), "{shares:?}");
    }

    /// A body about a principal axis turns evenly; what stops it at once is a jump.
    #[test]
    fn an_even_turn_goes_on_and_a_stop_is_a_jump() {
        let (h, spin) = (0.05, DVec3::Z * 4.0);
        let inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
        let twist = Twist { linear: DVec3::ZERO, angular: spin };
        let start = |t: f64| Start { rotation: DQuat::from_scaled_axis(spin * t), twist, inertia };
        let end = (Pose::from_rotation(start(h).rotation), twist);
        let before = StepBefore::new(&start(0.0), h, DVec3::ZERO, h * spin, end, None);
        let aim = before.aim(&start(h), DVec3::ZERO, DVec3::ZERO);
        assert!((aim.turned - h * spin).length() < 1e-14 && (aim.twist.angular - spin).length() < 1e-14);
        assert!(!before.bend(&start(h), 1.0, twist).is_jump());
        assert!(before.bend(&start(h), 1.0, Twist::default()).is_jump());
    }
}
