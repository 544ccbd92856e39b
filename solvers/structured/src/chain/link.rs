//! One link of a chain: a rigid body with a joint at either end.

use drystone_model::{DMat3, DQuat, DVec3, Pose, Twist};

use crate::free_rotation::turned;
use crate::substeps::{swing_rate, swing_stiffness};

/// What links of the same make share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// 1/mass \[1/kg\].
    pub inverse_mass: f64,
    /// Inertia about the centre of mass, body axes \[kg·m²\].
    pub inertia: DMat3,
    /// Its inverse.
    pub inverse: DMat3,
    /// Joints from the centre of mass, body axes \[m\].
    pub anchor: [DVec3; 2],
    /// Centre of mass in the body frame \[m\].
    pub com: DVec3,
    /// How readily pulls at either joint make it swing: [`Kind::give`] \[m²/(kg·m²)²\].
    pub give: [f64; 2],
}

impl Kind {
    /// A bound on the square of [`Link::swing_rate`] that needs no orientation, from the norms of K and of I⁻¹, for a pull at
    /// the `outer` one of its joints and one at the other.
    #[inline]
    pub fn swing_bound(&self, outer: usize, pull: DVec3, other: DVec3) -> f64 {
        // |K| of one force is at most √2 |F||r|, and (x + y)² at most 2 (x² + y²).
        4.0 * (self.give[outer] * pull.length_squared() + self.give[1 - outer] * other.length_squared())
    }

    /// Square of the norm of I⁻¹ times that of either anchor, for [`Kind::swing_bound`].
    pub fn give(inverse: &DMat3, anchor: &[DVec3; 2]) -> [f64; 2] {
        let norm: f64 = inverse.to_cols_array().iter().map(|entry| entry * entry).sum();
        anchor.map(|anchor| norm * anchor.length_squared())
    }
}

/// A link at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    com: DVec3,
    rotation: DQuat,
    linear: DVec3,
    angular: DVec3,
    /// Joints from the centre of mass, world axes \[m\], where the blocks were assembled.
    lever: [DVec3; 2],
    /// Inverse inertia, world axes, there.
    inverse: DMat3,
    /// Orientation there.
    assembled: DQuat,
    /// Index of the kind.
    pub kind: u32,
}

/// What a link adds to the system of its two joints.
#[derive(Clone, Copy, Debug)]
pub struct LinkBlock {
    /// To the diagonal block of its first joint.
    pub first: DMat3,
    /// To that of its second joint.
    pub second: DMat3,
    /// Coupling of both.
    pub between: DMat3,
}

impl Link {
    /// A link of a kind, nowhere yet.
    pub fn new(kind: u32) -> Self {
        Self {
            com: DVec3::splat(f64::NAN),
            rotation: DQuat::IDENTITY,
            linear: DVec3::ZERO,
            angular: DVec3::ZERO,
            lever: [DVec3::ZERO; 2],
            inverse: DMat3::ZERO,
            assembled: DQuat::IDENTITY,
            kind,
        }
    }

    /// Takes pose and velocity over; true when the pose is the one it had.
    #[inline]
    pub fn read(&mut self, kind: &Kind, pose: &Pose, twist: &Twist) -> bool {
        let com = pose.transform_point(kind.com);
        // The centre of mass comes back from the pose with a rounding; the orientation is exact.
        let near = (com - self.com).abs().max_element() <= 4.0 * f64::EPSILON * com.abs().max_element();
        let same = pose.rotation == self.rotation && near;
        (self.com, self.rotation) = (com, pose.rotation);
        (self.linear, self.angular) = (twist.linear, twist.angular);
        same
    }

