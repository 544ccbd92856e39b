//! How far a body may be turned against another: by its whole angle, or by the tilt of an axis within an elliptic cone.
//!
//! A joint of the kind [`JointKind::Cone`] says so by its limits, which are symmetric: a limit of `ang_x` bounds the whole angle of
//! the turn, about whatever axis; limits of `ang_y` and `ang_z` bound the tilt of the x axis, the half axes of an ellipse.

use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_kernels::elementary::{atan2, hypot, sin_cos};

use crate::builder::{JointDef, JointFrames};
use crate::id::BodyId;
use crate::joint::{Axis, JointKind, Limit};
use crate::kinematics::rotation::log;
use crate::model::Model;

/// What a joint that bounds a turn measures: its coordinate `ang_x`, and how that changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cone {
    /// The whole angle of the turn \[rad\].
    Turn,
    /// The tilt of the x axis, weighted: with b the axis of the child in the frame of the parent and ψ its angle to x, the tilt is
    /// the vector u = ψ (b_y, b_z) / |(b_y, b_z)|, and the coordinate |(w_y u_y, w_z u_z)|. Where both weights are 1 it is ψ.
    Tilt([f64; 2]),
}

/// Below this sine of the tilt its closed forms lose digits.
const STRAIGHT: f64 = 1e-4;

/// The coordinate of a cone, its change per turn of the child, and the velocity-product term, all in the frame of the parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeReading {
    /// \[rad\].
    pub value: f64,
    /// Change per small turn of the child.
    pub row: DVec3,
    /// Second derivative for the given spin and its change \[rad/s²\].
    pub product: f64,
}

impl Cone {
    /// Reads the coordinate at a rotation of the child in the frame of the parent. `spin` is the angular velocity there and `turning`
    /// its change per second, both as seen from the parent.
    pub fn read(self, rotation: DQuat, spin: DVec3, turning: DVec3) -> ConeReading {
        match self {
            Self::Turn => whole_turn(rotation, spin, turning),
            Self::Tilt(weight) => tilt(weight, rotation * DVec3::X, spin, turning),
        }
    }
}

/// The angle and its axis; about which the angle grows where there is none is a matter of taste: x.
fn whole_turn(rotation: DQuat, spin: DVec3, turning: DVec3) -> ConeReading {
    let vector = log(rotation);
    let angle = vector.length();
    let Some(axis) = vector.try_normalize() else {
        return ConeReading { value: 0.0, row: DVec3::X, product: turning.x };
    };
    // φ̇ = n · w and ṅ = ½ (w × n + cot(φ/2) (w − n (n·w))).
    let across = spin.reject_from_normalized(axis).length_squared();
    let (sine, cosine) = sin_cos(0.5 * angle);
    ConeReading { value: angle, row: axis, product: axis.dot(turning) + 0.5 * across * cosine / sine }
}

/// With s = |(b_y, b_z)|, x = b_x and ψ = atan2(s, x): u = f (b_y, b_z) with f = ψ / s, ∂f/∂x = −1 and ∂f/∂b = g b for the two
/// others, g = (x − f) / s², for a unit vector b.
fn tilt(weight: [f64; 2], b: DVec3, spin: DVec3, turning: DVec3) -> ConeReading {
    let s = hypot(b.y, b.z);
    let straight = s < STRAIGHT && b.x > 0.0;
    let (f, g) = if straight {
        (1.0 + s * s / 6.0, -2.0 / 3.0)
    } else {
        let f = atan2(s, b.x) / s.max(f64::MIN_POSITIVE);
        (f, (b.x - f) / (s * s).max(f64::MIN_POSITIVE))
    };
    let moved = spin.cross(b);
    let moving = turning.cross(b) + spin.cross(moved);
    let inner = b.y * moved.y + b.z * moved.z;
    let (f1, f2) = {
        let f1 = -moved.x + g * inner;
        let g1 = if straight { 0.0 } else { (moved.x - f1 - 2.0 * g * inner) / (s * s).max(f64::MIN_POSITIVE) };
        let outer = moved.y * moved.y + moved.z * moved.z + b.y * moving.y + b.z * moving.z;
        (f1, -moving.x + g1 * inner + g * outer)
    };
    // u weighted, its rate and its acceleration.
    let along = |k: usize| weight[k - 1] * f * b[k];
    let rate = |k: usize| weight[k - 1] * (f1 * b[k] + f * moved[k]);
    let second = |k: usize| weight[k - 1] * (f2 * b[k] + 2.0 * f1 * moved[k] + f * moving[k]);
    let value = hypot(along(1), along(2));
    // Where nothing is tilted, tilting about y is as good as any.
    let [p, q] = if value > 0.0 { [along(1) / value, along(2) / value] } else { [0.0, -1.0] };
    // ∂value/∂b, then its change per turn: b turns by w × b.
    let [wy, wz] = weight;
    let inward = wy * p * b.y + wz * q * b.z;
    let slope = DVec3::new(-inward, g * b.y * inward + f * wy * p, g * b.z * inward + f * wz * q);
    let speed = p * rate(1) + q * rate(2);
    let across = rate(1) * rate(1) + rate(2) * rate(2) - speed * speed;
    let bend = if value > 0.0 { across.max(0.0) / value } else { 0.0 };
    ConeReading { value, row: b.cross(slope), product: p * second(1) + q * second(2) + bend }
}

