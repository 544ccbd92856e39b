//! Numbers and names as MJCF reads them.

use drystone_model::{DQuat, DVec3};

/// Numbers with all their digits, separated by spaces.
pub(super) fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(" ")
}

pub(super) fn vector(vector: DVec3) -> String {
    numbers(&vector.to_array())
}

/// MuJoCo writes the real part first.
pub(super) fn quaternion(rotation: DQuat) -> String {
    numbers(&[rotation.w, rotation.x, rotation.y, rotation.z])
}

/// A name inside quotes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
