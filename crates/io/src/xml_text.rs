//! Numbers and names as XML files of robots have them.

use drystone_model::{DQuat, DVec3};

/// Numbers with all their digits, separated by spaces.
pub(crate) fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(" ")
}

pub(crate) fn vector(vector: DVec3) -> String {
    numbers(&vector.to_array())
}

/// MuJoCo writes the real part first.
pub(crate) fn quaternion(rotation: DQuat) -> String {
    numbers(&[rotation.w, rotation.x, rotation.y, rotation.z])
}

/// A name inside quotes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