    /// Levers, inverse inertia and blocks at the pose. A link that has `moved` since the last time arrives
    /// with the angular momentum it left with.
    #[inline]
    pub fn place(&mut self, kind: &Kind, moved: bool) -> LinkBlock {
        let turn = DMat3::from_quat(self.rotation);
        self.inverse = turn * kind.inverse * turn.transpose();
        if moved {
            let momentum = self.assembled * (kind.inertia * (self.assembled.conjugate() * self.angular));
            self.angular = self.inverse * momentum;
        }
        self.assembled = self.rotation;
        self.lever = kind.anchor.map(|anchor| turn * anchor);
        let [a, b] = self.lever;
        let (ta, tb) = (responses(&self.inverse, a), responses(&self.inverse, b));
        let mass = DMat3::from_diagonal(DVec3::splat(kind.inverse_mass));
        LinkBlock { first: mass + crossed(a, &ta), second: mass + crossed(b, &tb), between: -(mass + crossed(a, &tb)) }
    }

    /// A kick by gravity and a force and torque over `h` seconds.
    #[inline]
    pub fn kick(&mut self, kind: &Kind, gravity: DVec3, (force, torque): (DVec3, DVec3), h: f64) {
        self.linear += (gravity + force * kind.inverse_mass) * h;
        if torque != DVec3::ZERO {
            self.angular += self.inverse * torque * h;
        }
    }

    /// Velocities of both ends, with `ahead` seconds of their centripetal acceleration.
    #[inline]
    pub fn end_speeds(&self, ahead: f64) -> [DVec3; 2] {
        self.lever.map(|lever| {
            let speed = self.angular.cross(lever);
            self.linear + speed + self.angular.cross(speed) * ahead
        })
    }

    /// Impulses of its joints: pulled back by the first, forward by the second.
    #[inline]
    pub fn push(&mut self, kind: &Kind, first: DVec3, second: DVec3) {
        self.linear += (second - first) * kind.inverse_mass;
        self.angular += self.inverse * (self.lever[1].cross(second) - self.lever[0].cross(first));
    }

    /// Moves for `h` seconds from a pose, by the velocities at the place of the blocks; returns its ends.
    #[inline]
    pub fn advance(&mut self, kind: &Kind, start: &Pose, h: f64) -> [DVec3; 2] {
        self.com = start.transform_point(kind.com) + self.linear * h;
        self.rotation = turned(start.rotation, self.angular, kind.inertia, h);
        self.ends(kind)
    }

    /// Moves by what impulses of its joints would do in a second.
    pub fn displace(&mut self, kind: &Kind, first: DVec3, second: DVec3) {
        self.com += (second - first) * kind.inverse_mass;
        let turn = self.inverse * (self.lever[1].cross(second) - self.lever[0].cross(first));
        self.rotation = (DQuat::from_scaled_axis(turn) * self.rotation).normalize();
    }

    /// ω² of its fastest swing under the forces `pulls` of its joints, which pull it back and forward \[1/s²\].
    pub fn swing_rate(&self, pulls: &[DVec3]) -> f64 {
        let stiffness = swing_stiffness(-pulls[0], self.lever[0]) + swing_stiffness(pulls[1], self.lever[1]);
        swing_rate(self.inverse, stiffness)
    }

    /// Where its ends are \[m\].
    pub fn ends(&self, kind: &Kind) -> [DVec3; 2] {
        kind.anchor.map(|anchor| self.com + self.rotation * anchor)
    }

    /// Orientation.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// Pose and velocity.
    #[inline]
    pub fn write(&self, kind: &Kind) -> (Pose, Twist) {
        let pose = Pose::from_parts(self.com - self.rotation * kind.com, self.rotation);
        (pose, Twist { linear: self.linear, angular: self.angular })
    }
}

/// Columns W (e_j × r).
#[inline]
fn responses(w: &DMat3, r: DVec3) -> [DVec3; 3] {
    let [x, y, z] = [w.x_axis, w.y_axis, w.z_axis];
    [z * r.y - y * r.z, x * r.z - z * r.x, y * r.x - x * r.y]
}

/// The matrix of columns r × t_j: [r]× W [s]×ᵀ for responses of s.
#[inline]
fn crossed(r: DVec3, t: &[DVec3; 3]) -> DMat3 {
    DMat3::from_cols(r.cross(t[0]), r.cross(t[1]), r.cross(t[2]))
}
