//! Checks of single numbers, vectors and poses.

use drystone_geometry::{DVec3, Pose};

use crate::error::Faults;

/// Largest magnitude taken for a length, mass, speed or stiffness. Squares and sixth powers of the
/// numbers at hand must stay far inside the range of `f64`; anything beyond is a typing error.
pub(super) const HUGE: f64 = 1e30;

/// Deviation of a quaternion's length from one that renormalising repairs without changing what
/// was meant: single-precision input is off by about 1e-7.
pub(crate) const UNIT_TOLERANCE: f64 = 1e-6;

fn describe(value: f64) -> &'static str {
    if value.is_nan() { "not a number" } else { "not of a sensible size" }
}

/// A finite number of sensible size.
pub(super) fn finite(faults: &mut Faults, field: &'static str, value: f64) -> bool {
    let fine = value.abs() <= HUGE;
    if !fine {
        let problem = format!("{value:e} is {}", describe(value));
        faults.add(field, problem, format!("give a finite number below {HUGE:e} in SI units"));
    }
    fine
}

/// A finite number that is not negative.
pub(super) fn not_negative(faults: &mut Faults, field: &'static str, value: f64) -> bool {
    if value < 0.0 {
        faults.add(field, format!("{value} is negative"), "give zero or more");
        return false;
    }
    finite(faults, field, value)
}

/// A number that is not negative; infinite means hard or never.
pub(super) fn not_negative_or_infinite(faults: &mut Faults, field: &'static str, value: f64) -> bool {
    value == f64::INFINITY || not_negative(faults, field, value)
}

/// A positive finite number.
pub(super) fn positive(faults: &mut Faults, field: &'static str, value: f64) -> bool {
    if value <= 0.0 {
        faults.add(field, format!("{value} is not positive"), "give a positive number");
        return false;
    }
    finite(faults, field, value)
}

/// A vector of finite numbers.
pub(super) fn vector(faults: &mut Faults, field: &'static str, value: DVec3) -> bool {
    value.to_array().into_iter().all(|component| finite(faults, field, component))
}

/// A finite translation and a unit quaternion.
pub(super) fn pose(faults: &mut Faults, field: &'static str, pose: &Pose) -> bool {
    if !vector(faults, field, pose.translation) {
        return false;
    }
    let length = pose.rotation.length();
    let fine = (length - 1.0).abs() <= UNIT_TOLERANCE;
    if !fine {
        let problem = if length == 0.0 {
            "the rotation has no direction: its quaternion, or the axis or normal it was made from, is zero".into()
        } else {
            format!("the rotation quaternion has length {length}")
        };
        faults.add(field, problem, "give a unit quaternion, or an axis that is not zero");
    }
    fine
}