impl Model {
    /// What a joint of the kind [`JointKind::Cone`] measures.
    pub fn joint_cone(&self, joint: usize) -> Option<Cone> {
        if self.joint_kind[joint] != JointKind::Cone {
            return None;
        }
        let limit = &self.joint_limit[joint];
        if limit[Axis::AngX as usize].upper.is_finite() {
            return Some(Cone::Turn);
        }
        let widest = self.axis_limit(joint, Axis::AngX as usize).upper;
        // Turning about z tilts x towards y, about y towards −z.
        let weight = [Axis::AngZ, Axis::AngY].map(|axis| limit[axis as usize].upper);
        Some(Cone::Tilt(weight.map(|half| if half.is_finite() { widest / half } else { 0.0 })))
    }

    /// The limit of a coordinate. That of a cone stands along `ang_x`, which is what it measures.
    pub fn axis_limit(&self, joint: usize, axis: usize) -> Limit {
        let limit = &self.joint_limit[joint];
        if self.joint_kind[joint] != JointKind::Cone {
            return limit[axis];
        }
        let finite = [Axis::AngX, Axis::AngY, Axis::AngZ].map(|axis| limit[axis as usize]);
        let given = finite.into_iter().filter(|limit| limit.upper.is_finite());
        let widest = given.reduce(|one, other| if other.upper > one.upper { other } else { one });
        match widest {
            Some(widest) if axis == Axis::AngX as usize => Limit { lower: f64::NEG_INFINITY, ..widest },
            _ => Limit::default(),
        }
    }
}

impl JointDef {
    /// Bounds the angle by which the child is turned against the parent, about whatever axis \[rad\], beside a ball joint. Where
    /// both stand now counts as not turned.
    pub fn turn_limit(parent: impl Into<BodyId>, child: impl Into<BodyId>, angle: f64) -> Self {
        Self::new(JointKind::Cone, parent, child).at(JointFrames::Common(Pose::IDENTITY)).limit(
            Axis::AngX,
            -angle,
            angle,
        )
    }

    /// Keeps the x axis of a frame that both bodies have (world, where they stand now) within an elliptic cone, beside a ball joint:
    /// tilting towards y by at most `towards_y` and towards z by at most `towards_z` \[rad\], infinite for no bound. Turns about the
    /// axis are free.
    pub fn elliptic_cone(
        parent: impl Into<BodyId>,
        child: impl Into<BodyId>,
        frame: DQuat,
        [towards_y, towards_z]: [f64; 2],
    ) -> Self {
        let mut def =
            Self::new(JointKind::Cone, parent, child).at(JointFrames::Common(Pose::from_parts(DVec3::ZERO, frame)));
        for (axis, half) in [(Axis::AngZ, towards_y), (Axis::AngY, towards_z)] {
            def = def.limit(axis, -half, half);
        }
        def
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinematics::rotation::exp;

    const CONES: [Cone; 4] = [Cone::Turn, Cone::Tilt([1.0, 1.0]), Cone::Tilt([0.4, 1.0]), Cone::Tilt([1.0, 0.0])];
    const TURNS: [DVec3; 5] = [
        DVec3::new(0.3, 0.2, -0.4),
        DVec3::new(-0.7, 1.1, 0.9),
        DVec3::new(0.0, 0.0, 2.6),
        DVec3::new(1.0, 2e-6, -3e-6),
        DVec3::new(0.5, -1.4, 0.1),
    ];

    /// Rows are derivatives and products second derivatives along a constant spin, by differences.
    #[test]
    fn rows_and_products_are_derivatives() {
        let spin = DVec3::new(0.7, -1.1, 0.4);
        let step = 1e-4;
        for (cone, turn) in CONES.into_iter().flat_map(|cone| TURNS.map(|turn| (cone, turn))) {
            let at = |t: f64| cone.read(exp(spin * t) * exp(turn), DVec3::ZERO, DVec3::ZERO).value;
            let here = cone.read(exp(turn), spin, DVec3::ZERO);
            // Next to where it has its edge a tilt is no smooth function.
            if here.value < 10.0 * step {
                continue;
            }
            let first = (at(step) - at(-step)) / (2.0 * step);
            assert!((first - here.row.dot(spin)).abs() < 1e-6, "{cone:?} {turn}: {first} for {}", here.row.dot(spin));
            let second = (at(step) + at(-step) - 2.0 * at(0.0)) / (step * step);
            assert!(
                (second - here.product).abs() < 1e-5 * (1.0 + second.abs()),
                "{cone:?} {turn}: {second} for {}",
                here.product
            );
        }
    }

    /// A tilt towards y alone counts by the weight of y, one about the axis not at all.
    #[test]
    fn a_tilt_counts_by_its_direction() {
        let cone = Cone::Tilt([0.5, 2.0]);
        let value = |turn: DVec3| cone.read(exp(turn), DVec3::ZERO, DVec3::ZERO).value;
        assert!((value(DVec3::Z * 0.8) - 0.4).abs() < 1e-15);
        assert!((value(DVec3::Y * -0.8) - 1.6).abs() < 1e-15);
        assert!(value(DVec3::X * 1.3) < 1e-15);
        assert!((Cone::Turn.read(exp(DVec3::new(0.3, 0.4, 1.2)), DVec3::ZERO, DVec3::ZERO).value - 1.3).abs() < 1e-15);
    }
}
